"""What is looked at before a store is opened: the schema's revision, its model, and the server's characters."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Any, Final

from psycopg import Connection
from psycopg.errors import UndefinedTable
from psycopg.rows import dict_row, scalar_row
from psycopg.sql import SQL, Identifier

from lamina.adapters.postgres.migrations.script import REVISIONS
from lamina.adapters.postgres.names import Names
from lamina.adapters.postgres.sql_parts import Extensions
from lamina.domain.errors import MissingExtension, SchemaMismatch, WrongModel
from lamina.domain.retrieval import EmbeddingChoice

_log = logging.getLogger("lamina.postgres")
EXTENSIONS: Final = ("vector", "pg_trgm", "btree_gist")
OLDEST_VECTOR: Final = 8
"""0.8 walks on through an index until enough rows pass the filters; older ones come back short."""
_AGREEING: Final = ("C.UTF-8", "C.UTF8", "UTF-8", "UTF8")


@dataclass(frozen=True, slots=True)
class Server:
    """What a store needs to know of its server."""

    extensions: Extensions
    vector_oid: int


def find_extensions(connection: Connection[Any]) -> Server:
    """Where the extensions are; without one of them nothing works."""
    rows = connection.execute(
        """
        SELECT extname, nspname, extversion, to_regtype(format('%I.vector', nspname))::oid
        FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
        """
    ).fetchall()
    found = {name: rest for name, *rest in rows}
    for name in EXTENSIONS:
        if name not in found:
            raise missing_extension(name)
    schema, version, oid = found["vector"]
    if int(version.split(".")[0]) == 0 and int(version.split(".")[1]) < OLDEST_VECTOR:
        raise MissingExtension("extension vector", f"is version {version}, too old", "update it to 0.8 or newer")
    return Server(Extensions(schema, found["pg_trgm"][0]), oid)


def missing_extension(name: str) -> MissingExtension:
    """What to say where one is not there, and cannot be made."""
    return MissingExtension(
        f"extension {name}", "is not in this database", f"let a superuser run `CREATE EXTENSION {name}` in it"
    )


def check_revision(connection: Connection[Any], names: Names) -> None:
    """Refuses a schema that this version of Lamina does not know, or that it has left behind."""
    revision = read_revision(connection, names)
    if revision == REVISIONS[-1]:
        return
    thing = f"schema {names.schema}.{names.prefix}"
    if revision is None:
        raise SchemaMismatch(thing, "is not there", "run `lamina migrate` with this URL and this spec")
    if revision in REVISIONS:
        raise SchemaMismatch(thing, f"is at revision {revision}, not {REVISIONS[-1]}", "run `lamina migrate`")
    raise SchemaMismatch(
        thing,
        f"is at revision {revision}, which is newer than {REVISIONS[-1]}",
        "upgrade Lamina to the version it is of",
    )


def read_revision(connection: Connection[Any], names: Names) -> str | None:
    """The revision that the schema is at, or None if there is no schema."""
    table = Identifier(names.schema, names.own("revision"))
    try:
        with connection.transaction():
            row = connection.execute(SQL("SELECT version_num FROM {}").format(table)).fetchone()
    except UndefinedTable:
        return None
    return str(row[0]) if row else None


def check_shape(connection: Connection[Any], names: Names) -> None:
    """Refuses a spec that would have made other tables than those that are there."""
    text = SQL("SELECT shape FROM {}").format(Identifier(names.schema, names.own("meta")))
    row = connection.cursor(row_factory=dict_row).execute(text).fetchone()
    if row is None:
        return
    stored, asked = json.loads(row["shape"]), json.loads(shape_of(names))
    differing = [name for name in asked if asked[name] != stored.get(name)]
    if differing:
        said = "; ".join(f"{name}: {json.dumps(stored.get(name))}, not {json.dumps(asked[name])}" for name in differing)
        raise SchemaMismatch(
            f"schema {names.schema}.{names.prefix}",
            f"was made for another spec ({said})",
            "open it with the spec that it was migrated for, or give this one a prefix of its own",
        )


def check_containment(connection: Connection[Any], names: Names) -> None:
    """Refuses a spec whose share of containment the database does not keep."""
    if names.canonical is None:
        return
    asked = SQL("SELECT {}()").format(Identifier(names.schema, names.own("containment")))
    row = connection.cursor(row_factory=scalar_row).execute(asked).fetchone()
    if row != names.containment:
        raise SchemaMismatch(
            f"schema {names.schema}.{names.prefix}",
            f"refuses quotes from a share of {row} on, the spec from {names.containment}",
            "run `lamina migrate` with this spec: it writes the share anew",
        )


def shape_of(names: Names) -> str:
    """What of a spec the tables depend on, as JSON."""
    canonical = names.canonical
    return json.dumps(
        {
            "anchor keys": names.anchor_keys,
            "keys that may be open": names.open_keys,
            "canonical table": canonical.model_dump(mode="json") if canonical else None,
            "corroborations": names.corroborations,
            "contradictions": names.contradictions,
            "event memory": names.event_memory,
            "partitions": names.partitions,
            "body bound": names.body_bound,
        },
        sort_keys=True,
    )


def check_model(connection: Connection[Any], names: Names, embedding: EmbeddingChoice) -> None:
    """Refuses a model that is not the one whose vectors are there."""
    own = read_model(connection, names)
    if own and own != embedding:
        raise WrongModel(
            "the store",
            f"has vectors of {own.model} ({own.dimension} numbers), not of {embedding.model}",
            "open it with that model, or run `lamina reembed` to change it",
        )


def read_model(connection: Connection[Any], names: Names) -> EmbeddingChoice | None:
    """The model whose vectors are there."""
    text = SQL("SELECT model, dimension FROM {}").format(Identifier(names.schema, names.own("meta")))
    row = connection.cursor(row_factory=dict_row).execute(text).fetchone()
    return EmbeddingChoice(model=row["model"], dimension=row["dimension"]) if row else None


def warn_of_characters(connection: Connection[Any]) -> None:
    """pg_trgm takes its word characters from the database's ctype; ours are those of C.UTF-8."""
    row = connection.execute("SELECT datctype FROM pg_database WHERE datname = current_database()").fetchone()
    if row and row[0].upper() not in _AGREEING:
        _log.warning(
            "database's LC_CTYPE is %s: similarity to rules may differ from the domain's; create it with 'C.UTF-8'",
            row[0],
        )
