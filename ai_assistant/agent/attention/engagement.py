"""Engagement: the talk that an assistant is in, what parts a speaker from it, and whom he means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import itemgetter

from ai_assistant.core.contracts import ALOUD, Entity, Event
from ai_assistant.core.times import HOUR
from ai_assistant.language.address import calls_all, speaks_to
from ai_assistant.language.talk_signs import has_question_mark, is_for_all

LONG_SILENCE = HOUR
"""Seconds after which whoever asks something counts as new among those who are there."""
MOST_HEARD = 200
"""Players of whom it knows when they last spoke."""


class Obstacle(StrEnum):
    """What may keep a rule from deciding."""

    TURNS_TO = "turns_to"
    TALKS_WITH = "talks_with"
    TALKED_ELSEWHERE = "talked_elsewhere"
    LONG_AGO = "long_ago"
    INTERRUPTED = "interrupted"
    TURN_OF_OTHERS = "turn_of_others"
    ASLEEP = "asleep"
    ANOTHER_SERVER = "another_server"


Cause = dict[str, list[str]]
"""Obstacles by their values, each with the ids of those on whose account it was one."""


@dataclass(slots=True)
class Engagement:
    """The talk it is in: who turned to it, or was answered, last, and who else lately.

    Words of another player that are not for it end the talk with all of them.
    """

    who: str = ""
    """The id of the one it talked with last; empty for nobody."""
    place: str = ""
    """Where that was, a room's or a channel's id."""
    since: float = 0.0
    """When, in seconds since the epoch."""
    words: str = ""
    """What it said last; whom that calls by name is in the conversation as well."""
    round: dict[str, float] = field(default_factory=dict)
    """When it last talked with each of those who are in this talk, by their ids."""
    broken: tuple[str, str] = ("", "")
    """With whom the last talk was that others broke, and by whose words."""
    asked: str = ""
    """The place to which it was sent, and where others have not answered yet; empty for none."""
    heard: dict[str, float] = field(default_factory=dict)
    """When each player last said something where it is, by their ids; who comes or goes is out."""
    here: str = ""
    """The id of the room in which it heard something last."""
    aside: tuple[str, str, float] = ("", "", 0.0)
    """Where, by whom and when a player last said something that was not for it."""

    def turn_to(self, who: str, at: float, place: str, words: str = "") -> None:
        """Note that it talks with somebody now, who needs no name from here on."""
        self.round = {**self.round, who: at} if place == self.place else {who: at}
        self.who, self.since, self.place, self.words = who, at, place, words

    def has(self, somebody: Entity) -> bool:
        """Is somebody in this talk, or called by name in what it said last?"""
        return somebody.id in (self.who, *self.round) or speaks_to(self.words, (somebody.name,))

    def gap(self, event: Event, seconds: float) -> Cause | None:
        """Return what parts the speaker from the assistant; None while their conversation holds.

        Of several in the talk the last goes on without a name, the others by a question.
        """
        partner, interrupter = self.broken
        who = event.source.id
        if not 0 <= event.timestamp - self.since <= seconds:
            return {Obstacle.LONG_AGO: []} if who in (self.who, partner) and who else {}
        if not self.who:
            return {Obstacle.INTERRUPTED: [interrupter]} if who == partner and who else {}
        asks = who in self.round and has_question_mark(event.content)
        if self.who != who and not (asks or speaks_to(self.words, (event.source.name,))):
            return {Obstacle.TALKS_WITH: [self.who]}
        return None if self.place == event.place else {Obstacle.TALKED_ELSEWHERE: []}

    def may_mean(self, event: Event, seconds: float) -> bool:
        """May words without a name be for it? Of those in its talk, and of whom others broke in."""
        is_fresh = 0 <= event.timestamp - self.since <= seconds and event.place == self.place
        return is_fresh and event.source.id in (*self.round, self.broken[0])

    def wants_answer(self, event: Event, seconds: float) -> bool:
        """Does a line without a name ask for an answer? Of one amid a talk its mind says."""
        is_amid = self.may_mean(event, seconds)
        return calls_all(event.content) or (has_question_mark(event.content) and not is_amid)

    def last_with(self, who: str) -> float:
        """Return when it last talked with somebody, in seconds since the epoch; 0 for never."""
        return self.round.get(who, self.since if who in (self.who, self.broken[0]) else 0.0)

    def is_new(self, event: Event, seconds: float) -> bool:
        """Is this the first thing that somebody says here, since coming or for an hour?

        Not where it has just come itself, nor within so many seconds of another player's words
        that were not for it: it may be an answer to those.
        """
        last = self.heard.get(event.source.id)
        place, who, at = self.aside
        is_theirs = place == event.place and who != event.source.id
        if self.here not in ("", event.place) or (is_theirs and event.timestamp - at <= seconds):
            return False
        return last is None or event.timestamp - last > LONG_SILENCE

    def overhear(
        self, event: Event, *, is_asked: bool = False, present: Callable[[], Iterable[str]] = tuple
    ) -> None:
        """Another player's words in the same place, unless they are for it, end the talk.

        Whoever is `present` where it comes is not new there. An assistant's words where it was sent
        are the answer; a player's begin a talk.
        """
        who, kind = event.source.id, event.source_type
        if event.place != self.here and (kind == "move" or kind in ALOUD):
            found = present() if self.here else ()
            self.here, self.heard = event.place, self.heard | dict.fromkeys(found, event.timestamp)
        if kind == "move":
            self.heard.pop(who, None)
        if event.by_assistant:
            if kind == "say" and event.place == self.asked:
                self.asked = ""
            return
        if kind == "say":
            self.heard[who] = event.timestamp
        if kind in ("say", "channel") and not is_asked:
            self.part(event)

    def part(self, event: Event) -> None:
        """Note words that were not for it, and whom they part from it."""
        who = event.source.id
        if len(self.heard) > MOST_HEARD:
            self.heard = dict(sorted(self.heard.items(), key=itemgetter(1))[-MOST_HEARD:])
        self.aside = (event.place, who, event.timestamp)
        if event.place == self.place and who == self.who:
            self.round = {who: self.since}
        elif event.place == self.place:
            self.broken, self.who, self.round = (self.who, who), "", {}


def whom_meant(event: Event, talks: Mapping[str, Engagement], seconds: float) -> list[str]:
    """Return the ids of assistants for one of which a line without a name may be, best first.

    `talks` are those of all assistants that hear it, by their ids. Whoever goes on with a talk
    means the one in it. Else it may be for any of those to whom it is said; and for one to whom
    its speaker is new, or in whose talk of the last `seconds` the speaker is. The best is the one
    with whom the speaker talked last, or else the first.
    """
    is_to_all = calls_all(event.content) or is_for_all(event.content)
    some = [] if is_to_all else [id for id in talks if talks[id].gap(event, seconds) is None]
    some = some or [id for id in talks if is_to_all or talks[id].is_new(event, seconds)]
    some = some or [id for id in talks if talks[id].may_mean(event, seconds)]
    who = event.source.id
    return sorted(some, key=lambda id: talks[id].last_with(who), reverse=True)
