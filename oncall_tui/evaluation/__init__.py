"""How good the ranking is, measured on labelled questions."""
