"""The command `aiproj`: the projects that an assistant swaps between."""

from __future__ import annotations

from typing import Any

from ai_assistant.commands import choosing, shown
from ai_assistant.commands.choosing import Choice
from ai_assistant.commands.command_base import AICommand, halves, switch
from ai_assistant.commands.help_topics import Misused
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
      aiproj/update marrek = quest: Four halls, the last one flooded.
      aiproj/complete marrek = tavern: It is open.
      aiproj/archive marrek = tavern

    """

    key = "aiproj"
    aliases = ["aiproject"]

    @switch("")
    def _show(self) -> None:
        if not self.args:
            self.overview(("Name", "Projects", "Works on"), _overview)
            return
        if self.rhs:
            self._show_one()
            return
        character = self.wanted(self.lhs)
        rows = [
            (key, slot["status"], shown.minute(slot["last_active"]), slot["summary"])
            for key, slot in character.projects.slots.items()
        ]
        nothing = (
            f"{name_of(character)} has no projects. Open one: "
            f"aiproj/create {character.key} = <key>: <summary>"
        )
        self.show_table(("Key", "Status", "Last active", "Summary"), rows, nothing)

    def _show_one(self) -> None:
        character, key, rest = self._chosen()
        self._refuse(rest)
        slot = character.projects.slots[key]
        facts = {
            "about": slot["summary"],
            "created": shown.minute(slot["created_at"]),
            "last active": shown.minute(slot["last_active"]),
            "context": slot["context"],
        }
        title = f"|c{key}|n ({slot['status']}){shown.private(slot['readers'])}"
        asides = shown.listed(slot["asides"], lambda aside: str(aside["content"]))
        self.show([title, *shown.labelled(facts), *asides])

    @switch("create", "Admin", named=True)
    def _create(self, character: Any) -> None:
        key, summary = halves(self.rhs)
        if not summary:
            raise Misused
        made = character.projects.by(self.caller.key).create_project(key, summary)
        self.msg(f"{name_of(character)} works on {made} now.")

    @switch("swap", "Admin")
    def _swap(self) -> None:
        character, key, update = self._chosen()
        result = character.projects.by(self.caller.key).swap_project(key, update)
        old = result["old_project"] or "nothing"
        about = result["new_project_context"] or result["new_project_summary"]
        self.msg(f"From {old} to {key}: {about}")

    @switch("update", "Admin")
    def _update(self) -> None:
        character, key, context = self._chosen()
        if not context:
            raise Misused
        character.projects.by(self.caller.key).update_project(key, context)
        self.msg(f"{key} stands so now: {character.projects.slots[key]['context']}")

    @switch("complete", "Admin")
    def _complete(self) -> None:
        character, key, outcome = self._chosen()
        character.projects.by(self.caller.key).complete_project(key, outcome)
        self.msg(f"{key} is completed.")

    @switch("archive", "Admin")
    def _archive(self) -> None:
        character, key, rest = self._chosen()
        self._refuse(rest)
        character.projects.by(self.caller.key).archive_project(key)
        self.msg(f"{key} is archived: {name_of(character)} can still remember it.")

    def _chosen(self) -> tuple[Any, str, str]:
        """Return the assistant, its project that is meant, and what was typed after the colon."""
        character = self.wanted(self.lhs)
        name, rest = halves(self.rhs)
        choices = [Choice(key, key) for key in character.projects.slots]
        key = choosing.choose(name, "project", choices, owner=f"{name_of(character)} has")
        return character, key, rest


def _overview(character: Any) -> tuple[object, ...]:
    slots = character.projects.slots
    active = [key for key, slot in slots.items() if slot["status"] == ACTIVE]
    return name_of(character), len(slots), ", ".join(active)
