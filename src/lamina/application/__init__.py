"""The use cases, one act a file. They know the domain and the ports only."""
