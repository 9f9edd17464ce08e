"""The endpoints of scenes, as `api_routes` has all others."""

from __future__ import annotations

from ai_assistant.commands.staff.aiscene import CmdAIScene
from ai_assistant.web.rest import api_scenes as scenes
from ai_assistant.web.rest import api_takes as takes
from ai_assistant.web.rest.api_endpoint import Endpoint

SCENE = "scenes/<str:scene>/"
SCENES = (
    Endpoint("GET", "scenes/", scenes.show_scenes, CmdAIScene),
    Endpoint(
        *("POST", "scenes/", scenes.make_scene, CmdAIScene, "create", scenes.NewScene), status=201
    ),
    Endpoint(
        *("POST", "scenes/cards/", takes.make_scene_of_card, CmdAIScene, "import"),
        takes.SceneCard,
        status=201,
    ),
    Endpoint("GET", SCENE, scenes.show_scene, CmdAIScene),
    Endpoint("PATCH", SCENE, scenes.set_in_scene, CmdAIScene, "set", scenes.SceneValue),
    Endpoint("POST", f"{SCENE}start/", scenes.start_a_scene, CmdAIScene, "start"),
    Endpoint("POST", f"{SCENE}stop/", scenes.stop_a_scene, CmdAIScene, "stop"),
    Endpoint("POST", f"{SCENE}day/", scenes.set_its_day, CmdAIScene, "day", scenes.SceneDay),
    Endpoint("GET", f"{SCENE}lines/", scenes.show_its_lines, CmdAIScene, "why", scenes.HowMany),
    Endpoint("GET", f"{SCENE}log/", scenes.show_its_log, CmdAIScene, "log", scenes.HowMany),
    Endpoint(
        *("GET", f"{SCENE}memories/", scenes.show_its_memories, CmdAIScene, "knows"),
        scenes.WhoKnew,
    ),
    Endpoint("POST", f"{SCENE}members/", scenes.add_member, CmdAIScene, "add", scenes.WhoPlays),
    Endpoint("DELETE", f"{SCENE}members/<str:who>/", scenes.drop_member, CmdAIScene, "remove"),
    Endpoint(
        *("POST", f"{SCENE}undo/", takes.rewind_lines, CmdAIScene, "undo", takes.LinesBack),
        status=202,
    ),
    Endpoint(
        *("POST", f"{SCENE}branch/", takes.branch_off, CmdAIScene, "branch", takes.NewBranch),
        status=201,
    ),
    Endpoint("GET", f"{SCENE}record/", takes.show_its_record, CmdAIScene, "world", takes.WhichRows),
    Endpoint("GET", f"{SCENE}recap/", takes.show_tale, CmdAIScene, "recap", takes.WhichDay),
    Endpoint("GET", f"{SCENE}knowers/", takes.show_knowers, CmdAIScene, "who", takes.KnownWords),
    Endpoint(
        *("POST", f"{SCENE}updates/", takes.record_fate, CmdAIScene, "update", takes.WhatBecame),
        status=201,
    ),
    Endpoint(
        *("POST", f"{SCENE}told/", takes.pass_on_memory, CmdAIScene, "tell", takes.PassedOn),
        status=201,
    ),
    Endpoint("POST", f"{SCENE}fold/", takes.fold_memories, CmdAIScene, "fold", takes.FoldedDays),
    Endpoint(
        *("PATCH", f"{SCENE}memories/<str:row>/", takes.correct_its_memory, CmdAIScene),
        *("correct", takes.RightWords),
    ),
    Endpoint(
        *("PATCH", f"{SCENE}lines/<str:row>/", takes.correct_its_people, CmdAIScene, "correct"),
        takes.WhoWasThere,
    ),
    Endpoint("POST", f"{SCENE}roles/", takes.cast_member, CmdAIScene, "role", takes.GivenRole),
    Endpoint("GET", f"{SCENE}card/", takes.show_card, CmdAIScene, "export"),
)
