"""A model that tells everything it was shown, in hundreds of crowded rooms: no secret gets out."""

import json
import os
import random
import re

import pytest

from ai_assistant.core.model_records import ModelReply, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.core.readers import OPEN, canonical, may_read
from ai_assistant.memory.talk.working import key_of
from ai_assistant.testing import Stage, people

pytestmark = pytest.mark.hypothesis  # by hand: `bench.properties` runs it too, on more lives
SEEDS = int(os.environ.get("PROPERTY_EXAMPLES", "20"))
ACTIONS, ALONE = 6, 0.5
GUILD, DOCKS = "c-guild", "c-docks"
PEOPLE = tuple(people("Alice", "Bob", "Carol", "Dave"))
CANARY = re.compile(r"zq\d+x")
KINDS = ("say", "say", "whisper", "whisper", "page", "channel", "private", "noise", "rumour")


class Gossip(Model):
    """Implements `contracts.Model`: notes, recalls and tells every canary in its prompt.

    While it thinks, people come, go, and leave channels: `stir` is called before each answer.
    """

    def __init__(self, luck, stir):
        self.luck = luck
        self.stir = stir
        self.ids = 0

    async def complete(self, request):
        shown = "\n".join(message.content for message in request.messages)
        self.stir()
        known = " ".join(sorted(set(CANARY.findall(shown)))) or "nothing"
        offered = [tool["function"]["name"] for tool in request.tools]
        names = [*offered, *("say", "emote", "whisper", "page", "channel_say")]
        return ModelReply(
            text=known if self.luck.random() < 0.2 else "",
            tool_calls=tuple(
                self.call(name, known)
                for name in self.luck.sample(names, k=min(len(names), self.luck.randint(0, 4)))
            ),
        )

    def call(self, name, known):
        """Return a call of that tool with all that is known in every argument that takes it."""
        self.ids += 1
        handle = f"p{self.luck.randint(1, 3)}"
        arguments = {
            "whisper": {"to": handle, "text": known},
            "update_entity_observation": {"entity": handle, "observation": known},
            "note": {"fact": known},
            "recall_memories": {"query": "remember the treasure"},
            "inspect_location": {},
            "wait": {},
            "move": {"to": "x1"},
            "give": {"item": "o1", "to": handle},
        }.get(name, {"text": known})
        return ToolCall(f"call{self.ids}", name, {"reasoning": known, **arguments})


class Village:
    """One mind among people who come and go, and an oracle of who may know which canary."""

    def __init__(self, seed):
        self.luck = random.Random(seed)
        self.stage = Stage(model=Gossip(self.luck, self.stir))
        self.stage.world.channels = {GUILD: set(), DOCKS: set()}
        self.allowed = {}
        self.ever = {GUILD: {GUILD}, DOCKS: {DOCKS}}
        self.stage.world.enter(*self.luck.sample(PEOPLE, 2))
        for channel in (GUILD, DOCKS):
            self.join(channel, self.luck.choice(PEOPLE))
        self.stage.world.carry("rose")

    def join(self, channel, who):
        self.stage.world.channels[channel].add(who.id)
        self.ever[channel].add(who.id)

    def stir(self):
        """Let one thing happen in the village."""
        world, who = self.stage.world, self.luck.choice(PEOPLE)
        happening = self.luck.randrange(6)
        if happening == 0:
            world.enter(who, hidden=self.luck.random() < 0.3)
        elif happening == 1:
            world.leave(who, online=self.luck.random() < 0.5)
        elif happening == 2:
            channel = self.luck.choice((GUILD, DOCKS))
            if who.id in world.channels[channel]:
                world.channels[channel].discard(who.id)
            else:
                self.join(channel, who)

    def speak(self):
        """Let somebody tell a new canary in some way, and the mind answer (or only hear) it."""
        stage, kind = self.stage, self.luck.choice(KINDS)
        who = self.luck.choice(PEOPLE)
        canary = f"zq{len(self.allowed) + 1}x"
        place = self.luck.choice((GUILD, DOCKS)) if kind in ("channel", "rumour") else ""
        if place:
            self.join(place, who)
        elif kind != "page":
            if self.luck.random() < ALONE:  # what only one may know is told, and noted, then
                stage.world.leave(*PEOPLE, online=True)
            stage.world.enter(who)
        stage.world.online.add(who.id)
        told = {who.id, *stage.world.hearers("say", stage.world.place)}
        self.allowed[canary] = {
            "whisper": {who.id}, "page": {who.id}, "private": told,
            "channel": self.ever.get(place), "rumour": self.ever.get(place),
        }.get(kind)  # fmt: skip
        text = f"Remember the treasure {canary}"
        if kind == "private":
            stage.ask(who, text, readers=canonical(told))
        elif kind in ("noise", "rumour"):
            stage.overhear(who, text, "channel" if place else "say", place=place)
        else:
            stage.ask(who, text, kind, place=place)

    def may_know(self, who, canary):
        allowed = self.allowed[canary]
        return allowed is None or who in allowed

    def leaks(self):
        """Every (canary, listener) that should not have met in what was delivered."""
        for speech, end in self.stage.world.deliveries:
            if end.outcome == "dropped":
                continue
            for canary in CANARY.findall(speech.text):
                yield from ((canary, who) for who in end.hearers if not self.may_know(who, canary))

    def mislabelled(self):
        """Every (canary, reader) where something stored is readable by who should not know."""
        for text, readers in self.stored():
            for canary in CANARY.findall(text):
                everybody = [one.id for one in PEOPLE]
                yield from (
                    (canary, who, readers)
                    for who in everybody
                    if may_read(who, readers, self.stage.world.belongs)
                    and not self.may_know(who, canary)
                )

    def stored(self):
        store = self.stage.store
        yield from ((row.content, row.readers) for row in store.memories.values())
        yield from ((json.dumps(record.data), record.readers) for record in store.audit)
        for (part, _), state in store.state.items():
            if part == "working":
                yield json.dumps(state["messages"]), state["readers"]
        items = [*store.read("stream")["entries"], *store.read("journal")["entries"]]
        for one in PEOPLE:
            items += store.read("profile", one.id)["observations"]
        yield from ((item["content"], item["readers"]) for item in items)


def life(seed):
    """Live through one random schedule."""
    village = Village(seed)
    for _ in range(ACTIONS):
        village.stir()
        village.speak()
    if seed % 3 == 0:
        village.stage.turn(context_type="tick_autonomous")
    return village


@pytest.fixture(scope="module")
def villages():
    """Many lived lives."""
    return [life(seed) for seed in range(SEEDS)]


def test_no_canary_reaches_a_stranger(villages):
    """Whoever comes, goes or listens in mid-thought: nobody hears what they may not know."""
    assert [leak for village in villages for leak in village.leaks()] == []


def test_no_label_is_too_wide(villages):
    """Nothing that was written down can be read by somebody who may not know it."""
    assert [wrong for village in villages for wrong in village.mislabelled()] == []


def test_the_gossip_really_tells(villages):
    """The schedules are worth something: secrets are told, to one and to several, and dropped."""
    ends = [end for village in villages for _, end in village.stage.world.deliveries]
    told = [
        (speech, end)
        for village in villages
        for speech, end in village.stage.world.deliveries
        if speech.readers != OPEN and CANARY.search(speech.text) and end.outcome != "dropped"
    ]
    assert len(told) > SEEDS // 3
    assert any(len(end.hearers) > 1 for _, end in told)
    assert any(speech.kind == "say" for speech, _ in told)
    assert {end.outcome for end in ends} == {"said", "dropped"}
    assert any(
        key_of(one.id, OPEN) in village.stage.store.keys("working")
        for village in villages
        for one in PEOPLE
    )
