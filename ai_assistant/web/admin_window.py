"""A window for staff on one table: who and when in words, by assistant, and nothing to change."""

from datetime import UTC, datetime
from operator import itemgetter
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import JSONField, TextField
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from evennia.objects.models import ObjectDB

from ai_assistant.core.readers import OPEN, members
from ai_assistant.game.identity import ASSISTANT_TAG, CATEGORY, ID_KEY
from ai_assistant.language.words import clipped
from ai_assistant.storage.ledgers import names_of_gone

LONGEST = 160
"""Characters of a memory in the list; its own page shows all of it."""
NAMED = (
    *("container", "owner", "assistant", "sequence", "character"),
    *("author", "subject", "speaker", "by"),
)
"""Fields that hold the lasting id of somebody."""
HIDDEN = ("embedding", "turn_id", "digest", "account", "body", "packed")
"""Fields that the page of one row leaves out."""
OF_ASSISTANT = ("container", "owner", "assistant", "character")
"""Fields that say whose row it is."""
TIMES = (
    *("at", "created", "updated", "learned_at", "archived_at", "until", "used_at"),
    *("made_at", "taken_at"),
)
"""Fields that hold seconds since the epoch."""


def time_column(field):
    """Return a column that shows a time kept in seconds as a date; sortable."""

    @admin.display(description=field.replace("_", " "), ordering=field)
    def column(row):
        at = getattr(row, field)
        return datetime.fromtimestamp(at, UTC) if at else None

    return column


def who(field):
    """Return a column that shows by name whose lasting id a field holds, or else the id."""

    @admin.display(description=field, ordering=field)
    def column(row):
        key, _, more = getattr(row, field).partition("+")
        name = row.names.get(key, key)
        return f"{name}: {row.names.get(more, more)}" if more else name

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
    return clipped(row.content, LONGEST)


def page_link(title, page_of):
    """Return a column with a link; `page_of(row)` returns name, arguments and query of a page.

    It is empty where that returns None, and where the game has not brought our pages.
    """

    @admin.display(description=title)
    def column(row):
        page, args, query = page_of(row) or ("", (), {})
        try:
            address = reverse(page, args=args) if page else ""
        except NoReverseMatch:
            return ""
        address += f"?{urlencode(query)}" if query else ""
        return format_html('<a href="{}">its page</a>', address) if address else ""

    return column


def _turn_of(row):
    number = row.numbers.get(row.assistant)
    return ("ai_assistant:turn", [number, row.turn_id], {}) if number and row.turn_id else None


def _knowers_of(row):
    number = row.numbers.get(row.container.partition("+")[0])
    return ("ai_assistant:who_knows", [number], {"ref": f"#{row.pk}"}) if number else None


turn_link = page_link("turn", _turn_of)
knowers_link = page_link("who knows", _knowers_of)
line_link = page_link(
    "line", lambda row: ("ai_assistant:scene", (), {"scene": row.session, "line": row.event})
)
scene_link = page_link("time line", lambda row: ("ai_assistant:scene", (), {"scene": row.session}))
memory_link = page_link("memory", lambda row: ("admin:ai_assistant_memory_change", [row.row], {}))


class ByAssistant(admin.SimpleListFilter):
    """Narrows a list to the rows of one assistant, which may be gone by now."""

    title = parameter_name = "assistant"

    def lookups(self, request, model_admin):
        """Return the assistants by name; behind them those without a mind any more."""
        tagged = {"db_tags__db_key": ASSISTANT_TAG, "db_tags__db_category": CATEGORY}
        living = {key: name for _, key, name in _bearers(**tagged)}
        known = {key: name for _, key, name in _bearers()}
        gone = {
            key: f"{known.get(key) or name or key} (has no mind any more)"
            for key, name in names_of_gone(living).items()
        }
        return [
            pair for names in (living, gone) for pair in sorted(names.items(), key=itemgetter(1))
        ]

    def queryset(self, request, queryset):
        """Return the rows of the one that was chosen."""
        known = {field.name for field in queryset.model._meta.fields}
        field = next(name for name in OF_ASSISTANT if name in known)
        return queryset.filter(**{field: self.value()}) if self.value() else queryset


class Window(admin.ModelAdmin):
    """Read only, and cheap on large tables: staff change things by the game's own commands."""

    list_per_page = 50
    show_full_result_count = False
    ordering = ("-id",)

    def get_changelist_instance(self, request):
        """Give each row on the page the names of those whose ids it may hold."""
        found = super().get_changelist_instance(request)
        names, numbers = _known()
        for row in found.result_list:
            row.names, row.numbers = names, numbers
        return found

    def get_object(self, request, object_id, from_field=None):
        """Return one row, with the names of those whose ids it holds."""
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            row.names, row.numbers = _known()
        return row

    def get_fields(self, request, obj=None):
        """Show names for ids, and dates for seconds, on the page of one row."""
        shown = []
        for field in self.model._meta.fields:
            name = field.name
            if name in TIMES:
                shown.append(time_column(name))
            elif name == "readers":
                shown.append(readers)
            elif isinstance(field, JSONField):
                shown.append(_spelled(name))
            elif name in NAMED and not isinstance(field, TextField):
                shown.append(who(name))
            elif name not in HIDDEN:
                shown.append(name)
        return shown

    def get_readonly_fields(self, request, obj=None):
        """Show everything, and let nothing be typed."""
        return self.get_fields(request, obj)

    def has_add_permission(self, request, obj=None):
        """Nobody adds, changes or deletes."""
        return False

    has_change_permission = has_delete_permission = has_add_permission


def _spelled(field):
    """Return what shows a field of JSON with names in place of ids."""

    @admin.display(description=field.replace("_", " "))
    def column(row):
        def told(value):
            if isinstance(value, dict):
                return {told(key): told(part) for key, part in value.items()}
            if isinstance(value, list):
                return [told(part) for part in value]
            return row.names.get(value, value) if value else value

        lines = told(getattr(row, field))
        if isinstance(lines, dict):
            return "\n".join(f"{name}: {line}" for name, line in lines.items())
        return ", ".join(map(str, lines)) if isinstance(lines, list) else str(lines)

    return column


def _known():
    """Return the names and the numbers of all that have a lasting id. Costs one query."""
    bearers = _bearers()
    names = {"": "everybody"} | {key: name for _, key, name in bearers}
    return names, {key: pk for pk, key, _ in bearers}


def _bearers(**narrowed):
    found = ObjectDB.objects.filter(
        db_attributes__db_key=ID_KEY, db_attributes__db_category=CATEGORY, **narrowed
    )
    stored = found.values_list("pk", "db_attributes__db_strvalue", "db_key")
    return [(pk, bearer.partition("@")[0], key) for pk, bearer, key in stored]
