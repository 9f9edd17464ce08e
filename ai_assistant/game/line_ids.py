"""Line ids: which calls of a hook belong to one line, and what is known of that line.

Evennia hands a line to each hearer by a call of its own, in words of its own, within the call that
says it. The same words of one speaker within one reactor step are one line. Game code that sends
each hearer other words (languages, short descriptions) says so with `one_line`, and says with
`speaking` who may know of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import uuid4

from twisted.internet import reactor

from ai_assistant.core.contracts import Entity, Event, Speech
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.talk.hearsay import TOLD
from ai_assistant.roleplay.play import mark
from ai_assistant.roleplay.retelling import heard_by


@dataclass(frozen=True, slots=True)
class LineContext:
    """What is known of the line that is being said."""

    root: str = ""
    """The event that it follows from."""
    readers: str = OPEN
    """The label that it may not be wider than."""
    event: str = ""
    """The id that it has already, where `speaker` says it; empty for none."""
    speaker: str = ""
    """The id of whoever says it; empty for anybody."""
    line: str = ""
    """The same for all that is one utterance, whatever each one hears of it."""
    left_out: tuple[Any, ...] = ()
    """The objects that it was kept from."""


_NOTHING = LineContext()
VOICE: ContextVar[LineContext] = ContextVar("voice", default=_NOTHING)
"""What is known of the line that is under way."""
SAID: ContextVar[Speech | None] = ContextVar("said", default=None)
"""The assistant's speech that is under way, of which its hearers are told what it passes on."""


def speaking(
    root: str = "", readers: str = OPEN, event: str = "", speaker: str = ""
) -> AbstractContextManager[None]:
    """Within this block, what is heard follows from `root`, and its label is within `readers`.

    `event` is the id of a line that is known already: all that `speaker` (an id) says is that line,
    and not what others answer at once.
    """
    return holding(VOICE, LineContext(root, readers, event, speaker))


def one_line(left_out: Iterable[Any] = ()) -> AbstractContextManager[None]:
    """Within this block, all that one speaker says in one way is a single line.

    So each hearer may be sent other words. `left_out` are objects that do not get the line.
    """
    return holding(VOICE, replace(VOICE.get(), line=uuid4().hex, left_out=tuple(left_out)))


@contextmanager
def holding(variable: ContextVar[Any], value: Any) -> Iterator[None]:
    """Give a context variable this value within the block."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


_NOBODY = Entity("", "")


@dataclass(slots=True)
class OneLine:
    """What one line is to its hearers; the first of them finds it out for the others."""

    id: str
    """The id of the event that it is to everybody."""
    heard_by: set[str] = field(default_factory=set)
    """The ids of those who had it."""
    source: Entity = _NOBODY
    """Who speaks, by the name under which the first hearer knows it."""
    by_assistant: bool = False
    """Does one of ours say it?"""
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    """Who may know of it, by the place where it is heard and the label it is spoken under."""
    events: dict[tuple[object, ...], Event] = field(default_factory=dict)
    """What it is to those who hear it alike, by all in which hearers may differ."""


class Utterances:
    """Gives all who hear the same line within one reactor step the same event id."""

    def __init__(self, later: Callable[[Callable[[], None]], object] | None = None) -> None:
        """`later` calls a function when the current step is over."""
        self._later = later or partial(reactor.callLater, 0)  # type: ignore[attr-defined]
        self._lines: dict[tuple[str, ...], OneLine] = {}

    def line_for(self, hearer: str, *said: str, event: str = "") -> OneLine:
        """Return the line of what is `said` (speaker, type, content), and note this hearer.

        A hearer who gets the same words again hears a new line, unless the line has an id: `event`.
        """
        if not self._lines:
            self._later(self._lines.clear)
        key = (event, *said[:2]) if event else said
        line = self._lines.get(key)
        if line is None or (hearer in line.heard_by and not event):
            line = self._lines[key] = OneLine(event or uuid4().hex)
        line.heard_by.add(hearer)
        return line


UTTERANCES = Utterances()


def received(
    event: Event, who: str, heard: Callable[[], Collection[str]], *, played: bool = False
) -> Event:
    """Return an event with the memories that it passes on to a hearer; see `retelling.heard_by`.

    `heard` returns the ids of lines that the hearer heard itself; it is called only if needed.
    `played` tells whether the line is said in a scene that is fiction.
    """
    said = SAID.get() if event.by_assistant else None
    told = said.told if said else ()
    more = ({TOLD: list(told)} if told else {}) | mark(played or (said and said.played))
    if not more:
        return event
    event = replace(event, metadata={**event.metadata, **more})
    return heard_by(event, who, heard()) if told else event
