"""Component 2000: what comes to mind by what is said, and by who, what and where it is about.

Recall fills no quota: a memory comes where it is near enough to what is said, and where it stands
nowhere else in the prompt. Of the character's own words those come that answer in themselves, not
by what was said around them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ai_assistant.agent.prompt.chat_lines import called, is_acted
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.measures import when
from ai_assistant.agent.prompt.partner import known_traits, promises
from ai_assistant.agent.prompt.prompt_wording import on_one_line, quoted
from ai_assistant.agent.prompt.templates import REMEMBERED
from ai_assistant.agent.prompt.window import History
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import draw_from, find_usable
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.search_port import StoryNow
from ai_assistant.core.times import iso
from ai_assistant.language.named_days import named_day
from ai_assistant.language.words import (
    asks,
    is_common,
    plain,
    stems,
    without_article,
    words,
)
from ai_assistant.memory.inner.journal import is_bookkeeping
from ai_assistant.memory.phrases import shortened
from ai_assistant.memory.redaction import mark_of
from ai_assistant.memory.search.recall import FLOOR, Found
from ai_assistant.memory.search.when_in_story import unlived
from ai_assistant.memory.talk.hearsay import hearsay
from ai_assistant.roleplay.message_formats import MOST_RECENT, RecallQuery, Said, recall_query
from ai_assistant.roleplay.permanent import CARD, DIALOG, PLOT, ROLE
from ai_assistant.roleplay.tale import BETWEEN_LINES

RECALLED = 6
NEAR_THE_BEST, HELD = 0.5, 0.7
"""What is recalled unasked, beside the floor of relevance: score at least as a share of the best
one's, and how much of what is asked for it holds, against a word that stands in one memory alone.
`docs/decisions.md` has how they were found."""
BY_DATE = 0.05
"""The relevance that is enough where a day is named."""
FEW = 50
"""Memories among which every word is rare."""
OWN_WORDS_SHARE = 2
"""Words of a question that a line of the character's own must hold itself, to come to mind."""
PEOPLE, OF_EACH = 2, 4
"""Others who are spoken of, and how much is told of each."""
MOST_CONCERNED = 6
"""People of whom it is looked up what was promised to them."""
BY_PLACE_OR_DAY = 2
LONGEST_SHOWN, LONGEST_ACCOUNT = 300, 900
"""Letters of a memory that are shown; of the account of a scene, which holds many lines, more."""
ALWAYS_TOLD = frozenset({CARD, DIALOG, ROLE})
"""Kinds of rows that the persona, or the scene, tells in every prompt."""
_SAID = {"utterance": "said", "own_words": "you said", "delegation": "told"}


async def memories(
    turn: Turn, history: History, shown: Sequence[Section] = (), lore: Collection[str] = ()
) -> Section:
    """Return what is recalled, best first, without what stands in the prompt already."""
    section = Section([], REMEMBERED)
    spoken_of, stands = _spoken_of(turn), _Stands(shown, lore)
    plot = {"session": turn.play.session, "kind": PLOT}  # which a scene always shows
    plots = turn.store.rows.find(plot, 1) if turn.play.session and turn.play.includes else ()
    for plotted in plots:
        if turn.admit(plotted.readers, plotted.author):
            section.rows.append(_row(turn, plotted))
            stands.add(plotted.content)
    is_life = turn.play.inherits and not turn.play.fiction
    for key, name in spoken_of if is_life else ():
        for row in known_traits(turn, turn.store.view("profile", key), OF_EACH, OF_EACH)[:OF_EACH]:
            text = row.data.get("trait") or row.data["observation"]
            data = {"who": name, "kind": "observation", "text": text}
            data |= {"on": row.data["on"]} if "on" in row.data else {}
            words = f"- of {on_one_line(name)}: {row.text.removeprefix('- ')}"
            if not stands.has(text):
                section.rows.append(Row(words, data, row.readers))
                stands.add(text)
    concerned = {*dict(spoken_of), turn.partner.id if turn.partner else ""}
    came = await _found(turn, history) if len(turn.mind.recall.index) else []
    if turn.play.story:
        days = {line.entry.get("game_day", 0) for line in (*history.earlier, *history.window)}
        section.rows += _unlived(turn, turn.play.story, [row for row, _ in came], days)
    for memory in _new_to(turn, came, stands) if came else ():
        section.rows.append(_row(turn, memory))
        concerned |= {memory.subject, *memory.author.split(",")}
    section.rows[:0] = _promised(turn, list(concerned), shown)
    return section


def _new_to(
    turn: Turn, came: Sequence[tuple[MemoryRow, Json]], stands: _Stands
) -> Iterator[MemoryRow]:
    """Yield the best of what came to mind that stands nowhere yet; each is noted with its why."""
    for memory, why in came:
        if len(turn.recollections) == RECALLED:
            break
        is_believed = memory.trust >= turn.mind.config["min_source_trust"]
        is_worth_it = is_believed and not is_bookkeeping(memory)
        if is_worth_it and stands.is_new(memory, turn) and draw_from(turn, memory):
            stands.add(memory.content, memory.meta.get("loreKey", ""))
            turn.recollections.append(why)
            yield memory


def _promised(turn: Turn, concerned: Sequence[str], shown: Sequence[Section]) -> Iterator[Row]:
    """Yield what was promised to those whom this prompt is about, then to all who are there, if it
    is not told yet."""
    if turn.play.fiction or not (turn.play.inherits and turn.events):
        return
    rows = [row.data for section in shown for row in section.rows]
    told = {action for data in rows for action in data.get("promised", ())}
    names = turn.mind.recall.names
    present = (thing.entity.id for thing in turn.surroundings.things)
    known = [who for who in dict.fromkeys((*sorted(concerned), *present)) if who in names]
    for who in known[:MOST_CONCERNED]:
        for action, line in dict(promises(turn, who, names[who])).items():
            if action not in told:
                yield Row(f"- {line}", {"promise": action, "to": names[who]})


def _row(turn: Turn, row: MemoryRow) -> Row:
    return Row(f"- {_in_words(turn, row)}", recalled(turn, row), row.readers)


def _unlived(
    turn: Turn, story: StoryNow, found: Sequence[MemoryRow], in_sight: Collection[int]
) -> Iterator[Row]:
    """Yield what is to be said of days that are asked about and that nobody lived."""
    lines = (event.content for event in turn.events if asks(event.content))
    told = (unlived(line, story, found, in_sight) for line in lines)
    yield from (Row(f"- {text}", {"note": text}) for text in dict.fromkeys(filter(None, told)))


def recalled(turn: Turn, row: MemoryRow) -> Json:
    """Return a memory row as data, in a scene with the day of its story and no other date."""
    shown: Json = {} if turn.play.session else {"on": iso(row.learned_at)[:10]}
    shown |= {"who": called(turn, row.author, row.author_name), "kind": row.kind}
    shown |= {"day": row.game_day} if row.session else {}
    return shown | hearsay(row) | {"text": _text(row)}


def _in_words(turn: Turn, row: MemoryRow) -> str:
    then = when(turn, row.learned_at, row.session, row.game_day)
    who = on_one_line(called(turn, row.author, row.author_name))
    said = _SAID.get(row.kind, "")
    source = said if row.kind == "own_words" else f"{who} {said}" if who and said else ""
    marks = hearsay(row)
    through = f"on the word of {on_one_line(marks['heard_from'])}" if "heard_from" in marks else ""
    about = called(turn, row.subject, turn.mind.recall.names.get(row.subject, ""))
    parts = [then, f"about {on_one_line(about)}" if about else "", source, through]
    if "played" in marks and not is_acted(turn):
        parts.append("from a story that was only played")
    lead = ", ".join(filter(None, parts))
    text = quoted(_text(row))
    return f"{lead}: {text}" if lead else text


def _text(row: MemoryRow) -> str:
    lines = on_one_line(row.content).replace(BETWEEN_LINES, "\n")  # each is told, to the end
    most = LONGEST_ACCOUNT if "\n" in lines else LONGEST_SHOWN
    return shortened(lines, most).replace("\n", BETWEEN_LINES)


# -- what is there already


class _Stands:
    """What stands in the prompt already: texts, and keys of lore."""

    def __init__(self, shown: Iterable[Section], lore: Iterable[str]) -> None:
        told = [row.data for section in shown for row in section.rows]
        texts = {text for row in told for text in row.values() if type(text) is str}
        self._texts = {" ".join(text.split()) for text in texts}
        self._summaries = " ".join(row["summary"] for row in told if "summary" in row)
        self._lore = set(lore)

    def has(self, text: str) -> bool:
        """Does a text stand there?"""
        text = on_one_line(text)
        return text in self._texts or bool(text and text in self._summaries)

    def is_new(self, row: MemoryRow, turn: Turn) -> bool:
        """Does a memory stand nowhere yet, nor a fact that was made of it?"""
        if (
            row.kind in ALWAYS_TOLD
            or row.meta.get("loreKey") in self._lore
            or self.has(row.content)
        ):
            return False
        if row.kind != "observation" or not row.subject:
            return True
        facts = turn.store.view("profile", row.subject)["attributes"]
        return not any(row.id in it["evidence"] and self.has(it["value"]) for it in facts)

    def add(self, text: str, lore: str = "") -> None:
        """Note that a text stands there now, and the key of lore that it has."""
        self._texts.add(on_one_line(text))
        self._lore |= {lore} - {""}


# -- what comes to mind


def _spoken_of(turn: Turn) -> list[tuple[str, str]]:
    said = {word.removesuffix("'s") for event in turn.events for word in words(event.content)}
    own = {turn.me.id, turn.partner.id if turn.partner else ""}
    return [
        (key, name)
        for key, name in turn.mind.recall.names.items()
        if key not in own
        and any(len(part) > 2 and part in said and not is_common(part) for part in words(name))
    ][:PEOPLE]


async def _found(turn: Turn, history: History) -> list[tuple[MemoryRow, Json]]:
    query = _asked(turn, history)
    asked, line = query.words, plain(query.words)
    if not asked.strip():
        return []
    options: dict[str, Any] = {
        "asked": query.text, "around": query.around, "besides": _left_out(turn, history),
    }  # fmt: skip
    found: list[tuple[MemoryRow, Json]] = []
    near_by: list[Json] = [{"location": place} for place in turn.mind.recall.index.places()
                if without_article(plain(place)) in line]  # fmt: skip
    for where in near_by:
        near = await find_usable(turn, asked, BY_PLACE_OR_DAY, where=where, **options)
        found += [(memory.row, where | memory.on_record()) for memory in near]
        rest = _any_of(turn, where, history) if not near else []
        found += [
            (row, {"ref": f"#{row.id}", "mark": mark_of(row.content), **where}) for row in rest
        ]
    hits = await find_usable(turn, asked, RECALLED * 3, explain=True, **options)
    found += [(memory.row, memory.on_record()) for memory in _near(turn, hits, asked)]
    return list({row.id: (row, why) for row, why in found}.values())


def _left_out(turn: Turn, history: History) -> set[str]:
    """Return the ids of lines that stand in the prompt already, or must not stand there."""
    return history.ids.union(turn.mind.refused)


def _any_of(turn: Turn, where: Json, history: History) -> list[MemoryRow]:
    """Return what there is of a day or a place, where nothing of it was asked in particular."""
    of_here = {"session": turn.play.session} | where
    rows = turn.store.rows.find(of_here, BY_PLACE_OR_DAY * 4)
    left_out = _left_out(turn, history)
    fresh = (row for row in rows if row.meta.get("event") not in left_out)
    return [row for row in fresh if row.kind not in ("own_words", CARD)][:BY_PLACE_OR_DAY]


def _asked(turn: Turn, history: History) -> RecallQuery:
    """Return the question: by what is to be answered, else by what is worked on."""
    if not turn.events:
        wanted = turn.goal["description"] if turn.goal else ""
        who = turn.partner.name if turn.partner else ""
        return RecallQuery(wanted, f"{wanted} {who}".strip())
    day, lines = turn.play.day, (line.entry for line in reversed(history.window))
    answered = [Said(event.source.name, event.content, event.game_day) for event in turn.events]
    said = (line for line in lines if line["event_type"] != "self_action")
    newest = [*islice(said, MOST_RECENT)][::-1]
    earlier = [Said(line["who"], line["content"], line.get("game_day") or day) for line in newest]
    return recall_query(day, answered, turn.me.name, earlier=earlier)


def _near(turn: Turn, hits: Sequence[Found], asked: str) -> Iterator[Found]:
    said, recall = set(stems(asked)), turn.mind.recall
    best = max((memory.hit.score for memory in hits), default=0.0)
    in_time = any(memory.hit.why.get("story", 1.0) > 1 for memory in hits)
    dated = in_time or named_day(asked) is not None
    rare = len(recall.index) < FEW or recall.embedder is not None or dated or not said
    for memory in hits:
        is_meant = memory.hit.why.get("story", 1.0) > 1
        is_own = memory.row.kind == "own_words" and not is_meant
        own = stems(memory.row.content) if is_own else asked
        if (
            memory.hit.relevance >= (BY_DATE if dated else FLOOR)
            and memory.hit.score >= NEAR_THE_BEST * best
            and (rare or memory.hit.why["held"] >= HELD)
            and (own is asked or len(said.intersection(own)) >= min(OWN_WORDS_SHARE, len(said)))
        ):
            yield memory
