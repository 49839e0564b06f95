"""The machine's own clock and chance."""
