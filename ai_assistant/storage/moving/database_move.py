"""The move of a whole game into an empty database: prepared, copied in slices, compared, finished.

How far it is stands in a table of the target, written with the rows of each slice: whatever ends
the process, the next one goes on from there. The source is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from graphlib import CycleError, TopologicalSorter

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper as Database
from django.db.migrations.recorder import MigrationRecorder

from ai_assistant.agent.attention.tenure import refuse_running
from ai_assistant.core.errors import AssistantError
from ai_assistant.storage.moving.moved_table import MovedTable
from ai_assistant.storage.server_lease import LeaseRow

Tell = Callable[[str], None]
"""Hears a line about how far it is."""
USUAL = "default"
TOLD_EVERY = 5_000
"""Rows between two such lines."""
KINDS = ("sqlite", "postgresql")
_BY_MIGRATING = {"django_migrations", "django_content_type", "auth_permission", "django_site"}
"""The tables into which making all of them writes rows."""
_MARK = "ai_assistant_move"
_MAKE_MARK = f"CREATE TABLE {_MARK} (name varchar(100) PRIMARY KEY, last text NOT NULL)"
_READ_MARK = f"SELECT name, last FROM {_MARK}"  # noqa: S608 - ours, like those below
_CLEAR_MARK = f"DELETE FROM {_MARK} WHERE name = %s"  # noqa: S608
_WRITE_MARK = f"INSERT INTO {_MARK} (name, last) VALUES (%s, %s)"  # noqa: S608
_OF_WHAT = ""
"""The name of the mark that says of which game, and of which of its starts, these rows are."""


def move_database(target_name: str, tell: Tell) -> int:
    """Copy the game of the usual database into another; returns how many rows it has.

    Raises `AssistantError`, whose text says what to do, where that cannot be.
    """
    source, target = connections[USUAL], _named(target_name)
    refuse_running(LeaseRow(), tell)
    tables, game = _in_order(), _this_game(source)
    done = _prepared(source, target, tables, game, tell)
    for table in tables:
        try:
            _copy(table, source, target, done.get(table.name, ""), tell)
        except DatabaseError as error:
            words = " ".join(str(error).split())
            text = f"{target_name} does not take the rows of {table.name}: {words}"
            raise AssistantError(f"{text} To do: mend them in the game, and run this again.") from (
                error
            )
    total = sum(_compare(table, source, target, tell) for table in tables)
    refuse_running(LeaseRow(), tell)
    if _this_game(source) != game:
        raise AssistantError("The game ran meanwhile. To do: stop it, and run this again.")
    with transaction.atomic(using=target.alias), target.cursor() as cursor:
        for table in tables:
            if highest := table.highest(source):
                table.set_highest(target, highest)
        cursor.execute(f"DROP TABLE {_MARK}")
    return total


def tables_left_behind(name: str = USUAL) -> list[str]:
    """Return the tables of a database that no app of the game has, and that do not move."""
    ours = {table.name for table in _in_order()} | {"django_migrations", _MARK}
    return sorted({*connections[name].introspection.table_names()} - ours)


def _named(target_name: str) -> Database:
    if target_name == USUAL or target_name not in connections.databases:
        others = ", ".join(sorted({*connections.databases} - {USUAL})) or "none"
        text = f"DATABASES has no entry {target_name!r} beside {USUAL!r} (others: {others})."
        raise AssistantError(f"{text} To do: add where the game is to live, in settings.py.")
    for name in (USUAL, target_name):
        if connections[name].vendor not in KINDS:
            raise AssistantError("Games move between SQLite and PostgreSQL alone.")
    try:
        connections[target_name].ensure_connection()
    except DatabaseError as error:
        text = f"{target_name} is not reached: {' '.join(str(error).split())}"
        raise AssistantError(f"{text} To do: start it, or correct its entry in DATABASES.") from (
            error
        )
    return connections[target_name]


def _this_game(source: Database) -> str:
    """Return which game this is, and which of its starts was the last."""
    where = source.settings_dict
    return f"{where['HOST']} {where['NAME']} {LeaseRow().read().epoch}"


def _in_order() -> list[MovedTable]:
    """Return all tables of the game, each behind those that its rows refer to."""
    models = apps.get_models(include_auto_created=True)
    kept = (model._meta for model in models if model._meta.managed and not model._meta.swapped)
    tables = {model.db_table: MovedTable(model.model) for model in kept if not model.proxy}
    before = {table.name: table.refers_to - {table.name} for table in tables.values()}
    try:
        return [tables[name] for name in TopologicalSorter(before).static_order() if name in tables]
    except CycleError as error:
        circle = ", ".join(error.args[1])
        raise AssistantError(f"These tables refer to each other in a circle: {circle}.") from error


# -- before


def _prepared(
    source: Database, target: Database, tables: list[MovedTable], game: str, tell: Tell
) -> dict[str, str]:
    """Make the target ready; returns how far its tables are, by name."""
    there = {*target.introspection.table_names()}
    if _MARK not in there:
        full = [table.name for table in tables if table.name in there - _BY_MIGRATING]
        full = [table.name for table in tables if table.name in full and table.count(target)]
        if full:
            text = f"{target.alias} has rows already, in {full[0]}."
            raise AssistantError(f"{text} To do: name an empty database.")
        _migrate(source, target, tell)
    _refuse_other_version(source, target)
    with target.cursor() as cursor:
        if _MARK not in there:
            cursor.execute(_MAKE_MARK)
        cursor.execute(_READ_MARK)
        done = dict(cursor.fetchall())
    if done.get(_OF_WHAT) == game:
        tell("Going on where the last move was interrupted.")
        return done
    names = [table.name for table in tables]
    with transaction.atomic(using=target.alias):
        target.ops.execute_sql_flush(target.ops.sql_flush(no_style(), [*names, _MARK]))
        _mark(target, _OF_WHAT, game)
    return {}


def _migrate(source: Database, target: Database, tell: Tell) -> None:
    """Make the tables, while the target passes for the usual database.

    Some of Evennia's migrations write to that one, whichever is named.
    """
    if _applied(target) - _applied(source):
        return  # of another version, as is said next
    tell(f"Making the tables of {target.alias}.")
    with _as_usual(target):
        call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def _as_usual(target: Database) -> Iterator[None]:
    usual = connections[USUAL]
    connections[USUAL] = target.copy(USUAL)
    try:
        yield
    finally:
        connections[USUAL].close()
        connections[USUAL] = usual


def _applied(database: Database) -> set[tuple[str, str]]:
    return {*MigrationRecorder(database).applied_migrations()}


def _refuse_other_version(source: Database, target: Database) -> None:
    here, there = _applied(source), _applied(target)
    if there - here:
        text = "The game's database is of an older version than this code, or than the target."
        lacking = ".".join(min(there - here))
        raise AssistantError(f"{text} It lacks {lacking}. To do: evennia migrate")
    if here - there:
        lacking = ".".join(min(here - there))
        text = f"{target.alias} is of another version: it lacks {lacking}."
        raise AssistantError(f"{text} To do: install the game's apps, or name an empty database.")


# -- the rows


def _copy(table: MovedTable, source: Database, target: Database, after: str, tell: Tell) -> None:
    """Copy what is behind a key, slice by slice; at once where rows refer to rows beside them."""
    told = _TableProgress(table, source, "copied", tell)
    if table.name in table.refers_to:
        if not after:
            with transaction.atomic(using=target.alias):
                for rows in table.slices(source):
                    table.write(target, rows)
                    told.more(len(rows))
                _mark(target, table.name, "all")
        return
    for rows in table.slices(source, after):
        with transaction.atomic(using=target.alias):
            table.write(target, rows)
            _mark(target, table.name, table.last_of(rows))
        told.more(len(rows))


def _compare(table: MovedTable, source: Database, target: Database, tell: Tell) -> int:
    """Compare all rows of both; returns how many there are."""
    told = _TableProgress(table, source, "compared", tell)
    same = all(table.same(target, rows) and told.more(len(rows)) for rows in table.slices(source))
    if not same or told.done != table.count(target):
        with transaction.atomic(using=target.alias):
            _mark(target, _OF_WHAT, "")
        text = f"{table.name} is not the same in both: it was changed meanwhile."
        raise AssistantError(f"{text} To do: run this again, which begins anew.")
    return told.done


class _TableProgress:
    def __init__(self, table: MovedTable, source: Database, did: str, tell: Tell) -> None:
        self.done = 0
        self._line = f"{table.name}: {{:,}} of {table.count(source):,} {did}"
        self._tell = tell

    def more(self, rows: int) -> bool:
        """Count rows, and tell how far it is now and then. Returns True, to go on."""
        before, self.done = self.done, self.done + rows
        if before // TOLD_EVERY != self.done // TOLD_EVERY:
            self._tell(self._line.format(self.done))
        return True


def _mark(target: Database, name: str, last: str) -> None:
    with target.cursor() as cursor:
        cursor.execute(_CLEAR_MARK, [name])
        cursor.execute(_WRITE_MARK, [name, last])
