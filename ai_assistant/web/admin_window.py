"""A window for staff on one table: who and when in words, by assistant, and nothing to change."""

from operator import itemgetter
from urllib.parse import urlencode

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import JSONField
from django.urls import NoReverseMatch, reverse
from django.utils.functional import cached_property
from django.utils.html import format_html

from ai_assistant.game.identity import ASSISTANT_TAG, CATEGORY
from ai_assistant.memory.blocks.rules import SIX
from ai_assistant.models import Scene
from ai_assistant.storage.block_rows import BLOCKS
from ai_assistant.storage.ledgers import names_of_gone
from ai_assistant.web.access import sees_pages
from ai_assistant.web.admin_columns import (
    WORDED,
    bearers,
    names_and_numbers,
    readers,
    scene,
    spelled,
    time_column,
    told_in_words,
    who,
    worded,
)

NAMED = (
    *("container", "owner", "assistant", "sequence", "character"),
    *("author", "subject", "speaker", "by", "payer", "place"),
)
"""Fields that hold the lasting id of somebody."""
HIDDEN = (
    *("embedding", "turn_id", "digest", "account", "body", "packed"),
    *("event_id", "holder", "recent", "lead", "tools", "head", "since"),
    *("root", "lease_by", "lease_until"),
)
"""Fields that the page of one row leaves out."""
ID_LENGTH = 100  # that of fields with ids
MOST_ROWS = 10_000  # of a list; older ones are found within one assistant
OF_ASSISTANT = ("container", "owner", "assistant", "character", "sequence")
"""Fields that say whose row it is."""
TIMES = (
    *("at", "created", "updated", "learned_at", "archived_at", "until", "used_at"),
    *("made_at", "taken_at"),
)
"""Fields that hold seconds since the epoch."""
IN_WORDS = {"readers": readers, "session": scene, "event": None, "ref": None, "key": None}
"""Fields whose ids are told in words, and by which column; without one as in JSON."""


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


def _call_of(row):
    number = row.numbers.get(row.assistant)
    return ("ai_assistant:call", [number, row.pk], {}) if number else None


def _moment_of(row):
    blocks = BLOCKS if row.sequence.startswith(BLOCKS) else ""
    number = row.numbers.get(row.sequence.removeprefix(blocks))
    asked = {"moment": f"{'b' if blocks else ''}{row.seq}", "part": row.part}
    return ("ai_assistant:moment", [number], asked) if number else None


def _block_of(row):
    number = row.numbers.get(row.owner) if row.label in SIX else 0
    return ("ai_assistant:block", [number], {"block": row.label}) if number else None


turn_link = page_link("turn", _turn_of)
call_link = page_link("call", _call_of)
moment_link = page_link("states then", _moment_of)
block_link = page_link("block", _block_of)
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
        tagged = {"objectdb__db_tags__db_key": ASSISTANT_TAG}
        tagged["objectdb__db_tags__db_category"] = CATEGORY
        living = {key: name for _, key, name in bearers(**tagged)}
        names, _ = names_and_numbers()
        gone = {key: f"{names[key]} (has no mind any more)" for key in names_of_gone(living)}
        return [
            pair for found in (living, gone) for pair in sorted(found.items(), key=itemgetter(1))
        ]

    def queryset(self, request, queryset):
        """Return the rows of the one that was chosen, and those about its blocks."""
        known = {field.name for field in queryset.model._meta.fields}
        field = next(name for name in OF_ASSISTANT if name in known)
        key = self.value()
        return queryset.filter(**{f"{field}__in": [key, f"{BLOCKS}{key}"]}) if key else queryset


class WithinOne(admin.AllValuesFieldListFilter):
    """Narrows the rows of one assistant by a field: of all of them no index tells its values."""

    def __init__(self, field, request, params, model, model_admin, field_path):
        super().__init__(field, request, params, model, model_admin, field_path)
        self.whose = ByAssistant(request, dict(request.GET.lists()), model, model_admin)
        self.lookup_choices = self.whose.queryset(request, self.lookup_choices)

    def has_output(self):
        """Is it offered, and heeded?"""
        return bool(self.whose.value())

    def choices(self, changelist):
        """Yield what can be chosen, in plain words."""
        for number, choice in enumerate(super().choices(changelist)):
            yield choice | (
                {"display": told_in_words(self.field_path, choice["display"])} if number else {}
            )


class FirstRows(Paginator):
    """Counts no further than the first rows of a list."""

    @cached_property
    def count(self):
        """Return how many rows there are to turn over."""
        return self.object_list[:MOST_ROWS].count()

    def page(self, number):
        """Return the rows of a page: their numbers are sorted first, and only those rows read."""
        number, most = self.validate_number(number), self.per_page
        keys = self.object_list.values_list("pk", flat=True)[number * most - most : number * most]
        return self._get_page(self.object_list.filter(pk__in=[*keys]), number, self)


class Window(admin.ModelAdmin):
    """Read only, and cheap on large tables: staff change things by the game's own commands."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = FirstRows
    ordering = ("-id",)

    def get_search_fields(self, request):
        """Search texts within one assistant alone, and the whole of a large table by indexes."""
        if request.GET.get("assistant") or self.model is Scene:
            return self.search_fields
        return [field for field in self.search_fields if field.endswith("__exact")]

    def get_sortable_by(self, request):
        """Sort the rows of one assistant; all rows stand in the order of an index."""
        return self.list_display if request.GET.get("assistant") else ()

    def get_changelist_instance(self, request):
        """Give each row on the page the names of those whose ids it may hold."""
        found = super().get_changelist_instance(request)
        names, numbers = names_and_numbers()
        for row in found.result_list:
            row.names, row.numbers = names, numbers
        return found

    def get_object(self, request, object_id, from_field=None):
        """Return one row, with the names of those whose ids it holds."""
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            row.names, row.numbers = names_and_numbers()
        return row

    def get_fields(self, request, obj=None):
        """Show names for ids, and dates for seconds, on the page of one row."""
        return list(filter(None, map(_shown, self.model._meta.fields)))

    def get_readonly_fields(self, request, obj=None):
        """Show everything, and let nothing be typed."""
        return self.get_fields(request, obj)

    def has_view_permission(self, request, obj=None):
        """Whoever is let into the admin and may read the pages may look, whatever Django's say."""
        return sees_pages(request.user)

    has_module_permission = has_view_permission

    def has_add_permission(self, request, obj=None):
        """Nobody adds, changes or deletes."""
        return False

    has_change_permission = has_delete_permission = has_add_permission


def _shown(field):
    """Return what stands for a field on the page of one row: a column, its name, or nothing."""
    name = field.name
    if name in HIDDEN or (name == "key" and field.unique):
        return None
    if name in TIMES:
        return time_column(name)
    if name in IN_WORDS or isinstance(field, JSONField):
        return IN_WORDS.get(name) or spelled(name)
    if name in NAMED and field.max_length == ID_LENGTH:  # who took part is "by" a rule, not by whom
        return who(name)
    return worded(name) if name in WORDED else name
