"""Macros: ``{{char}}`` and the like in the owner's texts, and what they stand for in a turn.

They are resolved in templates, in user components and in the persona; never in what players or
memories say, and never twice. What comes before the cached beginning of the prompt ends may only
hold macros that are the same in every turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ai_assistant.core.contracts import Entity
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.owner_text import MARK
from ai_assistant.core.seen import SeenPlace
from ai_assistant.core.text import clean

MEMORIES = "memories"
"""``{{memories}}`` is no macro: it marks where the recalled memories stand."""
LONGEST_VALUE = 300
UNKNOWN = "unknown"
NOBODY = "nobody"
SOMEONE = "someone"
"""What ``{{user}}`` stands for as long as no partner is configured."""
_PARTNER = re.compile(r"(?P<name>.+?)(?: (?P<key>e[0-9a-f]{32}))?\Z")
_TIME = re.compile(r"(?P<date>\d{4}-\d\d-\d\d) (?P<time>.+)\Z")


@dataclass(frozen=True, slots=True)
class MacroContext:
    """What a macro may know of the turn."""

    me: Entity
    """The character itself."""
    scene: SeenPlace
    """Where it is, and who is there."""
    now: float
    """Seconds since the epoch."""
    speaker: Entity | None = None
    """Who is answered; None on a turn on its own."""
    story_day: int = 0
    """The day of the story that is played; 0 in the game itself."""
    user_entity: str = ""
    """The configured partner: ``Alice``, or with an id ``Alice e0f3…``."""

    @property
    def partner(self) -> tuple[str, str]:
        """The configured partner, as (name, id)."""
        found = _PARTNER.match(self.user_entity.strip())
        return (found["name"], found["key"] or "") if found else (SOMEONE, "")

    @property
    def date_and_time(self) -> tuple[str, str]:
        """The day and the hour of the game, as far as it tells them apart, or of the story."""
        if self.story_day:
            return f"day {self.story_day} of the story", self.scene.time or UNKNOWN
        found = _TIME.match(self.scene.time)
        today = datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%d")
        return (found["date"], found["time"]) if found else (today, self.scene.time)


MacroFunction = Callable[[MacroContext], str]
ReportFailure = Callable[[str, BaseException], None]


def _names(context: MacroContext, *, exits: bool) -> str:
    people = ("player", "npc")
    return ", ".join(
        thing.entity.name
        for thing in context.scene.things
        if thing.is_exit == exits and (exits or thing.entity.kind in people)
    )


CONSTANT: Mapping[str, MacroFunction] = {
    "char": lambda context: context.me.name,
    "char_key": lambda context: context.me.id,
    "user": lambda context: context.partner[0],
    "user_key": lambda context: context.partner[1] or context.partner[0],
}
"""The same in every turn, so they may stand in the persona too."""
VARYING: Mapping[str, MacroFunction] = {
    "speaker": lambda context: context.speaker.name if context.speaker else NOBODY,
    "speaker_key": lambda context: context.speaker.id if context.speaker else NOBODY,
    "location": lambda context: context.scene.place_name,
    "location_desc": lambda context: context.scene.description,
    "exits": lambda context: _names(context, exits=True) or "none",
    "present": lambda context: _names(context, exits=False) or NOBODY,
    "time": lambda context: context.date_and_time[1],
    "date": lambda context: context.date_and_time[0],
    "weather": lambda context: UNKNOWN,
}
"""Different from turn to turn. A game that has weather puts its own function in that place."""


class MacroRegistry:
    """The macros of a game: ours, and its own by name.

    `report` is told of a macro of the game that raised; without it the error is raised on.
    """

    def __init__(
        self, own: Mapping[str, MacroFunction] | None = None, report: ReportFailure | None = None
    ) -> None:
        self._functions: dict[str, MacroFunction] = {**CONSTANT, **VARYING}
        self._report = report
        for name, function in (own or {}).items():
            self.add(name, function)

    def add(self, name: str, function: MacroFunction) -> None:
        """Register a macro. Raises `ConfigurationError` where the name or function does not fit."""
        if name in CONSTANT or name == MEMORIES:
            raise ConfigurationError(f"The macro {{{{{name}}}}} cannot be replaced.")
        if not re.fullmatch(r"[a-z]\w{0,39}", name) or not callable(function):
            raise ConfigurationError(f"'{clean(name, 40)}' cannot be a macro.")
        self._functions[name] = function

    def varying(self, text: str) -> list[str]:
        """Return the marks in a text that are not the same in every turn."""
        return [name for name in _used(text) if name in self._functions and name not in CONSTANT]

    def unknown(self, text: str) -> list[str]:
        """Return the macros in a text that nobody knows."""
        return [name for name in _used(text) if name not in self._functions and name != MEMORIES]

    def value(self, name: str, context: MacroContext) -> str:
        """Return what a macro stands for, as inert data on one line."""
        try:
            found: Any = self._functions[name](context)
        except Exception as error:
            if self._report is None:
                raise
            self._report(f"macro {name}", error)
            found = ""
        return clean(found or "", LONGEST_VALUE).lstrip("# ") or UNKNOWN

    def knows(self, name: str) -> bool:
        """Is there a macro of this name?"""
        return name in self._functions


def holds_memories(text: str) -> bool:
    """Does a text mark where the recalled memories stand?"""
    return any(found["macro"] == MEMORIES for found in MARK.finditer(text))


def _used(text: str) -> Iterable[str]:
    return dict.fromkeys(found["macro"] for found in MARK.finditer(text) if found["macro"])


def resolve_macros(
    text: str,
    context: MacroContext,
    macros: MacroRegistry,
    *,
    constant: bool = False,
    marks: Mapping[str, str] | None = None,
) -> str:
    """Return a text with its macros resolved, in one pass; an unknown one stays as it is.

    Where it must be `constant`, a macro that varies becomes its name. `marks` are more texts.
    """
    texts = marks or {}

    def replaced(found: re.Match[str]) -> str:
        name = found["macro"]
        if name in texts:
            return texts[name]
        if not name or not macros.knows(name):
            return found[0]
        if constant and name not in CONSTANT:
            return str(name)
        return macros.value(name, context)

    return MARK.sub(replaced, text)
