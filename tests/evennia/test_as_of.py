"""As of a day, on disk: what somebody knew then, whatever was folded, corrected or came late."""

import random
from dataclasses import dataclass

import pytest

from ai_assistant.api import staging
from ai_assistant.api.editing import edit_item
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.storage import Container
from ai_assistant.storage.scene_rows import as_of
from tests.evennia.test_live_scenes import SceneTestCase

EVENTS, A_DAY, BEGAN = 250, 10, 50_000.0
"""A thousand are asked about in `bench.containers`."""


@dataclass
class Fact:
    """The script's own record of one fact: the truth that the store is held against."""

    words: str
    day: int
    at: float
    about: int
    ended_day: int = 10**6
    ended_at: float = 10.0**12

    def is_known(self, day, at, about):
        by_day = day is None or self.day <= day < self.ended_day
        by_time = at is None or self.at <= at < self.ended_at
        return by_day and by_time and (about is None or self.about <= about)


class Script:
    """Hundreds of events in one container: learnt, told late, written late, corrected, folded."""

    def __init__(self, session, who, seed):
        self.session, self.who, self.dice = session, who, random.Random(seed)
        self.container = Container(session, who)
        self.truth, self.unwritten = [], []

    def plays(self, events):
        """Let the events of these numbers happen."""
        for number in events:
            day, at = 1 + number // A_DAY, BEGAN + number
            chance = self.dice.random()
            if chance < 0.2 and number > 20:
                self.corrects(number, day, at)
            else:
                late = chance < 0.4
                about = max(1, day - self.dice.randrange(8)) if late else day
                self.learns(Fact(f"fact {number}", day, at, about), written=chance < 0.9)
            if number % 40 == 39:
                self.folds(day - 2)
        for fact in self.unwritten:
            self.writes(fact)
        self.unwritten = []

    def learns(self, fact, *, written):
        self.truth.append(fact)
        self.unwritten.append(fact)
        if written:
            self.writes(self.unwritten.pop())
        if len(self.unwritten) > 9:  # days later, when their day may be folded already
            self.writes(self.unwritten.pop(0))

    def writes(self, fact):
        row = MemoryRow(
            fact.words, kind="utterance", game_day=fact.day, learned_at=fact.at,
            readers=self.dice.choice(("*", "e-bo")), meta={"happened_day": fact.about},
        )  # fmt: skip
        staging.keep_rows(self.who, self.session, [row])

    def corrects(self, number, day, at):
        waiting = {fact.words for fact in self.unwritten}
        open_ones = [one for one in self.truth if one.ended_day > day and one.words not in waiting]
        old = self.dice.choice(open_ones)
        [row] = [one for one in as_of(self.container, day=day) if one.content == old.words]
        new = Fact(f"correction {number}", day, at, old.about)
        staging.correct(self.session, self.who, row.id, new.words, day=day, at=at)
        old.ended_day, old.ended_at = day, at
        self.truth.append(new)

    def folds(self, before):
        self.folded = staging.fold_container(self.session, self.who, before)
        assert self.folded

    def check(self):
        """Compare what the store answers with the script, for days, moments and what it is of."""
        days = [*range(28)]
        moments = [BEGAN + self.dice.randrange(EVENTS + 1) for _ in range(12)]
        asked = [(day, None, about) for day in days for about in (None, 3, 12)]
        asked += [(None, at, about) for at in moments for about in (None, 8)]
        asked += [(day, moments[0], None) for day in days[::4]]
        for day, at, about in asked:
            known = as_of(self.container, day=day, at=at, about=about)
            found = [row.content for row in known]
            expected = sorted(
                (one for one in self.truth if one.is_known(day, at, about)), key=lambda one: one.at
            )
            assert found == [one.words for one in expected], (day, at, about)


class TestAnyMoment(SceneTestCase):
    def test_a_player_knew_exactly_this(self):
        """By day and by moment, in a container that no mind keeps."""
        session = self.a_scene(self.pia, self.alice)
        script = Script(f"{session}x", entity_id(self.pia), 1)
        script.plays(range(EVENTS))
        script.check()

    def test_an_assistant_knew_exactly_this(self):
        """The same through the assistant's own saves, and once more after a restart."""
        script = Script("s1", entity_id(self.alice), 2)
        script.plays(range(EVENTS // 2))
        self.come_back(self.alice)
        script.plays(range(EVENTS // 2, EVENTS))
        script.check()
        self.come_back(self.alice)
        script.check()


class TestPast(SceneTestCase):
    def played(self, *lines, day=1):
        """Let Bob hear some lines on a day of a scene; returns its id."""
        session = self.a_scene(self.alice, self.bob, day=day)
        for line in lines:
            self.speaks(self.alice, line)
        return session

    def known(self, session="", **when):
        rows = as_of(Container(session, entity_id(self.bob)), **when)
        return [row.content for row in rows if not row.meta.get("permanent")]

    def test_a_summary_is_nothing_known(self):
        """Of a folded day the lines themselves were known, and only they."""
        session = self.played("Bob, one.", "Bob, two.")
        staging.set_scene_day(session, 5)
        before = self.known(session, day=1)
        staging.fold_container(session, entity_id(self.bob), before=4)
        assert self.known(session, day=1) == before == ["Bob, one.", "Bob, two."]

    def test_a_folded_line_can_be_corrected(self):
        """The summary is made anew without it; what is found now is the correction."""
        session = self.played("Bob, the gate is shut.", "Bob, it rains.")
        staging.set_scene_day(session, 5)
        who = entity_id(self.bob)
        staging.fold_container(session, who, before=4)
        [row] = [one for one in as_of(Container(session, who)) if "gate" in one.content]
        at = row.learned_at + 99
        new = staging.correct(session, who, row.id, "The gate was open.", day=5, at=at)
        [summary] = Container(session, who).find(where={"kind": "day_summary"}, limit=5)
        assert summary.content == "Day 1: Alice: Bob, it rains."
        assert self.known(session, day=4) == ["Bob, the gate is shut.", "Bob, it rains."]
        now = ["Bob, it rains.", "The gate was open."]
        assert self.known(session, day=5, about=1) == self.known(session, day=5)[::2] == now
        assert new.id in self.resident(self.bob).mind.recall.index
        assert summary.id in self.resident(self.bob).mind.recall.index

    def test_nothing_is_corrected_twice(self):
        """The newest words are what can be corrected; of others nothing is left to correct."""
        session = self.played("Bob, the gate is shut.")
        who = entity_id(self.bob)
        [row] = Container(session, who).find(where={"kind": "utterance"}, limit=5)
        staging.correct(session, who, row.id, "It was open.", day=2, at=9.0)
        with pytest.raises(ValueError, match="no memory"):
            staging.correct(session, who, row.id, "It was gone.", day=2, at=9.0)
        with pytest.raises(ValueError, match="no memory"):
            staging.correct("", who, row.id, "It was gone.", day=2, at=9.0)

    def test_nobody_knows_better_before_they_know(self):
        """A row learnt on day 1 is corrected from that day on; before it, nothing was known."""
        session = self.played("Bob, the gate is shut.")
        who = entity_id(self.bob)
        [row] = Container(session, who).find(where={"kind": "utterance"}, limit=5)
        with pytest.raises(ValueError, match="learnt on day 1"):
            staging.correct(session, who, row.id, "It was open.", day=0, at=9.0)
        assert self.known(session, day=0) == []
        assert self.known(session, day=1) == ["Bob, the gate is shut."]

    def test_what_staff_edit_was_never_known(self):
        """The edited words stand for the old ones, on the day of those."""
        self.played("Bob, the gate is shut.", day=3)
        session = self.a_line_in_the_game()
        [row] = Container(session, entity_id(self.bob)).find(limit=1)
        edit_item(self.bob, f"#{row.id}", "The well is deep.", by="staff")
        assert self.known(session) == ["The well is deep."]

    def a_line_in_the_game(self):
        self.speaks(self.charlie, "Bob, the well is dry.")
        return ""

    def test_who_took_no_part_never_knew(self):
        """A line that is withdrawn does not count for any day."""
        who = entity_id(self.bob)
        rows = [MemoryRow("a secret", game_day=1, learned_at=1.0, meta=dict(WITHDRAWN))]
        staging.keep_rows(who, "s1", rows)
        assert self.known("s1", day=1) == self.known("s1") == []

    def test_what_bears_no_day_is_placed_by_its_time(self):
        """A note of the journal counts from when it was made, not from the beginning of time."""
        lines = (("one", 1, 10.0), ("noted", 0, 25.0), ("two", 2, 20.0), ("three", 3, 30.0))
        who = entity_id(self.bob)
        for words, day, at in lines:
            staging.keep_rows(who, "s1", [MemoryRow(words, game_day=day, learned_at=at)])
        assert self.known("s1", day=1) == ["one"]
        assert self.known("s1", day=2) == ["one", "two", "noted"]

    def test_of_a_long_past_the_newest_are_told(self):
        """However much is kept, a look reads no more than what it shows."""
        who = entity_id(self.bob)
        rows = [MemoryRow(f"{n}", game_day=1 + n, learned_at=float(1 + n)) for n in range(500)]
        staging.keep_rows(who, "s1", rows)
        found = as_of(Container("s1", who), day=400, limit=3)
        assert [row.content for row in found] == ["397", "398", "399"]
