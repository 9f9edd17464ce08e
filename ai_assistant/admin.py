"""Windows for staff on the tables of the assistants. They show everything and change nothing."""

from django.contrib import admin

from ai_assistant import models
from ai_assistant.game.identity import person
from ai_assistant.web.admin_window import (
    ByAssistant,
    Window,
    content,
    knowers_link,
    line_link,
    memory_link,
    readers,
    scene_link,
    time_column,
    turn_link,
    who,
)


@admin.register(models.Memory)
class MemoryWindow(Window):
    """Memories, newest first."""

    list_display = (
        *("id", content, who("container"), "kind", "author_name", readers),
        time_column("learned_at"),
        knowers_link,
    )
    list_filter = (ByAssistant, "kind")
    search_fields = ("=container", "content")


@admin.register(models.MemoryBlock)
class MemoryBlockWindow(Window):
    """Blocks by owner."""

    list_display = (who("owner"), "label", "type", "version", time_column("updated"))
    list_filter = (ByAssistant, "type")
    search_fields = ("=owner", "label")
    ordering = ("owner", "label")


@admin.register(models.BlockVersion)
class BlockVersionWindow(Window):
    """What blocks held before, newest first."""

    list_display = (
        "id",
        who("owner"),
        "label",
        "version",
        "writer",
        who("by"),
        "did",
        time_column("at"),
    )
    list_filter = (ByAssistant,)
    search_fields = ("=owner", "label")


@admin.register(models.AssistantEvent)
class AssistantEventWindow(Window):
    """The audit logs, newest first."""

    list_display = ("id", who("assistant"), "type", time_column("at"), turn_link)
    list_filter = (ByAssistant, "type")
    search_fields = ("=assistant", "=turn_id")


@admin.register(models.PendingEvent)
class PendingEventWindow(Window):
    """Triggers that are neither answered nor closed, oldest first."""

    list_display = ("id", who("assistant"), "attempts", turn_link, time_column("created"))
    list_filter = (ByAssistant,)
    search_fields = ("=assistant", "=event_id")
    ordering = ("id",)


@admin.register(models.Scene)
class SceneWindow(Window):
    """Scenes, newest first."""

    list_display = (
        *("id", "title", "status"),
        *(time_column("created"), time_column("updated"), scene_link),
    )
    list_filter = ("status",)
    search_fields = ("=session", "title")


@admin.register(models.Participation)
class ParticipationWindow(Window):
    """Who took part in what was said, newest first."""

    list_display = ("id", who("speaker"), "sure", "by", time_column("at"), line_link)
    list_filter = ("sure", "by")
    search_fields = ("=session", "=event", "=speaker")


@admin.register(models.Usage)
class UsageWindow(Window):
    """Model calls and tokens of each day, newest first."""

    list_display = ("day", who("owner"), "calls", "tokens")
    list_filter = (ByAssistant, "day")
    ordering = ("-day", "owner")


@admin.register(models.Told)
class ToldWindow(Window):
    """How far each has been told of what changed in a scene's world."""

    list_display = ("id", who("character"))
    list_filter = (ByAssistant,)


@admin.register(models.ModelCall)
class ModelCallWindow(Window):
    """Model calls with their figures, newest first; what was sent is on the owner's pages."""

    list_display = (
        *("id", who("assistant"), "job", "model", "milliseconds"),
        *("prompt_tokens", "completion_tokens", "price", turn_link, time_column("at")),
    )
    list_filter = (ByAssistant, "job", "profile")
    search_fields = ("=assistant", "=turn_id")


@admin.register(models.ModelSpending)
class ModelSpendingWindow(Window):
    """What each day's model calls took."""

    list_display = (
        *("day", who("assistant"), who("payer"), "job", "profile"),
        *("calls", "tokens", "price", "unpriced"),
    )
    list_filter = (ByAssistant, "job", "profile", "day")
    ordering = ("-day", "assistant")


@admin.register(models.MemoryEvidence)
class MemoryEvidenceWindow(Window):
    """Of what memories are, newest first."""

    list_display = ("id", "ref", "row", memory_link)
    search_fields = ("=ref", "=row")


@admin.register(models.CallText)
class CallTextWindow(Window):
    """What many model calls share, kept once."""

    list_display = ("id", "digest")


@admin.register(models.ServerLease)
class ServerLeaseWindow(Window):
    """Which server is in charge."""

    list_display = ("epoch", "holder", time_column("until"))


@admin.register(models.ApiToken)
class ApiTokenWindow(Window):
    """Tokens of the REST API; not even their hashes are shown."""

    list_display = ("name", "bearer", "may_write", time_column("until"), time_column("used_at"))

    def get_fields(self, request, obj=None):
        """Show whose it is beside the rest."""
        return ["bearer", *super().get_fields(request, obj)]

    @admin.display(description="account")
    def bearer(self, row):
        """Show whose rights it has."""
        return person(row.account)


@admin.register(models.StateChange)
class StateChangeWindow(Window):
    """What commits made of states, newest first; the owner's pages rebuild any moment of it."""

    list_display = ("id", who("sequence"), "part", "seq", time_column("at"))
    list_filter = ("part",)
    search_fields = ("=sequence", "=part")


@admin.register(models.ModelQuestion)
class ModelQuestionWindow(Window):
    """What workers answer for the game by night, newest first."""

    list_display = ("id", who("assistant"), time_column("made_at"), time_column("taken_at"))
    list_filter = (ByAssistant,)
