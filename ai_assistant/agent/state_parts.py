"""The parts of a character's state by name: those of its memory, and those of its plans."""

from __future__ import annotations

from ai_assistant.agent.config import CONFIG
from ai_assistant.agent.unasked.patience import PATIENCE
from ai_assistant.memory.blocks.global_knowledge import GLOBAL_KNOWLEDGE
from ai_assistant.memory.blocks.items import CUSTOM
from ai_assistant.memory.blocks.old_blocks import OLD_LAYOUT
from ai_assistant.memory.blocks.shared_social import SHARED_SOCIAL
from ai_assistant.memory.blocks.status_block import STATUS
from ai_assistant.memory.inner.guidelines import GUIDELINES
from ai_assistant.memory.inner.journal import JOURNAL
from ai_assistant.memory.inner.notebook import NOTEBOOK
from ai_assistant.memory.inner.owner_additions import PROMPT
from ai_assistant.memory.inner.session import SESSION
from ai_assistant.memory.inner.sleep_state import SLEEP
from ai_assistant.memory.inner.staff_notes import STAFF_NOTES
from ai_assistant.memory.inner.tallies import METRICS, REFLECTION, SAFETY
from ai_assistant.memory.inner.verdicts import VERDICTS
from ai_assistant.memory.parts import Part
from ai_assistant.memory.people.profiles import PROFILE
from ai_assistant.memory.talk.stream import STREAM
from ai_assistant.memory.talk.working import WORKING
from ai_assistant.planning.goals import COUNTERS, GOALS
from ai_assistant.planning.projects import PROJECTS
from ai_assistant.roleplay.lorebook.lore_marks import LORE

_ALL = (
    PROFILE,
    WORKING,
    JOURNAL,
    STREAM,
    METRICS,
    SESSION,
    NOTEBOOK,
    PROMPT,
    GOALS,
    COUNTERS,
    PROJECTS,
    PATIENCE,
    SLEEP,
    REFLECTION,
    SAFETY,
    GUIDELINES,
    VERDICTS,
    STAFF_NOTES,
    LORE,
    SHARED_SOCIAL,
    GLOBAL_KNOWLEDGE,
    STATUS,
    CUSTOM,
    OLD_LAYOUT,
    CONFIG,
)
PARTS: dict[str, Part] = {part.name: part for part in _ALL}
"""Every part of an assistant's state, by name."""
OF_WORDS = {name: part for name, part in PARTS.items() if part is not CONFIG}
"""Those that may hold what somebody said: all but what staff set, where nobody's words stand."""
