"""The screens: each holds state and routes messages."""
