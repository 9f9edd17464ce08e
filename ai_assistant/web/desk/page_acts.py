"""What pages do as endpoints of the API do: the life of an assistant, forgetting, scenes."""

from __future__ import annotations

from typing import Any

from ai_assistant.api.forgetting.reset import what_goes
from ai_assistant.api.handlers import store_of
from ai_assistant.api.release import former_life
from ai_assistant.commands import scene_shown, shown
from ai_assistant.commands.choosing import known_to_anybody
from ai_assistant.commands.staff.ai_life import mind_told
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import name_of
from ai_assistant.roleplay.message_formats import spoken_words
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.history.taken_lines import last_lines
from ai_assistant.storage.scene_rows import owner_of_row
from ai_assistant.web.access import number_asked
from ai_assistant.web.desk.act_forms import Foreseen, act
from ai_assistant.web.desk.edit_forms import Planned
from ai_assistant.web.rest import api_life as life
from ai_assistant.web.rest import api_mind as mind
from ai_assistant.web.rest import api_scenes as scenes
from ai_assistant.web.rest import api_shelf as shelf
from ai_assistant.web.rest import api_takes as takes
from ai_assistant.web.stories import scene_in


def _turns(before: str, after: str) -> Foreseen:
    return lambda character, given: [(name_of(character), before, after)]


def _scene_turns(after: str) -> Foreseen:
    def goes(_: Any, given: Json) -> Planned:
        scene = scene_in(given)
        return [(scene.title, scene_shown.scene_state_word(scene), after)]

    return goes


def _reset(character: Any, given: Json) -> Planned:
    return [(name_of(character), what_goes(character, given["scope"]), "gone for good")]


def _release(character: Any, given: Json) -> Planned:
    mind = "rests until ai/adopt wakes it" if given["keep"] else "gone for good"
    path = former_life(character).path
    return [
        (name_of(character), "an assistant", f"a {path} again, where it is"),
        ("its mind", mind_told(character), mind),
    ]


def _delete(character: Any, given: Json) -> Planned:
    kept = "gone for good, the character itself too; its audit log is kept"
    return [(name_of(character), mind_told(character), kept)]


def _whole(character: Any, given: Json) -> Planned:
    return [("a file", "", f"{mind_told(character)}, what others said in confidence too")]


def _erase(_: Any, given: Json) -> Planned:
    known = known_to_anybody().get(given["who"])
    if known is None:
        raise AssistantError("Nobody knows them any more.")
    what = "their own words" if given["scope"] == "own" else "all that is about them"
    return [(known["name"], f"in the memory of all characters: {what}", "forgotten for good")]


def _publish(character: Any, given: Json) -> Planned:
    found = store_of(character).rows.by_ids([given["number"]])
    if not found:
        raise AssistantError(f"{name_of(character)} does not remember that any more.")
    readers = found[0].readers
    told = shown.readers_told(character, [readers])[readers]
    return [(found[0].content, f"known to {told}", "known to everybody, as a copy")]


def _take_back(_: Any, given: Json) -> Planned:
    scene, row = scene_in(given), given.get("row", 0)
    lines = last_lines(scene.id, given["lines"], row)
    said = WorldContainer(scene.id).rows([line for _, line in lines])
    kept = len(said) if row else given["lines"]
    return [
        (line.author_name, spoken_words(line.content), "taken back, with all that came of it")
        for line in sorted(said, key=lambda line: line.id)[-kept:]
    ]


def _scene_memory(_: Any, given: Json) -> Planned:
    scene, row = scene_in(given).id, number_asked(given, "row")
    found = Container(scene, owner_of_row(scene, row)).rows([row])
    if not found:
        raise AssistantError("Nobody remembers that any more.")
    return [("memory of the scene", found[0].content, given["text"])]


def _branch(_: Any, given: Json) -> Planned:
    scene = scene_in(given)
    before = scene_shown.scene_state_word(scene)
    return [(scene.title, before, "rests"), ("a scene from there on", "", given["title"])]


def _leave(_: Any, given: Json) -> Planned:
    scene = scene_in(given)
    name = {member.id: member.name for member in scene.members}.get(given["who"], given["who"])
    return [(name, f"plays in '{scene.title}'", "plays in it no more")]


LIFE_ACTS = {
    "start": act(
        *(life.start, "Start", "{name} is awake.", "execution"),
        goes=_turns("stopped", "awake"),
    ),
    "stop": act(
        *(life.stop, "Stop", "{name} is silent until you start it again.", "execution"),
        goes=_turns("awake", "stopped: it neither hears nor acts, and what waits is closed"),
    ),
    "reset": act(
        *(life.begin_anew, "Begin anew", "{name} begins anew.", "execution"),
        goes=_reset,
        is_grave=True,
    ),
    "release": act(
        *(life.give_back, "Release", "{name} is a {typeclass} again."),
        goes=_release,
        is_grave=True,
    ),
    "delete": act(
        *(life.delete, "Delete", "{name} is gone. Its audit log is kept."),
        goes=_delete,
        is_grave=True,
    ),
    "announce": act(
        *(mind.inform, "Tell it a fact that everybody may know", "{name} knows it now.", "memory"),
    ),
    "publish": act(
        *(mind.publish, "Let everybody know", "Everybody may know of it now.", "memory"),
        hides=("number",),
        goes=_publish,
    ),
    "whole_file": act(
        *(shelf.export_all, "All of it as a file"),
        *("It is being gathered, and is handed out here.", "persona"),
        job="whole",
        goes=_whole,
    ),
}
"""Of one assistant, by the last part of the address."""
ACTS_OF_ALL = {
    "create": act(
        *(life.make, "Create an assistant", "{name} is here and listens.", "overview"),
        of_all="somebody new",
    ),
    "erase": act(
        *(mind.forget_somebody, "Let all forget a person", "It is forgotten.", "overview"),
        of_all="all characters",
        goes=_erase,
        is_grave=True,
    ),
    "new_scene": act(
        *(scenes.make_scene, "Make a scene", "'{title}' is made, with nobody in it.", "scenes"),
        of_all="nobody in it yet",
    ),
    "start_scene": act(
        *(scenes.start_a_scene, "Start a scene", "'{title}' runs."),
        goes=_scene_turns("running"),
    ),
    "stop_scene": act(
        *(scenes.stop_a_scene, "End a scene", "'{title}' is over."),
        goes=_scene_turns("over"),
        is_grave=True,
    ),
    "undo_scene": act(
        *(takes.rewind_lines, "Take lines back", "Lines taken back: {lines}."),
        hides=("row",),
        goes=_take_back,
        is_grave=True,
    ),
    "branch_scene": act(
        *(takes.branch_off, "Branch a scene", "'{title}' goes on from there."),
        hides=("row",),
        goes=_branch,
    ),
    "join_scene": act(scenes.add_member, "Put somebody into a scene", "They play in '{title}'."),
    "leave_scene": act(
        *(scenes.drop_member, "Take somebody out of a scene", "They left '{title}'."),
        goes=_leave,
    ),
    "set_scene": act(scenes.set_in_scene, "Set a value of a scene", "That is set in '{title}'."),
    "scene_day": act(scenes.set_its_day, "The day of a scene", "It is day {day} in '{title}'."),
    "scene_role": act(takes.cast_member, "Give a role", "They play the role in '{title}'."),
    "scene_update": act(takes.record_fate, "Record what became of somebody", "Recorded: {content}"),
    "pass_on": act(
        *(takes.pass_on_memory, "Pass a memory on", "They have it now: {content}"),
        hides=("row", "teller"),
    ),
    "scene_memory": act(
        *(takes.correct_its_memory, "Correct a memory", "Remembered from now on: {content}"),
        goes=_scene_memory,
    ),
    "fold": act(takes.fold_memories, "Fold old days", "Memories that made place: {folded}."),
}
"""Of what all share, in the same way."""
