"""How memories are shown to people: one line each, for staff with the reference to name it by.

References: ``#12`` a memory row, ``j12`` a journal entry, ``o2@Alice`` the second observation about
Alice, ``t1@Alice`` a trait, ``f3`` and ``p3`` a fact and a pattern of session memory, ``n3`` a line
of the notebook. Players name nothing, so they are shown none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from typing import Any

from ai_assistant.api.past_states import names_by_id
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import OPEN, members
from ai_assistant.core.text import counted
from ai_assistant.game.identity import name_of, person
from ai_assistant.memory.blocks.visible import words_of
from ai_assistant.memory.talk.folding import summary_of
from ai_assistant.tools.about_people import STANCES

LINES = 10
"""Number of last lines of a talk that are shown."""
MODES = {
    "single_action": "one step",
    "plan_execute": "a plan first, then step by step",
    "react_loop": "step by step",
}
"""How a turn goes on, by its execution mode."""
Allowed = Callable[[str], bool]
"""May the one who looks read something with this label?"""


def staff_may_read(readers: str) -> bool:
    """What staff may read."""
    return True


def minute(stamp: str) -> str:
    """Return a stored time as people write it, to the minute; empty for none."""
    return stamp[:16].replace("T", " ")


def in_words(value: Any) -> str:
    """Return a value of a configuration, a persona or a block as people write it."""
    if isinstance(value, dict):
        value = [f"{key}={part}" for key, part in value.items()]
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value) if value != "" else "none"


def persona_lines(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each field of a persona, and below it one for each item of a list."""
    for name, value in fields.items():
        many = value if isinstance(value, list) else ()
        yield f"  {name}:{'' if many else f' {as_it_stands(in_words(value or str()))}'}"
        yield from (f"    - {as_it_stands(str(item))}" for item in many)


def block_lines(value: Json) -> Iterator[str]:
    """Yield what stands in a block, field by field, and whether it waits to be summarised."""
    for name, field in value.items():
        if name == "needs_compaction":
            yield from ["  It waits to be summarised."] if field else []
        elif isinstance(field, list) and field and isinstance(field[0], dict):
            yield f"  {name}:"
            for item in field:
                yield f"    - {as_it_stands(words_of(item))}{private(item.get('readers', OPEN))}"
        elif field not in ("", [], {}, None):
            yield f"  {name}: {as_it_stands(in_words(field))}"


def hours_of(config: Mapping[str, Any]) -> str:
    """Return the hours in which an assistant of this configuration sleeps."""
    if not config["sleep_enabled"]:
        return "none"
    hours = counted(config["sleep_duration_hours"], "hour")
    start, clock = config["sleep_start_hour"], config["sleep_clock"]
    return f"from {start:g} o'clock for {hours}, by the {clock} clock"


def private(readers: str) -> str:
    """Return a mark for what not everybody may read: what was said on a channel has its name."""
    if readers == OPEN:
        return ""
    is_on_channel = readers.startswith("c") and "," not in readers
    return f" |y({f'on {person(readers)}' if is_on_channel else 'private'})|n"


def readers_in_words(readers: str, names: Mapping[str, str] | None = None) -> str:
    """Return who may know of something, by name; `names` are those of whom one knows already."""
    if readers == OPEN:
        return "everybody"
    told = [(names or {}).get(who) or person(who) for who in sorted(members(readers))]
    return ", ".join(told) or "nobody but itself"


def readers_told(character: Any, labels: Iterable[str]) -> dict[str, str]:
    """Return who may know of what, in words by label; who is gone has the name it knew them by."""
    closed = {label for label in labels if label != OPEN}
    names = names_by_id(character, {who for label in closed for who in members(label)})
    return {label: readers_in_words(label, names) for label in (OPEN, *closed)}


def sections(found: Mapping[str, Sequence[str]]) -> list[str]:
    """Return lines under their titles, without the titles that have none."""
    return [line for title, lines in found.items() if lines for line in (f"|w{title}|n", *lines)]


def labelled(facts: Mapping[str, object]) -> list[str]:
    """Return a line for each fact that there is."""
    return [f"  {name}: {fact}" for name, fact in facts.items() if fact]


def listed(
    items: Iterable[Json],
    words: Callable[[Json], str],
    *,
    letter: str = "",
    allowed: Allowed = staff_may_read,
) -> list[str]:
    """Return a line for each item that may be read, under its reference if that has a letter."""
    return [
        f"  {f'|c{letter}{number}|n ' if letter else ''}{words(item)}{private(readers)}"
        for number, item in enumerate(items, 1)
        if allowed(readers := str(item.get("readers", OPEN)))
    ]


def dated(item: Json) -> str:
    """Return what an item says, and when it was written."""
    return f"{item['content']} |x({minute(item.get('timestamp', ''))})|n"


def profile_lines(character: Any, key: str, profile: Json) -> list[str]:
    """Return all that an assistant holds about somebody, line by line, for staff."""
    bond = profile["relationship"]
    last = minute(profile["last_interaction"]) or "never"
    talks = [
        line
        for talk in conversations(character, key)
        for line in (
            f"  since {minute(talk['started'])}, last {minute(talk['last_message'])}"
            f"{private(talk['readers'])}",
            *talk_lines([talk], they=profile["name"], me=name_of(character)),
        )
    ]
    return [
        f"|c{profile['name']}|n ({profile['entity_type']}, {key})",
        f"{bond['state']}, {STANCES[bond['state']]}; favorability {bond['favorability']:.2f}, "
        f"drifting back to {bond['rest']:.2f}. Met {profile['created'][:10] or 'never'}, "
        f"{counted(bond['interaction_count'], 'exchange')}, the last {last}.",
        *sections(
            {
                "Traits": listed(profile["attributes"], _trait, letter="t"),
                "Observations": listed(profile["observations"], _observation, letter="o"),
                "Conversation": talks,
            }
        ),
    ]


def _trait(item: Json) -> str:
    return f"{item['type']}: {item['value']} |x({item['source']})|n"


def _observation(item: Json) -> str:
    source = item["source"] + (f" by {item['told_by']}" if item.get("told_by") else "")
    return f"{item['content']} |x({source}, {minute(item['timestamp'])})|n"


def conversations(character: Any, who: str = "") -> list[Json]:
    """Return the conversations under way with somebody (or everybody), one for each label."""
    store = character.working_memory.store
    talks = (store.read("working", key) for key in store.keys("working"))
    return [talk for talk in talks if who in ("", talk["entity_id"])]


def talk_lines(talks: Sequence[Json], *, they: str, me: str) -> list[str]:
    """Return what is known of conversations with one person, then their last lines in order.

    `they` and `me` are the names under which the lines of both sides are shown.
    """
    known = (line for talk in talks for line in labelled(_known(talk, they, me)))
    return [*known, *said_lines(talks, they=they, me=me)]


def said_lines(talks: Sequence[Json], *, they: str, me: str) -> list[str]:
    """Return the last lines of conversations with one person, in order."""
    return [
        f"    |x{me}:|n {line['content']}"
        if line["role"] == "assistant"
        else f"    |x{they}:|n {line['content']}{private(readers)}"
        for line, readers in said_in(talks)[-LINES:]
    ]


def said_in(talks: Sequence[Json]) -> list[tuple[Json, str]]:
    """Return the lines of conversations with one person in order, each with its label."""
    said = ([(line, talk["readers"]) for line in talk["messages"]] for talk in talks)
    return [*merge(*said, key=lambda told: (told[0]["timestamp"], told[0]["role"] != "user"))]


def _known(talk: Json, they: str, me: str) -> Json:
    context = talk["context"]
    promised = [
        f"{action['action']} (priority {action['priority']})" for action in talk["pending_actions"]
    ]
    return {
        "topic": talk["topic"],
        "promised": "; ".join(promised),
        "mentioned": ", ".join(context["mentioned_items"]),
        "unanswered": "; ".join(context["unresolved_questions"]),
        "summary": summary_of(talk, they, me),
    }
