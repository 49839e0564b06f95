-- Lexical search. A tsvector cannot be searched by its index under row security, because @@ is not leakproof;
-- equality on a term is. Only maintenance writes here, and a posting goes with its document: so it has neither a
-- foreign key nor an index by record, which every removal of a record would have to search.
CREATE TABLE {postings} (
    anchor_id uuid NOT NULL,
    term text NOT NULL,
    memory_id uuid NOT NULL,
    valid_at timestamptz NOT NULL,
    tf integer NOT NULL,
    length integer NOT NULL,
    CONSTRAINT {postings_pkey} PRIMARY KEY (anchor_id, term, memory_id)
) {partitioning};

CREATE FUNCTION {withdraw}() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM {postings} AS posting
    WHERE posting.anchor_id = OLD.anchor_id AND posting.term = ANY (OLD.terms) AND posting.memory_id = OLD.memory_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER {withdrawn} AFTER DELETE ON {documents}
    FOR EACH ROW WHEN (OLD.spread) EXECUTE FUNCTION {withdraw}();
