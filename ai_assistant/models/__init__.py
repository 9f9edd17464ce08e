"""The tables: memories, blocks, scenes, audit log, waiting triggers, spending, lease, API tokens.

Only `ai_assistant.storage` reads and writes them, and `ai_assistant.web.rest` the tokens.
Characters are known by their lasting id (``e…``), never by a foreign key: so no migration ever
touches a table of Evennia's, and a memory outlives the object it is about. Times are seconds since
the epoch (UTC).
"""

from django.db import models

from ai_assistant.models.audit_tables import AssistantEvent, MemoryEvidence, StateChange
from ai_assistant.models.call_tables import (
    CallText,
    ModelCall,
    ModelQuestion,
    ModelSpending,
)
from ai_assistant.models.rows import NamedRow

__all__ = [
    "ApiToken",
    "AssistantEvent",
    "BlockVersion",
    "CallText",
    "Memory",
    "MemoryBlock",
    "MemoryEvidence",
    "ModelCall",
    "ModelQuestion",
    "ModelSpending",
    "Participation",
    "PendingEvent",
    "Scene",
    "ServerLease",
    "StateChange",
    "Told",
    "Usage",
]

LONGEST_READERS = 2000
"""Characters of a memory's label: what fits, with its container, into one index entry."""


def _id(**options):
    return models.CharField(max_length=100, **options)


class Memory(NamedRow):
    """One memory in a container. Never rewritten: newer rows supersede it, then it is archived."""

    session = _id(blank=True, default="")
    container = _id()
    kind = models.CharField(max_length=40)
    content = models.TextField()
    subject = _id(blank=True, default="")
    author = _id(blank=True, default="")
    author_name = _id(blank=True, default="")
    readers = models.CharField(max_length=LONGEST_READERS, blank=True, default="")
    game_day = models.IntegerField(default=0)
    location = models.CharField(max_length=200, blank=True, default="")
    learned_at = models.FloatField()
    archived_at = models.FloatField(null=True, blank=True)
    importance = models.IntegerField(default=5)
    trust = models.FloatField(default=0.9)
    parents = models.JSONField(default=list)
    supersedes = models.BigIntegerField(null=True, blank=True)
    meta = models.JSONField(default=dict)
    embedding = models.BinaryField(null=True, blank=True)
    embedding_model = _id(blank=True, default="")

    class Meta:
        db_table = "ai_assistant_memory"
        verbose_name_plural = "memories"
        indexes = [
            models.Index(fields=["container", "readers", "id"], name="ai_memory_readers"),
            models.Index(fields=["container", "archived_at", "id"], name="ai_memory_newest"),
            models.Index(fields=["author", "container", "id"], name="ai_memory_author"),
            models.Index(
                fields=["session", "container", "archived_at", "id"], name="ai_memory_session"
            ),
            models.Index(
                fields=["session", "subject", "id"],
                condition=models.Q(
                    container="world",
                    archived_at__isnull=True,
                    kind__in=["world_state_update", "character_update"],
                ),
                name="ai_memory_update",
            ),
        ]


class MemoryBlock(NamedRow):
    """A block of the prompt. Who changes it names the version that was read, or is refused."""

    TYPES = [("global", "global"), ("shared", "shared"), ("private", "private")]

    label = _id()
    owner = _id(blank=True, default="")
    type = models.CharField(max_length=10, choices=TYPES)
    value = models.JSONField(default=dict)
    limit = models.PositiveIntegerField()
    version = models.PositiveBigIntegerField(default=1)
    owners = models.JSONField(default=list)
    created = models.FloatField()
    updated = models.FloatField()
    lease_by = _id(blank=True, default="")
    lease_until = models.FloatField(default=0)

    class Meta:
        db_table = "ai_assistant_block"
        constraints = [
            models.UniqueConstraint(fields=["owner", "label"], name="ai_block_unique"),
        ]


class BlockVersion(NamedRow):
    """What a block held at one version, and who wrote that; the newest versions are kept."""

    owner = _id(blank=True, default="")
    label = _id()
    version = models.PositiveBigIntegerField()
    value = models.JSONField(default=dict)
    writer = models.CharField(max_length=20, blank=True, default="")
    by = _id(blank=True, default="")
    did = models.CharField(max_length=200, blank=True, default="")
    restores = models.PositiveBigIntegerField(null=True, blank=True)
    at = models.FloatField()

    class Meta:
        db_table = "ai_assistant_block_version"
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "label", "version"], name="ai_block_version_unique"
            ),
        ]


class PendingEvent(NamedRow):
    """A trigger that is neither answered nor closed, with what has been tried."""

    assistant = _id()
    event_id = _id()
    payload = models.JSONField()
    readers = models.TextField(blank=True, default="")
    place = _id(blank=True, default="")
    root = _id(blank=True, default="")
    attempts = models.PositiveSmallIntegerField(default=0)
    turn_id = _id(blank=True, default="")
    claims = models.JSONField(default=list)
    created = models.FloatField()

    class Meta:
        db_table = "ai_assistant_pending"
        constraints = [
            models.UniqueConstraint(fields=["assistant", "event_id"], name="ai_pending_unique"),
        ]
        indexes = [models.Index(fields=["assistant", "turn_id"], name="ai_pending_turn")]


class Usage(NamedRow):
    """Model calls and tokens of one owner on one day; the owner ``""`` is the whole game."""

    day = models.CharField(max_length=10)
    owner = _id(blank=True, default="")
    calls = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)

    class Meta:
        db_table = "ai_assistant_usage"
        verbose_name_plural = "usage"
        constraints = [models.UniqueConstraint(fields=["day", "owner"], name="ai_usage_unique")]


class ServerLease(NamedRow):
    """Which server is in charge of the assistants: one row, and a new epoch with each server."""

    holder = _id()
    epoch = models.PositiveBigIntegerField()
    until = models.FloatField()
    recent = models.TextField(default="")
    """The ids of the last commits, one behind the other, the newest first."""

    class Meta:
        db_table = "ai_assistant_lease"


class Scene(NamedRow):
    """A scene, its state, and what was played of it; the scene without an id is the game itself."""

    session = _id(unique=True, blank=True)
    title = models.CharField(max_length=200, blank=True, default="")
    status = models.CharField(max_length=10)
    state = models.JSONField(default=dict)
    played = models.JSONField(default=dict)
    created = models.FloatField()
    updated = models.FloatField()

    class Meta:
        db_table = "ai_assistant_scene"


class Participation(NamedRow):
    """Who took part in one utterance, by what rule, how surely. `row`: that of the world."""

    session = _id(blank=True, default="")
    event = _id()
    row = models.BigIntegerField()
    at = models.FloatField()
    speaker = _id()
    hearers = models.JSONField(default=list)
    participants = models.JSONField(default=list)
    sure = models.BooleanField(default=True)
    by = models.CharField(max_length=10)

    class Meta:
        db_table = "ai_assistant_participation"
        constraints = [
            models.UniqueConstraint(fields=["event", "session"], name="ai_participation_unique"),
        ]
        indexes = [models.Index(fields=["session", "id"], name="ai_participation_newest")]


class Told(NamedRow):
    """How far somebody is told of what changed in a session's world; see `roleplay.knowledge`."""

    session = _id(blank=True, default="")
    character = _id()
    told = models.JSONField(default=dict)

    class Meta:
        db_table = "ai_assistant_told"
        verbose_name = verbose_name_plural = "news told"
        constraints = [
            models.UniqueConstraint(fields=["session", "character"], name="ai_told_unique"),
        ]


class ApiToken(NamedRow):
    """What lets a program use the REST API as an account: a secret's hash, until it expires."""

    digest = models.CharField(max_length=64, unique=True)
    account = _id()
    name = models.CharField(max_length=60)
    may_write = models.BooleanField(default=True)
    created = models.FloatField()
    until = models.FloatField()
    used_at = models.FloatField(default=0)

    class Meta:
        db_table = "ai_assistant_token"
        verbose_name = "API token"
        constraints = [
            models.UniqueConstraint(fields=["account", "name"], name="ai_token_unique"),
        ]
