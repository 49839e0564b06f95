"""Texts to vectors: the bundled static model, sentence-transformers, and a hashing one for tests."""
