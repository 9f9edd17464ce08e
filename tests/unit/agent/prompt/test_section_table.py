"""The table of sections: a new section is one entry; one that forgets something does not load."""

import pytest

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.section_table import SECTIONS, SectionKind, giving_way
from ai_assistant.agent.turn.opening import begin
from ai_assistant.testing.scripted_model import run
from tests.unit.agent.prompt.prompting import ALICE, on_stage, rows, section


def weather(at):
    """What a game would tell of the sky over the place."""
    told = [Row(f"- gust {gust} over {at.turn.surroundings.place_name}", {"gust": gust})
            for gust in range(50)]  # fmt: skip
    return Section(told, "The weather")


WEATHER = SectionKind(
    key="weather", make=weather, component=layers.PERSONA, place="tail", most=60, gives_way=5
)


def with_weather(per_char=0.25, **config):
    """A turn whose prompt was made by a table with one entry more."""
    stage = on_stage(**config)
    stage.mind.tokens_per_char = per_char
    turn = begin(stage.mind, [stage.hear(ALICE, "Will it rain?")], "turn0")
    run(build_prompt(turn, (*SECTIONS, WEATHER)))
    return turn


def test_a_new_section_is_one_entry():
    """It stands where it says, under its heading, as data too, and in no more room than its own."""
    turn = with_weather()
    told = section(turn, "weather")
    assert told.startswith("## The weather\n- gust 0 over ")
    assert 100 < len(told) <= 240
    assert rows(turn, "weather")[0] == {"gust": 0}
    keys = [key for key, _ in turn.prompt.parts]
    assert keys.index("now") < keys.index("weather") < keys.index("event")


def test_a_new_section_gives_way_in_its_turn():
    """Where there is too little room, it goes before what it is to go before."""
    turn = with_weather(0.4, max_context_tokens=1000)
    assert not section(turn, "weather")
    assert section(turn, "seen")


@pytest.mark.parametrize("forgotten", ["most", "gives_way", "place", "component", "make"])
def test_an_entry_that_forgets_something_does_not_load(forgotten):
    """No section is without a budget because nobody thought of it."""
    fields = {"key": "weather", "make": weather, "component": 1000, "place": "tail",
              "most": 60, "gives_way": 5}  # fmt: skip
    SectionKind(**fields)
    del fields[forgotten]
    with pytest.raises(TypeError, match=forgotten):
        SectionKind(**fields)


def test_two_sections_never_share_a_turn_of_giving_way():
    """Nor does one key have two budgets."""
    for changed in ({"gives_way": 10}, {"key": "goals"}):
        entry = {name: getattr(WEATHER, name) for name in WEATHER.__slots__} | changed
        with pytest.raises(ValueError, match=r"turn|agree"):
            giving_way((*SECTIONS, SectionKind(**entry)))
