"""The offline model: the `Model` port without any model behind it, ready at once, always the same.

It reads what a prompt was made of, and answers as any model does: first with the calls that its
words depend on, then in words, with what is noted or done besides.
"""

from __future__ import annotations

import json

from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.language.small_reader import warm
from ai_assistant.language.words import LETTERS_A_TOKEN, extent
from ai_assistant.llm.offline import acts, grammar, memory_answers, offline_plans
from ai_assistant.llm.offline.intents import Intent, Turn, turns
from ai_assistant.llm.offline.offline_night import consolidated
from ai_assistant.llm.offline.offline_plans import SILENCE, Answer, Wish
from ai_assistant.llm.offline.persona_answers import ANSWERS, SLOTS
from ai_assistant.llm.offline.request_view import View, read
from ai_assistant.llm.offline.voice import Voice, sheets
from ai_assistant.planning.goals import subtasks_by_rule

NAME = "offline"
LONGEST = 600
"""Characters of one answer."""
_ENDS = frozenset({"emote", "wait"})
"""Tools after which nothing more is said in the turn."""
_BESIDE = frozenset({"note", "remember", "add_session_memory", "drop_goal"})
"""Tools whose results no words depend on."""
_GESTURES = frozenset({"emote", "gesture", "pose"})
_ALONE = frozenset({"injection", "ai", "repeat"})
_NEWS = 3
"""From this rank on, a second thing that was said deserves an answer of its own."""
_OCCASIONS = {"arrival": "arrived", "small talk": "unasked"}


class OfflineModel:
    """Answers every request from rules and from what the prompt holds; raises nothing."""

    def __init__(self, language: str = "") -> None:
        """Read the wording now, so that the first turn does not; `language` is the game's."""
        self._language = language
        warm(language)
        for name in ("lines", "tempers", "trades"):
            sheets(name)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply: words, calls of tools that may be called, or both."""
        if request.context_type == "goal_decompose":
            goal = json.loads(request.messages[-1].content).get("goal", "")
            return _reply(request, json.dumps(subtasks_by_rule(str(goal))))
        if request.job == "consolidate":
            return _reply(request, consolidated(request, self._language))
        view = read(request)
        answer = _answer(view)
        reason = "The next step." if view.autonomous else "Needed to answer."
        step = sum(1 for message in request.messages if message.tool_calls)
        calls = tuple(
            ToolCall(f"offline_{step}_{index}", name, {"reasoning": reason, **given})
            for index, (name, given) in enumerate(answer.calls[:4])
            if view.may(name)
        )
        return _reply(request, answer.words, calls)


def _reply(request: ModelRequest, words: str, calls: tuple[ToolCall, ...] = ()) -> ModelReply:
    prompt = sum(extent(message.content) for message in request.messages)
    said = words + "".join(call.name + json.dumps(call.arguments) for call in calls)
    usage = TokenUsage(prompt // LETTERS_A_TOKEN, extent(said) // LETTERS_A_TOKEN, known=True)
    return ModelReply(text=words, tool_calls=calls, usage=usage, model=NAME)


def _answer(view: View) -> Answer:
    if view.autonomous:
        return offline_plans.work(view) or _own_accord(view)
    wanted = turns(view)
    if not wanted or any(done.name in _ENDS for done in view.done):
        return SILENCE
    if view.spoke:
        return _afterwards(wanted)
    first, beside = _preparations(wanted)
    if first and not view.done:
        return Answer(calls=first)
    return offline_plans.follow_up(view) or _in_words(wanted, beside)


def _preparations(wanted: list[Turn]) -> tuple[tuple[Wish, ...], tuple[Wish, ...]]:
    """Return the calls that must come before the words, and those that go beside them.

    At most one of each deed. Before the answer to an errand comes all that is done for it.
    """
    found: list[Wish] = []
    for turn in wanted:
        for intent in turn.intents if turn.main.kind not in _ALONE else ():
            deed = None if turn.calm else acts.DEEDS.get(intent.kind)
            found += deed(turn, intent) if deed else []
            search = memory_answers.needs_search(turn, intent)
            found += [("recall", {"words": search})] if search else []
    kept: list[Wish] = []
    for wish in found:
        again = wish in kept if wish[0] == "note" else any(wish[0] == tool for tool, _ in kept)
        if wanted[0].view.may(wish[0]) and not again:
            kept.append(wish)
    beside = tuple(wish for wish in kept if _is_beside(wanted[0], wish))
    return tuple(wish for wish in kept if wish not in beside), beside


def _is_beside(turn: Turn, wish: Wish) -> bool:
    """Do the words not depend on it? Nobody hears a word about a walk once it is made."""
    tool, given = wish
    way = turn.view.by_handle(given["to"]) if tool == "move" else None
    leaves = way is not None and way.kind == "exit"
    return (tool in _BESIDE or leaves) and turn.main.line.kind != "task"


def _in_words(wanted: list[Turn], beside: tuple[Wish, ...]) -> Answer:
    """Return the words, gesture or silence that answer what is wanted, and what goes beside."""
    main = wanted[0]
    kind = main.main.kind
    if kind == "gone":
        return SILENCE
    if kind in _GESTURES and main.view.may("emote"):
        gesture = main.voice.say(f"do_{main.main.what or kind}")
        return Answer(calls=(*beside, ("emote", {"text": gesture})))
    words = " ".join(filter(None, [_lines(main), *map(_aside, wanted[1:3])]))
    words = grammar.shorten(words.replace("?", ".") if main.calm else words, LONGEST)
    if words in main.view.own[-1:]:
        words = main.voice.say("again", text=words)
    return Answer(words, beside)


def _afterwards(wanted: list[Turn]) -> Answer:
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
    greeted = any(intent.kind == "greeting" for intent in rest)
    hello = turn.voice.say("hello") if greeted and not turn.still_talking else ""
    news = (intent for intent in rest if intent.rank >= _NEWS and intent.kind != main.kind)
    second = next(news, None)
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
    key = "aside_greeting" if turn.main.rank <= 1 else "aside"
    return turn.voice.say(key, other=turn.name, text=_lines(turn))


def _own_accord(view: View) -> Answer:
    """Return one line or gesture for the occasion, or silence, as always where nobody is there."""
    if view.done or view.spoke or not view.of_kind():
        return SILENCE
    name, occasion = view.partner.name, view.occasion
    voice = Voice(view.persona, f"{view.place} {view.time}", view.own, calm=True)
    voice.slots |= {"who": f", {name}" if name else "", "name": name, "place": view.place}
    greeting = f"greet_{view.partner.state}" if occasion == "greeting" else ""
    if line := voice.say(_OCCASIONS.get(occasion, greeting)):
        return Answer(line)
    gesture = "nod" if occasion == "nod" else "" if voice.roll("idle", 3) else "idle"
    if gesture and view.may("emote"):
        return Answer(calls=(("emote", {"text": voice.say(gesture)}),))
    return SILENCE
