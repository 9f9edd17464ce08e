"""The memory blocks: who may write which, what fits, how words are edited, and what is shown."""

import json
from itertools import product

import pytest

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.errors import BlockRefused
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import rules, visible
from ai_assistant.memory.blocks.items import digest_of, line_before, replacement
from ai_assistant.memory.blocks.shapes import template
from ai_assistant.memory.blocks.status_block import EMOTIONS, MAX_MORE, checked_fields, of_body
from ai_assistant.memory.people.profiles import PROFILE, add_entity_observation
from ai_assistant.memory.people.traits import add_attribute
from ai_assistant.planning.block_views import private_block, task_block
from ai_assistant.planning.goals import new_goal

WRITERS = {
    "persona": {"designer", "game"},
    "private": {"npc", "sub_process"},
    "shared_social": {"npc", "game", "sub_process"},
    "global_knowledge": {"game", "sub_process"},
    "status": {"game", "npc"},
    "tasks": {"npc", "game", "sub_process"},
}
"""Written down once more, by hand: who updates what, for each block."""
STEPS = {
    "shared_social": ("add_line", {"content": "The bridge is mended.", "at": 1.0}),
    "global_knowledge": ("add_line", {"content": "The tower fell.", "at": 1.0}),
    "status": ("set_status", {"fields": {"health": 87}, "at": 1.0}),
}


def block(part, *steps, **columns):
    """Return the state after these steps (op, arguments) by game code; and what spilled over."""
    state, rows = PARTS[part].empty() | columns, []
    for op, args in steps:
        rows += PARTS[part].apply(state, op, {"writer": "game", "at": 1.0, **args})
    return state, rows


def contents(state, name="recent_facts"):
    return [one["content"] for one in state[name]]


# -- writers × blocks


@pytest.mark.parametrize(("writer", "label"), [*product(rules.WRITERS, rules.SIX)])
def test_who_may_update_what(writer, label):
    """Each of four writers on each of six blocks: as that says, and nothing else."""
    assert rules.may_update(writer, label) is (writer in WRITERS[label])
    if writer in WRITERS[label]:
        rules.check_writer(writer, label)
    else:
        with pytest.raises(BlockRefused, match=f"{label} is not written by '{writer}'"):
            rules.check_writer(writer, label)


@pytest.mark.parametrize(("writer", "label"), [*product(rules.WRITERS, STEPS)])
def test_no_step_gets_around_it(writer, label):
    """The steps themselves ask who writes: no code path changes a block without that."""
    op, args = STEPS[label]
    state = PARTS[label].empty()
    before = json.dumps(state)
    if writer in WRITERS[label]:
        PARTS[label].apply(state, op, {**args, "writer": writer})
        assert json.dumps(state) != before
    else:
        with pytest.raises(BlockRefused):
            PARTS[label].apply(state, op, {**args, "writer": writer})
        assert json.dumps(state) == before


@pytest.mark.parametrize("label", STEPS)
def test_every_step_says_who_writes(label):
    """A step without a writer is a bug, and shows as one."""
    op, args = STEPS[label]
    with pytest.raises(TypeError):
        PARTS[label].apply(PARTS[label].empty(), op, args)


def test_nobody_writes_a_block_of_no_kind():
    """What is none of the six goes by its type; without one, nobody may."""
    assert rules.may_update("npc", "guild_rules", "shared")
    assert not rules.may_update("npc", "house_rules", "global")
    assert not any(rules.may_update(one, "whatever") for one in rules.WRITERS)


# -- limits


def test_a_full_block_refuses_and_asks_for_a_summary():
    """Over the limit nothing is written, nothing is cut, and the flag is set."""
    state, _ = block(
        "shared_social",
        ("add_line", {"content": "short"}),
        ("add_line", {"content": "x" * 400}),
        limit=400,
    )
    assert contents(state) == ["short"]
    assert state["needs_compaction"]


def test_lore_and_places_refuse_too():
    """Neither lore nor a place displaces what stands there."""
    state, _ = block("global_knowledge", limit=400)
    PARTS["global_knowledge"].apply(state, "set_lore", {"text": "Old.", "writer": "game"})
    PARTS["global_knowledge"].apply(state, "set_lore", {"text": "y" * 500, "writer": "game"})
    place = {"name": "Market", "description": "z" * 500, "at": 1.0, "writer": "game"}
    PARTS["global_knowledge"].apply(state, "set_location", place)
    assert (state["lore"], state["locations"], state["needs_compaction"]) == ("Old.", [], True)


def test_a_status_never_fails():
    """Any number of fields, of any length: the oldest of the game's own give way."""
    fields = [
        ("set_status", {"fields": {f"f{n}": "x" * 900, "emotion": "calm"}}) for n in range(99)
    ]
    state, _ = block("status", *fields, limit=600)
    assert rules.json_length(rules.value_of(state)) <= 600
    assert len(state["more"]) <= MAX_MORE
    assert list(state["more"])[-1] == "f98"
    assert (state["emotion"], state["last_updated"][:4]) == ("calm", "1970")


def test_older_talks_become_rows():
    """Of group interactions the newest twenty stay; the same talk is noted once."""
    talks = [
        ("record_group_interaction", {"participants": ["Al", "Bo"], "topic": f"topic {n}"})
        for n in (*range(25), 24)
    ]
    state, rows = block("shared_social", *talks)
    assert [one["topic"] for one in state["group_interactions"]] == [
        f"topic {n}" for n in range(5, 25)
    ]
    assert [row.content for row in rows] == [f"Al, Bo: topic {n}" for n in range(5)]


# -- two writers


def test_two_writers_lose_nothing():
    """Steps of two writers who read the same state both count: appends commute."""
    mine, yours = ({"content": "mine"}, {"content": "yours"})
    one, _ = block("shared_social", ("add_line", mine), ("add_line", yours))
    other, _ = block("shared_social", ("add_line", yours), ("add_line", mine))
    assert sorted(contents(one)) == sorted(contents(other)) == ["mine", "yours"]


def test_an_edit_of_what_changed_meanwhile_does_nothing():
    """The old words must still be there, whole and under the same label."""
    state, rows = block(
        "shared_social",
        ("add_line", {"content": "The bridge is out."}),
        ("edit_line", {"old": "The bridge is", "new": "gone"}),
        ("edit_line", {"old": "The bridge is out.", "new": "gone", "readers": "e-bob"}),
    )
    assert (contents(state), rows) == (["The bridge is out."], [])


def test_edited_words_are_kept_as_a_row():
    """What a fact said before is evidence: it becomes a memory row under its own label."""
    state, rows = block(
        "shared_social",
        ("add_line", {"content": "The bridge is out.", "author": "e-al"}),
        ("edit_line", {"old": "The bridge is out.", "new": "It is mended.", "author": "e-bo"}),
    )
    assert contents(state) == ["It is mended."]
    assert state["recent_facts"][0]["author"] == "e-al,e-bo"
    assert [(row.content, row.kind, row.author) for row in rows] == [
        ("The bridge is out.", "shared_fact", "e-al")
    ]


# -- editing by words


LINES = [
    {"content": "The bridge is out.", "readers": "*"},
    {"content": "The mill is closed.", "readers": "*"},
    {"content": "Bob hides under the bridge.", "readers": "e-bob"},
]


def test_only_an_unmistakable_match_is_replaced():
    """Words that stand once under one's own label; not others', not twice, not nowhere."""
    found = replacement(labelled.under(LINES, "*"), "bridge", "ford")
    assert (found.item["content"], found.new) == ("The bridge is out.", "The ford is out.")
    for old, why in ((" is ", "2 times"), ("dragon", "not there"), (" ", "which words")):
        with pytest.raises(BlockRefused, match=why):
            replacement(labelled.under(LINES, "*"), old, "x")


def test_what_others_may_not_read_is_not_even_counted():
    """A secret line neither matches nor numbers anything in open company."""
    mine = labelled.under(LINES, "*")
    assert replacement(mine, "The bridge", "A bridge").new == "A bridge is out."
    assert line_before(LINES, "*", 3) == "The mill is closed."
    with pytest.raises(BlockRefused, match="2 lines"):
        line_before(LINES, "*", 4)
    with pytest.raises(BlockRefused):
        replacement(mine, "Bob", "x")


def test_an_insert_stands_where_it_was_meant():
    """First, in between, or at the end where the line before it is gone."""
    state, _ = block(
        "custom_block",
        ("add_line", {"content": "b"}),
        ("insert_line", {"content": "a", "after": ""}),
        ("insert_line", {"content": "c", "after": "gone"}),
        ("insert_line", {"content": "a2", "after": "a"}),
    )
    assert contents(state, "lines") == ["a", "a2", "b", "c"]


# -- summaries


def test_a_summary_takes_the_place_and_rows_keep_the_words():
    """Only what is still there goes, and only under the label of the summary."""
    state, rows = block(
        "shared_social",
        *(("add_line", {"content": f"fact {n} is long enough", "author": "e-al"}) for n in "123"),
        ("add_line", {"content": "fact 1 is long enough", "readers": "e-bob"}),
        ("settle", {"gone": ["fact 1 is long enough", "fact 2 is long enough", "gone meanwhile"],
                    "summary": "Two facts.", "author": "npc"}),
    )  # fmt: skip
    assert [(one["content"], one["readers"]) for one in state["recent_facts"]] == [
        ("Two facts.", "*"),
        ("fact 3 is long enough", "*"),
        ("fact 1 is long enough", "e-bob"),
    ]
    assert [row.content for row in rows] == ["fact 1 is long enough", "fact 2 is long enough"]
    assert state["recent_facts"][0]["author"] == "e-al,npc"
    assert not state["needs_compaction"]


def test_events_of_the_world_go_to_the_world():
    """What a summary of the world replaces belongs to nobody's own memory."""
    _, rows = block(
        "global_knowledge",
        ("add_line", {"content": "The tower fell in the night."}),
        ("settle", {"gone": ["The tower fell in the night."], "summary": "It fell."}),
    )
    assert [(row.content, row.container) for row in rows] == [
        ("The tower fell in the night.", "world")
    ]


def test_a_digest_tells_what_matters_in_whole_sentences():
    """By rule and in its order: what matters most, then the newest; nothing is cut."""
    told = [f"Somebody swept yard number {n}. " + "It was windy. " * 20 for n in range(9)]
    told[1] = "A spy betrayed the king, who is dead."
    digest = digest_of([{"content": text} for text in told])
    assert digest.startswith("Earlier: A spy betrayed the king, who is dead; Somebody swept yard")
    assert "yard number 8. It was windy" in digest
    assert "yard number 0" not in digest
    assert len(digest) <= 600
    assert "…" not in digest


def test_a_digest_of_a_digest_keeps_what_matters():
    """What an earlier summary told is weighed like the rest, not lost as a whole."""
    first = digest_of([{"content": "The king is dead."}, {"content": "It rained."}])
    later = [{"content": f"Somebody swept a yard in street number {n} today."} for n in range(20)]
    digest = digest_of([{"content": first}, *later])
    assert digest.startswith("Earlier: The king is dead; ")
    assert "street number 0" not in digest


# -- status


def test_position_follows_the_body_and_feelings_are_shared():
    """Two bodies have places of their own; what the game knows now is what counts."""
    state, _ = block(
        "status",
        ("set_status", {"fields": {"position": [1, 2], "emotion": "calm"}, "body": "e-one"}),
        ("set_status", {"fields": {"engagement": "Patrolling"}, "body": "e-two"}),
    )
    one = of_body(state, "e-one", {"location": "The Inn", "position": [9, 9], "engagement": "idle"})
    two = of_body(state, "e-two", {"location": "The Gate", "engagement": "idle"})
    assert (one["position"], one["engagement"], one["emotion"]) == ([9, 9], "idle", "calm")
    assert (two["location"], two["engagement"], two["emotion"]) == (
        "The Gate",
        "Patrolling",
        "calm",
    )
    assert "position" not in two


def test_a_field_is_taken_back_with_none():
    """Then it follows the object again."""
    state, _ = block(
        "status",
        ("set_status", {"fields": {"engagement": "Patrolling", "tide": "high"}, "body": "e"}),
        ("set_status", {"fields": {"engagement": None, "tide": None}, "body": "e"}),
    )
    assert of_body(state, "e", {"engagement": "idle"}) == {"engagement": "idle"}


def test_what_the_game_sets_takes_the_place_of_a_feeling():
    """Its words go with it; a word of the game's own may be any."""
    felt = {"emotion": "sad about Bob", "readers": "e-al"}
    state, _ = block("status", ("feel", felt))
    assert of_body(state, "e", {})["emotion"] == "sad"
    assert of_body(state, "e", {}, lambda *_: True)["emotion"] == "sad about Bob"
    state, _ = block("status", ("feel", felt), ("set_status", {"fields": {"emotion": "wild"}}))
    assert of_body(state, "e", {}, lambda *_: True)["emotion"] == "wild"
    assert len(set(EMOTIONS)) == len(EMOTIONS)
    assert checked_fields({"Mood Swing": "|rred|n {x}", "": 1}) == {"mood_swing": "/rred/n (x)"}


# -- views and the visible form


def profile():
    made = PROFILE.empty() | {"name": "Alice", "last_interaction": "1970-01-01T00:00:00Z"}
    common = {"entity_id": "e-al", "at": 1.0}
    add_entity_observation(
        made, content="Knows of the tunnel.", source="direct", readers="e-al", **common
    )
    add_entity_observation(made, content="Plays chess.", source="direct", **common)
    add_attribute(made, type="trait", value="brave", source="staff", **common)
    return made


def test_the_private_block_is_the_profile():
    """All fields, and as secrets what only that person may read."""
    seen = private_block(profile(), "e-al", (), now=1.0, allow=lambda readers, author: True)
    assert seen == {
        "name": "Alice",
        "relationship_status": "stranger",
        "last_interaction": "today: Plays chess.",
        "trust_score": 15,
        "secrets": ["Knows of the tunnel."],
        "notes": ["brave", "Plays chess."],
    }


def test_secrets_are_shown_to_nobody_else():
    """In open company the block has no secrets."""
    seen = private_block(
        profile(), "e-al", (), now=1.0, allow=lambda readers, author: readers == "*"
    )
    assert (seen["secrets"], seen["notes"]) == ([], ["brave", "Plays chess."])
    assert seen["last_interaction"] == "today: Plays chess."


def test_tasks_are_the_goals_by_urgency():
    """As data, the most urgent first."""
    goals = [
        new_goal("goal_0_1", "Find food", at=1.0),
        new_goal("goal_0_2", "Patrol the eastern gate", at=2.0, priority="high"),
    ]
    tasks = task_block(goals, now_game=0.0, allow=lambda readers, author: True)["tasks"]
    assert [(one["description"], one["priority"]) for one in tasks] == [
        ("Patrol the eastern gate", "High"),
        ("Find food", "Medium"),
    ]


def test_further_fields_stand_in_the_order_of_the_block():
    """At each start of a server the same: what a provider keeps of a prompt begins with them."""
    names = ["Sayings", "Lore", "Quirks", "Fears", "Hopes", "Debts"]
    shown = visible.visible_form({rules.PERSONA: {name.lower(): "x" for name in names}})
    assert [line.partition(":")[0] for line in shown.splitlines()[1:]] == names


def test_the_visible_form_is_the_seeds():
    """Every heading that has something under it, in a fixed order."""
    talk = {"participants": ["Al", "Bo"], "topic": "the fire"}
    fact = ("add_line", {"content": "The bridge is mended."})
    social, _ = block("shared_social", fact, ("record_group_interaction", talk))
    shown = visible.visible_form({
        "persona": {"name": "Seraphina", "role": "Captain", "personality": "stern", "oath": "yes"},
        "status": {"location": "The Gate", "emotion": "calm", "energy_level": 65},
        "tasks": {"tasks": [{"description": "Patrol", "priority": "High"},
                            {"description": "Eat", "priority": "Low"}]},
        "shared_social": social,
        "global_knowledge": {},
    })  # fmt: skip
    assert shown == (
        "Your Persona:\nName: Seraphina\nRole: Captain\nPersonality: stern\nOath: yes\n\n"
        "Current Status:\nLocation: The Gate\nEmotion: calm\nEnergy: 65\n\n"
        "Current Task:\n- Patrol (High)\n\n"
        "Recent Interactions:\n- Al, Bo: the fire\n\n"
        "Known Facts:\n- The bridge is mended."
    )


def test_the_table_has_each_of_the_six():
    assert {shown.block for shown in visible.VISIBLE} >= set(rules.SIX)


def test_templates_are_the_seeds():
    """Each type has one; tasks are a view and have none."""
    assert set(template("persona")) == {
        "name", "role", "personality", "interests", "home_location"
    }  # fmt: skip
    assert set(template("global_knowledge")) >= {"lore", "recent_events", "locations"}
    assert set(template("shared_social")) >= {"recent_facts", "group_interactions"}
    for name in ("tasks", "nonsense"):
        with pytest.raises(BlockRefused):
            template(name)
