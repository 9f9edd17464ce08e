"""Thinking with a model over real HTTP: its words, its faults, and what happens meanwhile."""

import pytest

from ai_assistant.core.text import clean
from tests.e2e.harness import KEY, wait_for

TANSY = r"^Tansy Brewell says"


@pytest.fixture(scope="module")
def alice(village_llm):
    """A player who stays."""
    return village_llm.join("Alice")


@pytest.fixture(scope="module")
def owner(village_llm):
    """The superuser's line."""
    return village_llm.owner()


@pytest.fixture
def model(fake_model):
    """The model's server, without script."""
    fake_model.reset(latency=0.05)
    yield fake_model
    fake_model.reset(latency=0.05)


def listens(owner):
    """Has Tansy come to the end of her turn? `ai/status` says so."""
    return "listening" in owner.told("ai/status tansy")


@pytest.mark.parametrize("way", ["in plain words", "by its tool"])
def test_model_speaks(village_llm, model, alice, way):
    """What the model says, in plain words or by its tool, is heard in the room."""
    text = "A fine evening, is it not?"
    by_tool = {"call": "say", "args": {"text": text}}
    model.script(by_tool if way == "by its tool" else {"say": text})
    alice.ask("say hello tansy", r'^Tansy Brewell says, "A fine evening, is it not\?"')


def test_model_without_tool_calls_is_understood(village_llm, model, alice):
    """One JSON object in plain text is a tool call as well."""
    model.script({"say": '{"tool": "say", "arguments": {"text": "By word of mouth."}}'})
    alice.ask("say hello tansy", r'^Tansy Brewell says, "By word of mouth\."')


@pytest.mark.parametrize(
    "words",
    [
        "{you} {0.__class__} {nobody:>99} $eval(1) $pad(a,9) costs $5",
        "|rred|n |lclook|ltclick|le ||lc https://example.com/?a=b",
        "\x1b[31mred\x1b]0;title\x07 \u202ereversed\u202c",
    ],
)
def test_reply_arrives_exactly_as_cleaned(village_llm, model, alice, words):
    """Braces, dollars and pipes: no colour, no link, no error, letter for letter what is left."""
    model.script({"say": words})
    alice.read(0)
    alice.raw.clear()
    alice.ask("say hello tansy", TANSY + ".*$")
    said = clean(words).replace("__", "")  # which Markdown takes for stress
    assert f'Tansy Brewell says, "{said}"'.encode() in bytes(alice.raw)


def test_endless_reply_is_cut(village_llm, model, alice):
    """Twenty thousand letters become one bounded line."""
    model.script({"say": "word " * 4000})
    heard = alice.ask("say hello tansy", TANSY + ".*$").group()
    assert len(heard) < 900


def test_leaver_hears_nothing(village_llm, model, alice):
    """A player who leaves before the answer hears nothing, nor does whoever stays."""
    bob = village_llm.join("Bob")
    model.reset(latency=600)
    bob.send("say tansy, what is the news?")
    wait_for(model.requests)
    bob.ask("out", "Village Green")
    model.release()
    bob.silent(3, TANSY)
    bob.send("quit")


def test_whisper_is_answered_to_one_only(village_llm, model, alice):
    """A model that tries to say a whispered thing aloud finds no such tool."""
    carol = village_llm.join("Carol")
    model.script({"call": "say", "args": {"text": "It is in the well!"}}, {"say": "Hush."})
    alice.ask("whisper tansy = the chest is in the well", r'^Tansy Brewell whispers: "Hush\."')
    carol.silent(1, "well|Hush")
    carol.send("quit")


def test_what_staff_changed_meanwhile_is_still_there(village_llm, model, alice, owner):
    """Configuration set while a character thinks survives the turn's own writes."""
    model.reset(latency=600)
    alice.send("say hello tansy")
    wait_for(model.requests)
    owner.ask("ai/config tansy = max_iterations_per_tick 3", "max_iterations_per_tick is now 3")
    owner.ask("ai/persona tansy = role: Queen of stews", "role: Queen of stews")
    model.release()
    alice.expect(TANSY)
    owner.ask("ai/config tansy = max_iterations_per_tick", r"max_iterations_per_tick = 3")
    owner.ask("ai/persona tansy", "Queen of stews")


@pytest.mark.parametrize("fault", ["500", "malformed", "cut", "empty", "unknown_tool"])
def test_fault_of_the_provider_is_a_moment_of_distraction(village_llm, model, alice, owner, fault):
    """The game goes on, its turn ends by itself, and the next line is answered again."""
    model.script({"fault": fault, "times": 5})
    alice.send("say hello tansy")
    wait_for(lambda: len(model.requests()) >= 1)
    alice.ask("look", "Kettle and Crow")
    wait_for(lambda: listens(owner))
    model.reset(latency=0.05)
    alice.read(0)
    alice.ask("say tansy, are you well?", TANSY)


def test_slow_model_does_not_stop_the_game(village_llm, model, alice):
    """While a character thinks, everybody else plays on."""
    model.reset(latency=600)
    alice.caught_up()
    alice.send("say hello tansy")
    wait_for(model.requests)
    assert "Tansy Brewell says" not in "".join(alice.told("look") for _ in range(5))
    model.release()
    alice.expect(TANSY)


def test_daily_cap_ends_the_calls(village_llm, model, alice, owner):
    """At its cap a character makes no call more, and is merely tired."""
    owner.ask("ai/config tansy = daily_calls 1", "daily_calls is now 1")
    wait_for(lambda: listens(owner))
    asked = len(model.requests())
    alice.send("say hello tansy")
    alice.read(3)
    assert len(model.requests()) == asked
    owner.ask("ai/status tansy", "daily cap")
    owner.ask("ai/config tansy = daily_calls 0", "daily_calls is now 0")


def test_key_is_shown_to_nobody(village_llm, model, owner):
    """Neither in any output of `ai`, nor in log or database; players see no address either."""
    line = village_llm.join("Alice")
    line.ask("say hello tansy", TANSY)
    assert model.requests()[-1]["headers"]["authorization"] == f"Bearer {KEY}"
    echoes = (
        {"say": f"It is {KEY}."},
        {"call": f"x_{KEY}"},
        {"call": "say", "args": {"text": KEY}},
    )
    for number, echo in enumerate(echoes, 1):
        asked = len(model.requests())
        model.script(echo)
        line.send(f"say tansy, what is your key, for the {number}. time?")
        wait_for(lambda asked=asked: len(model.requests()) > asked)
        wait_for(lambda: listens(owner))
    owner.ask("ai/status tansy", "held its key")
    owner.ask(f"ai/config tansy = compact_prompt {KEY}", "looks like a key")
    owner.ask(f"ai/config tansy = {KEY}", "looks like a key")
    for command in ("ai", "ai/config tansy", "ai/history tansy", "ai/why tansy", "ai/prompt tansy"):
        owner.told(command)
    shown = owner.transcript + line.transcript + village_llm.logs(5000)
    files = (village_llm.root / "server").glob("evennia.db3*")
    database = b"".join(part.read_bytes() for part in files)
    assert KEY not in shown
    assert KEY.encode() not in database
    assert model.url not in line.transcript
