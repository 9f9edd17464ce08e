"""The director: who answers a line of a scene, in which order, and who lets it pass.

Whoever a player's line is for answers it, all of them at once. Then others may speak, one after the
other, each after the line before, at most so many of them as the game allows. Nobody speaks twice
to one line of a player. It is settled before any model is asked; whoever gets no cue is silent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ai_assistant.core.contracts import Event
from ai_assistant.language.address import addresses, calls_all, gestures_at, speaks_to
from ai_assistant.language.talk_signs import has_question_mark, is_for_all
from ai_assistant.roleplay.participants import Present
from ai_assistant.roleplay.scene import DIRECTED, FREE, IN_TURN, SceneState
from ai_assistant.roleplay.world_agent import forget_oldest

_MOST_KEPT = 1000
_NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Company:
    """Who is there when something is said in a scene."""

    there: Sequence[Present]
    """Everybody who could hear the line."""
    able: Sequence[str]
    """Ids of the scene's assistants that can answer, in the order in which they joined."""

    def called(self, text: str) -> frozenset[str]:
        """Return the ids of those to whom a line turns."""
        return frozenset(member.id for member in self.there if speaks_to(text, member.names))

    def named(self, text: str) -> list[str]:
        """Return the ids of those whom a line names, or speaks of, in their order."""
        return [member.id for member in self.there if addresses(text, member.names)]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the game allows."""

    lines: int
    """So many assistants may speak to a player's line that is not for them."""
    seconds: float
    """So long somebody who was answered needs no name."""


@dataclass(frozen=True, slots=True)
class _Directed:
    """A line as it is judged."""

    scene: SceneState
    event: Event
    now: Company
    bounds: Bounds

    @property
    def text(self) -> str:
        """Its words; of a pose without the name with which it begins."""
        name, words = self.event.source.name, self.event.content
        starts = self.event.source_type == "pose" and words.casefold().startswith(name.casefold())
        return words[len(name) :] if starts else words

    @property
    def turned_to(self) -> frozenset[str]:
        """The ids of those to whom it turns, or whom a pose names."""
        if self.event.source_type != "pose":
            return self.now.called(self.text)
        return frozenset(
            member.id for member in self.now.there if gestures_at(self.text, member.names)
        )


@dataclass(slots=True)
class _Exchange:
    """What follows from one line of a player."""

    waiting: set[str] = field(default_factory=set)
    """Those it is for who did not answer yet."""
    wished: list[str] = field(default_factory=list)
    """Others whom somebody named, and who speak next."""
    spoke: set[str] = field(default_factory=set)
    unasked: int = 0
    goes_on: bool = False
    """May also those speak whom nobody named?"""
    is_unsure: bool = False
    """Is it only perhaps for the one it is for, whose mind decides?"""


@dataclass(slots=True)
class _SceneFloor:
    """What the director remembers of a scene."""

    newest: str = ""
    """The player's line that was said last, by its root."""
    speaker: str = ""
    partners: frozenset[str] = _NOBODY
    at: float = 0.0
    spoke: list[str] = field(default_factory=list)
    """Assistants, by when they last had the floor."""

    def note(self, cued: Sequence[str]) -> None:
        """Take in who has the floor now."""
        self.spoke = [*(who for who in self.spoke if who not in cued), *cued]


class Director:
    """Gives the floor in all scenes of one process; each line is judged once."""

    def __init__(self) -> None:
        self._cues: dict[str, frozenset[str]] = {}
        self._exchanges: dict[str, _Exchange] = {}
        self._stages: dict[str, _SceneFloor] = {}

    def cue(
        self, scene: SceneState, event: Event, company: Callable[[], Company], bounds: Bounds
    ) -> frozenset[str]:
        """Return the ids of those who answer what was said aloud in a scene.

        `company` is asked with the first hearer; all others read what was found.
        """
        if event.id not in self._cues:
            line = _Directed(scene, event, company(), bounds)
            stage = self._stages.setdefault(scene.id, _SceneFloor())
            exchange = self._exchanges.setdefault(event.root, _Exchange())
            cued = (_go_on if event.by_assistant else _open)(line, exchange, stage)
            exchange.spoke.update(cued)
            stage.note(cued)
            self._cues[event.id] = frozenset(cued)
            for kept in (self._cues, self._exchanges, self._stages):
                forget_oldest(kept, _MOST_KEPT)
        return self._cues[event.id]

    def is_unsure(self, event: Event) -> bool:
        """Is a player's line only perhaps for who has the cue, so that its mind decides?"""
        exchange = self._exchanges.get(event.root)
        return exchange is not None and exchange.is_unsure and not event.by_assistant

    def may_whisper(self, event: Event, who: str, bounds: Bounds) -> bool:
        """May that one answer what another assistant said to it alone? It counts as the rest."""
        key = f"{event.id} {who}"
        if key not in self._cues:
            exchange = self._exchanges.setdefault(event.root, _Exchange())
            allowed = exchange.unasked < bounds.lines and who not in exchange.spoke
            exchange.unasked += allowed
            exchange.spoke.update({who} if allowed else ())
            self._cues[key] = frozenset({who} if allowed else ())
        return who in self._cues[key]

    def hand_over(self, event: Event, who: str) -> bool:
        """Give another one the floor for a line than the rules did; False if it had it before."""
        exchange = self._exchanges.setdefault(event.root, _Exchange())
        if who in exchange.spoke:
            return False
        exchange.spoke -= self._cues.get(event.id, _NOBODY)
        exchange.spoke.add(who)
        self._cues[event.id] = frozenset({who})
        return True


def is_for_each(text: str) -> bool:
    """Is a line for all who are there, so that each of them answers?"""
    return calls_all(text) or (is_for_all(text) and not has_question_mark(text))


def _open(line: _Directed, exchange: _Exchange, stage: _SceneFloor) -> Sequence[str]:
    """Return who answers a player's line at once: all it is for, else one that may."""
    scene, now = line.scene, line.now
    called = line.turned_to
    is_open = is_for_all(line.text)
    exchange.goes_on = is_open or scene.policy in (IN_TURN, FREE)
    if called:
        meant = [member.id for member in scene.members if member.has_mind and member.id in called]
    elif is_for_each(line.text):
        meant = [*now.able]
    else:
        reasons, exchange.is_unsure = _meant(line, stage)
        meant, exchange.wished = (reasons, []) if len(reasons) == 1 else ([], reasons)
        exchange.unasked = len(meant)
    stage.newest = line.event.root
    exchange.waiting = {who for who in meant if who in now.able}
    opens = not called and scene.policy == DIRECTED
    is_settled = meant or (called and scene.policy != FREE)
    cued = meant if is_settled else _next(line, exchange, stage, opens=opens)
    partners = _NOBODY if exchange.is_unsure else frozenset(cued)
    stage.speaker, stage.partners = line.event.source.id, partners
    stage.at = line.event.timestamp
    return cued


def _meant(line: _Directed, stage: _SceneFloor) -> tuple[list[str], bool]:
    """Return for whom a line is that turns to nobody: the named, the partner, the only one.

    The latter perhaps only, and True, where another player is there to whom it may be said.
    """
    event, able = line.event, line.now.able
    if named := line.now.named(line.text):
        return [who for who in named if who in able], False
    said, in_talk = event.source_type == "say", stage.speaker == event.source.id
    recent = event.timestamp - stage.at <= line.bounds.seconds
    if said and in_talk and recent and line.scene.policy != IN_TURN:
        partners = [who for who in able if who in stage.partners]
        if partners:
            return partners, False
    if len(able) != 1:
        return [], False
    players = {
        member.id for member in line.now.there if not member.has_mind and line.scene.has(member.id)
    }
    return [*able], said and not players <= {event.source.id}


def _go_on(line: _Directed, exchange: _Exchange, stage: _SceneFloor) -> Sequence[str]:
    """Return who goes on after an assistant's line; those to whom it turns speak first."""
    me, now = line.event.source.id, line.now
    exchange.waiting.discard(me)
    exchange.spoke.add(me)
    called = now.called(line.text) - exchange.waiting - {me}
    exchange.wished += [who for who in now.able if who in called and who not in exchange.wished]
    return _next(line, exchange, stage)


def _next(
    line: _Directed, exchange: _Exchange, stage: _SceneFloor, *, opens: bool = False
) -> Sequence[str]:
    """Return the one that speaks next, for whom the player's line is not; nobody, if all is said.

    Whom somebody named comes first; all others speak to the newest line alone.
    """
    if exchange.waiting or exchange.unasked >= line.bounds.lines:
        return ()
    free = [who for who in line.now.able if who not in exchange.spoke]
    chosen = [who for who in exchange.wished if who in free]
    if line.event.root == stage.newest and (exchange.goes_on or opens):
        chosen += (_in_turn if line.scene.policy == IN_TURN else _quietest)(free, line.scene, stage)
    exchange.wished = [who for who in exchange.wished if who not in chosen[:1]]
    exchange.unasked += bool(chosen)
    return chosen[:1]


def _in_turn(free: Sequence[str], scene: SceneState, stage: _SceneFloor) -> list[str]:
    """Order them as they joined, from the one after whoever had the floor last."""
    order = scene.participants()
    last = next((who for who in reversed(stage.spoke) if who in order), "")
    start = order.index(last) + 1 if last else 0
    return [who for who in (*order[start:], *order[:start]) if who in free]


def _quietest(free: Sequence[str], _: SceneState, stage: _SceneFloor) -> list[str]:
    """Order them by how long they have been silent."""
    return sorted(free, key=lambda who: stage.spoke.index(who) if who in stage.spoke else -1)
