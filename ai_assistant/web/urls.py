"""The owner's pages; a game includes them: ``path("ai/", include("ai_assistant.web.urls"))``."""

from django.urls import include, path

from ai_assistant.web import call_pages, edits, looks, metrics, stories, upkeep, views
from ai_assistant.web.desk import audit_pages, block_pages, plan_pages, workbench

app_name = "ai_assistant"
ABOUT_ONE = {
    "talk": ("", looks.talk_page),
    "persona": ("persona/", block_pages.persona_page),
    "settings": ("settings/", looks.settings_page),
    "people": ("people/", looks.people_page),
    "person": ("people/one/", looks.person_page),
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
"""Each page about one assistant: its name, and its template's; its address; what it shows."""

urlpatterns = [
    path("api/", include("ai_assistant.web.rest.api_routes")),
    path("", views.page_of_all("overview", views.everybody), name="overview"),
    path("metrics", metrics.metrics_view, name="metrics"),
    path("turns/", views.page_of_all("turns", views.turns), name="turns"),
    path("scenes/", views.page_of_all("scenes", stories.scenes_page), name="scenes"),
    path("scenes/one/", views.page_of_all("scene", stories.scene_page), name="scene"),
    path("scenes/card/", stories.scene_card, name="scene_card"),
    path("lore/upload/", stories.upload_book, name="upload_book"),
    path("scenes/upload/", stories.upload_scene, name="upload_scene"),
    path("lore/", views.page_of_all("lore", stories.lore_page), name="lore"),
    path("world/", views.page_of_all("world", block_pages.world_page), name="world"),
    path(
        "world/block/",
        views.page_of_all("world_block", block_pages.world_block_page),
        name="world_block",
    ),
    path("world/edit/<slug:what>/", edits.confirm_edit, name="edit_world"),
    path("money/", views.page_of_all("money", upkeep.money_page), name="money"),
    path("health/", views.page_of_all("health", upkeep.health_page), name="health"),
    path(
        "settings/",
        views.page_of_all("game_settings", upkeep.settings_of_game),
        name="game_settings",
    ),
    path(
        "<int:number>/prompt/",
        views.page_of_one("prompt", looks.prompt_page, editors=True),
        name="prompt",
    ),
    path(
        "<int:number>/calls/",
        views.page_of_one("calls", call_pages.calls_page, editors=True),
        name="calls",
    ),
    path(
        "<int:number>/calls/<str:call>/again/",
        views.page_of_one("again", workbench.again_page, editors=True, personal=True),
        name="again",
    ),
    path(
        "<int:number>/calls/<str:call>/again/run/",
        workbench.begins("again", workbench.again),
        name="run_again",
    ),
    path(
        "<int:number>/marked/",
        views.page_of_one("marked", workbench.marked_page, editors=True, personal=True),
        name="marked",
    ),
    path(
        "<int:number>/marked/check/",
        workbench.begins("marked", workbench.try_marked),
        name="check_marked",
    ),
    path(
        "<int:number>/draft/",
        views.page_of_one("draft", workbench.draft_page, editors=True, personal=True),
        name="draft",
    ),
    path(
        "<int:number>/draft/run/",
        workbench.begins("draft", workbench.begin_draft),
        name="begin_draft",
    ),
    path(
        "<int:number>/sandbox/",
        views.page_of_one("sandbox", workbench.sandbox_page, editors=True, personal=True),
        name="sandbox",
    ),
    path(
        "<int:number>/sandbox/say/",
        workbench.begins("sandbox", workbench.say_in_sandbox),
        name="say_in_sandbox",
    ),
    path(
        "<int:number>/calls/<str:call>/",
        views.page_of_one("call", call_pages.call_page, editors=True),
        name="call",
    ),
    path(
        "<int:number>/plans/",
        views.page_of_one("plans", plan_pages.plans_page, personal=True),
        name="plans",
    ),
    path(
        "<int:number>/plans/goal/",
        views.page_of_one("goal", plan_pages.goal_page, personal=True),
        name="goal",
    ),
    path(
        "<int:number>/audit/",
        views.page_of_one("audit", audit_pages.audit_page, editors=True),
        name="audit",
    ),
    path(
        "<int:number>/audit/at/",
        views.page_of_one("moment", audit_pages.moment_page, editors=True),
        name="moment",
    ),
    path("<int:number>/card/", views.card, name="card"),
    path("<int:number>/picture/", views.picture, name="picture"),
    path("<int:number>/card/upload/", edits.upload, name="upload"),
    path("<int:number>/edit/<slug:what>/", edits.confirm_edit, name="edit"),
    *(
        path(f"<int:number>/{address}", views.page_of_one(name, look), name=name)
        for name, (address, look) in ABOUT_ONE.items()
    ),
]
