"""The conversation as chat: others in plain words, the character's own in the form asked of it.

One utterance is one line, whatever it holds. What the game tells stands in brackets, a line on a
channel begins with its name in square ones, every other line with the name of who speaks or acts:
so no text can pass for another's, or for the game's. What the character once said aloud, and would
not say so in this kind of turn, reads as anybody's line, under its name; whatever else it could not
do now, the game tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.prompt_wording import on_one_line
from ai_assistant.agent.turn.speech_rules import ANSWERED_IN_KIND
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import Message, ToolCall
from ai_assistant.memory.parts import digest
from ai_assistant.memory.talk.hearsay import FICTION, shown_as

DONE = '{"ok": true}'
"""What the result of an act of the past says."""
_ID = 9
"""Characters of a call's id: there are providers that take no other number."""
_GESTURES = frozenset({"whisper", "emote"})
"""Tools that no private turn has."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One entry of the stream in a turn."""

    entry: Json
    text: str
    """How it is told."""
    own: str = ""
    """The bare words, of what the character itself says, as in this turn."""
    call: ToolCall | None = None
    """The call by which the character says or does it."""
    passed: str = ""
    """What passed before it, in words."""

    @property
    def brief(self) -> str:
        """Who, and what: as a summary has it. Only what was said aloud needs no word of how."""
        if self.entry["kind"] != "say":
            return self.text.strip("()")
        heard = self.entry["event_type"] == "external"
        return (
            f"{_name(self.entry['who']) if heard else 'You'}: {on_one_line(self.entry['content'])}"
        )

    @property
    def is_own(self) -> bool:
        """Is it told in the form that is asked of the character?"""
        return bool(self.own or self.call)


def line_of(turn: Turn, entry: Json) -> ChatLine:
    """Return an entry of the stream as it reads in this turn."""
    if entry["event_type"] == "external":
        return ChatLine(entry, heard(turn, entry))
    told = _told(turn, entry)
    if _apart(turn, entry):
        return ChatLine(entry, told)
    if _is_plain_speech(turn, entry):
        return ChatLine(entry, told, own=on_one_line(entry["content"]))
    return ChatLine(entry, told, call=_call_of(turn, entry))


def entry_data(entry: Json) -> Json:
    """Return an entry as data."""
    own = entry["event_type"] != "external"
    row: Json = {"own": own, "who": entry["who"], "kind": entry["kind"], **shown_as(entry)}
    row |= {name: entry[name] for name in ("to", "call") if name in entry}
    row |= {"channel": entry["place_name"]} if entry["kind"] == "channel" else {}
    return row | {"says": entry["content"]}


# -- in words


def heard(turn: Turn, entry: Json) -> str:
    """Return what somebody else said or did, as one line."""
    name, who, text = _name(entry["who"]), on_one_line(entry["who"]), on_one_line(entry["content"])
    is_act = text.startswith(who) and not text[len(who) : len(who) + 1].isalnum()
    act = text if is_act and name == who else f"{name} {text}"
    told = {
        "say": f"{name}: {text}",
        "whisper": f"{name} whispers to you: {text}",
        "page": f"{name} pages you: {text}",
        "channel": f"[{on_one_line(entry['place_name'])}] "
        + (act if is_act else f"{name}: {text}"),
        "pose": act,
    }
    return _apart(turn, entry) + told.get(entry["kind"], f"({act})")


def _told(turn: Turn, entry: Json) -> str:
    """Return what the character did, as told to it. Aloud, imitated, it is still speech."""
    text, to = on_one_line(entry["content"]), on_one_line(entry.get("to") or "somebody")
    told = {
        "say": f"{on_one_line(entry['who'])}: {text}",
        "whisper": f"(You whispered to {to}: {text})",
        "page": f"(You paged {to}: {text})",
        "channel": f"(You said on a channel: {text})",
        "pose": f"({entry['who']} {text})",
    }
    return _apart(turn, entry) + told.get(entry["kind"], f"({text})")


def is_acted(turn: Turn) -> bool:
    """Is this turn itself played in a story, which the prompt says as a whole?"""
    return bool(turn.play.session and turn.play.fiction)


def _name(who: str) -> str:
    name = on_one_line(who)
    return f'"{name}"' if name[:1] in "[(" or name.casefold().split(" ")[0] == "you" else name


def _apart(turn: Turn, entry: Json) -> str:
    """Return how a line begins that was only acted out, in a scene that this turn is not in."""
    return "(Only played, in a scene) " if entry.get(FICTION) and not is_acted(turn) else ""


# -- in the form that is asked for


def _is_plain_speech(turn: Turn, entry: Json) -> bool:
    event = turn.trigger
    channel = ANSWERED_IN_KIND.get(event.source_type) if event else None
    if entry["kind"] != (channel or "say") or entry["event_type"] != "self_speech":
        return False
    return (
        event is None
        or channel is None
        or bool(
            entry["readers"] == event.readers and entry.get("to", "") in ("", event.source.name)
        )
    )


def _call_of(turn: Turn, entry: Json) -> ToolCall | None:
    text = on_one_line(entry["content"])
    made: Json | None = entry.get("call")
    if entry["kind"] == "whisper" and entry.get("to"):
        made = {"name": "whisper", "arguments": {"to": entry["to"], "text": text}}
    elif entry["kind"] == "pose":
        made = {"name": "emote", "arguments": {"text": text}}
    tool = turn.mind.registry.get(made["name"]) if made else None
    private = turn.trigger is not None and turn.trigger.source_type in ANSWERED_IN_KIND
    if made is None or tool is None or not turn.pattern.allows(tool):
        return None
    if private and tool.name in _GESTURES:
        return None
    return ToolCall(digest(entry["id"], _ID), made["name"], dict(made["arguments"]))


# -- as messages


def chat(lines: Sequence[ChatLine]) -> list[Message]:
    """Return these lines as chat messages: what one side says at a stretch is one message.

    A chat begins with somebody else: own words before any are told by the game.
    """
    others = next((at for at, line in enumerate(lines) if not line.is_own), len(lines))
    made: list[Message] = []
    for at, line in enumerate(lines):
        own = line.is_own and at > others
        goes_on = bool(made) and (made[-1].role == "assistant") == own
        if not goes_on or (own and line.own and made[-1].tool_calls):  # words after a result
            role: Literal["assistant", "user"] = "assistant" if own else "user"
            made.append(Message(role, "", component=layers.CONVERSATION))
        words = (made[-1].content, line.own if own else line.text)
        calls = (*made[-1].tool_calls, line.call) if own and line.call else made[-1].tool_calls
        made[-1] = replace(made[-1], content="\n".join(filter(None, words)), tool_calls=calls)
    with_results: list[Message] = []
    for message in made:
        with_results.append(message)
        with_results += [Message("tool", DONE, tool_call_id=call.id, component=layers.CONVERSATION)
                         for call in message.tool_calls]  # fmt: skip
    return with_results
