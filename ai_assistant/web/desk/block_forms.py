"""Memory blocks as forms: what `aiblock` changes, of an assistant or with None of the world."""

from __future__ import annotations

from typing import Any

from django import forms

from ai_assistant.api.blocks import sharing
from ai_assistant.commands.blocks import block_edits
from ai_assistant.commands.blocks.aiblock import block_named
from ai_assistant.commands.blocks.meant_blocks import Meant
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks.visible import lines_in_field
from ai_assistant.storage import read_block
from ai_assistant.storage.history.block_history import latest_change
from ai_assistant.web.desk.act_forms import act
from ai_assistant.web.desk.edit_forms import EditForm, Fields, Planned, hidden, words_field
from ai_assistant.web.rest import api_blocks as blocks

MOST_WORDS = 4000


class BlockForm(EditForm):
    """A field of a block gets a text, or words in it give way to others."""

    title = "Change a block"
    page, page_of_all = "block", "world_block"
    block = hidden()
    field = forms.ChoiceField()
    text = words_field(
        *("Text", MOST_WORDS),
        rows=4,
        help_text=f"A new text; or words that stand there, {block_edits.ARROW} and what becomes of "
        "them: with nothing after it their line goes.",
    )

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Offer the fields that this block has."""
        super().__init__(character, fields, is_sent=is_sent)
        names = block_edits.editable_fields(block_named(character, fields.get("block", "")).label)
        self.fields["field"].choices = [(name, name.replace("_", " ")) for name in names]

    @property
    def meant(self) -> Meant:
        """The block that was sent. Raises `AssistantError` for one that is only a view."""
        found = block_named(self.character, self.cleaned_data["block"])
        found.must_be_stored()
        return found

    def plan(self, changed: Json) -> Planned:
        """Return the field, and which words would give way to which."""
        given, _ = self.cleaned_data, self.meant
        before, arrow, after = given["text"].partition(block_edits.ARROW)
        return [(given["field"], before if arrow else "", after if arrow else before)]

    def do(self, changed: Json, account: Any) -> str:
        """Do it as `aiblock/edit` does."""
        given, meant = self.cleaned_data, self.meant
        told = block_edits.edit(
            meant.npc, meant.label, given["field"], given["text"].strip(), by=account.key
        )
        return f"The {meant}: {told}"


def field_changes(now: Json, then: Json) -> Planned:
    """Return the fields that differ, with what they say."""
    names = dict.fromkeys((*now, *then))
    both = (
        (name, *("; ".join(lines_in_field(block.get(name))) for block in (now, then)))
        for name in names
    )
    return [(name, old, new) for name, old, new in both if old != new]


def _undone(character: Any, given: Json) -> Planned:
    """Return the fields that would be others."""
    meant = block_named(character, given["block"])
    now, before = latest_change(meant.row, meant.owner, given.get("version", 0))
    return field_changes(now.value, before.value)


def _limit(character: Any, fields: Fields) -> Json:
    meant = block_named(character, fields.get("block", ""))
    return {"limit": read_block(meant.row, meant.owner).limit}


def _left(character: Any, given: Json) -> Planned:
    return [(given["block"], _sharing(character, given["block"]), "without this one")]


def _deleted(character: Any, given: Json) -> Planned:
    label = given["block"]
    whose = _sharing(character, label) or str(block_named(character, label))
    return [(label, whose, "gone for good")]


def _sharing(character: Any, label: str) -> str:
    return ", ".join(map(name_of, sharing(label, character)))


_ON_ITS_PAGE = {"page": "block", "page_of_all": "world_block"}
_AMONG_ALL = {"page": "blocks", "page_of_all": "world"}
_MADE = ("Make a block of the game's own", "There is a block {block} now.")
_OF_ANY = {
    "block": BlockForm,
    "undo_block": act(
        *(blocks.undo_block, "Bring back what a block held"),
        "The block {block} is again as at version {version}.",
        **_ON_ITS_PAGE,
        hides=("version",),
        goes=_undone,
    ),
    "block_limit": act(
        *(blocks.limit_block, "How much a block may hold"),
        "The block {block} may hold {limit} characters.",
        **_ON_ITS_PAGE,
        now=_limit,
    ),
    "delete_block": act(
        *(blocks.drop_block, "Delete a block", "The block {block} is gone."),
        **_AMONG_ALL,
        is_grave=True,
        goes=_deleted,
    ),
}
WORLD_BLOCK_EDITS = _OF_ANY | {
    "new_block": act(blocks.make_block, *_MADE, **_AMONG_ALL, hides=("shared",))
}
"""Of everybody's blocks, by the last part of the address."""
BLOCK_EDITS = _OF_ANY | {
    "new_block": act(blocks.make_block, *_MADE, **_AMONG_ALL),
    "join_block": act(
        *(blocks.share_block, "Share another's block"),
        *("{name} shares the block {block}.", "blocks"),
        block=words_field("Name of the block", 40),
    ),
    "leave_block": act(
        *(blocks.stop_sharing, "Stop sharing a block"),
        *("{name} does not share the block {block} any more.", "blocks"),
        goes=_left,
    ),
}
"""Of an assistant's."""
