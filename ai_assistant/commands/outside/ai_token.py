"""What `ai` does about tokens of the REST API: making one, which is shown once, and revoking."""

from __future__ import annotations

import time
from typing import Any

from ai_assistant import conf
from ai_assistant.commands.choosing import Choice, choose
from ai_assistant.commands.command_base import AICommand, holds, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import minute
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import iso
from ai_assistant.game.identity import person
from ai_assistant.models import ApiToken
from ai_assistant.web.rest.api_tokens import (
    USUAL_DAYS,
    account_tokens,
    bearing_account,
    make_token,
    revoke_token,
)

READS = "read"
"""The word that makes a token which changes nothing."""


class TokenVerbs(AICommand):
    """
    The switch token of the command `ai`.

    """

    @switch("token")
    def _token(self) -> None:
        account = bearing_account(self.caller)
        wanted = (self.rhs or "").strip().lower()
        if f"{self.lhs}{wanted}".lower() in ("", "all"):  # with or without a sign between
            is_all = bool(self.lhs or wanted) and holds(self.caller, "Admin")
            self._list(None if is_all else account)
        elif not self.lhs:
            raise Misused
        elif wanted == "revoke":
            self._revoke(account)
        else:
            self._make(account, wanted.split())

    def _list(self, account: Any | None) -> None:
        now = time.time()
        rows = [
            (
                token.name,
                person(token.account),
                "all" if token.may_write else READS,
                minute(iso(token.until)) if token.until > now else "ran out",
                minute(iso(token.used_at)) if token.used_at else "never",
            )
            for token in account_tokens(account)
        ]
        titles = ("Token", "Account", "May", "Good until", "Last used")
        none = "There are no tokens; ai/token <name> makes one."
        shown = self.table(titles, rows) if rows else none
        self.msg(f"{shown}{_off()}")

    def _make(self, account: Any, words: list[str]) -> None:
        is_for_reading = words[-1:] == [READS]
        days, *more = [*words[: -1 if is_for_reading else None], str(USUAL_DAYS)]
        if len(more) > 1 or not (days.isdecimal() and len(days) < 5):
            raise Misused
        made = make_token(account, self.lhs, days=int(days), may_write=not is_for_reading)
        self.msg(f"It is shown this once; keep it where keys are kept:\n|w{made}|n{_off()}")

    def _revoke(self, account: Any) -> None:
        everybodys = holds(self.caller, "Admin")
        known: list[ApiToken] = account_tokens(None if everybodys else account)
        choices = [
            Choice(token, token.name, (full := f"{person(token.account)}:{token.name}",), full)
            for token in known
        ]
        if not choices:
            raise AssistantError("There are no tokens.")
        token = choose(self.lhs, "token", choices)
        revoke_token(token, by=account)
        self.msg(f"The token {token.name} is good for nothing from now on.")


def _off() -> str:
    """Return a line that says so where the API is off, for which tokens are made."""
    return "" if conf.settings.API else "\nThe API is off: set AI_ASSISTANT_API = True."
