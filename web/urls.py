"""All addresses of the village's website: Evennia's own, and the owner's pages."""

from django.urls import include, path
from evennia.web.urls import urlpatterns as evennia_urlpatterns

urlpatterns = [
    path("ai/", include("ai_assistant.web.urls")),
    path("", include("evennia.web.website.urls")),
    path("webclient/", include("evennia.web.webclient.urls")),
    path("admin/", include("evennia.web.admin.urls")),
    *evennia_urlpatterns,
]
