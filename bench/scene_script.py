"""Scripts of generated scenes: who says or does what next, and whom they mean it for.

The generator knows where everybody is, who hides, who is deaf and where it is dark, and which
talks are under way. It knows nothing of the rules that find participants.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from bench import scene_words as words

_ONSETS = "b d f g h k l m n p r s t v z br cl dr gr st".split()
_SYLLABLES = [onset + vowel for onset in _ONSETS for vowel in "aeiou"]
_TOWN = re.compile(r"\b[a-z]+wick\b", re.IGNORECASE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m|\|n")
FRESH, OVER = 5, 12
"""So many lines later a talk is not taken up without a name any more; and it is forgotten."""
NO_TALK: tuple[frozenset[str], int, bool] = (frozenset(), -OVER, False)
NICKNAMES = ("Tinker", "Piper", "Friar", "Reeve", "Cooper", "Red Beard", "Grey Cloak", "Sparrow")


def town(number: int) -> str:
    """Return the name of a place that no other number has."""
    digits = number + 12_345
    found = ""
    for _ in range(3):
        digits, at = divmod(digits, len(_SYLLABLES))
        found += _SYLLABLES[at]
    return f"{found.capitalize()}wick"


def towns_in(text: str) -> list[str]:
    """Return the places that a text names, however it writes them."""
    return [one.capitalize() for one in _TOWN.findall(_COLOUR.sub(" ", text))]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays. `calls` are the names that others use; `mind`: an assistant."""

    name: str
    calls: tuple[str, ...]
    mind: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """Somebody goes to a room, by its number."""

    who: str
    to: int


@dataclass(frozen=True, slots=True)
class Said:
    """A line: what is typed, whom it is for, and who is near enough to get it.

    `audience` is None where the generator cannot know, since somebody walked while it was made.
    `hasty`: the next thing happens at once, before anybody could answer.
    """

    town: str
    speaker: str
    typed: str
    kind: str
    meant: frozenset[str]
    audience: frozenset[str] | None = None
    hasty: bool = False
    depth: int = 0


@dataclass(slots=True)
class Setting:
    """How a scene begins. Without members it is the game itself."""

    number: int
    where: dict[str, int]
    members: tuple[str, ...] = ()
    policy: str = "addressed"
    hidden: frozenset[str] = frozenset()
    deaf: frozenset[str] = frozenset()
    dark: frozenset[int] = frozenset()
    lines: list[Said] = field(default_factory=list)


def setting(number: int, cast: Sequence[Person], luck: random.Random) -> Setting:
    """Return a scene's beginning: three in four are started scenes, some with bystanders."""
    names = [one.name for one in cast]
    players = [one.name for one in cast if not one.mind]
    members: tuple[str, ...] = ()
    if luck.random() < 0.75:
        owner = luck.choice(players)
        others = [one for one in names if one != owner]
        out = luck.sample(others, luck.choice((0, 0, 0, 1, 1, 2)))
        members = (owner, *(one for one in others if one not in out))
    return Setting(
        number=number,
        where={one: int(luck.random() < 0.25) for one in names},
        members=members,
        policy=luck.choice(("addressed", "addressed", "round robin", "free")),
        hidden=frozenset(luck.sample(players[1:], int(luck.random() < 0.3))),
        deaf=frozenset(luck.sample(names, int(luck.random() < 0.2))),
        dark=frozenset({1} if luck.random() < 0.15 else ()),
    )


class Script:
    """One scene, line by line. `lines` numbers the places; each is named once in a run."""

    def __init__(
        self,
        start: Setting,
        cast: Sequence[Person],
        luck: random.Random,
        towns: Callable[[], str],
    ) -> None:
        self.start, self.luck, self._towns = start, luck, towns
        self.cast = {one.name: one for one in cast}
        self.where = dict(start.where)
        self._talks: dict[str, tuple[frozenset[str], int, bool]] = {}
        self._line = 0
        self._hurry = False

    # -- what happens next

    def next(self) -> Said | Walk:
        """Return what happens next; whoever types it is a player, whoever walks may be anybody."""
        luck = self.luck
        if self._hurry or luck.random() < 0.12:
            self._hurry = False
            return self._walk(luck.choice(list(self.cast)))
        players = [name for name, one in self.cast.items() if not one.mind]
        luck.shuffle(players)
        speaker = next((one for one in players if self._near(one)), "")
        if not speaker:
            return self._walk(luck.choice(players))
        said = self._talk_of(speaker) or self._new_talk(speaker)
        self.note(said)
        self._hurry = said.hasty
        return said

    def note(self, said: Said) -> None:
        """Keep in mind who talks with whom now; answers of assistants are noted as well."""
        self._line += 1
        if said.kind == "whisper":
            return
        if said.kind == words.OPEN:
            return
        group = frozenset({said.speaker, *said.meant})
        for one in group:
            before, line, _ = self._talks.get(one, NO_TALK)
            torn = one != said.speaker and before != group and self._line - line < FRESH
            self._talks[one] = (group, self._line, said.kind != words.ALL and not torn)

    def _walk(self, who: str) -> Walk:
        self.where[who] = 1 - self.where[who]
        return Walk(who, self.where[who])

    # -- who is there

    def _near(self, who: str) -> list[str]:
        there = (one for one in self.cast if self.where[one] == self.where[who])
        return [one for one in there if one != who]

    def _known(self, who: str) -> list[str]:
        """Return those near whom one would speak to: in the dark people know who came along."""
        return [one for one in self._near(who) if one not in self.start.hidden]

    def _is_dark(self, who: str) -> bool:
        return self.where[who] in self.start.dark

    def _partners(self, who: str) -> list[str]:
        """Return the others of the talk that one is in, as long as all of them are near.

        Who called to all is in no talk with anybody; of whom several want something at once,
        nobody could tell with whom words without a name go on.
        """
        group, line, goes_on = self._talks.get(who, NO_TALK)
        others = sorted(group - {who})
        fresh = self._line - line < FRESH and set(others) <= set(self._known(who))
        return others if goes_on and fresh else []

    def _is_alone(self, who: str) -> bool:
        """Is one in no talk with anybody near, so that words to nobody are for all?"""
        group, line, _ = self._talks.get(who, NO_TALK)
        return self._line - line >= OVER or not group & set(self._near(who))

    # -- what is said

    def _talk_of(self, who: str) -> Said | None:
        """Return a line with which a talk goes on, or None."""
        partners = self._partners(who)
        if not partners or self.luck.random() < 0.45:
            return None
        kinds = [words.FOLLOW, words.FOLLOW, words.FOLLOW, words.WE, words.ABSENT, words.THIRD]
        kind = words.BOTH if len(partners) == 2 else self.luck.choice(kinds)
        others = [one for one in self._known(who) if one not in partners]
        absent = [one for one in self.cast if self.where[one] != self.where[who]]
        if kind == words.THIRD and others:
            third = self.luck.choice(others)
            return self._say(who, kind, [*partners, third], x=third)
        if kind == words.ABSENT and absent:
            return self._say(who, kind, partners, x=self.luck.choice(absent))
        kind = kind if kind in (words.BOTH, words.WE) else words.FOLLOW
        return self._say(who, kind, partners)

    def _new_talk(self, who: str) -> Said:
        luck, known, chance = self.luck, self._known(who), self.luck.random()
        if not known or chance < 0.12:
            return self._say(who, words.ALL, self._near(who))
        if chance < 0.2 and self._is_alone(who):
            return self._say(who, words.OPEN, self._near(who))
        other = luck.choice(known)
        if chance < 0.35 and not self._is_dark(who) and other not in self.start.deaf:
            return self._whisper(who, other)
        if chance < 0.45 and not self._is_dark(who):
            return self._pose(who, other)
        if chance < 0.57 and len(known) > 1:
            one, two = luck.sample(known, 2)
            return self._say(who, words.TWO, [one, two], n=self._call(one), m=self._call(two))
        if chance < 0.6 and self._is_alone(who):
            return self._say(who, words.PAIR, [other], x=other)
        if chance < 0.63 and len(self._near(who)) == 2 == len(known):
            return self._say(who, words.BOTH, known)
        return self._say(who, words.CALL, [other], n=self._call(other))

    def _call(self, who: str) -> str:
        calls = self.cast[who].calls
        return calls[0] if self.luck.random() < 0.6 else self.luck.choice(calls)

    def _say(self, who: str, kind: str, meant: Collection[str], **names: str) -> Said:
        place = self._towns()
        text = self.luck.choice(words.LINES[kind]).format(w=place, **names)
        text = text[0].upper() + text[1:]
        hears = {one for one in self._near(who) if one not in self.start.deaf}
        minds = [one for one in meant if self.cast[one].mind]
        hasty = kind == words.CALL and bool(minds) and self.luck.random() < 0.2
        return self._said(place, who, f"say {text}", kind, meant, hears, hasty=hasty)

    def _whisper(self, who: str, other: str) -> Said:
        place = self._towns()
        kind = self.luck.choice((words.OPEN, words.FOLLOW, words.WE))
        text = self.luck.choice(words.LINES[kind]).format(w=place)
        typed = f"whisper {other} = {text}"
        return self._said(place, who, typed, "whisper", {other}, {other})

    def _pose(self, who: str, other: str) -> Said:
        place = self._towns()
        text = self.luck.choice(words.LINES[words.POSE]).format(w=place, n=self._call(other))
        return self._said(place, who, f"pose {text}", words.POSE, {other}, set(self._near(who)))

    def _said(  # noqa: PLR0913 - the parts of a line
        self,
        place: str,
        who: str,
        typed: str,
        kind: str,
        meant: Collection[str],
        hears: set[str],
        *,
        hasty: bool = False,
    ) -> Said:
        return Said(place, who, typed, kind, frozenset(meant), frozenset(hears), hasty)
