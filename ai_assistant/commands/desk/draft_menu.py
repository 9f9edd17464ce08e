"""The menu in which staff look at a draft field by field; it is written once, at its end."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

from ai_assistant.api.blocks import change_persona
from ai_assistant.api.desk.drafting import PersonaDraft
from ai_assistant.api.lifecycle import read_persona
from ai_assistant.commands.blocks.block_edits import persona_value
from ai_assistant.commands.command_base import must_edit
from ai_assistant.commands.setup.setup_menu import MenuStep, Offer, SetupMenu
from ai_assistant.commands.shown import in_words, persona_lines
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.game.identity import name_of

LAST = "write it"


class DraftMenu(SetupMenu):
    """
    The menu of `aidraft`, for Admins.

    """

    who = "Admin"
    nothing_kept = "You left the draft. Nothing of it was written."


def open_draft(caller: Any, session: Any, character: Any, made: PersonaDraft) -> None:
    """Ask somebody about each field of a draft, and write those that were taken."""
    names = [*made.fields, LAST]
    now = read_persona(character).value
    steps = {
        name: _field_step(name, in_words(now.get(name) or ""), made.fields[name], follows)
        for name, follows in pairwise(names)
    }
    steps[LAST] = _last_step(character)
    DraftMenu(caller, steps, names[0], session)


def _field_step(name: str, before: str, drafted: str, follows: str) -> MenuStep:
    def take(menu: SetupMenu, typed: str, text: str = "") -> str:
        menu.draft.persona[name] = persona_value(name, text or typed)
        return follows

    def left(menu: SetupMenu, typed: str) -> str:
        menu.draft.persona.pop(name, None)
        return follows

    told = f"|w{name}|n\n  now: {as_it_stands(before)}\n  draft: {as_it_stands(drafted)}"
    offers = [
        Offer("1", "take it", partial(take, text=drafted)),
        Offer("2", "leave it as it is", left),
    ]
    return MenuStep(lambda menu: f"{told}\nOr type it in other words.", lambda menu: offers, take)


def _last_step(character: Any) -> MenuStep:
    def asks(menu: SetupMenu) -> str:
        chosen = persona_lines(menu.draft.persona)
        return "\n".join([f"|c{name_of(character)}|n, from now on", *chosen])

    def write(menu: SetupMenu, typed: str) -> str:
        must_edit(menu.caller, character)
        fields = menu.draft.persona
        if not fields:
            return menu.finish("No field was taken, so nothing was written.")
        change_persona(character, fields, by=menu.caller.key)
        return menu.finish(f"{name_of(character)}: {', '.join(fields)} written.")

    return MenuStep(asks, lambda menu: [Offer("1", LAST, write)])
