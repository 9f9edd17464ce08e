"""Consent: who ignores whom and what may be said, as the game says; whom no mind may hear."""

from __future__ import annotations

from typing import Any

from django.utils.module_loading import import_string

from ai_assistant import conf
from ai_assistant.core.contracts import TO_ONE, Event
from ai_assistant.core.text import SPEECH_LIMIT, clean
from ai_assistant.game.identity import CATEGORY, account_of, body_of, find, has_tag, name_of
from ai_assistant.game.log import report
from ai_assistant.language.address import speaks_to

OPTED_OUT = "opted_out"
"""The tag of an account, or of a character without one, that no mind hears or remembers."""


def ignores(listener: Any, speaker: Any) -> bool:
    """Does the listener ignore the speaker? ``AI_ASSISTANT_IGNORES`` names the function to ask.

    It is asked about characters, and about accounts without one. If it raises, they are taken to
    ignore each other, so that an error bothers nobody.
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


def moderate(text: str, speaker: Any, hearers: list[Any], lines: int = 1) -> tuple[str, str]:
    """Return words as they may be said, and why they may not be said at all; one is empty.

    The function that ``AI_ASSISTANT_MODERATION`` names gets the words, the speaker and those who
    would hear them (objects, or the channel). It returns the words, other words, or None to drop
    them. If it raises, they are dropped, and the log says so.
    """
    path = conf.settings.MODERATION
    if not path:
        return text, ""
    try:
        allowed = import_string(path)
    except ImportError:  # the start told of it
        return "", "the game's moderation cannot be loaded"
    try:
        said = allowed(text, speaker, hearers)
        if not isinstance(said, str | None):
            raise TypeError(f"It returned {type(said).__name__}, neither words nor None.")
    except Exception as error:
        report("AI_ASSISTANT_MODERATION", error)
        return "", "the game's moderation failed"
    if said is None:
        return "", "the game's moderation dropped it"
    return (text if said == text else clean(said, SPEECH_LIMIT, lines)), ""


def may_turn_to(speaker: Any, assistant: Any) -> bool:
    """May somebody address an assistant, by its lock `address`, and without being ignored?"""
    return bool(assistant.access(speaker, "address", default=True)) and not ignores(
        speaker, assistant
    )


def takes_pages(someone: Any, sender: Any) -> bool:
    """Does somebody take pages from this sender, by the lock `msg` that Evennia's `page` asks?"""
    reader = account_of(someone)
    return bool(reader.access(sender, "msg", default=True)) and not ignores(someone, sender)


def opt_out(player: Any) -> None:
    """Let no mind hear or remember a player from now on, whichever character they play."""
    account_of(player).tags.add(OPTED_OUT, category=CATEGORY)


def opt_in(player: Any) -> None:
    """Take `opt_out` back."""
    account_of(player).tags.remove(OPTED_OUT, category=CATEGORY)


def has_opted_out(someone: Any) -> bool:
    """Has a player asked that no mind hears them?"""
    return has_tag(account_of(someone), OPTED_OUT)


def may_hear(hearer: Any, event: Event) -> bool:
    """May this object take in what somebody said or did?

    Nobody can tell any more whether who is gone meanwhile had opted out: they are not heard.
    """
    speaker = find(event.source.id)
    if speaker is None:
        return event.source.kind == "object"  # a thing, or what is no game object, as the world
    return not (has_opted_out(speaker) or ignores(hearer, speaker))


def remind(character: Any, event: Event) -> None:
    """Tell a player who opted out, and addresses a character, that it does not hear them."""
    speaker = find(event.source.id)
    names = (character.key, *character.aliases.all())
    is_meant = event.source_type in TO_ONE or speaks_to(event.content, names)
    if speaker is not None and is_meant and has_opted_out(speaker):
        speaker.msg(
            f"{name_of(character, speaker)} does not hear you, for you want it so. "
            "With |wmemories/optin|n the characters hear you again."
        )
