"""Which entries of the lorebooks come to mind, and which stick, rest or wait: pure functions.

It goes in rounds. In the first one what is constant, still in mind or found by what was said comes
in; in each further one, where its book allows it, what is found by the content of others. Within a
round those with the higher order come first, as long as there is room.

An entry that came to mind stays for `sticky` messages, then rests for `cooldown`. Both count in
the talk, by label of readers, in which it came; `delay` counts all that was said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from ai_assistant.roleplay.lorebook.entries import Entry, Lorebook
from ai_assistant.roleplay.lorebook.matching import ScannedTalk

MAX_ROUNDS = 6
_STICKY = "still in mind"
_RANKS = {"constant": 0, _STICKY: 1}
_BY_KEY = 2


@dataclass(frozen=True, slots=True)
class Scan:
    """What the engine goes by."""

    messages: Sequence[str] = ()
    """What is read for keys, the newest first."""
    tags: frozenset[str] = frozenset()
    """The holder's tags, in small letters."""
    seed: str = ""
    """Decides what is left to chance, the same each time."""
    count: int = 0
    """Messages so far, as `InMind` counts them."""
    sticky: Collection[str] = ()
    """Keys of entries that stay in mind."""
    resting: Collection[str] = ()
    """Keys of entries that may not come yet."""
    room: float = 1000.0
    """Tokens that entries may take together."""
    per_char: float = 0.25
    """Tokens that a character of text takes."""


@dataclass(frozen=True, slots=True)
class Fired:
    """An entry that came to mind, and why: ``constant``, ``still in mind`` or by which key."""

    entry: Entry
    """The entry."""
    why: str
    """Why it came to mind."""

    @property
    def anew(self) -> bool:
        """Did it come to mind by a key just now?"""
        return self.why not in _RANKS


@dataclass(slots=True)
class _Engine:
    """How far it is: what fired, what was seen of it, and the room that is left."""

    scan: Scan
    talk: ScannedTalk
    room: float
    book_room: dict[int, float]
    fired: list[Fired] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)

    def admits(self, at: int, new: Fired) -> bool:
        """Let an entry in where there is room for it in its book and in the prompt."""
        size = len(new.entry.content) * self.scan.per_char
        if size > min(self.room, self.book_room[at]):
            return False
        self.room -= size
        self.book_room[at] -= size
        self.fired.append(new)
        self.done.add(new.entry.key)
        self.groups.update(new.entry.groups)
        return True


def activate(books: Sequence[Lorebook], scan: Scan) -> list[Fired]:
    """Return the entries that come to mind, each once, in the order in which they are shown.

    That is by `order`, the highest last, where it is nearest to what is said now.
    """
    budgets = {at: float(book.token_budget or scan.room) for at, book in enumerate(books)}
    engine = _Engine(scan, ScannedTalk(scan.messages), scan.room, budgets)
    for number in range(MAX_ROUNDS):
        found = [
            (at, fired)
            for at, book in enumerate(books)
            for fired in _candidates(book, engine, number)
        ]
        found.sort(key=lambda pair: (_RANKS.get(pair[1].why, _BY_KEY), -pair[1].entry.order))
        winners = _winners([fired for _, fired in found], engine)
        came = [new for at, new in found if new.entry.key in winners and engine.admits(at, new)]
        reminding = [new.entry.content for new in came if not new.entry.prevent_recursion]
        for content in reminding:
            engine.talk.remind(content)
        if not reminding or not any(book.recursive for book in books):
            break
    return sorted(engine.fired, key=lambda fired: (fired.entry.order, fired.entry.key))


def _candidates(book: Lorebook, engine: _Engine, number: int) -> Iterator[Fired]:
    scan = engine.scan
    if not scan.tags.issuperset(book.required_tags) or (number and not book.recursive):
        return
    for entry in book.entries:
        timely = scan.count >= entry.delay and entry.key not in scan.resting
        may_come = entry.enabled and (timely or entry.key in scan.sticky)
        if (
            not may_come
            or entry.key in engine.done
            or not scan.tags.issuperset(entry.required_tags)
        ):
            continue
        why = _why(book, entry, engine, number)
        chance = Random(f"{scan.seed}|{entry.key}").random() * 100  # the same for the same seed
        if why == _STICKY or (why and chance < entry.probability):
            yield Fired(entry, why)


def _why(book: Lorebook, entry: Entry, engine: _Engine, number: int) -> str:
    if number == 0 and entry.key in engine.scan.sticky:
        return _STICKY
    if number == 0 and entry.constant:
        return "constant"
    if bool(number) < entry.delay_until_recursion or (number and entry.exclude_recursion):
        return ""
    depth = entry.scan_depth or book.scan_depth
    found = engine.talk.key_in(entry, depth, recalled=book.recursive and number > 0)
    return f"the word '{found}'" if found else ""


# -- groups: of several that would come, one does


def _winners(found: Sequence[Fired], engine: _Engine) -> set[str]:
    lost: set[str] = set()
    for name in dict.fromkeys(group for fired in found for group in fired.entry.groups):
        rivals = [
            fired for fired in found if name in fired.entry.groups and fired.entry.key not in lost
        ]
        chosen = _chosen(name, rivals, engine) if rivals and name not in engine.groups else None
        lost.update(rival.entry.key for rival in rivals if rival is not chosen)
    return {fired.entry.key for fired in found} - lost


def _chosen(name: str, rivals: Sequence[Fired], engine: _Engine) -> Fired:
    """Return who wins: what is still in mind, else what goes first, else one by weight."""
    sticky = [rival for rival in rivals if rival.why == _STICKY]
    if first := sticky or [rival for rival in rivals if rival.entry.group_first]:
        return max(first, key=lambda rival: rival.entry.order)
    ordered = sorted(rivals, key=lambda rival: rival.entry.key)
    chance = Random(f"{engine.scan.seed}|group|{name}")
    return chance.choices(ordered, weights=[rival.entry.group_weight for rival in ordered])[0]
