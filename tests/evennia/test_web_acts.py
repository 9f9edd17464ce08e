"""What pages do as endpoints do: a life stopped, begun anew and ended, and scenes led."""

import html
import time
from dataclasses import replace

from ai_assistant.api import staging
from ai_assistant.api.handlers import save
from ai_assistant.commands.scene_shown import listed_scenes
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.game.identity import entity_id, is_assistant
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.storage import WorldContainer
from ai_assistant.storage.scene_rows import load_scene
from ai_assistant.web.edits import EDITS
from tests.evennia.test_web_forms import FormsTestCase

SECRET = "the eels are under the mill"


class ActsTestCase(FormsTestCase):
    def setUp(self):
        super().setUp()
        self.model.say("Aye.")
        self.does(self.builder, "say Hello, Marrek!")
        row = MemoryRow(content=SECRET, author=entity_id(self.builder), author_name="Bea")
        row = replace(row, readers=entity_id(self.builder), learned_at=1.0)
        save(self.marrek, Commit(at=1.0, rows=[row]))

    def memories(self, **which):
        return Memory.objects.filter(container=entity_id(self.marrek), archived_at=None, **which)

    def question(self, what, **fields):
        """Return what is asked before an act about Marrek is done."""
        answer = self.change(what, **fields)
        assert answer.status_code == 200, answer.content.decode()
        return html.unescape(answer.content.decode())

    def done(self, what, **fields):
        """Be sure of an act about Marrek, else about all; return the address it leads to."""
        address = self.address("edit" if what in EDITS else "edit_world", what=what)
        answer = self.browser().post(address, fields | {"sure": "yes"})
        assert answer.status_code == 302, answer.content.decode()
        return answer["Location"]


class TestLife(ActsTestCase):
    def test_it_is_stopped_and_started_where_it_stands_which_it_is(self):
        """The page of its execution offers the one that it is not."""
        stop, start = (self.address("edit", what=what) for what in ("stop", "start"))
        assert stop in (page := self.get("execution"))
        assert start not in page
        self.done("stop")
        assert not self.marrek.assistant_script.db.enabled
        assert start in (page := self.get("execution"))
        assert stop not in page
        self.done("start")
        assert self.marrek.assistant_script.db.enabled

    def test_what_would_be_lost_is_said_and_goes_only_by_the_whole_name(self):
        """A name that is not the whole one leads back to the form, and nothing is lost."""
        fields = {"scope": "memory", "whole_name": "Marrek"}
        assert "memory" in self.question("reset", **fields)
        wrong = self.refused("reset", **fields | {"whole_name": "marrek"})
        assert "give the whole name: Marrek." in wrong
        assert self.memories().exists()
        self.done("reset", **fields)
        assert not self.memories().exists()
        assert AssistantEvent.objects.get(type="AssistantReset").data["by"] == self.account.key

    def test_it_is_released_or_deleted_and_the_way_leads_to_all(self):
        """Its own pages are gone with it."""
        assert "and what it knows of 1 person" in self.question("delete", whole_name="Marrek")
        asked = self.question("release", keep="on", whole_name="Marrek")
        assert "rests until ai/adopt wakes it" in asked
        assert self.done("release", keep="on", whole_name="Marrek") == self.address("overview")
        assert not is_assistant(self.marrek)
        self.marrek = self.an_assistant("Hob")
        assert self.done("delete", whole_name="Hob") == self.address("overview")
        assert self.marrek.pk is None

    def test_a_secret_is_let_out_by_the_page_that_says_who_knows_it(self):
        """As an open copy; of what is open already the page does not offer it."""
        row = self.memories(content__contains=SECRET).first()
        way = f"{self.address('edit', what='publish')}?number={row.pk}"
        assert way in self.get("memory")
        asked = html.unescape(self.browser().get(way).content.decode())
        assert "known to Bea" in asked
        assert not self.memories(readers="*", content__contains=SECRET).exists()
        assert self.change("publish", number=10**20, sure="yes").status_code == 400
        self.done("publish", number=row.pk)
        copy = self.memories(readers="*", content__contains=SECRET).get()
        assert f"?number={copy.pk}" not in self.get("memory")

    def test_all_forget_a_person(self):
        """From what one holds of them, by their whole name."""
        key = entity_id(self.builder)
        page = self.get("person", query={"who": key})
        assert f"{self.address('edit_world', what='erase')}?who={key}" in page
        self.done("erase", who=key, scope="all", whole_name="Bea")
        assert not self.memories(content__contains=SECRET).exists()


class TestScenesLed(ActsTestCase):
    def setUp(self):
        super().setUp()
        self.clock.now = time.time  # what is later bears a later time
        self.done("new_scene", title="The Feast")
        (self.scene,) = self.scenes("The Feast")
        self.done("join_scene", scene=self.scene, who="Marrek")
        staging.join_scene(self.scene, self.builder, by="Ada")
        self.done("start_scene", scene=self.scene)
        self.model.say("Sit down.")
        self.does(self.builder, "say Marrek, the soup is cold.")

    def scenes(self, title):
        return [scene.id for scene in listed_scenes() if scene.title == title]

    def lines(self):
        return [row.content for row in WorldContainer(self.scene).find(limit=20) if row.author]

    def test_lines_are_taken_back_that_the_question_names(self):
        """Those alone; the page of a line takes back that one and all since."""
        page = self.asked_of_all("undo_scene", lines=1)
        assert "Sit down." in page
        assert "soup" not in page
        assert "soup" in self.asked_of_all("undo_scene", lines=2)
        self.done("undo_scene", scene=self.scene, lines=2)
        assert not any("soup" in line for line in self.lines())

    def asked_of_all(self, what, **fields):
        address = self.address("edit_world", what=what)
        answer = self.browser().post(address, fields | {"scene": self.scene})
        assert answer.status_code == 200, answer.content.decode()
        return html.unescape(answer.content.decode())

    def test_a_scene_branches_and_ends(self):
        """The first rests; its page offers what fits how it stands."""
        self.done("branch_scene", scene=self.scene, title="The Brawl")
        assert not load_scene(self.scene).is_running
        (branch,) = self.scenes("The Brawl")
        ends = f"{self.address('edit_world', what='stop_scene')}?scene="
        assert ends + branch in self.get("scene", query={"scene": branch})
        assert ends + self.scene not in self.get("scene", query={"scene": self.scene})
        self.done("stop_scene", scene=branch)
        assert load_scene(branch).is_over

    def test_a_name_that_nobody_bears_comes_again_in_the_form(self):
        """With what is wrong; and whom one may not change, one puts into no scene."""
        address = self.address("edit_world", what="join_scene")
        for who, status, told in (("Nemo", 400, "There is no"), ("Hob", 403, "may not change Hob")):
            if status == 403:
                self.an_assistant("Hob").locks.add("edit:false()")
            fields = {"scene": self.scene, "who": who, "sure": "yes"}
            answer = self.browser().post(address, fields)
            assert answer.status_code == status
            assert told in answer.content.decode()
