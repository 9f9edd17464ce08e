"""On its own in a real game: walks through real exits, greetings, patience, quiet nights."""

from django.db import connection
from evennia.objects.objects import DefaultExit, DefaultObject, DefaultRoom
from evennia.utils import create

from ai_assistant.agent.unasked.walking import LOST_AFTER
from ai_assistant.api import blocks, lifecycle
from ai_assistant.api.overview import status_lines
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.core.readers import OPEN
from ai_assistant.game.identity import entity_id
from ai_assistant.planning.goals import new_goal
from ai_assistant.storage.gateway import LONGEST_WAIT
from tests.evennia.living import LivingTestCase
from tests.evennia.storehouse import sqlite_only


class AutonomyTestCase(LivingTestCase):
    """The inn and the street, with a yard behind the street; ways lead to and fro."""

    def setUp(self):
        super().setUp()
        self.yard = create.create_object(DefaultRoom, key="Yard", nohome=True)
        self.back = self.a_way("back", self.street, self.inn)
        self.gate = self.a_way("gate", self.street, self.yard)
        self.a_way("out", self.yard, self.street)
        self.alice = self.a_player("Alice")

    def a_way(self, name, start, end):
        """Return an exit from one room to another."""
        return create.create_object(
            DefaultExit, key=name, location=start, destination=end, nohome=True
        )

    def has_goal(self, character, kind="", **about):
        """Give an assistant a goal, as a turn of its own would."""
        store = self.resident(character).mind.store
        number = len(store.read("goals")["goals"])
        at = self.clock.now()
        goal = new_goal(f"goal_0_{number}", f"{kind or 'Polish'} it", at=at, kind=kind, about=about)
        step = {"goal": goal | {"readers": OPEN}, "at": at}
        store.commit(Commit(at=at, changes=[Change("goals", "", "add_goal", step)]))

    def goals(self, character):
        """Return (status, outcome) of its goals."""
        goals = self.resident(character).mind.store.read("goals")["goals"]
        return [(one["status"], one["outcome"]) for one in goals]

    def befriend(self, character, who):
        """Let an assistant know somebody well."""
        character.profiles.update_relationship(entity_id(who), 0.5, "an old friend")

    def goes(self, body, way):
        """Let a body go through an exit, and let everybody react.

        Not by its command: Evennia 6 caches merged command sets by what the next test reuses.
        """
        way.at_traverse(body, way.destination)
        self.steps.run()

    def walks(self, character, beats):
        """Let the heart beat; returns the rooms where it was."""
        rooms = []
        for _ in range(beats):
            self.tick(character)
            rooms.append(character.location)
        return rooms


class TestWalking(AutonomyTestCase):
    def test_a_visit_through_real_exits(self):
        """Two rooms away; the model is not asked, and the goal ends with its outcome."""
        marrek = self.an_assistant()
        self.has_goal(marrek, "visit", place=entity_id(self.yard), name="Yard")
        assert self.walks(marrek, 3) == [self.street, self.yard, self.yard]
        assert self.goals(marrek) == [("completed", "Reached Yard.")]
        assert not self.model.requests

    def test_a_locked_exit_stays_locked(self):
        """Its own locks decide where it gets to; what is closed to it is given up."""
        marrek = self.an_assistant()
        self.gate.locks.add("traverse:perm(Builder)")
        self.has_goal(marrek, "visit", place=entity_id(self.yard), name="Yard")
        assert self.walks(marrek, 2) == [self.inn, self.inn]
        assert self.goals(marrek) == [("dropped", "There was no way to Yard.")]

    def test_rounds_over_three_rooms(self):
        """It goes from stop to stop, and begins anew."""
        marrek = self.an_assistant()
        stops = [
            {"place": entity_id(room), "name": room.key}
            for room in (self.inn, self.street, self.yard)
        ]
        self.has_goal(marrek, "patrol", stops=stops, pause=5)
        rooms = self.walks(marrek, 16)
        assert {self.inn, self.street, self.yard} == set(rooms)
        assert rooms.count(self.inn) >= 2
        assert self.goals(marrek) == [("active", "")]

    def test_it_follows_at_once(self):
        """Who leaves through an exit is followed without waiting for the next heartbeat."""
        marrek = self.an_assistant()
        self.has_goal(marrek, "follow", who=entity_id(self.alice), name="Alice")
        self.tick(marrek)
        self.goes(self.alice, self.door)
        assert marrek.location == self.street
        self.goes(self.alice, self.gate)
        assert marrek.location == self.yard

    @sqlite_only
    def test_a_step_keeps_nobody_waiting_for_a_busy_database(self):
        """Right after whom it follows, it waits as shortly for the disk as at a heartbeat."""
        waits = []

        def noted(execute, sql, *rest):
            if sql.startswith("UPDATE") and "objects_objectdb" in sql:
                waits.extend(connection.connection.execute("PRAGMA busy_timeout").fetchone())
            return execute(sql, *rest)

        marrek = self.an_assistant()
        self.has_goal(marrek, "follow", who=entity_id(self.alice), name="Alice")
        self.tick(marrek)
        self.door.at_traverse(self.alice, self.street)
        with connection.execute_wrapper(noted):
            self.steps.run()
        (wait,) = waits
        assert wait <= LONGEST_WAIT  # less still, soon after a refusal

    def test_who_is_told_to_follow_sets_out_with_the_turn(self):
        """Alice goes while it still thinks, or right after: no heartbeat is waited for."""
        marrek = self.an_assistant()
        self.model.calls(("move", {"to": "Alice"})).text("Lead on.")
        hold = self.held(self.alice, "say Marrek, follow me!")
        self.goes(self.alice, self.door)
        hold.callback(None)
        self.steps.run()
        assert marrek.location == self.street
        self.goes(self.alice, self.gate)
        assert marrek.location == self.yard

    def test_who_is_sent_for_something_brings_it(self):
        """Nobody is where it lies, and nothing is done unasked: the line pays for all of it."""
        lantern = create.create_object(DefaultObject, key="lantern", location=self.yard)
        marrek = self.an_assistant()
        self.model.calls(("move", {"to": "Yard"})).text("At once.")
        self.does(self.alice, "say Marrek, fetch me the lantern from the yard.")
        self.model.calls(("take", {"item": "lantern"}), ("move", {"to": "Alice"})).call("wait")
        self.walks(marrek, 3)
        assert "fetch me the lantern" in self.model.shown()
        assert lantern.location == marrek
        self.model.call("give", item="lantern", to="Alice").call("wait")
        self.walks(marrek, 3)
        assert lantern.location == self.alice

    def test_who_sent_it_pays_for_what_it_does_there(self):
        """Also where the server was restarted while it was on its way."""
        marrek = self.an_assistant(autonomy_interval=60)
        for restarts in (False, True):
            self.model.calls(("move", {"to": "Yard"})).text("At once.")
            self.does(self.alice, "say Marrek, fetch me the lantern from the yard.")
            if restarts:
                marrek = self.crash(marrek)
            self.model.call("wait")
            self.walks(marrek, 4)
            assert marrek.location == self.yard
            asked = self.model.requests[-1]
            assert (asked.context_type, asked.payer) == (
                "tick_autonomous",
                entity_id(self.alice.account),
            )
            marrek.location = self.inn

    def test_who_logs_out_is_not_waited_for_forever(self):
        """Whom it follows is gone from the world: after some minutes the goal ends."""
        marrek = self.an_assistant()
        self.has_goal(marrek, "follow", who=entity_id(self.alice), name="Alice")
        self.log_out(self.alice)
        self.alice.location = None
        self.tick(marrek)
        self.tick(marrek, LOST_AFTER + 1)
        assert self.goals(marrek) == [("dropped", "Alice was out of reach.")]

    def test_of_two_bodies_one_makes_the_rounds(self):
        """The other stays where it is, and goes on with them once the first one is gone."""
        marrek, twin = self.an_assistant(), self.an_assistant("Twin", self.street)
        blocks.embody(twin, marrek)
        self.steps.run()
        stops = [{"place": entity_id(room), "name": room.key} for room in (self.inn, self.yard)]
        self.has_goal(marrek, "patrol", stops=stops, pause=5)
        for _ in range(6):
            self.walks(marrek, 1)
            assert self.walks(twin, 1) == [self.street]
        lifecycle.stop(marrek)
        self.steps.run()
        assert {*self.walks(twin, 9)} == {self.street, self.inn, self.yard}

    def test_a_puppeted_body_is_not_walked_off_with(self):
        """While somebody plays the character, its own goals wait."""
        marrek = self.an_assistant()
        self.has_goal(marrek, "visit", place=entity_id(self.yard), name="Yard")
        marrek.locks.add("puppet:all()")
        self.alice.account.puppet_object(self.alice.sessions.all()[0], marrek)
        assert self.walks(marrek, 2) == [self.inn, self.inn]

    def test_who_is_answering_does_not_walk_off(self):
        """As long as it thinks about an answer, it stays where it was asked."""
        marrek = self.an_assistant()
        self.has_goal(marrek, "visit", place=entity_id(self.yard), name="Yard")
        hold = self.held(self.alice, "say Hello, Marrek!")
        assert self.walks(marrek, 2) == [self.inn, self.inn]
        self.model.say("Hello.")
        self.let_go(hold)
        assert 'Marrek says, "Hello."' in self.screen(self.alice)

    def test_ways_come_back_after_a_restart(self):
        """What was being walked is walked on by the next server."""
        marrek = self.an_assistant()
        self.has_goal(marrek, "visit", place=entity_id(self.yard), name="Yard")
        self.walks(marrek, 1)
        marrek = self.crash(marrek)
        assert self.walks(marrek, 2)[-1] == self.yard


class TestGreeting(AutonomyTestCase):
    def setUp(self):
        super().setUp()
        self.alice.move_to(self.street, quiet=True)
        self.marrek = self.an_assistant(autonomy_interval=3600)

    def test_a_friend_is_greeted_once(self):
        """Who comes in is greeted within a heartbeat, and not again for going to and fro."""
        self.befriend(self.marrek, self.alice)
        self.model.say("Alice! Come in.")
        self.goes(self.alice, self.back)
        self.tick(self.marrek)
        assert 'Marrek says, "Alice! Come in."' in self.screen(self.alice)
        assert "(Alice has just come in.)" in self.model.shown()
        for way in (self.door, self.back):
            self.goes(self.alice, way)
            self.tick(self.marrek)
        assert len(self.model.requests) == 1

    def test_a_stranger_is_not(self):
        """Nobody is greeted whom it does not know, and no model is asked about it."""
        self.goes(self.alice, self.back)
        self.tick(self.marrek)
        assert not self.model.requests

    def test_who_comes_unseen_by_others_is_not(self):
        """A greeting would tell that somebody is there, and so would the arrival, or a promise."""
        self.befriend(self.marrek, self.alice)
        bob, account = self.a_player("Bob"), self.alice.account
        self.log_out(self.alice)
        self.alice.location = self.inn
        self.alice.locks.add(f"view:not id({bob.id})")
        self.log_in(account, self.alice)
        self.marrek.working_memory.add_pending_action(self.alice, "Tell her of the ferry")
        self.steps.run()
        self.tick(self.marrek)
        assert not self.model.requests
        self.model.say("A cold night.")
        self.tick(self.marrek, 3700)
        assert "they are here" not in self.model.shown()
        self.model.say("Nobody.")
        self.does(bob, "say Marrek, who came in?")
        here, _, heard = self.model.shown().partition("## Here with you")[2].partition("## ")
        assert "Alice" not in here
        assert "Alice arrives." not in heard
        self.model.text("You did.")
        self.does(self.alice, "whisper Marrek = Who came in?")
        assert "Alice arrives." in self.model.shown()

    def test_who_was_greeted_may_answer_just_so(self):
        """The greeted one needs no name to be heard."""
        self.befriend(self.marrek, self.alice)
        self.model.say("Alice! Come in.").say("Soup.")
        self.goes(self.alice, self.back)
        self.tick(self.marrek)
        self.resident(self.marrek).mind.engagement.since -= 10  # events go by the real clock
        self.does(self.alice, "say Thanks! What is there to eat?")
        assert 'Marrek says, "Soup."' in self.screen(self.alice)

    def test_one_greets_for_all(self):
        """Of two assistants in the room one speaks; the other has nothing to say it with."""
        tansy = self.an_assistant("Tansy", autonomy_interval=3600)
        for one in (self.marrek, tansy):
            self.befriend(one, self.alice)
        self.model.say("Alice!")
        self.goes(self.alice, self.back)
        self.tick(self.marrek)
        self.tick(tansy)
        assert len(self.model.requests) == 1

    def test_a_restart_does_not_start_anew(self):
        """Nobody is greeted again because the server went down meanwhile."""
        self.befriend(self.marrek, self.alice)
        self.model.say("Alice! Come in.")
        self.goes(self.alice, self.back)
        self.tick(self.marrek)
        self.marrek = self.crash(self.marrek)
        for way in (self.door, self.back):
            self.goes(self.alice, way)
        self.tick(self.marrek)
        assert len(self.model.requests) == 1


class TestIdling(AutonomyTestCase):
    def test_alone_it_works_without_a_word(self):
        """With nobody near it works on its goal, and has no way to speak."""
        self.log_out(self.alice)
        self.alice.location = None
        marrek = self.an_assistant(autonomy_interval=60)
        self.has_goal(marrek)
        self.model.call("wait")
        self.tick(marrek, 241)
        assert not {"say", "emote", "whisper"} & set(self.model.offered())
        assert "Work on goal_0_0" in self.model.shown()

    def test_alone_with_nothing_to_do_costs_nothing(self):
        """No goal, no company: a day of heartbeats asks no model."""
        self.log_out(self.alice)
        self.alice.location = None
        marrek = self.an_assistant(autonomy_interval=60)
        for _ in range(50):
            self.tick(marrek, 1800)
        assert not self.model.requests

    def test_staff_see_why_it_is_quiet(self):
        """`ai/status` tells when it last acted, and why it does nothing now."""
        marrek = self.an_assistant(autonomy_interval=60)
        self.has_goal(marrek)
        self.model.call("wait")
        self.tick(marrek, 61)
        self.tick(marrek, 5)
        told = "\n".join(status_lines(marrek))
        assert "on its own: 5 seconds ago, works on a goal: Polish it" in told
        assert "does nothing unasked: it waits until it is time (0 seconds ago)" in told

    def test_staff_see_where_it_goes(self):
        """A walk under way stands there as well."""
        marrek = self.an_assistant()
        self.has_goal(marrek, "visit", place=entity_id(self.yard), name="Yard")
        self.tick(marrek)
        assert "on its way: visit it" in "\n".join(status_lines(marrek))
