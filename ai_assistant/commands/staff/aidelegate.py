"""The command `aidelegate`: who hands tasks to whom, what is under way, and tasks from staff."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ai_assistant.agent.delegation.errands import Delegate, ErrandAnswer
from ai_assistant.api.ask import ask
from ai_assistant.api.lifecycle import script_of
from ai_assistant.commands.choosing import known_assistants
from ai_assistant.commands.command_base import AICommand, braced, must_hold, number_in, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import minute
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, name_of, person
from ai_assistant.models import AssistantEvent
from ai_assistant.runtime.service import SERVICE

SHOWN = 10
_TOLD = {
    "orchestrator": "the task and nothing else",
    "delegate": "the task and its three weightiest goals",
    "none": "the task, its goals, what it heard last, and how it is",
}


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
      aidelegate marrek                   aidelegate/history bram = 5
      aidelegate bram = Who built the old mill, and when?

    """

    key = "aidelegate"
    aliases = ["aidelegation"]

    @switch("", writes="text")
    def _show(self) -> None:
        if not self.args:
            tagged = cache(_tagged)
            rows = [_row(character, tagged) for character in known_assistants()]
            table = self.table(("Name", "Hands out", "To", "Now"), rows)
            self.show([table, *_running_lines()])
        elif self.rhs is None:
            self._show_one(self.wanted(self.lhs))
        else:
            must_hold(self.caller, "Admin")
            self._give(self.wanted(self.lhs), self.rhs)

    def _show_one(self, character: Any) -> None:
        config = script_of(character).config
        tag = config["delegate_assistant_tag"]
        lines = [f"|c{name_of(character)}|n hands out no tasks (sub_agents_enabled is off)."]
        if config["sub_agents_enabled"]:
            most = counted(config["sub_agent_budget"], "task")
            lines = [
                f"|c{name_of(character)}|n hands out up to {most} at once, to the tag '{tag}'.",
                f"  tells them: {_TOLD[config['personality_insulation']]}",
            ]
        if told := delegates_of(character):
            lines.append(self.table(("Delegate", "Knows", "Now"), told))
        elif tag:
            lines.append(f"  Nobody else has that tag: |wtag <its whole name> = {tag}|n")
        else:
            lines.append("  It has no tag set.")
        self.show([*lines, *_running_lines(character)])

    def _give(self, character: Any, task: str) -> None:
        if not task:
            raise Misused

        def answered(answer: ErrandAnswer) -> None:
            self.msg(
                f"|c{name_of(character)}|n on |w{braced(task)}|n\n{braced(answer.text)}\n"
                f"|x(steps: {answer.steps}, tokens: {answer.tokens}; for your eyes only)|n"
            )

        def late(failure: Any) -> None:
            failure.trap(TimeoutError)
            raise AssistantError("It took too long.")

        given = ask(character, task, reader=self.caller)
        self.msg(f"{name_of(character)} works on it.")
        given.addCallbacks(answered, late)
        given.addErrback(self.failed)

    @switch("history", named=True)
    def _history(self, character: Any) -> None:
        found = last_errands(character, number_in(self.rhs, SHOWN))
        nothing = f"{name_of(character)} has handed out no task yet, nor had one from staff."
        self.show(list(map(_history_line, found)) or nothing)


def _tagged(tag: str) -> list[Delegate]:
    return list(map(SERVICE.errands.delegate_of, SERVICE.errands.tagged(tag))) if tag else []


def _row(character: Any, tagged: Callable[[str], list[Delegate]]) -> tuple[str, str, str, str]:
    own, script = entity_id(character), character.assistant_script
    to, budget = "-", "no"
    if script is not None and script.config["sub_agents_enabled"]:
        delegates = tagged(script.config["delegate_assistant_tag"])
        to = ", ".join(other.name for other in delegates if other.id != own) or "-"
        budget = f"{script.config['sub_agent_budget']} at once"
    return name_of(character), budget, to, SERVICE.errands.hindrance(own) or "free"


def delegates_of(character: Any) -> list[tuple[str, str, str]]:
    """Return whom an assistant may ask: name, what each knows, and what hinders it, or `free`."""
    own, tag = entity_id(character), script_of(character).config["delegate_assistant_tag"]
    return [
        (delegate.name, delegate.about or "-", delegate.hindrance or "free")
        for delegate in _tagged(tag)
        if delegate.id != own
    ]


def errands_under_way(character: Any = None) -> list[tuple[str, str, int, str]]:
    """Return the tasks under way, of everybody or by and for one: who gave each, who has it, for
    how many seconds, and what it is.
    """
    now, who = SERVICE.shared.clock.monotonic(), entity_id(character) if character else ""
    return [
        (
            task.errand.requester.name,
            person(task.delegate),
            round(now - task.began),
            task.errand.task,
        )
        for task in SERVICE.errands.running.values()
        if who in ("", task.requester, task.delegate)
    ]


def last_errands(character: Any, count: int) -> list[AssistantEvent]:
    """Return the records of the last tasks that an assistant handed out or had of staff."""
    rows = AssistantEvent.objects.filter(assistant=entity_id(character), type="Delegated")
    return [*rows.order_by("-seq")[:count]]


def _running_lines(character: Any = None) -> list[str]:
    lines = [
        f"  {by} → {to}, {seconds} s: {braced(task)}"
        for by, to, seconds, task in errands_under_way(character)
    ]
    return ["|wUnder way|n", *lines] if lines else []


def _history_line(row: AssistantEvent) -> str:
    data = row.data
    by = f"{data['by']} → " if "by" in data else "→ "
    spent = f", {data['seconds']} s, {counted(data['tokens'], 'token')}" if "tokens" in data else ""
    end = data.get("answer") or data.get("why")
    return (
        f"|x{minute(iso(row.at))}|n |c{by}{data['to']}|n {braced(data['task'])} "
        f"|x({data['outcome']}{spent})|n" + (f"\n    {braced(end)}" if end else "")
    )
