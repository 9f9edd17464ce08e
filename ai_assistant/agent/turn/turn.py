"""One turn as tools see it: what it offers them, and what they may ask of it and beyond it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ai_assistant.agent.attention.layers import ExecutionPattern, narrow
from ai_assistant.agent.delegation.handing_over import TurnDelegates
from ai_assistant.agent.prompt import measures
from ai_assistant.agent.turn import handles, kits
from ai_assistant.agent.turn.deeds import look_again
from ai_assistant.agent.turn.speech_rules import (
    ENOUGH,
    MOST_PIECES,
    OF_HEARERS,
    refuses_speech,
    unheard,
)
from ai_assistant.agent.turn.turn_state import (
    TurnState,
    check_epoch,
    draw_from,
    find_usable,
    heeded_events,
    may_use,
)
from ai_assistant.agent.unasked.planner import TurnGoals
from ai_assistant.core.contracts import Entity, Json, NewRow, Speech, SpeechKind
from ai_assistant.core.errors import AssistantError, StoreError, ToolError
from ai_assistant.core.readers import NOBODY, canonical, members
from ai_assistant.core.search_port import StoryNow
from ai_assistant.core.seen import Thing
from ai_assistant.core.text import clean
from ai_assistant.memory.evidence import REPLACED_BY
from ai_assistant.memory.search.recall import Found
from ai_assistant.planning import goal_tree
from ai_assistant.planning.goals import usable_goals
from ai_assistant.roleplay.recollection import KIND, MOST_THOUGHTS, thought
from ai_assistant.tools import Tool
from ai_assistant.tools.schema import ThingKind
from ai_assistant.tools.tool_reach import DelegateReach, GoalReach, ToolReach


@dataclass(slots=True)
class Turn(TurnState):
    """One turn; implements `tools.ToolContext`."""

    arrives_anew: bool = False
    """Does a turn of its own follow where it came to, with what those there may know?"""

    @property
    def reach(self) -> ToolReach:
        """What lies beyond the turn: other assistants, and the character's own condition."""
        action, persona = self.mind.role.default_action, dict(self.mind.persona)
        goals, delegates, play = TurnGoals(self), TurnDelegates(self), self.play
        story, acted, inherits = play.story, play.fiction, play.inherits
        return TurnReach(self, persona, action, goals, delegates, story, acted, inherits)

    def is_offered(self, tool: Tool) -> bool:
        """May this tool be called in this step, told of or not? Who hears it, the call says."""
        return kits.refused_by(self, tool) in OF_HEARERS | {""}

    def find(self, name: str, kind: ThingKind) -> Thing | None:
        """Return what a handle or a name stands for; raises `ToolError` where it is not clear."""
        return handles.find_thing(self, name, kind)

    def thing(self, name: str, kind: ThingKind) -> Thing:
        """Return what a handle or a name stands for; raises `ToolError` for an unknown one."""
        return handles.get_thing(self, name, kind)

    async def recall(
        self,
        query: str,
        k: int,
        worth: Callable[[Found], bool] = lambda found: True,
        **options: Any,
    ) -> list[Found]:
        """Return memories that answer a query and are not in the prompt, best first; each is
        admitted, and noted as found by the running tool."""
        besides = self.prompt.lines.union(self.mind.refused)
        near = await find_usable(self, query, k, besides=besides, **options)
        found = [memory for memory in near if worth(memory) and draw_from(self, memory.row)]
        self.hits = [*(self.hits or ()), *(memory.on_record() for memory in found)]
        return found

    def outdate(self, rows: Sequence[int | NewRow], by: NewRow) -> None:
        """Mark rows as replaced by a new one: a search puts them after it."""
        for id in rows:
            self.commit.annotated.setdefault(id, {})[REPLACED_BY] = by

    def speak(self, kind: SpeechKind, text: str, target: Entity | None = None) -> None:
        """Propose the next piece of speech.

        Raises `ToolError` where it may not be said, or reaches nobody because the character
        left.
        """
        if self.speech or len(self.deliveries) >= MOST_PIECES:
            raise ToolError(ENOUGH)
        refusal = refuses_speech(self, kind, target.id if target else "")
        if refusal == "hearers":
            raise ToolError("That would be heard by somebody who must not hear it.")
        if refusal and refusal != "nobody":  # where nobody is, it may still find its way
            raise ToolError("Nobody here waits to be spoken to like that.")
        words = clean(text)
        if not words:
            raise ToolError("There are no words in it.")
        is_new = self.moved or not self.events
        there = self.world.hearers(kind, self.place) if is_new else self.audience
        speech = Speech(
            kind=kind,
            text=words,
            readers=self.ceiling,
            audience=frozenset({target.id}) if target else there,
            place=self.place,
            target=target,
            root=self.roots[0],
            event=f"{self.id}.said.{len(self.deliveries) + 1}",
        )
        if self.moved and (why := unheard(self.world.route(speech))):
            raise ToolError(why)
        self.speech = speech


@dataclass(slots=True)
class TurnReach:
    """Implements `tools.tool_reach.ToolReach` for one turn."""

    turn: Turn
    """The turn that it is of."""
    persona: Json
    """Who the character is, as its persona block has it."""
    memory_action: str
    """What the tool `memory` does where the model does not say."""
    goals: GoalReach
    """What is to be asked about goals."""
    delegates: DelegateReach
    """Those who may be given tasks."""
    story: StoryNow | None
    """The story that the turn is in, and its day; None in the game itself."""
    is_acted: bool
    """Is the turn itself only played?"""
    inherits: bool
    """Is what is known from the game known here?"""

    def act_in_story(self, act: str, thing: str, to: str = "") -> str:
        """Do something with things or places of the story; raises `ToolError` where one cannot."""
        try:
            return self.turn.mind.act_in_story(self.turn.play.session, act, thing, to)
        except StoreError:
            raise
        except AssistantError as refused:
            raise ToolError(str(refused)) from refused

    def heed_staff(self) -> None:
        """Let the next step begin anew, with nothing but what staff said; see `afresh`."""
        self.turn.asks_afresh = True

    def propose(self, act: str, arguments: Json) -> Json:
        """Put an act before the one who asked for it; raises `ToolError` where that is not one."""
        asking, *others = {event.source.id for event in heeded_events(self.turn)} or {""}
        if not asking or others or self.turn.errand:
            raise ToolError("One member of staff has to ask for that, and nobody else meanwhile.")
        return {"proposed": self.turn.world.propose(act, arguments, asking, self.turn.ceiling)}

    def condition(self) -> Json:
        """Return how the character is: numbers and words that tell nothing of anybody."""
        turn, mind = self.turn, self.turn.mind
        calls, tokens = mind.budget.spent(mind.key)
        most_calls, most_tokens = mind.budget.caps(mind.key)
        goals = usable_goals(turn.state("goals"), partial(may_use, turn))
        return mind.condition() | {
            "calls_today": calls,
            "most_calls_a_day": most_calls,
            "tokens_today": tokens,
            "most_tokens_a_day": most_tokens,
            "prompt_used": f"{turn.prompt.utilisation:.0%}",
            "token_pressure": measures.get_utilization_status(turn.prompt.utilisation),
            "failed_turns_in_a_row": mind.failed_turns,
            "tool_errors": sum(turn.state("metrics")["tool_errors"].values()),
            "open_goals": sum(map(goal_tree.is_open, goals)),
            "tasks_in_other_hands": mind.delegates.running(),
        }

    def confide(self) -> bool:
        """Narrow the turn, and the lines that it answers, to the one who said them.

        False where others heard those, where they are played, or are kept by now.
        """
        turn = self.turn
        who = {event.source.id for event in turn.events}
        if all(members(it) <= who for it in (turn.ceiling, *(e.readers for e in turn.events))):
            return True
        if len(who) != 1 or turn.audience != who or turn.play.session or turn.saved_events:
            return False
        turn.ceiling = canonical(who)
        turn.events = tuple(replace(event, readers=turn.ceiling) for event in turn.events)
        turn.trigger = turn.events[0]
        turn.speech = turn.speech and replace(turn.speech, readers=turn.ceiling)
        return True

    def think(self, words: str) -> None:
        """Keep a thought, which nobody else ever reads; the oldest beyond the limit is archived."""
        turn = self.turn
        place = turn.play.place or turn.surroundings.place_name
        row = thought(turn.me.id, turn.me.name, words, day=turn.play.day, place=place)
        turn.keep(replace(row, session=turn.play.session))
        new = sum(kept.kind == KIND for kept in turn.commit.rows)
        where = {"kind": KIND, "session": turn.play.session}
        older = turn.store.rows.find(where, MOST_THOUGHTS)[MOST_THOUGHTS - new :]
        turn.commit.archived += [old.id for old in older if old.id not in turn.commit.archived]

    async def thoughts(self, query: str, k: int) -> list[Found]:
        """Return own thoughts, best first; from now on the turn is for nobody else.

        An autonomous turn gets one more model call, to make something of what it found.
        """
        turn = self.turn
        if turn.steps == 1:
            turn.mind.energy.add(turn.id, 1)
        turn.ceiling = NOBODY
        turn.bounds = narrow(turn.bounds, ExecutionPattern(sub_agents=0))
        found = await turn.mind.recall.search(
            query,
            k,
            now=turn.clock.now(),
            allow=NOBODY.__eq__,
            sessions=turn.play.sessions,
            where={"kind": KIND},
        )
        check_epoch(turn)
        return found

    def look_around(self) -> Json:
        """Return the place, and all that is seen there now, each with its handle."""
        look_again(self.turn)
        return handles.sights(self.turn)

    def open_kit(self, kit: str) -> list[Tool]:
        """Show a kit's tools for the rest of the talk; raises `ToolError` where there are none."""
        turn = self.turn
        tools = [
            tool
            for tool in turn.mind.registry.values()
            if tool.kit == kit and turn.is_offered(tool)
        ]
        if not tools:
            raise ToolError("There is nothing of that kind that you could do here.")
        kits.note_opened(turn, kit)
        return tools

    def when(self, stamp: str | float, session: str = "", day: int = 0) -> str:
        """Return when something was, in words; of what this scene told, on its own days."""
        play = self.turn.play
        if day and session and session == play.session:
            return measures.on_day(day, play.day)
        return measures.when(self.turn, stamp) if day else measures.ago(self.turn, stamp)

    def within(self, since: int, until: int, place: str) -> Json:
        """Return the filter for these days and a place; raises `ToolError` for what is none."""
        try:
            return self.turn.play.within(since, until, place, self.turn.mind.recall.index.places())
        except AssistantError as wrong:
            raise ToolError(str(wrong)) from wrong

    def look_up(self, entity_id: str) -> None:
        """Note that what is known of somebody was looked up: what is said may be drawn from it."""
        self.turn.lookups.add(entity_id)
        self.turn.hits = [*(self.turn.hits or ()), {"about": entity_id}]
