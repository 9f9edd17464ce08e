"""Promises that hold for any history: nothing lost on the way, nobody learns more, no word left."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Category, Change, Commit, Entity, MemoryRow
from ai_assistant.core.model_records import ModelReply, ToolCall
from ai_assistant.core.ports import Model
from ai_assistant.core.readers import NOBODY, OPEN, members
from ai_assistant.memory.blocks.rules import value_of
from ai_assistant.memory.blocks.shapes import mended_block
from ai_assistant.memory.redaction import every_text, items_of, redact
from ai_assistant.memory.shared_text import LENGTH
from ai_assistant.memory.wipe import Wipe
from ai_assistant.testing import Stage
from ai_assistant.tools import BUILTIN
from tests.steps import LABELS, PEOPLE, block_histories, histories, texts

ALICE, BOB, CAROL = (Entity(one, one[2:].title(), "player") for one in PEOPLE)
WHO = {one.id: one for one in (ALICE, BOB, CAROL)}
KINDS = ("say", "whisper", "page")


def played(history):
    """Return the states that a history of steps leads to, by part and key."""
    states = {}
    for part, key, op, args in history:
        state = states.setdefault((part, key), PARTS[part].empty())
        PARTS[part].apply(state, op, json.loads(json.dumps(args)))
    return states


@given(histories, st.integers(0, 12))
def test_what_was_saved_goes_on_as_if_it_had_not_been(history, at):
    """A history that is saved and restored in its middle ends in the same state."""
    whole = played(history)
    states = json.loads(json.dumps([[*key, state] for key, state in played(history[:at]).items()]))
    restored = {(part, key): state for part, key, state in states}
    for part, key, op, args in history[at:]:
        state = restored.setdefault((part, key), PARTS[part].empty())
        PARTS[part].apply(state, op, args)
    assert restored == whole


@given(block_histories)
def test_a_block_is_read_as_it_was_written(history):
    """What steps made of a block needs no mending when it is read from its row."""
    for (part, _), state in played(history).items():
        value = json.loads(json.dumps(value_of(state)))
        assert mended_block(part, value, ALICE.id) == value


# -- forgetting


def stripped(states, wipe):
    """Let these states be learned and redacted, as forgetting does; returns what changed."""
    owned = [(key, state.get("entity_id") or key[1], state) for key, state in states.items()]
    for _, owner, state in owned:
        wipe.learn(items_of(state), owner)
    plans = [(state, wipe.plan(state, PARTS[key[0]].empty(), owner)) for key, owner, state in owned]
    for state, args in plans:
        redact(state, **(args or {"edits": {}}))
    return [args for _, args in plans if args]


@given(histories, st.booleans())
def test_forgotten_words_are_in_no_part(history, everything):
    """After forgetting, no twelve characters of hers are left, but in words that others said."""
    states = played(history)
    wipe = Wipe(entity=ALICE.id, everything=everything)
    hers = [
        text
        for (_, key), state in states.items()
        for item in items_of(state)
        if wipe.takes(item, state.get("entity_id") or key)
        for text in every_text({**item, "was": ()})  # what that had replaced holds again
    ]
    stripped(states, wipe)
    runs = {text.lower()[at : at + LENGTH] for text in hers for at in range(len(text) - LENGTH + 1)}
    for state in states.values():
        for text in every_text(wipe.cleansed(state) if everything else without_testimony(state)):
            assert not any(run in text.lower() for run in runs)


def without_testimony(value):
    """Return a state without what other people said, and traits that rest on lines that stay."""
    if isinstance(value, list):
        return [without_testimony(one) for one in value if not is_testimony(one)]
    if isinstance(value, dict):
        return {name: without_testimony(one) for name, one in value.items()}
    return value


def is_testimony(item):
    return isinstance(item, dict) and (
        item.get("role") == "user"
        or item.get("event_type") == "external"
        or item.get("kind") == "gift"
        or ("was" in item and bool(item.get("evidence")))
    )


@given(histories, st.booleans())
def test_forgetting_twice_is_forgetting_once(history, everything):
    """What was redacted has nothing left to redact."""
    states = played(history)
    wipe = Wipe(entity=ALICE.id, everything=everything)
    stripped(states, wipe)
    states = {key: {**PARTS[key[0]].empty(), **state} for key, state in states.items()}
    before = json.dumps([*states.values()])
    assert stripped(states, wipe) == []
    assert json.dumps([*states.values()]) == before


# -- who may read what


class Parrot(Model):
    """A model that passes every word of its prompt to the tools it is told to call, then speaks."""

    def __init__(self, names):
        self.names = names
        self.asked = 0

    async def complete(self, request):
        self.asked += 1
        shown = " ".join(message.content for message in request.messages)
        seen = " ".join(word for word in CANARIES if word in shown)
        offered = {one["function"]["name"]: one["function"] for one in request.tools}
        chosen = [name for name in self.names if name in offered] if self.asked == 1 else []
        speech = [name for name in ("say", "whisper", "page") if name in offered]
        calls = [
            ToolCall(f"c{self.asked}-{number}", name, filled(offered[name], seen or "nothing"))
            for number, name in enumerate(chosen or speech[:1])
        ]
        return ModelReply(tool_calls=tuple(calls))


def filled(function, words):
    """Return arguments for a tool that carry these words wherever words are possible."""
    made = {"reasoning": words}
    for name, schema in function["parameters"]["properties"].items():
        if name != "reasoning":
            made[name] = value_for(schema, words)
    return made


def value_for(schema, words):
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "array":
        return [value_for(schema["items"], words)]
    if schema["type"] == "string":
        return "p1" if "handle" in schema.get("description", "").lower() else words
    return {"integer": 5, "number": 0.01, "boolean": True}[schema["type"]]


CANARIES = {f"canary{number}": label for number, label in enumerate(LABELS)}
"""A word for each label; whoever holds it must not be wider."""
WRITING = [one.name for one in BUILTIN if one.category is Category.SAFE_CHAIN]
SEEDS = {
    "profile": ("add_entity_observation", {"entity_id": ALICE.id, "source": "direct"}, ALICE.id),
    "notebook": ("append", {}, ""),
    "session": ("add_session_memory", {"memory_type": "fact"}, ""),
    "journal": ("add_journal_entry", {"source_type": "direct"}, ""),
}
planted = st.lists(
    st.tuples(st.sampled_from(list(CANARIES)), st.sampled_from(["row", *SEEDS])), max_size=8
)


def plant(stage, word, where):
    """Let something with the word's label be remembered."""
    commit = Commit(at=stage.clock.now())
    note = {"content": f"They say {word} about the harbour.", "readers": CANARIES[word]}
    if where == "row":
        commit.rows.append(MemoryRow(author=BOB.id, learned_at=1.0, **note))
    else:
        op, more, key = SEEDS[where]
        commit.changes.append(Change(where, key, op, {**note, **more, "at": 1.0}))
    stage.mind.save(commit)


def labelled(stage):
    """Return (label, text) of everything that is stored."""
    for row in stage.store.memories.values():
        yield row.readers, row.content
    for record in stage.store.audit:
        yield record.readers, json.dumps(record.data)
    for (part, _), state in stage.store.state.items():
        outer = state.get("readers", NOBODY if part == "profile" else OPEN)
        yield from ((one.get("readers", outer), json.dumps(one)) for one in items_of(state))
        plain = {name: one for name, one in state.items() if isinstance(one, str)}
        if part != "projects":  # which of them is active is told with its slot, or not at all
            yield state.get("readers", OPEN), json.dumps(plain)


def is_within(readers, label):
    """Is the one label no wider than the other?"""
    return label == OPEN or (readers != OPEN and members(readers) <= members(label))


@given(
    planted,
    st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(KINDS)), min_size=1, max_size=3),
    st.lists(st.sampled_from(WRITING), max_size=4, unique=True),
    st.lists(st.sampled_from(PEOPLE), max_size=3, unique=True),
)
def test_nothing_that_is_written_has_more_readers(seeds, heard, tools, present):
    """Whatever tools a model fills with all it was shown, each word stays with its readers."""
    stage = Stage()
    stage.world.enter(*(WHO[one] for one in present))
    for word, where in seeds:
        plant(stage, word, where)
    for who, kind in heard:
        stage.mind.model = stage.model = Parrot(tools)
        stage.world.enter(WHO[who])
        stage.ask(WHO[who], "Captain, what of the harbour?", kind)
    for readers, text in labelled(stage):
        for word, label in CANARIES.items():
            assert word not in text or is_within(readers, label), (readers, label, text)


@given(st.sampled_from(LABELS), texts)
def test_spilled_rows_keep_their_readers(label, text):
    """What leaves a full part becomes a row under its own label."""
    for part, (op, more, key) in SEEDS.items():
        state = PARTS[part].empty()
        for number in range(200):
            item = {"content": f"{number} {text} " * 4, "readers": label, "at": 1.0, **more}
            rows = PARTS[part].apply(state, op, item)
            assert {row.readers for row in rows} <= {label}, (part, key)
