"""Published features that have no adapter yet; a test holds the list to the truth, so that it cannot rot."""

NOT_BUILT: tuple[str, ...] = ()
"""Running a case of one of these is a failure: the feature is unknown. At present every published feature is built."""
