"""News on disk: what changed in the world is learnt by everybody, each once, whatever piles up."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ai_assistant.core.contracts import Distribution, MemoryRow
from ai_assistant.models import Memory
from ai_assistant.roleplay.knowledge import character_update, state_update
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.distributing import with_news
from ai_assistant.storage.memory_rows import updates_after
from ai_assistant.storage.scene_rows import write_distributions
from tests.evennia.storehouse import sqlite_only

pytestmark = pytest.mark.django_db
AL, BO = "e-al", "e-bo"
KINDS = {"world_state_update", "character_update"}


def heard(session, number, day=3, everybody=(AL, BO)):
    """Return the row of a line, said so many seconds on."""
    speaker, *_ = everybody
    event = f"{session} {speaker} {number}"
    meta = {"event": event, "type": "say", "participants": [*everybody]}
    return MemoryRow(
        f"line {number}", kind="utterance", session=session, author=speaker, author_name="Al",
        game_day=day, learned_at=float(number), meta=meta,
    )  # fmt: skip


def says(session, number, hearers=(BO,), speaker=AL, day=3):
    """Let a line be kept by those players who took part in it."""
    row = heard(session, number, day, (speaker, *hearers))
    meta = row.meta
    decision = {"hearers": list(hearers), "participants": [], "sure": True, "by": "rule"}
    raw = MemoryRow(
        "raw", kind="message", session=session, container=WORLD, learned_at=float(number), meta=meta
    )
    kept = [MemoryRow(**{**_fields(row), "container": one}) for one in hearers]
    write_distributions([Distribution(raw, tuple(kept), decision)], float(number))


def _fields(row):
    return {name: getattr(row, name) for name in MemoryRow.__dataclass_fields__}


def learnt(session, who=BO):
    """Return what somebody learnt of a session's world, in order."""
    rows = Container(session, who).find(limit=999)[::-1]
    return [row.content for row in rows if row.kind in KINDS]


def test_two_hundred_updates_are_learnt_each_once():
    """Five with each message, the rest later, and none is lost."""
    world = WorldContainer("s1")
    for number in range(200):
        world.record([state_update(f"change {number}", day=3, at=1.0)])
    for number in range(40):
        says("s1", number)
        assert len(learnt("s1")) == 5 * (number + 1)
    says("s1", 41)
    assert learnt("s1") == [f"change {number}" for number in range(200)]


def test_a_line_learns_the_news_of_its_day():
    """A line of the evening that is kept after midnight knows nothing of the morning."""
    world = WorldContainer("s1")
    world.record([state_update("the gate fell", day=3, at=5.0)])
    world.record([state_update("the king died", day=4, at=50.0)])
    for number in (9, 51):
        says("s1", number, day=3 if number < 50 else 4)
    held = {row.content: row for row in Container("s1", BO).find(limit=9)}
    assert held["line 9"].meta["knowledge"] == ["the gate fell"]
    assert held["line 51"].meta["knowledge"] == ["the king died"]
    assert (held["the gate fell"].game_day, held["the king died"].game_day) == (3, 4)


def test_a_mind_learns_the_news_of_each_day():
    """Lines of two days that are saved at once; nothing is hung on the older one."""
    world = WorldContainer("s1")
    world.record([state_update("the king died", day=4, at=50.0)])
    rows = [heard("s1", number, day) for number, day in ((60, 4), (9, 3))]
    kept, learnt = with_news(BO, rows)
    assert [row.meta.get("knowledge") for row in kept] == [["the king died"], None]
    assert [(row.content, row.game_day) for row in learnt] == [("the king died", 4)]


def test_what_waits_for_a_meeting_waits_however_long():
    """Two hundred updates of others do not push out what became of somebody not yet met."""
    world = WorldContainer("s1")
    world.record([character_update(AL, "Al got a sword", "item_acquired", day=3, at=1.0)])
    world.record([state_update(f"change {number}", day=3, at=1.0) for number in range(200)])
    for number in range(45):
        says("s1", number, speaker="e-cy")
    assert len(learnt("s1")) == 200
    says("s1", 99)
    assert learnt("s1")[-1] == "Al got a sword"
    says("s1", 100)
    assert learnt("s1").count("Al got a sword") == 1


def test_what_is_for_others_holds_nothing_up():
    """A hundred secrets of somebody else lie between two pieces of news; both are learnt."""
    world = WorldContainer("s1")
    world.record([state_update("first", day=3, at=1.0)])
    secrets = [state_update(f"secret {n}", day=3, at=1.0, readers="e-cy") for n in range(100)]
    world.record([*secrets, state_update("last", day=3, at=1.0)])
    for number in range(4):
        says("s1", number)
    assert learnt("s1") == ["first", "last"]


def test_who_is_new_to_the_game_is_not_told_its_history():
    """In the game itself a newcomer learns the newest fifty, and then all that follows."""
    world = WorldContainer("")
    world.record([state_update(f"change {number}", day=3, at=1.0) for number in range(80)])
    for number in range(12):
        says("", number)
    assert learnt("") == [f"change {number}" for number in range(30, 80)]
    world.record([state_update("change 80", day=3, at=1.0)])
    says("", 13)
    assert learnt("")[-1] == "change 80"


@sqlite_only
def test_news_are_looked_up_by_their_index():
    """Whatever else stands in the world's record, only updates are read."""
    with CaptureQueriesContext(connection) as seen:
        updates_after("s1", {WORLD: 0, BO: 7}, 50)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {seen[0]['sql']}")
        plan = [row[-1] for row in cursor.fetchall()]
    looked = [line for line in plan if "ai_assistant_memory" in line]
    assert looked
    assert all("ai_memory_update" in line for line in looked), plan


def test_a_session_without_updates_costs_no_look():
    """Where nothing changed, a message asks for no news."""
    says("s1", 1)
    with CaptureQueriesContext(connection) as seen:
        says("s1", 2)
    assert not [one for one in seen if "kind IN" in one["sql"]]
    assert Memory.objects.filter(container=BO).count() == 2


def test_no_player_buries_the_news():
    """Five hundred values that a player set lie before a move: the next line brings the move."""
    world = WorldContainer("s1")
    word = {"author": "e-qu", "author_name": "Quinn"}
    flood = [state_update(f"flag {n}", day=3, at=1.0, flag=f"f{n}", **word) for n in range(500)]
    world.record([*flood, state_update("The party moved", day=3, at=1.0)])
    says("s1", 1)
    assert learnt("s1") == ["The party moved", "flag 0", "flag 1", "flag 2", "flag 3"]
    says("s1", 2)
    assert learnt("s1")[5:] == [f"flag {n}" for n in range(4, 9)]
