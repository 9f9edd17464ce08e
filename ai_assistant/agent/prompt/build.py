"""Building the prompt: the components in order, made of what the turn may use, inside the budget.

What never changes comes first, so that providers cache it; then what changes least, the
conversation, and at last what is of this moment, before the lines that are to be answered. Whatever
is loaded passes `Turn.admit` first, which is where the ceiling sinks. What people said stands on
lines and in quotes that it cannot leave: data with its source, never an instruction.
"""

from __future__ import annotations

from inspect import isawaitable
from itertools import takewhile

from ai_assistant.agent.prompt.draft import GAP, PromptDraft, Section, merged
from ai_assistant.agent.prompt.fitting import TOOLS_SHARE, cap_components, fitted, room_of, withhold
from ai_assistant.agent.prompt.owned import owned_by, owned_sections
from ai_assistant.agent.prompt.partner import talks
from ai_assistant.agent.prompt.section_table import SECTIONS, SectionKind, Sources
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.turn.kits import offered
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import is_admitted
from ai_assistant.core.model_records import BuiltPrompt
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.blocks.old_blocks import LAYOUT

UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading something of another shape raises, but no database that refuses."""

LEADS = frozenset({"instructions", "persona", "lore", "user"})
"""Keys of sections that may stand in the beginning that never changes."""


async def build_prompt(turn: Turn, kinds: tuple[SectionKind, ...] = SECTIONS) -> None:
    """Make `turn.prompt`, which every step of the turn begins with.

    `turn.tools_left_out` names tools without room.
    """
    room, owned, layout = room_of(turn), owned_by(turn), turn.mind.config[LAYOUT]
    visible = turn.context.enabled_components
    inherits = turn.play.inherits
    sources = Sources(turn, owned, room, talks(turn) if inherits else ())
    recalled = None
    for kind in kinds:
        is_known = inherits or not kind.of_life
        is_shown = is_known and kind.component in visible and kind.layout in ("", layout)
        found = await _made(kind, sources) if is_shown else None
        if found is not None:
            found.rows = [
                row for row in found.rows if row.readers == OPEN or _is_told(turn, row.readers)
            ]
            found.key, found.component, found.place = kind.key, kind.component, kind.place
            found.role = "user" if kind.is_user else "system"
            sources.made.append(found)
            recalled = found if kind.key == "memories" else recalled
    said = sources.said
    said.window = [
        line
        for line in said.window
        if line.entry["readers"] == OPEN or _is_told(turn, line.entry["readers"])
    ]
    placed = list(owned_sections(turn, owned, recalled)) if owned.components else []
    ours = [section for section in sources.made if not any(section is other for other in placed)]
    draft = PromptDraft([*ours, *placed], said.window, [*owned.injected, *sources.lore.injected])
    tools = offered(turn)
    kept = withhold(turn, tools, int(room * TOOLS_SHARE))
    cap_components(draft, kinds)
    utilisation = (draft.size() + sum(tool.size for tool in tools)) / room
    parts = tuple(fitted(draft, room - sum(tool.size for tool in kept), kinds))
    leads = takewhile(lambda it: it[0] in LEADS and it[1].role == "system", parts)
    lead = len(GAP.join(part.content for _, part in leads))
    lines = frozenset(line.entry["id"] for line in said.window)
    messages = merged(part for _, part in parts)
    turn.prompt = BuiltPrompt(messages, parts, draft.data(), lines, lead, utilisation)


def _is_told(turn: Turn, readers: str) -> bool:
    """Ask once more, whoever let it in: what is not for this audience is left out, and reported."""
    if is_admitted(turn, readers):
        return True
    turn.mind.report("prompt", PermissionError("something was left out that is not for all here"))
    return False


async def _made(kind: SectionKind, sources: Sources) -> Section | None:
    """Return a section; one written by hand that cannot be read is reported, and left out."""
    if kind.part and sources.turn.state(kind.part) == PARTS[kind.part].shape:
        return None
    try:
        made = kind.make(sources) if kind.make else None
        return await made if isawaitable(made) else made
    except UNREADABLE as error:
        if not kind.by_hand:
            raise
        sources.turn.mind.report(f"prompt: the blocks of '{kind.key}'", error)
        return None
