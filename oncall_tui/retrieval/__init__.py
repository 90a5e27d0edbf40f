"""Questions to ranked evidence."""
