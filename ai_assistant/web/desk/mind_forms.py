"""Feelings, nights and the audit log as forms: what `airel`, `aisleep` and `aiaudit` do."""

from __future__ import annotations

from typing import Any

from django import forms
from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.api.execution import call_awake, put_to_bed, unmake_night
from ai_assistant.api.handlers import store_of
from ai_assistant.api.past_states import write_export
from ai_assistant.commands.choosing import find_person
from ai_assistant.commands.shown import minute
from ai_assistant.commands.staff.airel import WHOLE
from ai_assistant.commands.staff.aisleep import told_of_undoing
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import name_of
from ai_assistant.web.desk.desk_edits import Fields, Planned
from ai_assistant.web.desk.edit_forms import EditForm, edits_of, hidden, words_field


class FavorForm(EditForm):
    """How dear somebody is to an assistant."""

    title, page = "Favorability", "person"
    who = hidden()
    favorability = forms.FloatField(
        min_value=0,
        max_value=1,
        label="Favorability",
        help_text="From 0 for a stranger to 1 for an ally; what is set stays.",
    )
    reason = words_field("Why", 200, required=False)

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return how dear they are."""
        _, profile = find_person(character, fields.get("who", ""))
        return {"favorability": round(profile["relationship"]["favorability"], 2)}

    def plan(self, changed: Json) -> Planned:
        """Return how dear they would be, which a reason alone does not change."""
        return super().plan(changed if "favorability" in changed else {})

    def do(self, changed: Json, account: Any) -> str:
        """Set it, and put it on record."""
        key, profile = find_person(self.character, self.cleaned_data["who"])
        now, wanted = profile["relationship"]["favorability"], changed["favorability"]
        reason = clean(changed.get("reason", "")) or f"set by {account.key}"
        done = self.character.profiles.update_relationship(key, wanted - now, reason, limit=WHOLE)
        state = done["new_state"].replace("_", " ")
        return f"{profile['name']}: {state}, {done['favorability']:.2f}, was {now:.2f}."


class AsleepForm(EditForm):
    """Puts an assistant to sleep, or wakes it, whichever it is not."""

    title, page = "Sleep", "nights"

    @property
    def is_awake(self) -> bool:
        """Is it awake now?"""
        return bool(store_of(self.character).read("sleep")["mode"] == "awake")

    def plan(self, changed: Json) -> Planned:
        """Return what it would be."""
        return [("it", *(("awake", "asleep") if self.is_awake else ("asleep", "awake")))]

    def do(self, changed: Json, account: Any) -> str:
        """Let it fall asleep, or wake it."""
        name = name_of(self.character)
        if self.is_awake:
            put_to_bed(self.character)
            return f"{name} falls asleep; it wakes when its night's work is done."
        if call_awake(self.character):
            return f"{name} is awake."
        return f"{name} is sorting its journal, and wakes right after."


class UndoNightForm(EditForm):
    """Takes back what a night made."""

    title, page, is_grave = "Take a night back", "nights", True
    id = hidden()

    @property
    def sent_night(self) -> Json:
        """The night that was sent. Raises `AssistantError` where it is not on record."""
        for night in store_of(self.character).read("sleep")["nights"]:
            if night["id"] == self.cleaned_data["id"]:
                return dict(night)
        raise AssistantError("There is no such night on record.")

    def plan(self, changed: Json) -> Planned:
        """Return what would go."""
        night = f"the night of {minute(self.sent_night['began'])}"
        return [(night, "what it made of people, its insights, what it put by", "as before it")]

    def do(self, changed: Json, account: Any) -> str:
        """Take it back."""
        return told_of_undoing(unmake_night(self.character, self.sent_night, by=account.key))


class AuditFileForm(EditForm):
    """Writes the whole audit log into a file."""

    title, page = "Write the audit log into a file", "audit"
    with_states = forms.BooleanField(required=False, label="Include state changes")

    def plan(self, changed: Json) -> Planned:
        """Return where it would be."""
        return [("a new file", "", f"in {conf.settings.CARDS}")]

    def do(self, changed: Json, account: Any) -> Deferred[str]:
        """Write it while the game goes on."""
        with_states = self.cleaned_data["with_states"]
        work = write_export(self.character, by=account.key, with_states=with_states)
        done: Deferred[tuple[str, int]] = Deferred.fromCoroutine(work)
        folder = conf.settings.CARDS
        return done.addCallback(lambda it: f"{counted(it[1], 'record')} are in {folder}/{it[0]}.")


MIND_EDITS = edits_of(
    {
        "favor": FavorForm,
        "sleep": AsleepForm,
        "undo_night": UndoNightForm,
        "audit_file": AuditFileForm,
    }
)
