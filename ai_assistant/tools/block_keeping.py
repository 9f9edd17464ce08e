"""Tools for the memory blocks: the next task, feelings, and what is kept between two."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Change, Entity, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import meet
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.items import MAX_CONTENT
from ai_assistant.memory.blocks.status_block import MAX_TEXT, gauge_of, of_body
from ai_assistant.memory.people.profiles import SECRET
from ai_assistant.planning.block_views import task_of
from ai_assistant.planning.goals import current_goals
from ai_assistant.planning.urgency import by_urgency
from ai_assistant.tools.keeping_notes import refusal_of_self
from ai_assistant.tools.learning import observe
from ai_assistant.tools.marking import origin
from ai_assistant.tools.registry import tool
from ai_assistant.tools.schema import Handle, Prose
from ai_assistant.tools.tool_reach import ToolContext

TEXT = Prose(MAX_CONTENT, lines=1, is_cut=False)


@tool(kit="planning", needs="agenda", reads=True)
def get_next_task(turn: ToolContext) -> Json:
    """See what to work on now: the most urgent of your open goals."""
    goals = current_goals(turn.state("goals"))
    for goal in by_urgency(goals, now_game=turn.world.game_time()):
        if turn.reach.goals.may_do(goals, goal) and turn.admit(goal["readers"], goal["author"]):
            turn.reach.goals.take_on(goal)
            return {"task": task_of(goal), "note": "Tell how far you are with update_goal."}
    return {"task": None, "note": "There is nothing to do."}


@tool(
    kit="people",
    needs="six_blocks",
    about={"emotion": "A few words, such as worried, or proud, but uneasy about the storm."},
)
def update_emotion(
    turn: ToolContext, emotion: Annotated[str, Prose(MAX_TEXT, lines=1, is_cut=False)]
) -> Json:
    """Let what happened change how you feel; it shows in your status from now on."""
    felt = " ".join(emotion.split()).rstrip(".")
    if not felt:
        raise ToolError("There are no words in it.")
    felt = felt[0].lower() + felt[1:]
    live = turn.world.status()
    before = of_body(turn.state(rules.STATUS), turn.me.id, live, turn.admit).get("emotion", "")
    turn.change(signed(turn, rules.STATUS, "", "feel", {"emotion": felt, **origin(turn)}))
    return {"emotion": felt, "gauge": gauge_of(felt), "before": before}


@tool(
    kit="people",
    about={
        "entity": "Whom it was with.",
        "details": "What happened or was confided, in one sentence in the third person.",
    },
)
def record_interaction(
    turn: ToolContext, entity: Annotated[str, Handle("person")], details: Annotated[str, TEXT]
) -> Json:
    """Keep something between you and one person: nobody else will ever hear of it from you."""
    who = turn.thing(entity, "person").entity
    return record_between(turn, who, keepable(turn, details, about=who.name))


def record_between(turn: ToolContext, who: Entity, words: str) -> Json:
    """Propose that something be kept between the character and one person."""
    observe(turn, who, words, "direct", readers=meet(turn.ceiling, who.id), kind=SECRET)
    return {"recorded": words, "with": who.name}


def keepable(turn: ToolContext, text: str, about: str = "") -> str:
    """Return a text that may be kept; raises `ToolError` for none, or words about itself."""
    words = " ".join(text.split())
    if not words:
        raise ToolError("There are no words in it.")
    if refused := refusal_of_self(turn, words, about):
        raise ToolError(refused["error"])
    return words


def signed(turn: ToolContext, part: str, key: str, op: str, step: Json) -> Change:
    """Return a change of a block in the character's own name."""
    return Change(part, key, op, {**step, "writer": "npc", "by": turn.me.id})
