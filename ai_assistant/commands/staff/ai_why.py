"""What `ai` says of why: what decided the last turns, and which lines nobody answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ai_assistant.api.handlers import store_of
from ai_assistant.commands.command_base import AICommand, braced, number_in, switch
from ai_assistant.commands.scene_shown import person
from ai_assistant.commands.shown import minute, private
from ai_assistant.commands.tables import cut_off
from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.parts import iso
from ai_assistant.models import Decision
from ai_assistant.storage import ledgers

TURNS, LINES = 3, 5
"""Last turns, and last lines without an answer, that are told of."""
LONGEST = 100
RULES = {
    "disabled": "somebody plays the character",
    "own_message": "its own line",
    "channel_configuration": "the channel's configuration",
    "assistant_talk": "another assistant's line: only where it is addressed, and energy is left",
    "sender_not_permitted": "the speaker may not address it",
    "addressed": "called by name",
    "direct": "said to it alone, or given to it",
    "engaged": "goes on with the one it answered last",
    "alone": "said by the only player there, with no other assistant to hear it",
    "scene_policy": "its turn in the scene",
    "room_default": "said here, and not to it (room_default)",
    "fallback": "nothing made it answer",
}
"""What each rule of classification goes by."""
LAYERS = {
    "configuration": "switched off (ai/config)",
    "context": "not in turns of this kind",
    "scene": "not in a played scene",
    "means": "lacks what it needs: solitude, a notebook, the six blocks",
    "assessment": "not for a matter like this",
    "hearers": "would be heard by who may not hear it",
    "moment": "not permitted to all whose words stand in the prompt, or no room for it",
}
"""What takes a tool away."""


class WhyVerbs(AICommand):
    """
    The switch why of the command `ai`.

    """

    @switch("why", named=True)
    def _why(self, character: Any) -> None:
        number = number_in(self.rhs, TURNS)
        entries = store_of(character).read("stream")["entries"]
        turns = ledgers.last(entity_id(character), "TurnCompleted", max(number, len(entries)))
        said = {entry["id"]: entry for entry in entries}
        lines = [line for turn in turns[:number] for line in _turn(character, turn, said)]
        answered = {event for turn in turns for event in turn.data["events"]}
        silent = [
            f"  |x{minute(entry['timestamp'])}|n {_line(entry)}: {_rule(entry['rule'])}"
            for entry in entries
            if entry["event_type"] == "external"
            and entry.get("rule")
            and entry["id"] not in answered
        ]
        title = f"|c{name_of(character)}|n: the last turns, and why"
        silent = silent[-LINES:] or ["  nothing lately"]
        self.show([title, *lines, "|wNot answered|n", *silent])


def _turn(character: Any, record: AuditRecord, said: Mapping[str, Json]) -> Iterator[str]:
    told, why = record.data, record.data.get("why", {})
    calls = len(told["model_calls"])
    what = f"{calls} model call{'s' * (calls != 1)}, {told['tokens']} tokens"
    yield f"|w{minute(iso(record.at))}|n {told['outcome']} ({what}){private(record.readers)}"
    if not told["events"]:
        yield "  of its own accord"
    for event in told["events"]:
        yield f"  {_line(said.get(event))}: |g{_rule(why.get('rules', {}).get(event, ''))}|n"
        for made in Decision.objects.filter(event=event):
            names = ", ".join(person(who["id"]) for who in made.participants)
            yield f"  took part, by {made.by}{'' if made.sure else ', unsure'}: {names}"
    yield from _recalled(character, why.get("recalled", []))
    if why:
        yield f"  could do: {', '.join(why['shown'])}"
    for layer, tools in why.get("taken", {}).items():
        yield f"  {LAYERS.get(layer, layer)}: |x{', '.join(tools)}|n"
    if told["problem"]:
        yield f"  |r{braced(told['problem'])}|n"


def _recalled(character: Any, hits: list[Json]) -> Iterator[str]:
    found = store_of(character).rows.by_ids([hit["row"] for hit in hits])
    words = {row.id: _short(row.content) for row in found}
    for hit in hits:
        numbers = ", ".join(f"{name} {hit[name]}" for name in hit if name != "row")
        text = words.get(hit["row"], "forgotten, or no row")
        yield f"  came to mind |w#{hit['row']}|n {text} |x({numbers})|n"


def _rule(name: str) -> str:
    return RULES.get(name, name or "no rule on record")


def _line(entry: Json | None) -> str:
    if entry is None:
        return "a line that is long gone"
    return f"{entry['who']} [{entry['kind']}] {_short(entry['content'])}"


def _short(text: str) -> str:
    return cut_off(braced(" ".join(text.split())), LONGEST)
