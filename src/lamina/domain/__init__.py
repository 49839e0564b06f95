"""The pure core: standard library, pydantic, and numpy where candidates are ranked. Time, ids and randomness are
arguments; nothing here does I/O.

Read it in this order:

1. The vocabulary: primitives, tier, typology, anchor, scope, claim, validity, state, record.
2. What happens to a record: transitions, lineage, outcome, refusal, corroboration, contradiction, references.
3. The policies, one file for each behavioural primitive: policies.lifecycle to policies.injection; retention;
   audit, scope_cleanup, compounding. Maintenance: canon, upkeep, merging, dreaming. Auditing: auditing.
4. Retrieval: signals, terms, mentions, periods, bm25, search, outline, scoring, fusion, neighbourhood, ranking,
   retrieval, order. Comparing texts: substance, trigram (and its table, ctype).
5. Event memory: events, event, event_metadata, event_chain, event_faults, stm.
6. The spec: persistence, discipline, defaults, deviation, cell_policy, spec; spec_checks and spec_reading say what is
   wrong with one, spec_table shows one to a reviewer; agents has those that are shipped.

Beneath everything: errors, frozen, text, choices, instants, numbers, ids.
"""
