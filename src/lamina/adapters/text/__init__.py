"""Texts taken apart: lexemes by Snowball."""
