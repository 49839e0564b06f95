"""P14, sanitization gates: what changes as it crosses a boundary. Access control says who may read; a gate what.

1. passage: what crosses, gates as such, and several of them as one.
2. identifiers and strip_identifiers: from override-pattern signals to a rule candidate.
3. provenance and hedging: from memory to an operator's chat.
4. customer: from memory to a customer's chat.
"""
