"""Random histories of any part of memory: the steps' own signatures say what may be passed."""

import inspect

from hypothesis import strategies as st

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.readers import NOBODY, OPEN
from ai_assistant.memory.blocks.status_block import EMOTIONS
from ai_assistant.planning.goal_tree import PRIORITIES, STATUSES
from ai_assistant.planning.goals import new_goal

PEOPLE = ("e-alice", "e-bob", "e-carol")
LABELS = (OPEN, NOBODY, *PEOPLE, "e-alice,e-bob", "e-bob,e-carol")
WORDS = "the lantern hangs behind mill river Über straße night 42 , . \" ' (no) €".split(" ")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
times = st.integers(0, 4_000_000_000).map(float)
CHOICES = {
    "readers": LABELS,
    "author": ("", *PEOPLE, "e-alice,e-bob"),
    "entity_id": PEOPLE,
    "entity_type": ("player", "npc", "object"),
    "role": ("user", "assistant"),
    "memory_type": ("fact", "pattern"),
    "source_entity": ("", *PEOPLE),
    "who": PEOPLE,
    "place": ("room1", "room2"),
    "writer": ("game",),
    "emotion": EMOTIONS,
    "kind": ("", "secret"),
    "score": (-2, -1, 0, 1, 2),
    "body": PEOPLE,
    "source_type": ("direct", "observation", "inference", "environmental"),
}
"""Parameters whose values are not free."""
SOURCES = ("direct", "inferred", "told")
entries = st.fixed_dictionaries(
    {
        "id": st.uuids().map(str),
        "timestamp": st.just("2026-11-21T18:04:00Z"),
        "event_type": st.sampled_from(["external", "self_speech"]),
        "kind": st.sampled_from(["say", "whisper", "gift"]),
        "who_id": st.sampled_from(PEOPLE),
        "who": st.just("Somebody"),
        "content": texts,
        "importance": st.integers(1, 10),
        "readers": st.sampled_from(LABELS),
        "place": st.just("room1"),
        "place_name": st.just("the inn"),
        "turn_id": st.sampled_from(["t1", "t2"]),
    }
)
components = st.fixed_dictionaries(
    {"key": st.sampled_from(["rules", "mood"]), "id": st.integers(1, 999), "text": texts}
)
ids = st.sampled_from(["goal_1_0", "goal_1_1", "goal_1_2"])
goals = st.builds(
    new_goal,
    ids,
    texts,
    at=times,
    priority=st.sampled_from(PRIORITIES),
    parent_id=st.none() | ids,
    readers=st.sampled_from(LABELS),
    author=st.sampled_from(PEOPLE),
)
former = {
    "type": st.just("trait"),
    "value": texts,
    "created": st.just("2026-11-21T18:04:00Z"),
    "source": st.sampled_from(SOURCES),
    "author": st.sampled_from(PEOPLE),
    "evidence": st.lists(st.integers(1, 99), max_size=3),
}
pasts = st.lists(
    st.fixed_dictionaries({**former, "until": st.just("2026-11-22T18:04:00Z")}), max_size=2
)
items = st.fixed_dictionaries(
    {
        **former,
        "content": texts,
        "timestamp": st.just("2026-11-21T18:04:00Z"),
        "readers": st.sampled_from(LABELS),
        "trust": st.just(0.9),
        "was": pasts,
    }
)
"""What may stand for a trait or an observation."""
BY_NAME = {
    "added": st.lists(entries, max_size=3),
    "goal": goals,
    "goal_id": ids,
    "progress": st.none() | st.integers(0, 100),
    "status": st.sampled_from(["", *STATUSES]),
    "key": st.sampled_from(["tavern", "quest"]),
    "component": components,
    "verdict": entries,
    "persona": st.fixed_dictionaries({"role": texts}),
    "human": st.dictionaries(st.sampled_from(PEOPLE), st.lists(texts, max_size=3), max_size=2),
    "locations": st.lists(st.fixed_dictionaries({"name": texts}), max_size=2),
    "at": times,
    "heard": st.lists(st.sampled_from(PEOPLE), max_size=3),
    "lines": st.dictionaries(texts, texts, max_size=3),
    "earlier": st.builds(PARTS["prompt"].empty),
    "priority": st.integers(1, 9),
    "rows": st.dictionaries(
        st.sampled_from(LABELS), st.lists(st.integers(1, 99), max_size=3), max_size=2
    ),
}
BY_TYPE = {
    "str": texts,
    "float": st.floats(-1, 1),
    "int": st.integers(0, 10),
    "bool": st.booleans(),
    "Sequence[str]": st.lists(texts, max_size=3),
    "list[str]": st.lists(texts, max_size=3),
    "Collection[str]": st.lists(texts, max_size=3),
    "Sequence[Json]": st.lists(items, max_size=3),
    "Mapping[str, int]": st.dictionaries(st.integers(1, 9).map(str), st.integers(0, 12)),
    "Sequence[float]": st.lists(st.integers(-9, 999), max_size=3),
    "Mapping[str, Any]": st.dictionaries(
        st.sampled_from(["emotion", "health", "position", "engagement", "tide"]), texts, max_size=3
    ),
    "Sequence[int]": st.lists(st.integers(1, 99), max_size=3),
    "list[int]": st.lists(st.integers(1, 99), max_size=3),
    "int | None": st.none() | st.integers(0, 10),
    "float | None": st.none() | times,
}


def arguments(op, step):
    """Return a strategy for the arguments of a step, without the state."""
    values = {}
    for name, param in list(inspect.signature(step).parameters.items())[1:]:
        if name in CHOICES:
            values[name] = st.sampled_from(CHOICES[name])
        elif name == "source":
            values[name] = st.sampled_from(SOURCES)
        elif name == "priority" and param.annotation == "str":
            values[name] = st.sampled_from(PRIORITIES)
        elif name in BY_NAME:
            values[name] = BY_NAME[name]
        elif param.annotation in BY_TYPE:
            values[name] = BY_TYPE[param.annotation]
        elif param.default is param.empty:
            raise TypeError(f"{op}: what may be passed as '{name}'? Tell tests/steps.py.")
    return st.fixed_dictionaries(values)


def changes_of(name):
    """Return a strategy for one step of a part: (part, key, op, arguments)."""
    part = PARTS[name]
    keys = st.sampled_from(PEOPLE[:2]) if part.keyed else st.just("")
    steps = [
        st.tuples(st.just(name), keys, st.just(op), arguments(op, step))
        for op, step in part.steps.items()
    ]
    return st.one_of(steps)


histories = st.lists(
    st.one_of([changes_of(name) for name, part in PARTS.items() if part.steps]), max_size=12
)
"""Some steps of any parts, one after the other."""
block_histories = st.lists(
    st.one_of([changes_of(name) for name, part in PARTS.items() if part.is_block]), max_size=12
)
"""The same of blocks alone."""
