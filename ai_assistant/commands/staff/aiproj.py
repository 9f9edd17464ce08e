"""The command `aiproj`: the projects that an assistant swaps between."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ai_assistant.commands import shown
from ai_assistant.commands.command_base import AICommand
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.planning.projects import ACTIVE


class CmdAIProj(AICommand):
    """
    see and steer the projects of an assistant

    Usage:
      aiproj                                  who works on what
      aiproj <assistant>                      its projects, the active one first
      aiproj <assistant> = <project>          all that it knows of one

      aiproj/create <assistant> = <key>: <summary>      a new one, and the active
      aiproj/swap <assistant> = <project> [: <where the present one stands>]
      aiproj/update <assistant> = <project>: <context>  write its context anew
      aiproj/complete <assistant> = <project> [: <outcome>]
      aiproj/archive <assistant> = <project>  its texts become memories

    A swap saves where the present project stands, pauses it, and takes up the
    other one with all that was known of it. What a new context leaves out is
    not lost: it becomes a memory.

    Builders look, Admins change.

    Examples:
      aiproj/create marrek = build_tavern: Build a tavern by the river
      aiproj/swap marrek = quest_design: Walls 60% done

    """

    key = "aiproj"
    aliases = ["aiproject"]
    verbs = {
        "": ("do_show", "Builder"),
        "create": ("do_create", "Admin"),
        "swap": ("do_swap", "Admin"),
        "update": ("do_update", "Admin"),
        "complete": ("do_complete", "Admin"),
        "archive": ("do_archive", "Admin"),
    }

    def do_show(self) -> None:
        """Show who works on what, the projects of one, or one project."""
        if not self.args.strip():
            self.overview(("Name", "Projects", "Works on"), _overview)
            return
        character = self.wanted(self.lhs)
        if self.rhs:
            self.show(_described(*find_project(character, self.rhs)))
            return
        rows = [
            (key, slot["status"], shown.minute(slot["last_active"]), slot["summary"])
            for key, slot in character.projects.slots.items()
        ]
        if not rows:
            self.msg(
                f"{name_of(character)} has no projects. Open one: "
                f"aiproj/create {character.key} = <key>: <summary>"
            )
            return
        self.show(self.table(("Key", "Status", "Last active", "Summary"), rows))

    def do_create(self) -> None:
        """Open a project."""
        character, key, summary = self._typed()
        if not summary:
            raise AssistantError("Usage: aiproj/create <assistant> = <key>: <summary>")
        made = character.projects.create_project(key, summary)
        self.msg(f"{name_of(character)} works on {made} now.")

    def do_swap(self) -> None:
        """Let it take up another project."""
        character, name, update = self._typed()
        key, _ = find_project(character, name)
        result = character.projects.swap_project(key, update)
        old = result["old_project"] or "nothing"
        about = result["new_project_context"] or result["new_project_summary"]
        self.msg(f"From {old} to {key}: {about}")

    def do_update(self) -> None:
        """Write a context anew."""
        character, name, context = self._typed()
        key, _ = find_project(character, name)
        if not context:
            raise AssistantError("Usage: aiproj/update <assistant> = <project>: <context>")
        character.projects.update_project(key, context)
        self.msg(f"{key} stands so now: {character.projects.slots[key]['context']}")

    def do_complete(self) -> None:
        """Close a project."""
        character, name, outcome = self._typed()
        key, _ = find_project(character, name)
        character.projects.complete_project(key, outcome)
        self.msg(f"{key} is completed.")

    def do_archive(self) -> None:
        """Take a project out of its slot."""
        character, name, _ = self._typed()
        key, _ = find_project(character, name)
        character.projects.archive_project(key)
        self.msg(f"{key} is archived: {name_of(character)} can still remember it.")

    def _typed(self) -> tuple[Any, str, str]:
        """Return the assistant, what was typed before the colon, and what came after it."""
        return (self.wanted(self.lhs), *self.halves())


def _overview(character: Any) -> tuple[object, ...]:
    slots = character.projects.slots
    active = [key for key, slot in slots.items() if slot["status"] == ACTIVE]
    return name_of(character), len(slots), ", ".join(active)


def find_project(character: Any, name: str) -> tuple[str, Json]:
    """Return (key, slot) of the project that is meant by its key, or some of it.

    Raises `AssistantError` naming the choices where there is none, or more than one.
    """
    slots = character.projects.slots
    wanted = name.strip().casefold()
    if not wanted:
        raise AssistantError(f"Which project? {name_of(character)} has: {_listed(slots)}.")
    found = [key for key in slots if key == wanted] or [key for key in slots if wanted in key]
    if len(found) == 1:
        return found[0], slots[found[0]]
    if found:
        raise AssistantError(f"Which of them: {', '.join(found)}?")
    raise AssistantError(
        f"{name_of(character)} has no project '{clean(name, 40)}'. It has: {_listed(slots)}."
    )


def _listed(slots: Iterable[str]) -> str:
    return ", ".join(slots) or "none yet"


def _described(key: str, slot: Json) -> str:
    facts = {
        "about": slot["summary"],
        "created": shown.minute(slot["created_at"]),
        "last active": shown.minute(slot["last_active"]),
        "context": slot["context"],
    }
    lines = [f"  {name}: {text}" for name, text in facts.items() if text]
    asides = [f"  {one['content']}{shown.private(one['readers'])}" for one in slot["asides"]]
    title = f"|c{key}|n ({slot['status']}){shown.private(slot['readers'])}"
    return "\n".join([title, *lines, *asides])
