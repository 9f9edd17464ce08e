"""A section of the prompt is one entry of the table ``agent/prompt/section_table.py``."""

from ai_assistant.agent.attention import layers
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.draft import Row, Section
from ai_assistant.agent.prompt.section_table import SECTIONS, SectionKind
from ai_assistant.agent.turn.opening import begin
from ai_assistant.testing import Stage, people, run


def weather(sources):
    """Tell the sky over the place, as rows that are data too."""
    place = sources.turn.surroundings.place_name
    return Section([Row(f"- rain over {place}", {"sky": "rain"})], "The weather")


WEATHER = SectionKind("weather", layers.PERSONA, "tail", most=60, gives_way=5, make=weather)


def test_it_stands_in_the_prompt():
    """Under its heading, within 60 tokens; where there is no room it goes before the memories."""
    stage, (alice,) = Stage(), people("Alice")
    stage.world.enter(alice)
    turn = begin(stage.mind, [stage.hear(alice, "Will it rain?")], "turn1")
    run(build_prompt(turn, (*SECTIONS, WEATHER)))
    assert dict(turn.prompt.parts)["weather"].content.startswith("## The weather\n- rain over ")
