"""The tables of the audit: what happened, what each commit made of each state, who knows of what.

Like all tables of the app (`models`) they know characters by their lasting ids, and times are
seconds since the epoch (UTC).
"""

from django.db import models

from ai_assistant.models.rows import NamedRow


class AssistantEvent(NamedRow):
    """An entry of an assistant's audit log: appended, numbered, and only ever redacted."""

    assistant = models.CharField(max_length=100)
    seq = models.PositiveBigIntegerField()
    type = models.CharField(max_length=40)
    at = models.FloatField()
    turn_id = models.CharField(max_length=100, blank=True, default="")
    readers = models.TextField(blank=True, default="")
    data = models.JSONField(default=dict)

    class Meta:
        db_table = "ai_assistant_event"
        constraints = [
            models.UniqueConstraint(fields=["assistant", "seq"], name="ai_event_unique"),
        ]
        indexes = [
            models.Index(fields=["turn_id"], name="ai_event_turn"),
            models.Index(fields=["at"], name="ai_event_at"),
        ]


class StateChange(NamedRow):
    """What one commit made of one state: values afterwards, by `memory.moments.deltas`."""

    sequence = models.CharField(max_length=100)
    """An assistant's id, or `block:` and `scene:` for what is shared."""
    seq = models.PositiveBigIntegerField()
    """The number of the record `StateChanged` that tells of the commit."""
    part = models.CharField(max_length=40)
    key = models.CharField(max_length=255, blank=True, default="")
    at = models.FloatField()
    since = models.PositiveSmallIntegerField(default=0)
    """How many came since the last that tells the state whole."""
    size = models.PositiveIntegerField(default=0)
    head = models.JSONField(default=dict)
    data = models.JSONField(default=dict)

    class Meta:
        db_table = "ai_assistant_state"
        constraints = [
            models.UniqueConstraint(
                fields=["sequence", "part", "key", "seq"], name="ai_state_unique"
            ),
        ]


class MemoryEvidence(NamedRow):
    """What a memory is of, or was drawn from: a line by its id, or another row as ``#12``."""

    ref = models.CharField(max_length=100)
    row = models.BigIntegerField()

    class Meta:
        db_table = "ai_assistant_memory_evidence"
        verbose_name_plural = "memory evidence"
        indexes = [
            models.Index(fields=["ref", "row"], name="ai_memory_evidence_ref"),
            models.Index(fields=["row"], name="ai_memory_evidence_row"),
        ]
