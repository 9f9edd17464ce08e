"""The world's record: a line stands there once, however many assistants keep it for themselves."""

import pytest

from ai_assistant.core.contracts import Commit, Entity, Event
from ai_assistant.roleplay.distribution import keep_heard
from ai_assistant.roleplay.participants import Utterance, determine
from ai_assistant.roleplay.world_agent import KEY, as_json
from tests.unit.roleplay.company import ALICE, BOB, CHARLIE, Room

LINE = "The mill is shut."


class Ears:
    """Bob and Charlie, who hear Alice and keep it one after the other."""

    def __init__(self, kind="say"):
        self.room, self.kind = Room(ALICE, BOB, CHARLIE), kind
        self.decision = self.room.says(ALICE, LINE, kind)

    def keeps(self, who, decision=None):
        """Let one of them keep the line; returns (rows of its own, records of the world)."""
        event = Event(
            id="s1-1",
            timestamp=5.0,
            event_type="external",
            source=Entity(ALICE.id, ALICE.name),
            source_type=self.kind,
            content=LINE,
            session="s1",
            metadata={KEY: dict(decision or self.decision)},
        )
        commit, agent = Commit(at=6.0), self.room.agent
        keep_heard(commit, event, who.id, world=agent)
        for spoken in commit.distributions:
            agent.stored(spoken.raw.session, spoken.raw.meta["event"], spoken.decision)
        return len(commit.rows), len(commit.distributions)


def test_the_world_is_told_of_a_line_once():
    """The first who keeps it tells the world; the next has a row, and nothing to tell."""
    ears = Ears()
    assert [ears.keeps(BOB), ears.keeps(CHARLIE)] == [(1, 1), (1, 0)]


def test_who_kept_it_alone_did_not_tell_all():
    """After a line that one of them was alone with, the other still joins it."""
    ears = Ears()
    alone = as_json(determine(Utterance("s1-1", ALICE, LINE), [BOB]), ALICE, [BOB])
    assert [ears.keeps(BOB, alone), ears.keeps(CHARLIE)] == [(1, 1), (1, 1)]


@pytest.mark.parametrize("kind", ["whisper", "page", "gift"])
def test_what_is_private_comes_from_each(kind):
    """Of what was whispered each hearer knows only of itself, so each of them tells of it."""
    ears = Ears(kind)
    assert [ears.keeps(BOB), ears.keeps(CHARLIE)] == [(1, 1), (1, 1)]
