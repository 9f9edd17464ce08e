"""Feelings, nights and the audit log as forms: what `airel`, `aisleep` and `aiaudit` do."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.editing import find_item
from ai_assistant.api.forgetting import ForgetReport
from ai_assistant.api.past_states import write_export
from ai_assistant.commands.choosing import find_person
from ai_assistant.commands.shown import minute
from ai_assistant.commands.staff.aisleep import told_of_undoing
from ai_assistant.core.contracts import Json
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import entity_id
from ai_assistant.web.desk.act_forms import act
from ai_assistant.web.desk.edit_forms import EditForm, Fields, Planned, hidden, words_field
from ai_assistant.web.rest import api_mind as mind


def _favor(character: Any, fields: Fields) -> Json:
    """Return how dear somebody is."""
    _, profile = find_person(character, fields.get("who", ""))
    return {"favorability": round(profile["relationship"]["favorability"], 2)}


def _told_of_favor(known: Json, done: Json) -> str:
    return f"It is {done['favorability']:.2f} now: {done['new_state'].replace('_', ' ')}."


def _asleep(character: Any, given: Json) -> Planned:
    return [("it", *(("awake", "asleep") if given["asleep"] else ("asleep", "awake")))]


def _told_of_sleep(known: Json, done: Json) -> str:
    if known["asleep"]:
        return f"{known['name']} falls asleep; it wakes when its night's work is done."
    if done["mode"] == "awake":
        return f"{known['name']} is awake."
    return f"{known['name']} is sorting its journal, and wakes right after."


def _night_undone(character: Any, given: Json) -> Planned:
    night = f"the night of {minute(mind.night_of(character, given['night'])['began'])}"
    return [(night, "what it made of people, its insights, what it put by", "as before it")]


class AuditFileForm(EditForm):
    """Writes the whole audit log into a file."""

    title, page = "Write the audit log into a file", "audit"
    with_states = forms.BooleanField(required=False, label="Include state changes")

    def plan(self, changed: Json) -> Planned:
        """Return where it would be."""
        return [("a new file", "", f"in {conf.settings.CARDS}")]

    def do(self, changed: Json, account: Any) -> str:
        """Begin it. The page of the log hands it out."""
        JOBS.check_room(account)
        with_states = self.cleaned_data["with_states"]
        work = write_export(self.character, by=account.key, with_states=with_states)
        done: Deferred[tuple[str, int]] = Deferred.fromCoroutine(work)
        made = done.addCallback(lambda it: {"name": it[0], "records": it[1]})
        JOBS.begin(account, made, f"{entity_id(self.character)} audit")
        return f"It is being written into {conf.settings.CARDS}: its page hands it out."


def _corrected(character: Any, given: Json) -> Planned:
    """Return the words of a memory, and those that it gets; without such it goes."""
    words = clean(given.get("text", "")) or "gone for good, wherever it was kept"
    return [("memory", find_item(character, given["ref"], was=given["was"]).words, words)]


def _told_of_correction(known: Json, done: Json) -> str:
    besides = (
        f" It was put right in {counted(done['also'], 'further place')}." if done["also"] else ""
    )
    return f"{known['name']} remembers now: {done['words']}{besides}"


def _told_of_forgetting(known: Json, done: Json) -> str:
    report = ForgetReport(Counter(done["forgotten"]))
    told = f"Forgotten: {report}." if report.total else "There was nothing to forget."
    return " ".join([told, *done["remains"]])


MIND_EDITS = {
    "correct": act(
        *(mind.edit_memory, "Correct a memory", _told_of_correction, "memory"),
        hides=("was",),
        goes=_corrected,
    ),
    "forget": act(
        *(mind.forget_memory, "Forget a memory", _told_of_forgetting, "memory"),
        hides=("was",),
        is_grave=True,
        goes=_corrected,
    ),
    "favor": act(
        *(mind.set_favor, "Favorability", _told_of_favor, "person"),
        now=_favor,
        hides=("change",),
        reason=words_field("Why", 200, required=False),
    ),
    "sleep": act(mind.sleep, "Sleep", _told_of_sleep, "nights", asleep=hidden(), goes=_asleep),
    "undo_night": act(
        *(mind.take_back_night, "Take a night back"),
        lambda _, done: told_of_undoing(done),
        "nights",
        is_grave=True,
        goes=_night_undone,
    ),
    "audit_file": AuditFileForm,
}
