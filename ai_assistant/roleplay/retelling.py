"""Retelling: which memories a spoken line passes on, and what its hearers keep of where it is from.

The speaker's model writes the words; code finds in them what came from memories that the turn had
recalled for that audience. The hearer keeps the words that it heard and nothing beside them, with
who told whom, and believes them a fifth less at each hop. No model is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ai_assistant.contracts import Event, Json, MemoryRow
from ai_assistant.memory.hearsay import FICTION, TOLD, first_source, sources_of
from ai_assistant.memory.lexicon import asks, meaning, stem, words
from ai_assistant.roleplay.gossip import LEAST_TRUST, RETOLD
from ai_assistant.roleplay.knowledge import UPDATES
from ai_assistant.roleplay.world_agent import KEY

MOST_TOLD = 3
"""So many memories count as passed on with one line, the clearest."""
_MANY, _FEW = 3, 2
"""So many words of a memory must stand in the line; few are enough where they are most of it."""
_MOST = 0.6
_NAMES = ("author", "author_name", "chain", "origin", "happened_day", "trust", FICTION)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A memory that a line may be drawn from, and the words that the two share."""

    row: MemoryRow
    shared: frozenset[str]
    share: float

    @property
    def rank(self) -> tuple[float, ...]:
        """Of two the one with more of its words in the line; then the one believed more."""
        return (len(self.shared), self.share, self.row.trust, -self.row.learned_at)


def told_with(
    line: str, recalled: Iterable[MemoryRow], teller: str, asked: Sequence[str] = ()
) -> tuple[Json, ...]:
    """Return what a line passes on of what its speaker, `teller`, had recalled.

    `asked` are the lines that it answers: their words alone pass on nothing. Each entry says whose
    word it is (`author`), through whom it came (`chain`, the teller last), how far it is to be
    believed, and who `knew` it from the source.
    """
    said, names = _meanings(line), frozenset(map(stem, words(line)))
    stale = frozenset(one for text in asked for one in _meanings(text))
    told = (row for row in recalled if _can_be_told(row, teller))
    sources = [(row, own) for row in told if len(own := _meanings(row.content)) >= _FEW]
    found: list[Json] = []
    while len(found) < MOST_TOLD:
        drawn = (_drawn(row, own, said - stale, said & own, names) for row, own in sources)
        best = max(filter(None, drawn), key=lambda one: one.rank, default=None)
        if best is None:
            break
        found += _entries(best.row, teller)
        said -= best.shared
    return tuple(found[:MOST_TOLD])


def _meanings(text: str) -> frozenset[str]:
    """Return the stems of a text that carry meaning."""
    return frozenset(filter(None, map(meaning, words(text))))


def _can_be_told(row: MemoryRow, teller: str) -> bool:
    """Is it somebody else's word or deed, or news of the world, and no question?"""
    foreign = row.author not in ("", teller) or row.kind in UPDATES or bool(row.meta.get(TOLD))
    return foreign and not row.meta.get("permanent") and not asks(row.content)


def _drawn(
    row: MemoryRow,
    own: frozenset[str],
    news: frozenset[str],
    shared: frozenset[str],
    names: Collection[str],
) -> _Drawn | None:
    """Return what a line shares with a memory; None where that is not enough to come from it.

    `own` are the memory's words, and `news` those of the line that it does not only repeat.
    """
    if len(shared) < _FEW or not shared & news:
        return None
    share = len(shared) / len(own)
    named = any(stem(one) in names for one in words(row.author_name)[:1])
    enough = len(shared) >= _MANY or named or share >= _MOST
    return _Drawn(row, shared, share) if enough else None


def _entries(row: MemoryRow, teller: str) -> Iterator[Json]:
    """Yield where a memory is from, one hop further; one that was told holds all its sources."""
    knew = sorted({*row.meta.get("participants", ())})
    for before in sources_of(row) or [first_source(row)]:
        chain = list(before["chain"])
        trust = before["trust"]
        if chain[-1:] != [teller]:
            chain.append(teller)
            trust = max(LEAST_TRUST, round(trust * RETOLD, 4))
        yield {**before, "chain": chain, "trust": trust, "knew": knew}


# -- what the hearer keeps


def heard_by(event: Event, who: str, heard: Collection[str] = ()) -> Event:
    """Return an event with what it passes on to this hearer, `heard` being ids of what it heard.

    What it has from the source itself is no news to it. A line that was only played says so.
    """
    more: Json = {}
    if told := news_to(event.metadata.get(TOLD, ()), who, heard):
        more[TOLD] = told
    if any(one.get(FICTION) for one in (event.metadata.get(KEY) or {}, *told)):
        more[FICTION] = True
    rest = {key: value for key, value in event.metadata.items() if key != TOLD}
    return replace(event, metadata=rest | more) if more or TOLD in event.metadata else event


def news_to(told: Iterable[Json], who: str, heard: Collection[str] = ()) -> list[Json]:
    """Return what of that did not come from that one, or reach it at its source before."""
    return kept(
        one
        for one in told
        if who not in (*one["author"].split(","), *one["chain"][:-1], *one.get("knew", ()))
        and one["origin"] not in heard
    )


def kept(told: Iterable[Json]) -> list[Json]:
    """Return what was passed on as it is stored."""
    return [{name: one[name] for name in _NAMES if name in one} for one in told]


def as_told(row: MemoryRow, told: Sequence[Json]) -> MemoryRow:
    """Return the row of a line with what was told with it: believed as far as the least of that.

    What was only played stays marked as such.
    """
    if not told:
        return row
    fiction = {FICTION: True} if any(one.get(FICTION) for one in told) else {}
    trust = min(row.trust, *(one["trust"] for one in told))
    return replace(row, trust=trust, meta={**row.meta, TOLD: list(told), **fiction})
