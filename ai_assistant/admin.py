"""A window for staff on the tables of the assistants. It shows everything and changes nothing."""

from datetime import UTC, datetime

from django.contrib import admin

from ai_assistant.models import (
    AssistantEvent,
    BlockVersion,
    Decision,
    Memory,
    MemoryBlock,
    PendingEvent,
    Scene,
)


def when(field):
    """Return a column that shows a time kept in seconds as a date; sortable."""

    @admin.display(description=field.replace("_", " "), ordering=field)
    def column(row):
        return datetime.fromtimestamp(getattr(row, field), UTC)

    return column


class Window(admin.ModelAdmin):
    """Read only, and cheap on large tables: staff change things by the game's own commands."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request):
        """Nobody adds."""
        return False

    def has_change_permission(self, request, obj=None):
        """Nobody changes."""
        return False

    def has_delete_permission(self, request, obj=None):
        """Nobody deletes."""
        return False


@admin.register(Memory)
class MemoryWindow(Window):
    """Memories, newest first."""

    list_display = (
        "id",
        "container",
        "kind",
        "content",
        "author_name",
        "readers",
        when("learned_at"),
    )
    list_filter = ("kind",)
    search_fields = ("=container", "content")
    ordering = ("-id",)


@admin.register(MemoryBlock)
class MemoryBlockWindow(Window):
    """Blocks by owner."""

    list_display = ("owner", "label", "type", "version", when("updated"))
    list_filter = ("type",)
    search_fields = ("=owner", "label")
    ordering = ("owner", "label")


@admin.register(BlockVersion)
class BlockVersionWindow(Window):
    """What blocks held before, newest first."""

    list_display = ("id", "owner", "label", "version", "writer", "by", "did", when("at"))
    search_fields = ("=owner", "label")
    ordering = ("-id",)


@admin.register(AssistantEvent)
class AssistantEventWindow(Window):
    """The audit logs, newest first."""

    list_display = ("id", "assistant", "seq", "type", "turn_id", when("at"))
    list_filter = ("type",)
    search_fields = ("=assistant", "=turn_id")
    ordering = ("-id",)


@admin.register(PendingEvent)
class PendingEventWindow(Window):
    """Triggers that are neither answered nor closed, oldest first."""

    list_display = ("id", "assistant", "event_id", "attempts", "turn_id", when("created"))
    search_fields = ("=assistant", "=event_id")
    ordering = ("id",)


@admin.register(Scene)
class SceneWindow(Window):
    """Scenes, newest first."""

    list_display = ("id", "title", "status", "session", when("created"), when("updated"))
    list_filter = ("status",)
    search_fields = ("=session", "title")
    ordering = ("-id",)


@admin.register(Decision)
class DecisionWindow(Window):
    """Who took part in what was said, newest first."""

    list_display = ("id", "session", "event", "speaker", "sure", "by", when("at"))
    list_filter = ("sure", "by")
    search_fields = ("=session", "=event", "=speaker")
    ordering = ("-id",)
