"""What holds for all tests."""

from hypothesis import settings

# Machines that run the tests are busy: no example fails for having been slow once.
settings.register_profile("lastlap", deadline=None)
settings.load_profile("lastlap")
