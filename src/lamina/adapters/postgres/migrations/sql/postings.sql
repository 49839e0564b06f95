-- Lexical search. A tsvector cannot be searched by its index under row security, because @@ is not leakproof;
-- equality on a lexeme is.
CREATE TABLE {postings} (
    anchor_id uuid NOT NULL,
    lexeme text NOT NULL,
    memory_id uuid NOT NULL,
    tf integer NOT NULL,
    length integer NOT NULL,
    CONSTRAINT {postings_pkey} PRIMARY KEY (anchor_id, lexeme, memory_id),
    CONSTRAINT {postings_memory} FOREIGN KEY (anchor_id, memory_id) REFERENCES {memory} (anchor_id, id)
        ON DELETE RESTRICT
) {partitioning};

CREATE INDEX {postings_of_memory} ON {postings} (anchor_id, memory_id);
