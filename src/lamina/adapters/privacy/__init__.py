"""Finding personal data and secrets, by libraries that work offline."""
