"""Who knows what after each step of a long scene, with three assistants and no database."""

from dataclasses import replace

import pytest

from ai_assistant.core.contracts import Commit, Entity, Event, MemoryRow
from ai_assistant.roleplay.distribution import enrich, keep_heard, keep_said
from ai_assistant.roleplay.knowledge import HowFar, character_update, news_for, state_update
from ai_assistant.roleplay.message_formats import (
    Said,
    container_name,
    enriched_row,
    metadata_of,
    recall_query,
)
from ai_assistant.roleplay.participants import Utterance
from ai_assistant.roleplay.recollection import recollect
from ai_assistant.roleplay.world_agent import KEY, WorldAgent
from tests.unit.roleplay.company import ALICE, BOB, CHARLIE

SESSION, DAY = "rp-session-123", 6
SWORD = "Bob and I agreed to find the Sacred Sword!"
MOVED = "The party moved from the tavern to the Dragon's Lair"


class Session:
    """Three containers and the world's, filled as turns fill them."""

    def __init__(self):
        self.agent = WorldAgent()
        self.containers = {one.id: [] for one in (ALICE, BOB, CHARLIE)}
        self.told = {one.id: HowFar() for one in (ALICE, BOB, CHARLIE)}
        self.world = []

    def says(self, who, text, event="ev1"):
        """END: each saves what it said or heard; the world has the line once."""
        company = (ALICE, BOB, CHARLIE)
        decision = self.agent.judge(
            SESSION, "room", Utterance(event, who, text, at=1.0), lambda: company
        )
        decision = {**decision, "place": "dragon_lair"}
        for one in company:
            commit = Commit(at=1.0)
            if one is who:
                row = MemoryRow(
                    text, kind="own_words", session=SESSION, author=who.id, author_name=who.name,
                    game_day=DAY, location="dragon_lair", meta={"event": event, "type": "say"},
                )  # fmt: skip
                keep_said(commit, row, decision)
            else:
                keep_heard(commit, self.heard(who, text, event, decision), one.id)
            self.save(one.id, commit)

    def heard(self, who, text, event, decision):
        return Event(
            id=event, timestamp=1.0, event_type="external", source=Entity(who.id, who.name, "npc"),
            source_type="say", content=text, session=SESSION, game_day=DAY,
            metadata={KEY: decision},
        )  # fmt: skip

    def save(self, who, commit):
        """Write a commit as a store does."""
        known = {row.meta.get("event") for row in self.world}
        for one in commit.distributions:
            if one.raw.meta["event"] not in known:
                self.add(one.raw)
        for row in commit.rows:
            present = {row.author, *row.meta["participants"]}
            changes = [one for one in self.world if one.kind != "message"]
            news = news_for(who, self.told[who], changes, present)
            self.told[who] = news.told
            kept, learnt = enrich(row, news)
            self.containers[who] += [kept, *learnt]

    def add(self, row):
        """Put a row into the world container."""
        self.world.append(replace(row, id=len(self.world) + 1, session=SESSION))

    def texts(self, who):
        return [enriched_row(row) for row in self.containers[who.id] if "participants" in row.meta]


@pytest.fixture
def session():
    """Nobody has said anything yet."""
    return Session()


def test_b1_simple_message_flow(session):
    """Steps 1 to 8: recall, speech, participants, knowledge, one raw row, two enriched ones."""
    before = [MemoryRow("Bob owes me a drink.", id=1, author_name="Alice", learned_at=1.0)]
    query = recall_query(DAY, [Said("Bob", "Shall we look for the drink?", DAY)], "Alice")
    assert recollect(before, query.words, 5, now=2.0) == before  # 2: her own container alone
    session.add(state_update(MOVED, day=DAY, at=0.5, location="dragon_lair"))
    session.says(ALICE, SWORD)  # 3, 4
    raw = session.world[-1]
    assert raw.content == f"Message: Alice: {SWORD} GameDay: 6"  # 5
    assert raw.meta["participants"] == [ALICE.id, BOB.id]
    for who in (ALICE, BOB):  # 6, 7
        (text,) = session.texts(who)
        assert f"###Message###\nMessage: Alice: {SWORD} GameDay: 6" in text
        assert text.endswith(f"###Newly discovered world knowledge###\n{MOVED}")
    assert session.containers[CHARLIE.id] == []  # 8
    assert container_name(SESSION, ALICE.id) == "rp-session-123-character-alice"
    assert container_name(SESSION) == "rp-session-123-world"


def test_b2_world_state_update_flow(session):
    """The change is in the world with both places, and comes with the next message, once."""
    update = state_update(MOVED, day=DAY, at=0.5, location="dragon_lair", previousLocation="tavern")
    session.add(update)
    (row,) = session.world
    assert row.content == f"{MOVED}. GameDay: 6"
    assert (row.meta["type"], row.meta["location"], row.meta["previousLocation"]) == (
        "world_state_update", "dragon_lair", "tavern",
    )  # fmt: skip
    session.says(ALICE, "Bob, look.", "ev1")
    session.says(ALICE, "Bob, listen.", "ev2")
    first, second = session.texts(BOB)
    assert MOVED in first
    assert "Newly discovered" not in second


def test_b3_character_update_flow(session):
    """What Alice got is learnt by those who are with her, and by herself."""
    what = "Alice acquired the Sacred Sword"
    session.add(character_update(ALICE.id, what, "item_acquired", day=7, at=0.5))
    assert session.world[0].content == f"{what}. GameDay: 7"
    assert session.world[0].meta["updateType"] == "item_acquired"
    session.says(CHARLIE, "Bob, good day.", "ev1")
    assert what not in session.texts(BOB)[0]
    session.says(ALICE, "Bob, good day.", "ev2")
    assert what in session.texts(BOB)[1]
    assert what in session.texts(ALICE)[0]
    assert what not in "".join(session.texts(CHARLIE))


def test_metadata_of_both_sides(session):
    """Speaker and hearer keep the same message; each knows whether it was the speaker."""
    session.says(ALICE, SWORD)
    known = {who.id: metadata_of(session.containers[who.id][0]) for who in (ALICE, BOB)}
    assert [known[who.id]["isSpeaker"] for who in (ALICE, BOB)] == [True, False]
    for one in known.values():
        assert (one["speaker"], one["participants"]) == (ALICE.id, [ALICE.id, BOB.id])
        assert (one["location"], one["gameDay"]) == ("dragon_lair", 6)


def test_an_utterance_is_recorded_once(session):
    """However many save it, the world has it once."""
    session.says(ALICE, "Good evening, everybody.")
    assert len(session.world) == 1
    assert [len(rows) for rows in session.containers.values()] == [1, 1, 1]
