"""The offline model: the `Model` port without any model behind it, ready at once, always the same.

It answers as any model does: first with the calls that its words depend on, then in words.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.language import current_language, turning
from ai_assistant.language import plain_english as english
from ai_assistant.language.small_reader import warm
from ai_assistant.language.words import LETTERS_A_TOKEN, clipped, extent
from ai_assistant.llm.offline import acts, memory_answers, offline_plans
from ai_assistant.llm.offline.askers import Asker, askers, voice_of
from ai_assistant.llm.offline.intents import KINDS, Intent, is_word
from ai_assistant.llm.offline.offline_night import consolidated
from ai_assistant.llm.offline.offline_plans import SILENCE, Response, Wish
from ai_assistant.llm.offline.persona_answers import ANSWERS, SLOTS, fact_heard
from ai_assistant.llm.offline.request_view import view_of
from ai_assistant.llm.request_records import RequestView
from ai_assistant.memory.people.feelings import DISLIKED
from ai_assistant.planning.goals import subtasks_by_rule
from ai_assistant.prompts.phrase_book import sheets

NAME = "offline"
_LONGEST = 600  # characters of one answer
ENDS = frozenset({"emote", "wait"})  # tools after which nothing more is said in the turn
BESIDE = frozenset({"note", "drop_goal"})  # tools whose results no words depend on
_MOST = 3  # things that are answered in one breath
_NEWS = 3  # from this rank on, a second thing that was said deserves an answer of its own
_ORDINARY = range(3, 6)  # ranks of questions, news and requests: there a relationship is felt
_TELLING = range(4, 15)  # how many words are said back
_OCCASIONS = {"arrival": "arrived", "small talk": "unasked"}


class OfflineModel(Model):
    """Answers every request from rules and from what the prompt holds; raises nothing."""

    def __init__(self) -> None:
        """Read the wording now, so that the first turn does not."""
        warm()
        for name in ("lines", "tempers", "trades"):
            sheets(name)

    def at_no_cost(
        self, request: ModelRequest, *, failed: bool = False
    ) -> Awaitable[ModelReply] | None:
        """Return the reply: it is part of the game."""
        return self.complete(request)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply: words, calls of tools that may be called, or both."""
        if request.context_type == "goal_decompose":
            goal = json.loads(request.messages[-1].content).get("goal", "")
            return _reply(request, json.dumps(subtasks_by_rule(str(goal))))
        if request.job == "consolidate":
            return _reply(request, consolidated(request))
        view = view_of(request)
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


def _answer(view: RequestView) -> Response:
    if view.autonomous:
        return offline_plans.work(view) or _own_accord(view)
    wanted = askers(view)
    if not wanted or any(done.name in ENDS for done in view.done):
        return SILENCE
    if view.spoke:  # no more is said after words and a walk, unless the way was closed
        walks = ((asker, it) for asker in wanted for it in asker.intents if it.kind == "move")
        walk = next(walks, None) if view.done and not view.succeeded("move") else None
        return Response(acts.moved(*walk)) if walk else SILENCE
    first, beside = _preparations(wanted)
    if first and not view.done:
        return Response(calls=first)
    return offline_plans.follow_up(view) or _in_words(wanted, beside)


def _preparations(wanted: list[Asker]) -> tuple[tuple[Wish, ...], tuple[Wish, ...]]:
    """Return the calls that come before the words, and those beside them: one of each deed.

    Before the answer to an errand comes all that is done for it.
    """
    found: list[Wish] = []
    for asker in wanted:
        for intent in asker.intents if asker.main.kind not in KINDS["alone"] else ():
            deed = None if asker.calm else acts.DEEDS.get(intent.kind)
            found += deed(asker, intent) if deed else []
            if all(tool != "recall" for tool, _ in found):  # one search a turn
                search = memory_answers.needs_search(asker, intent)
                found += [("recall", {"words": search})] if search else []
    kept: list[Wish] = []
    for wish in found:
        again = wish in kept if wish[0] == "note" else any(wish[0] == tool for tool, _ in kept)
        if wanted[0].view.may(wish[0]) and not again:
            kept.append(wish)
    beside = tuple(wish for wish in kept if _is_beside(wanted[0], *wish))
    return tuple(wish for wish in kept if wish not in beside), beside


def _is_beside(asker: Asker, tool: str, given: Json) -> bool:
    """Do the words not depend on it? Nobody hears a word about a walk once it is made."""
    leaves = tool == "move" and any(way.handle == given["to"] for way in asker.view.exits)
    return (tool in BESIDE or leaves) and asker.main.line.kind != "task"


def _in_words(wanted: list[Asker], beside: tuple[Wish, ...]) -> Response:
    main = wanted[0]
    kind = main.main.kind
    if kind == "gone":
        return SILENCE
    if kind in ("emote", "gesture", "pose") and main.view.may("emote"):
        gesture = main.voice.say(f"do_{main.main.what or kind}")
        return Response(calls=(*beside, ("emote", {"text": gesture})))
    asides: list[str] = []
    for other in wanted[1:3]:
        key = "aside_greeting" if other.main.rank <= 1 else "aside"
        asides.append(other.voice.say(key, other=other.name, text=_lines(other)))
    words = " ".join(filter(None, [_lines(main), *asides, _felt(main)]))
    words = clipped(words.replace("?", ".") if main.calm else words, _LONGEST)
    return Response(main.voice.anew(words), beside)


def _lines(asker: Asker) -> str:
    """Return the answer to the weightiest thing, with a greeting before and one thing after."""
    main, *rest = asker.intents
    if main.kind in KINDS["alone"]:
        return asker.voice.say(main.kind)
    greeted = any(intent.kind == "greeting" for intent in rest)
    met = asker.still_talking or main.kind == "introduce"
    hello = asker.voice.say("hello") if greeted and not met else ""
    kinds = KINDS["recalled"]
    news = [it for it in rest if it.rank >= _NEWS and (it.kind != main.kind or it.kind in kinds)]
    told = [it for it in (main, *news) if it.kind not in kinds or memory_answers.known(asker, it)]
    told = told or [it for it in rest if it.kind == "confided"] or [main]
    answers: list[str] = []
    for intent in told[:_MOST]:
        asker.voice.brief = bool(answers)
        text = _line(asker, intent)
        answers += [] if any(text in told for told in answers) else [text]
    asker.voice.brief = False
    return " ".join(filter(None, [hello, *answers]))


def _line(asker: Asker, intent: Intent) -> str:
    kind = intent.kind
    if kind == "whois" and asker.view.result("look") and not memory_answers.known(asker, intent):
        kind = "look"
    if kind in KINDS["recalled"]:
        text = memory_answers.answer(asker, intent)
    elif kind == "statement":
        text = _statement(asker, intent)
    elif kind == "told" and (about := memory_answers.remark(asker, intent)):
        text = about
    elif kind in ("move", "follow") and not asker.view.may("move"):
        text = asker.voice.say("follow_not")
    elif answer := acts.WORDS.get(kind) or ANSWERS.get(kind):
        text = answer(asker, intent)
    else:
        text = asker.voice.say(kind, **(SLOTS[kind](asker, intent) if kind in SLOTS else {}))
    return text or asker.voice.say("small_talk")


def _statement(asker: Asker, intent: Intent) -> str:
    if asker.calm:
        return asker.voice.say("closing")
    if asker.private and current_language().pronouns["first"] & set(
        english.spelled_out(intent.said).split()
    ):
        return asker.voice.say("note_private")
    return (
        fact_heard(asker, intent.said)
        or memory_answers.remark(asker, intent)
        or _echo(asker, intent)
        or asker.voice.say("small_talk")
    )


def _echo(asker: Asker, intent: Intent) -> str:
    """Say back what somebody tells of themselves, where no slip and no "you" is in it."""
    words, ours = english.spelled_out(intent.said).split(), current_language().pronouns
    tells = len(words) in _TELLING and words[0] in ours["first"] and not ours["second"] & set(words)
    if not tells or not all(is_word(word) or word.title() in intent.said for word in words):
        return ""
    return asker.voice.say("echo", fact=turning.said_to_you(intent.said.rstrip(";:, ")))


def _felt(asker: Asker) -> str:
    """Return a short turn of phrase that lets the relationship be felt, in one answer of three."""
    if asker.calm or asker.main.rank not in _ORDINARY or asker.voice.roll("felt", 3):
        return ""
    disliked = asker.partner.favorability < DISLIKED
    return asker.voice.say("felt_wary" if disliked else f"felt_{asker.partner.state}")


def _own_accord(view: RequestView) -> Response:
    if view.done or view.spoke or not view.people:
        return SILENCE
    name, occasion = view.partner.name, view.occasion
    voice = voice_of(view.persona, f"{view.place} {view.time}", view.own, calm=True)
    voice.slots |= {"who": f", {name}" if name else "", "name": name, "place": view.place}
    greeting = f"greet_{view.partner.state}" if occasion == "greeting" else ""
    if line := voice.say(_OCCASIONS.get(occasion, greeting)):
        return Response(line)
    gesture = "nod" if occasion == "nod" else "" if voice.roll("idle", 3) else "idle"
    if gesture and view.may("emote"):
        return Response(calls=(("emote", {"text": voice.say(gesture)}),))
    return SILENCE
