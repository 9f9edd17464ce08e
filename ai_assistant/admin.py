"""Windows for staff on the tables of the assistants. They show everything and change nothing."""

from django.contrib import admin

from ai_assistant import models
from ai_assistant.game.identity import person
from ai_assistant.web.admin_columns import (
    WORDED,
    content,
    evidence,
    packed_bytes,
    readers,
    time_column,
    who,
    worded,
)
from ai_assistant.web.admin_window import (
    ByAssistant,
    Window,
    WithinOne,
    block_link,
    call_link,
    knowers_link,
    line_link,
    memory_link,
    moment_link,
    scene_link,
    turn_link,
)


def show_table(model, *columns, narrowed=(), searched=(), order=("-id",)):
    """Register a window on a table: its columns, filters, searched fields, and its order."""
    columns = [worded(one) if one in WORDED else one for one in columns]
    options = {"list_filter": narrowed, "search_fields": searched, "ordering": order}
    admin.site.register(model, Window, list_display=columns, **options)


show_table(
    models.Memory,
    *("id", content, who("container"), "kind", "author_name", readers),
    *(time_column("learned_at"), knowers_link),
    narrowed=(ByAssistant, ("kind", WithinOne)),
    searched=("content",),
)
show_table(
    models.MemoryBlock,
    *(who("owner"), "label", "type", "version", time_column("updated"), block_link),
    narrowed=(ByAssistant, ("type", WithinOne)),
    searched=("label",),
    order=("owner", "label"),
)
show_table(
    models.BlockVersion,
    *("id", who("owner"), "label", "version", "writer", who("by"), "did", time_column("at")),
    block_link,
    narrowed=(ByAssistant,),
    searched=("label",),
)
show_table(
    models.AssistantEvent,
    *("id", who("assistant"), "type", time_column("at"), turn_link),
    narrowed=(ByAssistant, ("type", WithinOne)),
    searched=("turn_id__exact",),
)
show_table(
    models.PendingEvent,
    *("id", who("assistant"), "attempts", turn_link, time_column("created")),
    narrowed=(ByAssistant,),
    searched=("event_id",),
    order=("id",),
)
show_table(
    models.Scene,
    *("id", "title", "status", time_column("created"), time_column("updated"), scene_link),
    narrowed=("status",),
    searched=("session", "title"),
)
show_table(
    models.Participation,
    *("id", who("speaker"), "sure", "by", time_column("at"), line_link),
    searched=("session__exact", "event__exact"),
)
show_table(
    models.Usage,
    *("day", who("owner"), "calls", "tokens"),
    narrowed=(ByAssistant, ("day", WithinOne)),
    order=("-day", "owner"),
)
show_table(models.Told, "id", who("character"), narrowed=(ByAssistant,))
show_table(  # what was sent is on the owner's pages
    models.ModelCall,
    *("id", who("assistant"), "job", "model", "milliseconds"),
    *("prompt_tokens", "completion_tokens", "price", turn_link, call_link, time_column("at")),
    narrowed=(ByAssistant, ("job", WithinOne), ("profile", WithinOne)),
    searched=("turn_id__exact",),
)
show_table(
    models.ModelSpending,
    *("day", who("assistant"), who("payer"), "job", "profile"),
    *("calls", "tokens", "price", "unpriced"),
    narrowed=(ByAssistant, ("job", WithinOne), ("profile", WithinOne), ("day", WithinOne)),
    order=("-day", "assistant"),
)
show_table(models.MemoryEvidence, "id", evidence, "row", memory_link, searched=("ref__exact",))
show_table(models.CallText, "id", packed_bytes)
show_table(models.ServerLease, "epoch", time_column("until"))
show_table(  # the owner's pages rebuild any moment of it
    models.StateChange,
    *("id", who("sequence"), "part", "seq", time_column("at"), moment_link),
    narrowed=(ByAssistant, ("part", WithinOne)),
    searched=("part",),
)
show_table(
    models.ModelQuestion,
    *("id", who("assistant"), time_column("made_at"), time_column("taken_at")),
    narrowed=(ByAssistant,),
)


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
