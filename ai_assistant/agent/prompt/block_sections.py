"""The memory blocks in the prompt: status (1000), and what many share (3000)."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.measures import ago, on_date
from ai_assistant.agent.prompt.prompt_wording import (
    enumerated,
    field_lines,
    on_one_line,
    quoted,
)
from ai_assistant.agent.prompt.window import History
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Json
from ai_assistant.core.ports import States
from ai_assistant.core.readers import OPEN
from ai_assistant.language.words import whole_sentences, words
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import rules, visible
from ai_assistant.memory.blocks.global_knowledge import EVENTS, LORE
from ai_assistant.memory.blocks.items import CUSTOM_BLOCK, LINES
from ai_assistant.memory.blocks.old_blocks import LAYOUT, THREE
from ai_assistant.memory.blocks.old_blocks import NAME as OLD_NAME
from ai_assistant.memory.blocks.shared_social import FACTS, GROUPS
from ai_assistant.memory.blocks.status_block import has_faded, of_body
from ai_assistant.memory.talk.working import topic_of

MOST_LORE = 500
"""Letters of the lore, of whole sentences: half of what everybody knows has room for."""


def about_them(turn: Turn) -> Section:
    """Return what the older block `human` says of the one talked to, for that one alone."""
    rows: list[Row] = []
    if turn.partner is not None:
        lines = turn.store.read(OLD_NAME)["human"].get(turn.partner.id, ())
        rows = [
            Row(f"- {quoted(line['content'])}", {"observation": line["content"]}, line["readers"])
            for line in labelled.usable_items(lines, turn.admit)
        ]
    return Section(rows, "What you know of them", newest_last=True)


def status_now(turn: Turn, blocks: States) -> Section:
    """Return the character's state of the moment: what the game knows, and how it feels."""
    block = blocks.read(rules.STATUS)
    if (block["emotion"] or block["feelings"]) and has_faded(block, turn.clock.now()):
        block["emotion"], block["feelings"] = "", []
    live = turn.world.status()
    known = of_body(block, turn.me.id, live, turn.admit)
    known.pop("location", None)  # that is told with the room's description
    engagement = "in conversation" if turn.events else "at work" if turn.goal else "idle"
    text = "\n".join(  # a feeling is a sentence
        _feeling(str(value)) if name == "emotion" else field_lines(name, value)
        for name, value in known.items()
    )
    rows = [Row(text, {"engagement": engagement} | known)]
    return Section(rows, visible.SECTIONS[rules.STATUS], fixed=1)


def _feeling(words: str) -> str:
    return f"You feel {words if words.isalpha() else quoted(words)}."


def world(turn: Turn, blocks: States) -> Section:
    """Return lore, which stays, and of places and events the last: that where it is, and news."""
    if turn.mind.config[LAYOUT] == THREE:
        places = turn.store.read(OLD_NAME)["locations"]
        return _section(turn, rules.GLOBAL, visible.rows_of_places(places))
    block = blocks.read(rules.GLOBAL)
    lore = whole_sentences(block[LORE], MOST_LORE)
    rows = visible.rows_of(rules.GLOBAL, {**block, LORE: lore})
    here = turn.surroundings.place_name.casefold()
    mine = next((row for row in rows if row.get("place", "").casefold() == here), None)
    if mine is not None:
        rows.remove(mine)
        rows.insert(len(rows) - len(block[EVENTS]), mine)
    section = _section(turn, rules.GLOBAL, rows)
    section.fixed = bool(lore)
    return section


def social(turn: Turn, blocks: States, history: History) -> Section:
    """Return what may be told to anybody; of talks those of which not all are here.

    One that is called after a line which the conversation shows is told by that line.
    """
    block = blocks.read(rules.SOCIAL)
    usable = {name: labelled.usable_items(block[name], turn.admit) for name in (GROUPS, FACTS)}
    here = {thing.entity.name for thing in turn.things.values()}
    apart = [talk for talk in usable[GROUPS] if not here.issuperset(talk["participants"])]
    own, window = words(turn.me.name), history.window if apart else ()
    shown = {topic_of(line.entry["content"], own) for line in window} - {""}
    usable[GROUPS] = [talk for talk in apart if talk["topic"] not in shown]
    told = [*usable[GROUPS], *usable[FACTS]]
    return _section(turn, rules.SOCIAL, visible.rows_of(rules.SOCIAL, usable), told)


def custom(turn: Turn, blocks: States) -> Section:
    """Return the game's own blocks."""
    rows, items = list[Json](), list[Json]()
    for label, block in blocks.read_all(CUSTOM_BLOCK).items():
        usable = labelled.usable_items(block[LINES], turn.admit)
        rows += [{"block": label} | row for row in visible.rows_of(CUSTOM_BLOCK, {LINES: usable})]
        items += usable
    return _section(turn, CUSTOM_BLOCK, rows, items)


def _section(turn: Turn, block: str, data: list[Json], items: Sequence[Json] = ()) -> Section:
    """Return rows as a section; each has the label of its item, or is open where there are none."""
    labels = (item["readers"] for item in items)
    rows = [Row(f"- {_in_words(turn, row)}", row, next(labels, OPEN)) for row in data]
    return Section(rows, visible.SECTIONS[block], newest_last=True)


def _in_words(turn: Turn, row: Json) -> str:
    if "talked" in row:
        who = enumerated([on_one_line(name) for name in row["talked"]])
        talked = " ".join(filter(None, (who, "talked with you", ago(turn, row["at"]))))
        return f"{talked}: {quoted(row['of'])}" if row["of"] else talked
    if "place" in row:
        told = f": {quoted(row['is'])}" if row.get("is") else ""
        return f"{on_one_line(row['place'])}{told}"
    when = on_date(turn, row["on"]) if row.get("on") else ""
    words = next(row[name] for name in ("fact", "note", "lore", "news") if name in row)
    block = on_one_line(row["block"]) if "block" in row else ""
    source = ", ".join(filter(None, (block, when)))
    return f"{source}: {quoted(words)}" if source else quoted(words)
