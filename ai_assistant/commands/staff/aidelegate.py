"""The command `aidelegate`: who hands tasks to whom, what is under way, and tasks from staff."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from ai_assistant.agent.delegation.errands import Delegate, ErrandAnswer
from ai_assistant.api.ask import ask
from ai_assistant.api.lifecycle import script_of
from ai_assistant.commands.command_base import AICommand, braced, known_assistants
from ai_assistant.commands.shown import minute
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, find, name_of
from ai_assistant.memory.parts import iso
from ai_assistant.models import AssistantEvent
from ai_assistant.runtime.errand_office import Running
from ai_assistant.runtime.service import SERVICE

SHOWN = 10


class CmdAIDelegate(AICommand):
    """
    let assistants work for one another

    Usage:
      aidelegate                              who hands tasks to whom; what is
                                              under way
      aidelegate <assistant>                  its delegates, what it has in hand
      aidelegate <assistant> = <task>         give it a task, and read its answer
      aidelegate/history <assistant> [= <n>]  tasks, and what came of them

    An assistant hands out tasks once you set
      |wai/config <name> = sub_agents_enabled on|n
    It may ask all assistants with the tag of its configuration:
      |wtag <its whole name> = specialist|n
    makes one of them. What they are told beside the task is set by
    personality_insulation: nothing (orchestrator), its three weightiest goals
    (delegate), or goals, recent talk and state (none). An answer to you is for
    your eyes only. Builders look, Admins give tasks.

    Examples:
      aidelegate marrek
      aidelegate bram = Who built the old mill, and when?

    """

    key = "aidelegate"
    aliases = ["aidelegation"]
    verbs = {"": ("do_show", "Builder"), "history": ("do_history", "Builder")}

    def do_show(self) -> None:
        """Show everybody, or one of them; or give a task."""
        if not self.args.strip():
            self._show_all()
        elif self.rhs is None:
            self._show_one(self.wanted(self.lhs))
        else:
            self._give(self.wanted(self.lhs), self.rhs.strip())

    def do_history(self) -> None:
        """Show what an assistant handed out, newest first."""
        character = self.wanted(self.lhs)
        rows = AssistantEvent.objects.filter(assistant=entity_id(character), type="Delegated")
        found = list(rows.order_by("-seq")[: self.number(self.rhs, SHOWN)])
        if not found:
            self.msg(f"{name_of(character)} has handed out no task yet, nor had one from staff.")
            return
        self.show("\n".join(map(_history_line, found)))

    # -- looking

    def _show_all(self) -> None:
        by_tag: dict[str, list[Delegate]] = {}
        rows = [_row(one, by_tag) for one in known_assistants()]
        titles = ("Name", "Hands out", "To", "Now")
        self.show(
            "\n".join([self.table(titles, rows), *_running_lines(SERVICE.errands.running.values())])
        )

    def _show_one(self, character: Any) -> None:
        config = script_of(character).config
        name = name_of(character)
        lines = [f"|c{name}|n {_hands_out(config)}"]
        if config["sub_agents_enabled"]:
            lines.append(f"  tells them: {_TOLD[config['personality_insulation']]}")
        known = _delegates_of(character)
        titles = ("Delegate", "Knows", "Now")
        told = [(one.name, one.about or "-", one.hindrance or "free") for one in known]
        lines.append(self.table(titles, told) if told else f"  {_nobody(config)}")
        own = entity_id(character)
        under_way = [
            one for one in SERVICE.errands.running.values() if own in (one.requester, one.delegate)
        ]
        self.show("\n".join([*lines, *_running_lines(under_way)]))

    # -- giving a task

    def _give(self, character: Any, task: str) -> None:
        """Give a task; the answer is told once it is there."""
        if not self.may("Admin"):
            raise AssistantError("Only Admins may give tasks.")
        if not task:
            raise AssistantError("Usage: aidelegate <assistant> = <task>")
        given = ask(character, task, reader=self.caller)
        self.msg(f"{name_of(character)} works on it.")
        given.addCallbacks(partial(self._answered, character, task), self._unanswered)
        given.addErrback(self.failed)

    def _answered(self, character: Any, task: str, answer: ErrandAnswer) -> None:
        self.msg(
            f"|c{name_of(character)}|n on |w{braced(task)}|n\n{braced(answer.text)}\n"
            f"|x(steps: {answer.steps}, tokens: {answer.tokens}; for your eyes only)|n"
        )

    def _unanswered(self, failure: Any) -> None:
        late = failure.check(TimeoutError)
        if not late and not failure.check(AssistantError):
            failure.raiseException()
        why = "It took too long." if late else str(failure.value)
        self.msg(f"|r{braced(why)}|n")


_TOLD = {
    "orchestrator": "the task and nothing else",
    "delegate": "the task and its three weightiest goals",
    "none": "the task, its goals, what it heard last, and how it is",
}


def _delegates_of(character: Any) -> list[Delegate]:
    own = entity_id(character)
    known = _tagged(script_of(character).config["delegate_assistant_tag"])
    return [one for one in known if one.id != own]


def _tagged(tag: str) -> list[Delegate]:
    return [SERVICE.errands.delegate_of(one) for one in SERVICE.errands.tagged(tag)] if tag else []


def _row(character: Any, by_tag: dict[str, list[Delegate]]) -> tuple[str, str, str, str]:
    """Return one assistant's row; what is looked up of a tag is kept in `by_tag`."""
    own, script = entity_id(character), character.assistant_script
    on = script is not None and script.config["sub_agents_enabled"]
    tag = script.config["delegate_assistant_tag"] if on else ""
    if tag not in by_tag:
        by_tag[tag] = _tagged(tag)
    to = ", ".join(one.name for one in by_tag[tag] if one.id != own)
    hindrance = SERVICE.errands.hindrance(own)
    budget = f"{script.config['sub_agent_budget']} at once" if on else "no"
    return name_of(character), budget, to or "-", hindrance or "free"


def _hands_out(config: Any) -> str:
    if not config["sub_agents_enabled"]:
        return "hands out no tasks (sub_agents_enabled is off)."
    tag = config["delegate_assistant_tag"]
    return f"hands out up to {config['sub_agent_budget']} tasks at once, to those tagged '{tag}'."


def _nobody(config: Any) -> str:
    tag = config["delegate_assistant_tag"]
    if not tag:
        return "It has no tag set."
    return f"Nobody else has that tag: |wtag <its whole name> = {tag}|n"


def _running_lines(running: Iterable[Running]) -> list[str]:
    now = SERVICE.shared.clock.monotonic()
    lines = [
        f"  {one.errand.requester.name} → {_name(one.delegate)}, "
        f"{now - one.began:.0f} s: {braced(one.errand.task)}"
        for one in running
    ]
    return ["|wUnder way|n", *lines] if lines else []


def _name(key: str) -> str:
    character = find(key)
    return name_of(character) if character else "somebody gone"


def _history_line(row: AssistantEvent) -> str:
    data = row.data
    who = f"{data['by']} → {data['to']}" if "by" in data else f"→ {data['to']}"
    end = data.get("answer") or data.get("why") or ""
    spent = f", {data['seconds']} s, {data['tokens']} tokens" if "tokens" in data else ""
    lines = (
        f"|x{minute(iso(row.at))}|n |c{who}|n {braced(data['task'])} |x({data['outcome']}{spent})|n"
    )
    return f"{lines}\n    {braced(end)}" if end else lines
