"""What the pages about one assistant show: gathered on the game's thread, as commands do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ai_assistant.agent.config import OPTIONS, Option
from ai_assistant.api import blocks, lifecycle
from ai_assistant.api.ask import search
from ai_assistant.api.desk import owner_writings
from ai_assistant.api.desk.noting import expiry_in_words, notes_of
from ai_assistant.api.handlers import store_of
from ai_assistant.api.overview import status_lines
from ai_assistant.api.past_states import names_by_id, time_in
from ai_assistant.api.stories.knowing import who_knows_of
from ai_assistant.api.turns.latest import SPOKEN
from ai_assistant.api.turns.older_lines import lines_before
from ai_assistant.api.turns.rehearsal import rehearse
from ai_assistant.api.turns.rules_in_words import rule_in_words
from ai_assistant.commands import choosing, rows_shown, shown
from ai_assistant.commands.blocks.meant_blocks import figures_in_words
from ai_assistant.commands.staff.ai_config import in_words
from ai_assistant.commands.staff.aimem import FOUND, NEWEST
from ai_assistant.commands.staff.aisleep import done_quietly, why_and_woken
from ai_assistant.core.contracts import TO_ONE, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.game.identity import entity_id, find, unstyled
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.blocks.visible import fields_in_lines, visible_form
from ai_assistant.memory.inner.owner_additions import DEFAULT_TEMPLATE
from ai_assistant.memory.talk.stream import MAX_ENTRIES
from ai_assistant.models import MemoryBlock
from ai_assistant.runtime.assembly import beside
from ai_assistant.sleep.report import night_report
from ai_assistant.storage import block_rows, npc_id
from ai_assistant.web.access import Context, PageContext, UrlQuery, Visitor, number_asked

MOST_VERSIONS = 10
ID_LENGTH = 32
"""Characters of the id of a line, which nobody types; no reference of a memory has as many."""


def talk_page(visitor: Visitor, character: Any, query: UrlQuery) -> PageContext:
    """Return what it perceived and did, line by line, lately or `before` a time; and how it is."""
    if not (before := query.get("before", "")):
        newest = store_of(character).read("stream")["entries"]
        return {**_talk(character, newest), "has_older": len(newest) >= MAX_ENTRIES}
    asked = (entity_id(character), time_in(before), query.get("line", ""))

    def seen(older: list[Json]) -> Context:
        return {**_talk(character, older), "has_older": bool(older), "before": before}

    return beside(lines_before, *asked).addCallback(seen)


def _talk(character: Any, entries: list[Json]) -> Context:
    told, rules = shown.readers_told(character, (entry["readers"] for entry in entries)), {}
    for entry in entries:
        entry["known_to"] = told[entry["readers"]]
        if entry["kind"] in SPOKEN and (rule := entry.get("rule")):
            decided = (rule, str(cause := entry.get("cause")))  # who is gone is looked for once
            rules[decided] = rules.get(decided) or rule_in_words(rule, cause)
            entry["heard_by"] = rules[decided]
    first, *rest = (unstyled(line).strip() for line in status_lines(character))
    status = [first.partition(": ")[2], *rest]
    me = entity_id(character)
    notes = [(note, expiry_in_words(note)) for note in notes_of(character)]
    return {"entries": entries, "me": me, "status": status, "notes": notes}


def settings_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return its options: what holds, where that comes from, what it means, and what fits."""
    config, word = lifecycle.script_of(character).config, query.get("q", "").strip().lower()
    rows = [
        {
            "key": key,
            "value": in_words(config[key]) if isinstance(config[key], bool) else _set(config[key]),
            "is_set": key in config.values,
            "source": config.source(key),
            "about": option.about,
            "takes": option.takes(),
            "choices": _choices(key, option),
        }
        for key, option in OPTIONS.items()
        if word in key or word in option.about.lower()
    ]
    return {"rows": rows, "q": query.get("q", "")}


def _choices(key: str, option: Option) -> Iterable[str]:
    """Return the values among which one is chosen; of lists and pairs several are typed."""
    if isinstance(option.default, bool):
        return ("on", "off")
    named = isinstance(option.default, str)
    return option.choices or lifecycle.known_values(key) if named else ()


def _set(value: Any) -> str:
    """Return the value of an option as people type it."""
    if isinstance(value, dict):
        value = [f"{name}={part}" for name, part in value.items()]
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def journal_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return its journal, newest first, its notebook, and the facts and patterns it learnt."""
    store = store_of(character)
    session = store.read("session")
    return {
        "entries": store.read("journal")["entries"][::-1],
        "notes": store.read("notebook")["lines"],
        "facts": session["key_facts"],
        "patterns": session["learned_patterns"],
    }


def blocks_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return its blocks as they are stored, and as its model sees them."""
    npc, values = npc_id(character), blocks.blocks_of(character)
    written = MemoryBlock.objects.filter(owner__in=(npc, block_rows.EVERYBODY), label__in=values)
    stored: dict[str, Any] = {block.label: block for block in written}
    customs = block_rows.customs(block_rows.all_at_hand(npc), npc)
    own = {label: block for label, (_, block) in customs.items()}
    rows = [
        {
            "label": label,
            "view": rules.VIEWS.get(label, ""),
            "stored": (own | stored).get(label),
            "crowded": value.get("needs_compaction"),
            "fields": fields_in_lines(value),
        }
        for label, value in (values | {label: block.value for label, block in own.items()}).items()
    ]
    return {"rows": rows, "visible": visible_form(values)}


def memory_page(visitor: Visitor, character: Any, query: UrlQuery) -> PageContext:
    """Return what it remembers of some words, and why; else its newest, or those before one."""
    words = query.get("q", "").strip()
    names = choosing.told_apart(choosing.people_of(character))
    if not words:
        before = number_asked(query, "before")
        rows = store_of(character).rows.newest(NEWEST + 1, before)
        older = rows[NEWEST - 1].id if len(rows) > NEWEST else 0
        hits = _hits(character, ((row, f"#{row.id}") for row in rows[:NEWEST]), names)
        return {"hits": hits, "q": "", "before": before, "older": older}

    def seen(found: Sequence[Any]) -> Context:
        hits = _hits(character, ((match.row, match.ref) for match in found), names)
        for hit, match in zip(hits, found, strict=True):
            hit |= {"score": match.hit.score, "why": match.hit.why}
        return {"hits": hits, "q": words}

    return search(character, words, FOUND, shown.staff_may_read).addCallback(seen)


def _hits(character: Any, found: Iterable[tuple[Any, str]], names: dict[str, str]) -> list[Json]:
    found = [*found]
    told = shown.readers_told(character, (row.readers for row, _ in found))
    return [
        {
            "row": row,
            "ref": ref,
            "short": choosing.short_ref(ref, names),
            "at": iso(row.learned_at),
            "known_to": told[row.readers],
        }
        for row, ref in found
    ]


def who_knows_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return who knows of a line, or of something it remembers, since when and from whom."""
    if not query.get("ref", "").strip():
        return {"ref": ""}
    ref = choosing.full_ref(character, query["ref"])
    names = choosing.told_apart(choosing.people_of(character))
    found = who_knows_of(character, ref)
    known = names_by_id(character, {*found.held, *found.took_part, *found.overheard})
    held = [
        {
            "name": known[who],
            "since": iso(rows[0].learned_at),
            "told": [unstyled(rows_shown.known_line(row)).strip() for row in rows],
        }
        for who, rows in found.held.items()
    ]
    return {
        "ref": ref,
        "short": choosing.short_ref(ref, names) if "@" in ref or len(ref) < ID_LENGTH else "",
        "found": found,
        "held": held,
        "took_part": [known[who] for who in found.took_part],
        "overheard": [known[who] for who in found.overheard],
    }


def nights_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return its nights, the last first, and the report of one, by its place there or its id."""
    store = store_of(character)
    sleep = store.read("sleep")
    all_nights = sleep["nights"][::-1]
    hours = shown.hours_of(lifecycle.script_of(character).config)
    typed = query.get("night") or "1"
    if not all_nights:
        return {"sleep": sleep, "hours": hours, "nights": []}
    numbered = enumerate(all_nights, start=1)
    number = next((n for n, night in numbered if typed in (str(n), night["id"])), 0)
    if not number:
        raise AssistantError("There is no such night on record; 1 is the last.")
    chosen = all_nights[number - 1]
    report = night_report(store.records(chosen["id"]))
    return {
        "sleep": sleep,
        "hours": hours,
        "nights": [(night, *why_and_woken(night)) for night in all_nights],
        "number_of_night": number,
        "night": chosen,
        "report": report,
        "people": [
            (who, changes)
            for who, changes in sorted(report["people"].items())
            if any(changes.values())
        ],
        "quietly": done_quietly(report),
    }


def speakers_of(character: Any) -> list[tuple[str, str]]:
    """Return (id, name) of those whom it knows and who are in the game; ids as people type them."""
    known = choosing.people_of(character)
    names = choosing.told_apart(known)
    return [(key[: choosing.SHORT_ID], names[key]) for key in known if find(key) is not None]


def _prompt_versions(character: Any) -> list[tuple[Any, str, str]]:
    """Return the versions of what the owner wrote, when each began, and what turns came to."""
    made = owner_writings.prompt_versions(character, MOST_VERSIONS)
    figures = figures_in_words(character, [version.at for version in made])
    return [(version, iso(version.at), came) for version, came in zip(made, figures, strict=True)]


def prompt_page(visitor: Visitor, character: Any, query: UrlQuery) -> PageContext:
    """Return what its model would be sent if somebody said something now, or nobody did."""
    itself = entity_id(character)[: choosing.SHORT_ID]
    chosen, words, kind = query.get("who", ""), query.get("words", ""), query.get("kind", "")
    written = owner_writings.prompting_of(character)
    form = {
        "speakers": speakers_of(character),
        "itself": itself,
        "kinds": ["", *sorted(TO_ONE)],
        "who": chosen,
        "words": words,
        "kind": kind,
        "written": written,
        "templates": [DEFAULT_TEMPLATE, *written["templates"]],
        "versions": _prompt_versions(character),
    }
    if not chosen:
        return form
    speaker = choosing.find_speaker(character, chosen, {itself: character})
    made = rehearse(character, speaker, words, kind if kind in TO_ONE else "")
    return made.addCallback(lambda rehearsal: form | {"rehearsal": rehearsal})
