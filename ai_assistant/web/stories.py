"""The pages about stories: scenes line by line, with who took part and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST, require_safe

from ai_assistant.api.card_exchange import file_name
from ai_assistant.api.stories import scene_log
from ai_assistant.api.stories.missed_lines import Attendance
from ai_assistant.api.stories.scene_cards import Imported, import_scene, scene_file
from ai_assistant.commands import scene_shown
from ai_assistant.commands.command_base import number_in
from ai_assistant.core.contracts import Json
from ai_assistant.game.identity import find, person, unstyled
from ai_assistant.roleplay.places import path_text
from ai_assistant.roleplay.scene import (
    ADDRESSED,
    DIRECTED,
    FREE,
    GAME,
    IN_TURN,
    SceneState,
)
from ai_assistant.roleplay.scene_files.scene_card import MOST_BYTES, scene_from_bytes
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import WorldContainer
from ai_assistant.storage.scene_rows import load_scene
from ai_assistant.web.access import (
    Context,
    UrlQuery,
    Visitor,
    asked,
    guarded_view,
    number_asked,
    uploaded,
)
from ai_assistant.web.time_line import columns_of, line_shown, whole_line

THE_GAME = "game"
"""What stands in an address for the game itself; other scenes are named by their lasting id."""
LINES = 30
"""Lines of a scene on one page."""
SCENES_SHOWN = 50
"""Scenes on one page of their list."""
RULE_WORDS: Mapping[str, Mapping[Any, str]] = {
    "policy": {
        ADDRESSED: "Who is addressed answers, and nobody else.",
        IN_TURN: "What is said to nobody is answered by all in turn.",
        FREE: "What is said to nobody is answered by whoever wants to.",
        DIRECTED: "What is said to nobody is answered by whom a model chooses as director.",
    },
    "permanent": {
        "include": "The plot is always in the prompt.",
        "retrieve": "The plot comes to mind when it fits.",
    },
    "fiction": {True: "What is said is only played.", False: "What is said is meant."},
    "inherits": {
        True: "Its members remember the game in it.",
        False: "Its members remember nothing of the game in it.",
    },
}
"""The rules of a scene, each value as an owner would put it."""


ACTS = (
    ("start_scene", "Start it"),
    ("join_scene", "Put somebody into it"),
    ("scene_role", "Give a role"),
    ("set_scene", "Set a value"),
    ("scene_day", "Set the day"),
    ("scene_update", "Record what became of somebody"),
    ("fold", "Fold old days"),
    ("branch_scene", "Branch it"),
    ("undo_scene", "Take lines back"),
    ("stop_scene", "End it"),
)
"""What a page of a scene lets an editor do, in words, what is grave last."""


def scenes_page(visitor: Visitor, query: UrlQuery) -> Context:
    """Return a page of the scenes, the game itself first."""
    listed, page = scene_shown.listed_scenes(), number_asked(query, "page") or 1
    end = page * SCENES_SHOWN
    rows = [
        {
            "id": scene.id,
            "title": scene_shown.title_of(scene),
            "state": scene_shown.scene_state_word(scene),
            "day": SCENES.day(scene),
            "members": scene_shown.members_of(scene),
        }
        for scene in listed[end - SCENES_SHOWN : end]
    ]
    more = {"newer": page + 1 if end < len(listed) else 0, "older": page - 1}
    return {"rows": rows, "may_edit": visitor.is_editor, **more}


@require_safe
@guarded_view
def scene_card(request: HttpRequest) -> HttpResponse:
    """Hand out the card of a scene as a file, as YAML or with ``as=json``."""
    query = request.GET.dict()
    suffix = "json" if query.get("as") == "json" else "yaml"

    def look(visitor: Visitor) -> tuple[str, bytes]:
        visitor.must_be_editor()
        scene = scene_in(query)
        return file_name(scene.title), scene_file(scene, f"card.{suffix}")

    name, data = asked(request, look)
    response = HttpResponse(data, content_type=f"application/{suffix}")
    response["Content-Disposition"] = f'attachment; filename="{name}.{suffix}"'
    return response


@require_POST
@csrf_protect
@guarded_view
def upload_scene(request: HttpRequest) -> HttpResponse:
    """Make a scene of a card, and show it."""
    asked(request, lambda visitor: visitor.must_be_editor())  # before it is read
    card = scene_from_bytes(*uploaded(request, MOST_BYTES, "Choose the card of a scene."))

    def make(visitor: Visitor) -> Imported:
        visitor.must_be_editor()
        return import_scene(card, may_edit=visitor.may_edit, by=visitor.account.key)

    made = asked(request, make)
    for role, wanted in made.missing.items():
        messages.warning(request, f"The role {role} is for {wanted}, who is not to be had.")
    return redirect(f"{reverse('ai_assistant:scene')}?{urlencode({'scene': made.scene.id})}")


def scene_page(visitor: Visitor, query: UrlQuery) -> Context:
    """Return lines of a scene, who took part in each or missed it and why: the newest, those
    `before` one, or those up to one that is shown whole; and what was changed of the scene.

    Raises `Http404` where there is no such scene or line.
    """
    scene = scene_in(query)
    world = WorldContainer(scene.id)
    chosen = line_in(scene, query["line"]) if query.get("line") else None
    before = chosen["pk"] + 1 if chosen else number_asked(query, "before")
    made = world.participations(LINES + 1, before=before)
    shown = made[:LINES][::-1]
    said = {row.id: row for row in world.rows([decision["row"] for decision in shown])}
    people, left_out = columns_of(shown, scene.participants())
    attendance = Attendance(scene.id)
    left = {row.author: row.author_name for row in said.values() if not find(row.author)}
    count = number_in(query.get("count") or None, scene_log.LISTED)
    found = _how_it_stands(scene) | {
        "may_edit": visitor.is_editor,
        "people": [left.get(who) or person(who) for who in people],
        "left_out": left_out,
        "lines": [
            line_shown(made, said.get(made["row"]), people, left, attendance.missed(made, people))
            for made in shown
        ],
        "log": scene_log.scene_log(scene, count),
        "count": count,
        "before": before,
        "older": shown[0]["pk"] if len(made) > LINES else 0,
    }
    return found | (whole_line(visitor, scene, chosen) if chosen else {})


def _how_it_stands(scene: SceneState) -> Context:
    return {
        "id": scene.id,
        "title": scene_shown.title_of(scene),
        "state": scene_shown.scene_state_word(scene),
        "day": SCENES.day(scene),
        "place": path_text(scene.scene, scene.places),
        "members": scene_shown.members_of(scene),
        "rules": [words[getattr(scene, name)] for name, words in RULE_WORDS.items() if scene.id],
        "is_running": scene.is_running,
        "is_open": not scene.is_over,
        "cast": scene.members,
        "acts": [act for act in ACTS if act[0] not in _out_of_place(scene)],
        "standing": [unstyled(line).strip() for line in scene_shown.particulars(scene)],
    }


def _out_of_place(scene: SceneState) -> tuple[str, ...]:
    """Return the acts that a scene as it is does not let anybody do."""
    if scene.is_running:
        return ("start_scene",)
    return ("stop_scene", "undo_scene", "branch_scene") if not scene.is_over else (*dict(ACTS),)


def line_in(scene: SceneState, event: str) -> Json:
    """Return who took part in one line. Raises `Http404` where there is none of that id."""
    for made in WorldContainer(scene.id).participations(1, event or "none"):
        return made
    raise Http404("There is no such line, or not any more.")


def scene_in(query: UrlQuery) -> SceneState:
    """Return the scene that a page is about, the game itself first. Raises `Http404`."""
    session = query.get("scene", "")
    scene = SCENES.get(GAME) if session in (GAME, THE_GAME) else load_scene(session)
    if scene is None:
        raise Http404("There is no such scene, or not any more.")
    return scene
