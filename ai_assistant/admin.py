"""A window for staff on the tables of the assistants. It shows everything and changes nothing."""

from datetime import UTC, datetime

from django.contrib import admin
from evennia.objects.models import ObjectDB

from ai_assistant import models
from ai_assistant.core.readers import OPEN, members
from ai_assistant.game.identity import CATEGORY, ID_KEY

LONGEST = 160
"""Characters of a memory in the list; its own page shows all of it."""


def when(field):
    """Return a column that shows a time kept in seconds as a date; sortable."""

    @admin.display(description=field.replace("_", " "), ordering=field)
    def column(row):
        return datetime.fromtimestamp(getattr(row, field), UTC)

    return column


def who(field):
    """Return a column that shows by name whose lasting id a field holds, or else the id."""

    @admin.display(description=field, ordering=field)
    def column(row):
        return row.names.get(getattr(row, field), getattr(row, field))

    return column


@admin.display(description="readers", ordering="readers")
def readers(row):
    """Show who may know of something."""
    if row.readers == OPEN:
        return "everybody"
    return ", ".join(row.names.get(id, id) for id in members(row.readers)) or "nobody else"


@admin.display(description="content")
def content(row):
    """Show the beginning of a text."""
    return row.content if len(row.content) <= LONGEST else f"{row.content[:LONGEST]}…"


class Window(admin.ModelAdmin):
    """Read only, and cheap on large tables: staff change things by the game's own commands."""

    list_per_page = 50
    show_full_result_count = False
    ordering = ("-id",)

    def get_changelist_instance(self, request):
        """Give each row on the page the names of those whose ids it may hold."""
        found = super().get_changelist_instance(request)
        names = _names()
        for row in found.result_list:
            row.names = names
        return found

    def has_add_permission(self, request, obj=None):
        """Nobody adds, changes or deletes."""
        return False

    has_change_permission = has_delete_permission = has_add_permission


@admin.register(models.Memory)
class MemoryWindow(Window):
    """Memories, newest first."""

    list_display = (
        *("id", content, who("container"), "kind", "author_name", readers),
        when("learned_at"),
    )
    list_filter = ("kind",)
    search_fields = ("=container", "content")


@admin.register(models.MemoryBlock)
class MemoryBlockWindow(Window):
    """Blocks by owner."""

    list_display = (who("owner"), "label", "type", "version", when("updated"))
    list_filter = ("type",)
    search_fields = ("=owner", "label")
    ordering = ("owner", "label")


@admin.register(models.BlockVersion)
class BlockVersionWindow(Window):
    """What blocks held before, newest first."""

    list_display = ("id", who("owner"), "label", "version", "writer", "by", "did", when("at"))
    search_fields = ("=owner", "label")


@admin.register(models.AssistantEvent)
class AssistantEventWindow(Window):
    """The audit logs, newest first."""

    list_display = ("id", who("assistant"), "seq", "type", "turn_id", when("at"))
    list_filter = ("type",)
    search_fields = ("=assistant", "=turn_id")


@admin.register(models.PendingEvent)
class PendingEventWindow(Window):
    """Triggers that are neither answered nor closed, oldest first."""

    list_display = ("id", who("assistant"), "event_id", "attempts", "turn_id", when("created"))
    search_fields = ("=assistant", "=event_id")
    ordering = ("id",)


@admin.register(models.Scene)
class SceneWindow(Window):
    """Scenes, newest first."""

    list_display = ("id", "title", "status", "session", when("created"), when("updated"))
    list_filter = ("status",)
    search_fields = ("=session", "title")


@admin.register(models.Participation)
class ParticipationWindow(Window):
    """Who took part in what was said, newest first."""

    list_display = ("id", "session", "event", who("speaker"), "sure", "by", when("at"))
    list_filter = ("sure", "by")
    search_fields = ("=session", "=event", "=speaker")


def _names():
    """Return the names of all game objects that have a lasting id. Costs one query."""
    found = ObjectDB.objects.filter(
        db_attributes__db_key=ID_KEY, db_attributes__db_category=CATEGORY
    )
    stored = found.values_list("db_attributes__db_strvalue", "db_key")
    return {"": "everybody"} | {bearer.partition("@")[0]: key for bearer, key in stored}
