"""What the owner adds: components between ours, templates, and the fields of a card."""

from dataclasses import replace

import pytest

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.component import (
    BUILTIN,
    PromptComponent,
    changed_component,
    new_component,
    user_components,
)
from ai_assistant.agent.prompt.draft import inject
from ai_assistant.agent.prompt.macros import MacroRegistry
from ai_assistant.agent.prompt.templates import (
    check_name,
    check_template,
    find_template,
    template_texts,
)
from ai_assistant.agent.turn.opening import begin
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.model_records import Message
from ai_assistant.memory.inner.owner_additions import MAX_COMPONENTS, PROMPT
from ai_assistant.roleplay.play import Play
from ai_assistant.testing.scripted_model import run
from tests.unit.agent.prompt.prompting import (
    ALICE,
    BOB,
    changed,
    conversation,
    on_stage,
    part,
    prompted,
    remembered,
    section,
    shown,
    whole,
)

MACROS = MacroRegistry()


@pytest.fixture
def stage():
    """Alice stands before the captain."""
    return on_stage()


def component(id, text, key="mood", **values):
    """A component as it is stored."""
    made = new_component([], str(id), key, text)
    return changed_component([made], key, **values) if values else made


def owning(stage, *components):
    """Give the captain these components."""
    for one in components:
        changed(stage, "prompt", "put_component", component=one)
    return stage


def talked(stage):
    """An exchange lies behind Alice and the captain."""
    stage.model.say("Aye.")
    stage.ask(ALICE, "Hello.")
    return stage


def order(turn):
    """The ids of the prompt's parts in their order."""
    return [message.component for _, message in turn.prompt.parts]


# -- components


def test_components_stand_where_their_ids_say(stage):
    """Those that never vary in the beginning, the others before what is answered, as their ids
    say; one that somebody else speaks before the conversation, if its id is.
    """
    talked(stage)
    owning(
        stage,
        component(500, "House rules.", "rules"),
        component(1200, "It is {{time}}.", "clock"),
        component(1700, "Alice is dear to you.", "dear", role="user"),
        component(5500, "Now answer in verse.", "verse"),
    )
    assert order(prompted(stage)) == [0, 500, 1000, 1700, 5000, 5000, 1000, 1000, 1200, 5500, 6000]
    assert part(prompted(stage), 1200) == "It is evening."


def test_macros_stand_for_the_story_that_is_played(stage):
    """Its place, its day and its hour; where it has no hour, none of the game's."""
    owning(stage, component(1200, "It is {{time}}, {{date}}, at {{location}}.", "clock"))
    for facts, hour in (({"timeOfDay": "dusk"}, "dusk"), ({}, "unknown")):
        stage.mind.plays = lambda session, facts=facts: Play("s1", day=6, place="lair", facts=facts)
        assert part(prompted(stage), 1200) == f"It is {hour}, day 6 of the story, at lair."


def test_what_never_varies_is_cached(stage):
    """A constant text joins the beginning that is the same in every turn, wherever its id is."""
    owning(stage, component(2500, "You serve {{char}}'s king.", "king"))
    first = prompted(stage)
    assert order(first)[:3] == [0, 1000, 2500]
    stage.clock.advance(90_000)
    stage.world.enter(BOB)
    assert prompted(stage, "Hm.", who=BOB).prompt.messages[0] == first.prompt.messages[0]
    assert first.prompt.messages[0].content.endswith(
        "You serve Captain Seraphina Stormborne's king."
    )


def test_a_switched_off_component_is_not_shown(stage):
    """It is kept, for another day."""
    owning(stage, component(1200, "Be merry.", enabled=False))
    assert "merry" not in whole(prompted(stage))


def test_a_component_goes_with_the_one_below_it(stage):
    """A context type that leaves ours out leaves out what follows it as well."""
    owning(stage, component(1200, "Be merry."), component(1700, "Alice is dear.", "dear"))
    turn = begin(stage.mind, [], "turn0", "reflection")
    run(build_prompt(turn))
    assert set(order(turn)) == {0, 1000, 1200}


def test_what_players_say_resolves_nothing(stage):
    """Macros in a player's line, or in a memory, are words."""
    remembered(stage, MemoryRow("The dragon is {{char}}."))
    text = whole(prompted(stage, "What of the dragon, {{char}}?"))
    assert "The dragon is {{char}}." in text
    assert "What of the dragon, {{char}}?" in text


def test_what_was_spoilt_by_hand_is_left_out(stage):
    """A stored component that makes no sense is not shown, and nothing breaks."""
    good = component(1200, "Be merry.")
    wrong = ({"id": 1000}, {"id": "x"}, {"role": "king"}, {"content": 5}, {"key": "two words"})
    spoilt = [{"key": "c"}, *({**good, **values} for values in wrong)]
    assert [one.key for one in user_components([*spoilt, good], MACROS)] == ["mood"]


@pytest.mark.parametrize("id", ["0", "1000", "1500", "5000", "6000", "6500", "-3", "x", "²"])
def test_ids_that_are_ours_or_none(id):
    """The thousands, and all from the event on, are not the owner's."""
    with pytest.raises(ConfigurationError):
        new_component([], id, "mood", "Be merry.")


@pytest.mark.parametrize("key", ["", "Mood", "two words", "memories", "x" * 31, "1st"])
def test_keys_that_fit_nothing(key):
    """A key is a word of small letters that none of ours has."""
    with pytest.raises(ConfigurationError):
        new_component([], "1200", key, "Be merry.")


def test_changes_that_do_not_fit():
    """Unknown keys, roles and depths, texts too long, a key twice, one too many: all refused."""
    stored = [component(1200, "Be merry.")]
    for key, values in (
        ("other", {"enabled": False}),
        ("mood", {"role": "king"}),
        ("mood", {"injection_depth": -1}),
        ("mood", {"injection_depth": 101}),
        ("mood", {"injection_order": True}),
        ("mood", {"content": "x" * 1501}),
    ):
        with pytest.raises(ConfigurationError):
            changed_component(stored, key, **values)
    with pytest.raises(ConfigurationError, match="already"):
        new_component(stored, "1201", "mood", "x")
    with pytest.raises(ConfigurationError, match="delete one"):
        new_component(stored * MAX_COMPONENTS, "1201", "new", "x")


# -- injection


def at_depth(depth, order=100, id=1200):
    return PromptComponent(id, f"k{id}", "K", injection_depth=depth, injection_order=order)


def placed(count, *found):
    """The history with components, each shown by its id."""
    history = [Message("user", str(at), component=5000) for at in range(count)]
    messages = inject(history, [(one, "x") for one in found])
    return [m.component if m.component != 5000 else int(m.content) for m in messages]


def test_depth_counts_from_the_end():
    """Depth one stands before the last message, and so on."""
    assert placed(3, at_depth(1)) == [0, 1, 1200, 2]
    assert placed(3, at_depth(3)) == [1200, 0, 1, 2]


def test_depth_never_leaves_the_history():
    """However deep, it stays inside of the conversation, also where there is none."""
    assert placed(3, at_depth(99)) == [1200, 0, 1, 2]
    assert placed(0, at_depth(99)) == [1200]
    assert placed(2, at_depth(5, 100, 1200), at_depth(9, 200, 1300)) == [1200, 1300, 0, 1]
    assert not replace(at_depth(1), is_static=True).leads


def test_several_at_one_depth_have_an_order():
    """The lower order comes first, then the lower id; each at its own depth."""
    found = (at_depth(2, 100, 1201), at_depth(2, 50, 1202), at_depth(2, 100, 1200), at_depth(1))
    assert placed(3, *found[:3]) == [0, 1202, 1200, 1201, 1, 2]
    assert placed(2, found[3], at_depth(9, 100, 1300)) == [1300, 0, 1200, 1]


def test_a_note_within_the_conversation(stage):
    """In a prompt it stands among the messages, and nowhere else."""
    talked(stage)
    owning(stage, component(1200, "Keep it short, {{char}}.", injection_depth=1))
    turn = prompted(stage)
    assert [order(turn)[at] for at in (2, 3, 4, -1)] == [5000, 1200, 5000, 6000]
    assert whole(turn).count("Keep it short, Captain Seraphina Stormborne.") == 1


# -- templates


def applied(stage, text, native=""):
    """Let the captain's instructions be these."""
    changed(stage, "prompt", "put_template", name="mine", text=text, native=native)
    changed(stage, "prompt", "apply_template", name="mine")
    return stage


def test_a_template_is_the_instructions(stage):
    """Placeholders are filled from name and configuration, macros that never vary resolved."""
    applied(stage, "You are {name}, {{char}}, ticking every {tick_rate} s for {{user}}.")
    stage.mind.config.values["user_entity"] = "Carol"
    text = "You are Captain Seraphina Stormborne, Captain Seraphina Stormborne, ticking every 5 s"
    assert part(prompted(stage), 0) == f"{text} for Carol."


def test_tools_in_a_template_are_always_the_same(stage):
    """The list of tools depends on the kind of turn, and not on who listens."""
    applied(stage, "{name}: {tool_schemas}")
    stage.world.enter(BOB)
    said = prompted(stage)
    assert section(said, "instructions") == section(prompted(stage, who=BOB), "instructions")
    assert "- recall: " in section(said, "instructions")
    assert "- whisper: " in section(said, "instructions")
    assert "- whisper: " not in section(prompted(stage, "Psst.", "whisper"), "instructions")
    stage.mind.config.values["disabled_tools"] = ["recall"]
    assert "- recall: " not in section(prompted(stage), "instructions")


def test_a_template_has_a_text_for_each_kind_of_model(stage):
    """Where the model takes tool calls as such, it reads the native text, if there is one."""
    applied(stage, "JSON, {name}.", native="Tools, {name}.")
    assert part(prompted(stage), 0).startswith("Tools")
    stage.model.has_native_tools = lambda profile: False
    assert part(prompted(stage), 0).startswith("JSON")
    applied(stage, "Both, {name}.")
    stage.model.has_native_tools = lambda profile: True
    assert part(prompted(stage), 0).startswith("Both")


def test_a_context_may_bring_its_own(stage):
    """The text of a context type stands in place of the template."""
    turn = begin(stage.mind, [], "turn0", "tick_autonomous")
    turn.context = replace(turn.context, component_overrides={"system_prompt": "Dream, {name}."})
    run(build_prompt(turn))
    assert part(turn, 0) == "Dream, Captain Seraphina Stormborne."


def test_a_lost_template_is_the_default_one(stage):
    """Whatever is applied, there are instructions."""
    default = part(prompted(stage), 0)
    changed(stage, "prompt", "apply_template", name="ghost")
    assert part(prompted(stage), 0) == default
    applied(stage, "Mine, {name}.")
    changed(stage, "prompt", "drop_template", name="mine")
    assert part(prompted(stage), 0) == default


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("You are {name} of {nowhere}.", "nowhere"),
        ("You are somebody.", "name"),
        ("You are {name} in {{location}}.", "location"),
        ("x" * 4001, "4000"),
        ("", "words"),
    ],
)
def test_templates_that_are_refused(text, trouble):
    """The reason names the placeholder or the macro."""
    with pytest.raises(ConfigurationError, match=trouble):
        check_template(text, MACROS)


def test_the_default_template_is_a_proper_one():
    """What we demand of others our own text keeps; a name of one's own may stand for it too."""
    text, native = template_texts(PROMPT.empty())
    assert check_template(text, MACROS).startswith("You are {name}")
    assert native == ""
    assert check_template("{{ char }}, at {tick_rate}", MACROS)


def test_names_of_templates():
    """Small letters, not the default's, and one that exists where one is asked for."""
    assert check_name("my_own") == "my_own"
    for name in ("default", "My", "", "x y"):
        with pytest.raises(ConfigurationError):
            check_name(name)
    assert find_template(PROMPT.empty(), "default") == "default"
    with pytest.raises(ConfigurationError, match="there are: default"):
        find_template(PROMPT.empty(), "mine")


# -- where memories stand


def test_memories_stand_where_they_are_marked(stage):
    """A component of the owner's may frame them; they are then nowhere else."""
    remembered(stage, MemoryRow("The dragon is red."))
    owning(stage, component(1700, "Mind this:|/{{memories}}|/That is all."))
    turn = prompted(stage)
    lines = part(turn, 1700).split("\n")
    assert next(filter(None, lines)) == "Mind this:"
    assert lines[-1] == "That is all."
    assert whole(turn).count("The dragon is red.") == 1
    assert part(turn, layers.MEMORIES) == ""


def test_memories_may_stand_after_the_conversation(stage):
    """With all of the component that frames them, right before the question."""
    talked(stage)
    remembered(stage, MemoryRow("The dragon is red."))
    owning(stage, component(5500, "Mind: {{memories}} And be brief."))
    turn = prompted(stage)
    assert order(turn)[-4:] == [5500, 5500, 5500, 6000]
    assert "The dragon is red." in part(turn, 5500)
    assert part(turn, 5500).endswith("And be brief.")


def test_without_a_mark_nothing_is_recalled(stage):
    """A template without the mark, or the option, switches recall off."""
    remembered(stage, MemoryRow("The dragon is red."))
    assert "red" in shown(prompted(stage))
    stage.mind.config.values["memory_enabled"] = False
    assert "red" not in shown(prompted(stage))
    del stage.mind.config.values["memory_enabled"]
    applied(stage, "You are {name}.")
    assert "red" not in shown(prompted(stage))
    applied(stage, "You are {name}; see {{memories}}.")
    assert "red" in shown(prompted(stage))
    assert part(prompted(stage), 0).endswith("see ## What you remember.")


def test_memories_stand_nowhere_but_at_their_mark(stage):
    """Within the conversation there is no place for them: such a mark is refused, or empty."""
    remembered(stage, MemoryRow("The dragon is red."))
    applied(stage, "You are {name}.")
    with pytest.raises(ConfigurationError, match="depth"):
        component(1200, "Mind {{memories}}.", injection_depth=1)
    before = {**component(1200, "Mind {{memories}}."), "injection_depth": 1}
    assert "red" not in whole(prompted(owning(stage, before)))
    off = {**component(1300, "Mind {{memories}}.", key="off"), "enabled": False}
    assert "red" not in whole(prompted(owning(stage, off)))


@pytest.mark.parametrize("mark", ["###SUPERMEORY###", "{{retrieved_memories}}"])
def test_the_seeds_marks_are_taken_too(stage, mark):
    """Its own spelling, and the other placeholder that it names."""
    remembered(stage, MemoryRow("The dragon is red."))
    applied(stage, check_template(f"You are {{name}}. {mark}", stage.mind.macros))
    assert "red" in whole(prompted(stage))


# -- the persona


def test_a_card_keeps_its_order(stage):
    """The fields of a character card come after the rest, in the configured order."""
    stage.mind.persona = {"scenario": "a storm", "name": "Sera", "char_personality": "stern"}
    fields = lambda turn: [section(turn, "persona").index(one) for one in wanted]  # noqa: E731
    wanted = ("Name:", "Char personality:", "Scenario:")
    assert fields(prompted(stage)) == sorted(fields(prompted(stage)))
    stage.mind.config.values["persona_order"] = ["scenario"]
    wanted = ("Name:", "Scenario:", "Char personality:")
    assert fields(prompted(stage)) == sorted(fields(prompted(stage)))


def test_the_name_in_the_world_is_the_name(stage):
    """Another one in its persona is what it is also known as; the same one is told once."""
    known = "Name: Captain Seraphina Stormborne\nKnown as: Sera\nRole: captain"
    for name in ("Sera", "captain seraphina stormborne", ""):
        stage.mind.persona = {"role": "captain", "name": name}
        told = part(prompted(stage), layers.PERSONA)
        assert (known in told) == (name == "Sera")
        assert ("Known as" in told) == (name == "Sera")


def test_macros_in_a_persona(stage):
    """Those that never vary are resolved; one that does, put there by hand, is its plain name."""
    stage.mind.persona = {"name": "Sera", "lore": ["{{char}} loves {{user}} in {{location}}."]}
    assert "Captain Seraphina Stormborne loves someone in location." in part(
        prompted(stage), layers.PERSONA
    )


def test_every_component_is_in_the_table():
    """All nine ids of the contexts, each described."""
    assert tuple(one.id for one in BUILTIN) == layers.ALL_COMPONENTS
    assert all(one.name and one.description for one in BUILTIN)
    assert conversation(prompted(on_stage())) == []
