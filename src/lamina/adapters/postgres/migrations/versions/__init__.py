"""One file a revision, in order."""
