"""Tools that keep what the character knows at hand: its session memory and its notebook."""

from __future__ import annotations

from typing import Annotated, Literal

from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.memory.inner import notebook, session
from ai_assistant.memory.inner.persona_guard import self_reference
from ai_assistant.tools.marking import label_of, origin
from ai_assistant.tools.registry import tool
from ai_assistant.tools.schema import Prose
from ai_assistant.tools.tool_reach import ToolContext

_LONGEST_NOTES = Prose(2 * notebook.MAX_CHARACTERS, lines=notebook.MAX_CHARACTERS)
"""More than fits, so that a text that is too long is refused, not cut silently."""


@tool(
    kit="blocks",
    about={
        "memory_type": "fact: something true of the world or of somebody; "
        "pattern: how people here usually behave.",
        "content": "One sentence in the third person, such as 'Alice completed the intro quest.' "
        "Never about yourself.",
    },
)
def add_session_memory(
    turn: ToolContext, memory_type: Literal["fact", "pattern"], content: str
) -> Json:
    """Keep one lasting fact or pattern, so that it is before your eyes from now on."""
    content = " ".join(content.split())
    if problem := session.too_long(content):
        raise ToolError(problem)
    if refused := refusal_of_self(turn, content):
        return refused
    memory, readers = turn.state("session"), label_of(turn, content)
    if session.is_kept(memory, memory_type, content, readers):
        return _added(turn, memory_type, "") | {"note": "You keep exactly that already."}
    if problem := session.no_room_for_item(memory, memory_type, content, readers):
        turn.change(Change("session", "", "request_compaction", {}))
        return _no_room(problem, content)
    item = {"memory_type": memory_type, "content": content, **origin(turn), "readers": readers}
    turn.change(Change("session", "", "add_session_memory", item))
    return _added(turn, memory_type, content)


@tool(
    kit="blocks",
    about={
        "new_facts": "All facts that are to remain, each one sentence in the third person.",
        "new_patterns": "All patterns that are to remain, in the same form.",
        "summary": "One sentence on what you put together or left out.",
    },
)
def compact_session_memory(
    turn: ToolContext, new_facts: list[str], new_patterns: list[str], summary: str
) -> Json:
    """Replace the facts and patterns you keep by fewer ones that say the same.

    Only what exactly those may read who read this conversation is replaced; all else stays.
    """
    if not (new_facts or new_patterns):
        raise ToolError("That would leave nothing; give the facts and patterns that remain.")
    contents = (*new_facts, *new_patterns)
    if problem := next(filter(None, map(session.too_long, contents)), ""):
        raise ToolError(problem)
    every = [refusal_of_self(turn, content) for content in contents]
    if refused := [found for found in every if found]:
        rejected = "\n".join(found["rejected_content"] for found in refused)
        return {**refused[0], "rejected_content": rejected}
    longest = max(sum(len(text) + 1 for text in given) for given in (new_facts, new_patterns))
    if longest > session.MAX_CHARACTERS:
        return _no_room(f"That takes {longest} characters. {session.ROOM}", summary)
    replacing = {"new_facts": new_facts, "new_patterns": new_patterns, **origin(turn)}
    before = session.counts(turn.state("session"), turn.admit)
    turn.change(Change("session", "", "compact_session_memory", replacing))
    after = session.counts(turn.state("session"), turn.admit)
    return {"before": before, "after": after, "summary": summary}


@tool(
    kit="blocks",
    needs="notebook",
    about={
        "action": "append adds lines to your notes, write replaces all of them, clear removes "
        "them; left out, it is what suits your role.",
        "content": "The lines, in your own words; not needed to clear.",
    },
)
def memory(
    turn: ToolContext,
    action: Literal["", "write", "append", "clear"] = "",
    content: Annotated[str, _LONGEST_NOTES] = "",
) -> Json:
    """Write to your own notebook; what stands in it is shown to you under 'Memory' every time.

    Note decisions, results and numbers that you will need again. Notes taken in private stay
    private, and only the notes for the same listeners are replaced or removed.
    """
    done: str = action or turn.reach.memory_action
    if done == "clear":
        turn.change(Change("notebook", "", "clear", {"readers": turn.ceiling}))
        return {"success": True, "action": done, "characters": 0}
    if not content:
        raise ToolError("'content' must not be empty.")
    if problem := notebook.no_room_for_notes(turn.state("notebook"), done, content, turn.ceiling):
        turn.change(Change("notebook", "", "request_compaction", {}))
        return {
            "success": False,
            "error": f"{problem} Nothing was written.",
            "suggestion": "Use the action write with a shorter version of all your notes.",
        }
    turn.change(Change("notebook", "", done, {"content": content, **origin(turn)}))
    size = notebook.size_under(turn.state("notebook"), turn.ceiling)
    return {"success": True, "action": done, "characters": size}


def refusal_of_self(turn: ToolContext, text: str, about: str = "") -> Json | None:
    """Return what the model is told of a text about itself, or None; `about` is who it is about."""
    found = self_reference(text, (turn.me.name,), about=about)
    if not found:
        return None
    return {
        "success": False,
        "error": f"This is about yourself ('{found}'). Only the world and others are kept here.",
        "suggestion": (
            "Say it in the third person about somebody else: 'Alice completed the intro quest.' "
            "Quote what others say of themselves: Alice said: 'I was robbed.'"
        ),
        "rejected_content": text,
    }


def _no_room(error: str, content: str) -> Json:
    return {
        "success": False,
        "error": error,
        "suggestion": "Use compact_session_memory with fewer and shorter facts and patterns.",
        "rejected_content": content,
    }


def _added(turn: ToolContext, memory_type: str, content: str) -> Json:
    totals = session.counts(turn.state("session"), turn.admit)
    return {
        "success": True,
        "memory_type": memory_type,
        "added": content,
        "total_facts": totals["facts"],
        "total_patterns": totals["patterns"],
    }
