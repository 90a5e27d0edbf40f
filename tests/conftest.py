"""Settings that every test shares."""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None, max_examples=60, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, max_examples=3000, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
