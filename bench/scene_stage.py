"""A stage: a few telnet clients and assistants who play one generated scene after the other."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from bench.scene_model import Register
from bench.scene_script import NICKNAMES, Person, Said, Script, Setting, setting, towns_in
from tests.e2e.harness import Game, Line

LINES = 10
LATELY, LAST_SCREEN = 300, 20_000
"""Lines of all stages, and characters of a screen, among which the newest answers are found."""
DOORS = ("hall", "yard")
PLAYERS = (
    ("Edna", "Falk", "Gwen", "Rose"),
    ("Hilde", "Ivor", "Jonas", "Kaya"),
    ("Lothar", "Maud", "Nils", "Olga"),
    ("Pippa", "Quill", "Rafe", "Signe"),
    ("Till", "Ulf", "Vera", "Wanda"),
    ("Xaver", "Yrsa", "Zeno", "Alma"),
    ("Bodo", "Carla", "Doro", "Egon"),
    ("Frieda", "Gero", "Hanno", "Ilse"),
)
MINDS = (
    ("Ada Thorne", "Bram", "Captain Holt"),
    ("Cleo", "Dirk Ferrow", "Old Emmet"),
    ("Fenna", "Gorm", "Lady Hester"),
    ("Ingrid Vale", "Jasper", "Korbin"),
    ("Lyra", "Brother Mattis", "Nell"),
    ("Oren", "Petra Quist", "Roald"),
    ("Selma", "Tobias", "Doctor Unger"),
    ("Viggo", "Willa Marsh", "Yorick"),
)


def cast_of(number: int) -> list[Person]:
    """Return who plays on a stage: players first, each with a nickname and some with two names."""
    luck = random.Random(f"cast {number}")
    nicknames = luck.sample(NICKNAMES, len(NICKNAMES))
    people = []
    for name, mind in [*((one, False) for one in PLAYERS[number])] + [
        (one, True) for one in MINDS[number]
    ]:
        parts = [part for part in name.split() if " " in name]
        calls = (name, *parts[-1:], nicknames.pop())
        people.append(Person(name, calls, mind))
    return people


class Stage:
    """One cast in its own rooms. Where not `listening`, its players' class lacks the mixin."""

    def __init__(self, game: Game, number: int, register: Register, *, listening: bool) -> None:
        self.game, self.number, self.register = game, number, register
        self.listening = listening
        self.cast = cast_of(number)
        self.players: dict[str, Line] = {}
        self.ids: list[str] = []
        self.settings: dict[str, Setting] = {}
        """How the scene began in which a place was named."""
        self.told: dict[str, Any] = {}
        self._mark = 0

    @property
    def minds(self) -> list[str]:
        """The names of the assistants."""
        return [one.name for one in self.cast if one.mind]

    @property
    def director(self) -> Line:
        """The line on which the stage is prepared: that of the first player."""
        return next(iter(self.players.values()))

    def open(self) -> None:
        """Let the players log in, and the assistants be born."""
        for one in self.cast:
            if not one.mind:
                self.players[one.name] = self.game.join(one.name)
        calls = {one.name: list(one.calls[1:]) for one in self.cast}
        plan = {
            "minds": {one: calls[one] for one in self.minds},
            "players": {one: calls[one] for one in self.players},
            "plain": not self.listening,
        }
        found = self.director.ask(f"stage build {json.dumps(plan)}", r"built (.*)\.$", 30)
        self.ids = found.group(1).split()

    def close(self, place: Path) -> None:
        """Save what is left, fetch what the assistants know, and hang up."""
        self.report(place)
        for line in self.players.values():
            line.close()

    # -- a scene

    def play(self, number: int, luck: random.Random) -> None:
        """Play one scene from its beginning to its end."""
        start = setting(number, self.cast, luck)
        self._prepare(start)
        script = Script(start, self.cast, luck, self.register.town)
        for _ in range(LINES):
            self._next(script, start)
        self._settle(script, start)
        if start.members:
            self._owner(start).ask("scene/stop", "is over")
        for line in self.players.values():
            self._arrive(line)

    def _arrive(self, line: Line) -> None:
        """Wait until all that was typed on a line has been done, and what came of it was sent."""
        self._mark += 1
        line.ask(f"stage mark {self._mark}", rf"mark {self._mark}\.")

    def _owner(self, start: Setting) -> Line:
        return self.players[start.members[0]]

    def _prepare(self, start: Setting) -> None:
        """Bring everybody to a new place, start the scene there, and let them part."""
        together = {"number": start.number, "where": dict.fromkeys(start.where, 0)}
        rooms = {"rooms": True, "listening": not self.listening}
        self._set({**together, **rooms, "hidden": [], "deaf": [], "dark": []})
        if start.members:
            self._start(start)
        odd = {name: sorted(getattr(start, name)) for name in ("hidden", "deaf", "dark")}
        self._set({"number": start.number, "where": start.where, "rooms": False, **odd})

    def _set(self, plan: dict[str, Any]) -> None:
        self.director.ask(f"stage set {json.dumps(plan)}", rf"set {plan['number']}\.$")

    def _start(self, start: Setting) -> None:
        owner = self._owner(start)
        title = f"Play {start.number}."
        owner.ask(f"scene/create {title}", "is made")
        for one in start.members[1:]:
            if one in self.players:
                self.players[one].ask(f"scene/join {title}", "joins")
            else:
                owner.ask(f"scene/invite {one}", "joins")
        owner.ask(f"scene/set policy = {start.policy}", "policy")
        owner.ask("scene/start", "begins")

    def _next(self, script: Script, start: Setting) -> None:
        act = script.next()
        if isinstance(act, Said):
            self.register.add(act)
            self.settings[act.town] = start
            self._say(act)
            if not act.hasty:
                self._settle(script, start)
        elif act.who in self.players:
            self.players[act.who].send(DOORS[act.to])
            self._arrive(self.players[act.who])
        else:
            self.director.ask(f"stage walk {DOORS[act.to]} {act.who}", rf"walked {act.who}\.")

    def _say(self, said: Said) -> None:
        self.players[said.speaker].ask(said.typed, said.town)

    def _settle(self, script: Script, start: Setting) -> None:
        """Wait until nobody thinks any more, and let the script know what was answered."""
        self._mark += 1
        minds = " ".join(self.ids)
        self.director.ask(f"stage settle {self._mark} {minds}", rf"settled {self._mark}\.", 60)
        for line in self.players.values():
            line.pump()
        latest = self.register.latest(LATELY)
        new = [said for said in latest if said.town not in self.settings]
        answers = [(self._came(said.town), said) for said in new if said.speaker in self.minds]
        for _, said in sorted((one for one in answers if one[0]), key=lambda one: one[0]):
            self.settings[said.town] = start
            script.note(said)

    def _came(self, place: str) -> tuple[int, ...]:
        """Return on whose screen a place is named, and where; nothing if on nobody's."""
        for number, line in enumerate(self.players.values()):
            at = line.transcript.rfind(place, -LAST_SCREEN)
            if at >= 0:
                return number, at
        return ()

    def report(self, place: Path) -> None:
        """Let the game save what is left, and tell what the assistants know."""
        self.director.ask(f"stage report {place} {' '.join(self.ids)}", r"reported\.", 60)
        self.told = json.loads(place.read_text())

    def screens(self) -> dict[str, set[str]]:
        """Return the places whose names came to each player as bytes."""
        return {
            name: set(towns_in(line.raw.decode(errors="replace")))
            for name, line in self.players.items()
        }
