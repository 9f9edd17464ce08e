"""Memory blocks as forms: what `aiblock` changes, of an assistant or with None of the world."""

from __future__ import annotations

from typing import Any

from django import forms
from django.urls import reverse

from ai_assistant.api import blocks
from ai_assistant.commands.blocks import block_edits
from ai_assistant.commands.blocks.aiblock import block_named
from ai_assistant.commands.blocks.meant_blocks import Meant, undo_last_change
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks.visible import lines_in_field
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.storage import block_rows, read_block
from ai_assistant.storage.history.block_history import latest_change
from ai_assistant.web.desk.desk_edits import Fields, Planned
from ai_assistant.web.desk.edit_forms import EditForm, edits_of, hidden, words_field

MOST_WORDS = 4000


class OfBlock(EditForm):
    """A form about one block, which is hidden in it."""

    page, page_of_all = "block", "world_block"
    block = hidden()

    @property
    def meant(self) -> Meant:
        """The block that was sent. Raises `AssistantError` for one that is only a view."""
        found = block_named(self.character, self.cleaned_data["block"])
        found.must_be_stored()
        return found


class BlockForm(OfBlock):
    """A field of a block gets a text, or words in it give way to others."""

    title = "Change a block"
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


class UndoBlockForm(OfBlock):
    """Brings back what a block held before its last change, or at a version."""

    title = "Bring back what a block held"
    version = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput())

    @property
    def wanted(self) -> int:
        """The version that was sent; 0: the one before the last change."""
        return self.cleaned_data["version"] or 0

    def plan(self, changed: Json) -> Planned:
        """Return the fields that would be others."""
        meant = self.meant
        now, before = latest_change(meant.row, meant.owner, self.wanted)
        return field_changes(now.value, before.value)

    def where(self) -> str:
        """Return the page of the persona for its block."""
        if self.character is None or self["block"].value() != PERSONA:
            return super().where()
        return reverse("ai_assistant:persona", args=[self.character.pk])

    def do(self, changed: Json, account: Any) -> str:
        """Bring it back."""
        meant = self.meant
        version = undo_last_change(meant, by=account.key, wanted=self.wanted)
        return f"The {meant} is again as at version {version}."


def field_changes(now: Json, then: Json) -> Planned:
    """Return the fields that differ, with what they say."""
    names = dict.fromkeys((*now, *then))
    both = (
        (name, *("; ".join(lines_in_field(block.get(name))) for block in (now, then)))
        for name in names
    )
    return [(name, old, new) for name, old, new in both if old != new]


class LimitForm(OfBlock):
    """How much a block may hold."""

    title = "How much a block may hold"
    limit = forms.IntegerField(
        min_value=block_rows.LEAST_LIMIT, max_value=block_rows.MOST_LIMIT, label="Characters"
    )

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return its limit."""
        meant = block_named(character, fields.get("block", ""))
        return {"limit": read_block(meant.row, meant.owner).limit}

    def do(self, changed: Json, account: Any) -> str:
        """Set it."""
        meant = self.meant
        block_rows.set_limit(meant.row, meant.owner, changed["limit"])
        return f"The {meant} may hold {changed['limit']} characters."


class NewBlockForm(EditForm):
    """A block of the game's own."""

    title = "Make a block of the game's own"
    page, page_of_all = "blocks", "world"
    label = words_field("Name", 40)
    shared = forms.BooleanField(required=False, label="Others may join and share it")

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Ask nothing but the name of a block for everybody."""
        super().__init__(character, fields, is_sent=is_sent)
        if character is None:
            del self.fields["shared"]

    def do(self, changed: Json, account: Any) -> str:
        """Make it."""
        label, npc = changed["label"], self.character
        if npc is None:
            blocks.get_or_create_global_block(label)
        elif "shared" in changed:
            blocks.get_or_create_shared_block(label, [npc])
        else:
            blocks.create_block_by_type("private", label, npc=npc)
        return f"There is a block {label} of {name_of(npc) if npc else 'everybody'}."


class JoinBlockForm(EditForm):
    """Lets an assistant share a block that others share."""

    title, page = "Share another's block", "blocks"
    label = words_field("Name of the block", 40)

    def do(self, changed: Json, account: Any) -> str:
        """Let it."""
        blocks.join_block(changed["label"], self.character)
        return f"{name_of(self.character)} shares the block {changed['label']}."


class LeaveBlockForm(OfBlock):
    """Lets an assistant share a block no more."""

    title, page = "Stop sharing a block", "blocks"

    def plan(self, changed: Json) -> Planned:
        """Return who shares it."""
        label = self.cleaned_data["block"]
        return [(label, _names(blocks.sharing(label, self.character)), "without this one")]

    def do(self, changed: Json, account: Any) -> str:
        """Let it go."""
        label = self.cleaned_data["block"]
        blocks.leave_block(label, self.character)
        return f"{name_of(self.character)} does not share the block {label} any more."


class DeleteBlockForm(OfBlock):
    """Deletes a block of the game's own, for all who have it."""

    title, is_grave = "Delete a block", True
    page, page_of_all = "blocks", "world"

    def plan(self, changed: Json) -> Planned:
        """Return whose it is."""
        label = self.cleaned_data["block"]
        whose = _names(blocks.sharing(label, self.character)) or str(self.meant)
        return [(label, whose, "gone for good")]

    def do(self, changed: Json, account: Any) -> str:
        """Delete it."""
        label = self.cleaned_data["block"]
        blocks.delete_own_block(label, self.character, by=account.key)
        return f"The block {label} is gone."


def _names(bodies: list[Any]) -> str:
    return ", ".join(map(name_of, bodies))


OF_ANY_BLOCK = edits_of(
    {
        "block": BlockForm,
        "undo_block": UndoBlockForm,
        "block_limit": LimitForm,
        "new_block": NewBlockForm,
        "delete_block": DeleteBlockForm,
    }
)
"""Of an assistant's blocks and of everybody's, by the last part of the address."""
BLOCK_EDITS = OF_ANY_BLOCK | edits_of({"join_block": JoinBlockForm, "leave_block": LeaveBlockForm})
"""Of an assistant's."""
