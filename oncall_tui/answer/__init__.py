"""Evidence to answers whose every statement can be opened at its source."""
