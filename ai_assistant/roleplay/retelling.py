"""What is passed on: the memories that a spoken line tells again, and those told on purpose.

The speaker's model writes the words; code finds in them what came from memories that the turn had
recalled for that audience. The hearer keeps the words that it heard and nothing beside them, with
who told whom, and believes them a fifth less at each hop, as it does what game code or staff let
somebody tell on. No model is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import islice

from ai_assistant.core.contracts import Entity, Event, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY, may_read
from ai_assistant.language.talk_signs import statements, worn
from ai_assistant.language.words import asks, meaning, stem, words
from ai_assistant.memory.talk.hearsay import FICTION, TOLD, first_source, sources_of
from ai_assistant.roleplay.knowledge import UPDATES
from ai_assistant.roleplay.play import is_fiction, mark
from ai_assistant.roleplay.world_agent import KEY

GOSSIP = "gossip"
"""Kind of a row that somebody was told on purpose."""
RETOLD = 0.8
"""The share of its trust that a memory keeps at each hop."""
LEAST_TRUST = 0.1
MOST_TOLD = 3
"""Memories that count as passed on with one line at most, the clearest."""
_MANY, _FEW = 3, 2
"""Words that a sentence must share with one of a memory; few where it names whose word it is."""
_OF_LINE, _OF_MEMORY = (0.5, 0.34), (0.34, 0.25)
"""The share of sentence and memory that these words must be: (unnamed, named) each."""
_NAMES = ("author", "author_name", "chain", "origin", "happened_day", "trust", FICTION)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A memory that a sentence may be drawn from, and how much of either the two share."""

    row: MemoryRow
    shared: int
    share: float

    @property
    def rank(self) -> tuple[float, ...]:
        """Of two the one with more of its words there; then the one believed more, and older."""
        return (self.shared, self.share, self.row.trust, -self.row.learned_at)


def told_with(
    line: str, recalled: Iterable[MemoryRow], teller: str, asked: Sequence[str] = ()
) -> tuple[Json, ...]:
    """Return what a line passes on of what its speaker, `teller`, had recalled.

    `asked` are the lines that it answers: their words alone pass on nothing. Each entry says whose
    word it is (`author`), through whom it came (`chain`, the teller last), how far it is to be
    believed, and who `knew` it from the source.
    """
    tellable = (row for row in recalled if _can_be_told(row, teller))
    entries: dict[str, Json] = {}
    for one in _drawn_from(line, tellable, asked):
        for entry in _entries(one.row, teller):
            entries.setdefault(entry["origin"], entry)
    return tuple(islice(entries.values(), MOST_TOLD))


def is_from_play(line: str, recalled: Iterable[MemoryRow], asked: Sequence[str] = ()) -> bool:
    """Does a line say again what was only played?

    Own words count here as well, and accounts and summaries, which are nobody's word.
    """
    return any(is_fiction(one.row) for one in _drawn_from(line, recalled, asked))


def _drawn_from(line: str, rows: Iterable[MemoryRow], asked: Sequence[str]) -> list[_Drawn]:
    """Return the memory from which each sentence of a line is drawn, if any, the clearest first."""
    stale = frozenset(one for text in asked for one in _meanings(text))
    names = frozenset(map(stem, words(line)))
    sources = [_Source.of(row, names) for row in rows]
    best: dict[int, _Drawn] = {}
    for sentence in map(_meanings, statements(line)):
        drawn = (one for source in sources if (one := source.drawn(sentence, stale)))
        if found := max(drawn, key=lambda one: one.rank, default=None):
            best.setdefault(id(found.row), found)
    return sorted(best.values(), key=lambda one: one.rank, reverse=True)


def _meanings(text: str) -> frozenset[str]:
    """Return the stems of a text that carry meaning."""
    return frozenset(filter(None, map(meaning, words(text))))


def _can_be_told(row: MemoryRow, teller: str) -> bool:
    """Is it somebody else's word or deed, or news of the world?"""
    foreign = row.author not in ("", teller) or row.kind in UPDATES or bool(row.meta.get(TOLD))
    return foreign and not row.meta.get("permanent")


@dataclass(frozen=True, slots=True)
class _Source:
    """A memory, the meanings of its sentences, and whether the line names whose word it is."""

    row: MemoryRow
    name: frozenset[str]
    sentences: tuple[frozenset[str], ...]
    is_named: bool

    @classmethod
    def of(cls, row: MemoryRow, names: Collection[str]) -> _Source:
        """Return a memory to be held against a line with those words."""
        name = frozenset(map(stem, words(row.author_name)))
        told = (one for one in statements(row.content) if not asks(one))
        first = next(iter(words(row.author_name)), "")
        return cls(row, name, tuple(map(_meanings, told)), bool(first) and stem(first) in names)

    def drawn(self, sentence: frozenset[str], stale: Collection[str]) -> _Drawn | None:
        """Return what a sentence shares with this; None where that is not enough to be from it."""
        said = sentence - self.name
        shares = ((said & own, own) for own in self.sentences)
        enough = (
            _Drawn(self.row, len(shared), len(shared) / len(own))
            for shared, own in shares
            if self._tells(shared - worn(shared), stale) and self._suffices(shared, said, own)
        )
        return max(enough, key=lambda one: one.rank, default=None)

    def _tells(self, telling: frozenset[str], stale: Collection[str]) -> bool:
        """Are these words that say something, and something else than what was asked?"""
        return len(telling) >= _FEW and not telling.issubset(stale)

    def _suffices(self, shared: Sized, said: Sized, own: Sized) -> bool:
        few = len(shared) >= _FEW
        if few and len(shared) == len(own):
            return True
        of_line, of_memory = _OF_LINE[self.is_named], _OF_MEMORY[self.is_named]
        much = len(shared) >= of_line * len(said) and len(shared) >= of_memory * len(own)
        return much and (few if self.is_named else len(shared) >= _MANY)


def _entries(row: MemoryRow, teller: str) -> Iterator[Json]:
    """Yield where a memory is from, one hop further; one that was told holds all its sources."""
    knew = sorted({*row.meta.get("participants", ())})
    for before in sources_of(row) or [first_source(row)]:
        chain = list(before["chain"])
        trust = before["trust"]
        if chain[-1:] != [teller]:
            chain.append(teller)
            trust = _retold(trust)
        yield {**before, "chain": chain, "trust": trust, "knew": knew}


def _retold(trust: float) -> float:
    """Return how far a memory is believed one hop further."""
    return max(LEAST_TRUST, round(trust * RETOLD, 4))


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
    trust = min(row.trust, *(entry["trust"] for entry in told))
    fiction = mark(any(entry.get(FICTION) for entry in told))
    return replace(row, trust=trust, meta={**row.meta, TOLD: list(told), **fiction})


# -- telling on purpose


def pass_on(row: MemoryRow, teller: Entity, hearer: str, *, day: int, at: float) -> MemoryRow:
    """Return what the hearer keeps of a memory that the teller tells.

    Its label stays, so whoever hears it may tell it no further than the teller might, and so does
    the mark of what was only played. Raises `AssistantError` where the hearer may not know of it,
    or is who it came from.
    """
    if row.readers == NOBODY or not may_read(hearer, row.readers):
        raise AssistantError("That one may not know of it.")
    chain = [*row.meta.get("chain", ()), teller.id]
    if hearer in (row.author, *chain):
        raise AssistantError("That one knows it already.")
    return replace(
        row,
        id=0,
        kind=GOSSIP,
        container=hearer,
        game_day=day,
        learned_at=at,
        trust=_retold(row.trust),
        parents=(),
        meta={
            "type": GOSSIP,
            "told_by": teller.id,
            "told_by_name": teller.name,
            "chain": chain,
            "hops": len(chain),
            "origin": row.meta.get("origin") or row.meta.get("event") or f"#{row.id}",
            "happened_day": row.meta.get("happened_day", row.game_day),
            **mark(is_fiction(row)),
        },
    )
