"""Measuring recall on conversations whose questions name their evidence."""
