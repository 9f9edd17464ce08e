"""Whatever staff change of a mind stands on record with who it was: by command, page and API."""

from itertools import pairwise

from ai_assistant.api.execution import end_silence, silence
from ai_assistant.commands.staff.aigoal import CmdAIGoal
from ai_assistant.commands.staff.aiproj import CmdAIProj
from ai_assistant.commands.staff.airel import CmdAIRel
from ai_assistant.commands.staff.aisleep import CmdAISleep
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent
from ai_assistant.sleep.waking import begin_night
from tests.evennia.living import broken_database
from tests.evennia.test_rest import RestTestCase
from tests.evennia.test_web_forms import FormsTestCase


class TestWhoDidIt(RestTestCase, FormsTestCase):
    def setUp(self):
        super().setUp()
        self.marrek.profiles.add_entity_observation(self.builder, "Mends nets.")
        self.who, self.seen = entity_id(self.builder), 0
        self.by()  # what there was before

    def by(self):
        """Return each type that is new on record, with who did it."""
        found = AssistantEvent.objects.filter(assistant=entity_id(self.marrek), pk__gt=self.seen)
        rows = [*found.exclude(type__in=("StateChanged", "ToolExecuted")).order_by("pk")]
        self.seen = rows[-1].pk
        return {row.type: row.data.get("by", "") for row in rows}

    def test_goals(self):
        goals = self.marrek.goals
        goals.add_goal("Rest")
        assert self.by()["GoalCreated"] == ""  # by game code
        self.types(CmdAIGoal, "/add marrek = Mend the ferry")
        self.types(CmdAIGoal, "/set marrek = ferry: progress 50")
        self.types(CmdAIGoal, "/done marrek = ferry: It floats.")
        ends = {"GoalUpdated": self.char1.key, "GoalCompleted": self.char1.key}
        assert self.by() == {"GoalCreated": self.char1.key, **ends}
        self.types(CmdAIGoal, "/drop marrek = rest: no time")
        assert self.by() == {"GoalUpdated": self.char1.key}
        self.do("new_goal", description="Find planks.", priority="low")
        planks = goals.current_goals[-1]["id"]
        self.model.text('["Find good timber.", "Raise the walls."]')
        self.do("subtasks", goal=planks)
        self.steps.run()
        assert len(goals.current_goals) > 3
        fields = {"description": "Find planks.", "progress": "0", "priority": "high"}
        self.do("goal", goal=planks, status="active", **fields)
        assert self.by() == dict.fromkeys(("GoalCreated", "GoalUpdated"), self.account.key)
        made = self.data("POST", self.one("goals/"), {"description": "Find nails."})["id"]
        self.data("PATCH", self.one(f"goals/{made}/"), {"priority": "high"})
        self.model.text('["Ask the smith.", "Pay the smith."]')
        self.outcome("POST", self.one(f"goals/{made}/decompose/"))
        assert self.by() == dict.fromkeys(("GoalCreated", "GoalUpdated"), self.account.key)

    def test_projects(self):
        for line in ("create marrek = raft: A raft", "update marrek = raft: Four planks."):
            self.types(CmdAIProj, f"/{line}")
        for line in ("create marrek = hut: A hut", "swap marrek = raft", "complete marrek = raft"):
            self.types(CmdAIProj, f"/{line}")
        self.types(CmdAIProj, "/archive marrek = raft")
        every = ("Created", "Updated", "Swapped", "Completed", "Archived")
        types = [f"Project{done}" for done in every]
        assert self.by() == dict.fromkeys(types, self.char1.key)
        self.do("new_project", project="net", summary="A net.")
        self.do("project", project="net", action="update", text="Half of it is knotted.")
        for step in ("swap", "complete", "archive"):
            self.do("project_step", project="hut" if step == "swap" else "net", action=step)
        assert self.by() == dict.fromkeys(types, self.account.key)
        self.data("POST", self.one("projects/"), {"project": "oar", "summary": "An oar."})
        for key, did in (
            ("oar", "update"),
            ("hut", "swap"),
            ("oar", "complete"),
            ("oar", "archive"),
        ):
            self.data("PATCH", self.one(f"projects/{key}/"), {"action": did, "text": "Of ash."})
        assert self.by() == dict.fromkeys(types, self.account.key)

    def test_feelings(self):
        told = {"RelationshipChanged": self.char1.key}
        self.types(CmdAIRel, f"/set marrek = {self.builder.key}: 0.6")
        assert self.by() == told
        self.do("favor", who=self.who, favorability="0.4")
        assert self.by() == {"RelationshipChanged": self.account.key}
        self.data("PATCH", self.one(f"people/{self.who}/"), {"change": 0.1})
        assert self.by() == {"RelationshipChanged": self.account.key}

    def test_nights(self):
        self.types(CmdAISleep, "/now marrek")  # and done at once: there is nothing to sleep on
        assert self.by() == {"NightBegun": self.char1.key, "Woken": ""}
        begin_night(self.resident(self.marrek).mind, why="schedule", until=self.clock.now() + 1000)
        self.types(CmdAISleep, "/wake marrek")
        assert self.by()["Woken"] == self.char1.key
        for asleep in ("yes", "no"):
            self.do("sleep", asleep=asleep)
        assert self.by() == dict.fromkeys(("NightBegun", "Woken"), self.account.key)
        self.steps.run()
        for asleep in (True, False):
            self.data("POST", self.one("sleep/"), {"asleep": asleep})
        assert self.by() == dict.fromkeys(("NightBegun", "Woken"), self.account.key)

    def test_who_made_it(self):
        self.ai("/create Wren = tinker")
        self.data("POST", "assistants/", {"name": "Hilda", "room": "The Inn"})
        made = AssistantEvent.objects.filter(type="AssistantCreated").order_by("pk")
        assert [row.data.get("by") for row in made][-2:] == [self.char1.key, self.account.key]

    def test_start_and_stop(self):
        self.ai("/stop marrek")
        self.ai("/start marrek")
        types = ("AssistantStopped", "AssistantStarted")
        assert self.by() == dict.fromkeys(types, self.char1.key)
        self.data("POST", self.one("stop/"))
        self.data("POST", self.one("start/"))
        assert self.by() == dict.fromkeys(types, self.account.key)

    def test_quiet(self):
        """On record of each whom it was for: one, those of a room, or all."""
        wren = self.an_assistant("Wren", self.street)
        types = ("SilenceBegun", "SilenceEnded")
        for whom in ("marrek", "here", "all"):
            self.ai(f"/quiet {whom}")
            self.ai(f"/quiet {whom} = end")
            assert self.by() == dict.fromkeys(types, self.char1.key), whom
        for is_quiet in (True, False):
            self.data("POST", self.one("quiet/"), {"quiet": is_quiet})
        self.steps.run()
        assert self.by() == dict.fromkeys(types, self.account.key)
        hers = AssistantEvent.objects.filter(assistant=entity_id(wren), type__in=types)
        assert [row.data["for"] for row in hers] == ["all characters"] * 2

    def test_that_all_are_quiet_is_recorded_one_by_one(self):
        """All are quiet at once; the record of each is a step of its own, and waits if it must."""
        for number in range(4):
            self.an_assistant(f"Guest{number}")
        silence(None, by="Ada")
        assert self.resident(self.marrek).hindrance == "quiet"
        counts = [0]
        while self.steps.waiting:
            self.steps.waiting.popleft()()
            counts.append(AssistantEvent.objects.filter(type="SilenceBegun").count())
        assert counts[-1] == 5
        assert all(after - before <= 1 for before, after in pairwise(counts))
        with broken_database("INSERT", passing=True):
            end_silence(None, by="Ada")
            self.steps.run()
        self.tick(self.marrek)
        assert AssistantEvent.objects.filter(type="SilenceEnded").count() == 5
        self.logged()

    def test_what_cannot_be_put_on_record_is_not_done(self):
        """A stop is one with its record; nothing of it stays where the database refuses."""
        with broken_database("INSERT"):
            self.ai("/stop marrek")
        self.marrek.assistant_script.attributes.reset_cache()
        assert self.marrek.assistant_script.db.enabled
        assert not self.told("AssistantStopped")
