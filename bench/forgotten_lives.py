"""Lives that are to be forgotten: what somebody says gets everywhere, and every word is a canary.

Deeds are drawn at random: talk in every way, with a model that puts what it heard into arguments of
any tool, whatever they are called, and game code that writes it wherever game code can.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage, ToolCall
from ai_assistant.core.ports import Model

LETTERS = "bdfgklmnprstvz", "aeiou"
SYLLABLES = 7
SCOPES = ("own", "all", "item")
TOOLS: dict[str, tuple[str, ...]] = {
    "add_goal": ("description", "parent_id"),
    "create_project": ("project_key", "summary", "initial_context"),
    "swap_project": ("project_key", "current_project_update"),
    "complete_project": ("outcome",),
    "note": ("about", "fact"),
    "store_memory": ("content",),
    "add_journal_entry": ("content", "related_projects"),
    "write_notes": ("content",),
    "update_entity_observation": ("entity", "observation"),
    "update_relationship": ("entity", "reason"),
    "no_such_tool": ("name", "kind", "outcome", "status", "subject", "type", "source", "author"),
}
"""Tools and arguments of theirs; some take words only in vain, and then on record."""


class Parrot(Model):
    """A model that answers with what it was given, once, and is short otherwise."""

    def __init__(self) -> None:
        self.replies: deque[ModelReply] = deque()
        self.hold: Deferred[None] | None = None
        self.repeats: list[str] = []
        """What it says, where no reply is left and one of these is in the prompt."""
        self.asked = 0

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Answer with the next reply."""
        self.asked += 1
        reply = self.replies.popleft() if self.replies else self._repeated(request)
        hold, self.hold = self.hold, None
        if hold:
            await hold
        return replace(reply, usage=TokenUsage(100, 10, known=True))

    def _repeated(self, request: ModelRequest) -> ModelReply:
        shown = "\n".join(message.content for message in request.messages).lower()
        known = [word for word in self.repeats if word in shown]
        return ModelReply(text=f"They say {known[-1]}." if known else "Hm.")


class Steps:
    """Stands in for the reactor: what is put off runs when it is told to."""

    def __init__(self) -> None:
        self.waiting: deque[Callable[[], object]] = deque()

    def __call__(self, seconds: float, call: Callable[[], object]) -> None:
        """Put something off, for however long."""
        self.waiting.append(call)

    def run(self) -> None:
        """Run all that waits, and what that puts off in turn."""
        while self.waiting:
            self.waiting.popleft()()


class History:
    """What happens between Alice, Bob and one or two assistants; `hers` are Alice's canaries."""

    def __init__(
        self, seed: int, people: tuple[Any, Any], minds: list[Any], parrot: Parrot
    ) -> None:
        self.chance = random.Random(seed)
        self.alice, self.bob = people
        self.minds, self.parrot, self.steps = minds, parrot, Steps()
        self.ties: dict[str, Any] = {}
        """What ties the service to this history in place of a server."""
        self.hers: list[str] = []
        self.his: list[str] = []
        self.said: list[str] = []
        self.under_way: Deferred[None] = Deferred()

    def word(self, whose: list[str]) -> str:
        """Return a new word that nobody else would use; it counts as one of `whose`."""
        some = (self.chance.choice(LETTERS[at % 2]) for at in range(2 * SYLLABLES))
        whose.append("".join(some))
        return whose[-1]

    def live(self, deeds: int) -> None:
        """Let so many things happen."""
        kinds = (self.talks, self.talks, self.whispers, self.bob_talks, self.overheard, self.writes)
        for _ in range(deeds):
            self.chance.choice(kinds)()

    # -- talk

    def talks(self) -> None:
        """Alice speaks to one, whose model uses her words."""
        self.says(self.alice, f"say {self.mind().key}, have you heard of {self.heard()}?")

    def whispers(self) -> None:
        """Alice tells a secret."""
        self.says(self.alice, f"whisper {self.mind().key} = Keep it to yourself: {self.heard()}")

    def overheard(self) -> None:
        """Alice speaks to Bob, and nobody answers."""
        self.says(self.alice, f"say Bob, {self.word(self.hers)} is what they call it.")

    def bob_talks(self) -> None:
        """Bob says something of his own, and is answered with what Alice had said."""
        said = self.chance.choice(self.hers) if self.hers else "nothing"
        self.parrot.replies.append(self.answer(said))
        self.says(self.bob, f"say {self.mind().key}, I found the {self.word(self.his)} myself.")

    def waits(self) -> None:
        """Alice asks, and is not answered before it is to be forgotten."""
        self.parrot.hold = Deferred()
        self.says(self.alice, f"say {self.mind().key}, is it true of {self.word(self.hers)}?")

    def bob_waits(self) -> None:
        """Bob asks; the answer is under way when it is to be forgotten: `goes_on` lets it come."""
        self.parrot.repeats, self.under_way = self.hers, Deferred()
        self.parrot.hold = self.under_way
        self.says(self.bob, f"say {self.mind().key}, what did Alice tell?")

    def goes_on(self) -> None:
        """Let the model answer Bob, unless nobody waits for that any more."""
        if not self.under_way.called:
            self.under_way.callback(None)
        self.steps.run()

    def heard(self) -> str:
        """Return a new word of Alice's, and have it answered."""
        word = self.word(self.hers)
        self.parrot.replies.append(self.answer(word))
        return word

    def says(self, body: Any, line: str) -> None:
        """Let a body type a command, and let all that follows happen."""
        self.said.append(line)
        body.execute_cmd(line)
        self.steps.run()

    def answer(self, word: str, *names: str) -> ModelReply:
        """Return an answer that has a word wherever these tools, or two of them, take any."""
        chosen = names or self.chance.sample(sorted(TOOLS), 2)
        calls = [(name, {arg: self.phrase(word) for arg in TOOLS[name]}) for name in chosen]
        for _, arguments in calls:
            if "entity" in arguments:
                arguments["entity"] = "p1"
        calls.append(("say", {"text": self.phrase(word)}))
        made = (
            ToolCall(f"c{at}", name, {"reasoning": f"It is about {word}.", **given})
            for at, (name, given) in enumerate(calls)
        )
        return ModelReply(tool_calls=tuple(made))

    def phrase(self, word: str) -> str:
        """Return some words around one."""
        shapes = ("{}", "about {}", "The {} is old.", "They say: {}, and no more", "find_the_{}")
        shape = self.chance.choice(shapes).format(word)
        return shape.upper() if self.chance.random() < 0.2 else shape

    def mind(self) -> Any:
        """Return one of the assistants."""
        return self.chance.choice(self.minds)

    # -- game code

    def writes(self) -> None:
        """Game code writes a word that Alice said into some place."""
        word = self.heard()
        self.says(self.alice, f"say {self.mind().key}, I speak of {word}.")
        with suppress(AssistantError):  # no room, or taken already
            self.chance.choice(list(self.places(self.mind(), self.phrase(word))))()

    def everywhere(self) -> None:
        """A word of Alice's gets into every place, and into every tool in an answer to Bob."""
        mind, word = self.minds[0], self.heard()
        self.says(self.alice, f"say {mind.key}, I speak of {word}.")
        for write in self.places(mind, f"about {word}"):
            with suppress(AssistantError):
                write()
        for name in TOOLS:
            self.parrot.replies.append(self.answer(word, name))
            self.says(self.bob, f"say {mind.key}, go on about {self.word(self.his)}.")

    def places(self, mind: Any, words: str) -> Iterator[Callable[[], object]]:
        """Yield what writes these words somewhere."""
        from ai_assistant.api.blocks import game_blocks, npc_blocks

        alice, key = self.alice, f"p{self.chance.random()}"
        yield lambda: mind.journal.add_journal_entry(words)
        yield lambda: mind.session_memory.add_session_memory(words)
        yield lambda: mind.notebook.append(words)
        yield lambda: mind.profiles.add_secret(alice, words)
        yield lambda: mind.profiles.update_relationship(alice, 0.05, words)
        yield lambda: mind.profiles.add_entity_observation(self.bob, words)
        yield lambda: mind.working_memory.add_pending_action(self.bob, words)
        yield lambda: mind.goals.update_goal(
            mind.goals.add_goal(words), status="completed", outcome=words
        )
        yield lambda: mind.projects.create_project(words, f"About {words}", words)
        yield lambda: mind.projects.complete_project(
            mind.projects.create_project(key, words), outcome=words
        )
        yield lambda: npc_blocks.share_fact(mind, words)
        yield lambda: npc_blocks.set_status(mind, **{"mood": words, "of_" + words[:30]: 1})
        yield lambda: self.keeps(mind, words)
        yield lambda: self.concludes(mind, words)
        if len(self.minds) > 1:  # a scene is none of what one assistant keeps
            yield lambda: self.plays(words)
            yield lambda: self.stages(words)
        yield lambda: game_blocks.add_line(self.board(mind), words, npc=mind)

    def board(self, mind: Any) -> str:
        """Return the label of a block of the game's own."""
        from ai_assistant.api.blocks.game_blocks import create_block_by_type

        create_block_by_type("private", "board", npc=mind)
        return "board"

    def keeps(self, mind: Any, words: str) -> None:
        """A summary of what she said is made, and one of that."""
        from ai_assistant.api.handlers import save

        parents: tuple[int, ...] = tuple(self.lines_of(mind))
        if not parents:  # a summary of nothing rests on nothing that could be forgotten
            return
        for kind in ("summary", "insight"):
            meta = {"topic": words, "links": [*parents], words: words}
            row = MemoryRow(words, kind=kind, parents=parents, meta=meta)
            parents = (save(mind, Commit(time.time(), rows=[row]))[0].id,)

    def concludes(self, mind: Any, words: str) -> None:
        """A night makes a fact of her lines, in the place of another."""
        from ai_assistant.api.handlers import save
        from ai_assistant.game.identity import entity_id

        lines, who = self.lines_of(mind), entity_id(self.bob)
        fact = {"type": words, "value": words, "quote": words, "evidence": lines, "author": ""}
        fact |= {"source": "consolidation", "created": "2026-01-01T00:00:00Z", "readers": "*"}
        fact["was"] = [{**fact, "value": f"Was: {words}", "until": "2026-01-01T00:00:00Z"}]
        step = {"entity_id": who, "drop": [], "add": [fact], "consumed": []}
        save(mind, Commit(time.time(), changes=[Change("profile", who, "consolidate", step)]))

    def lines_of(self, mind: Any, **kinds: str) -> list[int]:
        """Return the ids of what an assistant remembers Alice to have said, of that kind or any."""
        from ai_assistant.game.identity import entity_id
        from ai_assistant.models import Memory

        whose = {"container": entity_id(mind), "author": entity_id(self.alice)}
        own = Memory.objects.filter(**whose, **kinds)
        return list(own.order_by("-pk").values_list("pk", flat=True)[:5])

    def plays(self, words: str) -> None:
        """Alice says of a scene of Bob's what is so in it."""
        from ai_assistant.api import staging

        self.said.append(words.lower())
        scene = staging.create_scene("A play", self.bob)
        staging.join_scene(scene.id, self.alice)
        staging.set_scene(scene.id, f"what {words[:20]}", words, by=self.alice)
        staging.stop_scene(scene.id)

    def stages(self, words: str) -> None:
        """Alice makes a scene, and sets all that there is to set, before it runs and after."""
        from ai_assistant.api import staging

        self.said.append(words.lower())
        scene = staging.create_scene(words, self.alice)
        for other in (self.bob, self.minds[0]):
            staging.join_scene(scene.id, other)
        texts = dict.fromkeys(("plot", "quest", "time", "location", f"what {words[:20]}"), words)
        texts |= {"place": f"{words} in the {words}", "thing": f"the {words}: Bob"}
        texts |= {"relationship": f"Alice, Bob: {words}"}
        for then in (staging.start_scene, staging.stop_scene):
            for name, value in texts.items():
                staging.set_scene(scene.id, name, value, by=self.alice)
            then(scene.id)

    # -- forgetting

    def forget(self, scope: str) -> Any:
        """Let it be forgotten; returns what came of it, and narrows `hers` to what must be gone."""
        from ai_assistant.api.forgetting import forget_item, forget_person
        from ai_assistant.models import Memory

        mind = self.minds[0]
        if scope != "item":
            done = forget_person(self.alice, scope=scope, by="a bench")  # type: ignore[arg-type]
        else:
            while not (lines := self.lines_of(mind, kind="utterance")):
                self.talks()  # a note of a line may go, and the line itself stay
            ref = self.chance.choice(lines)
            said = Memory.objects.get(pk=ref).content
            once = [word for word in self.hers if sum(word in line for line in self.said) == 1]
            self.hers = [word for word in once if word in said]
            done = forget_item(mind, f"#{ref}", by="a bench")
        found: list[Any] = []
        done.addBoth(found.append)
        self.steps.run()
        return found[0]
