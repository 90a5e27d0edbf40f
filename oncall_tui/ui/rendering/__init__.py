"""Values to styled text: pure functions that the widgets call."""
