"""Consent: who ignores whom, by the game's own word, and which players no mind may hear."""

from __future__ import annotations

from typing import Any

from django.utils.module_loading import import_string

from ai_assistant import conf
from ai_assistant.core.contracts import TO_ONE, Event
from ai_assistant.game.identity import CATEGORY, account_of, body_of, find, has_tag, name_of
from ai_assistant.game.log import report
from ai_assistant.language.address import speaks_to

OPTED_OUT = "opted_out"
"""The tag of an account, or of a character without one, that no mind hears or remembers."""


def ignores(listener: Any, speaker: Any) -> bool:
    """Does the first one ignore the second, by the function that ``AI_ASSISTANT_IGNORES`` names?

    It is asked about characters, and about accounts that wear none. Where it raises they are
    taken to ignore each other: an error bothers nobody.
    """
    path = conf.settings.IGNORES
    if not path:
        return False
    try:
        ignoring = import_string(path)
    except ImportError:  # the start told of it
        return True
    try:
        return bool(ignoring(body_of(listener), body_of(speaker)))
    except Exception as error:
        report("AI_ASSISTANT_IGNORES", error)
        return True


def may_turn_to(speaker: Any, assistant: Any) -> bool:
    """May somebody turn to an assistant, by its lock `address`, and do they not ignore it?"""
    return bool(assistant.access(speaker, "address", default=True)) and not ignores(
        speaker, assistant
    )


def takes_pages(someone: Any, sender: Any) -> bool:
    """Does somebody take pages from that one, by the lock `msg` of Evennia's own `page`?"""
    reader = account_of(someone)
    return bool(reader.access(sender, "msg", default=True)) and not ignores(someone, sender)


def opt_out(player: Any) -> None:
    """Let no mind hear or remember that player from now on, whatever character they wear."""
    account_of(player).tags.add(OPTED_OUT, category=CATEGORY)


def opt_in(player: Any) -> None:
    """Take `opt_out` back."""
    account_of(player).tags.remove(OPTED_OUT, category=CATEGORY)


def has_opted_out(someone: Any) -> bool:
    """Does that player want no mind to hear them?"""
    return has_tag(account_of(someone), OPTED_OUT)


def may_hear(hearer: Any, event: Event) -> bool:
    """May this one, or a scene for it, take in what somebody said or did?"""
    speaker = find(event.source.id)
    return speaker is None or not (has_opted_out(speaker) or ignores(hearer, speaker))


def remind(character: Any, event: Event) -> None:
    """Tell a player who opted out, and turns to a character, that it does not hear them."""
    speaker = find(event.source.id)
    names = (character.key, *character.aliases.all())
    is_meant = event.source_type in TO_ONE or speaks_to(event.content, names)
    if speaker is not None and is_meant and has_opted_out(speaker):
        speaker.msg(
            f"{name_of(character, speaker)} does not hear you, for you want it so. "
            "With |wmemories/optin|n the characters hear you again."
        )
