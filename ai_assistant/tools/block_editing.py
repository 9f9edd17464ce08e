"""Tools that read and change the memory blocks by their words: only what is one's own to write."""

from __future__ import annotations

from typing import Annotated, Literal

from ai_assistant.core.contracts import Change, Entity, Json
from ai_assistant.core.errors import BlockRefused, ToolError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import rules, visible
from ai_assistant.memory.blocks.items import BLOCK_LINES, LineList, line_before, replacement
from ai_assistant.memory.blocks.shared_social import FACT_LINES
from ai_assistant.memory.blocks.status_block import of_body
from ai_assistant.memory.people.profiles import observation_as_row
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.planning.block_views import private_block, task_block
from ai_assistant.planning.goals import current_goals
from ai_assistant.planning.urgency import by_urgency
from ai_assistant.tools import agenda
from ai_assistant.tools.about_people import usable_talks
from ai_assistant.tools.block_keeping import TEXT, keepable, record_between, signed
from ai_assistant.tools.marking import origin
from ai_assistant.tools.registry import Tool, tool
from ai_assistant.tools.schema import check_arguments
from ai_assistant.tools.tool_reach import ToolContext

LABELS = "persona, private, shared_social, global_knowledge, status, tasks, or one of your game's."
WHO = "For private: the handle of the one it is about; left out, the one you talk to."


@tool(
    kit="blocks",
    needs="six_blocks",
    about={"fact": "One fact in the third person: 'The bridge is mended.'"},
)
def share_fact(turn: ToolContext, fact: Annotated[str, TEXT]) -> Json:
    """Put a fact among those that you tell anybody who asks. Never what was told in private."""
    if turn.ceiling != OPEN:
        raise ToolError("What is known in confidence cannot be shared with everybody.")
    return _add(turn, FACT_LINES, "", keepable(turn, fact))


@tool(kit="blocks", needs="six_blocks", reads=True, about={"block": LABELS, "entity": WHO})
def read_block(turn: ToolContext, block: str, entity: str = "") -> Json:
    """Read one of your memory blocks. Lines with a number can be changed with edit_block."""
    label = block.strip().lower()
    if label == rules.PERSONA:
        value = turn.reach.persona
    elif label == rules.STATUS:
        value = of_body(turn.state(label), turn.me.id, turn.world.status(), turn.admit)
    elif label == rules.TASKS:
        goals = current_goals(turn.state("goals"))
        value = task_block(goals, now_game=turn.world.game_time(), allow=turn.admit)
    elif label == rules.PRIVATE:
        who = _person(turn, entity)
        profile = turn.state("profile", who.id)
        now, talks = turn.clock.now(), usable_talks(turn, who)
        value = private_block(profile, who.id, talks, now=now, allow=turn.admit)
        value["name"] = who.name
    elif label == rules.GLOBAL:
        return {"block": label, "lines": visible.rows_of(label, turn.state(label))}
    else:
        return {"block": label, "lines": _numbered(turn, *_lines_of(turn, label))}
    return {"block": label, "value": value}


@tool(
    kit="blocks",
    needs="six_blocks",
    about={
        "block": LABELS,
        "action": "replace words by others, insert a line, or append one at the end.",
        "text": "The new words; to replace by nothing takes the line out.",
        "old_text": "To replace: words that stand in just one line of the block.",
        "line": "To insert: the number that the new line will have, from 1.",
        "entity": WHO,
    },
)
def edit_block(  # noqa: PLR0913 - what three kinds of edits need
    turn: ToolContext,
    block: str,
    action: Literal["replace", "insert", "append"],
    text: Annotated[str, TEXT] = "",
    old_text: Annotated[str, TEXT] = "",
    line: int = 0,
    entity: str = "",
) -> Json:
    """Change one of your memory blocks by its words. Persona and world are the game's to write."""
    label = block.strip().lower()
    if label in rules.SIX and not rules.may_update("npc", label):
        raise ToolError(f"You cannot write the block {label}: it is the game's.")
    words = keepable(turn, text) if text or action != "replace" else ""
    try:
        if label == rules.PRIVATE:
            return _edit_private(turn, _person(turn, entity), action, old_text, words)
        if label == rules.TASKS:
            return _edit_tasks(turn, action, old_text, words)
        lines, key = _lines_of(turn, label)
        if action == "append":
            return _add(turn, lines, key, words)
        items = turn.state(lines.part, key)[lines.name]
        if action == "insert":
            after = line_before(items, turn.ceiling, line or 1)
            return _write(turn, lines, key, "insert_line", {"content": words, "after": after})
        found = replacement(labelled.under(items, turn.ceiling), old_text, words)
        step = {"old": found.item["content"], "new": found.new}
        return _write(turn, lines, key, "edit_line", step)
    except BlockRefused as refused:
        raise ToolError(str(refused)) from refused


# -- blocks of lines


def _lines_of(turn: ToolContext, label: str) -> tuple[LineList, str]:
    """Return the lines of that label and the key of their block; raises `ToolError` for none."""
    if label == rules.SOCIAL:
        return FACT_LINES, ""
    if label == rules.STATUS:
        raise ToolError("Your status follows from the game; for feelings use update_emotion.")
    known = turn.store.keys(BLOCK_LINES.part)
    if label not in known:
        names = ", ".join((*rules.SIX, *known))
        raise ToolError(f"There is no block '{clean(label, 40)}'. There are: {names}.")
    return BLOCK_LINES, label


def _numbered(turn: ToolContext, lines: LineList, key: str) -> list[Json]:
    """Return the lines that may be used; those under exactly this label can be changed."""
    items = turn.state(lines.part, key)[lines.name]
    usable = labelled.usable_items(items, turn.admit)
    mine = labelled.under(items, turn.ceiling)
    return [
        {"text": line["content"]} | ({"line": mine.index(line) + 1} if line in mine else {})
        for line in usable
    ]


def _add(turn: ToolContext, lines: LineList, key: str, words: str) -> Json:
    if lines.knows(turn.state(lines.part, key), words, turn.ceiling):
        return {"success": True, "added": "", "note": "Exactly that stands there already."}
    return _write(turn, lines, key, "add_line", {"content": words})


def _write(turn: ToolContext, lines: LineList, key: str, op: str, words: Json) -> Json:
    """Propose a step; raises `ToolError` where it may not be, and asks for room where it lacks."""
    state = turn.state(lines.part, key)
    if not rules.may_update("npc", lines.part, state.get("type", "")):
        raise ToolError("You cannot write that block: it is the game's.")
    new = str(words.get("content") or words.get("new", ""))
    item = labelled.item(new, **origin(turn))
    if new and not lines.has_room(state, item):
        turn.change(signed(turn, lines.part, key, "request_compaction", {}))
        return {
            "success": False,
            "error": f"The block is full: {state['limit']} characters fit. Nothing was written.",
            "suggestion": "Replace a longer line by a shorter one; in your sleep it is put in "
            "order.",
        }
    turn.change(signed(turn, lines.part, key, op, words | origin(turn)))
    return {"success": True, "added": new}


# -- blocks that are views


def _edit_private(turn: ToolContext, who: Entity, action: str, old: str, words: str) -> Json:
    if action != "replace":
        return record_between(turn, who, words)
    profile = turn.state("profile", who.id)
    found = replacement(labelled.under(profile["observations"], turn.ceiling), old, words)
    new = {**found.item, "content": found.new} if found.new else None
    turn.keep(observation_as_row(who.id, profile["name"], found.item))
    edits = {"edits": {fingerprint(found.item): new}}
    turn.change(Change("profile", who.id, "redact", edits))
    return {"success": True, "now": found.new, "was": found.item["content"]}


def _edit_tasks(turn: ToolContext, action: str, old: str, words: str) -> Json:
    if action != "replace":
        return _done(turn, agenda.add_goal, description=words)
    goals = by_urgency(current_goals(turn.state("goals")), now_game=0.0)
    found = replacement(labelled.under(goals, turn.ceiling), old, words, "description")
    goal = found.item["id"]
    if not found.new:
        return _done(turn, agenda.drop_goal, goal_id=goal)
    return _done(turn, agenda.update_goal, goal_id=goal, description=found.new)


def _done(turn: ToolContext, tool: Tool, **given: str) -> Json:
    """Run another tool, as if it had been called."""
    arguments, _ = check_arguments(tool.params, given)
    return tool.run(turn, **arguments)  # type: ignore[return-value]


def _person(turn: ToolContext, handle: str) -> Entity:
    if handle:
        return turn.thing(handle, "person").entity
    if turn.trigger is None:
        raise ToolError("Say who it is about: give their handle as 'entity'.")
    return turn.trigger.source
