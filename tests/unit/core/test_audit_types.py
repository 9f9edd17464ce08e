"""The types of the audit log: what the source records, and what the docs explain."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import ai_assistant
from ai_assistant.roleplay.scene import Member, SceneState, join, leave
from ai_assistant.roleplay.scene_files.scene_records import scene_records

PACKAGE = Path(ai_assistant.__file__).parent
DOCS = PACKAGE.parent / "docs" / "audit.md"
EXPLAINED = {*re.findall(r"^\| `(\w+)` \| .+ \|$", DOCS.read_text("utf-8"), re.M)}
PROMISED = set(
    "AssistantCreated ToolExecuted GoalCreated GoalUpdated GoalCompleted ReflectionRecorded "
    "EmergencyStopTriggered EmergencyStopCleared TickCompleted ConfigurationChanged "
    "AssistantArchived".split()
)
RECORDS = re.compile(r"\b(AuditRecord|audit|record_audit)\(")
NAMED = re.compile(r"[A-Z][a-z]+([A-Z][a-z]+)*")


def recorded():
    """Return every type that the source gives to a record, whether by call or in a table."""
    names = set()
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text("utf-8")
        if path.name == "admin.py" or not RECORDS.search(source):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and RECORDS.fullmatch(f"{called(node)}("):
                names |= {arg.value for arg in node.args[:2] if literal(arg)}
    return {name for name in names if NAMED.fullmatch(name)}


def called(call):
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def literal(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_whatever_is_recorded_is_explained():
    """By the page of the docs, which no promised type may be missing from."""
    assert recorded() <= EXPLAINED
    assert EXPLAINED >= PROMISED


def test_nothing_is_explained_that_is_never_recorded():
    """A type that is gone goes from the list, too."""
    source = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    assert [name for name in EXPLAINED if f'"{name}"' not in source] == []


def test_the_life_of_a_scene_is_on_record():
    """Made, joined, begun, left, over; also what values were and are, where that is all."""
    scene = SceneState("s1", title="A play")
    joined = join(scene, Member("e1", "Alice"))
    told = [kind for kind, _ in scene_records(None, joined)]
    assert told == ["SceneCreated", "SceneJoined"]
    assert list(scene_records(joined, leave(joined, "e1"))) == [("SceneLeft", {"who": "e1"})]
    [(_, told)] = scene_records(joined, leave(joined, "e1"), by="Alice")
    assert told == {"who": "e1", "by": "Alice"}
    flagged = replace(joined, day=3, flags={"gate": "open", "owed": 2})
    [(kind, told)] = scene_records(joined, flagged, by="Alice")
    assert (kind, told["by"]) == ("SceneChanged", "Alice")
    assert told["was"] == {"day": 0, "flags": {"gate": "", "owed": ""}}
    assert told["now"] == {"day": 3, "flags": {"gate": "open", "owed": 2}}
    shut = replace(flagged, flags={"gate": "shut"})
    [(_, told)] = scene_records(flagged, shut)
    assert told["was"] == {"flags": {"gate": "open", "owed": 2}}
    assert told["now"] == {"flags": {"gate": "shut", "owed": ""}}
    assert [*scene_records(shut, replace(shut, played_at=5.0))] == []
