"""The memory of a character: its parts by name, each one file of pure functions."""

from __future__ import annotations

from ai_assistant.memory.blocks.custom import CUSTOM
from ai_assistant.memory.blocks.old_part import OLD_LAYOUT
from ai_assistant.memory.blocks.social import SHARED_SOCIAL
from ai_assistant.memory.blocks.status import STATUS
from ai_assistant.memory.blocks.world import GLOBAL_KNOWLEDGE
from ai_assistant.memory.guidelines import GUIDELINES
from ai_assistant.memory.journal import JOURNAL
from ai_assistant.memory.lore import LORE
from ai_assistant.memory.metrics import METRICS
from ai_assistant.memory.notebook import NOTEBOOK
from ai_assistant.memory.parts import Part
from ai_assistant.memory.patience import PATIENCE
from ai_assistant.memory.profiles import PROFILE
from ai_assistant.memory.prompting import PROMPT
from ai_assistant.memory.reflection import REFLECTION
from ai_assistant.memory.session import SESSION
from ai_assistant.memory.sleep import SLEEP
from ai_assistant.memory.stream import STREAM
from ai_assistant.memory.working import WORKING
from ai_assistant.planning.counters import COUNTERS
from ai_assistant.planning.goals import GOALS
from ai_assistant.planning.projects import PROJECTS

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
    GUIDELINES,
    LORE,
    SHARED_SOCIAL,
    GLOBAL_KNOWLEDGE,
    STATUS,
    CUSTOM,
    OLD_LAYOUT,
)
PARTS: dict[str, Part] = {part.name: part for part in _ALL}
"""Every part of an assistant's state, by name."""
