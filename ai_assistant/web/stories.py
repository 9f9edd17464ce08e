"""The pages about stories: scenes line by line, with who took part and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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
from ai_assistant.api.turns.rules_in_words import decision_in_words
from ai_assistant.commands import rows_shown, scene_shown
from ai_assistant.commands.command_base import number_in
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.times import iso
from ai_assistant.game.identity import find, is_assistant, person, unstyled
from ai_assistant.roleplay.message_formats import spoken_words
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
from ai_assistant.storage import Container, WorldContainer
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

LINES = 30
"""Lines of a scene on one page."""
SCENES_SHOWN = 50
"""Scenes on one page of their list."""
MOST_PEOPLE = 12
"""Columns of a time line: those who took part most."""
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
    shown, has_older = made[:LINES][::-1], len(made) > LINES
    said = {row.id: row for row in world.rows([decision["row"] for decision in shown])}
    people, left_out = _people(shown, scene.participants())
    attendance = Attendance(scene.id)
    left = {row.author: row.author_name for row in said.values() if not find(row.author)}
    count = number_in(query.get("count") or None, scene_log.LISTED)
    found = {
        "id": scene.id,
        "may_edit": visitor.is_editor,
        "title": scene_shown.title_of(scene),
        "state": scene_shown.scene_state_word(scene),
        "day": SCENES.day(scene),
        "place": path_text(scene.scene, scene.places),
        "members": scene_shown.members_of(scene),
        "rules": _rules_of(scene),
        "standing": [unstyled(line).strip() for line in scene_shown.particulars(scene)],
        "people": [left.get(who) or person(who) for who in people],
        "left_out": left_out,
        "lines": [
            _line(made, said.get(made["row"]), people, left, attendance.missed(made, people))
            for made in shown
        ],
        "log": scene_log.scene_log(scene, count),
        "count": count,
        "before": before,
        "older": shown[0]["pk"] if has_older else 0,
    }
    return found | (_whole(visitor, scene, chosen) if chosen else {})


def line_in(scene: SceneState, event: str) -> Json:
    """Return who took part in one line. Raises `Http404` where there is none of that id."""
    for made in WorldContainer(scene.id).participations(1, event or "none"):
        return made
    raise Http404("There is no such line, or not any more.")


def _rules_of(scene: SceneState) -> list[str]:
    """Return the rules of a scene as sentences; none of the game itself, which is no play."""
    return [words[getattr(scene, name)] for name, words in RULE_WORDS.items() if scene.id]


def scene_in(query: UrlQuery) -> SceneState:
    """Return the scene that a page is about, the game itself first. Raises `Http404`."""
    session = query.get("scene", "")
    scene = load_scene(session) if session else SCENES.get(GAME)
    if scene is None:
        raise Http404("There is no such scene, or not any more.")
    return scene


def _people(decisions: Sequence[Json], members: Sequence[str]) -> tuple[list[str], int]:
    """Return who takes part in these lines, most often first, then members who missed them all;
    and how many more there are.
    """
    often = Counter(who["id"] for made in decisions for who in made["participants"])
    often.update(who for made in decisions for who in made["hearers"])
    often.update(dict.fromkeys(members, 0))
    return [who for who, _ in often.most_common(MOST_PEOPLE)], max(0, len(often) - MOST_PEOPLE)


def _line(
    decision: Json,
    row: MemoryRow | None,
    people: Sequence[str],
    names: Mapping[str, str],
    missed: Mapping[str, str],
) -> Context:
    """Return a line as the page shows it; `names` are those of speakers who left."""
    took = {who["id"]: who for who in decision["participants"]}
    cells = [
        ("missed", "missed", missed[who]) if who in missed else _cell(who, took.get(who), decision)
        for who in people
    ]
    return {
        "event": decision["event"],
        "row": decision["row"],
        "at": iso(decision["at"]),
        "speaker": names.get(decision["speaker"]) or person(decision["speaker"]),
        "words": spoken_words(row.content) if row else "(forgotten)",
        "place": row.location if row else "",
        "by": decision_in_words(decision["by"], is_sure=decision["sure"]),
        "cells": cells,
    }


HOW_MEANT = {
    "direct": "by whisper, page or gift",
    "addressed": "called by name",
    "answered": "it was an answer to them",
    "all": "it was for everybody",
    "named": "spoken of",
    "we": "meant by “we”",
    "reply": "in the talk already",
    "model": "a model thought so",
    "staff": "put right by staff",
}
"""The rules by which somebody takes part in a line, as an owner would put it."""


def _cell(who: str, took: Json | None, decision: Json) -> tuple[str, str, str]:
    """Return how somebody had a line: a class for its look, in a word, and why."""
    if who == decision["speaker"]:
        return "took", "spoke", ""
    if took:
        why = HOW_MEANT.get(took["rule"]) or took["rule"].replace("_", " ")
        return "took", "took part", f"{why}, {took['confidence']:.0%} sure"
    return "overheard", "overheard", "it was not for them"


def _whole(visitor: Visitor, scene: SceneState, made: Json) -> Context:
    """Return what each has of one line, and which of them may be corrected."""
    held, event = [], made["event"]
    for who in made["participants"]:
        body = find(who["id"])
        may_edit = body is not None and is_assistant(body) and visitor.may_edit(body)
        rows = Container(scene.id, who["id"]).find(where={"event": event}, limit=3)
        held += [
            {
                "name": person(who["id"]),
                "row": row,
                "told": unstyled(rows_shown.known_line(row)).strip(),
                "number": body.pk if may_edit else 0,
            }
            for row in rows
        ]
    return {"line": event, "held": held}
