"""What the store raises by itself. Imports nothing."""


class StoreError(Exception):
    """The database cannot be used; the text is one line that says why."""


class NotSaved(StoreError):
    """A save failed, and certainly nothing of it was written; the cause is chained."""


class StaleVersion(NotSaved):
    """A save does not follow on what is stored of its table: the version is another, or it is closed."""


class FileLost(NotSaved):
    """The database file, or its write-ahead log, was removed or replaced while it was in use."""


class OwnershipLost(StoreError):
    """Another process has taken the database; this one must stop."""


class Uncertain(StoreError):
    """A save failed in the end, and whether it was written could not be found out; the cause is chained."""
