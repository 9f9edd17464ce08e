"""The owner's pages; a game includes them: ``path("ai/", include("ai_assistant.web.urls"))``."""

from django.urls import path

from ai_assistant.web import edits, looks, views

app_name = "ai_assistant"
ABOUT_ONE = {
    "talk": ("", looks.talk),
    "persona": ("persona/", looks.persona),
    "settings": ("settings/", looks.settings),
    "people": ("people/", looks.people),
    "person": ("people/one/", looks.person),
    "plans": ("plans/", looks.plans),
    "journal": ("journal/", looks.journal),
    "blocks": ("blocks/", looks.blocks_of),
    "memory": ("memory/", looks.memory),
    "nights": ("nights/", looks.nights),
    "turn": ("turns/<str:turn>/", looks.turn),
}
"""Each page about one assistant: its name, and its template's; its address; what it shows."""

urlpatterns = [
    path("", views.page("overview", views.everybody), name="overview"),
    path("turns/", views.page("turns", views.turns), name="turns"),
    path(
        "<int:number>/prompt/",
        views.page_of_one("prompt", looks.prompt, editors=True),
        name="prompt",
    ),
    path("<int:number>/card/", views.card, name="card"),
    path("<int:number>/card/upload/", edits.upload, name="upload"),
    path("<int:number>/edit/<slug:what>/", edits.edit, name="edit"),
    *(
        path(f"<int:number>/{address}", views.page_of_one(name, look), name=name)
        for name, (address, look) in ABOUT_ONE.items()
    ),
]
