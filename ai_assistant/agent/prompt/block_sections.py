"""The memory blocks in the prompt: status (1000), and what many share (3000)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.measures import ago
from ai_assistant.agent.prompt.prompt_wording import listed, one_line, quoted, told, words_of
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import rules, visible
from ai_assistant.memory.blocks.custom import LINES, NAME
from ai_assistant.memory.blocks.global_knowledge import find_place
from ai_assistant.memory.blocks.old_blocks import LAYOUT, THREE
from ai_assistant.memory.blocks.old_blocks import NAME as OLD_NAME
from ai_assistant.memory.blocks.shared_social import FACTS, GROUPS
from ai_assistant.memory.blocks.status_block import has_faded, of_body

UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading something of another shape raises, but no database that refuses."""


def drawn(turn: Turn, *sections: Callable[[Turn], Section]) -> list[Section]:
    """Return the sections of blocks; one that cannot be drawn is left out, and that is reported.

    A block may be written by hand, and nobody is to fall silent for it.
    """
    found: list[Section] = []
    for section in sections:
        try:
            found.append(section(turn))
        except UNREADABLE as error:
            turn.mind.report(f"prompt: the blocks of '{section.__name__.strip('_')}'", error)
    return found


def is_old(turn: Turn) -> bool:
    """Has the assistant the older three blocks, while its game moves over?"""
    return bool(turn.mind.config[LAYOUT] == THREE)


def about(turn: Turn) -> Section:
    """Return what the older block `human` says of the one talked to, for that one alone."""
    rows: list[Row] = []
    if is_old(turn) and turn.partner is not None:
        lines = turn.store.read(OLD_NAME)["human"].get(turn.partner.id, ())
        usable = labelled.usable_items(lines, turn.admit)
        rows = [Row(f"- {quoted(one['content'])}", {"observation": one["content"]})
                for one in usable]  # fmt: skip
    return Section("entity", layers.ENTITY, rows, "What you know of them", place="tail",
                   newest_last=True)  # fmt: skip


def status(turn: Turn) -> Section:
    """Return the character's state of the moment: what the game knows, and how it feels."""
    block = turn.store.read(rules.STATUS)
    if has_faded(block, turn.clock.now()):
        block["emotion"] = ""
    live = turn.world.status()
    known = of_body(block, turn.me.id, live)
    known.pop("location", None)  # that is told with the room's description
    row = {"engagement": _engagement(turn)} | known
    text = "\n".join(_state(name, value) for name, value in known.items())
    rows = [] if is_old(turn) else [Row(text, row)]
    return Section("status", layers.PERSONA, rows, visible.section_of(rules.STATUS),
                   place="tail", fixed=1)  # fmt: skip


def _state(name: str, value: Any) -> str:
    """Return a field of the status as one reads it; a feeling is a sentence."""
    return f"You feel {words_of(value)}." if name == "emotion" else told(name, value)


def _engagement(turn: Turn) -> str:
    """Return what it is busy with, in words that give nobody away."""
    if turn.events:
        return "in conversation"
    return "at work" if turn.goal else "idle"


def knowledge(turn: Turn) -> list[Section]:
    """Return what everybody knows, what the character tells anybody, and the game's own blocks."""
    return drawn(turn, _old_places) if is_old(turn) else drawn(turn, _world, _social, _custom)


def _old_places(turn: Turn) -> Section:
    places = turn.store.read(OLD_NAME)["locations"]
    return _section(turn, "world", rules.GLOBAL, visible.rows_of_places(places))


def _world(turn: Turn) -> Section:
    """Return lore, places, the one where it is first, and events, of which the newest stay."""
    block = turn.store.read(rules.GLOBAL)
    here = find_place(block, turn.surroundings.place_name)
    rows = visible.rows_of(rules.GLOBAL, block)
    if here is not None:
        mine = next(row for row in rows if row.get("place") == here["name"])
        rows.remove(mine)
        rows.insert(1 if block["lore"] else 0, mine)
    return _section(turn, "world", rules.GLOBAL, rows)


def _social(turn: Turn) -> Section:
    """Return what may be told to anybody; of talks those of which not all are here."""
    block = turn.state(rules.SOCIAL)
    usable = {name: labelled.usable_items(block[name], turn.admit) for name in (GROUPS, FACTS)}
    here = {thing.entity.name for thing in turn.things.values()}
    usable[GROUPS] = [one for one in usable[GROUPS] if not here.issuperset(one["participants"])]
    return _section(turn, "social", rules.SOCIAL, visible.rows_of(rules.SOCIAL, usable))


def _custom(turn: Turn) -> Section:
    rows: list[Json] = []
    for label, block in turn.store.read_all(NAME).items():
        usable = labelled.usable_items(block[LINES], turn.admit)
        rows += [{"block": label} | row for row in visible.rows_of(NAME, {LINES: usable})]
    return _section(turn, "blocks", NAME, rows)


def _section(turn: Turn, key: str, block: str, data: list[Json]) -> Section:
    title = visible.section_of(block)
    rows = [Row(f"- {_in_words(turn, one)}", one) for one in data]
    return Section(key, layers.KNOWLEDGE, rows, title, newest_last=True)


def _in_words(turn: Turn, row: Json) -> str:
    """Return a row of a block as one reads it."""
    if "talked" in row:
        about = f"; the last words were {quoted(row['of'])}" if row["of"] else ""
        return f"{listed([one_line(name) for name in row['talked']])} were here with you{about}"
    if "place" in row:
        told = f": {quoted(row['is'])}" if row.get("is") else ""
        return f"{one_line(row['place'])}{told}"
    when = ago(turn, f"{row['on']}T12:00:00Z") if row.get("on") else ""
    words = next(row[name] for name in ("fact", "note", "lore") if name in row)
    block = one_line(row["block"]) if "block" in row else ""
    source = ", ".join(filter(None, (block, when)))
    return f"{source}: {quoted(words)}" if source else quoted(words)
