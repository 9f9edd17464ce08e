"""The command `aiproj` and the handler of projects: a swap on the screen."""

from ai_assistant.commands.staff.aiproj import CmdAIProj
from tests.evennia.living import CommandTestCase


class ProjectTestCase(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek = self.an_assistant()
        self.marrek.projects.create_project(
            "quest_design", "Design main quest line", "Act 1 complete"
        )
        self.marrek.projects.create_project("build_tavern", "Build a tavern", "Walls 50%")

    def proj(self, line, caller=None):
        return self.types(CmdAIProj, line, caller)


class TestProjects(ProjectTestCase):
    def test_the_active_one_comes_first(self):
        """Key, status, time and summary of each."""
        told = self.proj(" marrek")
        assert told.index("build_tavern") < told.index("quest_design")
        assert "active" in told
        assert "paused" in told

    def test_one_project_whole(self):
        """By its key or some of it."""
        told = self.proj(" marrek = tavern")
        for words in ("build_tavern", "Build a tavern", "Walls 50%", "active"):
            assert words in told

    def test_the_seeds_swap_on_screen(self):
        """Walls 60 % are saved, the quest is taken up where it was."""
        told = self.proj("/swap marrek = quest_design: Walls 60%")
        assert told == "From build_tavern to quest_design: Act 1 complete"
        stored = self.marrek.db.projects
        assert stored["active"] == "quest_design"
        slots = stored["slots"]
        assert (slots["build_tavern"]["status"], slots["quest_design"]["status"]) == (
            "paused",
            "active",
        )
        assert slots["build_tavern"]["context"] == "Walls 60%"

    def test_a_project_lives(self):
        """Opened, updated, completed, archived: each is told, and the end is on record."""
        assert "bake_bread now" in self.proj("/create marrek = Bake bread: Bread for the ford")
        assert "Dough is made" in self.proj("/update marrek = bake: Dough is made.")
        assert "completed" in self.proj("/complete marrek = bake_bread: Twelve loaves.")
        written = [entry["content"] for entry in self.marrek.journal.entries]
        assert "Completed a project: Bread for the ford. Twelve loaves." in written
        assert "archived" in self.proj("/archive marrek = bake_bread")
        assert "bake_bread" not in self.marrek.projects.slots

    def test_none_yet(self):
        """Somebody without projects: what to type."""
        self.an_assistant("Tansy")
        assert "aiproj/create Tansy" in self.proj(" tansy")

    def test_nonsense_changes_nothing(self):
        """Each refusal says what would do."""
        before = self.marrek.projects.slots
        for line, why in (
            ("/swap marrek = dragon", "has no project 'dragon'. There are: build_tavern"),
            ("/swap marrek", "Which project?"),
            ("/create marrek = tavern", "Usage: aiproj/create"),
            ("/create marrek = ???: x", "letters and digits"),
            ("/create marrek = build_tavern: Another", "taken already"),
            ("/update marrek = tavern", "Usage: aiproj/update"),
            ("/complete marrek = i", "Which of them"),
        ):
            assert why in self.proj(line), line
        assert self.marrek.projects.slots == before

    def test_builders_only_look(self):
        """A Builder sees the list, and may change nothing."""
        assert "build_tavern" in self.proj(" marrek", self.builder)
        assert "Only Admins" in self.proj("/archive marrek = tavern", self.builder)

    def test_staff_write_for_the_projects_own_readers(self):
        """A private project stays private when staff update it."""
        self.marrek.projects.create_project("cellar", "A cellar", "Dark.", readers="e-alice")
        self.proj("/update marrek = cellar: Darker.")
        self.proj("/swap marrek = tavern: Darkest.")
        slot = self.marrek.projects.slots["cellar"]
        assert (slot["context"], slot["readers"], slot["asides"]) == ("Darkest.", "e-alice", [])
        assert "(private)" in self.proj(" marrek = cellar")
