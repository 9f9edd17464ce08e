"""The owner's pages; a game includes them: ``path("ai/", include("ai_assistant.web.urls"))``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import include, path

from ai_assistant.web import call_pages, edits, looks, metrics, stories, upkeep, views
from ai_assistant.web.desk import (
    audit_pages,
    block_pages,
    lore_pages,
    people_pages,
    plan_pages,
    workbench,
)

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
    "persona": ("persona/", block_pages.persona_page),
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
    "turn": ("turns/<str:turn>/", call_pages.turn_page),
}
"""The same of one assistant."""
WITH_JOBS = {
    "plans": ("plans/", plan_pages.plans_page),
    "goal": ("plans/goal/", plan_pages.goal_page),
}
"""The same with the visitor's own jobs."""
FOR_EDITORS = {
    "prompt": ("prompt/", looks.prompt_page),
    "calls": ("calls/", call_pages.calls_page),
    "call": ("calls/<str:call>/", call_pages.call_page),
    "audit": ("audit/", audit_pages.audit_page),
    "moment": ("audit/at/", audit_pages.moment_page),
}
"""The same for editors alone."""
TRIED = {
    "again": ("calls/<str:call>/again/", workbench.again_page),
    "marked": ("marked/", workbench.marked_page),
    "draft": ("draft/", workbench.draft_page),
    "sandbox": ("sandbox/", workbench.sandbox_page),
}
"""The same for editors, with what they try out."""
BEGUN = {
    "run_again": ("again", "run/", workbench.again),
    "check_marked": ("marked", "check/", workbench.try_marked),
    "begin_draft": ("draft", "run/", workbench.begin_draft),
    "say_in_sandbox": ("sandbox", "say/", workbench.say_in_sandbox),
}
"""Each form that begins something tried: its page, its address below that, and what it begins."""


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
    path("world/edit/<slug:what>/", edits.confirm_edit, name="edit_world"),
    path("<int:number>/card/", views.card, name="card"),
    path("<int:number>/picture/", views.picture, name="picture"),
    path("<int:number>/card/upload/", edits.upload, name="upload"),
    path("<int:number>/edit/<slug:what>/", edits.confirm_edit, name="edit"),
    *_pages_of_one(ABOUT_ONE),
    *_pages_of_one(WITH_JOBS, personal=True),
    *_pages_of_one(FOR_EDITORS, editors=True),
    *_pages_of_one(TRIED, editors=True, personal=True),
    *(
        path(f"<int:number>/{TRIED[page][0]}{end}", workbench.begins(page, begin), name=name)
        for name, (page, end, begin) in BEGUN.items()
    ),
]
