"""``evennia ai_prune``: what is older than the game keeps goes at once, not slice by slice."""

from __future__ import annotations

import time
from typing import Any

import evennia
from django.core.management.base import BaseCommand, CommandError

evennia._init()  # only the server does so by itself; its classes are not there before

from ai_assistant.api.turns.past_upkeep import PASSES, next_slice  # noqa: E402
from ai_assistant.core.errors import AssistantError  # noqa: E402

SHOWN_EVERY = 50
"""Slices between two lines that tell how far it is."""


class Command(BaseCommand):
    """Lets go of old traces and folds old states, and says how far it is."""

    help = (
        "Let go of traces older than AI_ASSISTANT_TRACE_DAYS, and of moments older than "
        "AI_ASSISTANT_STATE_DAYS, whose states are folded, as the game does by itself. "
        "Run it while the game is down."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do one pass of each."""
        now = time.time()
        try:
            for number, (_, setting) in enumerate(PASSES):
                after, slices = next_slice(number, 0, now), 1
                while after:
                    after, slices = next_slice(number, after, now), slices + 1
                    if slices % SHOWN_EVERY == 0:
                        self.stdout.write(f"  AI_ASSISTANT_{setting}: up to record {after:,}")
        except AssistantError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(self.style.SUCCESS("What is older than the game keeps is gone."))
