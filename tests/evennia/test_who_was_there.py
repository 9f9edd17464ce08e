"""Who was there: staff put right who took part in a line, and everybody knows what follows."""

import time

import pytest

from ai_assistant.api import staging
from ai_assistant.api.stories import who_was_there
from ai_assistant.api.stories.scene_log import CORRECTED, scene_log
from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.game.identity import entity_id
from ai_assistant.memory.talk.hearsay import sources_of
from ai_assistant.models import AssistantEvent, Memory, Participation
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scene_rows import as_of, load_played
from tests.evennia.test_commands_scene import SceneCommandCase

GATE = "the gate is open"


class TestWhoWasThere(SceneCommandCase):
    """Pia, Quinn and Bob play; Pia told Bob of the gate, and Bob passed it on to Vessa."""

    def setUp(self):
        super().setUp()
        self.clock.now = time.time
        self.vessa = self.an_assistant("Vessa")
        self.session = self.playing().id
        self.scene("/join sword", self.quinn)
        self.scene("/invite Vessa")
        self.model.say("Aye, Pia.")
        self.does(self.pia, f"say Bob, {GATE}.")
        self.line = WorldContainer(self.session).participations(2)[-1]["row"]

    def knows(self, who, session=None):
        session = self.session if session is None else session
        rows = Container(session, entity_id(who)).find(limit=100)
        return " / ".join(row.content for row in rows)

    def correct(self, names, answer="yes"):
        line = f"/correct sword = #{self.line} who: {names}"
        return self.types(CmdAIScene, line, answers=[answer])

    def passed_on(self, teller, hearer):
        """Let somebody tell somebody else the line."""
        own = Container(self.session, entity_id(teller))
        row = own.find(where={"author_name": "Pia"}, limit=1)[0]
        return staging.tell(row, teller, hearer)

    def test_who_missed_it_forgets_it(self):
        """Bob's memory and talk are without it, Quinn's has it as of that day, and Pia keeps it."""
        told = self.correct("quinn")
        assert "Bob forgets #" in told
        assert "Quinn remembers: Pia: Bob, the gate is open." in told
        assert "That is right now: Pia, Quinn." in told
        assert GATE not in self.knows(self.bob)
        stream = self.resident(self.bob).mind.store.read("stream")["entries"]
        assert GATE not in " / ".join(entry["content"] for entry in stream)
        assert GATE in self.knows(self.quinn)
        assert GATE in self.knows(self.pia)
        own = Container(self.session, entity_id(self.quinn))
        assert any(GATE in row.content for row in as_of(own, day=5))
        self.model.say("I know of nothing.")
        self.does(self.pia, "say Bob, what did I tell you?")
        assert GATE not in self.model.shown()

    def test_nothing_is_changed_unasked(self):
        """The preview says what would become of it; without a yes everything stays."""
        before = list(Memory.objects.values_list("pk", "archived_at", "meta"))
        assert "Nothing was changed" in self.correct("quinn", "no")
        assert list(Memory.objects.values_list("pk", "archived_at", "meta")) == before

    def test_what_only_they_passed_on_goes_too(self):
        """Vessa has it from Bob, who was not there, and Quinn from Vessa: neither keeps it."""
        row = self.passed_on(self.bob, self.vessa)
        staging.tell(row, self.vessa, self.quinn)
        assert GATE in self.knows(self.quinn)
        told = self.correct("nobody")
        assert told.count("(passed on)") == 2
        assert GATE not in self.knows(self.vessa) + self.knows(self.quinn) + self.knows(self.bob)

    def test_what_others_passed_on_stays(self):
        """Quinn has it from Pia, who said it."""
        self.passed_on(self.pia, self.quinn)
        row = Container(self.session, entity_id(self.quinn)).find(limit=1)[0]
        assert sources_of(row)
        self.correct("nobody")
        assert GATE in self.knows(self.quinn)
        assert GATE not in self.knows(self.bob)

    def test_what_was_learnt_with_it_is_news_again(self):
        """The move of the party, which Bob learnt with the line, he learns with another."""
        self.scene("/set location = lair")
        self.model.say("Aye.")
        self.does(self.pia, "say Bob, mind your head.")
        self.line = WorldContainer(self.session).participations(2)[-1]["row"]
        assert "moved from tavern to lair" in self.knows(self.bob)
        self.correct("quinn")
        assert "mind your head" not in self.knows(self.bob)
        assert "moved from tavern to lair" in self.knows(self.quinn)
        self.model.say("Aye.")
        self.does(self.pia, "say Bob, and your feet.")
        assert "moved from tavern to lair" in self.knows(self.bob)

    def test_everybody_sees_who_took_part(self):
        """In the record, in what those keep who were there, and in what is counted."""
        self.correct("quinn, vessa")
        decision = Participation.objects.get(row=self.line)
        ids = [entity_id(one) for one in (self.pia, self.quinn, self.vessa)]
        assert [one["id"] for one in decision.participants] == ids
        assert decision.by == "staff"
        own = Container(self.session, entity_id(self.pia)).find(limit=20)
        said = next(row for row in own if GATE in row.content)
        assert said.meta["participants"] == ids
        assert "Quinn: 1.00 (staff)" in self.aiscene(f"/why sword = #{self.line}")
        assert "puts right who took part" in self.aiscene("/world sword = 20")
        pair = " ".join(sorted(ids[:2]))
        assert load_played(self.session).exchanges[pair]

    def test_it_is_on_record(self):
        """In the log of each assistant: who did it, and which rows went; in the scene's, who was
        thought to be there and who was."""
        self.correct("vessa")
        records = AssistantEvent.objects.filter(type=CORRECTED)
        by_whom = {record.assistant: record.data for record in records}
        assert by_whom[entity_id(self.bob)]["rows"]
        assert by_whom[entity_id(self.vessa)]["by"] == self.char1.key
        [told] = scene_log(SCENES.get(self.session), 1)
        assert (told.what, told.by) == (f"who took part in #{self.line}", self.char1.key)
        assert "Bob" in told.was
        assert "Vessa" not in told.was
        assert told.now == "Pia, Vessa"

    def test_all_of_it_or_nothing(self):
        """Where the database refuses in the middle, everything is as before."""
        failing = who_was_there.decide_anew
        vars(who_was_there)["decide_anew"] = self.refuse
        try:
            scene = SCENES.get(self.session)
            with pytest.raises(RuntimeError):
                who_was_there.correct_participants(scene, self.line, [], by="x")
        finally:
            vars(who_was_there)["decide_anew"] = failing
        assert GATE in self.knows(self.bob)
        assert not AssistantEvent.objects.filter(type=CORRECTED).exists()

    @staticmethod
    def refuse(*args):
        raise RuntimeError("refused")

    def test_nonsense_is_told(self):
        """No such line, the same people, and whoever is nobody."""
        assert "no line #1 " in self.aiscene("/correct sword = #1 who: quinn")
        assert "Just those took part" in self.correct("bob")
        assert "'nemo'" in self.correct("nemo")
