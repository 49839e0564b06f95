"""Where Alembic starts: on the connection, and with the names, that `lamina.adapters.postgres.migrate` gives it."""

from alembic import context

from lamina.adapters.postgres.migrations.script import Script

script: Script = context.config.attributes["script"]
context.configure(
    connection=context.config.attributes["connection"],
    version_table=script.names.own("revision"),
    version_table_schema=script.names.schema,
)
with context.begin_transaction():
    context.run_migrations()
