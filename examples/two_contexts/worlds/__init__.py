"""The owner: the World Agent and its memory live here, and only here."""
