"""PostgreSQL reads what a turn and a recall ask by an index, however much others remember."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ai_assistant.api import staging
from ai_assistant.game.identity import entity_id
from ai_assistant.storage import Container
from tests.evennia.test_queries import QueryTestCase

READS = ("SELECT", "UPDATE", "DELETE")
BY_INDEX = ("Index Scan", "Index Only Scan", "Bitmap Index Scan")
ROWS = "ai_assistant_memory"
OURS = "IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relname LIKE 'ai_assistant_%')"
FORGET_SIZES = (
    f"DELETE FROM pg_statistic WHERE starelid {OURS}",
    f"UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE oid {OURS}",
)
"""What autovacuum noted of the few rows of other tests says nothing of a large game."""


def looks_of(cursor, sql):
    """Return how a statement would read its tables if they were too large to be read whole."""
    cursor.execute("SET LOCAL enable_seqscan = off")
    cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
    ((found,),) = cursor.fetchone()
    plans, looks = [found["Plan"]], []
    while plans:
        plan = plans.pop()
        plans += plan.get("Plans", ())
        looks.append(plan)
    return [look for look in looks if look["Node Type"].endswith("Scan") and not goes_by(look)]


def goes_by(look):
    """Does it only go on with what another look found?"""
    return look["Node Type"] in ("Bitmap Heap Scan", "Subquery Scan")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="another database")
class TestPlans(QueryTestCase):
    def assert_by_index(self, run):
        """Each statement of a call on our tables looks into an index; returns them."""
        with CaptureQueriesContext(connection) as seen:
            run()
        ours = [one["sql"] for one in seen if "ai_assistant_" in one["sql"]]
        asked = [sql for sql in ours if sql.startswith(READS)]
        with connection.cursor() as cursor:
            for sql in FORGET_SIZES:
                cursor.execute(sql)
            for sql in asked:
                for look in looks_of(cursor, sql):
                    assert look["Node Type"] in BY_INDEX, (sql, look)
                    condition = look.get("Index Cond", "")
                    assert condition, (sql, look)
                    if f"FROM {ROWS} " in sql.replace('"', ""):
                        assert "container" in condition or "id = " in condition, (sql, look)
        return asked

    def test_a_turn(self):
        """Nothing of it is read whole."""
        assert self.assert_by_index(self.talk)

    def test_a_turn_of_a_scene(self):
        """Nor what is played, told and distributed."""
        scene = staging.create_scene("The ferry", self.alice)
        for one in (self.bob, self.marrek):
            staging.join_scene(scene.id, one)
        staging.start_scene(scene.id)
        assert self.assert_by_index(self.talk)

    def test_a_recall(self):
        """The newest memories, those that a search found, their vectors, those of a session."""
        me, rows = entity_id(self.marrek), self.resident(self.marrek).mind.store.rows
        own = Container("", me)
        ids = [row.id for row in rows.newest(9)]
        for recall in (
            lambda: rows.newest(2000),
            lambda: rows.after(0, 200),
            lambda: rows.vectors(ids),
            lambda: own.find(limit=200),
        ):
            (sql,) = self.assert_by_index(recall)
            assert f"container\" = '{me}'" in sql

    def test_the_newest_of_many(self):
        """A few are read by the order of an index: nobody reads and sorts the whole container."""
        me, rows = entity_id(self.marrek), self.resident(self.marrek).mind.store.rows
        for recall in (lambda: rows.newest(200), lambda: Container("", me).find(limit=200)):
            (sql,) = self.assert_by_index(recall)
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL enable_sort = off")
                cursor.execute(f"EXPLAIN {sql}")
                told = str(cursor.fetchall())
            assert "Sort" not in told, told
            assert "container" in told.partition("Index Cond")[2], told
