"""From wishes to an answer: what is called first, and the words or gesture with what goes along."""

from __future__ import annotations

from ai_assistant.llm.offline import acts, grammar, memory_answers
from ai_assistant.llm.offline.intents import Intent
from ai_assistant.llm.offline.offline_plans import SILENCE, Answer, Wish
from ai_assistant.llm.offline.persona_answers import ANSWERS, SLOTS
from ai_assistant.llm.offline.request_view import View
from ai_assistant.llm.offline.speaker_part import Turn
from ai_assistant.llm.offline.voice import Voice

ENDS = frozenset({"emote", "wait"})
"""Tools after which nothing more is said in the turn."""
_BESIDE = frozenset({"note", "remember", "add_session_memory", "drop_goal"})
"""Tools whose results no words depend on."""
_GESTURES = frozenset({"emote", "gesture", "pose"})
_ALONE = frozenset({"injection", "ai", "repeat"})
_NEWS = 3
"""From this rank on, a second thing that was said deserves an answer of its own."""
LONGEST = 600


def preparations(wanted: list[Turn]) -> tuple[tuple[Wish, ...], tuple[Wish, ...]]:
    """Return the calls that must come before the words, and those that go beside them.

    At most one of each deed. Before the answer to an errand comes all that is done for it.
    """
    found: list[Wish] = []
    for turn in wanted:
        if turn.main.kind in _ALONE:
            continue
        for intent in turn.intents:
            found += acts.wishes(turn, intent)
            search = memory_answers.needs_search(turn, intent)
            found += [("recall", {"words": search})] if search else []
    kept = _once_each([wish for wish in found if wanted[0].view.may(wish[0])])
    beside = tuple(one for one in kept if _is_beside(wanted[0], one))
    return tuple(one for one in kept if one not in beside), beside


def _is_beside(turn: Turn, wish: Wish) -> bool:
    """Do the words not depend on it? Nobody hears a word about a walk once it is made."""
    tool, given = wish
    way = turn.view.by_handle(given["to"]) if tool == "move" else None
    leaves = way is not None and way.kind == "exit"
    return (tool in _BESIDE or leaves) and turn.main.line.kind != "task"


def _once_each(found: list[Wish]) -> list[Wish]:
    kept: list[Wish] = []
    for wish in found:
        if wish not in kept and (wish[0] == "note" or all(wish[0] != one[0] for one in kept)):
            kept.append(wish)
    return kept


def reply(wanted: list[Turn], beside: tuple[Wish, ...]) -> Answer:
    """Return the words, gesture or silence that answer what is wanted, and what goes beside."""
    main = wanted[0]
    kind = main.main.kind
    if kind == "gone":
        return SILENCE
    if kind in _GESTURES and main.view.may("emote"):
        gesture = main.voice.say(f"do_{main.main.what or kind}")
        return Answer(calls=(*beside, ("emote", {"text": gesture})))
    words = " ".join(filter(None, [_lines(main), *map(_aside, wanted[1:3])]))
    return Answer(_fresh(main, words), beside)


def afterwards(wanted: list[Turn]) -> Answer:
    """Return what is said after words and a walk: nothing, unless the way was closed."""
    for turn in wanted:
        for intent in turn.intents:
            if intent.kind == "move" and turn.view.done and not turn.view.succeeded("move"):
                return Answer(acts.moved(turn, intent))
    return SILENCE


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
    if kind == "whois" and turn.view.result("look"):
        kind = "look"
    answer = acts.WORDS.get(kind) or ANSWERS.get(kind)
    if kind in memory_answers.KINDS:
        answer = memory_answers.answer
    slots = SLOTS[kind](turn, intent) if kind in SLOTS else {}
    text = answer(turn, intent) if answer else turn.voice.say(kind, **slots)
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


_KEYS = {"arrival": "arrived", "small talk": "unasked"}


def own_accord(view: View) -> Answer:
    """Return one line or gesture for the occasion, or silence, as always where nobody is there."""
    if view.done or view.spoke or not view.of_kind():
        return SILENCE
    voice = Voice(view.persona, f"{view.place} {view.time}", view.own, calm=True)
    voice.slots.update(
        who=f", {view.partner.name}" if view.partner.name else "",
        name=view.partner.name,
        place=view.place,
    )
    if line := _unasked(view, voice):
        return Answer(line)
    gesture = _gesture(view, voice) if view.may("emote") else ""
    return Answer(calls=(("emote", {"text": gesture}),)) if gesture else SILENCE


def _unasked(view: View, voice: Voice) -> str:
    key = _KEYS.get(view.occasion, "")
    if view.occasion == "greeting":
        key = f"greet_{view.partner.state}"
    return voice.say(key) if key else ""


def _gesture(view: View, voice: Voice) -> str:
    """Return a nod where one is due, else a small gesture now and then."""
    if view.occasion == "nod":
        return voice.say("nod")
    return "" if voice.roll("idle", 3) else voice.say("idle")
