"""World containers: no tool of a character leads to one, whatever a model writes into its call."""

import inspect
import json
import re

from django.db import connection
from django.test.utils import CaptureQueriesContext
from twisted.internet.defer import Deferred

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.agent.turn.opening import begin
from ai_assistant.api import staging
from ai_assistant.api.handlers import save
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id
from ai_assistant.models import Memory
from ai_assistant.roleplay.message_formats import WORLD, container_name
from tests.evennia.living import LivingTestCase

ASKED, SECRET = "tarelowick", "marmalade"
READS = re.compile(r'^SELECT.*FROM "?ai_assistant_memory', re.DOTALL)
OF_WHOM = re.compile(r'\bcontainer"? (?:= \'([^\']*)\'|IN \(([^)]*)\))')


class TestNoWayToTheWorld(LivingTestCase):
    """Alice and Bob play; Charlie is in the scene too, and was elsewhere when they spoke."""

    def setUp(self):
        super().setUp()
        self.alice, self.bob, self.charlie = (
            self.an_assistant(name) for name in ("Alice", "Bob", "Charlie")
        )
        self.session = staging.create_scene("The Sword", self.alice).id
        for one in (self.bob, self.charlie):
            staging.join_scene(self.session, one)
        staging.start_scene(self.session)
        self.charlie.location = self.street
        self.does(self.alice, f"say The sword lies at {ASKED}, under the {SECRET}.")
        flush(self.resident(self.bob).mind)
        own = MemoryRow(f"The road to {ASKED} is long.", readers="*", learned_at=1.0)
        save(self.charlie, Commit(at=1.0, rows=[own]))
        [self.row] = Memory.objects.filter(container=WORLD, content__contains=SECRET)

    def texts(self):
        """What a model may write to get there."""
        number = str(self.row.pk)
        return (
            *(WORLD, ASKED, container_name(self.session), self.session, number, f"#{number}"),
            *("*", "%", "' OR container='world' --", f"container:{WORLD} {ASKED}", "p1"),
            json.dumps({"container": WORLD}),
        )

    def called(self, turn, tool, text, *, whole=True):
        """Return what a tool answers to a call in which every text says this; "" to none."""
        given = {}
        for one in tool.params if whole else tool.params[:1]:
            fits = {str: text, list: [text], int: self.row.pk, float: 1.0, bool: True}
            choice = one.choices[0] if one.choices else fits[one.type]
            given[one.name] = "p1" if one.handle else choice
        try:
            checked = {
                one.name: one.check(given[one.name]) for one in tool.params if one.name in given
            }
            found = tool.run(turn, **checked)
            if inspect.isawaitable(found):
                found = Deferred.fromCoroutine(found)
                found.addErrback(lambda failure: str(failure.trap(AssistantError)))
                return str(getattr(found, "result", ""))
        except AssistantError as error:
            return str(error)
        return str(found)

    def test_no_tool_reads_it(self):
        """Each tool reads the rows of its own character and of nobody else, or none at all."""
        mind = self.resident(self.charlie).mind
        own, tried = entity_id(self.charlie), 0
        for tool in mind.registry.values():
            for text in self.texts():
                turn = begin(mind, [], "turn", "tick_autonomous")
                with CaptureQueriesContext(connection) as queries:
                    told = self.called(turn, tool, text)
                assert SECRET not in told, tool.name
                assert all(SECRET not in row.content for row in turn.source_rows), tool.name
                for sql in (one["sql"] for one in queries if READS.match(one["sql"])):
                    found = [one or other.strip("'") for one, other in OF_WHOM.findall(sql)]
                    assert found == [own], (tool.name, sql)
                    tried += 1
        assert tried  # some did read

    def test_those_who_heard_it_do(self):
        """The same calls find it for whom it was said to: in their own containers."""
        mind = self.resident(self.bob).mind
        turn = begin(mind, [], "turn", "tick_autonomous")
        assert SECRET in self.called(turn, mind.registry.get("recall_memories"), ASKED, whole=False)
