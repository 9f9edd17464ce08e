"""From wishes to words: what is prepared first, and the one line or gesture that ends the turn."""

from __future__ import annotations

from ai_assistant.llm.offline import acts, recall
from ai_assistant.llm.offline.answers import ANSWERS
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.offline.plans import Wish
from ai_assistant.llm.offline.turn import Turn
from ai_assistant.memory import grammar

SPEECH = ("say", "emote", "whisper", "page", "channel_say")
_CHANNELS = {"whisper": "whisper", "page": "page", "channel": "channel_say"}
_GESTURES = frozenset({"emote", "gesture", "pose"})
_ALONE = frozenset({"injection", "ai", "repeat"})
_NEWS = 3
"""From this rank on, a second thing that was said deserves an answer of its own."""
LONGEST = 600


def preparations(wanted: list[Turn]) -> list[Wish]:
    """Return the calls that must come before the words, at most one of each deed."""
    found: list[Wish] = []
    for turn in wanted:
        if turn.main.kind in _ALONE:
            continue
        for intent in turn.intents:
            found += acts.wishes(turn, intent)
            search = recall.needs_search(turn, intent)
            found += [("recall_memories", {"query": search})] if search else []
    return _once_each([wish for wish in found if wish[0] in wanted[0].view.tools])


def _once_each(found: list[Wish]) -> list[Wish]:
    kept: list[Wish] = []
    for wish in found:
        several = wish[0] == "update_entity_observation"
        if wish not in kept and (several or all(wish[0] != one[0] for one in kept)):
            kept.append(wish)
    return kept


def reply(wanted: list[Turn]) -> Wish:
    """Return the speech, gesture or silence that ends the turn."""
    main = wanted[0]
    kind = main.main.kind
    if kind == "gone":
        return ("wait", {})
    tools = main.view.tools
    if kind in _GESTURES and "emote" in tools:
        return ("emote", {"text": main.voice.say(f"do_{main.main.what or kind}")})
    line = _fresh(main, " ".join(filter(None, [_lines(main), *map(_aside, wanted[1:3])])))
    return _speech(main, line)


def _speech(turn: Turn, line: str) -> Wish:
    own = _CHANNELS.get(turn.main.line.kind, "say")
    moved = turn.view.result("move")
    ways = (own,) if moved and moved.ok else (own, "say", "whisper", "page", "channel_say")
    tool = next((name for name in ways if name in turn.view.tools), "")
    if tool == "whisper":
        return (tool, {"to": turn.handle, "text": line})
    return (tool, {"text": line}) if tool else ("wait", {})


def _lines(turn: Turn) -> str:
    """Return the answer to the weightiest thing, with a greeting before and one thing after."""
    main, *rest = turn.intents
    if main.kind in _ALONE:
        return turn.voice.say(main.kind)
    greeted = any(one.kind == "greeting" for one in rest)
    hello = turn.voice.say("hello") if greeted and not turn.still_talking else ""
    second = next((one for one in rest if one.rank >= _NEWS and one.kind != main.kind), None)
    parts = [hello, _line(turn, main), _line(turn, second) if second else ""]
    return " ".join(filter(None, parts))


def _line(turn: Turn, intent: Intent) -> str:
    kind = intent.kind
    if kind == "whois" and turn.view.result("inspect_location"):
        kind = "look"
    answer = acts.WORDS.get(kind) or ANSWERS.get(kind)
    if kind in recall.KINDS:
        answer = recall.answer
    text = answer(turn, intent) if answer else turn.voice.say(kind)
    return text or turn.voice.say("small_talk")


def _aside(turn: Turn) -> str:
    """Return a word to another one who spoke in the same breath, by name."""
    main = turn.main
    if main.rank <= 1:
        return turn.voice.say("aside_greeting", other=turn.name)
    return turn.voice.say("aside", other=turn.name, text=_lines(turn))


def _fresh(turn: Turn, line: str) -> str:
    """Return the line, marked as said before if it is word for word what was said last."""
    if turn.calm:
        line = line.replace("?", ".")
    line = grammar.shorten(line, LONGEST)
    if turn.view.own and line == turn.view.own[-1]:
        return turn.voice.say("again", text=line)
    return line
