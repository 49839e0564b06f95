"""Language models, behind ports that do without them."""
