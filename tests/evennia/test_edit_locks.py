"""Whoever changes an assistant needs its `edit` lock: every switch of every command is tried."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.test import override_settings
from evennia.typeclasses.attributes import Attribute

from ai_assistant.api import card_exchange, lifecycle
from ai_assistant.commands import AssistantCmdSet
from ai_assistant.commands.command_base import AICommand
from ai_assistant.game.identity import ID_KEY
from ai_assistant.models import AssistantEvent, Memory, MemoryBlock
from ai_assistant.runtime.service import SERVICE
from tests.evennia.living import CommandTestCase

WRITES = {
    "ai/adopt": "marrek",
    "ai/persona": "marrek = personality: gruff",
    "ai/start": "marrek",
    "ai/stop": "marrek",
    "ai/quiet": "marrek",
    "ai/release": "marrek = keep",
    "ai/reset": "marrek = talk",
    "ai/delete": "marrek",
    "ai/interact": "marrek = What do you plan?",
    "ai/config": "marrek = tick_rate 7",
    "ai/announce": "marrek = The bridge is out.",
    "ai/publish": "marrek = #1",
    "ai/import": "card.json = marrek",
    "ai/template": "marrek = create plain: Be plain.",
    "ai/component": "marrek = add 1600 weather: It rains.",
    "ai/guidelines": "marrek = add Be kind.",
    "airel/set": "marrek = ada: 0.6 she saved his boat",
    "aimem/edit": "marrek = #1 The bridge is mended.",
    "aimem/forget": "marrek = #1",
    "aigoal/add": "marrek = Find planks.",
    "aigoal/set": "marrek = planks: progress 50",
    "aigoal/decompose": "marrek = planks",
    "aigoal/drop": "marrek = planks",
    "aigoal/done": "marrek = planks",
    "aiproj/create": "marrek = raft: Build a raft.",
    "aiproj/swap": "marrek = raft",
    "aiproj/update": "marrek = raft: Nearly done.",
    "aiproj/complete": "marrek = raft",
    "aiproj/archive": "marrek = raft",
    "aidelegate": "marrek = Count the barrels.",
    "aisleep/now": "marrek",
    "aisleep/wake": "marrek",
    "aisleep/schedule": "marrek = 2 for 4",
    "aisleep/undo": "marrek",
    "aidraft": "marrek = a smith",
    "ainote": "marrek = Be brief.",
    "ainote/remove": "marrek = 1",
    "aitry/good": "marrek = 1",
    "aitry/bad": "marrek = 1: No.",
    "aitry/unmark": "marrek = 1",
    "aiexec/trigger": "marrek",
    "aiexec/clear": "marrek",
    "aiblock/edit": "marrek = shared_social fact: The bridge is out.",
    "aiblock/undo": "marrek = persona",
    "aiblock/limit": "marrek = persona 900",
    "aiblock/create": "tansy, marrek = watch",
    "aiblock/join": "marrek = watch",
    "aiblock/leave": "marrek = watch",
    "aiblock/delete": "marrek = watch",
    "aiblock/share": "tansy = marrek",
    "aiblock/part": "marrek",
    "aiblock/import": "marrek = now",
    "aiblock/keep": "marrek",
    "aiscene/update": "game = marrek: He is wounded.",
    "aiscene/tell": "game = #1 tansy>marrek",
    "aiscene/fold": "game = marrek before 3",
    "aiscene/add": "game = marrek",
}
"""A line for each switch that changes an assistant."""
LOOKS = {
    *("ai", "ai/status", "ai/history", "ai/turns", "ai/why", "ai/lore", "ai/prompt", "ai/export"),
    *("ai/health", "ai/settings", "ai/call", "ai/money"),
    *("aitry", "aitry/beside", "aitry/again", "aitry/check"),
    *(
        "airel",
        "airel/history",
        "aigoal",
        "aigoal/all",
        "aigoal/agenda",
        "aiproj",
        "aidelegate/history",
    ),
    *("aimem", "aimem/profile", "aimem/working", "aimem/journal", "aimem/session"),
    *("aimem/notebook", "aimem/search", "aimem/newest", "aimem/why", "aimem/who"),
    *("aisleep", "aisleep/report", "aiexec"),
    "aiworld",
    *("aiblock", "aiblock/show", "aiblock/visible", "aiblock/readers", "aiblock/history"),
    *("aiscene", "aiscene/world", "aiscene/why", "aiscene/log", "aiscene/knows", "aiscene/who"),
    *(
        "aiscene/recap",
        "aiaudit",
        "aiaudit/events",
        "aiaudit/at",
        "aiaudit/compare",
        "aiaudit/export",
    ),
}
"""These change nothing."""
OF_NO_ASSISTANT = {
    "ai/create": "makes one",
    "ai/setup": "makes one, for superusers",
    "ai/test": "asks a model",
    "ai/confirm": "does what one proposed, under the locks of whatever it touches",
    "ai/prototype": "writes a prototype, under Evennia's own locks",
    "ai/token": "makes a key of one's own",
    "aimem/erase": "forgets a person in all assistants, which is that person's right",
    "aiscene/room": "changes a room, under that one's lock",
    "aiscene/create": "makes a scene",
    "aiworld/event": "what everybody knows has no locks, Admins keep it",
    **dict.fromkeys(
        (f"aiworld/{way}" for way in ("lore", "place", "move", "remove", "sync")), "the same"
    ),
    "aiscene/start": "a scene has no locks, Admins keep it",
    "aiscene/set": "the same",
    "aiscene/unset": "the same",
    "aiscene/undo": "the same",
    "aiscene/branch": "the same",
    "aiscene/export": "writes a file",
    "aiscene/import": "makes a scene, of assistants whose lock lets one",
    "aiscene/role": "the same as aiscene/set",
    "aiscene/day": "the same",
    "aiscene/remove": "the same",
    "aiscene/stop": "the same",
    "aiscene/correct": "goes by the lock of whose memory it is",
}


def switches():
    """Return all switches of staff: how each is typed, its command and its method."""
    staff = [made for made in AssistantCmdSet().commands if isinstance(made, AICommand)]
    return {
        f"{made.key}/{name}".rstrip("/"): (type(made), verb)
        for made in staff
        for name, verb in made.verbs.items()
    }


def stored():
    """Return all that the database holds of anybody, but for the ids of what is first seen."""
    kept = [list(model.objects.order_by("pk").values()) for model in (Memory, MemoryBlock)]
    rows = Attribute.objects.exclude(db_key=ID_KEY).values_list("pk", "db_key", "db_value")
    return [*kept, sorted(map(str, rows)), AssistantEvent.objects.count()]


class TestEditLock(CommandTestCase):
    def setUp(self):
        super().setUp()
        self.marrek, self.tansy = self.an_assistant("Marrek"), self.an_assistant("Tansy")
        self.marrek.locks.add("edit:false()")
        folder = self.enterContext(TemporaryDirectory())
        self.enterContext(override_settings(AI_ASSISTANT_CARDS=folder))
        Path(folder, "card.json").write_text('{"name": "Hob", "description": "A ferryman."}')

    def typed(self, name, line):
        command, _ = switches()[name]
        _, _, switch = name.partition("/")
        return self.types(command, f"/{switch} {line}" if switch else line, answers=["Marrek"])

    def test_every_switch_is_known_here(self):
        """Whoever adds one says what it does, or this fails."""
        assert {*WRITES} | LOOKS | {*OF_NO_ASSISTANT} == {*switches()}

    def test_none_changes_what_is_locked(self):
        """An Admin whom the lock keeps out is told so, and nothing is written."""
        before, awake = stored(), {*SERVICE.residents}
        for name, line in WRITES.items():
            assert "may not change Marrek" in self.typed(name, line), name
            assert stored() == before, name
        assert {*SERVICE.residents} == awake
        assert len(lifecycle.all_assistants()) == 2

    def test_looking_writes_nothing(self):
        before = stored()
        for name in LOOKS - {"ai/export", "aiaudit/export"}:
            self.typed(name, "game" if name.startswith("aiscene/") else "marrek")
            assert stored() == before, name

    def test_who_made_one_may_change_it(self):
        """A Builder changes the own, and nobody else's."""
        self.ai("/create Wren", self.builder)
        assert "from now on" in self.ai("/persona wren = personality: gruff", self.builder)
        told = self.ai("/persona tansy = personality: gruff", self.builder)
        assert "may not change Tansy" in told
        self.ai("/import card.json", self.builder)
        made = [body for body in lifecycle.all_assistants() if body.access(self.builder, "edit")]
        assert len(made) == 2

    def test_lock_that_changes_while_the_card_is_read(self):
        """What was allowed when the line was typed is asked again before it is done."""
        read = card_exchange.read_file(card_exchange.find_file("card.json"))
        command = switches()["ai/import"][0]()
        command.caller = self.char1
        assert "may not" in self.refused(command._imported, read, self.marrek)
