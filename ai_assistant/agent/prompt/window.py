"""Component 5000: which of what was said stands in the prompt, and which in its summary.

The window takes what was said last, up to the `history_tokens` of the role; when it is full, a
third of it leaves at once, so that a conversation begins with the same lines for many turns. Where
it begins follows from how much was ever said to this audience, which the stream counts, and from
nothing else: no silence and no night empties it. What lies before it stands in the summary from
that moment on, a line for each, until a model has put that line together with others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial

from ai_assistant.agent.prompt.chat_lines import ChatLine, called, frame_of, line_of
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import may_use
from ai_assistant.core.contracts import Entity, Json
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import HOUR, epoch
from ai_assistant.language.words import extent
from ai_assistant.memory.talk.folding import record_of, unsummarised
from ai_assistant.memory.talk.stream import entry_of, talk_entry, tokens_of
from ai_assistant.memory.talk.working import key_of

KEPT = 2 / 3
"""The share of the window that stays when it is full."""
UNASKED = 0.4
"""Where nobody is answered the window takes this share of its tokens, the summary its square."""
SUMMARY = 4800
"""Letters that the lines may take which left the window; the oldest give way, and are counted."""
LENGTHS, MARK = ((160, 160), (160, 80), (100, 60), (60, 40), (42, 30)), 3
"""Letters of each line of others, and of each of the character's own, which are but a hint of what
was answered: the most with which all have room. They are few numbers, so that what stands there
mostly stays as it is. The mark around it comes on top."""
IN_SCENE = "What follows belongs to the scene."
ANSWERED = "(You answered; what you said was not for those who are here.)"
"""What stands behind a line whose answer rests on a confidence, so that it is not answered anew."""
PAUSE = 1.0
"""Hours of the game between two lines that are told of."""


@dataclass
class History:
    """What was said before, as far as this turn may use it."""

    window: list[ChatLine] = field(default_factory=list)
    """The lines that stand in the prompt as chat."""
    earlier: list[ChatLine] = field(default_factory=list)
    """Those before them, which stand in the summary."""
    lengths: tuple[int, int] = LENGTHS[0]
    """Letters that one of those takes at most: others', and own."""
    older: int = 0
    """Lines for which there is no room at all."""
    talks: Sequence[Json] = ()
    """The conversations whose records stand before them."""

    @cached_property
    def ids(self) -> set[str]:
        """The ids of all that stands in the prompt with every word."""
        whole = (line for line in self.earlier if line.letters <= self.letters_for(line.entry))
        return {line.entry["id"] for line in (*whole, *self.window)} - {""}

    def letters_for(self, entry: Json) -> int:
        """Return how many letters one of those takes at most."""
        return self.lengths[entry["event_type"] != "external"]


def history(turn: Turn, talks: Sequence[Json] = ()) -> History:
    """Return what was said and done before this turn; all that is shown is admitted.

    Of these `talks`, and in the open of those with all whose lines are shown, so that a talk of
    several begins alike for each of them, come the lines that the stream holds no more. What a
    model put together stands in its record, and not before the window.
    """
    if not turn.mind.role.chat_history:
        return History()
    stream = turn.store.view("stream")
    entries, before, confided = _usable(turn, stream)
    if not (entries or talks):
        return History()
    talks = [*talks, *_company(turn, talks, entries)]
    talks.sort(key=lambda talk: (talk["entity_id"], talk["readers"]))
    most = turn.mind.role.history_tokens
    split = _begin(entries, before, most if turn.events else int(most * UNASKED))
    covered = {mark["id"] for talk in talks for mark in record_of(talk)[1]}
    left = [entry for entry in entries[:split] if entry["id"] not in covered]
    if talks:
        left = [*_gone(turn, talks, stream), *left]
        left.sort(key=lambda entry: epoch(entry["timestamp"]))
    room = SUMMARY if turn.events else int(SUMMARY * UNASKED**2)
    lengths, gone = _room_for(left, room) if left else (LENGTHS[0], 0)
    lines = list(_lines(turn, [*left[gone:], *entries[split:]]))
    begins = {entry["id"] for entry in entries[split:]}
    answered = _answered(entries, confided)
    window = [_in_chat(line, answered) for line in lines if line.entry["id"] in begins]
    earlier = lines[: len(lines) - len(window)]
    older = gone + sum(talk.get("older", 0) for talk in talks)
    return History(window, earlier, lengths, older, talks)


def _company(turn: Turn, talks: Sequence[Json], entries: Sequence[Json]) -> Iterator[Json]:
    """Yield the open talks, with a summary, with others whose lines an open turn shows."""
    if turn.trigger is None or turn.trigger.readers != OPEN or not turn.play.inherits:
        return
    known = {turn.me.id, "", *(talk["entity_id"] for talk in talks)}
    others = dict.fromkeys([entry["who_id"] for entry in entries if entry["who_id"] not in known])
    for who in others:
        talk = turn.store.view("working", key_of(who, OPEN))
        if talk.get("summary") and turn.admit(OPEN, who):
            yield talk


def _room_for(entries: Sequence[Json], room: int) -> tuple[tuple[int, int], int]:
    """Return how many letters each line may have, and how many first ones have no room."""
    sizes, left, least = list[tuple[int, bool]](), room, LENGTHS[-1]
    for entry in reversed(entries):  # the newest first: what has no room is not even measured
        own = entry["event_type"] != "external"
        size = extent(entry["content"]) + len(entry["who"]) + 2
        left -= (least[own] if size > least[own] else size) + MARK
        if left < 0:
            return least, len(entries) - len(sizes)
        sizes.append((size, own))
    for lengths in LENGTHS:
        cut = [(lengths[own] if size > lengths[own] else size) + MARK for size, own in sizes]
        if sum(cut) <= room:
            break
    return lengths, 0


def _gone(turn: Turn, talks: Sequence[Json], stream: Json) -> Iterator[Json]:
    """Yield the lines of talks that the stream holds no more, or never held, as entries of it."""
    held = {entry["id"] for entry in stream["entries"]}
    held |= {*(event.id for event in (*turn.mind.heard, *turn.events)), *turn.mind.refused}
    for talk in talks:
        with_whom = Entity(talk["entity_id"], name_of_other(turn, talk))
        for said in unsummarised(talk, held):
            who = turn.me if said["role"] == "assistant" else with_whom
            if said["content"].strip():
                yield talk_entry(said, who, talk["readers"])


def name_of_other(turn: Turn, talk: Json) -> str:
    """Return the name of the one that a talk is with."""
    if turn.partner and talk["entity_id"] == turn.partner.id:
        return turn.partner.name
    return turn.mind.recall.names.get(talk["entity_id"], "somebody")


def _in_chat(line: ChatLine, answered: Set[str]) -> ChatLine:
    """Return a line with what the game tells around it."""
    is_answered = line.entry["id"] in answered
    around = [f"({line.passed})"] if line.passed else []
    around += [line.text, *([ANSWERED] if is_answered else [])]
    told = "\n".join(around)
    return replace(line, text=told, is_answered=is_answered) if len(around) > 1 else line


def _answered(entries: Sequence[Json], confided: Set[str]) -> set[str]:
    """Return the ids of lines whose only answer is left out here; of each turn its last line."""
    left_out = confided - {entry["turn_id"] for entry in entries if not is_heard(entry)}
    last = {entry["turn_id"]: entry["id"] for entry in entries if entry["turn_id"] in left_out}
    return set(last.values())


def _usable(turn: Turn, stream: Json) -> tuple[list[Json], int, set[str]]:
    """Return the entries that this turn may use, and the tokens of such that the stream dropped.

    The third are the ids of turns in which the character said what this turn may not use.
    """
    sessions, may = turn.play.sessions, cache(partial(may_use, turn))
    left_out = {event.id for event in turn.events}.union(turn.mind.refused)
    overheard = map(entry_of, turn.mind.heard)  # on its way to the stream, with this turn
    entries = [
        entry
        for entry in (*stream["entries"], *overheard)
        if entry["id"] not in left_out
        and entry.get("session", "") in sessions
        and may(entry["readers"])
    ]
    gone = (
        tokens
        for session, labels in stream.get("left", {}).items()
        if session in sessions
        for readers, tokens in labels.items()
        if may(readers)
    )
    confided = {
        entry["turn_id"]
        for entry in stream["entries"]
        if entry["event_type"] == "self_speech" and not may(entry["readers"])
    }
    return entries, sum(gone), confided


def _begin(entries: Sequence[Json], before: int, most: int) -> int:
    """Return which entry the window begins with, after `before` tokens that are gone.

    No answer stays without what it answers.
    """
    kept = int(most * KEPT)
    sizes = list(map(tokens_of, entries))
    ends = before + sum(sizes)
    begins = (ends - kept) // (most - kept) * (most - kept) if ends >= most else 0
    first, at = 0, before
    while first < len(entries) and at < begins:
        at += sizes[first]
        first += 1
    if first == 0 or first == len(entries) or is_heard(entries[first]):
        return first
    heard = {entry["turn_id"] for entry in entries[:first] if is_heard(entry)} - {""}
    while (
        first < len(entries) and entries[first]["turn_id"] in heard and not is_heard(entries[first])
    ):
        first += 1
    return first


def is_heard(entry: Json) -> bool:
    """Is it something that somebody else said or did?"""
    return bool(entry["event_type"] == "external")


def _lines(turn: Turn, entries: Sequence[Json]) -> Iterator[ChatLine]:
    """Yield the lines that may be used; what reads as it did in the last turn is not made again."""
    before: Json = {}
    after = ("", "")  # the id and the time of what came before
    admit, name, pace = cache(turn.admit), cache(partial(called, turn)), turn.world.pace()
    frame, told = (pace, *frame_of(turn)), turn.mind.told
    known, made = told.get(frame, {}), dict[tuple[str, ...], ChatLine]()
    for entry in entries:
        if admit(entry["readers"], entry["who_id"]):
            if entry["event_type"] == "external":
                turn.source_lines.append(entry)
            who = name(entry["who_id"], entry["who"])
            place = (entry["id"], who, *after)
            line = known.get(place)
            if line is None or line.entry != entry:
                line = line_of(turn, entry, who, passed_between(before, entry, pace))
            made[place], before, after = line, entry, (entry["id"], entry["timestamp"])
            yield line
    told.clear()
    told[frame] = made


def passed_between(before: Json, entry: Json, pace: float) -> str:
    """Return what begins with an entry, or the time that went by before it, in words; mostly none.

    In a scene that is the scene itself, or another day of it; else game time, which has a `pace`.
    """
    if session := entry.get("session", ""):
        begins = [IN_SCENE] if before and session != before.get("session", "") else []
        day = entry.get("game_day", 0)
        is_new = begins or day != before.get("game_day", 0)
        return " ".join([*begins, *([f"Day {day} of the story."] if day and is_new else [])])
    if not before.get("timestamp"):
        return ""
    hours = (epoch(entry["timestamp"]) - epoch(before["timestamp"])) * pace / HOUR
    if hours < PAUSE:
        return ""
    days = round(hours / 24)
    return "Hours pass." if not days else "A day passes." if days == 1 else f"{days} days pass."
