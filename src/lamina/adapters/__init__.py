"""The technologies, one folder each. An adapter fetches and stores; the rules are in the domain."""
