"""The widgets: each shows one thing and says what was done to it."""
