-- Tier and typology are the joint discriminator (D3); the other closed vocabularies are enums as well.
CREATE TYPE {tier} AS ENUM ('interaction', 'session', 'persistent');
CREATE TYPE {typology} AS ENUM ('episodic', 'semantic', 'procedural');
CREATE TYPE {reach} AS ENUM ('anchor', 'cross_version', 'cross_anchor');
CREATE TYPE {decision} AS ENUM ('ADD', 'UPDATE', 'DELETE', 'NOOP', 'HELD', 'REFUSED');

-- What these vectors come from, what is to take their place, and the shape of the spec that the schema was made for.
-- One row: two models are never compared.
CREATE TABLE {meta} (
    only_row boolean NOT NULL DEFAULT true CHECK (only_row),
    model text NOT NULL,
    dimension integer NOT NULL,
    next_model text,
    next_dimension integer,
    shape text NOT NULL,
    CONSTRAINT {meta_pkey} PRIMARY KEY (only_row)
);
