"""What is passed on: the memories that a spoken line tells again, and those told on purpose.

The speaker's model writes the words; code finds in them what came from memories that the turn had
recalled for that audience. The hearer keeps the words that it heard and nothing beside them, with
who told whom, and believes them a fifth less at each hop, as it does what game code or staff let
somebody tell on. No model is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter

from ai_assistant.core.contracts import Entity, Event, Json, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY, may_read
from ai_assistant.language.talk_signs import statements, worn
from ai_assistant.language.words import asks, stem, stem_set, words
from ai_assistant.memory.talk.hearsay import FICTION, TOLD, first_source, sources_of
from ai_assistant.roleplay.knowledge import UPDATES
from ai_assistant.roleplay.play import is_fiction, mark

GOSSIP = "gossip"
RETOLD = 0.8
"""The share of its trust that a memory keeps at each hop."""
LEAST_TRUST = 0.1
MOST_TOLD = 3
"""Memories that count as passed on with one line at most, the clearest."""
_LEAST_TOLD = 2
"""Words that a sentence must say of a memory beside those in everybody's mouth."""
_ENOUGH = {False: (3, 0.5, 0.34), True: (2, 0.34, 0.25)}
"""Does the line name whose word it is? → the words that they must share, and the share of sentence
and memory that these must be."""
_NAMES = ("author", "author_name", "chain", "origin", "happened_day", "trust", FICTION)


def told_with(
    line: str, recalled: Iterable[MemoryRow], teller: str, asked: Sequence[str] = ()
) -> tuple[Json, ...]:
    """Return what a line passes on of what its speaker, `teller`, had recalled.

    Tellable is somebody else's word or deed, and news of the world. `asked` are the lines that it
    answers: their words alone pass on nothing. Each entry says whose word it is (`author`), through
    whom it came (`chain`, the teller last), how far it is to be believed, and who `knew` it from
    the source.
    """
    tellable = [
        row
        for row in recalled
        if (row.author not in ("", teller) or row.kind in UPDATES or row.meta.get(TOLD))
        and not row.meta.get("permanent")
    ]
    entries: dict[str, Json] = {}
    for row in _drawn_from(line, tellable, asked):
        for entry in _entries(row, teller):
            entries.setdefault(entry["origin"], entry)
    return tuple(islice(entries.values(), MOST_TOLD))


def retells(line: str) -> Callable[[str], bool]:
    """Return what says of a text whether a line shares enough words with it to tell it again.

    It is quick, and says so of more than what the line is drawn from.
    """
    said = stem_set(line)
    telling = said - worn(said)
    return lambda text: len(telling & stem_set(text)) >= _LEAST_TOLD


def is_from_play(line: str, recalled: Iterable[MemoryRow], asked: Sequence[str] = ()) -> bool:
    """Does a line say again what was only played?

    Own words count here as well, and accounts and summaries, which are nobody's word.
    """
    return any(map(is_fiction, _drawn_from(line, recalled, asked)))


def _drawn_from(line: str, recalled: Iterable[MemoryRow], asked: Sequence[str]) -> list[MemoryRow]:
    """Return the memory from which each sentence of a line is drawn, if any, the clearest first."""
    recalled = [*recalled]
    if not recalled:
        return []
    stale = frozenset(word for text in asked for word in stem_set(text))
    names = frozenset(map(stem, words(line)))
    may_be_from = retells(line)
    sources = [_Source.of(row, names) for row in recalled if may_be_from(row.content)]
    best: dict[int, tuple[_Rank, MemoryRow]] = {}
    for sentence in map(stem_set, statements(line)):
        ranked = [(source.rank(sentence, stale), source.row) for source in sources]
        rank, row = max(ranked, key=itemgetter(0), default=((), None))
        if rank and row:
            best.setdefault(id(row), (rank, row))
    clearest = sorted(best.values(), key=itemgetter(0), reverse=True)
    return [row for _, row in clearest]


_Rank = tuple[float, ...]
"""Of two memories the one with more of its words there; then the one believed more, and older."""


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
        name = list(map(stem, words(row.author_name)))
        told = (text for text in statements(row.content) if not asks(text))
        return cls(
            row, frozenset(name), tuple(map(stem_set, told)), bool(name) and name[0] in names
        )

    def rank(self, sentence: frozenset[str], stale: Collection[str]) -> _Rank:
        """Return how clearly a sentence is drawn from this; empty where it is not."""
        said = sentence - self.name
        least, of_line, of_memory = _ENOUGH[self.is_named]
        ranks: list[_Rank] = []
        for own in self.sentences:
            shared = said & own
            telling = shared - worn(shared)
            if len(telling) < _LEAST_TOLD or telling.issubset(stale):
                continue
            enough = max(least, of_line * len(said), of_memory * len(own))
            if len(shared) == len(own) or len(shared) >= enough:
                share = len(shared) / len(own)
                ranks.append((len(shared), share, self.row.trust, -self.row.learned_at))
        return max(ranks, default=())


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
    return max(LEAST_TRUST, round(trust * RETOLD, 4))


# -- what the hearer keeps


def heard_by(event: Event, who: str, heard: Collection[str] = ()) -> Event:
    """Return an event with what it passes on to this hearer, `heard` being ids of what it heard.

    What it has from the source itself is no news to it. A line that was only played says so.
    """
    metadata = dict(event.metadata)
    told = metadata.pop(TOLD, ())
    if told and (told := news_to(told, who, heard)):
        metadata[TOLD] = told
    if any(source.get(FICTION) for source in told):
        metadata[FICTION] = True
    return replace(event, metadata=metadata) if metadata != event.metadata else event


def news_to(told: Iterable[Json], who: str, heard: Collection[str] = ()) -> list[Json]:
    """Return what of that did not come from that one, or reach it at its source before."""
    return as_passed_on(
        entry
        for entry in told
        if who not in (*entry["author"].split(","), *entry["chain"][:-1], *entry.get("knew", ()))
        and entry["origin"] not in heard
    )


def as_passed_on(told: Iterable[Json]) -> list[Json]:
    """Return what was passed on as it is stored."""
    return [{name: entry[name] for name in _NAMES if name in entry} for entry in told]


def as_told(row: MemoryRow, told: Sequence[Json]) -> MemoryRow:
    """Return the row of a line with what was told with it: believed as far as the least of that."""
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
