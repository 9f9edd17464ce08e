"""Who the character is, what it keeps at hand, and what it answers, errands too (1000, 6000)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ai_assistant.agent.attention.classify import PERHAPS, may_pass
from ai_assistant.agent.config import CARD_FIELDS
from ai_assistant.agent.delegation.errands import Errand
from ai_assistant.agent.prompt.chat_lines import called, heard
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.macros import (
    MacroContext,
    MacroRegistry,
    holds_memories,
    resolve_macros,
)
from ai_assistant.agent.prompt.measures import day_of_words
from ai_assistant.agent.prompt.prompt_wording import dump, field_lines, on_one_line, quoted
from ai_assistant.agent.prompt.templates import check_constant
from ai_assistant.agent.prompt.window import History, passed_between
from ai_assistant.agent.turn.handles import handle_of
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import heeded_events
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks.old_blocks import LAYOUT, THREE
from ai_assistant.memory.blocks.old_blocks import NAME as OLD_NAME
from ai_assistant.memory.inner import guidelines, session
from ai_assistant.memory.inner.staff_notes import standing_notes
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.prompts import load_prompt
from ai_assistant.roleplay.play import is_played, mark


def errand_section(errand: Errand, handle: str) -> Section:
    """Return an errand as what is to be answered; `handle` is the requester's in this turn."""
    name = on_one_line(errand.requester.name)
    task: Json = {"who": handle, "name": name, "kind": "task", "says": errand.task}
    ways = [load_prompt("errand").format(name=name)]
    if errand.insulation != "orchestrator":
        ways.append(load_prompt(f"errand_{errand.insulation}").format(name=name))
    told = [Row(dump({"beside_it": row}), {"beside_it": row}) for row in errand.briefing if row]
    rows = [Row(f"{name}: {on_one_line(errand.task)}", task), *told, Row("\n".join(ways))]
    return Section(rows, "Your task", fixed=1)


OCCASIONS = {
    "greeting": "{name} has just come in.",
    "nod": "{name}, whom you do not know, has just come in.",
    "arrival": "You have just arrived here.",
    "small talk": "It has been quiet for a while.",
    "promise": "You owe {name} something that you promised, and they are here.",
}
"""What gave rise to a turn that nobody asked for, in words."""

# -- who it is


def persona(turn: Turn, context: MacroContext) -> Section:
    """Return the persona, with the fields of a character card in their configured order."""
    block = dict(turn.mind.persona)
    if turn.mind.config[LAYOUT] == THREE and not turn.heeds:  # that one the character writes, too
        block |= turn.store.read(OLD_NAME)["persona"]
    wanted = [*turn.mind.config["persona_order"], *CARD_FIELDS]
    card = {name: block[name] for name in dict.fromkeys(wanted) if name in block}
    ordered = {name: value for name, value in block.items() if name not in card} | card
    row = _resolved(ordered, context, turn.mind.macros)
    other = str(row.get("name") or turn.me.name)
    if other.casefold() != turn.me.name.casefold():  # as of a card that was given to it
        del row["name"]
        row = {"name": turn.me.name, "known_as": other} | row
    text = "\n".join(
        field_lines(key, value) for key, value in row.items() if value not in ("", [], {})
    )
    return Section([Row(text, row)], "Who you are", fixed=1)


def _resolved(value: Any, context: MacroContext, macros: MacroRegistry) -> Any:
    if isinstance(value, str):
        return resolve_macros(value, context, macros, constant=True)
    if isinstance(value, Mapping):
        return {key: _resolved(item, context, macros) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [_resolved(item, context, macros) for item in value]
    return value


def check_persona(value: Any, macros: MacroRegistry) -> None:
    """Raise `ConfigurationError` naming a macro in a persona that varies from turn to turn."""
    if isinstance(value, str):
        check_constant(value, macros, "a persona")
        if holds_memories(value):
            raise ConfigurationError("{{memories}} must not stand in a persona.")
    elif isinstance(value, Mapping):
        check_persona([*value.values()], macros)
    elif isinstance(value, Iterable):
        for item in value:
            check_persona(item, macros)


# -- what it keeps at hand


def guided(turn: Turn) -> Section:
    """Return the guidelines that staff accepted, as far as they may be used here."""
    stored = turn.store.view("guidelines")
    kept = guidelines.usable_guidelines(stored, turn.admit)
    rows = [
        Row(f"- {on_one_line(item['content'])}", {"guideline": item["content"]}, item["readers"])
        for item in kept
    ]
    return Section(rows, "How you mean to behave", fixed=len(rows))


def staff_notes(turn: Turn) -> Section:
    """Return what staff ask of it just now; of nobody in the game, so open and without a source."""
    kept = standing_notes(turn.store.view("staff_notes"), turn.mind.clock.now())
    rows = [Row(load_prompt("staff_note"))] if kept else []
    rows += [Row(f"- {on_one_line(note['content'])}", {"staff_note": note["id"]}) for note in kept]
    return Section(rows, "From your director", fixed=len(rows))


def learned(turn: Turn) -> Section:
    """Return the facts and patterns of session memory that may be used here."""
    known = session.usable_lists(turn.store.view("session"), turn.admit)
    kept = [("fact", fact) for fact in known["key_facts"]]
    kept += [("pattern", pattern) for pattern in known["learned_patterns"]]
    rows = [
        Row(_with_its_day(turn, item), {kind: item["content"]}, item["readers"])
        for kind, item in kept
    ]
    return Section(rows, "What you learned", newest_last=True)


def notebook_lines(turn: Turn) -> Section:
    """Return the lines of the notebook that may be used here, where it has one."""
    lines: list[Json] = []
    if turn.mind.role.memory_tool:
        lines = labelled.usable_items(turn.store.view("notebook")["lines"], turn.admit)
    rows = [
        Row(_with_its_day(turn, line), {"note": line["content"]}, line["readers"]) for line in lines
    ]
    return Section(rows, "Memory", newest_last=True)


def _with_its_day(turn: Turn, item: Json) -> str:
    """Return what was kept; words that name a time come with the day of which they were said."""
    day = day_of_words(turn, item["content"], item["timestamp"])
    return f"- {day}: {quoted(item['content'])}" if day else f"- {quoted(item['content'])}"


# -- component 6000: the event to answer


def question(turn: Turn, said: History) -> Section:
    """Return what is to be answered: the last lines of the conversation, after what was `said`."""
    if turn.errand:
        return errand_section(turn.errand, handle_of(turn, turn.errand.requester.id))
    if not turn.events:
        rows = _own_accord(turn)
        return Section(rows, "Unasked", fixed=len(rows), newest_last=True)
    rows, play = list[Row](), turn.play
    if lines := said.window or said.earlier:
        of_now = entry_of(turn.events[0]) | {"session": play.session, "game_day": play.day}
        begins = passed_between(lines[-1].entry, of_now, turn.world.pace())
        rows += [Row(f"({begins})")] if begins else []
    for event in heeded_events(turn):
        played = mark(is_played(event))
        row: Json = {"who": handle_of(turn, event.source.id), "name": event.source.name}
        row |= {"played": True} if played else {}
        row |= {"kind": event.source_type}
        row |= {"channel": event.place_name} if event.source_type == "channel" else {}
        row |= {"says": event.content}
        row |= {"perhaps": True} if event.addressing == PERHAPS else {}
        rows.append(Row(heard(turn, entry_of(event) | played, event.source.name), row))
    if all(event.by_assistant for event in heeded_events(turn)):
        rows.append(Row(load_prompt("last_word")))
    elif all(may_pass(event, turn.world.company) for event in heeded_events(turn)):
        unsure = all(event.addressing == PERHAPS for event in heeded_events(turn))
        rows.append(Row(load_prompt("perhaps" if unsure else "amid_talk")))
    title = (
        "What happens now"
        if len(heeded_events(turn)) == 1
        else "What happens now: answer each of them"
    )
    return Section(rows, title, newest_last=True)


def _own_accord(turn: Turn) -> list[Row]:
    rows = [Row(load_prompt("autonomous"))]
    if turn.goal:
        shown = ("id", "description", "priority", "progress")
        row = {key: turn.goal[key] for key in shown if key in turn.goal}
        words = f"Work on {turn.goal['id']}: {quoted(turn.goal['description'])}"
        rows.append(Row(words, {"work_on": row}))
    if turn.occasion:
        occasion: Json = {"occasion": turn.occasion.kind}
        name = "somebody"
        if turn.occasion.who:
            name = on_one_line(turn.occasion.who.name)
            occasion |= {"who": handle_of(turn, turn.occasion.who.id), "name": name}
        rows.append(Row(f"({OCCASIONS[turn.occasion.kind].format(name=name)})", occasion))
        rows += _asked_before(turn, turn.occasion.question)
    return rows


def _asked_before(turn: Turn, event: str) -> list[Row]:
    entries = turn.store.view("stream")["entries"] if event else ()
    for entry in entries:
        if entry["id"] == event and turn.admit(entry["readers"], entry["who_id"]):
            turn.source_lines.append(entry)
            who = called(turn, entry["who_id"], entry["who"])
            words = f"(What you set out for: {heard(turn, entry, who)})"
            return [Row(words, {"asked": entry["content"]}, entry["readers"])]
    return []
