"""Numbered SQL files, applied in order, each once, with a checksum: what a file was migrated by cannot change later."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from duckdb import DuckDBPyConnection

from lamina.adapters.duckdb.names import Names
from lamina.domain.errors import SchemaMismatch, StoreUnavailable
from lamina.domain.events import Persona
from lamina.domain.persistence import CanonicalTable

_BOOK = "lamina_migrations"


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file, filled in with a spec's names."""

    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """What tells whether it is still the file that was applied."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations(names: Names) -> list[Migration]:
    """The migrations of a spec, in order."""
    folder = files("lamina.adapters.duckdb").joinpath("migrations")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    left_out = {
        "0002_canonical.sql": not names.canonical,
        "0003_corroborations.sql": not names.corroborations,
        "0004_contradictions.sql": not names.contradictions,
        "0005_events.sql": not names.event_memory,
        "0007_derived.sql": not names.event_memory,
        "0008_agents.sql": not names.event_memory,
    }
    wanted = [file for file in found if not left_out.get(file.name)]
    return [Migration(file.name, _filled(Template(file.read_text(encoding="utf-8")), names)) for file in wanted]


def _filled(template: Template, names: Names) -> str:
    """The file with the spec's names in it; if it is of a persona, once for each."""
    each = [{"persona": persona.value} for persona in Persona] if "persona" in template.get_identifiers() else [{}]
    return "\n".join(template.substitute(names.substitutions(), **one) for one in each)


def migrate(connection: DuckDBPyConnection, names: Names) -> None:
    """Brings the file to this version's schema; refuses one that another version of Lamina made."""
    _check_name(connection, names)
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {_BOOK} (agent VARCHAR, name VARCHAR, checksum VARCHAR, PRIMARY KEY (agent, name))"
    )
    agent = names.agent
    rows = connection.execute(f"SELECT name, checksum FROM {_BOOK} WHERE agent = ?", [agent]).fetchall()
    applied: dict[str, str] = dict(rows)
    wanted = migrations(names)
    _check(agent, applied, wanted)
    for migration in wanted:
        if migration.name not in applied:
            _apply(connection, names, migration)


def _check_name(connection: DuckDBPyConnection, names: Names) -> None:
    """DuckDB calls the database like its file."""
    ((database,),) = connection.execute("SELECT current_database()").fetchall()
    for schema in (names.schema, names.canonical.schema_name if names.canonical else names.schema):
        if schema == database.lower():
            raise StoreUnavailable(
                f"schema {schema} of {names.agent}",
                "is called like its file, and DuckDB cannot tell the two apart",
                "give the file another name",
            )


def _check(agent: str, applied: dict[str, str], wanted: list[Migration]) -> None:
    known = {migration.name: migration.checksum for migration in wanted}
    for name, checksum in applied.items():
        if name not in known:
            raise SchemaMismatch(f"store of {agent}", f"was made by a newer Lamina ({name})", "upgrade lamina")
        if known[name] != checksum:
            raise SchemaMismatch(
                f"store of {agent}",
                f"was made by another spec or version (its {name} differs)",
                "open it with the spec that made it",
            )


def _apply(connection: DuckDBPyConnection, names: Names, migration: Migration) -> None:
    connection.execute("BEGIN")
    try:
        connection.execute(_sharing(connection, names, migration))
        connection.execute(f"INSERT INTO {_BOOK} VALUES (?, ?, ?)", [names.agent, migration.name, migration.checksum])
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _sharing(connection: DuckDBPyConnection, names: Names, migration: Migration) -> str:
    """Its SQL; a canonical table that another agent of the file has made is used as it is."""
    if names.canonical is None:
        return migration.sql
    _check_columns(connection, names.canonical)
    made = f"{names.canonical_table} ("
    return migration.sql.replace(f"CREATE TABLE {made}", f"CREATE TABLE IF NOT EXISTS {made}")


def _check_columns(connection: DuckDBPyConnection, canonical: CanonicalTable) -> None:
    there = connection.execute(
        # Names in a spec are lower case; to DuckDB, case tells none apart.
        "SELECT lower(column_name) FROM duckdb_columns() WHERE lower(schema_name) = ? AND lower(table_name) = ?",
        [canonical.schema_name, canonical.table],
    ).fetchall()
    columns = {column for (column,) in there}
    wanted = {canonical.id_column, canonical.version_column, canonical.body_column, *canonical.anchor_columns.values()}
    if there and columns != wanted:
        raise SchemaMismatch(
            f"canonical table {canonical.schema_name}.{canonical.table}",
            f"is there with the columns {', '.join(sorted(columns))}, not {', '.join(sorted(wanted))}",
            "name those that it has in the spec, or a table of its own",
        )
