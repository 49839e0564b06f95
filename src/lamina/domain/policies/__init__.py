"""The behavioural primitives, one file each: lifecycle (P6), decay (P7), write (P8), promotion (P9), conflict (P10),
consolidation (P11), injection (P12).

Each file has a protocol and the implementations that the typology tables of `defaults` choose from. A policy is
declared data with behaviour: it is read from a file by its `kind`, and it answers with values, never with effects.
"""
