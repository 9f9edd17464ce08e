"""The tables of model calls: what was sent and answered, and from what it was drawn.

Like all tables of the app (`models`) they know characters by their lasting ids. What was sent is
packed, and goes before its figures do; see `storage.calls`. What a day took is kept beyond them.
"""

from django.db import models

from ai_assistant.models.rows import NamedRow


class CallText(NamedRow):
    """The unchanging beginning of prompts, or a list of tools: kept once, by what it says."""

    digest = models.CharField(max_length=64, unique=True)
    packed = models.BinaryField()

    class Meta:
        db_table = "ai_assistant_call_text"


class ModelCall(NamedRow):
    """One call of a model: its figures, and for some days what was sent and answered."""

    key = models.CharField(max_length=32, unique=True)
    assistant = models.CharField(max_length=100)
    turn_id = models.CharField(max_length=100, blank=True, default="")
    at = models.FloatField()
    job = models.CharField(max_length=40)
    context_type = models.CharField(max_length=40, blank=True, default="")
    profile = models.CharField(max_length=100, blank=True, default="")
    model = models.CharField(max_length=200, blank=True, default="")
    readers = models.TextField(blank=True, default="")
    milliseconds = models.PositiveIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    price = models.FloatField(null=True, blank=True)
    problem = models.CharField(max_length=300, blank=True, default="")
    sources = models.JSONField(default=list, blank=True)
    """What it drew on: who spoke or may know of it, lines and memories, by their references."""
    lead = models.CharField(max_length=64, blank=True, default="")
    tools = models.CharField(max_length=64, blank=True, default="")
    body = models.BinaryField(null=True, blank=True)
    size = models.PositiveIntegerField(default=0)
    without = models.CharField(max_length=40, blank=True, default="")
    """Why there is no body."""

    class Meta:
        db_table = "ai_assistant_call"
        indexes = [
            models.Index(fields=["assistant", "id"], name="ai_call_newest"),
            models.Index(fields=["turn_id"], name="ai_call_turn"),
            models.Index(fields=["at"], name="ai_call_at"),
            models.Index(
                fields=["id", "at", "size", "lead", "tools"],
                condition=models.Q(size__gt=0),
                name="ai_call_body",
            ),
        ]


class ModelSpending(NamedRow):
    """What the model calls of one day took: by whose mind, for whom, for what, by which profile."""

    day = models.CharField(max_length=10)
    assistant = models.CharField(max_length=100)
    payer = models.CharField(max_length=100, blank=True, default="")
    job = models.CharField(max_length=40)
    profile = models.CharField(max_length=100, blank=True, default="")
    calls = models.PositiveBigIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    price = models.FloatField(default=0)
    unpriced = models.PositiveBigIntegerField(default=0)
    """Calls of which nobody knows the price."""

    class Meta:
        db_table = "ai_assistant_spending"
        verbose_name_plural = "model spending"
        constraints = [
            models.UniqueConstraint(
                fields=["day", "assistant", "payer", "job", "profile"], name="ai_spending_unique"
            ),
        ]


class ModelQuestion(NamedRow):
    """A question of a night that a worker may answer; gone once the game took its answer."""

    key = models.CharField(max_length=64, unique=True)
    assistant = models.CharField(max_length=100)
    question = models.TextField()
    answer = models.TextField(blank=True, default="")
    made_at = models.FloatField()
    taken_at = models.FloatField(null=True, blank=True)

    class Meta:
        db_table = "ai_assistant_question"
        indexes = [models.Index(fields=["made_at"], name="ai_question_made")]
