"""Which entries of the lorebooks come to mind, and which stick, rest or wait: pure functions.

It goes in rounds. In the first one what is constant, still in mind or found by what was said comes
in; in each further one, where its book allows it, what is found by the content of others. Within a
round those with the higher order come first, as long as there is room.

An entry that came to mind stays for `sticky` messages, then rests for `cooldown`. Both count in
the talk, by label of readers, in which it came; `delay` counts all that was said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from ai_assistant.core.contracts import Json
from ai_assistant.roleplay.lorebook.entries import Book, Entry
from ai_assistant.roleplay.lorebook.matching import Said, key_in

MAX_ROUNDS = 6
_RANKS = {"constant": 0, "still in mind": 1}
_BY_KEY = 2


@dataclass(frozen=True, slots=True)
class Scan:
    """What the engine goes by.

    `messages` are the newest first; `tags` are the holder's, in small letters; `seed` decides what
    is left to chance. `count` messages there were so far. `sticky` and `resting` are the keys of
    entries that stay in mind, and that may not come yet. `room` is in tokens.
    """

    messages: Sequence[str] = ()
    tags: frozenset[str] = frozenset()
    seed: str = ""
    count: int = 0
    sticky: frozenset[str] = frozenset()
    resting: frozenset[str] = frozenset()
    room: float = 1000.0
    per_char: float = 0.25


@dataclass(frozen=True, slots=True)
class Fired:
    """An entry that came to mind, and why: ``constant``, ``still in mind`` or by which key."""

    entry: Entry
    why: str

    @property
    def anew(self) -> bool:
        """Did it come to mind by a key just now?"""
        return self.why not in _RANKS


@dataclass(slots=True)
class _Round:
    """How far the engine is: what fired, what was seen of it, and the room that is left."""

    scan: Scan
    said: Said
    room: float
    book_room: dict[int, float]
    fired: list[Fired] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)


def activate(books: Sequence[Book], scan: Scan) -> list[Fired]:
    """Return the entries that come to mind, each once, in the order in which they are shown.

    That is by `order`, the highest last, where it is nearest to what is said now.
    """
    budgets = {at: float(book.token_budget or scan.room) for at, book in enumerate(books)}
    going = _Round(scan, Said(scan.messages), scan.room, budgets)
    for number in range(MAX_ROUNDS):
        new = _one_round(books, going, number)
        if not any(book.recursive for book in books) or not new:
            break
    return sorted(going.fired, key=lambda one: (one.entry.order, one.entry.key))


def _one_round(books: Sequence[Book], going: _Round, number: int) -> bool:
    """Let entries come in; says whether any of them may remind of others."""
    found = [
        (at, fired) for at, book in enumerate(books) for fired in _candidates(book, going, number)
    ]
    found.sort(key=lambda one: (_RANKS.get(one[1].why, _BY_KEY), -one[1].entry.order))
    winners = _winners([fired for _, fired in found], going)
    reminding = []
    for at, fired in found:
        if fired.entry.key in winners and _admit(going, at, fired):
            reminding += [] if fired.entry.prevent_recursion else [fired.entry.content]
    for content in reminding:
        going.said.remind(content)
    return bool(reminding)


def _candidates(book: Book, going: _Round, number: int) -> Iterator[Fired]:
    scan = going.scan
    if not scan.tags.issuperset(book.required_tags) or (number and not book.recursive):
        return
    for entry in book.entries:
        if entry.key in going.done or not _may_come(entry, scan):
            continue
        why = _why(book, entry, going, number)
        if why and (why == "still in mind" or _by_chance(entry, scan)):
            yield Fired(entry, why)


def _may_come(entry: Entry, scan: Scan) -> bool:
    """Is it not kept away by its switch, its holder's tags, or by time?"""
    if not entry.enabled or not scan.tags.issuperset(entry.required_tags):
        return False
    timely = scan.count >= entry.delay and entry.key not in scan.resting
    return timely or entry.key in scan.sticky


def _why(book: Book, entry: Entry, going: _Round, number: int) -> str:
    if number == 0 and entry.key in going.scan.sticky:
        return "still in mind"
    if number == 0 and entry.constant:
        return "constant"
    if bool(number) < entry.delay_until_recursion or (number and entry.exclude_recursion):
        return ""
    depth = entry.scan_depth or book.scan_depth
    found = key_in(entry, going.said.within(depth, recalled=book.recursive and number > 0))
    return f"the word '{found}'" if found else ""


def _by_chance(entry: Entry, scan: Scan) -> bool:
    """Does chance let it come? The same seed always decides the same."""
    if entry.probability >= 100:
        return True
    return Random(f"{scan.seed}|{entry.key}").random() * 100 < entry.probability


def _admit(going: _Round, at: int, fired: Fired) -> bool:
    """Let an entry in where there is room for it in its book and in the prompt."""
    size = len(fired.entry.content) * going.scan.per_char
    if size > min(going.room, going.book_room[at]):
        return False
    going.room -= size
    going.book_room[at] -= size
    going.fired.append(fired)
    going.done.add(fired.entry.key)
    going.groups.update(fired.entry.groups)
    return True


# -- groups: of several that would come, one does


def _winners(found: Sequence[Fired], going: _Round) -> set[str]:
    """Return the keys of those that are alone in their groups, or win them."""
    lost: set[str] = set()
    for name in dict.fromkeys(group for one in found for group in one.entry.groups):
        rivals = [one for one in found if name in one.entry.groups and one.entry.key not in lost]
        chosen = _chosen(name, rivals, going) if rivals and name not in going.groups else None
        lost.update(one.entry.key for one in rivals if one is not chosen)
    return {one.entry.key for one in found} - lost


def _chosen(name: str, rivals: Sequence[Fired], going: _Round) -> Fired:
    """Return who wins: what is still in mind, else what goes first, else one by weight."""
    for firsts in (_standing(rivals), [one for one in rivals if one.entry.group_first]):
        if firsts:
            return max(firsts, key=lambda one: one.entry.order)
    ordered = sorted(rivals, key=lambda one: one.entry.key)
    chance = Random(f"{going.scan.seed}|group|{name}")
    return chance.choices(ordered, weights=[one.entry.group_weight for one in ordered])[0]


def _standing(rivals: Iterable[Fired]) -> list[Fired]:
    return [one for one in rivals if one.why == "still in mind"]


@dataclass(slots=True)
class Standing:
    """What is in mind and what rests: the key of an entry → the label from which that follows."""

    count: int = 0
    sticky: dict[str, str] = field(default_factory=dict)
    resting: dict[str, str] = field(default_factory=dict)


def standing(state: Json, books: Iterable[Book], may: Callable[[str], bool]) -> Standing:
    """Return what stands by the marks whose labels `may` be used.

    `state` is the part ``lore``, see `lore_marks`.
    """
    entries = {entry.key: entry for book in books for entry in book.entries}
    passed = {one["readers"]: one["messages"] for one in state["talks"] if may(one["readers"])}
    found = Standing(count=sum(passed.values()))
    for mark in state["marks"]:
        entry, readers = entries.get(mark["entry"]), mark["readers"]
        if entry is None or readers not in passed:
            continue
        elapsed = passed[readers] - mark["at"]
        if elapsed < entry.sticky:
            found.sticky[entry.key] = readers
        elif elapsed < entry.sticky + entry.cooldown:
            found.resting[entry.key] = readers
    return found
