"""Fiction: what is played stays marked, wherever it is told on, summed up or slept on."""

import pytest

from ai_assistant.api import staging
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory
from ai_assistant.roleplay.day_summaries import fold_days
from tests.evennia.test_live_scenes import SceneTestCase

MOON = "Bob, I am the queen of the moon."


class TestToldOn(SceneTestCase):
    def test_fiction_is_not_told_out_of_its_scene(self):
        """What Bob heard in the play he cannot tell Charlie, who does not play in it, as news."""
        session = self.a_scene(self.alice, self.bob)
        self.speaks(self.alice, MOON)
        with pytest.raises(AssistantError, match="scene that they do not share"):
            staging.tell(self.rows(self.bob, session)[-1], self.bob, self.charlie)
        assert self.rows(self.charlie) == []

    def test_plot_is_not_told_out_of_its_scene(self):
        """Nor what the scene gave its members, which carries no mark of its own."""
        session = self.a_scene(self.alice, self.bob, plot="The king is a lizard.")
        [plot] = Memory.objects.filter(kind="plot", container=entity_id(self.bob))
        row = MemoryRow(plot.content, "plot", session, plot.container, id=plot.pk)
        with pytest.raises(AssistantError, match="do not share"):
            staging.tell(row, self.bob, self.charlie)

    def test_a_bystander_tells_fiction_as_fiction(self):
        """Charlie only stood by; what he tells on of it stays marked at each hop."""
        self.a_scene(self.alice, self.bob)
        self.speaks(self.alice, "Listen, everybody! I am the queen of the moon.")
        dana = self.an_assistant("Dana", location=self.street)
        told = staging.tell(self.rows(self.charlie)[-1], self.charlie, dana)
        assert (told.session, told.meta["fiction"]) == ("", True)
        assert self.rows(dana)[-1].meta["fiction"] is True

    def test_within_the_scene_it_is_told_and_marked(self):
        """Those who play together tell each other; the row that was kept is returned."""
        session = self.a_scene(self.alice, self.bob, self.charlie)
        self.speaks(self.alice, MOON)
        told = staging.tell(self.rows(self.bob, session)[-1], self.bob, self.charlie)
        [kept] = self.rows(self.charlie, session)
        assert (told.id, told.session, told.container) == (
            kept.id,
            session,
            entity_id(self.charlie),
        )
        assert kept.meta["fiction"] is True
        assert self.rows(self.charlie) == []

    def test_what_is_no_fiction_is_told_anywhere(self):
        """A scene that is no fiction is life: what happened there is told outside as well."""
        session = self.a_scene(self.alice, self.bob, fiction="off")
        self.speaks(self.alice, "Bob, the well is dry.")
        told = staging.tell(self.rows(self.bob, session)[-1], self.bob, self.charlie)
        assert (told.session, "fiction" in told.meta) == ("", False)
        assert self.words(self.charlie) == ["Bob, the well is dry."]

    def test_players_keep_what_they_are_told(self):
        """A player's row comes back with its number as well."""
        session = self.a_scene(self.alice, self.bob, self.pia)
        self.speaks(self.alice, MOON)
        told = staging.tell(self.rows(self.bob, session)[-1], self.bob, self.pia)
        assert told.id == self.rows(self.pia, session, kind="gossip")[0].id


class TestSummedUp(SceneTestCase):
    def test_a_recap_of_fiction_is_marked(self):
        """What goes home of a play says that it was one; of life it does not."""
        for fiction in ("on", "off"):
            session = self.a_scene(self.alice, self.bob, fiction=fiction)
            self.speaks(self.alice, "Bob, the well is dry.")
            staging.stop_scene(session)
        marks = [row.meta.get("fiction", False) for row in self.rows(self.bob, kind="recap")]
        assert marks == [True, False]

    def test_days_of_fiction_are_folded_apart(self):
        """Who stood by a play has two summaries of that day: what was, and what was played."""
        rows = [
            MemoryRow(f"Line {n}.", author_name="Al", game_day=1, id=n, meta=meta)
            for n, meta in enumerate(({}, {"fiction": True}, {}, {"fiction": True}), start=1)
        ]
        folded = fold_days(rows, before=2, at=9.0)
        told = {one.content: one.meta.get("fiction", False) for one in folded.summaries}
        assert told == {
            "Day 1: Al: Line 1. / Al: Line 3.": False, "Day 1: Al: Line 2. / Al: Line 4.": True,
        }  # fmt: skip
