"""The players' command `memories`: they see what they may know of, and have it forgotten."""

from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from ai_assistant.api import execution, lifecycle
from ai_assistant.api.handlers import save
from ai_assistant.commands.players.memories import CmdMemories
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory
from tests.evennia.living import CommandTestCase


class TestMemories(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")

    def asks(self, line, who=None, answers=()):
        return self.types(CmdMemories, line, who or self.alice, answers)

    def says(self, who, text):
        self.model.say("Aye.")
        self.does(who, f"say Marrek, {text}")

    def rows_of(self, who):
        return Memory.objects.filter(author=entity_id(who)).exclude(container="world").count()

    def test_nobody_remembers_a_stranger(self):
        """Who never spoke to a character is told so, whatever they ask."""
        for line in ("", " marrek", " marrek = gold"):
            assert "No character of this world remembers you" in self.asks(line)

    def test_who_remembers_me(self):
        """Each character that met me is listed, without any number of its feelings."""
        self.says(self.alice, "my cat is Whiskers.")
        told = self.asks("")
        assert "Marrek" in told
        assert "stranger" in told
        assert "0.1" not in told

    def test_a_full_game_is_read_at_once(self):
        """What is asked of the database grows neither with strangers nor with acquaintances."""

        def statements():
            for one in lifecycle.all_assistants():
                one.attributes.reset_cache()
            with CaptureQueriesContext(connection) as seen:
                self.asks("")
            return len(seen)

        self.says(self.alice, "my cat is Whiskers.")
        before = statements()
        others = [self.an_assistant(f"Guard {number}") for number in range(5)]
        for one in others[:3]:
            one.profiles.add_entity_observation(self.alice, "Likes cats.")
        assert statements() == before
        assert "Guard 2" in self.asks("")

    def test_players_and_staff_count_the_same(self):
        """What a player sees of one character is what staff see of that player."""
        for words in ("my cat is Whiskers.", "do you like cats?", "I do."):
            self.says(self.alice, words)
        rows = self.asks("").splitlines()
        column = rows[0].index("Exchanges")
        (row,) = (line for line in rows if "Marrek" in line)
        assert row[column:].split()[0] == "3"
        assert "exchanges: 3" in self.types(CmdAIMem, " marrek", self.builder)
        assert "3 exchanges" in self.types(CmdAIMem, "/profile marrek = alice", self.builder)

    def test_what_is_counted_is_what_is_listed(self):
        """As many things as the list of characters counts are shown of one, with its journal."""
        self.says(self.alice, "my cat is Whiskers.")
        self.marrek.profiles.add_entity_observation(self.alice, "Alice has a cat.")
        rows = self.asks("").splitlines()
        (row,) = (line for line in rows if "Marrek" in line)
        counted = int(row[rows[0].index("Noted about you") :].split()[0])
        listed = [line for line in self.asks(" marrek").splitlines() if line.endswith(")")]
        assert counted == len(listed) == 2
        assert "memories: 2" in self.types(CmdAIMem, " marrek", self.builder)  # two lines were said

    def test_what_was_said_on_a_channel_is_no_secret(self):
        """It is marked with the name of the channel, whose listeners all heard it."""
        public = self.a_channel("Public")
        public.connect(self.alice.account)
        self.says(self.alice, "good day.")
        readers = {"readers": entity_id(public)}
        self.marrek.profiles.add_entity_observation(self.alice, "Alice sells ropes.", **readers)
        told = self.asks(" marrek")
        (line,) = (line for line in told.splitlines() if "ropes" in line)
        assert line.endswith("(on Public)")

    def test_what_is_held_about_me(self):
        """Observations, conversation and journal that I may read are shown, others' are not."""
        self.says(self.alice, "my cat is Whiskers.")
        self.marrek.profiles.add_entity_observation(self.alice, "Alice has a cat.")
        secret = {"readers": entity_id(self.bob)}
        self.marrek.profiles.add_entity_observation(self.alice, "Alice cheats at dice.", **secret)
        told = self.asks(" marrek")
        for words in ("Alice has a cat.", "my cat is Whiskers.", "Met Alice"):
            assert words in told, told
        assert "cheats" not in told
        assert "favorability" not in told

    def test_what_was_said_stands_in_its_order(self):
        """Also where an answer drew on what was whispered, and so is kept with that."""
        talk, whispered = self.marrek.working_memory, {"readers": entity_id(self.alice)}
        self.says(self.alice, "good day.")
        talk.add_conversation_message(self.alice, "I have a secret.", **whispered)
        talk.add_conversation_message(self.alice, "Who goes there?")
        talk.add_conversation_message(self.alice, "You do.", "assistant", **whispered)
        told = self.asks(" marrek")
        assert told.index("Who goes there?") < told.index("You do.")

    def test_who_does_not_remember_is_no_choice(self):
        """A player is told so without words of the workshop."""
        self.says(self.alice, "good day.")
        told = "You are known to no character 'bram'. There are: Marrek."
        assert told in self.asks(" bram")

    def test_a_line_without_an_answer_is_told_once(self):
        """It stands where it was said, and nowhere else."""
        talk = self.marrek.working_memory
        self.says(self.alice, "good day.")
        talk.add_conversation_message(self.alice, "Where is the badge?")
        key, asked = entity_id(self.alice), {"question": "Where is the badge?"}
        save(self.marrek, Commit(at=1.0, changes=[Change("working", key, "note_context", asked)]))
        assert self.asks(" marrek").count("Where is the badge?") == 1

    def test_plain_words_for_players(self):
        """No topics, no marks of an interface, no figures; promises and questions as sentences."""
        self.says(self.alice, "can you keep a secret?")
        talk = self.marrek.working_memory
        talk.start_conversation(self.alice, "keep secret steal")
        talk.add_pending_action(self.alice, "mend the gate", 3)
        key = entity_id(self.alice)
        steps = [Change("working", key, "fold", {"at": 1.0, "keep": 0})]
        asked = {"question": "Where is the badge?"}
        save(
            self.marrek,
            Commit(at=1.0, changes=[*steps, Change("working", key, "note_context", asked)]),
        )
        told = self.asks(" marrek")
        for words in (
            "Marrek promised you: mend the gate",
            "You asked, and had no answer yet: Where is the badge?",
            "you: Marrek, can you keep a secret?",
            "Marrek: Aye.",
        ):
            assert words in told, told
        talk.add_conversation_message(self.alice, "I took it.", readers=entity_id(self.alice))
        assert "you: I took it. (private)" in self.asks(" marrek")
        for words in ("topic", "keep secret", "priority", "- ", "They", "user", "summary"):
            assert words not in told, told

    def test_private_is_marked_only_where_it_is(self):
        """What was said aloud is not, even where the character drew on what was whispered."""
        self.says(self.alice, "good day.")
        own = {"subject": entity_id(self.alice), "readers": entity_id(self.alice)}
        rows = [
            MemoryRow("The gate is open.", "own_words", meta={"type": "say"}, **own),
            MemoryRow("The gate key is yours.", "own_words", meta={"type": "whisper"}, **own),
            MemoryRow("She holds a gate key.", "fact", **own),
        ]
        save(self.marrek, Commit(at=1.0, rows=rows))
        told = self.asks(" marrek = gate").splitlines()
        marked = {line.removesuffix(" (private)").strip(): "(private)" in line for line in told}
        assert marked["The gate is open."] is False
        assert marked["The gate key is yours."]
        assert marked["She holds a gate key."]

    def test_a_search_finds_my_words_only(self):
        """I find what I said, not what others did."""
        self.says(self.alice, "my cat is Whiskers.")
        self.says(self.bob, "my cat is Felix.")
        told = self.asks(" marrek = cat")
        assert "Whiskers" in told
        assert "Felix" not in told
        assert "nothing like that" in self.asks(" marrek = unicorns")

    def test_who_only_overheard_me_is_named_too(self):
        """Whoever holds my words is said to remember me, shows them, and can forget them."""
        execution.silence(self.marrek)
        self.does(self.alice, "say It will rain on the harvest.")
        execution.end_silence(self.marrek)
        self.says(self.bob, "good day.")
        assert self.rows_of(self.alice)
        assert "Marrek" in self.asks("")
        assert "rain on the harvest" in self.asks(" marrek")
        assert "rain on the harvest" in self.asks(" marrek = harvest")
        self.asks("/forget marrek", answers=["yes"])
        assert not self.rows_of(self.alice)
        assert "No character of this world remembers you" in self.asks("")

    def test_a_search_finds_what_is_held_about_me(self):
        """What was noted of me openly is found as well, and nothing shows a reference."""
        self.says(self.alice, "good day.")
        self.marrek.profiles.add_entity_observation(self.alice, "Alice has a cat.")
        told = self.asks(" marrek = cat")
        assert "Alice has a cat." in told
        assert "o1" not in told
        whole = self.asks(" marrek")
        assert "you: Marrek, good day." in whole
        for code in ("o1", "j1", "user", "assistant:"):
            assert code not in whole, whole

    def test_one_that_does_not_run_cannot_be_asked(self):
        """Players read so, and nothing of the game's settings."""
        self.says(self.alice, "good day.")
        lifecycle.stop(self.marrek)
        assert self.asks(" marrek = day") == "Marrek cannot be asked just now."

    def test_forgetting_asks_first(self):
        """Without a yes nothing is forgotten."""
        self.says(self.alice, "my cat is Whiskers.")
        assert "Nothing was changed" in self.asks("/forget", answers=["no"])
        assert self.rows_of(self.alice)

    def test_my_own_words_are_forgotten_and_the_witness_stays(self):
        """By default a thief erases what they said, not what was seen of them."""
        self.says(self.alice, "I took nothing.")
        self.says(self.bob, "I saw Alice take the purse.")
        self.asks("/forget", answers=["yes"])
        assert not self.rows_of(self.alice)
        assert self.rows_of(self.bob)
        assert "Alice" in [one["name"] for one in self.marrek.profiles.all().values()]

    def test_one_character_forgets(self):
        """Named, one forgets and the others do not."""
        vessa = self.an_assistant("Vessa")
        for name in ("Marrek", "Vessa"):
            self.model.say("Aye.")
            self.does(self.alice, f"say {name}, my cat is Whiskers.")
        self.asks("/forget marrek", answers=["yes"])
        left = Memory.objects.filter(author=entity_id(self.alice)).exclude(container="world")
        assert {row.container for row in left} == {entity_id(vessa)}

    def test_the_owner_decides(self):
        """Switched off, only staff can; switched to all, everything about me goes."""
        self.says(self.alice, "my cat is Whiskers.")
        with override_settings(AI_ASSISTANT_FORGET="off"):
            assert "only the staff" in self.asks("/forget")
        with override_settings(AI_ASSISTANT_FORGET="all"):
            self.asks("/forget", answers=["yes"])
        assert self.marrek.profiles.all() == {}
