"""The players' command `memories`: what the characters hold about me, and having it forgotten."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from twisted.internet.defer import gatherResults

from ai_assistant import conf
from ai_assistant.api import forgetting
from ai_assistant.api.ask import search
from ai_assistant.commands.choosing import find_acquaintance
from ai_assistant.commands.command_base import switch
from ai_assistant.commands.players.own_view import FOUND, TITLES, OwnView
from ai_assistant.commands.players.player_command import PlayerCommand
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.consent import has_opted_out, opt_in, opt_out
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.runtime.embedder import OWNER as EMBEDDINGS
from ai_assistant.runtime.means import FORGETTINGS, pay, purses_of
from ai_assistant.runtime.service import SERVICE

_SCOPES = {
    "own": "your own words",
    "all": "your own words and everything that is about you",
}


class CmdMemories(PlayerCommand):
    """
    see what the characters of this world remember about you

    Usage:
      memories                          who remembers you
      memories <character>              what it holds about you
      memories <character> = <words>    search in that
      memories/forget [<character>]     have it forgotten, by one or by all
      memories/optout                   let no character hear or remember you
      memories/optin                    take that back

    You see what you may know of: what was said openly, and what was between the
    two of you. What others told a character in confidence stays with them, also
    where it is about you. Forgetting asks first, and cannot be undone.

    Who opted out is told so when they turn to a character. What others say of
    you is heard and remembered all the same.

    Examples:
      memories tansy                      memories tansy = my cat
      memories/forget tansy
      memories/optout                     memories/optin

    """

    key = "memories"

    @property
    def _view(self) -> OwnView:
        return OwnView(self.own_id, self.caller)

    @switch("", "")
    def _show(self) -> None:
        if not self.args:
            self.show(self.table(TITLES, self._view.rows()))
        elif self.rhs:
            self._search(self._one(self.lhs), self.rhs)
        else:
            self.show(self._view.held_by(self._one(self.args)))

    def _one(self, name: str) -> Any:
        return find_acquaintance([character for character, _ in self._view.acquainted()], name)

    def _search(self, character: Any, words: str) -> None:
        view = self._view
        if entity_id(character) not in SERVICE.residents:
            raise AssistantError(f"{name_of(character, self.caller)} cannot be asked just now.")
        shared, purses = SERVICE.shared, purses_of(self.caller)
        pay(shared.purses, purses)
        by_meaning = shared.embedder is not None and shared.budget.within(
            EMBEDDINGS, purses[0], len(view.about_me), conf.settings.PLAYER_SHARE
        )
        found = (
            search(character, words, FOUND, view.allowed, where=where, by_meaning=by_meaning)
            for where in view.about_me
        )
        asked = gatherResults(found, consumeErrors=True)
        asked.addCallbacks(
            lambda both: self.show(view.found_lines(character, both)),
            lambda failure: self.failed(failure.value.subFailure),
        )

    @switch("forget", "")
    def _forget(self) -> Generator[str, str, None]:
        scope = conf.settings.FORGET
        if scope == "off":
            raise AssistantError("In this game only the staff can have something forgotten: ask.")
        chosen = [self._one(self.args)] if self.args else None
        who = name_of(chosen[0], self.caller) if chosen else "every character"
        if not (yield from self.confirmed(f"Let {who} forget {_SCOPES[scope]}")):
            return
        self._pay_for_dropping()
        self.msg("They are forgetting…")

        def tell(report: forgetting.ForgetReport) -> None:
            self.msg("It is forgotten." if report.total else "There was nothing to forget.")

        done = forgetting.forget_person(self.own_id, scope=scope, by=self.own_id, assistants=chosen)
        done.addCallbacks(tell, self.failed)

    def _pay_for_dropping(self) -> None:
        """Pay for what drops the answers of all under way, of a day's; raises `AssistantError`."""
        purses = [f"{FORGETTINGS}+{name}" for name in purses_of(self.caller)]
        pay(SERVICE.shared.kept_lines, purses)

    @switch("optout", "", takes=0)
    def _opt_out(self) -> None:
        opt_out(self.caller)
        self.msg(
            "From now on no character hears or remembers you; |wmemories/optin|n takes that back."
        )
        for resident in [*SERVICE.residents.values()]:
            if any(event.source.id == self.own_id for event in resident.events):
                SERVICE.interrupt(resident.id)
        is_staffs = conf.settings.FORGET == "off"
        by = (
            "only the staff can have forgotten: ask."
            if is_staffs
            else "goes by |wmemories/forget|n."
        )
        self.msg(f"What they know already {by}")

    @switch("optin", "", takes=0)
    def _opt_in(self) -> None:
        if has_opted_out(self.caller):
            self._pay_for_dropping()  # as they would once more by the next optout, which is free
        opt_in(self.caller)
        self.msg("The characters hear you again, and remember you.")
