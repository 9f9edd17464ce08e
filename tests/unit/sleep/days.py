"""A whole day to sleep on, a model that knows the night's jobs, and processes that die of both."""

import json

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Change, Commit, MemoryRow
from ai_assistant.core.errors import ModelUnavailable
from ai_assistant.core.model_records import ModelReply
from ai_assistant.core.ports import Model
from ai_assistant.memory.inner.session import MAX_ITEMS
from ai_assistant.memory.search.searchable_parts import AT_HAND
from ai_assistant.memory.talk.working import key_of
from ai_assistant.prompts import load_prompt
from ai_assistant.sleep.work import RECORD
from ai_assistant.testing import DictStore, Hold, Stage, people
from tests.unit.sleep.nights import journal, note, told

ALICE, BOB, CAROL, DORA = people("Alice", "Bob", "Carol", "Dora")
DAY = 86_400.0
SMALL_TALK = ("What a day!", "Did you see the ferry come in?", "Wolves came down to the ford.")
OF_ALICE = (
    *("I live in Oakvale.", "I work as a smith.", "I have a dog named Rex."),
    *("I hate spiders.", "My sister is called Mara.", "I moved to Riverton last week."),
)
OF_BOB = (
    *("I keep bees.", "I own two mules.", "My brother works as a miller."),
    *("I like plum cake.", "I have a cart.", "Alice lives in Vey."),
)
SECRETS = (
    *("I stole the silver key.", "I owe Bob ten crowns.", "I fear the dark."),
    *("My real name is Tomasina.", "I have a map of the vault."),
)
PLEASURES = (
    "sea snow fair inn mead harp dice dance church orchard market tavern river forest garden "
    "smithy stable bakery brewery library tower harbour meadow bridge cellar"
).split()


# -- the day


def observe(stage, who, lines, readers="*", source="direct"):
    """Let the character note things about somebody, a minute apart, as its tool does."""
    for line in lines:
        stage.clock.advance(60)
        note(stage, who, line, readers=readers, source=source)


def talk(stage, who, lines, readers="*"):
    """Let there have been so many lines of talk with somebody."""
    key, at = key_of(who.id, readers), stage.clock.now()
    begin = {"entity_id": who.id, "readers": readers, "at": at}
    changes = [Change("working", key, "start_conversation", begin)]
    for number in range(lines):
        line = {"role": "user", "content": f"Line {number} of {who.name}.", "at": at}
        changes.append(Change("working", key, "add_conversation_message", line))
    stage.mind.save(Commit(at, changes=changes))


def fill_session(stage, readers="*"):
    """Let one label of its session memory be so full that nothing more fits."""
    changes = []
    for number in range(MAX_ITEMS + 1):
        item = {"memory_type": "fact", "content": f"Barrel {number} holds ale number {number}."}
        item |= {"at": stage.clock.now(), "readers": readers}
        changes.append(Change("session", "", "add_session_memory", item))
    stage.mind.save(Commit(stage.clock.now(), changes=changes))


def old_trifles(stage, *contents, importance=2, readers="*"):
    """Let it have filed journal entries of little importance two months ago."""
    at = stage.clock.now() - 60 * DAY
    some = {"kind": "journal", "readers": readers, "learned_at": at, "importance": importance}
    rows = [MemoryRow(content, **some) for content in contents]
    return [row.id for row in stage.mind.save(Commit(stage.clock.now(), rows=rows))]


def live_a_day(stage):
    """Let a day go by that gives every stage of the night something to do."""
    old_trifles(stage, "It rained.", "It snowed.", "The sun shone.")
    told(stage, ALICE, *SMALL_TALK, *OF_ALICE)
    told(stage, BOB, *OF_BOB, *SMALL_TALK)
    told(stage, ALICE, "The wolves are back.", *SECRETS, kind="whisper")
    told(stage, BOB, "Again wolves at the gate.", "I heard the wolves howl.")
    observe(stage, CAROL, [f"Carol likes the {one}" for one in PLEASURES])
    observe(stage, DORA, [f"Dora avoids the {one}" for one in PLEASURES])
    journal(stage, *(f"Stranger {one} asked for the vault." for one in range(24)))
    journal(stage, *(f"Alice told secret {one}." for one in range(12)), readers=ALICE.id)
    talk(stage, BOB, 30)
    talk(stage, ALICE, 8, ALICE.id)
    fill_session(stage)
    stage.clock.advance(2 * 3600)


# -- the process, and what it leaves


def born_again(stage):
    """Return what a new process makes of what another left: nothing but its store and the time."""
    again = Stage(model=stage.model, store=stage.store, **stage.mind.config.values)
    again.clock = again.mind.clock = stage.clock
    again.mind.role = stage.mind.role
    again.mind.recall.learn(again.store.rows.newest(10_000)[::-1])
    for part in AT_HAND:
        again.mind.recall.learn_part(part)
    for key in again.store.keys("profile"):
        again.mind.recall.learn_part("profile", key)
    return again


def observations(stage, who):
    """Return what was noted of somebody and proves no fact."""
    found = stage.store.read("profile", who.id)["observations"]
    return [one["content"] for one in found if not one.get("consolidated")]


def recorded(stage):
    """Return the records that the reports of all nights are made of."""
    return [one for one in stage.store.audit if one.type == RECORD]


def picture(stage):
    """Return all that is stored of what it knows, and of what its nights tell.

    Without what counts tries.
    """
    store = stage.store
    state = {where: {**one} for where, one in store.state.items()}
    for counter in ("pieces", "calls", "credit", "skipped", "spare"):
        del state["sleep", ""][counter]
    rows = [*store.memories.values(), *store.archived.values()]
    return (
        state,
        rows,
        list(store.archived),
        [(one.data, one.readers) for one in recorded(stage)],
    )


class Killed(BaseException):
    """The process is gone: nothing after this point happens, and nobody catches it."""


class Mortal(DictStore):
    """A store where each commit goes wrong once, in the way that `fails` says.

    The process dies ``before`` it, or ``after`` it is written, or it is ``refused``.
    """

    def __init__(self):
        super().__init__(PARTS)
        self.fails = ""
        self.tries = 0

    def commit(self, commit):
        """Write everything, or die."""
        self.tries += 1
        first = self.tries % 2 == 1
        if self.fails == "before" and first:
            raise Killed
        self.refuse = self.fails == "refused" and first
        written = super().commit(commit)
        if self.fails == "after":
            raise Killed
        return written


class NightModel(Model):
    """Answers each job of the night by what it is shown: never wrong, and always the same.

    With `deadly` the process dies of the first answer to each question. It stands still at the
    first question called `holds_at` until `hold` is released. Those in `silent` get no answer.
    """

    silent = frozenset()

    def __init__(self, *, deadly=False, holds_at=""):
        self.asked = []
        self.deadly, self.holds_at = deadly, holds_at
        self.hold = None
        self._deadly_ones = set()

    async def complete(self, request):
        """Return the answer to one question."""
        job, data = request.messages[0].content, request.messages[-1].content
        (name,) = [name for name in self._answers if load_prompt(name) == job]
        self.asked.append(name)
        if name in self.silent:
            raise ModelUnavailable("It is down.")
        if self.deadly and data not in self._deadly_ones:
            self._deadly_ones.add(data)
            raise Killed
        if name == self.holds_at and self.hold is None:
            self.hold = Hold()
            await self.hold
        return ModelReply(text=self._answers[name](json.loads(data)))

    @staticmethod
    def _facts(data):
        names = {one["who"]: one["name"] for one in data["people"]}
        facts = []
        for line in data["lines"]:
            about = line.get("about") or line["who"]
            text = line["says"] if line["kind"] == "note" else f"{names[about]}: {line['says']}"
            fact = {"about": about, "fact": text, "lines": [line["id"]], "quote": line["says"]}
            facts.append(fact)
        return json.dumps({"facts": facts, "people": []})

    _answers = {
        "consolidate": _facts,
        "score": lambda data: json.dumps([{"id": one["id"], "importance": 7} for one in data]),
        "questions": lambda data: "What is in the vault?\nWho asked for it?",
        "insights": lambda data: json.dumps(
            [
                {"insight": one["text"].rpartition(": ")[2], "evidence": [one["id"]]}
                for one in data["evidence"][:2]
            ]
        ),
        "rescue": lambda data: "[]",
        "summarise": lambda data: "- They: said this and that",
    }
