"""Walks of the offline model: to come along, to go where no exit leads at once, and to stay."""

from __future__ import annotations

import re

from ai_assistant.llm.offline.answers import exit_names
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.offline.plans import Wish
from ai_assistant.llm.offline.turn import Turn
from ai_assistant.llm.offline.view import Pursued
from ai_assistant.llm.offline.words import plain

_ALONG = re.compile(r"\bfollow me\b|\bcome (?:along|with)\b")
_WALKS = frozenset({"follow", "visit", "patrol"})


def follow_wish(turn: Turn, intent: Intent) -> list[Wish]:
    """Return the call that lets it come along with whoever asks."""
    along = _ALONG.search(plain(intent.said)) and turn.handle
    return [("move", {"to": turn.handle})] if along else []


def stay_wish(turn: Turn, intent: Intent) -> list[Wish]:
    """Return the call that ends its present walk."""
    walk = _walk(turn)
    return [("drop_goal", {"goal_id": walk.id, "reason": "Asked to stay."})] if walk else []


def visit_wish(turn: Turn, intent: Intent) -> list[Wish]:
    """Return the call that sends it to a place by its name."""
    where = re.sub(r"^(?:back )?(?:to )?(?:the )?", "", intent.what)
    return [("move", {"to": where})] if where else []


def _walk(turn: Turn) -> Pursued | None:
    return next((one for one in turn.view.goals if one.kind in _WALKS), None)


def follow(turn: Turn, intent: Intent) -> str:
    """Promise to come along, or ask which way is meant."""
    result = turn.view.result("move")
    if result and (result.ok or "already" in result.text):
        return turn.voice.say("follow_done")
    return turn.voice.say("follow", exits=exit_names(turn, "or"))


def stay(turn: Turn, intent: Intent) -> str:
    """Say that it stays."""
    return turn.voice.say("stay")
