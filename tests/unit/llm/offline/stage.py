"""A stage for the offline model: what the agent would ask, and what it would do with the answer."""

import json
from dataclasses import dataclass, field

from ai_assistant.core.model_records import Message, ModelRequest, PromptSection, ToolCall
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.tools import BUILTIN

OFFERED = tuple("look move take give put_down recall note open_kit whisper emote".split())
SCHEMAS = {tool.name: tool.schema for tool in BUILTIN}
PAST = (
    Message("user", "Bob: Give me the rope!", component=5000),
    Message("assistant", "", tool_calls=(ToolCall("past", "give", {}),), component=5000),
    Message("tool", '{"ok": true, "gave": "a rope"}', tool_call_id="past", component=5000),
    Message("assistant", "There you are.", component=5000),
)
"""An older exchange as it stands in the history; nothing of it is of the turn that runs."""
CAPTAIN = {
    "name": "Captain Seraphina Stormborne",
    "role": "Captain of the Guard",
    "personality": "Honorable, stern, diplomatic",
    "interests": ["Law enforcement", "Chess"],
    "home_location": "Capital City, East Barracks",
    "sayings": ["The law is patient."],
    "lore": ["The old bridge lost its fourth arch in the spring flood."],
}
INNKEEPER = {
    "name": "Tansy Brewell",
    "role": "Innkeeper of the Kettle and Crow",
    "personality": "Warm, gossiping, humorous",
    "interests": ["Gossip", "Cooking"],
    "home_location": "Hollin Ford",
}
ALICE = {"handle": "p1", "name": "Alice", "kind": "player", "state": "stranger", "times": 0}
SIGHT = (
    {"handle": "p1", "name": "Alice", "kind": "player"},
    {"handle": "p2", "name": "Bob", "kind": "player"},
    {"handle": "p3", "name": "Old Marrek", "kind": "npc", "assistant": True},
    {"handle": "x1", "exit": "north", "to": "North Road"},
    {"handle": "x2", "exit": "inn", "to": "The Kettle and Crow"},
    {"handle": "o1", "item": "a copper key", "carried": True, "givable": True},
    {"handle": "o2", "item": "a steel badge", "carried": True},
    {"handle": "o3", "item": "a painted sign"},
)
HANDLES = {"Alice": "p1", "Bob": "p2", "Old Marrek": "p3"}


@dataclass
class Played:
    """A turn that was played: all words spoken in it, all its calls, and its replies."""

    text: str = ""
    calls: list = field(default_factory=list)
    replies: list = field(default_factory=list)

    @property
    def first(self):
        return self.replies[0]

    @property
    def reply(self):
        return self.replies[-1]

    def called(self, name):
        """The arguments of every call of a tool, without `reasoning`."""
        return [
            {key: value for key, value in call.arguments.items() if key != "reasoning"}
            for call in self.calls
            if call.name == name
        ]

    @property
    def is_silent(self):
        """Did it say and do nothing at all?"""
        return not self.text and [call.name for call in self.calls] == ["wait"]


@dataclass
class Stage:
    """One character with what its prompt holds; `results` are what the tools return.

    `kept` holds further sections of the prompt by their keys.
    """

    persona: dict = field(default_factory=lambda: dict(CAPTAIN))
    partner: dict = field(default_factory=lambda: dict(ALICE))
    observations: tuple = ()
    memories: tuple = ()
    sight: tuple = SIGHT
    stream: list = field(default_factory=list)
    results: dict = field(default_factory=dict)
    kept: dict = field(default_factory=dict)
    tools: tuple = OFFERED
    time: str = "2026-11-21 18:04"
    model: OfflineModel = field(default_factory=OfflineModel)

    def meets(self, state, **more):
        """The same stage with Alice in another relationship."""
        self.partner |= {"state": state, "times": 4, "last": "2026-11-20 19:00", **more}
        return self

    def hears(self, text, who="Alice", kind="say"):
        """Play the turn that answers one line."""
        return self.play([(who, text)], kind)

    def play(self, lines, kind="say"):
        """Play a turn over several lines as the agent does, until it is over; that must be soon."""
        played, transcript = Played(), []
        for _ in range(4):
            reply = complete(self.model, self.request(lines, kind, transcript))
            played.replies.append(reply)
            played.text = " ".join(filter(None, [played.text, reply.text]))
            played.calls += reply.tool_calls
            transcript.append(Message("assistant", reply.text, tool_calls=reply.tool_calls))
            for call in reply.tool_calls:
                result = json.dumps(self.results.get(call.name, {"ok": True, "memories": []}))
                transcript.append(Message("tool", result, tool_call_id=call.id, component=7000))
            if is_over(reply):
                self._remember(lines, kind, played.text)
                return played
        raise AssertionError(f"The turn did not end: {played.calls}")

    def tick(self, time, **occasion):
        """Play an autonomous turn at a time; returns its reply."""
        self.time = time
        return complete(self.model, self.request((), "say", (), "tick_autonomous", [occasion]))

    def request(self, lines=(), kind="say", transcript=(), context_type="tick_event", asked=()):
        """The model request of a step."""
        now = {"place": "The Gull and Lantern", "description": "A warm room.", "time": self.time}
        asked = [*asked, *(spoken(who, text, kind) for who, text in lines)]
        sections = {
            "persona": [self.persona],
            "now": [now],
            "seen": self.sight,
            "entity": [self.partner, *self.observations],
            "memories": self.memories,
            "stream": self.stream,
            "event": asked,
            **self.kept,
        }
        return ModelRequest(
            messages=(
                Message("system", "The rules. " * 60),
                *PAST,
                Message("user", "What was said, in words.", component=6000),
                *transcript,
            ),
            tools=tuple(SCHEMAS[name] for name in self.tools),
            sections=tuple(PromptSection(key, tuple(rows)) for key, rows in sections.items()),
            context_type=context_type,
        )

    def _remember(self, lines, kind, text):
        for who, said in lines:
            self.stream.append({"own": False, "who": who, "kind": kind, "says": said})
        if text:
            self.stream.append({"own": True, "kind": kind, "says": text})


def spoken(who, text, kind):
    """A row of the event section."""
    return {"who": HANDLES[who], "name": who, "kind": kind, "says": text}


def is_over(reply):
    """Does the agent end the turn after this reply?"""
    names = {call.name for call in reply.tool_calls}
    return bool(names & {"emote", "wait"} or (reply.text and "move" not in names))


def complete(model, request):
    """The reply, which must be ready at once."""
    try:
        model.complete(request).send(None)
    except StopIteration as ready:
        return ready.value
    raise AssertionError("The offline model made its caller wait.")


def observation(text, source="direct"):
    return {"observation": text, "source": source, "on": "2026-11-20"}


def row(who, text, kind="utterance"):
    return {"on": "2026-11-20", "who": who, "kind": kind, "text": text}
