"""`ai/why`: an owner sees what decided the last turns, and why a line was not answered."""

import re
from dataclasses import replace

from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from ai_assistant.agent.attention.classify import RULES as CLASSIFYING
from ai_assistant.agent.attention.engagement import Obstacle
from ai_assistant.agent.attention.purses import EXCUSED, TOO_MUCH, TOO_OFTEN
from ai_assistant.agent.delegation.errands import ASKED
from ai_assistant.agent.keeping.closing import close_events
from ai_assistant.api.desk.regression import mark_turn
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.turns.rules_in_words import CAUSES, RULES
from ai_assistant.api.turns.traces import trace_of
from ai_assistant.api.turns.turn_list import (
    WantedTurns,
    named_assistants,
    turn_back,
    turn_rows,
)
from ai_assistant.commands.desk.aitry import CmdAITry
from ai_assistant.commands.staff.aimem import CmdAIMem
from ai_assistant.core.contracts import AuditRecord, Change, Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.game.perception import from_page
from ai_assistant.memory.redaction import mark_of
from ai_assistant.runtime.hearing import HANDED
from tests.evennia.living import CommandTestCase, broken_database


class TestWhy(CommandTestCase):
    def test_a_line_that_was_answered(self):
        """The rule, the cost, what the model could do, and what was taken away by which layer."""
        self.an_assistant()
        self.ai("/config marrek = disabled_tools delegate")
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek!")
        told = self.ai("/why marrek")
        for words in (
            "Hello, Marrek!",
            "called by name",
            "1 model call,",
            "could do:",
            "could do by plain words: say",
            "not told of, by kit: ",
            "ai/config",
        ):
            assert words in told, told

    def test_a_line_is_told_when_much_was_said_since(self):
        """As long as the world has it, however few lines a character keeps at hand."""
        marrek = self.an_assistant()
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek!")
        (before,) = trace_of(marrek, turn_back(marrek, 1)).lines
        nothing = store_of(marrek).read("stream") | {"entries": []}
        gone = Change("stream", "", "overwrite", {"value": nothing})
        save(marrek, Commit(0.0, changes=[gone]))
        (since,) = trace_of(marrek, turn_back(marrek, 1)).lines
        for name in ("id", "who", "who_id", "kind", "content", "readers", "timestamp"):
            assert since.entry[name] == before.entry[name], name

    def test_records_are_read_once(self):
        """Those of turns, for what was answered and what was not; and to find one, that alone."""
        marrek = self.an_assistant()
        self.model.say("Hello.").say("Hello.")
        for _ in range(2):
            self.does(self.builder, "say Hello, Marrek!")
        with CaptureQueriesContext(connection) as asked:
            self.ai("/why marrek")
        assert sum("'TurnCompleted'" in query["sql"] for query in asked) == 1
        with CaptureQueriesContext(connection) as asked:
            assert turn_back(marrek, 2)
        assert len(asked) == 1

    def test_a_turn_in_a_list_is_opened_by_its_name(self):
        """All that decided it: what was said, each call of a tool and why, of a model and its cost;
        and each of those is opened by its number.
        """
        marrek = self.an_assistant()
        self.model.call("recall", words="a lute", reasoning="She asks for music.")
        self.model.call("whisper", to="nobody", text="Psst.").say("I have none.")
        self.does(self.builder, "say Marrek, do you have a lute?")
        self.model.say("Good day.")
        self.does(self.builder, "say Good day, Marrek!")
        mark_turn(marrek, turn_back(marrek, 2), good=False, wanted="Ask Hilda.", by="Ada")
        newer, older = re.findall(r" #(\w{8}) ", self.ai("/turns marrek"))
        told = self.ai(f"/why marrek = #{older}")
        for words in (
            *("do you have a lute?", "called by name", "said: I have none.", "3 model calls"),
            *("because: She asks for music.", "refused: ", "marked as bad by Ada; wanted: Ask"),
            *("at most", "tokens, $0.00", "could do:"),
        ):
            assert words in told, words
        assert "Good day" not in told
        assert "Not answered" not in told
        self.char1.sessions.get()[0].protocol_flags["SCREENHEIGHT"] = {0: 10_000}
        (call, *_) = re.findall(r"call (\d+) chat by", told)
        assert "do you have a lute?" in self.ai(f"/call marrek = {call}")
        self.types(CmdAITry, f"/good marrek = #{newer}")
        assert "marked as good by Ada" in self.ai(f"/why marrek = #{newer}")
        for typed in ("#", "#ffffffff", f"#{older[:4]}"):
            assert "has no turn" in self.ai(f"/why marrek = {typed}")

    def test_whom_a_tool_was_given_is_told_by_name(self):
        """The model's handle of somebody says nothing when the turn is over."""
        self.an_assistant()
        self.model.call("note", about="p1", fact="likes cake").say("Cake!")
        self.does(self.builder, "say Hello, Marrek!")
        told = self.ai("/why marrek")
        assert f"note (about: {self.char1.key}, fact: likes cake)" in told

    def test_where_the_calls_cannot_be_read_it_is_told_why(self):
        """As every command tells it, and not that something broke."""
        self.an_assistant()
        self.model.say("Good day.")
        self.does(self.builder, "say Good day, Marrek!")
        with broken_database('FROM "ai_assistant_call"'):
            assert "The database refused" in self.ai("/why marrek")

    def test_who_heard_the_answer_is_told(self):
        """As of the line that was answered: by command, on its page and by the API, see `heard`."""
        marrek, bob = self.an_assistant(), self.a_player("Bob")
        self.model.say("Good day.")
        self.does(self.builder, "say Good day, Marrek!")
        (heard,) = trace_of(marrek, turn_back(marrek, 1)).heard
        assert {*heard.names, *heard.overheard} == {"Ada", "Bea", "Bob", "Marrek"}
        told = self.ai("/why marrek").partition("said: ")[2]
        assert bob.key in told.partition("overheard by")[2].partition("\n")[0]
        self.model.text("To you alone.")
        self.does(self.builder, "whisper marrek = Where is the gold?")
        (heard,) = trace_of(marrek, turn_back(marrek, 1)).heard
        assert "Bob" not in {*heard.names, *heard.overheard}

    def test_a_guest_who_left_keeps_the_name(self):
        """Who took part is told as they were called."""
        self.an_assistant()
        guest = self.a_player("Guest7")
        self.model.say("Good day.")
        self.does(guest, "say Hello, Marrek!")
        guest.delete()
        told = self.ai("/why marrek")
        assert "Guest7" in told.partition("took part")[2].partition("\n")[0]

    def test_a_line_that_was_not(self):
        """Said in the room to nobody: it says by which rule it was left."""
        self.an_assistant()
        self.does(self.builder, "say Well, well.")  # it let that pass
        self.does(self.builder, "say What a day.")
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek!")
        told = self.ai("/why marrek").partition("Not answered")[2]
        assert "What a day." in told
        assert "not to it" in told

    def test_a_line_that_waits_for_the_next_turn(self):
        """It is told of at once, and gestures between people do not crowd it out."""
        self.an_assistant()
        self.does(self.builder, "say Well, well.")  # it let that pass
        self.does(self.builder, "say What a day.")
        for _ in range(5):
            self.does(self.builder, "pose yawns.")
        told = self.ai("/why marrek").partition("Not answered")[2]
        assert "What a day." in told
        assert "yawns" not in told

    def test_the_list_of_turns(self):
        """All of them, or those with a person, with a tool, or that came to nothing."""
        self.an_assistant()
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek!")
        for line in ("/turns", "/turns marrek = bea", "/turns = say", "/turns marrek = cost"):
            told = self.ai(line)
            assert "Bea" in told
            assert "answered" in told
            assert '"Hello, Marrek!" -> "Hello."' in told
        assert "No such turns" in self.ai("/turns marrek = failed")

    def test_turns_of_refused_tools_are_found(self):
        """One that was refused is listed as such, and told apart from those that did it."""
        self.an_assistant()
        self.model.call("give", what="the sun").say("I cannot.")
        self.does(self.builder, "say Marrek, give me the sun!")
        self.model.say("Hello.")
        self.does(self.builder, "say Marrek, good day!")
        told = self.ai("/turns = refused")
        assert "give (refused), say, " in told
        assert "good day" not in told

    def test_the_list_of_turns_by_day_word_and_mark(self):
        """Each by itself, and several together, with commas between."""
        marrek = self.an_assistant()
        self.model.say("Hello.")
        self.does(self.builder, "say Hello, Marrek, my old friend!")
        day = turn_rows(named_assistants(), WantedTurns())[0].at[:10]
        mark_turn(marrek, turn_back(marrek, 1), good=True, by="Ada")
        for which in (
            *("good", "marked", '"old friend"', '"Hello."', f"from {day}", f"to {day}", "1"),
            f'good, from {day}, to {day}, "Marrek, my", cost, bea, 5',
        ):
            assert "answered" in self.ai(f"/turns = {which}"), which
        assert "(marked good)" in self.ai("/turns = good")
        for which in ("bad", '"ferry"', "from 2999-01-01", "to 1999-01-01", "good, failed"):
            assert "No such turns" in self.ai(f"/turns = {which}"), which
        assert "A day is such as" in self.ai("/turns = from yesterday")

    def test_what_an_older_turn_answered_was_answered(self):
        """Also where fewer turns are asked for."""
        self.an_assistant()
        self.model.say("Hello.").say("It is.")
        self.does(self.builder, "say Hello, Marrek!")
        self.does(self.builder, "say Marrek, a fine day.")
        told = self.ai("/why marrek = 1")
        assert "a fine day" in told
        assert "Hello, Marrek!" not in told

    def test_what_is_as_in_the_turn_before_is_not_told_again(self):
        """Each list of tools stands there once, until a turn differs from the one before it."""
        self.an_assistant()
        for words in ("say Hello, Marrek!", "say Marrek, a fine day."):
            self.model.say("Hello.")
            self.does(self.builder, words)
        self.ai("/config marrek = disabled_tools put_down")
        self.model.say("Yes.")
        self.does(self.builder, "say Marrek, is it?")
        told = self.ai("/why marrek").partition("Not answered")[0]
        newest, middle, oldest = told.split("tokens)")[1:]
        assert "put_down" in newest.partition("switched off (ai/config): ")[2]
        assert "all else: as before" in newest
        assert "whisper" in newest
        assert "page" not in newest
        assert "could do: as before" in middle
        assert "as before" not in oldest

    def test_before_anything_was_said(self):
        self.an_assistant()
        assert "nothing lately" in self.ai("/why marrek")

    def test_a_memory_that_is_no_row_is_told_by_its_reference(self):
        """Its words as they are now; once it is forgotten, what moves up is not taken for it."""
        marrek, alice = self.an_assistant(), self.a_player("Alice")
        self.does(alice, "say A fine day.")
        marrek.profiles.add_entity_observation(alice, "There is a raft under the jetty.")
        marrek.profiles.add_entity_observation(alice, "The cellar door is green.")
        alice.location = None  # else that is told beside her name
        self.model.say("Under the jetty.")
        self.does(self.builder, "say Marrek, is there a raft under some jetty?")
        assert "came to mind o1@Alice There is a raft" in self.ai("/why marrek")
        self.types(CmdAIMem, "/forget marrek = o1@alice", answers=["yes"])
        told = self.ai("/why marrek")
        assert "came to mind o1@Alice (forgotten, or" in told
        assert "green" not in told

    def test_what_a_tool_looked_up_is_told_with_its_words(self):
        """As they are now; a search that found nothing says so."""
        marrek, alice = self.an_assistant(), self.a_player("Alice")
        self.does(alice, "say A fine day.")
        marrek.profiles.add_entity_observation(alice, "There is a raft under the jetty.")
        marrek.profiles.add_entity_observation(alice, "The cellar door is green.")
        self.model.call("recall", who="Alice").call("recall", words="is there a raft")
        self.model.call("recall", words="a lute").say("A raft.")
        self.does(self.builder, "say Marrek?")
        told = self.ai("/why marrek")
        assert "recall (who: Alice): all of Alice" in told
        assert "found o1@Alice There is a raft under the jetty. (score" in told
        assert "recall (words: a lute): found nothing" in told

    def test_a_turn_is_read_by_as_many_queries_however_much_came_to_mind(self):
        """One for all memories that are rows, one for all people; so are `ai/why` and the API."""
        marrek = self.an_assistant()
        friends = [self.a_player(f"Friend{n}") for n in range(8)]
        for friend in friends:
            marrek.profiles.add_entity_observation(friend, "There is a raft.")
        rows = [MemoryRow("There is a raft.") for _ in range(14)]
        refs = [f"#{row.id}" for row in save(marrek, Commit(0.0, rows=rows))]
        refs += [f"o1@{entity_id(friend)}" for friend in friends]
        hits = [{"ref": ref, "mark": mark_of("There is a raft.")} for ref in refs]
        asked = []
        for turn, found in enumerate((hits[13:15], hits)):
            told = {"tool_name": "recall", "found": found[1:]}
            done = {"events": [], "why": {"recalled": found[:1]}}
            kinds = (("ToolExecuted", told), ("TurnCompleted", done))
            records = [AuditRecord(kind, data, turn_id=f"t{turn}") for kind, data in kinds]
            save(marrek, Commit(0.0, audit=records))
            marrek.attributes.reset_cache()
            with CaptureQueriesContext(connection) as seen:
                trace = trace_of(marrek, f"t{turn}")
            asked.append(len(seen))
            memories = [*trace.recalled, *trace.calls[0].found]
            assert [memory.words for memory in memories] == ["There is a raft."] * len(found)
        assert asked[0] == asked[1]

    def test_what_kept_it_from_answering_is_told_beside_the_rule(self):
        """Who else was spoken to, and with whom it talked."""
        self.an_assistant()
        alice, _ = self.a_player("Alice"), self.a_player("Bob")
        self.model.say("Good day.")
        self.does(alice, "say Good day, Marrek!")
        self.does(alice, "say Bob, is he always like that?")
        self.does(self.builder, "say A fine day.")
        told = self.ai("/why marrek").partition("Not answered")[2]
        assert "the line turns to Bob" in told
        assert "it was talking with Alice" in told

    def test_a_line_that_was_closed_says_why(self):
        """It was meant for it, by its rule; the reason stands beside that."""
        marrek, alice = self.an_assistant(), self.a_player("Alice")
        event = replace(
            from_page(marrek, alice, "Marrek?"), addressing="addressed", requires_response=True
        )
        close_events(self.resident(marrek).mind, [event], "speaker_gone")
        assert "called by name; closed: speaker_gone" in self.ai("/why marrek")

    @override_settings(AI_ASSISTANT_LINES_PER_DAY=1)
    def test_a_line_that_is_not_even_kept_says_why(self):
        """Without its words: those are nowhere."""
        alice = self.a_player("Alice")
        self.an_assistant()
        self.model.say("Good day.")
        self.does(alice, "say Good day, Marrek!")
        self.does(alice, "say Marrek, here are a hundred lines.")
        told = self.ai("/why marrek").partition("Not answered")[2]
        assert "Alice (say), not kept: more lines than one player may have" in told
        assert "hundred" not in told

    def test_each_cause_is_told_in_words(self):
        assert {*Obstacle} == {*CAUSES}

    def test_each_rule_is_told_in_words(self):
        assert {name for name, _ in CLASSIFYING} | {
            *("fallback", EXCUSED, TOO_OFTEN, TOO_MUCH, HANDED, ASKED)
        } == set(RULES)
