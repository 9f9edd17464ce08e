"""The conversation as chat: others in plain words, the character's own in the form asked of it.

One utterance is one line, whatever it holds. What the game tells stands in brackets, a line on a
channel begins with its name in square ones, every other line with the name of who speaks or acts:
so no text can pass for another's, or for the game's. What the character once said aloud, and would
not say so in this kind of turn, reads as anybody's line, under its name; whatever else it could not
do now, the game tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Literal

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.prompt_wording import on_one_line
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import pattern_of
from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import Message, ToolCall
from ai_assistant.language import keeps_texts
from ai_assistant.language.words import clipped, extent
from ai_assistant.memory.parts import digest
from ai_assistant.memory.talk.hearsay import FICTION, shown_as

DONE = '{"ok": true}'
"""What the result of an act of the past says."""
_ID = 9
"""Characters of a call's id: there are providers that take no other number."""


_HEARD = {
    "say": "{name}: {text}",
    "whisper": "{name} whispers to you: {text}",
    "page": "{name} pages you: {text}",
}
"""How others' words read, by their kind; what is not among them is an act, or on a channel."""
_OWN = {
    "whisper": "(You whispered to {to}: {text})",
    "page": "(You paged {to}: {text})",
    "channel": "(You said on a channel: {text})",
}
"""How the game tells the character of its own words that were not for all who are here."""


@dataclass(slots=True)
class ChatLine:
    """One entry of the stream in a turn. Thousands are kept: few objects for each."""

    entry: Json
    """As the stream has it."""
    text: str
    """How it is told."""
    who: str
    """Who said or did it, as this turn calls them."""
    own: str = ""
    """The bare words, of what the character itself says, as in this turn."""
    call: ToolCall | None = None
    """The call by which the character says or does it."""
    passed: str = ""
    """What passed before it, in words."""
    is_answered: bool = False
    """Did it get an answer that is left out here?"""
    _data: Json | None = field(default=None, init=False, compare=False, repr=False)
    _letters: int = field(default=-1, init=False, compare=False, repr=False)
    _most: int = field(default=-1, init=False, compare=False, repr=False)
    _short: str = field(default="", init=False, compare=False, repr=False)
    _short_data: Json | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def brief(self) -> str:
        """Who, and what: as a summary has it. Only what was said aloud needs no word of how."""
        entry = self.entry
        if entry["kind"] != "say":
            return self.text.strip("()")
        if entry["event_type"] != "external":
            return f"You: {on_one_line(entry['content'])}"
        return _as_heard("say", self.who, entry["content"])

    @property
    def letters(self) -> int:
        """How many letters that counts for."""
        if self._letters < 0:
            self._letters = extent(self.brief)
        return self._letters

    def shortened(self, most: int) -> tuple[str, Json]:
        """Return it as a summary has it, in words and as data, in so many letters at most."""
        if self._short_data is None or most != self._most:
            text = f"- {clipped(self.brief, most)}"
            self._most, self._short = most, f"- ({self.passed})\n{text}" if self.passed else text
            self._short_data = self.data | {"says": clipped(self.entry["content"], most)}
        return self._short, self._short_data

    @property
    def is_own(self) -> bool:
        """Is it told in the form that is asked of the character?"""
        return bool(self.own or self.call)

    @property
    def data(self) -> Json:
        """The line as data."""
        if self._data is None:
            self._data = self._as_data()
        return self._data

    def _as_data(self) -> Json:
        entry, own = self.entry, self.entry["event_type"] != "external"
        row: Json = {"own": own, "who": self.who, "kind": entry["kind"]}
        if FICTION in entry:
            row |= shown_as(entry)
        if own:
            row |= {name: entry[name] for name in ("to", "call") if name in entry}
        if entry["kind"] == "channel":
            row["channel"] = entry["place_name"]
        if entry.get("session") and entry.get("game_day"):
            row["day"] = entry["game_day"]
        row["says"] = entry["content"]
        return row


def frame_of(turn: Turn) -> tuple[object, ...]:
    """Return what the words of a line depend on, beside the line: where these are equal, they are.

    In a turn that answers in kind it matters whom.
    """
    event = turn.trigger
    whom = (event.readers, event.source.name) if event and turn.in_kind else ()
    return is_acted(turn), event is None, turn.in_kind, whom, pattern_of(turn)


def line_of(turn: Turn, entry: Json, who: str, passed: str = "") -> ChatLine:
    """Return an entry of the stream as it reads in this turn.

    `who` is what its author is `called`, `passed` the time that did before it, in words.
    """
    if entry["event_type"] == "external":
        return ChatLine(entry, heard(turn, entry, who), who, passed=passed)
    told = _told(turn, entry)
    if _apart(turn, entry):
        return ChatLine(entry, told, who, passed=passed)
    if _is_plain_speech(turn, entry):
        return ChatLine(entry, told, who, own=on_one_line(entry["content"]), passed=passed)
    return ChatLine(entry, told, who, call=_call_of(turn, entry), passed=passed)


def called(turn: Turn, who: str, name: str) -> str:
    """Return the name of somebody, known by id, as this turn's prompt has it.

    One who has the name of somebody that is here, and is not here, is another of that name: what
    a guest said is not the next guest's, whom the game calls the same.
    """
    if not who:
        return name
    here = {thing.entity.id for thing in turn.surroundings.things if thing.entity.name == name}
    here |= {event.source.id for event in turn.events if event.source.name == name}
    return f"another {name}" if here and here.isdisjoint(who.split(",")) else name


# -- in words


def heard(turn: Turn, entry: Json, who: str) -> str:
    """Return what somebody else said or did, as one line; `who` is what they are `called`."""
    place = entry["place_name"] if entry["kind"] == "channel" else ""
    text = entry["content"]
    if text.startswith(entry["who"]):
        text = who + text.removeprefix(entry["who"])
    told = _as_heard(entry["kind"], who, text, place)
    return _apart(turn, entry) + told if FICTION in entry else told


@keeps_texts(8192)
def _as_heard(kind: str, who: str, content: str, place: str = "") -> str:
    who, text = on_one_line(who), on_one_line(content)
    is_marked = who[:1] in "[(" or who.casefold().split(" ")[0] == "you"
    name = f'"{who}"' if is_marked else who
    if kind in _HEARD:
        return _HEARD[kind].format(name=name, text=text)
    is_act = text.startswith(who) and not text[len(who) : len(who) + 1].isalnum()
    act = text if is_act and name == who else f"{name} {text}"
    if kind == "channel":
        return f"[{on_one_line(place)}] {act if is_act else f'{name}: {text}'}"
    return act if kind == "pose" else f"({act})"


def _told(turn: Turn, entry: Json) -> str:
    """Return what the character did, as told to it. Aloud, imitated, it is still speech."""
    text, kind, apart = on_one_line(entry["content"]), entry["kind"], _apart(turn, entry)
    if kind == "say":
        return f"{apart}{on_one_line(entry['who'])}: {text}"
    if kind in _OWN:
        to = on_one_line(entry.get("to") or "somebody")
        return apart + _OWN[kind].format(to=to, text=text)
    return apart + (f"({entry['who']} {text})" if kind == "pose" else f"({text})")


def is_acted(turn: Turn) -> bool:
    """Is this turn itself played in a story, which the prompt says as a whole?"""
    return bool(turn.play.session and turn.play.fiction)


def _apart(turn: Turn, entry: Json) -> str:
    """Return how a line begins that was acted out in a scene, or told of one, where none is on."""
    return (
        "(From a story that was only played) " if entry.get(FICTION) and not is_acted(turn) else ""
    )


# -- in the form that is asked for


def _is_plain_speech(turn: Turn, entry: Json) -> bool:
    event = turn.trigger
    if entry["kind"] != (turn.in_kind or "say") or entry["event_type"] != "self_speech":
        return False
    if event is None or turn.in_kind is None:
        return True
    is_to_them = entry.get("to", "") in ("", event.source.name)
    return is_to_them and bool(entry["readers"] == event.readers)


def _call_of(turn: Turn, entry: Json) -> ToolCall | None:
    text = on_one_line(entry["content"])
    made: Json | None = entry.get("call")
    if entry["kind"] == "whisper" and entry.get("to"):
        made = {"name": "whisper", "arguments": {"to": entry["to"], "text": text}}
    elif entry["kind"] == "pose":
        made = {"name": "emote", "arguments": {"text": text}}
    tool = turn.mind.registry.get(made["name"]) if made else None
    if made is None or tool is None or not pattern_of(turn).allows(tool):
        return None
    if turn.in_kind and tool.speech:
        return None
    return ToolCall(digest(entry["id"], _ID), made["name"], dict(made["arguments"]))


# -- as messages


def chat(lines: Sequence[ChatLine]) -> list[Message]:
    """Return these lines as chat messages: what one side says at a stretch is one message.

    A chat begins with somebody else: own words before any are told by the game.
    """
    others = next((at for at, line in enumerate(lines) if not line.is_own), len(lines))
    made: list[Message] = []
    sides = ((at > others and line.is_own, line) for at, line in enumerate(lines))
    for own, stretch in groupby(sides, key=itemgetter(0)):
        said = [line for _, line in stretch]
        made += _own_messages(said) if own else [_message("user", [line.text for line in said])]
    return made


def _own_messages(lines: Sequence[ChatLine]) -> list[Message]:
    """Return own lines as messages, the results behind their calls; words begin a new one then."""
    made: list[Message] = []
    words, calls = list[str](), list[ToolCall]()

    def end() -> None:
        if words or calls:
            made.append(_message("assistant", words, tuple(calls)))
            made.extend(
                Message("tool", DONE, tool_call_id=call.id, component=layers.CONVERSATION)
                for call in calls
            )
            words.clear()
            calls.clear()

    for line in lines:
        if line.own and calls:
            end()
        words += [line.own] if line.own else []
        calls += [line.call] if line.call else []
    end()
    return made


def _message(
    role: Literal["user", "assistant"], words: Iterable[str], calls: tuple[ToolCall, ...] = ()
) -> Message:
    text = "\n".join(filter(None, words))
    return Message(role, text, tool_calls=calls, component=layers.CONVERSATION)
