"""Walks of the offline model: to come along, to go where no exit leads at once, and to stay."""

from __future__ import annotations

import re

from ai_assistant.llm.offline.answers import exit_names
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.offline.plans import Wish
from ai_assistant.llm.offline.turn import Turn, pick
from ai_assistant.llm.offline.view import Seen
from ai_assistant.llm.offline.words import plain

_ALONG = re.compile(r"\bfollow me\b|\bcome (?:along|with)\b")
_DIRECTIONS = {
    "n": "north", "s": "south", "e": "east", "w": "west", "ne": "northeast", "nw": "northwest",
    "se": "southeast", "sw": "southwest", "u": "up", "d": "down", "upstairs": "up",
    "downstairs": "down", "outside": "out", "inside": "in",
}  # fmt: skip
_WALKS = frozenset({"follow", "visit", "patrol"})


def follow_wish(turn: Turn, intent: Intent) -> list[Wish]:
    """Return the call that lets it come along with whoever asks."""
    along = _ALONG.search(plain(intent.said)) and turn.handle
    return [("move", {"to": turn.handle})] if along else []


def stay_wish(turn: Turn, intent: Intent) -> list[Wish]:
    """Return the call that ends its present walk."""
    walk = next((one for one in turn.view.goals if one.kind in _WALKS), None)
    return [("drop_goal", {"goal_id": walk.id, "reason": "Asked to stay."})] if walk else []


def move_wish(turn: Turn, intent: Intent) -> list[Wish]:
    """Return the call that sends it through an exit, or to a place by its name."""
    way = _way(turn, intent)
    where = way.handle if way else re.sub(r"^(?:back )?(?:to )?(?:the )?", "", intent.what)
    return [("move", {"to": where})] if where else []


def _way(turn: Turn, intent: Intent) -> Seen | None:
    ways = turn.view.of_kind("exit")
    if not intent.what and len(ways) == 1:
        return ways[0]
    words = " ".join(_DIRECTIONS.get(word, word) for word in (intent.what or "out").split())
    return pick(words, ways) or pick(words, ways, key="description")


def follow(turn: Turn, intent: Intent) -> str:
    """Promise to come along, or ask which way is meant."""
    result = turn.view.result("move")
    if result and (result.ok or "already" in result.text):
        return turn.voice.say("follow_done")
    return turn.voice.say("follow", exits=exit_names(turn, "or"))


def moved(turn: Turn, intent: Intent) -> str:
    """Speak of a walk: begun with these words, failed, or of which way was meant."""
    way, result = _way(turn, intent), turn.view.result("move")
    if way and not turn.calm and turn.view.may("move"):
        key = "move_failed" if result and not result.ok else "move_going"
        return turn.voice.say(key, exit=way.name)
    key = "visit_done" if result and result.ok else "move_not" if way else "move_where"
    return turn.voice.say(key, exits=exit_names(turn, "or"))
