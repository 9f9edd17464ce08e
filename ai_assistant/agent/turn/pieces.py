"""An answer's pieces: its words, gestures and calls in the order in which they are performed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ai_assistant.agent.attention.layers import INSTRUCTIONS
from ai_assistant.agent.turn import asides
from ai_assistant.agent.turn.calls import Piece
from ai_assistant.agent.turn.handles import handle_of
from ai_assistant.agent.turn.refusals import LONGEST, headings, is_no_answer
from ai_assistant.agent.turn.speech_rules import ENOUGH, MOST_PIECES, PRIVATE
from ai_assistant.agent.turn.spoken_text import Spoken, gesture, in_order, own_name, spoken
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json, SpeechKind
from ai_assistant.core.model_records import ToolCall
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import SPEECH_LIMIT, clean
from ai_assistant.tools import speaking_tools

WORDS = {tool.speech: tool.name for tool in speaking_tools.TOOLS}
"""By which tool plain words are spoken, by the kind of what is answered."""
MOST_GESTURES = 4
"""Gestures among the words of one answer."""
MOST_LINES = 3
"""Lines into which long words are split; what is over is not said."""
TOO_LONG = "Not said: your words were too long. Go on with that when you are asked."
TOO_MANY = "Not shown: those were too many gestures at once."
WHISPERED = "Not said: that you whisper."
TO_WHOM = "Not said: tell to whom you whisper, and what, with whisper."
ALONE = frozenset({"whisper", "page"})
"""Kinds of speech that one alone hears."""
BEYOND_MENDING = frozenset({TOO_LONG, TOO_MANY, ENOUGH, WHISPERED})
"""What is refused for good in this turn."""
_SENTENCE_END = re.compile(r"[.!?…][\"”»')]*(?=\s)|[。！？][」”]*")


def pieces_of(turn: Turn, text: str, calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Return an answer's pieces in order; words come before its first move, else at its end."""
    leaves = (
        at for at, call in enumerate(calls) if acts(turn, call.name) and leads_on(turn, call.name)
    )
    at = next(leaves, len(calls))
    ordered = [*calls[:at], *_words(turn, text, calls), *calls[at:]]
    pieces = [piece for call in ordered for piece in _voiced(turn, call)]
    rest = _unrepeated(turn, pieces)
    return [
        piece
        for piece in rest
        if piece.problem != WHISPERED or piece.id in {call.id for call in calls}
    ]


def _unrepeated(turn: Turn, pieces: Sequence[ToolCall]) -> list[ToolCall]:
    """Return pieces without what the same answer whispers: it is neither told to all nor twice."""
    private = [piece for piece in pieces if _kind(turn, piece) in ALONE]
    asked = [_text(piece) for piece in private if not isinstance(piece, Piece)]
    kept: list[ToolCall] = []
    for piece in pieces:
        told = [] if _kind(turn, piece) is None else map(_text, private)
        if _kind(turn, piece) in ALONE:
            told = asked if isinstance(piece, Piece) else []
        words = _text(piece)
        rest = asides.unrepeated(words, told) if words else words
        problem = piece.problem if rest or not words else WHISPERED
        given = {**piece.arguments, "text": rest} if rest != words else piece.arguments
        kept.append(replace(piece, arguments=given, problem=problem))
    return kept


def _kind(turn: Turn, call: ToolCall) -> SpeechKind | None:
    tool = turn.mind.registry.get(call.name)
    return tool.speech if tool else None


def _text(call: ToolCall) -> str:
    text = call.arguments.get("text")
    return text if isinstance(text, str) else ""


def acts(turn: Turn, name: str) -> bool:
    """Is that called to act in the world?"""
    tool = turn.mind.registry.get(name)
    return tool is not None and tool.acts


def leads_on(turn: Turn, name: str) -> bool:
    """Is the model asked again after a call of that tool?"""
    tool = turn.mind.registry.get(name)
    return tool is not None and tool.leads_on


def is_in_character(turn: Turn, text: str) -> bool:
    """Is this something that the character would say?"""
    ours = (
        message.content if message.component == INSTRUCTIONS else headings(message.content)
        for _, message in turn.parts
    )
    return not is_no_answer(text, ours)


def plain(turn: Turn, text: str) -> Spoken:
    """Return what is said and done where the model wrote that text."""
    return spoken(text, name=turn.me.name, handles=_handles(turn))


def _words(turn: Turn, text: str, calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Return plain words as the call that speaks them, by the channel that the turn began with."""
    name = WORDS[_channel(turn)]
    said = {str(call.arguments.get("text", "")).strip() for call in calls if call.name == name}
    said |= {
        speech.text
        for speech in turn.words_kept
        if (speech.kind, speech.place) == (name, turn.place)
    }
    if text.strip() in said | {""}:
        return []
    arguments: Json = {"text": text, "reasoning": ""}
    if name == "whisper" and turn.trigger:
        arguments["to"] = handle_of(turn, turn.trigger.source.id)
    unasked = not turn.events and turn.ceiling != OPEN
    problem = "Nobody asked: say to whom it is, with whisper." if unasked else ""
    return [Piece(f"{turn.id}.words{turn.steps}", name, arguments, problem)]


def _channel(turn: Turn) -> SpeechKind:
    """Return how plain words are spoken: as the turn began, and privately before wrong ears."""
    if turn.trigger is None:
        return "say"
    kind = PRIVATE.get(turn.trigger.source_type, "say")
    may_not = kind == "say" and turn.world.hearers("say", turn.place) and not turn.may_say("say")
    return "whisper" if may_not else kind


def _voiced(turn: Turn, call: ToolCall) -> list[ToolCall]:
    """Return a call that speaks with what is truly said of its text, its gestures as such."""
    kind, text = _kind(turn, call), call.arguments.get("text")
    if kind is None or not isinstance(text, str):
        return [call]
    if text.strip() and not is_in_character(turn, text):
        return [replace(call, problem=f"That is not how {turn.me.name} speaks.")]
    if kind == "emote":
        done = gesture(text, name=turn.me.name, handles=_handles(turn))
        problem = TO_WHOM if asides.names_whispering(done) else call.problem
        return [replace(call, arguments={**call.arguments, "text": done}, problem=problem)]
    made = list(_parts(turn, call, text[:LONGEST]))
    made = made or [replace(call, arguments={**call.arguments, "text": ""})]
    if len(made) == 1:
        return made
    made = [Piece(call.id, piece.name, piece.arguments, piece.problem) for piece in made]
    return [
        *(replace(piece, id=f"{call.id}.{n}") for n, piece in enumerate(made[:-1], 1)),
        made[-1],
    ]


def _parts(turn: Turn, call: ToolCall, text: str) -> Iterator[ToolCall]:
    """Yield what is said aloud and what is whispered, in order."""
    for part in asides.parts_of(text, own_name(turn.me.name)):
        if not part.frame:
            yield from _performed(turn, call, part.words)
            continue
        to = asides.named(part.frame, _people(turn))
        if not (to or asides.names_somebody(part.frame)):
            to = str(call.arguments.get("to", ""))
        yield from _whispered(turn, call, part.words, to)


def _whispered(turn: Turn, call: ToolCall, text: str, to: str) -> Iterator[ToolCall]:
    """Yield what is whispered to somebody, if that is clear; answering a page, it is paged."""
    asked = handle_of(turn, turn.trigger.source.id) if turn.trigger else ""
    if _kind(turn, call) == "page" and to in ("", asked):
        yield from _performed(turn, call, text)
        return
    given: Json = {"to": to, "text": text, "reasoning": ""}
    call = replace(call, name="whisper", arguments=given, problem="" if to else TO_WHOM)
    yield from _performed(turn, call, text)


def _performed(turn: Turn, call: ToolCall, text: str) -> Iterator[ToolCall]:
    """Yield what is said and done in order; where that are too many pieces, what is done first."""
    whole = plain(turn, text)
    if _kind(turn, call) != "say":  # what is done in private is for nobody else's eyes
        _hold(turn, whole.cut, whole.gestures if whole.words else ())
        yield from _lines(call, whole.words or ". ".join(whole.gestures))
        return
    _hold(turn, whole.cut, () if turn.may_say("emote") else whole.gestures)
    pieces = list(_in_turn(turn, call, in_order(text, name=turn.me.name, handles=_handles(turn))))
    if len(pieces) > MOST_PIECES - len(turn.said):
        pieces = list(_in_turn(turn, call, [whole]))
    yield from pieces


def _hold(turn: Turn, cut: Sequence[str], gestures: Sequence[str]) -> None:
    """Put on record what is neither said nor shown."""
    for held, why in ((cut, "No words of its own."), (gestures, "Nobody may see it.")):
        if held:
            turn.audit("SpeechHeld", {"text": clean(" / ".join(held)), "error": why})


def _in_turn(turn: Turn, call: ToolCall, parts: Sequence[Spoken]) -> Iterator[ToolCall]:
    shown = 0
    for words, gestures, _ in parts:
        for done in gestures if turn.may_say("emote") else ():
            shown += 1
            if shown <= MOST_GESTURES + 1:  # what is over is refused once
                problem = TOO_MANY if shown > MOST_GESTURES else ""
                yield Piece(call.id, "emote", {"text": done, "reasoning": ""}, problem)
        if words:
            yield from _lines(call, words)


def _lines(call: ToolCall, words: str) -> Iterator[ToolCall]:
    """Yield words as lines that can be spoken, split between sentences where they are long."""
    for n in range(MOST_LINES + 1):
        end = _end_of_line(words) if n < MOST_LINES else len(words)
        problem = TOO_LONG if n == MOST_LINES else call.problem
        line, words = words[:end].rstrip(), words[end:].lstrip()
        yield replace(call, arguments={**call.arguments, "text": line}, problem=problem)
        if not words:
            return


def _end_of_line(words: str) -> int:
    """Return where a line of these words ends: behind a sentence, else behind a word."""
    if len(words) <= SPEECH_LIMIT:
        return len(words)
    begun = words[: SPEECH_LIMIT + 1]
    ends = [end.end() for end in _SENTENCE_END.finditer(begun) if end.end() <= SPEECH_LIMIT]
    space = begun.rfind(" ")
    return ends[-1] if ends else space if space > 0 else SPEECH_LIMIT


def _handles(turn: Turn) -> dict[str, str]:
    return {handle: thing.entity.name for handle, thing in turn.things.items()}


def _people(turn: Turn) -> dict[str, str]:
    return {handle: name for handle, name in _handles(turn).items() if handle[0] == "p"}
