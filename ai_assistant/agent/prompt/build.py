"""Building the prompt: the components in order, made of what the turn may use, inside the budget.

What never changes comes first, so that providers cache it; then what changes least from turn to
turn. Whatever is loaded passes `Turn.admit` first, which is where the ceiling sinks. What people
said is quoted as JSON, one object a line: data with its source, never an instruction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ai_assistant.agent import contexts
from ai_assistant.agent.config import OPTIONS
from ai_assistant.agent.kits import shown
from ai_assistant.agent.prompt import blocks, plans, sections
from ai_assistant.agent.prompt.component import PromptComponent, user_components
from ai_assistant.agent.prompt.draft import Draft, Section
from ai_assistant.agent.prompt.entity import entity, summaries, talks
from ai_assistant.agent.prompt.fitting import TOOLS_SHARE, fitted, room_of, size_of, withhold
from ai_assistant.agent.prompt.lore import Lore, lore
from ai_assistant.agent.prompt.macros import (
    MEMORIES,
    MacroContext,
    holds_memories,
    partner_of,
    resolve_macros,
)
from ai_assistant.agent.prompt.recalled import memories
from ai_assistant.agent.prompt.templates import NAME, TOOLS, render_template, template_texts
from ai_assistant.agent.prompt.texts import MARK
from ai_assistant.agent.prompt.tokens import calculate_utilization, get_utilization_status
from ai_assistant.agent.prompt.window import lines_of, window
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Json


@dataclass(frozen=True, slots=True)
class _Owned:
    """What the owner wrote for this turn: the template's text, and components by what they do."""

    template: str
    components: Sequence[PromptComponent]
    context: MacroContext

    @property
    def recalls(self) -> bool:
        """Does any of it say where recalled memories belong?"""
        shown = (one.content for one in self.components if not one.injection_depth)
        return any(map(holds_memories, (self.template, *shown)))


async def build_prompt(turn: Turn) -> None:
    """Fill `turn.prompt` with the messages that every step of the turn begins with.

    `turn.utilisation` says how much of the budget they would take if nothing gave way, and
    `turn.withheld` names the tools for which there is no room.
    """
    owned = _owned(turn)
    turn.withheld |= blocks.unused_tools(turn)
    draft = await _drafted(turn, owned)
    room = room_of(turn)
    offered = turn.offered()
    kept = withhold(turn, offered, int(room * TOOLS_SHARE))
    if contexts.EVENT in turn.context.enabled_components:
        draft.after.append(sections.question(turn, kept))
    turn.utilisation = calculate_utilization(draft.size() + size_of(offered), room)
    _warn(draft, turn.utilisation)
    turn.prompt = fitted(draft, room, room - size_of(kept))
    turn.sections = draft.data()


def _warn(draft: Draft, utilisation: float) -> None:
    """Tell the model when its prompt gets full."""
    level = get_utilization_status(utilisation)
    for section in draft.sections("now"):
        if level != "ok":
            section.rows.append({"token_pressure": level, "used": f"{utilisation:.0%}"})


def _owned(turn: Turn) -> _Owned:
    prompting = turn.store.read("prompt")
    text, native = template_texts(prompting)
    if native and turn.mind.native_tools(turn.mind.config["llm_profile"]):
        text = native
    text = turn.context.component_overrides.get("system_prompt", text)
    shown = turn.context.enabled_components
    found = user_components(prompting["components"], turn.mind.macros)
    return _Owned(
        template=text,
        components=[one for one in found if one.enabled and one.follows in shown],
        context=MacroContext(
            me=turn.me,
            scene=turn.surroundings,
            now=turn.clock.now(),
            speaker=turn.trigger.source if turn.trigger else None,
            partner=partner_of(turn.mind.config["user_entity"]),
        ),
    )


async def _drafted(turn: Turn, owned: _Owned) -> Draft:
    """Return everything but the event, each component where its id puts it."""
    made = await _built_in(turn, owned)
    draft = Draft(window=made.window)
    recalled = next((one for one in made.before if one.key == "memories"), None)
    placed = list(_placed(turn, owned, recalled))
    moved = any(one is recalled for one in placed)
    ours = [one for one in made.before if not (moved and one is recalled)]
    for section in sorted((*ours, *placed), key=lambda one: (not one.leads, one.component)):
        after = section.component > contexts.CONVERSATION
        (draft.after if after else draft.before).append(section)
    if contexts.CONVERSATION in turn.context.enabled_components:
        deep = (one for one in owned.components if one.injection_depth)
        draft.injected = [(one, _resolved(turn, owned, one.content)) for one in deep]
        draft.injected += made.injected
    return draft


async def _built_in(turn: Turn, owned: _Owned) -> Draft:
    """Return our own components, as far as this context type shows them."""
    loaded = talks(turn)
    shown = turn.context.enabled_components
    made: list[Section] = []
    entries: list[Json] = []
    told = Lore()
    if contexts.INSTRUCTIONS in shown:
        made.append(_instructions(turn, owned))
    if contexts.PERSONA in shown:
        made.append(sections.persona(turn, owned.context))
        made += [sections.guided(turn), sections.learned(turn), sections.noted(turn)]
        made += [plans.project(turn), *blocks.drawn(turn, blocks.status)]
        made += [sections.now(turn), sections.seen(turn)]
    if contexts.ENTITY in shown:
        made += [entity(turn, loaded), *blocks.drawn(turn, blocks.about)]
    if contexts.GOALS in shown:
        made.append(plans.goals(turn))
    if contexts.CONVERSATION in shown:
        made.append(summaries(turn, loaded))
        folded = {one for talk in loaded for one in talk.get("folded", ())}
        entries = window(turn, folded)
    if contexts.KNOWLEDGE in shown:
        told = lore(turn, entries, owned.context)
        made += [*blocks.knowledge(turn), *told.sections]
    if contexts.MEMORIES in shown and turn.mind.config["memory_enabled"] and owned.recalls:
        made.append(await memories(turn, entries, made, told.keys))
    return Draft(before=made, window=lines_of(entries), injected=told.injected)


def _instructions(turn: Turn, owned: _Owned) -> Section:
    values: Json = {key: turn.mind.config[key] for key in OPTIONS}
    values |= {NAME: turn.me.name, TOOLS: "\n".join(_tool_lines(turn))}
    text = render_template(owned.template, values, owned.context, turn.mind.macros)
    return Section("instructions", contexts.INSTRUCTIONS, [text], leads=True, fixed=1)


def _tool_lines(turn: Turn) -> Iterator[str]:
    """Yield the tools that this turn is told of, whoever listens: always the same."""
    for tool in shown(turn):
        if turn.pattern.allows(tool):
            yield f"- {tool.name}: {tool.description}"


def _placed(turn: Turn, owned: _Owned, recalled: Section | None) -> Iterator[Section]:
    """Yield the owner's components; the memories stand in the first of them that marks a place."""
    waiting = recalled
    for one in owned.components:
        if one.injection_depth:
            continue
        texts = _around_memories(one.content) if waiting else [one.content]
        rows = [_resolved(turn, owned, text).strip() for text in texts]
        made = [Section("user", one.id, [row], role=one.role, leads=one.leads) for row in rows]
        if waiting and len(made) > 1:
            waiting.component, waiting.role = one.id, one.role
            made.insert(1, waiting)
            waiting = None
        yield from (section for section in made if section.text)


def _around_memories(text: str) -> list[str]:
    """Return what stands before and after the first ``{{memories}}`` of a text."""
    marks = (found for found in MARK.finditer(text) if found["macro"] == MEMORIES)
    first = next(marks, None)
    return [text[: first.start()], text[first.end() :]] if first else [text]


def _resolved(turn: Turn, owned: _Owned, text: str) -> str:
    return resolve_macros(text, owned.context, turn.mind.macros, marks={MEMORIES: ""})
