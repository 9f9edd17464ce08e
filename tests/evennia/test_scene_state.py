"""The state of scenes: what is stored is read whatever shape it has, and nothing is half done."""

import pytest

from ai_assistant.api import staging
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError, StoreError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Scene
from ai_assistant.roleplay.knowledge import STEP
from ai_assistant.roleplay.scene import RUNNING
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, WorldContainer
from tests.evennia.living import broken_database
from tests.evennia.test_live_scenes import SceneTestCase


class TestStoredShapes(SceneTestCase):
    """A row of another game, an older one's, or one that somebody made by hand, harms nobody."""

    def stored(self, state, session="zz", **values):
        """Put a row of a scene on disk, as a server finds it that starts."""
        fields = {"title": "Old", "status": "running", "created": 1, "updated": 1} | values
        Scene.objects.create(session=session, state=state, **fields)
        SCENES.reset()

    def assert_alice_answers(self):
        self.model.say("I hear you.")
        self.does(self.pia, "say Alice, hello!")
        assert 'Alice says, "I hear you."' in self.screen(self.pia)

    def test_members_of_another_shape_are_read(self):
        """What is unknown of a member is passed over, and everybody is still answered."""
        ada = {"id": "e1", "name": "Ada", "role": "queen"}
        self.stored({"id": "zz", "members": [ada, {"name": "Nobody"}, "x", ada], "mood": "grim"})
        assert [one.name for one in SCENES.get("zz").members] == ["Ada"]
        self.assert_alice_answers()

    def test_values_of_another_shape_are_left_out(self):
        """What can be read stays; the columns say which scene it is and whether it runs."""
        odd = {"members": 7, "places": [1], "flags": {"a": "b"}, "relationships": {"x": "y"}}
        self.stored({"day": "late", "status": "open", "policy": "loud", **odd})
        found = SCENES.running["zz"]
        assert (found.id, found.day, found.places, found.flags) == ("zz", 0, {}, {"a": "b"})
        assert (found.members, found.policy, found.relationships) == ((), "addressed", {})

    def test_a_row_that_cannot_be_read_is_left_out_and_reported(self):
        """The log names it; all other scenes go on."""
        self.stored(["no scene"])
        session = self.a_scene(self.pia, self.alice)
        assert list(SCENES.running) == ["", session]
        self.assert_alice_answers()
        [line] = {one for one in self.logged() if "ai_assistant: " in one}
        assert "'Old' cannot be read" in line

    def test_figures_of_another_shape_are_begun_anew(self):
        """What was counted differently does not keep a line from being saved."""
        session = self.a_scene(self.pia, self.alice)
        Scene.objects.filter(session=session).update(played={"rounds": 3, "exchanges": [1]})
        self.assert_alice_answers()
        assert Scene.objects.get(session=session).played["messages"] == 2
        assert staging.stop_scene(session).has(entity_id(self.alice))


class TestBoundaries(SceneTestCase):
    """Start, join, leave and end are one transaction each: refused or killed, all is as before."""

    def setUp(self):
        super().setUp()
        self.quinn = self.a_player("Quinn")

    def begun_with(self, session, who):
        """Return what somebody began a scene with, by kind."""
        rows = Container(session, entity_id(who)).find(limit=99)
        return {row.kind: row.content for row in rows if row.meta.get("permanent")}

    def accounts(self, who):
        return [row.content for row in self.rows(who) if row.kind == "recap"]

    def refuses(self, step, *args):
        """The database refuses to write rows in the middle of a step."""
        words = ("INSERT", "ai_assistant_memory")
        with broken_database(*words) as refused, pytest.raises(StoreError):
            step(*args)
        assert refused

    def test_a_start_that_fails_can_be_made_again(self):
        """The scene is open as before, also on disk; the next start gives everybody their own."""
        session = staging.create_scene("The Sword", self.pia).id
        staging.join_scene(session, self.alice)
        staging.set_scene(session, "plot", "The king is dead.")
        self.refuses(staging.start_scene, session)
        assert SCENES.get(session).status == Scene.objects.get(session=session).status == "open"
        assert staging.start_scene(session).status == RUNNING
        for one in (self.pia, self.alice):
            assert self.begun_with(session, one)["plot"] == "The king is dead."

    def test_an_end_that_fails_can_be_made_again(self):
        """The scene runs on; once it ends, everybody takes one account home."""
        session = self.a_scene(self.alice, self.bob)
        self.speaks(self.alice, "Bob, the well is dry.")
        self.refuses(staging.stop_scene, session)
        assert SCENES.get(session).is_running
        assert Scene.objects.get(session=session).status == "running"
        assert staging.stop_scene(session).status == "stopped"
        for one in (self.alice, self.bob):
            assert len(self.accounts(one)) == 1

    def test_the_end_of_a_long_scene_is_no_long_step(self):
        """All that one remembers of it is read, so of several each has a step; a killed server
        owes them their accounts, and the next one gives them."""
        session = self.a_scene(self.pia, self.quinn, self.alice)
        for who in (self.pia, self.quinn, self.alice):
            lines = [MemoryRow(f"Line {number}.", "utterance") for number in range(400)]
            staging.keep_rows(entity_id(who), session, lines)
        ended = staging.stop_scene(session)
        assert (ended.status, len(ended.owed)) == ("ending", 2)
        self.crash(self.alice)
        assert len(staging.settle_leavers(session).owed) == 1
        self.steps.run()
        assert SCENES.get(session).status == "stopped"
        for one in (self.pia, self.quinn, self.alice):
            assert len(self.accounts(one)) == 1

    def test_leaving_that_fails_can_be_done_again(self):
        """Whoever leaves is still in it, and takes the account home with the next try."""
        session = self.a_scene(self.pia, self.alice, self.bob)
        self.speaks(self.alice, "Bob, the well is dry.")
        self.refuses(staging.leave_scene, session, self.bob)
        assert SCENES.of(entity_id(self.bob)).id == session
        staging.leave_scene(session, self.bob)
        assert SCENES.of(entity_id(self.bob)).id == ""
        assert len(self.accounts(self.bob)) == 1

    def test_joining_that_fails_can_be_done_again(self):
        """Nobody plays along without plot and card."""
        session = self.a_scene(self.pia, self.alice, plot="The king is dead.")
        self.refuses(staging.join_scene, session, self.quinn)
        assert not SCENES.get(session).has(entity_id(self.quinn))
        staging.join_scene(session, self.quinn)
        assert self.begun_with(session, self.quinn)["plot"] == "The king is dead."

    def test_nobody_begins_twice(self):
        """Whoever comes back into a scene has what it began with, once."""
        session = self.a_scene(self.pia, self.alice, plot="The king is dead.")
        staging.leave_scene(session, self.alice)
        staging.join_scene(session, self.alice)
        found = Container(session, entity_id(self.alice)).find(where={"kind": "plot"}, limit=9)
        assert len(found) == 1

    def test_an_assistant_recalls_at_once_what_it_began_with(self):
        """Plot and card are in its index as soon as the scene runs, and the old plot is not."""
        session = self.a_scene(self.pia, self.alice, plot="Old plot.")
        index = self.resident(self.alice).mind.recall.index
        [old] = Container(session, entity_id(self.alice)).find(where={"kind": "plot"}, limit=9)
        assert old.id in index._slots
        staging.set_scene(session, "plot", "New plot.", by=self.pia)
        [new] = Container(session, entity_id(self.alice)).find(where={"kind": "plot"}, limit=9)
        assert new.id in index._slots
        assert old.id not in index._slots

    def test_a_new_plot_is_everybodys(self):
        """Changed while the scene runs, it takes the place of the old one in every container."""
        session = self.a_scene(self.pia, self.alice, plot="Old plot.")
        staging.set_scene(session, "plot", "New plot.", by=self.pia)
        for one in (self.pia, self.alice):
            assert self.begun_with(session, one)["plot"] == "New plot."
        staging.set_scene(session, "plot", "", by=self.pia)
        assert "plot" not in self.begun_with(session, self.alice)

    def test_what_is_said_while_a_scene_ends_is_told_at_home(self):
        """Whoever is in the middle of a turn takes the account home after it, with all of it."""
        session = self.a_scene(self.pia, self.alice)
        hold = self.held(self.pia, "say Alice, I am the queen!")
        self.model.say("Long live the queen!")
        staging.stop_scene(session)
        assert SCENES.of(entity_id(self.alice)).id == ""
        self.let_go(hold)
        assert self.accounts(self.alice) == []
        self.crash(self.alice)
        self.tick(self.alice)
        assert Scene.objects.get(session=session).status == "stopped"
        [told] = self.accounts(self.alice)
        assert "I am the queen!" in told
        assert "Long live the queen!" in told
        self.tick(self.alice)
        assert len(self.accounts(self.alice)) == 1

    def test_what_was_changed_from_outside_is_not_lost(self):
        """A shell's word stands: the server's change is refused once, then made on top of it."""
        session = self.a_scene(self.pia, self.alice)
        state = Scene.objects.get(session=session).state | {"quest": "find the sword"}
        Scene.objects.filter(session=session).update(state=state)
        with pytest.raises(AssistantError, match="changed from outside"):
            staging.set_scene(session, "time", "night")
        staging.set_scene(session, "time", "night")
        found = SCENES.get(session)
        assert (found.quest, found.time_of_day) == ("find the sword", "night")


class TestTheRecord(SceneTestCase):
    """What happens to a scene stands in its world container, and late comers know where it is."""

    def test_steps_of_a_scene_are_on_record(self):
        session = self.a_scene(self.pia, self.alice, location="tavern", weather="fog")
        staging.join_scene(session, self.bob)
        staging.leave_scene(session, self.bob)
        staging.stop_scene(session)
        steps = WorldContainer(session).find(where={"kind": STEP}, limit=9)[::-1]
        assert [row.meta["what"] for row in steps] == [
            "The scene begins with Pia, Alice: tavern, day 6 of the story",
            "weather: fog",
            "Bob joins the scene",
            "Bob leaves the scene",
            "The scene ends",
        ]

    def test_whoever_plays_has_who_comes_and_goes(self):
        """As memories of their own, at once; the last player's leaving is on record as well."""
        session = self.a_scene(self.pia, self.alice)
        staging.join_scene(session, self.bob)
        staging.leave_scene(session, self.bob)
        seen = ["Bob joins the scene", "Bob leaves the scene"]
        assert [row.content for row in self.rows(self.pia, session)] == seen
        assert not self.rows(self.bob, session, kind=STEP)
        staging.leave_scene(session, self.pia)
        assert [row.content for row in self.rows(self.pia, session)] == seen
        ended = [*seen, "Pia leaves the scene", "The scene ends"]
        assert [row.content for row in self.rows(self.alice, session)] == ended
        steps = WorldContainer(session).find(where={"kind": STEP}, limit=2)
        assert [row.meta["what"] for row in steps[::-1]] == ended[2:]

    def test_lore_of_the_start_reaches_who_joins_late(self):
        """What game code gives a scene when it starts is for all who ever play in it."""
        session = staging.create_scene("The Isle", self.pia).id
        staging.start_scene(session, [("eels", "Eels rule the isle.")])
        staging.join_scene(session, self.bob)
        for who in (self.pia, self.bob):
            [lore] = Container(session, entity_id(who)).find(where={"kind": "lore"}, limit=9)
            assert (lore.content, lore.meta["loreKey"]) == ("Eels rule the isle.", "eels")

    def test_who_joins_late_knows_where_and_when_it_plays(self):
        session = self.a_scene(self.pia, self.alice, location="tavern", quest="the sword")
        staging.join_scene(session, self.bob)
        told = "tavern, day 6 of the story; the quest: the sword"
        assert any(row.content.endswith(told) for row in self.rows(self.bob, session))
        assert not any(row.content.endswith(told) for row in self.rows(self.alice, session))
