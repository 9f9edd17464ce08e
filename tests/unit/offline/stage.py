"""A stage for the offline model: builds prompts as the agent does, and plays turns to their end."""

import json
from dataclasses import dataclass, field

from ai_assistant.contracts import Message, ModelRequest
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.tools import action, control, recall, remember, speech

SCHEMAS = {
    tool.name: tool.schema()
    for family in (speech, action, recall, remember, control)
    for tool in family.TOOLS
}
DEEDS = ("inspect_location", "move", "give", "recall_memories", "update_entity_observation", "wait")
SPEECH = {
    "say": ("say", "emote", "whisper"),
    "whisper": ("whisper",),
    "page": ("page",),
    "channel": ("channel_say",),
    "gift": ("say", "emote", "whisper"),
    "pose": ("say", "emote", "whisper"),
    "move": ("say", "emote", "whisper"),
}
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


def section(title, rows):
    return "\n".join([f"## {title}", *(json.dumps(row) for row in rows)])


@dataclass
class Played:
    """A turn that was played: the calls before its end, and the call that ended it."""

    calls: list = field(default_factory=list)
    end: object = None
    reply: object = None

    @property
    def text(self):
        return self.end.arguments.get("text", "") if self.end else ""

    def called(self, name):
        """The arguments of every call of a tool, without `reasoning`."""
        return [
            {key: value for key, value in call.arguments.items() if key != "reasoning"}
            for call in [*self.calls, *([self.end] if self.end else [])]
            if call.name == name
        ]


@dataclass
class Stage:
    """One character with what its prompt holds; `results` are what the tools return.

    `kept` holds further sections of the prompt by their headings.
    """

    persona: dict = field(default_factory=lambda: dict(CAPTAIN))
    partner: dict = field(default_factory=lambda: dict(ALICE))
    observations: tuple = ()
    memories: tuple = ()
    sight: tuple = SIGHT
    stream: list = field(default_factory=list)
    results: dict = field(default_factory=dict)
    kept: dict = field(default_factory=dict)
    tools: tuple | None = None
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
        """Play a turn over several lines until it speaks or waits; it must end in time."""
        played, transcript = Played(), []
        offered = self.tools or (*DEEDS, *SPEECH[kind])
        for _ in range(4):
            request = self.request(self._events(lines, kind), transcript, offered)
            played.reply = complete(self.model, request)
            transcript.append(Message("assistant", "", tool_calls=played.reply.tool_calls))
            for call in played.reply.tool_calls:
                if SCHEMAS[call.name]["function"]["name"] in ("wait", *sum(SPEECH.values(), ())):
                    played.end = call
                    self._remember(lines, kind, call)
                    return played
                played.calls.append(call)
                result = json.dumps(self.results.get(call.name, {"ok": True, "memories": []}))
                transcript.append(Message("tool", result, tool_call_id=call.id))
        raise AssertionError(f"The turn did not end: {played.calls}")

    def tick(self, time):
        """Play an autonomous turn at a time; returns its one call."""
        self.time = time
        idle = "## Nobody asks\nYou may do one small thing that fits you, or wait."
        request = self.request(idle, [], (*DEEDS, *SPEECH["say"]), "tick_autonomous")
        return complete(self.model, request).tool_calls[0]

    def request(self, last, transcript, offered, context_type="tick_event"):
        now = {"place": "The Gull and Lantern", "description": "A warm room.", "time": self.time}
        changing = [
            section("Now", [now]),
            section("What you see", self.sight),
            section("About the one you talk to", [self.partner, *self.observations]),
            section("What you remember", self.memories),
            *(section(title, rows) for title, rows in self.kept.items()),
        ]
        return ModelRequest(
            messages=(
                Message("system", "You act only by calling tools."),
                Message("system", section("Who you are", [self.persona]), component=1000),
                Message("system", "\n\n".join(changing), component=1500),
                *self.stream,
                Message("user", last, component=6000),
                *transcript,
            ),
            tools=tuple(SCHEMAS[name] for name in offered),
            context_type=context_type,
        )

    def _events(self, lines, kind):
        rows = [
            {"who": HANDLES[who], "name": who, "kind": kind, "says": text} for who, text in lines
        ]
        return section("Answer this", rows) + "\nAnswer with one of: say, emote, whisper."

    def _remember(self, lines, kind, call):
        for who, text in lines:
            said = json.dumps({"who": who, "kind": kind, "says": text})
            self.stream.append(Message("user", said, component=5000))
        if call.name != "wait":
            own = json.dumps({"you": call.name, "says": call.arguments["text"]})
            self.stream.append(Message("assistant", own, component=5000))


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
