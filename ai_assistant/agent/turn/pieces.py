"""An answer's pieces: its words, gestures and calls in the order in which they are performed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ai_assistant.agent.attention.layers import INSTRUCTIONS
from ai_assistant.agent.turn import asides
from ai_assistant.agent.turn.calls import Piece
from ai_assistant.agent.turn.handles import handle_of, names_of_handles
from ai_assistant.agent.turn.refusals import LONGEST, is_no_answer
from ai_assistant.agent.turn.speech_rules import ENOUGH, MOST_PIECES, refuses_speech
from ai_assistant.agent.turn.spoken_text import Spoken, gesture, in_order, own_name, spoken
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import TO_ONE, Json, SpeechKind
from ai_assistant.core.model_records import ToolCall
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import SPEECH_LIMIT, clean
from ai_assistant.language.talk_signs import names_whispering
from ai_assistant.tools import speaking_tools, tools_in

WORDS = {tool.speech: tool.name for tool in tools_in(speaking_tools)}
"""By which tool plain words are spoken, by the kind of what is answered."""
MOST_GESTURES = 4
"""Gestures among the words of one answer."""
MOST_LINES = 3
"""Lines into which long words are split; what is over is not said."""
TOO_LONG = "Not said: your words were too long; go on with that when you are asked."
TOO_MANY = "Not shown: those were too many gestures at once."
WHISPERED = "Not said: that you whisper."
TO_WHOM = "Not said: tell to whom you whisper, and what, with whisper."
BEYOND_MENDING = frozenset({TOO_LONG, TOO_MANY, ENOUGH, WHISPERED})
"""What is refused for good in this turn."""
_SENTENCE_END = re.compile(r"[.!?…][\"”»')]*(?=\s)|[。！？][」”]*")


def pieces_of(turn: Turn, text: str, calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Return an answer's pieces in order; words come before its first move, else at its end.

    What it whispers is neither told to all nor twice.
    """
    tools = [turn.mind.registry.get(call.name) for call in calls]
    leaves = (at for at, tool in enumerate(tools) if tool and tool.acts and tool.leads_on)
    at = next(leaves, len(calls))
    ordered = [*calls[:at], *_words(turn, text, calls), *calls[at:]]
    pieces = [piece for call in ordered for piece in _voiced(turn, call)]
    private = [piece for piece in pieces if _kind(turn, piece) in TO_ONE]
    if not private:
        return pieces
    asked = [_text(piece) for piece in private if not isinstance(piece, Piece)]
    kept: list[ToolCall] = []
    for piece in pieces:
        told = [] if _kind(turn, piece) is None else [_text(whisper) for whisper in private]
        if _kind(turn, piece) in TO_ONE:
            told = asked if isinstance(piece, Piece) else []
        words = _text(piece)
        rest = asides.unrepeated(words, told)
        if rest != words:
            if not (rest or any(piece.id == call.id for call in calls)):
                continue
            problem = piece.problem if rest else WHISPERED
            piece = replace(piece, arguments={**piece.arguments, "text": rest}, problem=problem)
        kept.append(piece)
    return kept


def _kind(turn: Turn, call: ToolCall) -> SpeechKind | None:
    tool = turn.mind.registry.get(call.name)
    return tool.speech if tool else None


def _text(call: ToolCall) -> str:
    text = call.arguments.get("text")
    return text if isinstance(text, str) else ""


def is_in_character(turn: Turn, text: str) -> bool:
    """Is this something that the character would say?"""
    parts = [message for _, message in turn.prompt.parts]
    ours = "\n".join(part.content for part in parts if part.component == INSTRUCTIONS)
    return not is_no_answer(text, ours, (part.content for part in parts))


def _words(turn: Turn, text: str, calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Return plain words as a call: as the turn began, but privately before wrong ears."""
    kind = turn.in_kind or "say"
    if turn.trigger and kind == "say" and refuses_speech(turn, kind):
        kind = "whisper" if turn.world.hearers(kind, turn.place) else kind
    name = WORDS[kind]
    said = {str(call.arguments.get("text", "")).strip() for call in calls if call.name == name}
    kept = [speech for speech in turn.speeches if speech.kind == name]
    said |= {speech.text for speech in kept if speech.place == turn.place}
    if text.strip() in said | {""}:
        return []
    arguments: Json = {"text": text, "reasoning": ""}
    if name == "whisper" and turn.trigger:
        arguments["to"] = handle_of(turn, turn.trigger.source.id)
    unasked = not turn.events and turn.ceiling != OPEN
    problem = "Nobody asked: say to whom it is, with whisper." if unasked else ""
    return [Piece(f"{turn.id}.words{turn.steps}", name, arguments, problem)]


def _voiced(turn: Turn, call: ToolCall) -> list[ToolCall]:
    kind, text = _kind(turn, call), call.arguments.get("text")
    if kind is None or not isinstance(text, str):
        return [call]
    is_judged = isinstance(call, Piece)  # plain words were, as the answer came
    if text.strip() and not (is_judged or is_in_character(turn, text)):
        return [replace(call, problem=f"That is not how {turn.me.name} speaks.")]
    if kind == "emote":
        done = gesture(text, name=turn.me.name, handles=names_of_handles(turn))
        problem = TO_WHOM if names_whispering(done) else call.problem
        return [replace(call, arguments={**call.arguments, "text": done}, problem=problem)]
    made = list(_aloud_and_aside(turn, call, text[:LONGEST]))
    made = made or [replace(call, arguments={**call.arguments, "text": ""})]
    if len(made) == 1:
        return made
    ids = [*(f"{call.id}.{n}" for n in range(1, len(made))), call.id]
    return [
        Piece(id, piece.name, piece.arguments, piece.problem)
        for id, piece in zip(ids, made, strict=True)
    ]


def _aloud_and_aside(turn: Turn, call: ToolCall, text: str) -> Iterator[ToolCall]:
    """Yield what is said aloud and what is whispered; answering a page, that is paged."""
    people = {handle: name for handle, name in names_of_handles(turn).items() if handle[0] == "p"}
    asked = handle_of(turn, turn.trigger.source.id) if turn.trigger else ""
    for part in asides.passages_of(text, own_name(turn.me.name)):
        voice = call
        if part.frame:
            to = asides.named(part.frame, people)
            if not (to or asides.names_somebody(part.frame)):
                to = str(call.arguments.get("to", ""))
            if _kind(turn, call) != "page" or to not in ("", asked):
                given: Json = {"to": to, "text": part.words, "reasoning": ""}
                problem = "" if to else TO_WHOM
                voice = replace(call, name="whisper", arguments=given, problem=problem)
        yield from _performed(turn, voice, part.words)


def _performed(turn: Turn, call: ToolCall, text: str) -> list[ToolCall]:
    """Return what is said and done in order; what is neither is put on record."""
    name, handles = turn.me.name, names_of_handles(turn)
    whole = spoken(text, name=name, handles=handles)
    if _kind(turn, call) == "say" and (whole.gestures or not whole.words):
        shows = not refuses_speech(turn, "emote")
        hidden = () if shows else whole.gestures
        parts = in_order(whole, text, name=name, handles=handles) if whole.gestures else [whole]
        pieces = list(_in_turn(call, parts, shows))
        if len(pieces) > MOST_PIECES - len(turn.deliveries):
            pieces = list(_in_turn(call, [whole], shows))
    else:  # plain words, or private: what is done there is for nobody else's eyes
        hidden = whole.gestures if whole.words else ()
        pieces = list(_lines(call, whole.words or ". ".join(whole.gestures)))
    for held, why in ((whole.cut, "No words of its own."), (hidden, "Nobody may see it.")):
        if held:
            turn.audit("SpeechHeld", {"text": clean(" / ".join(held)), "error": why})
    return pieces


def _in_turn(call: ToolCall, parts: Iterable[Spoken], shows: bool) -> Iterator[ToolCall]:
    shown = 0
    for words, gestures, _ in parts:
        for done in gestures if shows else ():
            shown += 1
            if shown <= MOST_GESTURES + 1:  # what is over is refused once
                problem = TOO_MANY if shown > MOST_GESTURES else ""
                yield Piece(call.id, "emote", {"text": done, "reasoning": ""}, problem)
        if words:
            yield from _lines(call, words)


def _lines(call: ToolCall, words: str) -> Iterator[ToolCall]:
    """Yield words as lines that can be spoken: long ones end behind a sentence, else a word."""
    problem = call.problem
    for n in range(MOST_LINES + 1):
        end = len(words)
        if n == MOST_LINES:
            problem = TOO_LONG
        elif end > SPEECH_LIMIT:
            begun = words[: SPEECH_LIMIT + 1]
            ends = [found.end() for found in _SENTENCE_END.finditer(begun)]
            ends = [end for end in ends if end <= SPEECH_LIMIT]
            end = ends[-1] if ends else max(begun.rfind(" "), 0) or SPEECH_LIMIT
        line, words = words[:end].rstrip(), words[end:].lstrip()
        yield replace(call, arguments={**call.arguments, "text": line}, problem=problem)
        if not words:
            return
