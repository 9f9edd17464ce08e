"""Means: may this player have one more line answered, or kept, and what may a mind spend a day?"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from ipaddress import IPv6Interface
from math import ceil
from typing import Any

from django.conf import settings

from ai_assistant import conf
from ai_assistant.agent.attention.budget import GAME, STAFF, Caps
from ai_assistant.agent.attention.classify import Classification
from ai_assistant.agent.attention.purses import EXCUSED, TOO_MUCH, TOO_OFTEN, Purses
from ai_assistant.agent.config import Config
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Event, Verdict
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import lasting
from ai_assistant.game.identity import account_of, entity_id, find
from ai_assistant.runtime.embedder import OWNER as EMBEDDINGS

ADDRESS, STORIES = "ip:", "stories"
LOOK = 0.1
"""What every use of a player's command, and each assistant that a page names, takes from the purses
that a line takes 1 from."""
FORGETTINGS, FORGETTINGS_A_DAY = "forgettings", 12
"""Each walks over all memories, and drops the answers that are under way; so does who opts out,
of which opting in again is counted."""
PLAYERS_KEPT = 10
"""Of all players of one address together as much is kept as of so many: guests come without end."""


def lines_a_minute(name: str) -> float:
    """Return how many lines a minute the purse of a player, or of an address, pays for."""
    is_address = name.startswith(ADDRESS)
    return conf.settings.ADDRESS_LINES_PER_MINUTE if is_address else conf.settings.LINES_PER_MINUTE


def of_a_day(name: str) -> float:
    """Return what the purse of a day holds: lines that are kept, or how often one forgets."""
    is_address = f"+{ADDRESS}" in name
    if is_address and not conf.settings.ADDRESS_LINES_PER_MINUTE:
        return 0
    if name.startswith(FORGETTINGS):
        return FORGETTINGS_A_DAY
    return conf.settings.LINES_PER_DAY * (PLAYERS_KEPT if is_address else 1)


def purses_of(someone: Any) -> list[str]:
    """Return all purses that a question of somebody takes from: the account's, then addresses'."""
    return [*shares_of(entity_id(account_of(someone)))]


def shares_of(payer: str) -> dict[str, float]:
    """Return the purses from which questions of a player take, and which share of a day each has.

    An address is named by what only this game can make of it, since it stands in the book; of IPv6
    it is the network, of which one player has all addresses.
    """
    sessions = getattr(find(payer), "sessions", None)
    given = [session.address for session in sessions.all()] if sessions else ()
    addresses = {str(at[0] if isinstance(at, tuple) else at) for at in given if at}
    for at in [at for at in addresses if ":" in at]:
        with suppress(ValueError):
            addresses = {*addresses, str(IPv6Interface(f"{at}/64").network)} - {at}
    key = settings.SECRET_KEY.encode()[:64]
    names = [blake2b(at.encode(), key=key, digest_size=10).hexdigest() for at in sorted(addresses)]
    most = conf.settings.ADDRESS_SHARE
    return {payer: conf.settings.PLAYER_SHARE, **{f"{ADDRESS}{name}": most for name in names}}


def payer_of(speaker: str, *, by_assistant: bool) -> str:
    """Return who pays for what somebody says: their account's purse; empty for an assistant, and
    for who is gone."""
    body = None if by_assistant else find(speaker)
    return "" if body is None else entity_id(account_of(body))


def within(mind: Mind, event: Event, decision: Classification, payer: str) -> Classification:
    """Return what becomes of an event when it is seen what its speaker may still have.

    Beyond it a line is not answered, and at last not even kept. Once a minute there is an excuse,
    and who asks too often is told.
    """
    if not payer or decision.verdict is Verdict.IGNORE:
        return decision
    names = shares_of(payer)
    if mind.kept_lines.take([f"{mind.key}+{name}" for name in names]):
        return Classification(Verdict.IGNORE, TOO_MUCH)
    if decision.verdict is not Verdict.TRIGGER:
        return decision
    is_spent = mind.budget.is_spent(mind.key, names)
    speaker = find(event.source.id)
    wait = 0 if is_spent else mind.purses.take(names, event.root)
    if not (is_spent or wait):
        return decision
    if mind.purses.may_excuse(payer):
        if wait and speaker:
            speaker.msg(_too_often(wait))
        return Classification(Verdict.TRIGGER, EXCUSED)
    return Classification(Verdict.CONTEXT, TOO_OFTEN)


def pay(purses: Purses, names: Iterable[str], price: float = 1.0) -> None:
    """Take the price of a search, or another, from each of these purses. Raises `AssistantError`,
    which says how long it takes until there is as much."""
    if wait := purses.take(names, price=price):
        raise AssistantError(_too_often(wait))


def keep_of(someone: Any, purses: Purses) -> None:
    """Count one thing that a player keeps in a story by a command. Raises `AssistantError` where
    that is as much already as is kept of one player's lines in a day."""
    if purses.take([f"{STORIES}+{name}" for name in purses_of(someone)]):
        raise AssistantError("That is as much as can be kept of you in a day. Go on tomorrow.")


def _too_often(wait: float) -> str:
    return f"You ask too often. Try again in {lasting(ceil(wait))}."


def caps_of(owner: str) -> Caps:
    """Return the daily caps (calls, tokens) of an assistant, or of the game for ``""``."""
    if owner == GAME:
        return conf.settings.GAME_DAILY_CALLS, conf.settings.GAME_DAILY_TOKENS
    if owner == EMBEDDINGS:  # half the game's, so that embeddings never use up the budget for talk
        return conf.settings.GAME_DAILY_CALLS // 2, conf.settings.GAME_DAILY_TOKENS // 2
    if owner == STAFF:
        return conf.settings.STAFF_DAILY_CALLS, conf.settings.STAFF_DAILY_TOKENS
    calls, tokens = _own_caps.get(owner, (0, 0))
    return calls or conf.settings.DAILY_CALLS, tokens or conf.settings.DAILY_TOKENS


_own_caps: dict[str, Caps] = {}


def set_own_caps(owner: str, config: Config) -> None:
    """Remember the caps that an assistant's own configuration sets; 0 leaves the game's."""
    _own_caps[owner] = (config["daily_calls"], config["daily_tokens"])
