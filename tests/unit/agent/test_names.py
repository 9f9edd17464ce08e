"""Names: whom and what a model names, present or absent, as far as its listeners may know them."""

import pytest

from ai_assistant.agent.turn.handles import extend, find_thing, get_thing, things_named
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import Change, Commit, Entity
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.seen import Thing
from ai_assistant.testing import Stage, people

ALICE, BOB, CAROL = people("Alice", "Bob", "Carol")
TANSY = Entity("e-tansy", "Tansy Brewell", "npc")
IDOL = Entity("e-idol", "stone idol", "object")


@pytest.fixture
def stage():
    made = Stage()
    made.world.enter(ALICE, TANSY)
    made.world.carry("rose")
    made.world.lay("brass lantern")
    made.world.place_exit("oak door", "cellar")
    return made


def turn_of(stage, kind="say", who=ALICE):
    return begin(stage.mind, [stage.hear(who, "Well?", kind)], f"turn-{kind}")


def noted(stage, who, text="Likes tea.", readers=OPEN):
    """Let something be known of somebody whom it never met."""
    identity = {"name": who.name, "entity_type": who.kind, "at": 0.0}
    item = {"entity_id": who.id, "content": text, "source": "told", "at": 0.0, "readers": readers}
    steps = [("create_entity_profile", identity), ("add_entity_observation", item)]
    stage.mind.save(Commit(0.0, changes=[Change("profile", who.id, *step) for step in steps]))


@pytest.mark.parametrize(
    ("name", "kind", "meant"),
    [
        ("p1", "person", "Alice"),
        ("P1", "person", "Alice"),
        ("alice", "person", "Alice"),
        ("Alice (p1)", "person", "Alice"),
        ("p1 Alice", "person", "Alice"),
        ("Tansy", "person", "Tansy Brewell"),
        ("brewell", "any", "Tansy Brewell"),
        ("the lantern", "item", "brass lantern"),
        ("the brass lantern", "lying", "brass lantern"),
        ("ROSE", "carried", "rose"),
        ("rose", "lying", "rose"),
        ("o2", "any", "brass lantern"),
        ("oak door", "exit", "oak door"),
        ("the door", "exit", "oak door"),
        ("the cellar", "exit", "oak door"),
        ("cellar", "any", "oak door"),
    ],
)
def test_a_name_stands_for_what_is_seen(stage, name, kind, meant):
    """By handle, by name in any case, by its telling word, and a way by where it leads."""
    assert get_thing(turn_of(stage), name, kind).entity.name == meant


@pytest.mark.parametrize(
    ("name", "kind"),
    [("p9", "any"), ("o1", "person"), ("rose", "person"), ("Alice", "item"), ("lice", "any"),
     ("the", "any"), ("", "any"), ("   ", "person"), ("Carol", "person"), ("Alice", "exit")],
)  # fmt: skip
def test_nothing_of_that_name_is_nothing(stage, name, kind):
    """No part of a word, nothing of another kind, nobody unknown."""
    turn = turn_of(stage)
    assert find_thing(turn, name, kind) is None
    with pytest.raises(ToolError, match="You see: "):
        get_thing(turn, name, kind)


def test_two_of_a_name_are_asked_back(stage):
    """The refusal names both, each with its handle."""
    stage.world.enter(Entity("e-two", "Tansy Miller", "npc"))
    with pytest.raises(ToolError, match=r"p2 Tansy Brewell, p3 Tansy Miller.*by handle"):
        get_thing(turn_of(stage), "Tansy", "person")


def test_of_things_alike_one_is_as_good_as_the_other(stage):
    """Whoever carries two loaves gives one of them."""
    for id in ("item-1", "item-2"):
        stage.world.present[id] = Thing(Entity(id, "loaf"), carried=True, givable=True)
    assert get_thing(turn_of(stage), "loaf", "carried").entity.id == "item-1"


def test_what_is_carried_comes_before_what_lies_there(stage):
    """The act says which of two is meant."""
    stage.world.present["item-x"] = Thing(Entity("item-x", "rose"), takable=True)
    turn = turn_of(stage)
    assert get_thing(turn, "rose", "carried").entity.id == "item-rose"
    assert get_thing(turn, "rose", "lying").entity.id == "item-x"


def test_other_names_count(stage):
    """A thing goes by what players may call it."""
    stage.world.present["item-x"] = Thing(Entity("item-x", "odd device"), aliases=("widget",))
    assert get_thing(turn_of(stage), "the widget", "item").entity.id == "item-x"


# -- absent


def test_a_player_of_the_game_is_known_by_name(stage):
    """Who plays is no secret: anybody could ask the game."""
    stage.world.game.append(CAROL)
    assert get_thing(turn_of(stage), "carol", "person").entity == CAROL


def test_others_are_known_once_they_were_met(stage):
    """That somebody exists whom it never saw, nobody can ask out of it."""
    stage.world.game += [TANSY, IDOL]
    stage.world.leave(TANSY)
    turn = turn_of(stage)
    assert find_thing(turn, "Tansy Brewell", "any") is None
    assert find_thing(turn, "stone idol", "any") is None
    step = Change("profile", TANSY.id, "count_exchange", {"at": 0.0})
    stage.mind.save(Commit(0.0, changes=[step]))
    assert find_thing(turn, "Tansy Brewell", "any").entity == TANSY


def test_whom_it_met_it_knows_by_a_part_of_the_name(stage):
    """As one speaks of people: Tansy, and not Tansy Brewell; two of them are asked back."""
    stage.world.leave(TANSY)
    noted(stage, TANSY)
    assert find_thing(turn_of(stage), "tansy", "any").entity == TANSY
    noted(stage, Entity("e-two", "Tansy Miller", "npc"))
    with pytest.raises(ToolError, match="Tansy Brewell, Tansy Miller"):
        find_thing(turn_of(stage), "tansy", "any")
    assert find_thing(turn_of(stage), "Tansy Brewell", "person").entity == TANSY


def test_a_part_of_a_name_finds_nobody_who_was_confided(stage):
    """What only Bob told of is nobody to Alice, by whichever name."""
    noted(stage, IDOL, readers=BOB.id)
    assert find_thing(turn_of(stage, "whisper"), "idol", "any") is None


@pytest.mark.parametrize(("readers", "found"), [(OPEN, True), (ALICE.id, True), (BOB.id, False)])
def test_what_was_noted_in_confidence_is_known_to_nobody_else(stage, readers, found):
    """A profile that only Bob's whisper made does not exist for Alice."""
    stage.world.game.append(IDOL)
    noted(stage, IDOL, readers=readers)
    turn = turn_of(stage, "whisper")
    assert (find_thing(turn, "stone idol", "any") is not None) == found
    assert turn.ceiling == ALICE.id


def test_knowing_by_a_private_note_lowers_the_ceiling(stage):
    """Where only the note tells that it exists, what is said of it stays between those two."""
    stage.world.game.append(IDOL)
    noted(stage, IDOL, readers=ALICE.id)
    turn = turn_of(stage)
    assert find_thing(turn, "stone idol", "any")
    assert turn.ceiling == ALICE.id


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("give", {"item": "rose", "to": "Carol"}), ("whisper", {"to": "Carol", "text": "Psst."})],
)
def test_who_is_absent_gets_nothing(stage, tool, arguments):
    """The reason is the true one."""
    stage.world.game.append(CAROL)
    stage.model.call(tool, **arguments).call("wait")
    stage.ask(ALICE, "Tell Carol!")
    assert "Carol is not here." in stage.model.shown(1)
    assert stage.world.deeds == []
    assert stage.world.said == []


# -- handles


def test_handles_go_on_in_a_new_place():
    """No number is given twice, and whoever comes along keeps theirs."""
    first = extend({}, [Thing(ALICE), Thing(IDOL), Thing(Entity("x", "north"), is_exit=True)])
    rose = Thing(Entity("item-rose", "rose"))
    then = extend(first, [Thing(BOB), Thing(ALICE), rose])
    assert {handle: thing.entity.name for handle, thing in then.items()} == {
        "p1": "Alice", "o1": "stone idol", "x1": "north", "p2": "Bob", "o2": "rose",
    }  # fmt: skip
    seen_anew = extend(then, [Thing(IDOL, carried=True)])
    assert seen_anew["o1"].carried
    assert len(seen_anew) == len(then)


def test_what_a_call_names_is_the_same_by_any_name(stage):
    """By handle or by name: whoever compares calls compares things."""
    turn = turn_of(stage)
    give = stage.mind.registry.get("give")
    by_handle = things_named(turn, give, {"item": "o1", "to": "p1"})
    assert by_handle == things_named(turn, give, {"item": "the rose", "to": "ALICE"})
    assert by_handle["to"].entity == ALICE
    assert things_named(turn, give, {"item": "o9", "to": 7}) == {}


def test_a_namesake_is_named_as_the_prompt_shows_it(stage):
    """Of two of one name each is told apart; where name and handle do not fit, nobody is meant."""
    stage.world.enter(Entity("e-other", "Alice", "player"))
    turn = turn_of(stage)
    both = [handle for handle, one in turn.things.items() if one.entity.name == "Alice"]
    for handle in both:
        assert find_thing(turn, f"Alice ({handle})", "person") == turn.things[handle]
    assert find_thing(turn, f"Dora ({both[0]})", "person") is None
