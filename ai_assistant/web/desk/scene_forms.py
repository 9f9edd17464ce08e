"""Who took part in a line of a scene as a form: what `aiscene/correct` puts right."""

from __future__ import annotations

from typing import Any

from ai_assistant.api.stories.who_was_there import (
    bodies_concerned,
    correct_participants,
    who_was_there,
)
from ai_assistant.commands.choosing import find_by_name, told_apart
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import entity_id, person
from ai_assistant.roleplay.message_formats import spoken_words
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.storage import WorldContainer
from ai_assistant.storage.history.corrected_lines import Corrected
from ai_assistant.web.access import Visitor
from ai_assistant.web.desk.edit_forms import EditForm, Fields, Planned, hidden, words_field
from ai_assistant.web.stories import line_in, scene_in


class WhoTookPartForm(EditForm):
    """Who took part in a line, beside its speaker."""

    title, page_of_all, of_all = "Who took part in a line", "scene", "a correction"
    is_grave = True
    scene = hidden(required=False)
    line = hidden()
    who = words_field(
        *("Who took part", 600),
        required=False,
        help_text="Beside the speaker, with commas between; nothing, where nobody did.",
    )

    def __init__(self, character: Any, fields: Fields, *, is_sent: bool = False) -> None:
        """Say of which line."""
        super().__init__(character, fields, is_sent=is_sent)
        scene, made = _meant(fields)
        said = WorldContainer(scene.id).rows([made["row"]])
        words = spoken_words(said[0].content) if said else "(forgotten)"
        self.fields["who"].label = f"Who took part in “{words}”, said by {person(made['speaker'])}"

    @staticmethod
    def now(character: Any, fields: Fields) -> Json:
        """Return who it is thought took part."""
        _, made = _meant(fields)
        return {"who": ", ".join(_names(made))}

    def plan(self, changed: Json) -> Planned:
        """Return what each would lose or gain by it."""
        super().plan(changed)
        _, made = self._corrected()
        names = ", ".join(map(person, made.participants[1:]))
        taken = [
            (person(to.character), row.content, "forgotten")
            for to, rows in made.taken.rows.items()
            for row in rows
        ]
        gained = [
            (person(row.container), "", f"{row.author_name}: {row.content}") for row in made.rows
        ]
        return [("took part", self.initial["who"], names), *taken, *gained]

    def do(self, changed: Json, account: Any) -> str:
        """Put it right, where all locks let the account that it goes by."""
        scene, made = self._corrected()
        visitor = Visitor(account)
        for body in bodies_concerned(made):
            visitor.must_change(body)
        who = made.participants[1:]
        made = correct_participants(scene, made.line.id, who, by=account.key)
        return f"That is right now: {', '.join(map(person, made.participants))} took part."

    def _corrected(self) -> tuple[SceneState, Corrected]:
        """Return what would change. Raises `AssistantError` for whom there is not."""
        scene, decision = _meant(self.cleaned_data)
        known = _names(decision)
        typed = filter(None, map(str.strip, self.cleaned_data["who"].split(",")))
        who = [known.get(name) or entity_id(find_by_name(name)) for name in typed]
        return scene, who_was_there(scene, decision["row"], who)


def _meant(fields: Fields) -> tuple[SceneState, Json]:
    """Return the scene of a line, and who took part in it. Raises `Http404`."""
    scene = scene_in(fields)
    return scene, line_in(scene, fields.get("line", ""))


def _names(decision: Json) -> dict[str, str]:
    """Return by name the ids of those who took part beside the speaker."""
    people = {each["id"]: {"name": person(each["id"])} for each in decision["participants"]}
    people.pop(decision["speaker"], None)
    return {name: who for who, name in told_apart(people).items()}


SCENE_EDITS = {"who_took_part": WhoTookPartForm}
"""What may be changed of a scene, by the last part of the address."""
