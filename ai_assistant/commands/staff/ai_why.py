"""What `ai` says of why: what decided the last turns, and which lines nobody answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from ai_assistant.agent.keeping.why import REASONS
from ai_assistant.agent.turn.speech_rules import ANSWERED_IN_KIND
from ai_assistant.api.editing import find_item
from ai_assistant.api.handlers import store_of
from ai_assistant.commands import choosing
from ai_assistant.commands.command_base import AICommand, braced, number_in, switch
from ai_assistant.commands.scene_shown import person
from ai_assistant.commands.shown import minute, private
from ai_assistant.commands.tables import cut_off
from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.redaction import mark_of
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.models import Participation
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import ledgers

TURNS, LINES = 3, 5
"""Last turns, and last lines without an answer, that are told of."""
LONGEST = 100
SPOKEN = frozenset({"say", *ANSWERED_IN_KIND})
TURNED_TO = frozenset({"addressed", "direct", "engaged", "alone"})
"""What is told of without an answer: words, and whatever else was meant for it by its rule."""
FORGOTTEN = "(forgotten, or changed since)"
RULES = {
    "disabled": "somebody plays the character",
    "own_message": "its own line",
    "channel_off": "the channel is off for it",
    "channel_mode": "the channel's mode: all lines, or those that name it",
    "assistant_talk": "another assistant's line: only where it is addressed, and energy is left",
    "sender_not_permitted": "the speaker may not address it",
    "silenced": "staff told it to be quiet",
    "addressed": "called by name",
    "direct": "said to it alone, or given to it",
    "engaged": "goes on with the one it answered last",
    "alone": "said by the only player there, with no other assistant to hear it",
    "scene_policy": "its turn in the scene",
    "handed": "in the scene a model gave it the floor",
    "room_default": "said here, and not to it (room_default)",
    "fallback": "nothing made it answer",
    "excused": "asked too often, or its share of the day is used up: an excuse, without a model",
    "too_often": "asked too often, or its share of the day is used up: no answer",
    "too_much": "more lines than one player may have it keep in a day",
}
"""What each rule of classification goes by."""
CAUSES = {
    "turns_to": "the line turns to {}",
    "talks_with": "it was talking with {}",
    "talked_elsewhere": "they were talking in another place",
    "long_ago": "its answer to them was too long ago",
    "interrupted": "{} spoke in between",
    "turn_of_others": "in the scene it was the turn of others",
    "asleep": "it was asleep",
}
"""Why a rule did not decide that might have."""


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
        lines: list[str] = []
        for turn, before in zip_longest(turns[:number], turns[1:number]):
            lines += [*_turn(character, turn, said), *_tools(turn, before)]
            if problem := turn.data["problem"]:
                lines.append(f"  |r{braced(problem)}|n")
        answered = {event for turn in turns for event in turn.data["events"]}
        records = ledgers.last(entity_id(character), "EventClosed", len(entries))
        closed = {record.data["event"]: record.data["reason"] for record in records}
        silent = [
            f"  |x{minute(entry['timestamp'])}|n {_line(entry)}: {_unanswered(entry, closed)}"
            for entry in (*entries, *_waiting(character))
            if entry["event_type"] == "external"
            and entry.get("rule")
            and entry["id"] not in answered
            and (entry["kind"] in SPOKEN or entry["rule"] in TURNED_TO)
        ]
        title = f"|c{name_of(character)}|n: the last turns, and why"
        silent = [*silent[-LINES:], *_passed_over(character)] or ["  nothing lately"]
        self.show([title, *lines, "|wNot answered|n", *silent])


def _waiting(character: Any) -> list[Json]:
    """Return the lines that it overheard and that its next turn saves."""
    resident = SERVICE.residents.get(entity_id(character))
    return [entry_of(event) for event in resident.mind.heard] if resident else []


def _passed_over(character: Any) -> Iterator[str]:
    """Yield what was not even kept of late: no words, and why."""
    resident = SERVICE.residents.get(entity_id(character))
    for event in resident.passed_over if resident else ():
        who, rule = braced(event.source.name), _rule(event.addressing, event.cause)
        yield f"  |x{minute(iso(event.timestamp))}|n {who} ({event.source_type}), not kept: {rule}"


def _turn(character: Any, record: AuditRecord, said: Mapping[str, Json]) -> Iterator[str]:
    told, why = record.data, record.data.get("why", {})
    calls = len(told["model_calls"])
    what = f"{calls} model call{'s' * (calls != 1)}, {told['tokens']} tokens"
    yield f"|w{minute(iso(record.at))}|n {told['outcome']} ({what}){private(record.readers)}"
    for instead in dict.fromkeys(call.get("instead") for call in told["model_calls"]):
        if instead:
            yield f"  |ythe offline model stood in: {braced(instead)}|n"
    if not told["events"]:
        yield "  of its own accord"
    for event in told["events"]:
        rule = _rule(why.get("rules", {}).get(event, ""), why.get("causes", {}).get(event, {}))
        yield f"  {_line(said.get(event))}: |g{rule}|n"
        for made in Participation.objects.filter(event=event):
            names = ", ".join(person(who["id"]) for who in made.participants)
            yield f"  took part, by {made.by}{'' if made.sure else ', unsure'}: {names}"
    yield from _memories(character, "came to mind", why.get("recalled", []))
    for call in ledgers.of_turn(entity_id(character), record.turn_id):
        if "found" in call.data:
            yield from _looked_up(character, call.data)


def _tools(turn: AuditRecord, before: AuditRecord | None) -> Iterator[str]:
    """Yield what could be done and what took tools away, where it differs from the turn before."""
    lists, earlier = _lists(turn), _lists(before) if before else {}
    changed = [name for name in lists | earlier if lists.get(name) != earlier.get(name)]
    for name in changed:
        yield f"  {name}: |x{', '.join(lists.get(name, [])) or 'nothing'}|n"
    if len(changed) < len(lists):
        yield f"  {'all else' if changed else 'could do'}: as before"


def _lists(turn: AuditRecord) -> dict[str, list[str]]:
    if not (why := turn.data.get("why")):
        return {}
    lists = {"could do": why["shown"], "could do by plain words": why.get("spoken", [])}
    lists |= {REASONS.get(reason, reason): tools for reason, tools in why["taken"].items()}
    closed = [f"{kit} {count}" for kit, count in why.get("closed", {}).items()]
    return {
        name: tools for name, tools in {**lists, "not told of, by kit": closed}.items() if tools
    }


def _looked_up(character: Any, call: Json) -> Iterator[str]:
    """Yield what one of its tools searched for, and what it found."""
    asked = _short(" ".join(map(str, call["parameters"].values())))
    people = [person(hit["about"]) for hit in call["found"] if "about" in hit]
    hits = [hit for hit in call["found"] if "ref" in hit]
    what = f"all of {', '.join(people)}" if people else "" if hits else "found nothing"
    yield f"  {call['tool_name']} '{asked}'{what and f': {what}'}"
    yield from _memories(character, "  found", hits)


def _memories(character: Any, how: str, hits: list[Json]) -> Iterator[str]:
    names = choosing.told_apart(choosing.people_of(character)) if hits else {}
    for hit in hits:
        numbers = ", ".join(f"{name} {hit[name]}" for name in hit if name not in ("ref", "mark"))
        words = _words(character, hit)
        yield f"  {how} |w{choosing.short_ref(hit['ref'], names)}|n {words} |x({numbers})|n"


def _words(character: Any, hit: Json) -> str:
    """Return what a memory says now; where another has moved up to its reference, it is gone."""
    try:
        item = find_item(character, hit["ref"]).value
    except AssistantError:
        return FORGOTTEN
    words = item.get("content") or item["value"]
    return _short(words) if mark_of(words) == hit["mark"] else FORGOTTEN


def _unanswered(entry: Json, closed: Mapping[str, str]) -> str:
    rule, reason = _rule(entry["rule"], entry.get("cause", {})), closed.get(entry["id"], "")
    return f"{rule}; |rclosed: {braced(reason)}|n" if reason else rule


def _rule(name: str, cause: Mapping[str, list[str]]) -> str:
    """Return the words for a rule, and for what kept others from deciding before it."""
    told = [RULES.get(name, name or "no rule on record")]
    for why, ids in cause.items():
        told.append(CAUSES.get(why, why).format(" and ".join(map(person, ids))))
    return "; ".join(told)


def _line(entry: Json | None) -> str:
    if entry is None:
        return "a line that is long gone"
    return f"{entry['who']} [{entry['kind']}] {_short(entry['content'])}"


def _short(text: str) -> str:
    return cut_off(braced(" ".join(text.split())), LONGEST)
