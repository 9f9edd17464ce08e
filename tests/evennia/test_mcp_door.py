"""The door of MCP: what its principals may read, that nobody's secret leaves it, what it says."""

import itertools
import json
import random
import re
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.test import override_settings
from evennia.server.models import ServerConfig

from ai_assistant.api import staging
from ai_assistant.api.handlers import save
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN, canonical
from ai_assistant.game.identity import entity_id
from ai_assistant.mcp.mcp_server import MOST_TEXT, Door, bounded
from ai_assistant.mcp.own_process import read_only
from ai_assistant.mcp.principals import principal_named
from ai_assistant.mcp.running_game import RunningGame
from ai_assistant.web.rest.api_routes import ENDPOINTS
from tests.evennia.living import LivingTestCase

DOCS = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text()


class DoorTestCase(LivingTestCase):
    def setUp(self):
        super().setUp()
        self.marrek, self.vessa = self.an_assistant(), self.an_assistant("Vessa")
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        for body in (self.alice, self.bob):
            body.account.characters.add(body)

    def opened(self, whom="staff"):
        return Door(principal_named(whom), RunningGame(""))

    def told(self, whom, tool, **arguments):
        """Return what a tool answers to somebody."""
        return json.loads(self.opened(whom).call(tool, arguments))

    def refusal(self, whom, tool, **arguments):
        """Return why it answers nothing."""
        return self.refused(self.opened(whom).call, tool, arguments)

    def everything(self, whom, words):
        """Return all that somebody can have of both, by each tool that reads and each resource."""
        door, texts = self.opened(whom), []
        for tool in door.tools():
            for key, word in itertools.product(("Marrek", "Vessa"), words):
                known = {"key": key, "q": word, "who": "Alice", "limit": 200}
                given = {
                    name: known[name] for name in tool.input_schema["properties"] if name in known
                }
                if tool.annotations.read_only_hint:
                    texts += self.text_of(door.call, tool.name, given)
        for one in door.resources():
            texts += self.text_of(door.read, one.uri)
        for one in door.templates():
            uri = one.uri_template.replace("{key}", "Marrek").replace("{who}", "Alice")
            texts += self.text_of(door.read, uri)
        return "\n".join(texts)

    def text_of(self, ask, *args):
        try:
            return [ask(*args)]
        except AssistantError as error:
            return [str(error)]


class TestNobodysSecretLeaves(DoorTestCase):
    def fill(self, seed):
        """Put canaries of all labels wherever a mind keeps something; returns {canary: readers}."""
        chance, canaries, number = random.Random(seed), {}, itertools.count()
        people = [entity_id(self.alice), entity_id(self.bob)]
        labels = [OPEN, "", *people, canonical(people)]

        def canary(readers):
            word = f"canary{seed}x{next(number)}y"
            canaries[word] = readers
            return f"The {word} sings."

        for mind in (self.marrek, self.vessa):
            for _ in range(40):
                who, readers = chance.choice([self.alice, self.bob]), chance.choice(labels)
                id, about = entity_id(who), {"readers": readers}
                match chance.randrange(6):
                    case 0:
                        mind.profiles.add_entity_observation(who, canary(readers), **about)
                    case 1:
                        mind.profiles.add_attribute(who, "taste", canary(readers), **about)
                    case 2:
                        mind.journal.add_journal_entry(canary(readers), source_entity=id, **about)
                    case 3:
                        talk = mind.working_memory
                        talk.add_conversation_message(who, canary(readers), **about)
                    case _:
                        role = chance.choice([{"author": id}, {"subject": id}])
                        kind = chance.choice(["utterance", "fact", "own_words"])
                        row = MemoryRow(canary(readers), kind, **role, **about)
                        save(mind, Commit(at=1.0, rows=[row]))
        return canaries

    def test_no_canary_reaches_a_stranger(self):
        """Of what a player may not read nothing is told, of what is told of them much is."""
        told = 0
        for seed in range(4):
            canaries = self.fill(seed)
            for whom, own in (("account:Alice", self.alice), ("character:Bob", self.bob)):
                text = self.everything(whom, ["sings"])
                for word in canaries:
                    may = canaries[word] == OPEN or entity_id(own) in canaries[word]
                    assert may or word not in text, (whom, word, canaries[word])
                    told += word in text
        assert told > 40

    def test_staff_miss_nothing(self):
        """The same canaries are all there for staff, so that the others were not merely lost."""
        canaries = self.fill(9)
        text = self.everything("staff", ["sings"])
        assert [word for word in canaries if word not in text] == []

    def test_a_character_reads_its_own_mind(self):
        """All of it, of whatever label, and nothing of another's."""
        self.fill(5)
        text = self.everything("character:Marrek", ["sings"])
        assert "canary5x0y" in text
        assert "canary5x79y" not in text


class TestHowOften(DoorTestCase):
    @override_settings(AI_ASSISTANT_LINES_PER_MINUTE=2)
    def test_a_players_searches_are_counted(self):
        """As at the command; by tool and by whatever words. What is read without a search is not,
        and staff are not counted."""
        self.marrek.profiles.add_entity_observation(self.alice, "Alice likes plums.", readers="*")
        door, asked = self.opened("account:Alice"), {"key": "Marrek", "q": "plums"}
        for _ in range(2):
            assert "plums" in door.call("list_memories", asked)
        told = self.refused(door.call, "list_memories", {"key": "Marrek", "q": "pears"})
        assert told.startswith("You ask too often.")
        assert "Marrek" in door.call("list_assistants", {})
        staff = self.opened()
        assert all("plums" in staff.call("list_memories", asked) for _ in range(4))


class TestWhatIsOffered(DoorTestCase):
    def test_each_tool_says_what_it_takes(self):
        """Names and fields are those of the REST API; what changes something says so."""
        tools = {tool.name: tool for tool in self.opened().tools()}
        assert {one.does.__name__ for one in ENDPOINTS} >= {
            name for name, tool in tools.items() if not tool.annotations.read_only_hint
        }
        goal = tools["add_goal"].input_schema
        assert goal["required"] == ["key", "description"]
        assert "high" in goal["properties"]["priority"]["enum"]
        assert tools["forget_memory"].annotations.destructive_hint
        assert not tools["list_memories"].annotations.destructive_hint
        assert all(tool.description.endswith(".") for tool in tools.values())
        tools |= {tool.name: tool for tool in self.opened("account:Alice").tools()}
        for tool in tools.values():
            given = tool.input_schema["properties"]
            assert [name for name in given if not given[name].get("description")] == [], tool.name
        assert not tools.keys() & {"publish", "delete", "set_option", "make"}

    def test_the_docs_name_every_tool(self):
        """None is left to be found by chance, and none is told of that there is not."""
        offered = {tool.name for tool in self.opened().tools()}
        offered |= {tool.name for tool in self.opened("account:Alice").tools()}
        assert [name for name in sorted(offered) if f"`{name}`" not in DOCS] == []
        rows = [row.split("|")[1] for row in DOCS.splitlines() if "ai://" in row]
        assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} <= offered

    def test_only_staff_change_anything(self):
        """Players and characters are offered nothing that does."""
        for whom in ("account:Alice", "character:Alice", "character:Marrek"):
            assert {tool.annotations.read_only_hint for tool in self.opened(whom).tools()} == {True}
            assert self.opened(whom).instructions().endswith("Read only.")

    def test_without_a_token_nothing_is_written(self):
        """It says so at first, and each time that something is to be changed."""
        assert "Read only: AI_ASSISTANT_TOKEN is not set" in self.opened().instructions()
        told = self.refusal("staff", "add_goal", key="Marrek", description="Rest")
        assert told.startswith("Read only: AI_ASSISTANT_TOKEN")
        assert self.marrek.goals.current_goals == []

    def test_wrong_arguments_are_named(self):
        """A tool that there is not, a part that lacks, a field that is unknown or out of bounds."""
        assert "no tool 'publish'" in self.refusal("staff", "publish", key="Marrek", number=1)
        assert self.refusal("staff", "list_people") == "Give: key."
        assert "There is no such field" in self.refusal("staff", "list_people", key="Marrek", x=1)
        assert "limit: " in self.refusal("staff", "list_memories", key="Marrek", limit=10_000)
        assert "no such goal" in self.refusal("staff", "goal", key="Marrek", goal="none")
        assert "nothing at ai://else" in self.refused(self.opened().read, "ai://else")

    def test_who_is_out_of_reach_is_not_there(self):
        """Whom a principal may not look into is refused in the words for one that there is not."""
        self.does(self.alice, "say A fine day.")
        told = self.refusal("staff", "list_people", key="Nobody")
        for key in ("Vessa", str(self.vessa.pk), entity_id(self.vessa)):
            assert self.refusal("character:Marrek", "list_people", key=key) == told
        self.marrek.profiles.create_entity_profile(self.bob)
        assert self.refusal("account:Bob", "about_me", key="Vessa") == told
        assert "Bob" in self.told("account:Bob", "about_me", key="Marrek")

    def test_scenes_are_those_that_one_plays(self):
        """Staff read how each stands; a character those it is in, and what it remembers of it."""
        made = staging.create_scene("The Lost Sword", self.alice)
        staging.invite(made.id, self.marrek, self.alice)
        staging.start_scene(made.id)
        staging.set_scene(made.id, "quest", "find the sword", by=self.alice)
        self.does(self.bob, "say Outside it rains.")
        row = MemoryRow("The sword is in the mill.", "fact")
        staging.keep_rows(entity_id(self.marrek), made.id, [row])
        for whom in ("staff", "character:Marrek"):
            (scene,) = self.told(whom, "list_scenes")
            assert scene["title"] == "The Lost Sword"
            shown = self.told(whom, "show_scene", scene=scene["scene"])
            assert shown["facts"]["activeQuest"] == "find the sword"
            assert "gameDay" not in shown["facts"]
            found = self.told(whom, "scene_memories", key="Marrek", scene=made.id)
            assert "The sword is in the mill." in [one["content"] for one in found]
        assert self.told("character:Vessa", "list_scenes") == []
        assert "no such scene" in self.refusal("character:Vessa", "show_scene", scene=made.id)

    def test_an_account_is_all_its_characters(self):
        """Each of them is told what a mind holds about it, by name."""
        self.alice.account.characters.add(self.bob)
        for body in (self.alice, self.bob):
            self.marrek.profiles.add_entity_observation(body, f"{body.key} has a cat.")
        told = self.told("account:Alice", "about_me", key="Marrek")
        assert {name: f"{name} has a cat." in str(lines) for name, lines in told.items()} == {
            "Alice": True,
            "Bob": True,
        }
        assert list(self.told("account:Bob", "about_me", key="Marrek")) == ["Bob"]
        found = self.told("account:Alice", "list_memories", key="Marrek", q="cat")
        assert "Alice has a cat." in str(found["Alice"])
        assert "Alice has a cat." not in str(found["Bob"])

    def test_who_is_gone_or_renamed_is_not_read_any_more(self):
        """A name means who bears it: once nobody does, a door that is open yet shows nothing."""
        for ended in (lambda body: setattr(body, "key", "Somebody"), lambda body: body.delete()):
            mind, player = self.an_assistant("Wren"), self.a_player("Pia")
            scene = staging.create_scene("The Lost Sword", self.alice)
            staging.invite(scene.id, mind, self.alice)
            self.marrek.profiles.add_entity_observation(player, "Pia has a cat.")
            doors = [self.opened(f"character:{body.key}") for body in (mind, player)]
            assert "Wren" in doors[0].call("list_assistants", {})
            assert "Sword" in doors[0].call("list_scenes", {})
            assert "cat" in doors[1].call("about_me", {"key": "Marrek"})
            player.account.delete()
            for body in (mind, player):
                ended(body)
            for tool in ("list_assistants", "list_scenes"):
                assert "by the name" in self.refused(doors[0].call, tool, {})
            assert [len(door.resources()) for door in doors] == [2, 1]
            assert self.refused(doors[1].call, "about_me", {"key": "Marrek"})

    def test_an_account_that_is_shut_out_reads_nothing(self):
        """Who may not log in any more has no view either, at the next request."""
        self.marrek.profiles.create_entity_profile(self.bob)
        door = self.opened("account:Bob")
        assert json.loads(door.call("list_assistants", {}))["Bob"]
        ServerConfig.objects.conf("server_bans", [("bob", "", None, "", "")])  # as by `ban bob`
        assert json.loads(door.call("list_assistants", {})) == {}
        ServerConfig.objects.conf("server_bans", [])
        assert json.loads(door.call("list_assistants", {}))["Bob"]
        type(self.bob.account).objects.filter(pk=self.bob.account.pk).update(is_active=False)
        assert json.loads(door.call("list_assistants", {})) == {}

    def test_an_answer_is_bounded(self):
        """What is longer is cut, and says so."""
        text = bounded(["word"] * MOST_TEXT)
        assert len(text) < MOST_TEXT + 100
        assert text.endswith("Ask for less.")
        assert bounded({"a": {1, 2}}) == '{"a": ["1", "2"]}'

    def test_whom_nobody_is(self):
        """A principal that there is not is refused."""
        for whom in ("", "root", "account:", "account:Eve", "character:Eve", "character:#99999"):
            assert self.refused(principal_named, whom)

    def test_what_is_forgotten_is_gone_at_once(self):
        """Nothing is kept from one request to the next."""
        row = MemoryRow("The mill burned down.", "fact")
        (kept,) = save(self.marrek, Commit(at=1.0, rows=[row]))
        assert self.told("staff", "list_memories", key="Marrek", q="mill")
        save(self.marrek, Commit(at=2.0, archived=[kept.id]))
        assert self.told("staff", "list_memories", key="Marrek", q="mill") == []


def test_its_process_writes_nothing(transactional_db):
    """The database itself refuses what would change it."""
    read_only(connection)
    try:
        with pytest.raises(DatabaseError, match=r"read-?only"), connection.cursor() as cursor:
            cursor.execute("DELETE FROM ai_assistant_memory")
    finally:
        if connection.vendor == "sqlite":  # which does not close what is kept in memory
            connection.cursor().execute("PRAGMA query_only = OFF")
        connection.close()
