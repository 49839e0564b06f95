-- From which share of a rule's phrases on a body holds the rule: the spec's, written anew by each migration. NULL is off.
CREATE OR REPLACE FUNCTION {containment}() RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN {containment_share}::double precision;
