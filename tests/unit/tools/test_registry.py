"""The registry: the tools of a game by name, each fit for a model to use."""

import json
import re
from importlib import import_module
from pkgutil import iter_modules

import pytest

from ai_assistant import tools
from ai_assistant.core.contracts import Category
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.tools import BUILTIN, ToolRegistry, staff_work, tool, tools_in


@tool(Category.ASYNC_REQUIRED, about={"place": "Where."}, timeout=5.0, permission="Builder")
def forecast(turn, place: str):
    """Say what the weather
    will be.
    """
    return {"weather": "rain"}


def test_a_tool_is_made_of_its_function():
    """Name, description, parameters and options come from one place."""
    assert (forecast.name, forecast.description) == ("forecast", "Say what the weather will be.")
    assert (forecast.category, forecast.timeout) == (Category.ASYNC_REQUIRED, 5.0)
    assert (forecast.permission, forecast.speech, forecast.reads) == ("Builder", None, False)
    assert [param.name for param in forecast.params] == ["place"]


def test_the_order_is_kept():
    """The model sees the tools in the order in which they were registered."""
    registry = ToolRegistry([*BUILTIN, forecast])
    assert [*registry][-1] == "forecast"
    assert registry.get("forecast") is forecast
    assert registry.get("unknown") is None


def test_two_tools_never_share_a_name():
    """A game's tool cannot quietly replace another."""
    with pytest.raises(ConfigurationError, match="two tools named 'forecast'"):
        ToolRegistry([forecast, forecast])


def test_only_tools_are_registered():
    """A plain function in a list of tools is pointed out."""

    def naked(turn):
        """No decorator."""

    with pytest.raises(ConfigurationError, match="decorate it with @tool"):
        ToolRegistry([naked])


def test_a_tool_needs_a_description():
    """A model cannot use what nobody described."""
    with pytest.raises(ConfigurationError, match="mute needs a docstring"):

        @tool()
        def mute(turn):
            return {}


def test_no_tool_of_ours_is_forgotten():
    """Whatever stands in a file of the room is built in, or is made for the staff of a game."""
    files = (
        import_module(f"{tools.__name__}.{file.name}") for file in iter_modules(tools.__path__)
    )
    assert {*tools_in(*files)} == {*BUILTIN, *tools_in(staff_work)}


def test_every_builtin_is_ready_for_a_provider():
    """Each schema is JSON, with a name that providers accept and a sentence for everything."""
    for builtin in BUILTIN:
        schema = json.loads(json.dumps(builtin.schema))["function"]
        assert re.fullmatch(r"[a-z_]{1,64}", schema["name"])
        assert schema["description"].endswith(".")
        properties = schema["parameters"]["properties"]
        assert set(schema["parameters"].get("required", ())) <= {*properties} - {"reasoning"}
        assert builtin.timeout == (120.0 if builtin.name in ("ask", "delegate_task") else 30.0)


@pytest.mark.parametrize(
    ("category", "names"),
    [
        (
            Category.TERMINAL,
            ["say", "emote", "whisper", "page", "channel_say", "wait", "go_to_sleep"],
        ),
        (Category.DANGEROUS, ["move", "take", "give", "put_down"]),
        (Category.ASYNC_REQUIRED, ["store_memory", "decompose_goal", "ask", "delegate_task"]),
    ],
)
def test_the_categories_are_those_of_the_design(category, names):
    """Talk ends a turn, what changes the world is dangerous, the rest chains."""
    assert {one.name for one in BUILTIN if one.category is category} == {*names}


SEEDS = """
say page whisper inspect_location recall_memories store_memory delegate_task create_project
list_projects swap_project update_project complete_project add_goal update_goal decompose_goal
list_goals add_session_memory compact_session_memory recall_entity_profile
update_entity_observation update_relationship start_entity_conversation recall_conversation_context
add_pending_action complete_pending_action search_episodic_memory go_to_sleep add_journal_entry
memory get_next_task read_block edit_block
"""


def test_the_names_of_the_founding_documents_stay():
    """Whatever the plain tools are called: game code and documents find what they name."""
    assert {*SEEDS.split()} <= {one.name for one in BUILTIN}


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"kit": "plian"}, "no kit 'plian', but plain, projects"),
        ({"needs": "notebok"}, "no need 'notebok', but solitude"),
        ({"speech": "yell"}, "no speech 'yell', but say"),
        ({"reads": True, "acts": True}, "cannot both only read and act"),
        ({"reads": True, "category": Category.DANGEROUS}, "cannot both only read and act"),
    ],
)
def test_a_slip_in_what_a_tool_is_is_an_error_at_once(said, error):
    """A slip in a kit's name would hide the tool for ever, and others would loosen its bounds."""
    with pytest.raises(ConfigurationError, match=error):

        @tool(**said)
        def slip(turn):
            """Slip."""


def test_what_only_reads_leads_on_and_is_for_fiction():
    """One word says what follows from it."""

    @tool(reads=True)
    def tide(turn):
        """Look how high the water stands."""

    assert (tide.leads_on, tide.fiction, tide.acts) == (True, True, False)


def test_a_games_own_tool_is_always_shown_and_never_for_fiction():
    """Whoever says nothing gets what is safe: what may leave a mark is not for mere play."""
    assert (forecast.kit, forecast.fiction, forecast.alone) == ("game", False, False)


def test_what_ends_as_an_act_holds_words_back():
    """Every tool that changes the world, or sets out to, says so."""
    acts = {one.name for one in BUILTIN if one.acts}
    dangerous = {one.name for one in BUILTIN if one.category is Category.DANGEROUS}
    assert acts == dangerous | {"follow", "visit", "patrol", "ask", "delegate_task"}


def test_speech_and_only_speech_names_its_kind():
    """Each way to speak says which, so that it is offered only where it may be heard."""
    kinds = {one.name: one.speech for one in BUILTIN if one.speech}
    assert kinds == {
        "say": "say", "emote": "emote", "whisper": "whisper", "page": "page",
        "channel_say": "channel",
    }  # fmt: skip
