"""Component 6000 of a delegate: the task, what came with it, and how to answer."""

from __future__ import annotations

from ai_assistant.agent import contexts
from ai_assistant.agent.errands import Errand
from ai_assistant.agent.prompt.draft import Section
from ai_assistant.contracts import Json
from ai_assistant.prompts import load


def errand_section(errand: Errand, handle: str) -> Section:
    """Return an errand as what is to be answered; `handle` is the requester's in this turn."""
    name = errand.requester.name
    task: Json = {"who": handle, "name": name, "kind": "task", "says": errand.task}
    told = [{"beside_it": row} for row in errand.briefing if row]
    ways = [load("errand").format(name=name)]
    if errand.insulation != "orchestrator":
        ways.append(load(f"errand_{errand.insulation}").format(name=name))
    return Section(
        key="event",
        component=contexts.EVENT,
        rows=[task, *told],
        title="Answer this",
        closing="\n".join(ways),
        role="user",
        fixed=1,
    )
