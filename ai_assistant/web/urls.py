"""The owner's pages; a game includes them: ``path("ai/", include("ai_assistant.web.urls"))``."""

from django.urls import path

from ai_assistant.web import views

app_name = "ai_assistant"
urlpatterns = [path("", views.overview, name="overview")]
