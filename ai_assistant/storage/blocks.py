"""Memory blocks: read with their version, written only by whoever read the latest."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from ai_assistant.contracts import Json
from ai_assistant.errors import StoreError
from ai_assistant.models import MemoryBlock
from ai_assistant.storage.refusal import refusals

DEFAULT_LIMIT = 5000
"""Characters of a block's value as JSON text, where the block does not say otherwise."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block as it was read; version 0 is one that nobody has written yet."""

    value: Json
    version: int = 0
    limit: int = DEFAULT_LIMIT


def read_block(label: str, owner: str = "") -> Block:
    """Return the owner's block of that label; the owner ``""`` is everybody."""
    with refusals():
        found = MemoryBlock.objects.filter(owner=owner, label=label)
        row = found.values_list("value", "version", "limit").first()
    return Block(*row) if row else Block({})


def write_block(label: str, owner: str, value: Json, expected_version: int) -> int:
    """Write a block that was read at `expected_version` (0: not there yet); return the new one.

    Raises `StoreError` when somebody else wrote it meanwhile, or when the value is over the
    block's limit; the block is then as before.
    """
    limit = read_block(label, owner).limit
    size = len(json.dumps(value, ensure_ascii=False))
    if size > limit:
        raise StoreError(f"The block {label} would take {size} characters; its limit is {limit}.")
    written = _replace if expected_version else _create
    if not written(label, owner, value, expected_version):
        raise StoreError(f"The block {label} was changed by somebody else: read it again.")
    return expected_version + 1


def delete(owner: str) -> None:
    """Delete all blocks that belong to this owner alone."""
    MemoryBlock.objects.filter(owner=owner).delete()


def _replace(label: str, owner: str, value: Json, expected_version: int) -> bool:
    with refusals():
        same = MemoryBlock.objects.filter(owner=owner, label=label, version=expected_version)
        new = {"value": value, "version": expected_version + 1, "updated": time.time()}
        return bool(same.update(**new))


def _create(label: str, owner: str, value: Json, expected_version: int) -> bool:
    now = time.time()
    row = MemoryBlock(
        label=label,
        owner=owner,
        type="private" if owner else "global",
        value=value,
        limit=DEFAULT_LIMIT,
        version=expected_version + 1,
        owners=[owner] if owner else [],
        created=now,
        updated=now,
    )
    with refusals():
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError:
            return False
    return True
