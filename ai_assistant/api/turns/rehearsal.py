"""Rehearsal: an assistant's next prompt, put together as it would be and sent to nobody."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.attention import layers
from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.component import BUILTIN
from ai_assistant.agent.prompt.draft import length_of
from ai_assistant.agent.prompt.fitting import room_of, tools_size
from ai_assistant.agent.prompt.measures import get_model_max_tokens, get_utilization_status
from ai_assistant.agent.turn.kits import offered
from ai_assistant.agent.turn.opening import begin
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.api.overview import running
from ai_assistant.api.turns.opened_calls import text_of
from ai_assistant.core.contracts import Event
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import Message
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import entity_id, name_of, reference
from ai_assistant.game.line_ids import Utterances
from ai_assistant.game.perception import from_msg, from_page
from ai_assistant.planning.urgency import by_urgency, is_walk
from ai_assistant.runtime.assembly import pick_profile
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.scene_lines import SCENE_LINES

PARTS = {
    "stream": "conversation",
    "event": "what is answered",
    "entity": "about the speaker",
    "seen": "who and what is here",
    "now": "where and when",
    "user": "texts of yours",
}
"""Parts of a prompt whose keys are no plain words."""
COMPONENTS = {component.id: component.key for component in BUILTIN}
TERMINAL = (layers.EVENT, layers.TOOL_RESULT)
"""Components that the state of a turn decides, and no owner."""


@dataclass(frozen=True, slots=True)
class RehearsedMessage:
    """One message as it would be sent."""

    role: str
    """Whose message: system, user, assistant or tool."""
    tokens: int
    """By estimate."""
    text: str
    """With calls in words behind it."""


@dataclass(frozen=True, slots=True)
class RehearsedComponent(RehearsedMessage):
    """One component of the prompt; several of one role are sent as one message."""

    component: str
    """Its key, as `docs/prompt.md` lists them; `user` for one of the owner's."""
    is_terminal: bool
    """Is it what the turn is about, which nobody can move: the event, or what a tool brought?"""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A prompt, and how far its room is used."""

    messages: list[RehearsedMessage]
    """In the order in which they would be sent."""
    components: list[RehearsedComponent]
    """The same before they are put together."""
    model: str
    """The model that would be asked, as its provider names it."""
    parts: list[tuple[str, int]]
    """What each part takes, in tokens."""
    tools: list[tuple[str, int]]
    """The tools that the model is told of, with their tokens, the largest first."""
    tokens: int
    """Of all messages and tools, by estimate."""
    room: int
    """Tokens that a request may have."""
    utilisation: float
    """Of the room, before anything gave way."""
    status: str
    """The level of utilisation: ok, warning, danger or critical."""
    withheld: list[str]
    """Tools for which there is no room."""
    warning: str
    """What the model cannot read of it, as far as we know; empty where it can."""


def rehearse(character: Any, speaker: Any, words: str = "", kind: str = "") -> Deferred[Rehearsal]:
    """Return the prompt that words of somebody would bring about now, said, or by `kind`.

    `speaker` is a game object, `kind` one of `contracts.TO_ONE`. With itself as the speaker and
    without words it is the turn that it takes on its own, on its most urgent goal. Raises
    `AssistantError` where the assistant does not run, or talks to itself.
    """
    mind = running(character).mind
    return Deferred.fromCoroutine(prepared(mind, character, speaker, words, kind)).addCallback(
        _rehearsal
    )


async def prepared(mind: Mind, character: Any, speaker: Any, words: str, kind: str) -> Turn:
    """Return a turn about words of somebody, with its prompt; no more is done of it.

    Of a copy of the character's `mind` parts may be other than they are. Raises `AssistantError`.
    """
    if speaker == character and not words.strip():
        goals = by_urgency(mind.store.read("goals")["goals"], now_game=mind.world.game_time())
        goal = next((goal for goal in goals if not is_walk(goal)), None)
        turn = begin(mind, (), "rehearsal", "tick_autonomous", goal=goal)
    else:
        heard = _heard(character, speaker, words.strip() or "Hello.", kind)
        turn = begin(mind, [replace(heard, timestamp=mind.clock.now())], "rehearsal")
    await build_prompt(turn)
    return turn


def _heard(character: Any, speaker: Any, words: str, kind: str) -> Event:
    """Return what is said, as it would be perceived now, in the scene that both play in."""
    utterances = Utterances(later=lambda call: None)
    if kind == "page":
        heard = from_page(character, speaker, words, utterances)
    else:
        line = (f'{name_of(speaker)} says, "{words}"', {"type": kind or "say"})
        heard = from_msg(character, line, speaker, None, utterances)
    if heard is None:
        raise AssistantError(f"{name_of(character)} does not talk to itself.")
    source = reference(speaker, character)
    heard = replace(heard, source=source, content=clean(words, 1000))
    return SCENE_LINES.sketched(heard, entity_id(character))


def _rehearsal(turn: Turn) -> Rehearsal:
    per_char = turn.mind.tokens_per_char

    def tokens(message: Message) -> int:
        return round(length_of(message) * per_char)

    tools = sorted(offered(turn), key=lambda tool: -tool.size)
    described = round(tools_size(turn) * per_char)
    sizes = Counter({counted(len(tools), "tool"): described})
    for key, part in turn.prompt.parts:
        sizes[PARTS.get(key, key)] += tokens(part)
    return Rehearsal(
        messages=[
            RehearsedMessage(message.role, tokens(message), text_of(message))
            for message in turn.prompt.messages
        ],
        components=[
            RehearsedComponent(
                *(part.role, tokens(part), text_of(part)),
                component=COMPONENTS.get(part.component, key),
                is_terminal=part.component in TERMINAL,
            )
            for key, part in turn.prompt.parts
        ],
        model=_model_of(turn),
        parts=list(sizes.items()),
        tools=[(tool.name, round(tool.size * per_char)) for tool in tools],
        tokens=described + sum(map(tokens, turn.prompt.messages)),
        room=round(room_of(turn) * per_char),
        utilisation=turn.prompt.utilisation,
        status=get_utilization_status(turn.prompt.utilisation),
        withheld=sorted(turn.tools_left_out),
        warning=_limit_of_model(turn),
    )


def _model_of(turn: Turn) -> str:
    return pick_profile(SERVICE.shared.profiles, "chat", turn.mind.config["llm_profile"]).model


def _limit_of_model(turn: Turn) -> str:
    """Say what the model can read, where that is less than the assistant may send."""
    config, model = turn.mind.config, _model_of(turn)
    most = get_model_max_tokens(model)
    if config["max_context_tokens"] <= most:
        return ""
    return f"{model} reads {most} tokens, as far as we know: lower max_context_tokens."
