"""Edits with forms of their own: shown, asked about, then done as a command does."""

import html
import re
from urllib.parse import parse_qsl

from django.urls import reverse

from ai_assistant import blocks
from ai_assistant.api import lifecycle
from ai_assistant.api.desk.owner_writings import prompt_versions
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.past_states import last_moments, whose_past
from ai_assistant.commands.records.aiaudit import CmdAIAudit
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent
from ai_assistant.web.desk.audit_pages import LISTED
from tests.evennia.pages import PagesTestCase


class FormsTestCase(PagesTestCase):
    def form(self, what, account=None, **about):
        """Open the form of an edit; returns the answer."""
        return self.browser(account).get(self.address("edit", what=what), about)

    def do(self, what, **fields):
        """Send a form and be sure; returns what the page then says."""
        return self.sure_of(self.address("edit", what=what), fields)

    def tell(self, what, **fields):
        """Send a form about what everybody knows, and be sure; the same."""
        return self.sure_of(reverse("ai_assistant:edit_world", kwargs={"what": what}), fields)

    def sure_of(self, address, fields):
        browser = self.browser()
        done = browser.post(address, fields | {"sure": "yes"})
        assert done.status_code == 302, done.content.decode()
        return browser.get(done["Location"]).content.decode()

    def refused(self, what, **fields):
        """Send a form that does not fit; returns the page that says why."""
        answer = self.change(what, **fields, sure="yes")
        assert answer.status_code == 400, answer.content.decode()
        return answer.content.decode()

    def told(self, type):
        return AssistantEvent.objects.filter(type=type).exists()


class TestGoals(FormsTestCase):
    def setUp(self):
        super().setUp()
        self.goal = self.marrek.goals.add_goal("Build a tavern.", "high")

    def found(self):
        return self.marrek.goals.find_goal(self.goal)

    def whole(self, **others):
        """Return what the form of the goal sends, as it stands but for some fields."""
        fields = {"goal": self.goal, "description": "Build a tavern.", "priority": "high"}
        return fields | {"status": "active", "progress": "0"} | others

    def test_the_form_holds_what_is_now(self):
        page = self.form("goal", goal=self.goal).content.decode()
        assert 'value="Build a tavern."' in page
        assert '<option value="high" selected>' in page

    def test_a_goal_is_changed_once_it_was_confirmed(self):
        """Only what was changed is asked about, and nothing happens before the second form."""
        asked = self.change("goal", **self.whole(progress="40")).content.decode()
        assert "Progress in percent" in asked
        assert "Outcome" not in asked
        assert self.found()["progress"] == 0
        self.do("goal", **self.whole(progress="40", deadline="5"))
        assert self.found()["progress"] == 40
        assert self.found()["deadline"]

    def test_one_is_finished_and_another_dropped(self):
        """As `aigoal/done` and `aigoal/drop`: on record, with the words for it."""
        self.do("goal", **self.whole(status="completed", outcome="It stands."))
        assert self.found()["outcome"] == "It stands."
        assert self.told("GoalCompleted")

    def test_what_does_not_fit_is_refused(self):
        """In words, and nothing is changed."""
        assert "100" in self.refused("goal", **self.whole(progress="140"))
        assert "Nothing was changed" in self.refused("goal", **self.whole())
        assert "no such goal" in self.refused("goal", **self.whole(goal="goal_9_9"))
        assert self.found()["progress"] == 0

    def test_a_goal_and_a_subtask_are_added(self):
        """A subtask may be read by whoever may read what it is part of."""
        self.do("new_goal", description="Find planks.", priority="low", parent_id=self.goal)
        made = next(one for one in self.marrek.goals.current_goals if one["parent_id"])
        assert made["description"] == "Find planks."
        assert "Find planks." in self.get("plans")
        assert "Find planks." in self.get("goal", query={"goal": self.goal})

    def test_a_goal_is_broken_down_while_the_page_waits_not(self):
        """The page of the goal shows what its model made of it."""
        self.model.text('["Find good timber.", "Raise the walls.", "Roof it with reed."]')
        assert "It is being broken down." in self.do("subtasks", goal=self.goal)
        self.steps.run()
        assert "Raise the walls" in self.get("goal", query={"goal": self.goal})

    def test_a_builder_sees_no_form(self):
        assert self.form("new_goal", self.builder.account).status_code == 403
        assert "edit/" not in self.get("plans", self.builder.account)


class TestProjects(FormsTestCase):
    def setUp(self):
        super().setUp()
        self.do("new_project", project="Build a raft", summary="A raft of planks.")

    def test_its_context_is_written_anew(self):
        written = {"action": "update", "text": "Four planks are there."}
        self.do("project", project="build_a_raft", **written)
        slot = self.marrek.projects.slots["build_a_raft"]
        assert slot["context"] == "Four planks are there."
        query = {"project": "build_a_raft"}
        assert "Four planks" in self.get("project", query=query)

    def test_it_is_swapped_completed_and_archived(self):
        """Each as its switch of `aiproj` does."""
        self.do("new_project", project="hut", summary="A hut.")
        step = {"project": "build_a_raft"}
        self.do("project_step", **step, action="swap", text="The walls stand.")
        assert self.marrek.projects.active == "build_a_raft"
        assert self.marrek.projects.slots["hut"]["context"] == "The walls stand."
        self.do("project_step", **step, action="complete", text="It floats.")
        assert self.told("ProjectCompleted")
        self.do("project_step", **step, action="archive")
        assert "build_a_raft" not in self.marrek.projects.slots


class TestBlocks(FormsTestCase):
    def test_a_line_is_added_put_right_and_taken_back(self):
        """By the words of `aiblock/edit`; each is a version that names who wrote it."""
        fact = {"block": "shared_social", "field": "fact"}
        assert "The bridge is out." in self.do("block", **fact, text="The bridge is out.")
        page = self.do("block", **fact, text="is out -> is mended")
        assert "The bridge is mended." in page
        assert self.account.key in page
        page = self.do("undo_block", block="shared_social")
        assert "The bridge is out." in page

    def test_a_block_of_the_games_own(self):
        """It is made, shared by another, written, let go of and deleted."""
        tansy = self.an_assistant("Tansy")
        assert "watch" in self.do("new_block", block="watch", shared="on")
        own = self.address("edit", what="join_block", number=tansy.pk)
        self.browser().post(own, {"block": "watch", "sure": "yes"})
        page = self.do("block", block="watch", field="line", text="Nobody passes.")
        assert "shared by Marrek, Tansy" in page
        assert "Nobody passes." in page
        self.do("block_limit", block="watch", limit="900")
        assert "at most 900" in self.get("block", query={"block": "watch"})
        self.do("leave_block", block="watch")
        assert "watch" not in self.get("blocks")
        own = self.address("edit", what="delete_block", number=tansy.pk)
        self.browser().post(own, {"block": "watch", "sure": "yes"})
        assert "watch" not in self.get("blocks", number=tansy.pk)

    def test_a_view_is_changed_elsewhere(self):
        assert "view" in self.refused("block", block="tasks", field="line", text="Rest.")
        assert "no block" in self.refused("undo_block", block="dragon")


class TestTheWorld(FormsTestCase):
    def test_news_and_lore_reach_everybody(self):
        """As `aiworld` tells them, on record with who did."""
        assert "The tower fell." in self.tell("news", text="The tower fell.")
        assert "A land of eels." in self.tell("lore", text="A land of eels.")
        assert "A land of eels." in self.get("world_block", query={"block": "global_knowledge"})
        told = AssistantEvent.objects.get(type="Announced").data
        assert told["by"] == self.account.key

    def test_a_place_is_put_moved_and_taken_off(self):
        """What its form leaves empty stays as it was."""
        self.tell("place", place="The mill", description="It burnt down.", coordinates="3, 14")
        page = self.tell("place", place="The mill", description="", coordinates="4, 2.5")
        assert "It burnt down." in page
        assert "4, 2.5" in page
        assert "The mill" not in self.tell("remove_place", place="The mill").split("<h2>Map")[1]
        assert "The map agrees" in self.tell("sync_map")

    def test_builders_look(self):
        """What everybody knows has no lock; Admins keep it."""
        assert "edit/" not in self.get("world", self.builder.account)
        address = reverse("ai_assistant:edit_world", kwargs={"what": "news"})
        browser = self.browser(self.builder.account)
        assert browser.post(address, {"text": "No.", "sure": "yes"}).status_code == 403

    def test_what_does_not_fit_comes_again_as_it_was_typed(self):
        """With what is wrong, and nothing of it lost."""
        address = reverse("ai_assistant:edit_world", kwargs={"what": "place"})
        sent = {"place": "The mill", "description": "It burnt.", "coordinates": "by the river"}
        answer = self.browser().post(address, sent)
        again = answer.content.decode()
        assert answer.status_code == 400
        assert 'role="alert"' in again
        assert 'name="coordinates"' in again
        assert all(words in again for words in sent.values())
        assert self.browser().post(address, sent | {"sure": "yes"}).status_code == 400


class TestFeelingsAndNights(FormsTestCase):
    def test_how_near_somebody_is_is_set(self):
        """As `airel/set` does: it stays, and has its reason on record."""
        self.marrek.profiles.add_entity_observation(self.builder, "Mends nets.")
        who = entity_id(self.builder)
        page = self.do("favor", who=who, favorability="0.6", reason="She saved his boat.")
        assert "She saved his boat." in page
        assert self.marrek.profiles.get_entity_profile(who)["relationship"]["favorability"] == 0.6
        assert "Nothing was changed" in self.refused("favor", who=who, favorability="0.6")

    def test_it_is_put_to_sleep_and_woken(self):
        """One form, which offers whichever it is not."""
        assert "falls asleep" in self.do("sleep", asleep="yes")
        assert "Wake it" in self.get("nights")
        self.do("sleep", asleep="no")
        self.steps.run()
        page = self.get("nights")
        assert "Put it to sleep" in page
        assert 'data-label="Woken by">command<' in page
        address = self.address("nights")
        (night,) = set(re.findall(f'{address}\\?night=([^"]*)', self.get("audit")))
        assert "What the night of" in self.get("nights", query={"night": night})

    def test_a_night_that_is_not_on_record(self):
        assert "no such night" in self.refused("undo_night", night="none")


class TestTheAuditLog(FormsTestCase):
    def last(self):
        """Return the number of the last moment."""
        return last_moments(whose_past(self.marrek), 1)[0].name

    def test_each_commit_is_a_moment(self):
        """With what it changed, and what was before and after."""
        self.marrek.goals.add_goal("Find planks.")
        first = self.last()
        self.marrek.goals.add_goal("Find nails.")
        assert "goals" in self.get("audit")
        page = self.get("moment", query={"moment": first, "part": "goals"})
        assert "Find planks." in page
        assert "Find nails." not in page
        changes = self.get("moment", query={"moment": first, "then": self.last()})
        assert "Find nails." in changes
        assert "Find planks." not in changes.replace("-", "")

    def test_a_persona_and_memories_are_parts(self):
        """What a moment made of them is one click away, and what they were at another."""
        save(self.marrek, Commit(at=self.clock.now(), rows=[MemoryRow("Eels are dear.")]))
        blocks.change_persona(self.marrek, {"role": "smith"}, by="Ada")
        moment = self.last()
        listed = self.get("audit")
        assert '<td data-label="What">block persona</td>' in listed
        assert f"?moment=before+{moment}&amp;then={moment}" in listed
        changes = self.get("moment", query={"moment": f"before {moment}", "then": moment})
        assert "+role: smith" in changes
        assert "Eels" not in changes
        assert f"?moment=before%20{moment}&amp;then={moment}&amp;part=block" in changes
        assert "Eels are dear." in self.get("moment", query={"moment": moment, "part": "memory"})

    def test_what_more_there_is_to_say_is_said_in_words(self):
        """By page and by command, without the keys of the code."""
        lifecycle.configure(self.marrek, "tick_rate", "7", by="Ada")
        blocks.change_persona(self.marrek, {"role": "smith"}, by="Ada")
        for told in (self.get("audit"), self.types(CmdAIAudit, "/events marrek")):
            words = " ".join(told.split())
            assert "of: tick_rate; before: 5; now: 7; by: Ada" in words
            assert "block: persona" in words
            assert "done: write" in words

    def test_a_status_is_no_row_of_it(self):
        """What every fight sets is seen where somebody asks for the block."""
        row = 'data-label="When"'
        self.marrek.goals.add_goal("Find planks.")
        before = self.get("audit").count(row)
        assert blocks.set_status(self.marrek, health=50)
        assert self.get("audit").count(row) == before > 0
        assert 'id="versions"' in self.get("block", query={"block": "status"})

    def test_a_moment_that_is_not_known(self):
        """What is no moment, and one that is yet to come."""
        self.marrek.goals.add_goal("Find planks.")
        last = self.last()
        for typed in ("soon", "999999", "b99", "before 999999"):
            answer = self.browser().get(self.address("moment"), {"moment": typed})
            assert answer.status_code == 400
            told = "Which moment?" if typed == "soon" else f"no moment {typed.split()[-1]} yet"
            assert told in answer.content.decode()
        assert f"the last is {last}." in self.types(CmdAIAudit, "/at marrek = 999999")

    def test_both_lists_go_back_to_the_beginning(self):
        """Moments, those of blocks among them, and what happened: each once, page by page."""
        for n in range(LISTED + 1):
            blocks.change_persona(self.marrek, {"role": f"smith {n}"}, by="Ada")
            lifecycle.configure(self.marrek, "tick_rate", str(n + 3), by=f"Ada {n}")
            self.marrek.goals.add_goal(f"Find planks, {n}.")
        every = [one.name for one in last_moments(whose_past(self.marrek), 1000)]
        row = r'<th scope="row" data-label="Moment">\s*(b?\d+)</th>'
        assert self.told_by(r"Earlier moments", row, {}) == every
        query = {"type": "ConfigurationChanged"}
        told = self.told_by(r"Earlier happenings", r"by: Ada (\d+)", query)
        assert told == [str(n) for n in range(LISTED + 1)][::-1]

    def told_by(self, link, row, query):
        """Return what rows of the page tell, and of those to which a link leads in turn."""
        found = []
        for _ in range(9):
            page = self.get("audit", query=query)
            found += re.findall(row, page)
            led = re.findall(rf'href="\?([^"#]*)[^"]*">{link}', page)
            if not led:
                break
            query = dict(parse_qsl(html.unescape(led[0])))
        return found

    def test_the_page_of_a_turn_leads_to_what_it_changed(self):
        self.model.say("Well met.")
        self.does(self.builder, "say Hello, Marrek!")
        turn = AssistantEvent.objects.filter(type="TurnCompleted").latest("seq").turn_id
        assert f"audit/?turn={turn}" in self.get("turn", turn=turn)
        page = self.get("audit", query={"turn": turn})
        assert "by one turn" in page
        assert "stream" in page

    def test_builders_do_not_see_it(self):
        browser = self.browser(self.builder.account)
        assert browser.get(self.address("audit")).status_code == 403
        assert "/audit/" not in self.get("talk", self.builder.account)


class TestWritings(FormsTestCase):
    def test_a_template_is_written_applied_changed_and_deleted(self):
        """What is applied opens the next prompt; a text that does not fit is refused at once."""
        told = self.do("template", template="terse", text="You are {name}. {{moon}}")
        assert "Nobody knows {{moon}}" in told
        assert "terse is applied" in self.do("apply_template", template="terse")
        page = self.form("template", template="terse").content.decode()
        assert "You are {name}. {{moon}}" in page
        self.do("template", template="terse", text="You are {name}.", native="Call, {name}.")
        assert "{nobody}" in self.refused("template", template="terse", text="{name} {nobody}")
        stored = store_of(self.marrek).read("prompt")
        assert stored["templates"] == {
            "terse": {"text": "You are {name}.", "native": "Call, {name}."}
        }
        assert stored["applied_template"] == "terse"
        asked = self.change("drop_template", template="terse").content.decode()
        assert "You are {name}." in asked  # what goes is shown
        self.do("drop_template", template="terse")
        assert store_of(self.marrek).read("prompt")["applied_template"] == "default"
        assert "cannot be called" in self.refused("drop_template", template="default")

    def test_what_was_written_is_brought_back(self):
        """Templates and components as they were at a version, by the page and by the command."""
        where = {"role": "user", "injection_depth": "2", "injection_order": "7"}
        self.do("new_component", id="1200", key="mood", content="Be merry.", enabled="on", **where)
        first = prompt_versions(self.marrek, 9)[0].moment
        self.do("component", component="mood", content="Be sad.", enabled="on", **where)
        asked = self.change("earlier_prompt", version=first).content.decode()
        assert "Be sad." in asked
        assert "Be merry." in asked
        assert "put component mood" in self.do("earlier_prompt", version=first)
        assert store_of(self.marrek).read("prompt")["components"][0]["content"] == "Be merry."
        last = prompt_versions(self.marrek, 9)[1].moment
        self.types(CmdAI, f"/template marrek = back {last}")
        assert store_of(self.marrek).read("prompt")["components"][0]["content"] == "Be sad."
        assert f"{first}" in self.types(CmdAI, "/template marrek = history")
        assert "no version 1 of" in self.refused("earlier_prompt", version="1")

    def test_a_component_is_added_changed_and_deleted(self):
        """With the place and role that the form says."""
        where = {"role": "user", "injection_depth": "2", "injection_order": "7"}
        self.do("new_component", id="1200", key="mood", content="Be merry.", enabled="on", **where)
        assert "2 from the end, as what it hears" in self.get("prompt")
        changed = {**where, "injection_depth": "0"}
        self.do("component", component="mood", content="Be sad.", **changed)
        page = self.get("prompt")
        assert "Be sad." in page
        assert "switched off" in page
        taken = self.refused("new_component", id="1000", key="mind", content="x", **where)
        assert "1000 is no id" in taken
        assert "Be sad." in self.change("drop_component", component="mood").content.decode()
        self.do("drop_component", component="mood")
        assert store_of(self.marrek).read("prompt")["components"] == []
        assert self.told("ConfigurationChanged")

    def test_guidelines_are_given_accepted_and_rejected(self):
        """What the character proposes counts once it was accepted."""
        proposal = {"content": "Ask first.", "reason": "Cid was hurt.", "readers": "*"}
        step = Change("guidelines", "", "propose", proposal | {"at": 1.0})
        save(self.marrek, Commit(at=1.0, changes=[step]))
        assert "It proposes: Ask first." in self.get("persona")
        self.do("accept_guideline", guideline="1")
        self.do("guideline", text="Be kind.")
        kept = store_of(self.marrek).read("guidelines")["accepted"]
        assert [(one["content"], one["by"]) for one in kept] == [
            ("Ask first.", self.account.key),
            ("Be kind.", self.account.key),
        ]
        self.do("reject_guideline", guideline="1")
        assert "no such guideline" in self.refused("accept_guideline", guideline="1")
        assert "Ask first." not in self.get("persona", self.builder.account)


class TestTasks(FormsTestCase):
    def test_a_task_is_given_and_its_answer_read(self):
        """By whoever gave it alone; the record says that somebody asked."""
        self.model.text("Nine barrels.")
        assert "works on it" in self.do("task", text="Count the barrels.")
        self.steps.run()
        page = self.get("plans")
        assert "Nine barrels." in page
        assert f"{self.account.key} → Marrek" in page
        assert "acts on its own" in page
        assert "Nine barrels." not in self.get("plans", self.builder.account)
