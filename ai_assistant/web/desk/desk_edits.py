"""The edits of the owner's desk: persona, settings, emergency stop, notes, and marks of turns."""

from __future__ import annotations

from typing import Any

from django import forms

from ai_assistant.agent.config import find_option
from ai_assistant.api.blocks import change_persona
from ai_assistant.api.desk.noting import checked_note, expiry_in_words, find_note, term_of
from ai_assistant.api.desk.regression import verdict_on_turn
from ai_assistant.api.execution import execution_of
from ai_assistant.api.lifecycle import read_persona, script_of
from ai_assistant.api.model_setup import refuse_keys
from ai_assistant.api.turns.traces import trace_of
from ai_assistant.commands.blocks.block_edits import PERSONA_FIELDS, persona_value
from ai_assistant.commands.shown import in_words
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import typed_number
from ai_assistant.game.identity import name_of
from ai_assistant.web.desk.act_forms import act
from ai_assistant.web.desk.edit_forms import EditForm, Fields, Planned, hidden
from ai_assistant.web.rest import api_desk as desk
from ai_assistant.web.rest import api_life as life
from ai_assistant.web.rest import api_records as records


class PersonaForm(EditForm):
    """Fields of a persona, as many as were sent, as they stood at a version."""

    title, page = "Change the persona", "persona"
    version = hidden()

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Offer every field that was sent."""
        super().__init__(character, fields, is_sent=is_sent)
        for name in PERSONA_FIELDS:
            if name in fields:
                self.fields[name] = forms.CharField(required=False, strip=False)

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return the persona. Raises `AssistantError` where it has another version by now."""
        block = read_persona(character)
        if fields.get("version") != str(block.version):
            raise AssistantError("Somebody changed the persona meanwhile. Load the page again.")
        return dict(block.value)

    def plan(self, changed: Json) -> Planned:
        """Return the fields that become others."""
        planned = super().plan(self._new(changed))
        return [(name, _words(before), _words(after)) for name, before, after in planned]

    def do(self, changed: Json, account: Any) -> str:
        """Change them; one that is empty is taken out."""
        new = self._new(changed)
        change_persona(
            self.character, {name: value or None for name, value in new.items()}, by=account.key
        )
        return f"{name_of(self.character)}: {', '.join(new)} changed."

    def _new(self, changed: Json) -> Json:
        new = {
            name: persona_value(name, text) if text.strip() else ""
            for name, text in changed.items()
        }
        return {name: new[name] for name in new if new[name] != self.initial.get(name, "")}


def _words(value: Any) -> str:
    return in_words(value) if value else ""


def _set(character: Any, given: Json) -> Planned:
    key, text = given["key"], given["value"]
    refuse_keys(text)
    option, now = find_option(key), script_of(character).config[key]
    is_default = text.strip().lower() == "default"
    new = option.default if is_default else option.parse(key, text)
    return [(key, in_words(now), in_words(new))]


def _stopped(character: Any, given: Json) -> Planned:
    now = dict(execution_of(character).state)["emergency stop"]
    return [("emergency stop", now, given.get("reason", "no") or "yes")]


def _marked(character: Any, given: Json) -> Planned:
    turn, before = given["turn"], verdict_on_turn(character, given["turn"])
    said = before["answer"] if before else trace_of(character, turn).record["speech"]
    words = {True: "good", False: "bad", None: "none"}
    now, mark = words[before["good"]] if before else "", words[given.get("good")]
    wanted = before["wanted"] if before else ""
    return [(f"mark of: {said}", now, mark), ("wanted", wanted, given.get("wanted", ""))]


def _noted(character: Any, given: Json) -> Planned:
    words = checked_note(given["text"], term_of(given["term"]))
    return [("director's note", "", f"{words} ({given['term'] or 'the usual time'})")]


def _note_gone(character: Any, given: Json) -> Planned:
    note = find_note(character, typed_number(given["note"]))
    return [("director's note", note["content"], "")]


DESK_EDITS = {
    "persona": PersonaForm,
    "setting": act(
        *(life.set_option, "Change a setting"),
        lambda known, done: f"{known['name']}: {known['key']} is now {in_words(done['value'])}.",
        "settings",
        goes=_set,
    ),
    "emergency": act(
        *(records.stop_at_once, "Emergency stop"),
        *("{name} is stopped; what it was about is dropped.", "execution"),
        goes=_stopped,
    ),
    "end_emergency": act(
        *(records.let_go_on, "Clear the emergency stop", "{name} may go on.", "execution"),
        goes=_stopped,
    ),
    "mark": act(
        *(desk.set_mark, "Mark a turn"),
        lambda known, done: f"That turn is marked as {'good' if done['good'] else 'bad'}.",
        "talk",
        hides=("turn", "good"),
        goes=_marked,
    ),
    "unmark": act(
        *(desk.drop_mark, "Take a mark off", "That turn has no mark any more.", "talk"),
        goes=_marked,
    ),
    "give_note": act(
        *(desk.add_note, "Give a director's note"),
        lambda known, note: f"{known['name']} is told {expiry_in_words(note)}: {note['content']}",
        "talk",
        goes=_noted,
    ),
    "take_note_back": act(
        *(desk.drop_note, "Take a director's note back"),
        *("{name} is not told any more: {content}", "talk"),
        goes=_note_gone,
    ),
}
"""By the last part of the address."""
