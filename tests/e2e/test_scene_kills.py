"""Scenes under kill -9: each step of one is on disk with all that belongs to it, or not at all."""

import json
import time

import pytest

from tests.e2e.harness import Game, wait_for

DELAYS = (0.01, 0.05)
"""Seconds between the line that is typed and the kill, one after the other."""


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened):
    """A village of its own: it is killed time and again."""
    with Game.village(tmp_path_factory.mktemp("scene_kills"), opened) as village:
        yield village.open()


class Story:
    """The one scene that is played here, as it is on disk."""

    def __init__(self, game):
        self.game = game

    @property
    def state(self):
        """The scene as it was saved last."""
        newest = "from ai_assistant_scene where session != '' order by id desc limit 1"
        ((status, state),) = self.game.sql(f"select status, state {newest}")
        return {**json.loads(state), "status": status}

    def rows(self, kind, words="", container=""):
        """Return whose rows of a kind hold these words."""
        query = ("select container from ai_assistant_memory where kind = ? and content like ? "
                 "and session = ? and container like ?")  # fmt: skip
        values = (kind, f"%{words}%", self.state["id"], container or "%")
        return [who for (who,) in self.game.sql(query, *values)]

    def member(self, name):
        """Return the id of a member by name, if it is one."""
        return next((one["id"] for one in self.state["members"] if one["name"] == name), "")

    def killed_while(self, who, typed, is_done, delay):
        """Let somebody type a line, kill the server, start it again; was the step done?"""
        epoch = self.epoch()
        line = self.game.join(who)
        line.send(typed)
        time.sleep(delay)
        self.game.kill9_server()
        line.close()
        self.game.start()
        wait_for(lambda: self.epoch() > epoch)  # before that it writes nothing
        return is_done()

    def epoch(self):
        """Return the number of the server that is in charge."""
        return self.game.sql("select epoch from ai_assistant_lease")[0][0]

    def whole(self, who, typed, is_done, check):
        """Kill the server at a step until it was done; each time, `check` what is on disk."""
        for delay in DELAYS:
            done = self.killed_while(who, typed, is_done, delay)
            check(done)
            if done:
                return
        with self.game.join(who) as line:
            line.send(typed)
            line.caught_up()
        assert is_done()
        check(True)


@pytest.fixture(scope="module")
def story(game):
    """A scene of Ada and Tansy on day 6, which does not run yet."""
    with game.join("Ada") as ada, game.join("Cleo"):
        ada.ask("scene/create The Sword", "is made")
        ada.ask("scene/invite tansy", "Tansy Brewell joins")
        ada.ask("scene/set location = lair", "location")
        ada.ask("scene/set thing = the sword: Ada", "thing")
        ada.ask("scene/set plot = A sword is lost.", "plot")
    return Story(game)


def test_killed_at_the_start(story):
    """It runs, and all have plot and card, and the record has its beginning; or none of that."""

    def check(done):
        everybody = {one["id"] for one in story.state["members"]}
        begun = everybody if done else set()
        assert {*story.rows("plot")} == {*story.rows("character_card")} == begun
        assert bool(story.rows("scene_step", "begins")) == done

    story.whole("Ada", "scene/start", lambda: story.state["status"] == "running", check)


def test_killed_while_somebody_joins(story):
    """Cleo is in it with plot, card and what she finds, and the record says so; or not at all."""

    def check(done):
        who = story.member("Cleo") or "nobody"
        kinds = ("plot", "character_card", "world_state_update")
        assert [bool(story.rows(kind, container=who)) for kind in kinds] == [done] * 3
        assert len(story.rows("scene_step", "Cleo joins")) == int(done)

    with story.game.join("Ada"):
        story.whole("Cleo", "scene/join sword", lambda: bool(story.member("Cleo")), check)


def test_killed_while_something_is_handed_over(story):
    """Cleo has the sword, and the record and whoever saw it know it; or Ada has it still."""

    def holder():
        return story.state["things"]["the sword"]

    def check(done):
        assert holder() == story.member("Cleo" if done else "Ada")
        seen = story.rows("character_update", "Cleo got the sword")
        assert ("world" in seen) == (len(seen) > 1) == done

    with story.game.join("Cleo"):
        story.whole(
            "Ada", "scene/give sword = Cleo", lambda: holder() == story.member("Cleo"), check
        )


def test_killed_at_a_change_of_day(story):
    """It is day 7 in the scene, in the record and for each who plays, or for nobody."""

    def check(done):
        everybody = ["world", *(one["id"] for one in story.state["members"])]
        told = story.rows("world_state_update", "It is day 7 now")
        assert sorted(told) == (sorted(everybody) if done else [])

    story.whole("Ada", "scene/day 7", lambda: story.state["day"] == 7, check)


def test_killed_at_a_branch(story):
    """The branch runs with all that the scene had, and the scene rests; or there is none."""
    first = story.state["id"]

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

    story.whole("Ada", "scene/branch Another Sword", lambda: story.state["id"] != first, check)


def test_killed_at_the_end(story):
    """It is over, said so in the record, and all have their account or are owed it; or it runs."""
    with story.game.join("Ada") as ada:
        ada.ask("say Tansy, the sword is found at last.", r"^Tansy Brewell says")
        ada.caught_up()

    def check(done):
        assert len(story.rows("scene_step", "The scene ends")) == int(done)
        taken = "select count(*) from ai_assistant_memory where kind = 'recap'"
        homes = story.game.sql(taken)[0][0]
        if done:
            assert homes + len(story.state["owed"]) >= 2
        else:
            assert homes == 0

    story.whole("Ada", "scene/stop", lambda: story.state["status"] in ("ending", "stopped"), check)
