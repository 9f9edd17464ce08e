"""What tests of running assistants share: a service cranked by hand, and a model with a script."""

import time
from collections import deque
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property

import pytest
from django.db import DatabaseError, OperationalError, connection
from evennia.comms.comms import DefaultChannel
from evennia.objects.models import ObjectDB
from evennia.scripts.models import ScriptDB
from evennia.utils import create
from evennia.utils.test_resources import EvenniaCommandTestMixin
from twisted.internet.defer import Deferred
from twisted.logger import globalLogPublisher

from ai_assistant.api import lifecycle
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.desk.sandbox import SANDBOXES
from ai_assistant.api.turns.confirming import confirm
from ai_assistant.api.turns.past_upkeep import PAST_UPKEEP
from ai_assistant.api.whole.whole_exchange import ARRIVALS
from ai_assistant.commands.staff.ai import CmdAI
from ai_assistant.core.contracts import Category
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id
from ai_assistant.game.quiet import QUIET
from ai_assistant.models import AssistantEvent, PendingEvent
from ai_assistant.runtime.assembly import build_shared
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.server_lease import LeaseRow
from ai_assistant.testing import ManualClock, ScriptedModel
from ai_assistant.tools import tool
from ai_assistant.workers.long_work import LONG_WORK
from tests.evennia.stage import StageTestCase
from tests.evennia.storehouse import forget_caches


class Steps:
    """Stands in for the reactor: what is put off runs when the test says so."""

    def __init__(self):
        self.waiting = deque()

    def __call__(self, seconds, call):
        self.waiting.append(call)

    def run(self):
        """Run all that waits, and what that puts off in turn."""
        while self.waiting:
            self.waiting.popleft()()


def renew_lease(_seconds):
    """Pass a pause as a running server does, which renews its lease."""
    lease = LeaseRow().read()
    LeaseRow().renew(lease.epoch, lease.until + 1.0)


class LivingTestCase(StageTestCase):
    """The inn of the stage, where assistants live on `model`, `clock` and `steps`."""

    def setUp(self):
        super().setUp()
        self.model, self.clock, self.steps = ScriptedModel(), ManualClock(time.time()), Steps()
        self._log = []
        globalLogPublisher.addObserver(self._note_log)
        self.addCleanup(globalLogPublisher.removeObserver, self._note_log)
        SCENES.reset()
        QUIET.forget()
        PAST_UPKEEP.__init__()
        ARRIVALS.__init__()
        LONG_WORK.__init__()
        JOBS.__init__()
        SANDBOXES.__init__()
        self.addCleanup(QUIET.forget)
        SERVICE.__init__(**self.ties())
        self.addCleanup(SERVICE.__init__)
        self.addCleanup(self._stop_timers)

    def tearDown(self):
        """Whatever failed was meant to, and the model was asked all that it was to be asked."""
        super().tearDown()
        assert "ai_assistant: " not in (log := "\n".join(self.logged())), log
        assert not self.model.replies

    def _note_log(self, event):
        self._log.append(str(event.get("line") or event.get("log_format")))

    def logged(self):
        """Return the lines of the server's log since the last time."""
        lines, self._log = self._log, []
        return lines

    def ties(self):
        """What ties a service to this test instead of a server."""
        return {
            "later": self.steps,
            "next_step": self.steps,
            "in_server": lambda: True,
            "build": self.build,
        }

    def build(self):
        """Make what assistants share: the scripted model stands where the offline one would.

        The thread of its bridge, where the test's settings name a model, ends with the test.
        """
        shared = replace(build_shared(), offline=self.model, clock=self.clock)
        self.addCleanup(shared.bridge.stop)
        shared.calls.clock = self.clock
        return shared

    def _stop_timers(self):
        for script in ScriptDB.get_all_cached_instances():
            if script.ndb._task and script.ndb._task.running:
                script.ndb._task.stop()

    # -- people

    def an_assistant(self, name="Marrek", location=None, **config):
        """Return a character with a mind, which lives and is ready."""
        place = location or self.inn
        made = lifecycle.create_assistant(name, location=place, config=config)
        self.steps.run()
        return made

    def a_channel(self, name="Public", locks="listen:all();send:all()"):
        """Return a channel that anybody may join."""
        return create.create_channel(name, typeclass=DefaultChannel, locks=locks)

    def resident(self, character):
        """Return the running assistant behind a character."""
        return SERVICE.residents[entity_id(character)]

    def tick(self, character, seconds=5):
        """Let time pass, then a heartbeat, and all that follows from it."""
        self.clock.advance(seconds)
        SERVICE.watch.beat()
        character.assistant_script.at_repeat()
        self.steps.run()

    def does(self, body, line):
        """Let a body do something by its own command, and let everybody react."""
        body.execute_cmd(line)
        self.steps.run()

    def held(self, body, line):
        """Let a body say something, and stop the answering turn at its model call."""
        self.model.hold = Deferred()
        hold = self.model.hold
        self.does(body, line)
        return hold

    def let_go(self, hold):
        """Let the model answer."""
        hold.callback(None)
        self.steps.run()

    # -- the disk

    def open_events(self):
        """Return what is on disk of the triggers: (attempts, has claims) of each."""
        rows = PendingEvent.objects.order_by("pk").values_list("attempts", "claims")
        return [(attempts, bool(claims)) for attempts, claims in rows]

    def closed(self):
        """Return the reasons for which events were closed, in order."""
        rows = AssistantEvent.objects.filter(type="EventClosed").order_by("pk")
        return [row.data["reason"] for row in rows]

    def audited(self):
        """Return what the audit log says of all assistants: types in order."""
        return list(AssistantEvent.objects.order_by("pk").values_list("type", flat=True))

    def refused(self, call, *args, **options):
        """Return the words with which a call is refused."""
        with pytest.raises(AssistantError) as refusal:
            call(*args, **options)
        return str(refusal.value)

    def crash(self, character):
        """Let the server die: nobody is told, and what was in its memory is lost."""
        SERVICE.__init__(**self.ties())
        self.steps.waiting.clear()
        return self.come_back(character)

    def come_back(self, character):
        """Let a server start on the same database; returns the character as it finds it."""
        SERVICE.__init__(**self.ties())
        SCENES.reset()
        QUIET.forget()
        forget_caches()
        self.clock.advance(10)
        again = ObjectDB.objects.get(pk=character.pk)
        again.assistant_script.at_start()
        self.steps.run()
        return again


@contextmanager
def broken_database(*words, told="database disk image is malformed", passing=False):
    """Within, the database refuses every statement that holds all of these words.

    Where that is `passing`, the same statement may succeed later, as where a table is locked.
    """
    kind = OperationalError if passing or "no such" in told else DatabaseError
    refused = []

    def refuse(execute, sql, params, many, context):
        if all(word in sql for word in words):
            refused.append(sql)
            raise kind(told)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield refused


RUNG = []
"""What the tool below waits for, one entry for each time that it was begun."""


@tool(Category.DANGEROUS)
async def ring_bell(turn):
    """Ring the bell of the inn."""
    RUNG.append(Deferred())
    return {"rang": await RUNG[-1]}


class EventTestCase(LivingTestCase):
    """Alice, Bob and an assistant who can ring a bell; turns stop where the test wants them to."""

    def setUp(self):
        super().setUp()
        RUNG.clear()
        self.alice, self.bob = self.a_player("Alice"), self.a_player("Bob")
        self.marrek = self.an_assistant()

    def build(self):
        shared = super().build()
        shared.registry.add(ring_bell)
        return shared

    def ask(self, line="say Hello, Marrek!"):
        """Ask, and stop the turn at its first model call."""
        hold = self.held(self.alice, line)
        self.screen(self.alice)
        return hold

    def ring(self):
        """Ask for the bell, and stop the turn while it is being rung."""
        self.model.call("ring_bell")
        self.does(self.alice, "say Marrek, ring the bell!")
        self.screen(self.alice)

    def journal(self):
        """Return all that stands in the journal."""
        return "\n".join(entry["content"] for entry in self.marrek.journal.entries)

    def assert_answered_once(self, words):
        """The words were heard once, and nothing is left open."""
        heard = [line for line in self.screen(self.alice) if "Marrek" in line]
        assert heard == [f'Marrek says, "{words}"']
        assert PendingEvent.objects.count() == 0


class CommandTestCase(EvenniaCommandTestMixin, LivingTestCase):
    """An Admin stands in the inn, who calls unless another is named.

    What is told stays in one line, unless a test sets the width of a screen.
    """

    def setUp(self):
        super().setUp()
        self.char1 = self.a_player("Ada")
        self.account = self.char1.account
        self.account.permissions.add("Admin")

    @cached_property
    def builder(self):
        """A Builder, who comes into the inn when she is first spoken of: most tests need none."""
        bea = self.a_player("Bea")
        bea.account.permissions.add("Builder")
        return bea

    def ai(self, line, caller=None, answers=()):
        """Type `ai<line>`; returns all that the caller was told."""
        return self.types(CmdAI, line, caller, answers)

    def confirm(self, nonce, caller=None, session=None):
        """Confirm a staff's act as the command does; returns what came of it."""
        caller, told, refused = caller or self.char1, [], []
        done = confirm(nonce, caller, session or caller.sessions.get()[0])
        done.addCallbacks(told.append, lambda failure: refused.append(failure.value))
        self.steps.run()
        if refused:
            raise refused[0]
        return told[0]

    def types(self, command, line, caller=None, answers=(), **how):
        """Type a command of ours; returns all that the caller was told."""
        made, caller = command(), caller or self.char1
        if "SCREENWIDTH" not in caller.sessions.get()[0].protocol_flags:
            made.client_width = lambda: 1000
        told = self.call(made, line, caller=caller, inputs=[*answers], **how)
        self.steps.run()
        return told

    def names(self):
        """Return the names of all assistants."""
        return [one.key for one in lifecycle.all_assistants()]
