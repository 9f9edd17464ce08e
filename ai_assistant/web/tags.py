"""What the templates of the pages, and of the site's menu, can ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import time
from typing import Any

from django import template
from django.utils.html import format_html

from ai_assistant.api.turns.happenings import WRITERS
from ai_assistant.api.turns.opened_calls import ROLES
from ai_assistant.commands.choosing import short_ref
from ai_assistant.commands.records.ai_calls import dollars
from ai_assistant.commands.rows_shown import WAYS
from ai_assistant.commands.shown import MODES, minute
from ai_assistant.core.times import iso
from ai_assistant.tools.about_people import STANCES
from ai_assistant.web.access import sees_pages

register = template.Library()
register.filter("dollars", dollars)
register.filter("short_ref", short_ref)
register.filter("sees_pages", sees_pages)


@register.filter("minute")
def time_element(stamp: str) -> str:
    """Return a stored time as an element that people and programs can read."""
    if not stamp:
        return ""
    whole = minute(stamp)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', stamp, whole, told_briefly(whole, time())
    )


def told_briefly(whole: str, now: float) -> str:
    """Return a time such as ``2026-11-28 13:19`` without what goes without saying at a time."""
    today = iso(now)[: len("2026-11-28")]
    day, _, hour = whole.partition(" ")
    if day == today:
        return f"today {hour}"
    if day[:4] == today[:4] and hour:
        return f"{int(day[-2:])} {MONTHS[int(day[5:7]) - 1]} {hour}"
    return whole


@register.filter
def spaced(name: str) -> str:
    """Return a name of the code as words."""
    return LABELS.get(name) or name.replace("_", " ")


@register.filter
def words_told(entry: Mapping[str, str]) -> str:
    """Return the words of a line; of an act they begin with the name, which stands before them."""
    words = entry["content"]
    return after_name(words, entry["who"]) if entry["kind"] in ("pose", "move") else words


@register.filter
def after_name(words: str, name: str) -> str:
    """Return words as they follow a name: without it, where they begin with it themselves."""
    return words.removeprefix(f"{name} ")


@register.filter
def percent(share: float) -> str:
    """Return a share of one in percent."""
    return f"{share:.0%}"


@register.filter
def figure(value: Any) -> str:
    """Return a number with two places, a whole one by thousands, yes or no, all else as it is."""
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if type(value) is int else str(value)


@register.filter
def tab_of(page: str) -> str:
    """Return the page about one assistant below which another stands; itself, where it is one."""
    return BELOW.get(page, page)


@register.filter
def tab_rows(is_editor: bool) -> list[list[tuple[str, str, str]]]:
    """Return the pages about one assistant, who it is above how it works: address, name, title."""
    works = [*HOW_IT_WORKS, *(FOR_EDITORS if is_editor else ())]
    return [
        [(f"ai_assistant:{name}", name, TITLES.get(name, name.capitalize())) for name in row]
        for row in (WHO_IT_IS, works)
    ]


WHO_IT_IS = ("talk", "persona", "people", "plans", "journal", "memory", "blocks", "nights")
HOW_IT_WORKS, FOR_EDITORS = (
    ("settings", "execution"),
    ("calls", "prompt", "sandbox", "marked", "audit"),
)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
LABELS = {
    **MODES,
    "world_info_before": "the world, told before its description",
    "world_info_after": "the world, told after its description",
    "persona_description": "whom it talks to, as its card has it",
    "char_description": "description, as its card has it",
    "char_personality": "personality, as its card has it",
    "dialogue_examples": "examples of how it talks",
}
"""Names of the code that say too little as words."""
PART_MEANINGS = {
    "block": "persona, status and social block, its card and lorebook, blocks of its own",
    "config": "what is set for it of its settings",
    "counters": "how often it acted unasked, and how many goals it ever had",
    "custom_block": "blocks that the game made of its own",
    "global_knowledge": "what all of them know of the world",
    "goals": "its goals",
    "guidelines": "how it wants to behave",
    "journal": "what happened to it, by date",
    "lore": "which lore came to mind, and when",
    "memory": "what it remembers, the newest first; also what it has put away",
    "metrics": "how often turns and tools ended in which way",
    "notebook": "lines that it chose to write down",
    "old_layout": "blocks of an older layout, until they are taken over",
    "patience": "what it said unasked, and whether anybody answered",
    "profile": "what it knows of each person",
    "projects": "its projects",
    "prompt": "templates and components that its owner wrote",
    "reflection": "how much happened since it last looked back",
    "safety": "errors in a row, and the emergency stop",
    "session": "facts and patterns that it keeps at hand",
    "shared_social": "what all of them know of people and groups",
    "sleep": "whether it sleeps, and its nights",
    "staff_notes": "directors' notes to it",
    "status": "how it is at the moment, and where",
    "stream": "all that it perceived and did, line by line",
    "verdicts": "which of its turns staff marked as good or bad",
    "working": "conversations under way, one with each person",
}
"""What each part of an assistant's state holds."""
HOW_SAID = {
    "say": "says",
    "whisper": "whispers",
    "page": "pages",
    "channel": "says on a channel",
    "pose": "",  # whose words say it
    "deed": "does",
    "move": "",
    "gift": "gives",
    "system": "asks",
}
"""What somebody does by a line or an act, by its kind."""
JOB_WORDS = {
    "chat": "a turn",
    "consolidate": "a night",
    "assess": "how much work a line is",
    "summarise": "a summary",
    "trial": "trying it out",
}
"""What a model is called for, by the job that profiles are chosen for."""
TURN_CHOICES = {
    "": "all",
    "failed": "those that failed",
    "unanswered": "those without an answer",
    "unasked": "those nobody asked for",
    "marked": "good or bad",
    "newest": "the newest",
    "cost": "the most expensive",
    "latency": "the slowest",
}
"""How turns are narrowed and ordered, by the words that addresses and commands take."""
SORT_CHOICES = {
    "errors": "errors and quiet first",
    "last": "last line",
    "tokens": "tokens today",
    "cost": "cost today",
}
"""How the list of all assistants is ordered."""
HOW_FULL = {
    "ok": "there is room enough",
    "warning": "it fills up",
    "danger": "little room is left",
    "critical": "too much, so parts of it are left out",
}
"""How full a prompt is, by the level of its utilisation."""
HOW_KNOWN = {
    "consolidation": "learnt in a night",
    "direct": "heard from them, or seen",
    "inferred": "its own guess",
    "card": "from its card",
    "game": "from the game",
    "staff": "given by staff",
}
"""Where what it holds of somebody comes from, by the word that is stored."""
LOOKED_AT = {
    "values": "Values of settings",
    "names": "Names of settings",
    "profiles": "Models and their jobs",
    "keys": "Where keys stand",
    "named": "What settings name",
    "typeclass": "Class of new characters",
    "migrations": "Tables of the database",
    "commands": "Commands in the game",
    "database": "Safety of the database",
    "clock": "Clock and game time",
    "web": "These pages",
    "packages": "Python packages",
    "endpoint": "Servers of models",
    "typed": "Lines that players type",
}
"""What each check of the doctor looks at, by the id that the docs know it by."""
TITLES = {
    "talk": "Conversation",
    "plans": "Goals",
    "calls": "Model calls",
    "prompt": "Next prompt",
    "marked": "Marked turns",
}
BELOW = {
    "turn": "talk",
    "draft": "persona",
    "person": "people",
    "goal": "plans",
    "project": "plans",
    "block": "blocks",
    "who_knows": "memory",
    "call": "calls",
    "again": "calls",
    "moment": "audit",
}
"""Pages about one thing, and the tab that leads to them."""


def _teller(words: Mapping[str, str], otherwise: Callable[[str], str]) -> Callable[[str], str]:
    """Return a filter that says a stored word in the words of a table, else `otherwise`."""

    def told(stored: str) -> str:
        return words[stored] if stored in words else otherwise(stored)

    return told


TELLERS = {
    "came_by": _teller(WAYS, spaced),
    "how_full": _teller(HOW_FULL, spaced),
    "how_known": _teller(HOW_KNOWN, spaced),
    "how_said": _teller(HOW_SAID, spaced),
    "job_words": _teller(JOB_WORDS, spaced),
    "looked_at": _teller(LOOKED_AT, spaced),
    "part_meaning": _teller(PART_MEANINGS, lambda stored: ""),
    "role_words": _teller(ROLES, spaced),
    "sort_choice": _teller(SORT_CHOICES, spaced),
    "stance": _teller(STANCES, lambda stored: ""),
    "turn_choice": _teller(TURN_CHOICES, spaced),
    "written_by": _teller(WRITERS, spaced),
}
"""What says a stored word in plain words, by the name of its filter."""
for _name, _told in TELLERS.items():
    register.filter(_name, _told)
