"""The script: a heartbeat that neither stops nor runs ahead, whatever happens around it."""

from evennia.scripts.models import ScriptDB
from twisted.internet.task import Clock

from ai_assistant.api import lifecycle
from ai_assistant.core.errors import StoreError
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import LivingTestCase, broken_database


class TestHeartbeat(LivingTestCase):
    def beats(self, script, seconds):
        """Let the script's own timer run on a clock of the test; returns how often it beat."""
        clock, beats = Clock(), []
        script.at_repeat = lambda **kwargs: beats.append(clock.seconds())
        task = script.ndb._task
        task.stop()
        task.clock = clock
        task.start(task.interval, now=False)
        clock.pump([1] * seconds)
        return len(beats)

    def test_pace(self):
        """It beats every five seconds awake, every minute asleep."""
        marrek = self.an_assistant()
        script, sleeper = marrek.assistant_script, self.resident(marrek).sleeper
        assert self.beats(script, 60) == 12
        sleeper.begin()
        assert self.beats(script, 60) == 1
        SERVICE.tick(self.resident(marrek).id)
        self.steps.run()
        SERVICE.tick(self.resident(marrek).id)
        assert self.beats(script, 60) == 12

    def test_falling_asleep_ends_nothing(self):
        """Another pace closes no question and ends no turn."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        hold = self.held(alice, "say Hello, Marrek!")
        self.resident(marrek).sleeper.begin()
        self.model.say("Yawn.")
        self.let_go(hold)
        assert 'Marrek says, "Yawn."' in self.screen(alice)
        assert self.closed() == []

    def test_it_beats_on_after_a_restart(self):
        """Asleep or awake again, it counts as active on disk, so that any restart takes it up."""
        marrek = self.an_assistant()
        sleeper = self.resident(marrek).sleeper
        for change in (sleeper.begin, sleeper.end):
            change()
            assert ScriptDB.objects.filter(db_obj_id=marrek.pk, db_is_active=True).count() == 1
        lifecycle.configure(marrek, "tick_rate", "7")
        assert ScriptDB.objects.filter(db_obj_id=marrek.pk, db_is_active=True).count() == 1

    def test_error_does_not_stop_the_heart(self):
        """A failing tick is logged, and nobody in the room reads of it."""
        alice, marrek = self.a_player("Alice"), self.an_assistant(autonomy_interval=1)
        self.resident(marrek).mind.config = None
        script = marrek.assistant_script
        script._step_task()
        self.steps.run()
        assert "heartbeat of " in "".join(self.logged())
        assert self.screen(alice) == []

    def test_outlives_its_character(self):
        """A script whose character is gone beats on without harm."""
        script = self.an_assistant().assistant_script
        script.obj = None
        for hook in (script.at_repeat, script.at_start, script.at_server_reload, script.at_stop):
            hook()
        SERVICE.residents.clear()

    def test_deleted_script(self):
        """Who deletes the script silences the assistant; what waits is closed."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        self.held(alice, "say Hello, Marrek!")
        marrek.assistant_script.delete()
        assert self.closed() == ["deleted"]
        assert not SERVICE.residents


class TestStart(LivingTestCase):
    def test_survives_a_restart(self):
        """It is persistent, and starts whom it kept when the server comes back."""
        marrek = self.an_assistant()
        assert marrek.assistant_script.persistent
        marrek = self.come_back(marrek)
        assert SERVICE.residents

    def test_after_a_kill(self):
        """A timer that nobody paused is started anew when the server comes up."""
        marrek = self.come_back(self.an_assistant())
        script = marrek.assistant_script
        script.ndb._task = None
        script.at_server_start()
        assert script.ndb._task.running
        task = script.ndb._task
        script.at_server_start()
        assert script.ndb._task is task

    def test_one_that_cannot_start(self):
        """Whatever goes wrong, the scripts after it are started as well, and staff are told."""
        marrek = self.an_assistant()
        script = marrek.assistant_script
        SERVICE.__init__(**{**self.ties(), "build": self.refuse})
        script.at_start()
        assert script.db.last_problem == "The disk is full."
        SERVICE.build = self.stumble
        script.at_start()
        assert "ZeroDivisionError" in "".join(self.logged())
        SERVICE.build = self.build
        script.at_start()
        assert script.db.last_problem == ""

    def refuse(self):
        raise StoreError("The disk is full.")

    def stumble(self):
        return 1 // 0

    def test_configuration_spoilt_by_hand(self):
        """A value that staff broke in the Attribute keeps that one silent, and nobody else."""
        marrek, tansy = self.an_assistant(), self.an_assistant("Tansy")
        marrek.assistant_script.db.config["tick_rate"] = "fast"
        marrek = self.come_back(marrek)
        self.come_back(tansy)
        assert list(SERVICE.residents) == [tansy.assistant_script.assistant_id]
        assert "tick_rate" in marrek.assistant_script.db.last_problem
        assert "tick_rate" in "".join(self.logged())

    def test_disk_fails_at_the_start(self):
        """Where its events cannot be read it does not run half; it starts as soon as they can."""
        alice, marrek = self.a_player("Alice"), self.an_assistant()
        self.held(alice, "say Hello, Marrek!")
        script = marrek.assistant_script
        SERVICE.__init__(**self.ties())
        self.steps.waiting.clear()
        with broken_database("SELECT", "ai_assistant_pending", passing=True):
            script.at_start()
        assert not SERVICE.residents
        assert "takes nothing" in script.db.last_problem
        self.logged()
        self.model.say("Where was I?")
        self.tick(marrek)
        self.tick(marrek)
        assert 'Marrek says, "Where was I?"' in self.screen(alice)
        self.logged()

    def test_one_script_each(self):
        """Ten restarts later there is one script and one heart."""
        marrek = self.an_assistant()
        for _ in range(3):
            marrek = self.come_back(marrek)
            lifecycle.start(marrek)
        assert ScriptDB.objects.count() == 1
        assert len(SERVICE.residents) == 1
