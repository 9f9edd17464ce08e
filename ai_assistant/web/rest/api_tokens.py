"""Tokens of the REST API: made, found, listed and revoked. Only the hash of one is ever kept."""

from __future__ import annotations

import hashlib
import secrets
import time
from typing import Any

from django.db import transaction
from evennia.accounts.models import AccountDB
from evennia.utils import logger

from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.core.times import DAY
from ai_assistant.game.identity import entity_id, find, known_id, may_log_in
from ai_assistant.models import ApiToken

PREFIX = "aia_"
"""What every token begins with, so that people and scanners know what they have found."""
USUAL_DAYS, MOST_DAYS = 90, 366
MOST_TOKENS = 20
"""Tokens that one account may have."""
LONGEST_NAME = ApiToken._meta.get_field("name").max_length or 0
USE_NOTED_EVERY = 60.0
"""Seconds between two notes of when a token was used."""
_in_use = set[str]()
"""The hashes of those that were good since the start, which are no guesses."""


def make_token(account: Any, name: str, *, days: int = USUAL_DAYS, may_write: bool = True) -> str:
    """Return a new token with the rights of an account, for so many days; it cannot be shown again.

    Raises `AssistantError` for a name that is empty, too long or taken, too many days, or where
    the account has `MOST_TOKENS`.
    """
    words = clean(name, LONGEST_NAME + 1)
    if not words or len(words) > LONGEST_NAME:
        raise AssistantError(f"A token needs a name of at most {LONGEST_NAME} characters.")
    if not 1 <= days <= MOST_DAYS:
        raise AssistantError(f"A token is good for 1 to {MOST_DAYS} days.")
    owner, now = entity_id(account), time.time()
    secret = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        mine = ApiToken.objects.filter(account=owner)
        mine.filter(until__lte=now).delete()
        if mine.filter(name=words).exists():
            raise AssistantError(f"You have a token named {words} already; revoke it first.")
        if mine.count() >= MOST_TOKENS:
            raise AssistantError(f"You have {MOST_TOKENS} tokens already; revoke one of them.")
        ApiToken.objects.create(
            digest=_hash_of(secret),
            account=owner,
            name=words,
            may_write=may_write,
            created=now,
            until=now + days * DAY,
        )
    logger.log_sec(f"Assistants: {account.key} made the API token '{words}' for {days} days.")
    return secret


def bearing_account(someone: Any) -> Any:
    """Return the account behind a character, or what is one. Raises `AssistantError` for others."""
    account = getattr(someone, "account", None) or someone
    if account.__dbclass__ is not AccountDB:
        raise AssistantError("A token stands for an account, and you have none.")
    return account


def bearer_of(secret: str) -> tuple[Any, ApiToken] | None:
    """Return the account that a token stands for, and its row; None where it is not good."""
    now = time.time()
    found = ApiToken.objects.filter(digest=_hash_of(secret), until__gt=now).first()
    account = find(found.account) if found else None
    if found is None or account is None or not may_log_in(account):
        return None
    if now - found.used_at >= USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(used_at=now)
    _in_use.add(found.digest)
    return account, found


def is_in_use(secret: str) -> bool:
    """Has a token been good since the start of this server? No query is made."""
    return _hash_of(secret) in _in_use


def account_tokens(account: Any | None) -> list[ApiToken]:
    """Return the tokens of an account, or of everybody (None), those that ran out included."""
    found = ApiToken.objects.order_by("account", "name")
    return list(found if account is None else found.filter(account=known_id(account)))


def revoke_token(token: ApiToken, *, by: Any) -> None:
    """Let a token be good for nothing from now on."""
    token.delete()
    logger.log_sec(f"Assistants: {by.key} revoked the API token '{token.name}'.")


def _hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
