"""What the Postgres benchmark is made of."""
