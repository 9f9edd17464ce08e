"""The command `ai`: what staff put into a prompt, and what it looks like before it is sent."""

import re
import time

from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from ai_assistant.api import lifecycle
from ai_assistant.api.handlers import store_of
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.readers import OPEN
from ai_assistant.game.identity import entity_id
from ai_assistant.planning.goals import new_goal
from ai_assistant.runtime.named_by_settings import load_macros
from tests.evennia.living import CommandTestCase
from tests.evennia.stage import HOSTILE


class PromptTestCase(CommandTestCase):
    """Staff with a tall screen, and a guest."""

    def setUp(self):
        super().setUp()
        self.char2 = self.a_player("Cid")
        for session in self.char1.sessions.all():
            session.protocol_flags["SCREENHEIGHT"] = {0: 130}


def moon(context):
    """A macro of the game's own."""
    return f"full above {context.scene.place_name}"


class TestPrompt(PromptTestCase):
    def test_the_next_prompt(self):
        """The messages, the tokens of each part, tools among them, the sum and the level."""
        self.an_assistant()
        told = self.ai("/prompt marrek = Where is the ferry?")
        for words in (
            "[system]",
            "## Who you are",
            "## What happens now",
            "Ada: Where is the ferry?",
            "of 7000 tokens",
            "ok",
        ):
            assert words in told, words
        for part in ("instructions", "persona", "what is answered"):
            assert re.search(rf"{part} +[|+]? *\d+", told), part
        count, tokens = re.search(r"(\d+) tools +[|+]? *(\d+)", told).groups()
        tools = re.findall(r"(\w+) (\d+)", told.split("Tools, with their tokens: ")[1])
        assert len(tools) == int(count)
        assert "note" in dict(tools)
        assert abs(sum(int(size) for _, size in tools) - int(tokens)) < len(tools)
        assert [int(size) for _, size in tools] == sorted((int(n) for _, n in tools), reverse=True)

    def test_it_is_what_the_model_gets(self):
        """The same line, spoken at once, brings exactly these messages."""
        self.an_assistant()
        told = self.ai("/prompt marrek = Hello, Marrek!")
        self.model.say("Hello.")
        self.does(self.char1, "say Hello, Marrek!")
        sent = self.model.requests[-1].messages
        for line in "\n".join(one.content for one in sent).splitlines():
            if not line.startswith("It is "):
                assert line.replace("|", "||") in told, line

    def test_nothing_happens(self):
        """No model is asked, nothing is written, no attempt counted, however often one looks."""
        marrek = self.an_assistant()
        self.ai("/prompt marrek")
        with CaptureQueriesContext(connection) as seen:
            for _ in range(3):
                self.ai("/prompt marrek = Do you know me?")
        writing = ("INSERT", "UPDATE", "DELETE")
        assert not [one for one in seen.captured_queries if one["sql"].startswith(writing)]
        assert not self.model.requests
        assert not self.open_events()
        assert self.resident(marrek).turn_id == ""

    def test_as_if_somebody_else_spoke(self):
        """Another one may be named, and a whisper shows what is private between the two."""
        marrek = self.an_assistant()
        own = entity_id(self.char2)
        secret = MemoryRow("The vault opens at midnight.", author=own, readers=own)
        self.resident(marrek).mind.save(Commit(at=time.time(), rows=[secret]))
        assert "midnight" not in self.ai("/prompt marrek = Cid: What of the vault?")
        for kind in ("whisper", "page"):
            told = self.ai(f"/prompt marrek = {kind} Cid: What of the vault?")
            assert "midnight" in told
            assert f"Cid {kind}s" in told
        assert "midnight" not in self.ai("/prompt marrek = whisper Ada: What of the vault?")

    def test_what_it_would_do_unasked(self):
        """Named as the one who speaks, it answers nobody: it works on its most urgent goal."""
        marrek = self.an_assistant()
        goal = new_goal("goal_0_1", "Mend the net", at=0.0) | {"readers": OPEN}
        step = Change("goals", "", "add_goal", {"goal": goal, "at": 0.0})
        self.resident(marrek).mind.save(Commit(at=time.time(), changes=[step]))
        told = self.ai("/prompt marrek = marrek:")
        _, _, unasked = told.partition("## Unasked")
        assert 'Work on goal_0_1: "Mend the net"' in unasked
        assert "## What happens now" not in told
        assert not self.open_events()
        assert not self.model.requests

    def test_it_is_placed_in_its_scene(self):
        """Who plays a scene together sees the prompt of the scene, and nobody else does."""
        marrek = self.an_assistant()
        self.char1.location = marrek.location
        self.does(self.char1, "scene/create The Lost Sword")
        self.does(self.char1, "scene/invite marrek")
        self.does(self.char1, "scene/start")
        told = self.ai("/prompt marrek = Where is the sword?")
        assert "You are acting in a story" in told
        outside = self.ai("/prompt marrek = Cid: Where is the sword?")
        assert "You are acting in a story" not in outside

    def test_what_makes_no_sense(self):
        """Nobody of that name, the assistant itself, one that is stopped: each is told."""
        marrek = self.an_assistant()
        assert "no character 'nobody'" in self.ai("/prompt marrek = nobody: Hello.")
        assert "itself" in self.ai("/prompt marrek = marrek: Hello.")
        lifecycle.stop(marrek)
        assert "not running" in self.ai("/prompt marrek")

    def test_more_than_the_model_reads(self):
        """Where the budget is larger than the model's window, staff are told."""
        self.an_assistant(max_context_tokens=100_000)
        assert "lower max_context_tokens" not in self.ai("/prompt marrek")
        self.ai("/config marrek = max_context_tokens 100001")
        assert "offline reads 100000 tokens" in self.ai("/prompt marrek")

    def test_hostile_words(self):
        """Whatever is typed comes back as plain text."""
        self.an_assistant()
        for line in HOSTILE:
            assert "Traceback" not in self.ai(f"/prompt marrek = {line}")


class TestComponents(PromptTestCase):
    def test_from_first_to_last(self):
        """Added, changed, moved, switched off and deleted; each step is in the prompt."""
        self.an_assistant()
        assert "component 1200 mood" in self.ai("/component marrek = add 1200 mood: Be merry.")
        assert "Be merry." in self.ai("/prompt marrek")
        self.ai("/component marrek = edit mood: Be {{char}} = yourself, at {{time}}.")
        assert "Be Marrek = yourself, at " in self.ai("/prompt marrek")
        assert "2 from the end, order 7" in "".join(
            self.ai(f"/component marrek = {line}") for line in ("depth mood 2", "order mood 7")
        )
        assert "(user" in self.ai("/component marrek = role mood user")
        assert "switched off" in self.ai("/component marrek = disable mood")
        assert "yourself" not in self.ai("/prompt marrek")
        self.ai("/component marrek = enable mood")
        told = self.ai("/component marrek")
        assert "conversation" in told
        assert "1200" in told
        assert "gone" in self.ai("/component marrek = delete mood")
        assert "1200" not in self.ai("/component marrek")

    def test_changes_are_on_record(self):
        """Who reads the audit log sees that the prompt was changed."""
        self.an_assistant()
        self.ai("/component marrek = add 1200 mood: Be merry.")
        assert self.audited()[-2:] == ["ConfigurationChanged", "StateChanged"]

    def test_unknown_macros_are_reported(self):
        """They are kept as they stand, and whoever wrote them is told."""
        self.an_assistant()
        told = self.ai("/component marrek = add 1200 sky: The moon is {{moon}}.")
        assert "Nobody knows {{moon}}" in told

    def test_what_makes_no_sense(self):
        """Each refusal says why, and nothing is kept."""
        marrek = self.an_assistant()
        for line, why in (
            ("add", "Usage: ai/component"),
            ("add 1000 mood: x", "1000"),
            ("add 1200 Mood: x", "key"),
            ("add 1200 mood:", "no words"),
            ("edit mood: x", "no component"),
            ("delete mood", "no component"),
            ("dance mood", "Usage: ai/component"),
            ("depth mood much", "Usage: ai/component"),
        ):
            assert why in self.ai(f"/component marrek = {line}"), line
        assert store_of(marrek).read("prompt")["components"] == []


class TestTemplates(PromptTestCase):
    def test_from_first_to_last(self):
        """Created, shown, applied and deleted; the prompt follows."""
        self.an_assistant()
        text = "You are {name} at {tick_rate}."
        assert "is kept" in self.ai(f"/template marrek = create terse: {text}")
        assert "You are {name}" in self.ai("/template marrek = show terse")
        assert "applied" in self.ai("/template marrek = apply terse")
        assert "terse (applied)" in self.ai("/template marrek")
        assert "You are Marrek at 5." in self.ai("/prompt marrek")
        self.ai("/template marrek = native terse: Call tools, {name}.")
        assert "Call tools, Marrek." in self.ai("/prompt marrek")
        self.ai("/template marrek = delete terse")
        assert "default (applied)" in self.ai("/template marrek")
        assert "a character in a text game" in self.ai("/template marrek = show default")

    def test_what_makes_no_sense(self):
        """A placeholder or macro that does not belong, a name that is taken or missing."""
        self.an_assistant()
        for line, why in (
            ("create terse: You are {nobody}.", "{nobody}"),
            ("create terse: You are here.", "{name} is missing"),
            ("create terse: {name} is at {{location}}.", "{{location}} changes"),
            ("create default: {name}", "default"),
            ("native terse: {name}", "first"),
            ("apply terse", "no template"),
            ("delete default", "default"),
            ("dance", "Usage: ai/template"),
        ):
            assert why in self.ai(f"/template marrek = {line}"), line


class TestPersona(PromptTestCase):
    def test_macros_that_vary_are_refused(self):
        """The error names the macro, and the persona is as before."""
        marrek = self.an_assistant()
        assert "{{location}} changes" in self.ai("/persona marrek = lore: Here is {{location}}.")
        assert "lore" not in lifecycle.read_persona(marrek).value
        with self.assertRaisesMessage(ConfigurationError, "{{speaker}}"):
            lifecycle.create_assistant(
                "Tansy", location=self.inn, persona={"name": "Tansy", "role": "{{speaker}}'s aunt"}
            )
        assert [one.key for one in lifecycle.all_assistants()] == ["Marrek"]

    def test_a_fixed_partner(self):
        """`{{user}}` is who was configured, by name and id, whoever speaks."""
        self.an_assistant()
        self.ai("/persona marrek = scenario: {{char}} is married to {{user}}.")
        assert "Marrek is married to someone." in self.ai("/prompt marrek")
        told = self.ai("/config marrek = user_entity cid")
        assert f"Cid {entity_id(self.char2)}" in told
        assert "Marrek is married to Cid." in self.ai("/prompt marrek")
        self.ai("/config marrek = user_entity A Stranger")
        assert "Marrek is married to A Stranger." in self.ai("/prompt marrek")
        self.ai("/config marrek = user_entity default")
        assert "Marrek is married to someone." in self.ai("/prompt marrek")


class TestMacros(PromptTestCase):
    def test_a_game_has_its_own(self):
        """The setting names functions; their values are in the prompt."""
        with override_settings(AI_ASSISTANT_MACROS={"moon": f"{__name__}.moon"}):
            self.an_assistant()
            told = self.ai("/component marrek = add 1200 sky: The moon is {{moon}}.")
            assert "Nobody knows" not in told
            assert "The moon is full above The Inn." in self.ai("/prompt marrek")

    def test_settings_that_cannot_be_used(self):
        """The macro is named, and left out."""
        wrong = [("moon", "no.such.thing"), ("moon", "moon"), ("moon", f"{__name__}.HOSTILE")]
        for name, path in (*wrong, ("char", f"{__name__}.moon")):
            told = []
            with override_settings(AI_ASSISTANT_MACROS={name: path}):
                load_macros(told.append)
            assert f"'{name}'" in told[0]
