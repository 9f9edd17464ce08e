"""Scenes under kill -9 at a write: each is on disk as before the step, and then as after it."""

import base64
import json
import pickle
import shutil
from pathlib import Path

import pytest

from tests.e2e.harness import OWNER, Game, wait_for
from tests.e2e.test_survival import waiting

HOOKS = Path(__file__).with_name("cut_short.py")
HOOKED = {"AT_SERVER_STARTSTOP_MODULE": "server.conf.cut_short"}
OF_SCENES = {
    "ai_assistant_scene": "1",
    "ai_assistant_memory": "session != ''",
    "ai_assistant_told": "session != ''",
    "ai_assistant_participation": "session != ''",
    "ai_assistant_event": "assistant like 'scene:%'",
    "ai_assistant_state": "sequence like 'scene:%'",
}
"""What is on disk of scenes: tables, and which of their rows."""
ATTRIBUTES = (
    "select kept.db_category, kept.db_key, kept.db_value from typeclasses_attribute kept "
    "join objects_objectdb_db_attributes of on of.attribute_id = kept.id "
    "join objects_objectdb body on body.id = of.objectdb_id where body.db_key = ?"
)
NINTH_DAY = (
    "py from evennia.utils import gametime; from ai_assistant.api.scene_upkeep import tend; "
    "from ai_assistant.scenes.live_scenes import SCENES; "
    "gametime.GAME_TIME_OFFSET -= 8 * 86400 / gametime.TIMEFACTOR; SCENES.tended_at = 0; tend()"
)
"""Lets eight days of the game go by, until a heartbeat looks after the scenes."""


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened):
    """A village of its own: it is killed time and again."""
    folder = tmp_path_factory.mktemp("scene_kills")
    with Game.village(folder, opened, settings=HOOKED) as village:
        shutil.copy(HOOKS, village.root / "server" / "conf")
        yield village.open()


class Story:
    """The one scene that is played here, as it is on disk."""

    def __init__(self, game):
        self.game = game
        self.order = game.root / "server" / "cut_short"

    @property
    def state(self):
        """The scene as it was saved last."""
        newest = "from ai_assistant_scene where session != '' order by id desc limit 1"
        ((status, state),) = self.game.sql(f"select status, state {newest}")
        return {**json.loads(state), "status": status}

    def everything(self, file="evennia.db3"):
        """Return every row of every scene, and what Tansy has in mind."""
        asked = "select * from {} where {} order by id"
        tables = {
            of: self.game.sql(asked.format(of, which), file=file) for of, which in OF_SCENES.items()
        }
        return tables | {"mind": self.mind(file)}

    def mind(self, file="evennia.db3"):
        """Return what Tansy has in her own Attributes; of what she heard, talk in scenes."""
        rows = self.game.sql(ATTRIBUTES, "Tansy Brewell", file=file)
        found = {(of, key): value for of, key, value in rows}
        stored = found.pop((None, "perception_stream"), None)
        entries = pickle.loads(base64.b64decode(stored))["entries"] if stored else []
        talk = [line for line in entries if line.get("session") and line["kind"] != "move"]
        return found | {"talk": talk}

    def sessions(self):
        """Return the scenes of which Tansy has lines before her eyes."""
        return {line["session"] for line in self.mind()["talk"]}

    def rows(self, kind, words="", container=""):
        """Return whose rows of a kind hold these words."""
        query = ("select container from ai_assistant_memory where kind = ? and content like ? "
                 "and session = ? and container like ?")  # fmt: skip
        values = (kind, f"%{words}%", self.state["id"], container or "%")
        return [who for (who,) in self.game.sql(query, *values)]

    def member(self, name):
        """Return the id of a member by name, if it is one."""
        return next((one["id"] for one in self.state["members"] if one["name"] == name), "")

    def killed(self, who, typed):
        """Let somebody type what the Server does not survive, and start it again.

        Returns the tables that it had written by then, one for each statement.
        """
        epoch = self.epoch()
        with self.game.join(who) as line:
            self.order.touch()
            line.send(typed)
            self.game.died()
        self.order.unlink()
        self.game.start()
        wait_for(lambda: self.epoch() > epoch)  # before that it writes nothing
        return self.order.with_suffix(".ran").read_text().split()

    def epoch(self):
        """Return the number of the server that is in charge."""
        return self.game.sql("select epoch from ai_assistant_lease")[0][0]

    def whole(self, who, typed, check):
        """Kill the Server as soon as what it writes of a step is kept.

        Until then it was as before, to the last row; then it is all as `check` wants it.
        """
        wait_for(lambda: not waiting(self.game))  # who was spoken to has kept it
        before = self.everything()
        check(False)
        assert len(self.killed(who, typed)) > 2
        assert self.everything("cut_short.db3") == before
        check(True)


@pytest.fixture(scope="module")
def story(game):
    """A scene of Ada, Cleo and Tansy on day 6, which does not run yet."""
    with game.join("Ada") as ada, game.join("Cleo") as cleo:
        ada.ask("scene/create The Sword", "is made")
        cleo.ask("scene/join sword", "Cleo joins")
        ada.ask("scene/invite tansy", "Tansy Brewell joins")
        ada.ask("scene/set location = lair", "location")
        ada.ask("scene/set thing = the sword: Ada", "thing")
        ada.ask("scene/set plot = A sword is lost.", "plot")
        ada.caught_up()
    return Story(game)


def test_killed_at_the_start(story):
    """It runs, and all have plot and card, and the record has its beginning; or none of that."""

    def check(done):
        everybody = {one["id"] for one in story.state["members"]}
        begun = everybody if done else set()
        assert {*story.rows("plot")} == {*story.rows("character_card")} == begun
        assert bool(story.rows("scene_step", "begins")) == done
        assert (story.state["status"] == "running") == done

    story.whole("Ada", "scene/start", check)


def test_killed_while_something_is_handed_over(story):
    """Cleo has the sword, and the record and whoever saw it know it; or Ada has it still."""

    def holder():
        return story.state["things"]["the sword"]

    def check(done):
        assert holder() == story.member("Cleo" if done else "Ada")
        seen = story.rows("character_update", "Cleo got the sword")
        assert ("world" in seen) == (len(seen) > 1) == done

    with story.game.join("Cleo"):
        story.whole("Ada", "scene/give sword = Cleo", check)


def test_killed_at_a_change_of_day(story):
    """It is day 7 in the scene, in the record and for each who plays, or for nobody."""

    def check(done):
        everybody = ["world", *(one["id"] for one in story.state["members"])]
        told = story.rows("world_state_update", "It is day 7 now")
        assert sorted(told) == (sorted(everybody) if done else [])
        assert (story.state["day"] == 7) == done

    story.whole("Ada", "scene/day 7", check)


def test_killed_while_a_day_goes_by(story):
    """By the game's clock it is day 9 for the record and each who plays, or for nobody."""
    with story.game.join("Ada") as ada:
        ada.ask("scene/day 0", "It is day 1")
        ada.caught_up()
    story.game.accounts.add(OWNER)
    everybody = ["world", *(one["id"] for one in story.state["members"])]

    def check(done):
        told = story.rows("world_state_update", "It is day 9 now")
        assert sorted(told) == (sorted(everybody) if done else [])

    story.whole(OWNER, NINTH_DAY, check)
    with story.game.join("Ada") as ada:
        ada.ask("scene/day 9", "It is day 9")


def test_killed_at_a_branch(story):
    """The branch runs with all that the scene had, and the scene rests; or there is none.

    So has Tansy the talk in mind as one of the branch, or as one of the scene alone.
    """
    first = story.state["id"]
    with story.game.join("Ada") as ada:
        ada.ask("say Tansy, the lair is empty.", r"^Tansy Brewell says")
        ada.caught_up()
    wait_for(lambda: story.sessions() == {first})

    def count(session):
        asked = "select count(*) from ai_assistant_memory where session = ? and kind != ?"
        return story.game.sql(asked, session, "scene_step")[0][0]

    def check(done):
        ((status,),) = story.game.sql("select status from ai_assistant_scene where session = ?",
                                      first)  # fmt: skip
        assert status == ("open" if done else "running")
        everything = "select count(*) from ai_assistant_memory where session not in ('', ?)"
        others = story.game.sql(everything, first)[0][0]
        assert count(story.state["id"]) == count(first)
        assert bool(others) == done
        assert story.sessions() == {first, story.state["id"]}
        assert (story.state["id"] != first) == done

    story.whole("Ada", "scene/branch Another Sword", check)


def test_killed_at_the_end(story):
    """It is over, said so in the record, and all have their account or are owed it; or it runs."""
    with story.game.join("Ada") as ada:
        ada.ask("say Tansy, the sword is found at last.", r"^Tansy Brewell says")
        ada.caught_up()

    def check(done):
        everybody = {"world", *(one["id"] for one in story.state["members"])}
        assert {*story.rows("scene_step", "The scene ends")} == (everybody if done else set())
        taken = "select count(*) from ai_assistant_memory where kind = 'recap'"
        homes = story.game.sql(taken)[0][0]
        assert (story.state["status"] in ("ending", "stopped")) == done
        if done:
            assert homes + len(story.state["owed"]) >= 2
        else:
            assert homes == 0

    story.whole("Ada", "scene/stop", check)
