"""PostgreSQL with pgvector: the same memory for many processes, with a database that refuses what the code forgot."""
