"""The menu itself: one node for all steps, a way back, and waiting without keeping anybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evennia.server.signals import SIGNAL_OBJECT_POST_UNPUPPET
from evennia.utils.evmenu import EvMenu, EvMenuGotoAbortMessage
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant.api.model_setup import refuse_keys
from ai_assistant.commands.command_base import braced, holds
from ai_assistant.commands.tables import WIDTH, wrapped
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.log import report
from ai_assistant.llm.model_trial import Trial
from ai_assistant.storage.statements import refusals

WHO = "Superuser"
"""Who may use the menu."""
NOTHING_KEPT = "You left the set-up. Nothing of it was kept."
LONGEST_ANSWER = 1000


@dataclass(slots=True)
class Draft:
    """What was answered so far: of it nothing is kept before the last step."""

    name: str = "default"
    """The name of the profile that is set up."""
    entry: Json = field(default_factory=dict)
    """The options of a profile; empty where there is none to be kept."""
    models: list[str] = field(default_factory=list)
    """The names that the server told, as far as they are shown."""
    note: str = ""
    """What the server answered, or what is waited for; shown above the question."""
    trial: Trial | None = None
    """What a test of the profile showed; None before one, and after every change."""
    persona: Json = field(default_factory=dict)
    """The fields of the new character's persona, as far as they were given."""
    card: Any = None
    """The card that the character is made of; None where it is described by hand."""
    room: Any = None
    """The room where it will stand; None until one is chosen."""
    config: Json = field(default_factory=dict)
    """Its options that are not as usual."""


TakeAnswer = Callable[["SetupMenu", str], str]
"""Takes what was typed, or chosen, and returns the step that follows; raises `AssistantError`."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that may be chosen."""

    key: str
    """What is typed for it: a number or a letter."""
    text: str
    """What it says beside the key."""
    goes: str | TakeAnswer
    """The name of the step after it, or what is called and returns that."""
    word: str = ""
    """A word that may be typed instead; empty for none."""


@dataclass(frozen=True, slots=True)
class MenuStep:
    """One question of the menu, and what becomes of its answer."""

    asks: Callable[[SetupMenu], str]
    """Returns what is shown: what is known so far, and the question."""
    offers: Callable[[SetupMenu], list[Offer]] = lambda menu: []
    """Returns what may be chosen, in the order of the list."""
    takes: TakeAnswer | None = None
    """Is given any other answer; None where only what is offered counts."""


class SetupMenu(EvMenu):
    """
    The menu of `ai/setup`. Steps are named; each answer names the next.

    """

    who = WHO
    nothing_kept = NOTHING_KEPT

    def __init__(
        self, caller: Any, steps: Mapping[str, MenuStep], first: str, session: Any
    ) -> None:
        """Open the menu for somebody at its first step."""
        self.draft = Draft()
        self.steps = steps
        self.path: list[str] = []
        self.told = self.nothing_kept
        self.waiting: Deferred[Any] | None = None
        super().__init__(
            caller,
            {"step": _show},
            startnode="step",
            startnode_input=("", {"step": first}),
            session=session,
            cmd_on_exit=_left,
        )
        SIGNAL_OBJECT_POST_UNPUPPET.connect(self._gone, sender=caller)

    def _gone(self, session: Any, **_: Any) -> None:
        """Close the menu of somebody who left the game in its midst, or went out of character."""
        if session == self._session or not self.caller.sessions.count():
            self.close_menu()

    def wait(self, what: str, coming: Deferred[Any], then: Callable[[Any], str]) -> str:
        """Return the step that follows once something came, or one that waits for it.

        `then` takes what came, or the `AssistantError` with which it failed, and names the step.
        """
        came: list[Any] = []
        coming.addBoth(came.append)
        if came:
            return _after(came[0], then)
        self.waiting, self.draft.note = coming, what
        coming.addCallback(lambda _: self._came(came[0], coming, then))
        coming.addErrback(lambda failure: report("ai/setup", failure.value))
        return "wait"

    def _came(self, found: Any, coming: Deferred[Any], then: Callable[[Any], str]) -> None:
        if self.waiting is not coming:
            return
        self.waiting, self.draft.note = None, ""
        try:
            step = _after(found, then)
        except AssistantError as error:
            self.msg(f"|r{braced(str(error))}|n")
            step = self.path[-1]
        self.goto("step", "", step=step)

    def msg(self, txt: str) -> None:
        """Tell the owner a text in lines that fit the screen."""
        width = self._session.get_client_size()[0] if self._session else WIDTH
        super().msg(wrapped(txt, width))

    def finish(self, text: str) -> str:
        """Return the step that ends the menu with these words."""
        self.told = text
        return "end"

    def stop_waiting(self) -> None:
        """Let go of what is waited for."""
        coming, self.waiting = self.waiting, None
        self.draft.note = ""
        if coming is not None:
            coming.cancel()


def _show(caller: Any, raw: str, step: str = "", **_: Any) -> tuple[str, Any]:
    menu = caller.ndb._evmenu
    if step == "end":
        return "", None
    if step == "wait":
        return menu.draft.note, [{"key": "s", "desc": "stop waiting", "goto": _back}]
    if not menu.path or menu.path[-1] != step:
        menu.path.append(step)
    shown = menu.steps[step]
    options = [
        {
            "key": (offer.key, offer.word or offer.key),
            "desc": offer.text,
            "goto": (_chosen, {"goes": offer.goes}),
        }
        for offer in shown.offers(menu)
    ]
    if len(menu.path) > 1:
        options.append({"key": "b", "desc": "back", "goto": _back})
    options.append({"key": "q", "desc": "leave; nothing is kept", "goto": _leave})
    if shown.takes is not None:
        options.append({"key": "_default", "goto": (_chosen, {"goes": shown.takes})})
    return shown.asks(menu), options


def _chosen(caller: Any, raw: str, goes: str | TakeAnswer = "", **_: Any) -> tuple[str, Json]:
    menu, typed = caller.ndb._evmenu, raw.strip()
    if isinstance(goes, str):
        return "step", {"step": goes}

    try:
        if not holds(caller, menu.who):
            raise AssistantError(f"Only {menu.who}s may do that.")
        if len(typed) > LONGEST_ANSWER:
            raise AssistantError(f"At most {LONGEST_ANSWER} characters, please.")
        refuse_keys(typed)
        with refusals():
            return "step", {"step": goes(menu, typed)}
    except AssistantError as error:
        raise EvMenuGotoAbortMessage(f"|r{braced(str(error))}|n") from error


def _after(found: Any, then: Callable[[Any], str]) -> str:
    if isinstance(found, Failure):
        if not found.check(AssistantError):
            report("ai/setup", found.value)
            raise AssistantError("That failed; the server's log says why.")
        found = found.value
    with refusals():
        return then(found)


def _back(caller: Any, raw: str, **_: Any) -> tuple[str, Json]:
    menu = caller.ndb._evmenu
    if menu.waiting is None and len(menu.path) > 1:
        menu.path.pop()
    menu.stop_waiting()
    return "step", {"step": menu.path[-1]}


def _leave(caller: Any, raw: str, **_: Any) -> tuple[str, Json]:
    return "step", {"step": "end"}


def _left(caller: Any, menu: SetupMenu) -> None:
    menu.stop_waiting()
    menu.msg(menu.told)
