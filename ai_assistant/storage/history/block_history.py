"""The versions of a block that are kept, and going back to an older one."""

from __future__ import annotations

from itertools import compress

from ai_assistant.core.errors import StoreError
from ai_assistant.models import BlockVersion
from ai_assistant.storage.block_rows import KEPT_VERSIONS, Signed, write_block
from ai_assistant.storage.statements import refusals


def versions(label: str, owner: str, most: int = KEPT_VERSIONS) -> list[BlockVersion]:
    """Return the newest versions of a block that are kept, the latest first."""
    with refusals():
        kept = BlockVersion.objects.filter(owner=owner, label=label).order_by("-version")
        return list(kept[:most])


def latest_change(label: str, owner: str, wanted: int = 0) -> tuple[BlockVersion, BlockVersion]:
    """Return a block's latest version, and the one that undoing brings back; or `StoreError`.

    That is the one before its latest change, or the `wanted` one.
    """
    known = versions(label, owner)
    if not known:
        raise StoreError(f"The block {label} was never written.")
    done = known[0].restores or known[0].version
    fits = (
        version.version == wanted if wanted else version.version < done for version in known[1:]
    )
    before = next(compress(known[1:], fits), None)
    if before is None:
        which = f"no version {wanted} before the present one" if wanted else "nothing older"
        raise StoreError(f"Of the block {label} {which} is kept.")
    return known[0], before


def undo(
    label: str, owner: str, *, by: str, writer: str = "designer", wanted: int = 0
) -> BlockVersion:
    """Bring back what the block held before its latest change, as a new version; returns that one.

    To undo again goes further back; the `wanted` version is brought back at once. Raises
    `StoreError` where it is not kept.
    """
    now, before = latest_change(label, owner, wanted)
    signed = Signed(writer, by, "undo", before.restores or before.version)
    write_block(label, owner, before.value, now.version, signed=signed)
    return before
