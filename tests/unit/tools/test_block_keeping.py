"""The tools of the memory blocks as a model uses them: what is kept, for whom, what is refused."""

import pytest

from ai_assistant.core.contracts import Change, Commit
from ai_assistant.planning.goals import new_goal
from ai_assistant.testing import people
from tests.unit.tools.calling import told

ALICE, BOB = people("Alice", "Bob")
BRIDGE = "The bridge is repaired."


def changed(stage, part, op, key="", **args):
    """Let the game take a step on a part of the state."""
    stage.mind.save(Commit(at=1.0, changes=[Change(part, key, op, args)]))


def a_goal(stage, words, priority="medium", readers="*"):
    number = len(stage.store.read("goals")["goals"])
    goal = new_goal(f"goal_0_{number}", words, at=1.0, priority=priority, readers=readers)
    changed(stage, "goals", "add_goal", goal=goal, at=1.0)
    return goal["id"]


def facts(stage):
    return [one["content"] for one in stage.store.read("shared_social")["recent_facts"]]


def share(fact):
    return ("share_fact", {"fact": fact})


def edit(block, action, text="", **more):
    return ("edit_block", {"block": block, "action": action, "text": text, **more})


# -- tasks


def test_tasks_are_done_in_their_order(stage):
    """The most urgent comes first; once it is done, the next; then there is nothing to do."""
    food, patrol = a_goal(stage, "Find food"), a_goal(stage, "Patrol the eastern gate", "high")
    for goal, words in ((patrol, "Patrol the eastern gate"), (food, "Find food")):
        task, _ = told(
            stage, ("get_next_task", {}), ("update_goal", {"goal_id": goal, "progress": 100})
        )
        assert (task["task"]["id"], task["task"]["description"]) == (goal, words)
    assert told(stage, ("get_next_task", {}))[0]["task"] is None


def test_a_private_task_is_nobody_elses(stage):
    """What Bob asked for in a whisper is no task where Alice listens."""
    a_goal(stage, "Dig the tunnel for Bob", "critical", readers=BOB.id)
    a_goal(stage, "Find food", "low")
    assert told(stage, ("get_next_task", {}))[0]["task"]["description"] == "Find food"
    (mine,) = told(stage, ("get_next_task", {}), who=BOB, kind="whisper")
    assert mine["task"]["description"] == "Dig the tunnel for Bob"


def test_looking_for_the_next_task_learns_no_other(stage):
    """Of several tasks only the one that is told sinks the ceiling."""
    a_goal(stage, "Find food", "high")
    a_goal(stage, "Dig the tunnel", readers="")
    stage.model.call("get_next_task").say("I look for food.")
    assert stage.ask(ALICE, "What do you do?").delivery.outcome == "said"


# -- feelings


def test_a_feeling_shows_in_the_status(stage):
    """It is stored, and in the prompt of the next turn."""
    (result,) = told(stage, ("update_emotion", {"emotion": " Proud "}))
    assert (result["emotion"], result["gauge"], result["before"]) == ("proud", "proud", "")
    assert stage.store.read("status")["emotion"] == "proud"
    stage.model.call("wait")
    stage.ask(ALICE, "And now?")
    assert "You feel proud." in stage.model.shown()


def test_a_feeling_has_words_of_its_own(stage):
    """A gauge shows the known word among them, in any form, and none where that is denied."""
    uneasy = "proudly uneasy about the storm"
    (result,) = told(stage, ("update_emotion", {"emotion": uneasy}))
    assert (result["emotion"], result["gauge"]) == (uneasy, "proud")
    stage.model.call("wait")
    stage.ask(ALICE, "And now?")
    assert f'You feel "{uneasy}".' in stage.model.shown()
    (result,) = told(stage, ("update_emotion", {"emotion": "Not happy at all."}))
    assert (result["emotion"], result["gauge"], result["before"]) == (
        *("not happy at all", ""),
        uneasy,
    )


def test_what_is_felt_in_private_is_told_in_private(stage):
    """Its words could carry a secret into everybody's prompt: others see the known word alone."""
    secret = "worried about the tunnel"
    told(stage, ("update_emotion", {"emotion": secret}), kind="whisper")
    for kind, feeling in (("say", "You feel worried."), ("whisper", f'You feel "{secret}".')):
        stage.model.call("wait")
        stage.ask(ALICE, "And now?", kind)
        assert feeling in stage.model.shown()
    (read,) = told(stage, ("read_block", {"block": "status"}))
    assert read["value"]["emotion"] == "worried"


def test_a_feeling_is_a_few_words(stage):
    """A long one is refused, not cut."""
    (result,) = told(stage, ("update_emotion", {"emotion": "so very sad " * 20}))
    assert not result["ok"]
    assert stage.store.read("status")["emotion"] == ""


# -- secrets between two


def test_what_is_confided_stays_between_two(stage):
    """It is a secret of that person's profile, whoever listened when it was noted."""
    told(stage, ("record_interaction", {"entity": "p1", "details": "Alice fears the dark."}))
    (item,) = stage.store.read("profile", ALICE.id)["observations"]
    assert (item["content"], item["readers"]) == ("Alice fears the dark.", ALICE.id)


def test_secrets_of_one_player_are_in_no_prompt_of_another(stage):
    """Alice reads hers back in private; for Bob, and in open company, it is not there."""
    details = {"entity": "p1", "details": "Alice found the hidden tunnel."}
    told(stage, ("record_interaction", details), kind="whisper")
    read = ("read_block", {"block": "private"})
    (hers,) = told(stage, read, kind="whisper")
    assert hers["value"]["secrets"] == ["Alice found the hidden tunnel."]
    for who, kind, block in (
        (BOB, "whisper", read),
        (BOB, "say", read),
        (ALICE, "say", read),
        (BOB, "whisper", ("read_block", {"block": "private", "entity": "p1"})),
    ):
        (theirs,) = told(stage, block, who=who, kind=kind)
        assert theirs["value"]["secrets"] == []
        assert "tunnel" not in stage.model.shown()


def test_what_one_confides_of_another_is_for_neither(stage):
    """Bob's whisper about Alice: she must not hear it, and he has no claim on her block."""
    details = {"entity": "p1", "details": "Alice stole the ring."}
    told(stage, ("record_interaction", details), who=BOB, kind="whisper")
    (item,) = stage.store.read("profile", ALICE.id)["observations"]
    assert (item["readers"], item["source"]) == ("", "told")


# -- facts for everybody


def test_a_fact_is_shared_with_everybody(stage):
    """It is in the prompt of whoever asks, and there once."""
    first, again = told(stage, share(BRIDGE), share(f"{BRIDGE} "))
    assert (first["added"], again["note"]) == (BRIDGE, "Exactly that stands there already.")
    assert facts(stage) == [BRIDGE]
    stage.model.call("wait")
    stage.ask(BOB, "What news?")
    assert BRIDGE in stage.model.shown()


@pytest.mark.parametrize("kind", ["whisper", "page"])
def test_confidences_are_not_shared(stage, kind):
    """A turn that knows a secret cannot write for everybody, whatever the model wants."""
    stage.world.online.add(ALICE.id)
    (result,) = told(stage, share("Alice has the key."), kind=kind)
    assert "in confidence" in result["error"]
    assert facts(stage) == []


def test_a_full_block_says_so(stage):
    """Nothing is written, the result is clear, and the next sleep summarises."""
    for number in range(40):
        changed(
            stage, "shared_social", "add_line",
            content=f"{number} " + "x" * 300, at=1.0, writer="game",
        )  # fmt: skip
    before = facts(stage)
    (result,) = told(stage, share("y" * 400))
    assert not result["success"]
    assert "6000 characters" in result["error"]
    assert facts(stage) == before
    assert stage.store.read("shared_social")["needs_compaction"]


def test_it_writes_nothing_about_itself(stage):
    """The persona guard holds for blocks as for all that is kept."""
    (result,) = told(stage, share("I am the king of the hill."))
    assert "about yourself" in result["error"]


# -- reading and editing


def test_every_block_can_be_read(stage):
    """The six by their names; what there is not is told with what there is."""
    changed(stage, "global_knowledge", "add_line", content="War!", at=1.0, writer="game")
    reads = [
        ("read_block", {"block": one})
        for one in ("persona", "private", "shared_social", "global_knowledge", "status", "nonsense")
    ]
    stage.world.body = {"health": 87}
    persona, private, social = told(stage, *reads[:3])
    world, status, nonsense = told(stage, *reads[3:])
    assert persona["value"]["role"] == "Captain of the Guard"
    assert private["value"]["name"] == "Alice"
    assert social["lines"] == []
    assert world["lines"] == [{"news": "War!", "on": "1970-01-01"}]
    assert (status["value"]["health"], status["value"]["location"]) == (87, stage.world.place_name)
    assert "There are: persona, private" in nonsense["error"]


@pytest.mark.parametrize("block", ["persona", "global_knowledge"])
@pytest.mark.parametrize("action", ["replace", "insert", "append"])
def test_read_only_blocks_refuse(stage, block, action):
    """Who it is and what the world knows is the game's to write."""
    (result,) = told(stage, edit(block, action, "The king is dead.", old_text="x"))
    assert result["error"] == f"You cannot write the block {block}: it is the game's."


def test_lines_are_appended_inserted_and_replaced(stage):
    """By number and by unmistakable words; what stood there before is still remembered."""
    told(stage, edit("shared_social", "append", "The mill is closed."))
    told(stage, edit("shared_social", "insert", BRIDGE, line=1))
    (read,) = told(stage, ("read_block", {"block": "shared_social"}))
    assert read["lines"] == [
        {"text": BRIDGE, "line": 1},
        {"text": "The mill is closed.", "line": 2},
    ]
    told(stage, edit("shared_social", "replace", "open", old_text="closed"))
    assert facts(stage) == [BRIDGE, "The mill is open."]
    told(stage, edit("shared_social", "replace", "", old_text=BRIDGE))
    assert facts(stage) == ["The mill is open."]
    kept = [row.content for row in stage.store.rows.newest(9) if row.kind == "shared_fact"]
    assert kept == [BRIDGE, "The mill is closed."]


@pytest.mark.parametrize(
    ("old", "why"), [("The", "2 times"), ("dragon", "not there"), ("", "which words")]
)
def test_a_doubtful_replacement_is_refused(stage, old, why):
    """Several matches, none, or no words: nothing is changed."""
    told(stage, share("The mill is closed."), share("The inn is full."))
    (result,) = told(stage, edit("shared_social", "replace", "A", old_text=old))
    assert why in result["error"]
    assert facts(stage) == ["The mill is closed.", "The inn is full."]


def test_in_private_nothing_open_is_replaced(stage):
    """An editing turn touches only what has its own label: a whisper rewrites no open fact."""
    told(stage, share(BRIDGE))
    (result,) = told(
        stage, edit("shared_social", "replace", "burnt", old_text="repaired"), kind="whisper"
    )
    assert not result["ok"]
    assert facts(stage) == [BRIDGE]


def test_notes_of_the_private_block_are_put_right(stage):
    """Its own words about somebody are replaced, and the old ones become a memory."""
    note = {"entity": "p1", "observation": "Alice plays chess."}
    told(stage, ("update_entity_observation", note))
    (result,) = told(stage, edit("private", "replace", "cards", old_text="chess"))
    assert (result["now"], result["was"]) == ("Alice plays cards.", "Alice plays chess.")
    assert [one["content"] for one in stage.store.read("profile", ALICE.id)["observations"]] == [
        "Alice plays cards."
    ]
    assert "Alice plays chess." in [row.content for row in stage.store.rows.newest(9)]


def test_the_task_block_is_edited_as_goals(stage):
    """To append is to add a goal, to replace words changes it, to replace all drops it."""
    told(stage, edit("tasks", "append", "Mend the gate."))
    told(stage, edit("tasks", "replace", "wall", old_text="gate"))
    (goal,) = stage.store.read("goals")["goals"]
    assert (goal["description"], goal["status"]) == ("Mend the wall.", "active")
    told(stage, edit("tasks", "replace", "", old_text="Mend the wall."))
    (goal,) = stage.store.read("goals")["goals"]
    assert goal["status"] == "dropped"
    (result,) = told(stage, edit("tasks", "append", "x" * 201))
    assert "'description' has 201 characters" in result["error"]


def test_blocks_of_the_games_own(stage):
    """They are read and edited by their labels; one for everybody only read."""
    line = {"content": "Meet at dawn.", "at": 1.0, "writer": "game"}
    changed(stage, "custom_block", "add_line", "guild", **line)
    told(stage, edit("guild", "append", "Bring ropes."))
    (read,) = told(stage, ("read_block", {"block": "guild"}))
    assert [one["text"] for one in read["lines"]] == ["Meet at dawn.", "Bring ropes."]
    guild = stage.store.read("custom_block", "guild")
    stage.store.state["custom_block", "guild"] = guild | {"type": "global"}
    (result,) = told(stage, edit("guild", "append", "And axes."))
    assert "it is the game's" in result["error"]
    assert "Meet at dawn." in stage.model.shown()
