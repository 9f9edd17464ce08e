"""The owner's pages; a game includes them: ``path("ai/", include("ai_assistant.web.urls"))``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import include, path

from ai_assistant.web import call_pages, edits, looks, metrics, stories, upkeep, views
from ai_assistant.web.desk import (
    audit_pages,
    block_pages,
    file_pages,
    lore_pages,
    people_pages,
    plan_pages,
    workbench,
)
from ai_assistant.web.rest import api_desk

app_name = "ai_assistant"
OF_ALL = {
    "overview": ("", views.everybody),
    "turns": ("turns/", views.turns),
    "scenes": ("scenes/", stories.scenes_page),
    "scene": ("scenes/one/", stories.scene_page),
    "lore": ("lore/", lore_pages.lore_page),
    "world": ("world/", block_pages.world_page),
    "world_block": ("world/block/", block_pages.world_block_page),
    "money": ("money/", upkeep.money_page),
    "health": ("health/", upkeep.health_page),
    "game_settings": ("settings/", upkeep.settings_of_game),
}
"""Each page about all of them: its name, and its template's; its address; what it shows."""
ABOUT_ONE = {
    "talk": ("", looks.talk_page),
    "settings": ("settings/", looks.settings_page),
    "people": ("people/", people_pages.people_page),
    "person": ("people/one/", people_pages.person_page),
    "project": ("plans/project/", plan_pages.project_page),
    "journal": ("journal/", looks.journal_page),
    "blocks": ("blocks/", looks.blocks_page),
    "block": ("block/", block_pages.block_page),
    "memory": ("memory/", looks.memory_page),
    "who_knows": ("memory/who/", looks.who_knows_page),
    "nights": ("nights/", looks.nights_page),
    "execution": ("execution/", upkeep.execution_page),
    "persona": ("persona/", block_pages.persona_page),
    "plans": ("plans/", plan_pages.plans_page),
    "goal": ("plans/goal/", plan_pages.goal_page),
    "turn": ("turns/<str:turn>/", call_pages.turn_page),
}
"""The same of one assistant."""
FOR_EDITORS = {
    "prompt": ("prompt/", looks.prompt_page),
    "calls": ("calls/", call_pages.calls_page),
    "call": ("calls/<str:call>/", call_pages.call_page),
    "moment": ("audit/at/", audit_pages.moment_page),
    "audit": ("audit/", audit_pages.audit_page),
    "again": ("calls/<str:call>/again/", workbench.again_page),
    "marked": ("marked/", workbench.marked_page),
    "draft": ("draft/", workbench.draft_page),
    "sandbox": ("sandbox/", workbench.sandbox_page),
}
"""The same for editors alone."""
BEGUN = {
    "run_again": ("again", "run/", api_desk.call_again, "call {call}"),
    "check_marked": ("marked", "check/", api_desk.check_marks, "marked"),
    "begin_draft": ("draft", "run/", api_desk.write_draft, "draft"),
    "say_in_sandbox": ("sandbox", "say/", api_desk.speak_in_sandbox, ""),
}
"""Each form that begins something tried: its page, its address below that, what it begins, and
what the job is about."""


def _pages_of_one(pages: Mapping[str, tuple[str, Callable[..., Any]]], **options: bool) -> Any:
    return (
        path(f"<int:number>/{address}", views.page_of_one(name, look, **options), name=name)
        for name, (address, look) in pages.items()
    )


urlpatterns = [
    path("api/", include("ai_assistant.web.rest.api_routes")),
    path("metrics", metrics.metrics_view, name="metrics"),
    *(
        path(address, views.page_of_all(name, look), name=name)
        for name, (address, look) in OF_ALL.items()
    ),
    path("scenes/card/", stories.scene_card, name="scene_card"),
    path("lore/upload/", lore_pages.upload_book, name="upload_book"),
    path("scenes/upload/", stories.upload_scene, name="upload_scene"),
    path("files/<str:job>/", file_pages.made_file, name="made_file"),
    path("whole/upload/", file_pages.upload_whole, name="upload_whole"),
    path("world/edit/<slug:what>/", edits.confirm_edit, name="edit_world"),
    path("<int:number>/card/", views.card, name="card"),
    path("<int:number>/picture/", views.picture, name="picture"),
    path("<int:number>/card/upload/", edits.upload, name="upload"),
    path("<int:number>/edit/<slug:what>/", edits.confirm_edit, name="edit"),
    *_pages_of_one(ABOUT_ONE),
    *_pages_of_one(FOR_EDITORS, editors=True),
    *(
        path(f"<int:number>/{FOR_EDITORS[page][0]}{end}", workbench.begins(page, *begun), name=name)
        for name, (page, end, *begun) in BEGUN.items()
    ),
]
