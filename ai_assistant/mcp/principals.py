"""On whose behalf a program reads: staff, one character with a mind, or a player.

Each has its own table of what may be read, as endpoints of the REST API are told: an address, a
function, what it takes. Those that read run here; those that write are staff's, and run there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from evennia.accounts.models import AccountDB
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultCharacter

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, is_assistant, may_log_in, name_of
from ai_assistant.mcp.mind_view import MindView
from ai_assistant.mcp.player_view import PlayerView
from ai_assistant.web.access import Visitor
from ai_assistant.web.rest import api_blocks as blocks
from ai_assistant.web.rest import api_life as life
from ai_assistant.web.rest import api_mind as mind
from ai_assistant.web.rest import api_plans as plans
from ai_assistant.web.rest.api_endpoint import ApiCall, Endpoint, assistant_named
from ai_assistant.web.rest.api_routes import ENDPOINTS

KINDS = "staff, account:NAME or character:NAME"
WRITTEN = (
    mind.inform,
    mind.edit_memory,
    mind.forget_memory,
    mind.set_favor,
    plans.add_goal,
    plans.change_goal,
    plans.add_project,
    plans.change_project,
    blocks.change_block,
    blocks.make_block,
    life.job,
)
"""What staff's programs may have the game do, and how they ask what became of it. Not among them
is what lets everybody know of a secret, what deletes a character, and what rules its life."""


@dataclass(frozen=True, slots=True)
class Principal:
    """On whose behalf a program reads and writes."""

    told: str
    """Who that is, and what it may read, in words."""
    reads: Sequence[Endpoint]
    """What it may read, here."""
    bodies: Callable[[], list[Any]]
    """Returns the assistants that it may name."""
    writes: Sequence[Endpoint] = ()
    """What it may have the running game do."""
    is_there: Callable[[], object] = lambda: True
    """Says whether whoever was named is there still, by that name."""

    def read(self, endpoint: Endpoint, named: Json, given: Json) -> Any:
        """Return what a reading endpoint finds.

        Raises `AssistantError`, and `Http404` for an assistant out of reach as for none at all.
        """
        if not self.is_there():
            raise AssistantError("Nobody is there any more by the name that was given with --as.")
        body = assistant_named(named["key"], self.bodies()) if endpoint.is_about_one else None
        return endpoint.does(ApiCall(Visitor(None), named, given, body))


def principal_named(typed: str) -> Principal:
    """Return the principal of one of `KINDS`. Raises `AssistantError` where there is none."""
    kind, _, name = typed.partition(":")
    if typed == "staff":
        minds, writes = MindView(), [endpoint for endpoint in ENDPOINTS if endpoint.does in WRITTEN]
        return Principal("staff, who may read everything", minds.table(), minds.bodies, writes)
    if kind == "account" and name:
        account = AccountDB.objects.filter(username__iexact=name).first()
        if account is None:
            raise AssistantError(f"There is no account '{name}'.")
        return _player(f"the player {account.key}", partial(_selves, account.pk))
    if kind == "character" and name:
        return _character(name)
    raise AssistantError(f"As whom? --as takes {KINDS}.")


def _body(name: str) -> Any:
    is_number = name.startswith("#") and name[1:19].isdecimal()
    by = {"pk": int(name[1:19])} if is_number else {"db_key__iexact": name}
    found = [body for body in ObjectDB.objects.filter(**by) if isinstance(body, DefaultCharacter)]
    if len(found) != 1:
        told = "Several bear that name: give a #number." if found else "There is no character."
        raise AssistantError(f"character:{name}: {told}")
    return found[0]


def _character(typed: str) -> Principal:
    body = _body(typed)
    by = {} if typed.startswith("#") else {"db_key": body.db_key}
    name, own = name_of(body), partial(ObjectDB.objects.filter, pk=body.pk, **by)
    if not is_assistant(body):
        return _player(f"the player's character {name}", lambda: [*own()])
    minds = MindView(entity_id(body))

    def bodies() -> list[Any]:
        return minds.bodies() if own().exists() else []

    told = f"{name}, who has a mind and may read what is in it"
    return Principal(told, minds.table(), bodies, is_there=bodies)


def _selves(number: int) -> list[Any]:
    """Return an account and its characters, as long as it may log in."""
    account = AccountDB.objects.filter(pk=number).first()
    if account is None or not may_log_in(account):
        return []
    return [account, *(account.db._playable_characters or ())]


def _player(told: str, selves: Callable[[], list[Any]]) -> Principal:
    own = PlayerView(selves)
    return Principal(f"{told}, who may read what `memories` shows", own.table(), own.bodies)
