"""Component 6000 of a delegate: the task, what came with it, and how to answer."""

from __future__ import annotations

from ai_assistant.agent import contexts
from ai_assistant.agent.errands import Errand
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.wording import dump, one_line
from ai_assistant.contracts import Json
from ai_assistant.prompts import load


def errand_section(errand: Errand, handle: str) -> Section:
    """Return an errand as what is to be answered; `handle` is the requester's in this turn."""
    name = one_line(errand.requester.name)
    task: Json = {"who": handle, "name": name, "kind": "task", "says": errand.task}
    ways = [load("errand").format(name=name)]
    if errand.insulation != "orchestrator":
        ways.append(load(f"errand_{errand.insulation}").format(name=name))
    told = [Row(dump({"beside_it": row}), {"beside_it": row}) for row in errand.briefing if row]
    return Section(
        key="event",
        component=contexts.EVENT,
        title="Your task",
        rows=[Row(f"{name}: {one_line(errand.task)}", task), *told, Row("\n".join(ways))],
        role="user",
        place="tail",
        fixed=1,
    )
