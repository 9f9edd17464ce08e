"""The command `ai`: making and managing assistants, and who may do which."""

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from ai_assistant.api import execution, lifecycle
from ai_assistant.commands import AssistantCmdSet
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.ledgers import RowBook
from tests.evennia.living import CommandTestCase
from tests.evennia.stage import HOSTILE

TWO_MODELS = {
    "default": {"provider": "local", "model": "small"},
    "rules": {"provider": "offline"},
}


class TestOverview(CommandTestCase):
    def test_nobody_yet(self):
        """An empty game is told how to begin."""
        assert "ai/create" in self.ai("")

    def test_everybody_and_how_they_are(self):
        """Each has a line with place, state, model and spending."""
        self.an_assistant("Marrek")
        lifecycle.stop(self.an_assistant("Tansy", self.street))
        assert "place: Street" in self.ai(" tansy")
        told = self.ai("")
        for word in ("Marrek", "The Inn", "listening", "Tansy", "Street", "stopped", "offline"):
            assert word in told
        assert "Calls  Tokens" in told

    def test_in_an_order(self):
        """By room, by who is worse off, by the last line, or by what they took; else by name."""
        marrek, hilda = self.an_assistant("Marrek"), self.an_assistant("Hilda")
        tansy, _ = self.an_assistant("Tansy"), self.an_assistant("Wren", self.street)
        self.model.say("Good day.")
        self.does(self.builder, "say Hello, Tansy!")
        self.resident(tansy).last_error = "No answer came."
        execution.silence(hilda)
        RowBook().spend(iso(SERVICE.shared.clock.now())[:10], [entity_id(marrek)], 1, 70_000)

        def told(order):
            found = self.ai(order)
            return sorted(("Marrek", "Hilda", "Tansy", "Wren"), key=found.index), found

        for order, names in {
            "": "Hilda Marrek Tansy Wren",
            " = name": "Hilda Marrek Tansy Wren",
            " = room": "Wren Hilda Marrek Tansy",
            " = errors": "Tansy Hilda Wren Marrek",
            " = last": "Tansy Wren Hilda Marrek",
            " = tokens": "Marrek Tansy Wren Hilda",
            " = cost": "Wren Hilda Marrek Tansy",
        }.items():
            assert told(order)[0] == names.split(), order
        assert "No answer came." in told(" = errors")[1]
        assert "Cost" in told(" = cost")[1]
        for wrong in (" = size", " marrek = name"):
            assert "ai = <order>" in self.ai(wrong)

    def test_a_model_that_all_share_is_told_once(self):
        """A column of its own only tells who thinks with which of several."""
        with override_settings(AI_ASSISTANT_LLM=TWO_MODELS):
            marrek, _ = self.an_assistant("Marrek"), self.an_assistant("Tansy")
            assert self.ai("").count("small (local)") == 1
            lifecycle.configure(marrek, "llm_profile", "rules")
            told = self.ai("")
        assert "Tokens  Model" in told
        assert "Model: " not in told

    def test_thinking_and_waiting(self):
        """It shows who thinks and how much waits."""
        self.an_assistant("Marrek")
        self.held(self.builder, "say Hello, Marrek!")
        self.does(self.builder, "say Marrek?")
        told = self.ai("")
        assert "thinking" in told
        lifecycle.stop(lifecycle.all_assistants()[0])

    def test_other_states(self):
        """Asleep, resting, worn by a player, without a script: each in its own words."""
        marrek = self.an_assistant("Marrek")
        self.resident(marrek).sleeper.begin()
        assert "asleep" in self.ai("")
        for _ in range(5):
            self.resident(marrek).backoff.fault()
        assert "resting" in self.ai("")
        marrek.account = self.account
        assert "puppeted" in self.ai("")
        marrek.account = None
        SERVICE.unregister(self.resident(marrek).id, "test")
        assert "not running" in self.ai("")
        marrek.assistant_script.delete()
        assert "without script" in self.ai("")

    def test_cheap_in_a_large_game(self):
        """The table costs about a statement for each assistant, and comes page by page."""
        costs = []
        for numbers in (range(10), range(10, 40)):
            for number in numbers:
                self.an_assistant(f"Npc {number}")
            with CaptureQueriesContext(connection) as seen:
                told = self.ai("")
            costs.append(len(seen))
        assert "Page [1/" in told
        assert costs[1] - costs[0] <= 1.25 * 30


class TestCreate(CommandTestCase):
    def test_made_here(self):
        """A new assistant stands where its maker stands, with its role."""
        assert "Old Marrek is here and listens." in self.ai("/create Old Marrek = ferryman")
        (marrek,) = lifecycle.all_assistants()
        assert marrek.location == self.inn
        assert lifecycle.read_persona(marrek).value == {"name": "Old Marrek", "role": "ferryman"}
        assert marrek.db.desc == "Old Marrek, ferryman."

    def test_role_may_wait(self):
        """Without a role it is a villager."""
        self.ai("/create Marrek")
        assert lifecycle.read_persona(lifecycle.all_assistants()[0]).value["role"] == "villager"

    def test_what_makes_no_sense(self):
        """No name, a name that is taken, no room: each is told, and nobody is made."""
        assert "Usage" in self.ai("/create")
        assert "Usage" in self.ai("/create = ferryman")
        self.ai("/create Marrek")
        assert "already" in self.ai("/create MARREK")
        self.char1.location = None
        assert "nowhere" in self.ai("/create Tansy")
        assert self.names() == ["Marrek"]

    def test_hostile_names(self):
        """Whatever is typed as a name, it is plain text afterwards, and the table still stands."""
        for line in HOSTILE:
            told = self.ai(f"/create {line} = {line}")
            assert "Traceback" not in told
        for name in self.names():
            assert not set(name) & set("|{}\\\n\x1b\x00\u202e")
            assert len(name) <= 60
        assert "Name" in self.ai("")

    def test_settings_that_cannot_be_used(self):
        """With a wrong setting the character is made, lives, and the log says what is wrong."""
        with override_settings(AI_ASSISTANT_DAILY_CALLS="many"):
            self.ai("/create Marrek")
            assert "Marrek: listening" in self.ai("/status marrek")
            assert "AI_ASSISTANT_DAILY_CALLS" in "".join(self.logged())


class TestAdopt(CommandTestCase):
    def test_adopted(self):
        """A character in the room gets a mind."""
        self.a_body("Marrek")
        assert "Marrek has a mind of its own now." in self.ai("/adopt marrek")
        assert self.names() == ["Marrek"]

    def test_what_makes_no_sense(self):
        """Nothing, nobody, rooms, oneself: each is told."""
        assert "Usage" in self.ai("/adopt")
        assert "Could not find" in self.ai("/adopt nobody")
        assert "adopt a character" in self.ai("/adopt here")
        assert "belongs to a player" in self.ai("/adopt me")
        assert self.names() == []

    def test_locks_of_the_object(self):
        """What a Builder may not edit a Builder may not adopt."""
        self.a_body("Marrek")
        assert "may not change" in self.ai("/adopt marrek", self.builder)


class TestRelease(CommandTestCase):
    def test_a_clear_choice(self):
        """It says what becomes of both, and does nothing until one is chosen."""
        self.a_body("Bob")
        self.ai("/adopt bob")
        for line in ("", " =", " = yes"):
            told = self.ai(f"/release bob{line}")
            for words in ("DefaultCharacter", "0 memories", "= keep", "= forget"):
                assert words in told
        assert self.names() == ["Bob"]
        assert "its mind rests" in self.ai("/release bob = keep")
        assert self.names() == []
        assert "is its old self again" in self.ai("/adopt bob")
        assert "Nothing was changed" in self.ai("/release bob = forget", answers=["no"])
        assert "its mind is gone" in self.ai("/release bob = forget", answers=["yes"])
        assert "has a mind of its own" in self.ai("/adopt bob")

    def test_by_admins_who_may_edit_it(self):
        """A Builder releases nobody."""
        self.an_assistant()
        assert "Only Admins" in self.ai("/release marrek = keep", self.builder)


class TestPersona(CommandTestCase):
    def test_shown_and_set(self):
        """A field is set by its name; lists take semicolons; the running mind has it at once."""
        marrek = self.an_assistant()
        assert "personality: gruff, fond of riddles" in self.ai(
            "/persona marrek = personality: gruff, fond of riddles"
        )
        self.ai("/persona marrek = lore: The ford is deep.; It never sleeps.")
        persona = lifecycle.read_persona(marrek).value
        assert persona["lore"] == ["The ford is deep.", "It never sleeps."]
        assert self.resident(marrek).mind.persona == persona
        assert "gruff" in self.ai("/persona marrek")

    def test_interests_are_apart_by_commas_too(self):
        """As people write them."""
        marrek = self.an_assistant()
        self.ai("/persona marrek = interests: fish, weather; sayings: Well, well.; So, so.")
        persona = lifecycle.read_persona(marrek).value
        assert persona["interests"] == ["fish", "weather"]
        assert persona["sayings"] == ["Well, well.", "So, so."]

    def test_several_fields_in_one_line(self):
        """However they are set apart; no field swallows another, and one without a text is gone."""
        marrek = self.an_assistant()
        for line in (
            "role = miller; personality = shy",
            "role: miller; personality: shy",
            "Role:miller;PERSONALITY :shy;",
        ):
            lifecycle.write_persona(
                marrek,
                {"name": "Marrek"},
                expected_version=lifecycle.read_persona(marrek).version,
            )
            self.ai(f"/persona marrek = {line}")
            persona = lifecycle.read_persona(marrek).value
            assert persona == {"name": "Marrek", "role": "miller", "personality": "shy"}, line
        self.ai("/persona marrek = sayings: Aye.; Nay.; home location: the mill; role:")
        persona = lifecycle.read_persona(marrek).value
        assert persona["sayings"] == ["Aye.", "Nay."]
        assert persona["home_location"] == "the mill"
        assert "role" not in persona
        assert "role: none" in self.ai("/persona marrek = role:")

    def test_a_field_that_is_misspelt(self):
        """It is no part of the text before it."""
        marrek = self.an_assistant()
        for line in ("rol: miller", "role: miller; personalty: shy"):
            assert "Did you mean" in self.ai(f"/persona marrek = {line}")
        assert "role" not in lifecycle.read_persona(marrek).value
        self.ai("/persona marrek = personality: shy; one thing: never lies")
        assert lifecycle.read_persona(marrek).value["personality"] == "shy; one thing: never lies"

    def test_what_makes_no_sense(self):
        """Unknown fields, no text, too much text: each is told and nothing is changed."""
        marrek = self.an_assistant()
        for line in ("colour: red", "role", "=", "name: Bob"):
            assert "Usage: ai/persona" in self.ai(f"/persona marrek = {line}"), line
        assert "nothing after the colon empties it" in self.ai("/persona marrek = home location")
        for field in ("role", "lore", "sayings", "personality", "greeting", "scenario"):
            told = self.ai(f"/persona marrek = {field}: {'x' * 2000}")
        assert "limit" in told
        assert "Which assistant? There are: Marrek" in self.ai("/persona")
        assert "scenario" not in lifecycle.read_persona(marrek).value


class TestStartStop(CommandTestCase):
    def test_stopped_and_started(self):
        """One word each way."""
        self.an_assistant()
        assert "Marrek is silent" in self.ai("/stop marrek")
        assert not SERVICE.residents
        assert "Marrek is awake" in self.ai("/start marrek")
        assert SERVICE.residents

    def test_what_needs_it_to_run_says_how(self):
        """Stopped, it is told what lets it live."""
        lifecycle.stop(self.an_assistant())
        assert "ai/start Marrek" in self.ai("/prompt marrek")

    def test_what_makes_no_sense(self):
        """Nobody, somebody unknown, somebody without a script: each is told."""
        assert "There are no assistants yet" in self.ai("/stop marrek")
        marrek = self.an_assistant()
        assert "Which assistant? There are: Marrek" in self.ai("/stop")
        assert "There is no assistant 'bob'" in self.ai("/start bob")
        assert "Did you mean Marrek?" in self.ai("/start marek")
        marrek.assistant_script.delete()
        assert "lost its script" in self.ai("/start marrek")


class TestDelete(CommandTestCase):
    def test_asks_for_the_name(self):
        """Only the whole name will do."""
        self.an_assistant("Old Marrek")
        for answer in ("marrek", "y", "yes", "no", ""):
            assert self.ai("/delete marrek", answers=[answer]) == "Nothing was changed."
        assert self.names() == ["Old Marrek"]
        told = self.ai("/delete marrek", answers=["old MARREK "])
        assert "Old Marrek is gone" in told
        assert self.names() == []
        assert AssistantEvent.objects.get(type="AssistantArchived").data["by"] == "Ada"

    def test_says_what_goes(self):
        """How much it remembers; and of one that was adopted, that it need not be deleted."""
        self.an_assistant()
        _, question = self.asked("/delete marrek")
        assert "0 memories and what it knows of 0 people" in " ".join(question.split())
        assert "ai/release" not in "".join(self.screen(self.char1))
        self.a_body("Bob")
        self.ai("/adopt bob")
        assert "gives it back its old life" in self.ai("/delete bob", answers=["no"])

    def test_no_line_is_lost_to_the_question(self):
        """Whoever types something else than an answer has it done."""
        self.an_assistant()
        self.a_player("Cid")  # in company nobody takes it for a word to Marrek
        told = self.ai("/delete marrek", answers=["say Never mind."])
        assert "Nothing was changed." in told
        assert 'You say, "Never mind."' in told
        assert self.names() == ["Marrek"]

    def test_gone_before_the_answer(self):
        """Who was deleted while the question stood is not deleted twice."""
        marrek = self.an_assistant()
        question, _ = self.asked("/delete marrek")
        marrek.delete()
        self.answer(question, "Marrek")
        assert "is gone already" in self.screen(self.char1)[-1]

    def test_forbidden_by_the_game(self):
        """A veto of the game is told in one line."""
        marrek = self.an_assistant()
        marrek.at_object_delete = lambda: False
        assert "forbids" in self.ai("/delete marrek", answers=["Marrek"])

    def asked(self, line):
        """Type a line up to the question that it ends in; returns both."""
        command = CmdAI()
        command.caller, command.session, command.cmdset = self.char1, None, None
        command.cmdstring = command.raw_cmdname = "ai"
        command.args = line
        command.parse()
        going_on = command.func()
        return going_on, next(going_on)

    def answer(self, question, text):
        """Answer it."""
        with pytest.raises(StopIteration):
            question.send(text)


class TestDisclosure(CommandTestCase):
    """What staff makes known to everybody."""

    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant("Marrek")
        mind = self.resident(self.marrek).mind
        row = MemoryRow("The tunnel is under the castle.", readers="e-al", author_name="Al")
        mind.save(Commit(at=1.0, rows=[row]))

    def test_private_memory_is_found_and_published(self):
        """It is found by its words, and open once its number was named."""
        assert "Al: The tunnel is under the castle." in self.ai("/publish marrek = tunnel")
        number = self.ai("/publish marrek = tunnel").split()[0]
        assert "may tell anybody now" in self.ai(f"/publish marrek = {number}")
        found = self.resident(self.marrek).mind.store.rows.newest(1)[0]
        assert (found.readers, found.content) == ("*", "The tunnel is under the castle.")

    def test_announcement_is_known(self):
        """A fact that staff announces is there for everybody."""
        assert "may tell anybody" in self.ai("/announce marrek = The bridge is mended.")
        assert self.resident(self.marrek).mind.store.rows.newest(1)[0].readers == "*"

    def test_nothing_is_published_by_mistake(self):
        """An unknown number, and words that fit nothing, say so."""
        assert "no memory number 999" in self.ai("/publish marrek = #999")
        assert "no private memory" in self.ai("/publish marrek = dragons")
        assert "no private memory" in self.ai(f"/publish marrek = #{10**20}")
        assert "Usage: ai/announce <name> = <fact>  " in self.ai("/announce marrek")
        assert "nothing in that" in self.ai("/announce marrek = |n")


class TestPermissions(CommandTestCase):
    def test_players_do_not_have_it(self):
        """For a player there is no such command."""
        player = self.a_player("Poe")
        player.cmdset.add(AssistantCmdSet)
        assert not CmdAI().access(player, "cmd")
        player.execute_cmd("ai")
        assert "not available" in self.screen(player)[-1]

    def test_builders_make_and_look(self):
        """A Builder creates and looks."""
        self.ai("/create Marrek", self.builder)
        assert self.names() == ["Marrek"]
        for line in ("", "/status marrek", "/config marrek", "/history marrek", "/persona marrek"):
            assert "Only" not in self.ai(line, self.builder)

    def test_builders_do_not_manage(self):
        """A Builder neither stops, starts, configures nor deletes."""
        marrek = self.an_assistant()
        for line in (
            "/stop marrek",
            "/start marrek",
            "/delete marrek",
            "/publish marrek = #1",
            "/announce marrek = news",
            "/config marrek = tick_rate 7",
            "/config marrek set tick_rate 7",
        ):
            assert "Only Admins may" in self.ai(line, self.builder)
        assert marrek.assistant_script.config.values == {}
        assert SERVICE.residents

    def test_permission_is_asked_twice(self):
        """Where the one who asks first lets everybody through, the switch itself does not."""
        marrek = self.an_assistant()

        class Careless(CmdAI):
            def may(self, permission):
                return True

        for line in ("/stop marrek", "/publish marrek = #1", "/config marrek = tick_rate 7"):
            told = self.types(Careless, line, self.builder)
            assert "Only Admins may" in told or "may not change" in told
        assert marrek.assistant_script.config.values == {}
        assert SERVICE.residents

    def test_unknown_switches(self):
        """A switch that is none does nothing to anybody."""
        self.an_assistant()
        self.ai("/frobnicate marrek")
        self.ai("/stop/delete marrek")
        assert SERVICE.residents
        assert self.names() == ["Marrek"]
