"""The full-screen interface. It receives an engine and knows nothing of how it is made."""
