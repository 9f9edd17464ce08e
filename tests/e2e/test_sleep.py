"""Sleep in a real game: what was told is known in the morning, though the server died at night."""

import json

import pytest

from tests.e2e.harness import Game, wait_for

OF_ALICE = {
    "I live in Oakvale.": "Alice lives in Oakvale",
    "I work as a smith.": "Alice works as a smith",
    "I have a dog named Rex.": "Alice has a dog named Rex",
    "I hate spiders.": "Alice hates spiders",
    "My sister is called Mara.": "Alice's sister is called Mara",
}
OF_BOB = (
    *("I keep bees.", "I own two mules.", "I like plum cake."),
    *("My brother works as a miller.", "I have a cart."),
)


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened, fake_model):
    """A village with a model for its nights, and Tansy's heart beating quickly in them."""
    settings = fake_model.settings()
    with Game.village(tmp_path_factory.mktemp("sleep"), opened, settings=settings) as village:
        village.open()
        village.owner().ask("ai/config tansy = tick_rate_sleep 2", "tick_rate_sleep")
        yield village


@pytest.fixture
def model(fake_model):
    """The model's server, without script, so slow that a night can be met in its middle."""
    fake_model.reset(latency=30)
    yield fake_model
    fake_model.reset(latency=0.05)


def tell(line, facts):
    """Say these to nobody in particular."""
    for one in facts:
        line.ask(f"say {one}", "You say")


def fall_asleep(owner, model):
    """Put Tansy to bed; returns the first question of her night, which waits for its answer."""
    owner.ask("aisleep/now tansy", "Tansy Brewell falls asleep")
    return wait_for(model.requests)[0]["body"]["messages"][-1]["content"]


def facts_of(question):
    """Return what a good model makes of the lines that it is asked to read."""
    facts = [
        {
            "about": line["who"],
            "fact": OF_ALICE[line["says"]],
            "lines": [line["id"]],
            "quote": line["says"],
            "replaces": [],
        }
        for line in json.loads(question)["lines"]
        if line["says"] in OF_ALICE
    ]
    return json.dumps({"facts": facts, "people": []})


def wait_until_awake(owner):
    """Look at her again and again until she has woken by herself."""
    state = r"Tansy Brewell: (asleep|awake)"
    wait_for(lambda: "awake" in owner.ask("aisleep tansy", state).group())


def report(owner):
    """Return what the report of the last night says."""
    return owner.told("aisleep/report tansy", "The night of Tansy Brewell")


def test_a_killed_server_sleeps_on(game, model):
    """Killed amid a night, she goes on, wakes, and knows what was told; undo takes that back."""
    alice, owner = game.join("Alice"), game.owner()
    tell(alice, OF_ALICE)
    question = fall_asleep(owner, model)
    assert "I live in Oakvale." in question
    game.kill9_server()
    model.reset(latency=0.05)
    model.script({"say": facts_of(question), "when": "I live in Oakvale."})
    game.start()
    owner = game.owner()
    wait_until_awake(owner)
    told = report(owner)
    assert [one for one in OF_ALICE.values() if one not in told] == []
    owner.ask("aisleep/undo tansy", "taken back: 5 traits")
    assert "Taken back on" in report(owner)
    owner.ask("aisleep/undo tansy", "taken back already")


def test_a_sleeper_is_seen_and_called(game, model):
    """Whoever looks at her sees that she sleeps; called by name she wakes and answers."""
    bob, owner = game.join("Bob"), game.owner()
    tell(bob, OF_BOB)
    fall_asleep(owner, model)
    bob.ask("look tansy", "Tansy Brewell is asleep")
    model.reset(latency=0.05)
    model.script({"say": "Is it morning?"})
    bob.send("say Tansy, wake up!")
    bob.expect("Tansy Brewell wakes up")
    bob.expect(r'Tansy Brewell says, "Is it morning\?"')
    assert "asleep" not in bob.told("look tansy", "Tansy Brewell")
    assert "Bob" not in report(owner)
