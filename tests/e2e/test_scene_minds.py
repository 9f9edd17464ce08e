"""Characters with a model in scenes: what they ask their memory, and what they are given of it.

These are the flows and criteria that hang on a character's turn; see `test_scenes.py`.
"""

import json

import pytest

from tests.e2e.harness import wait_for

TANSY = r"^Tansy Brewell says"
SWORD = "Edda and I agreed to find the Sacred Sword!"
GOLD = "the gold is under the third oak"


@pytest.fixture(scope="module")
def owner(village_llm):
    """The superuser's line."""
    with village_llm.owner() as line:
        yield line


@pytest.fixture(scope="module")
def scene(village_llm, owner, fake_model, fake_vectors):
    """Edda, Gerd and Tansy on day 9 of a story; on day 2 Tansy was told of a comet.

    Her memory is asked by meaning from when a vector of it was made.
    """
    fake_model.reset()
    fake_vectors.reset()
    with village_llm.join("Edda") as edda, village_llm.join("Gerd") as gerd:
        owner.ask("tel/loc Edda", "Teleported to|already at")
        edda.ask("scene/create A Memory", "is made")
        edda.ask("scene/invite tansy", "Tansy Brewell joins")
        gerd.ask("scene/join memory", "joins 'A Memory'")
        edda.ask("scene/start", "begins")
        edda.ask("scene/day 2", "It is day 2")
        edda.ask("say Tansy, the comet is called Hairy Nell.", TANSY)
        wait_for(lambda: "Hairy Nell" in json.dumps(bodies(fake_vectors)))
        edda.ask("scene/day 9", "It is day 9")
        yield edda, gerd
        edda.ask("scene/stop", "is over")


@pytest.fixture(scope="module")
def exported(village_llm, owner):
    """Returns what staff export of the scene under the name of a file."""

    def export(asked, file):
        owner.ask(f"aiscene/export memory = {file} {asked}", f"It is in server/cards/{file}")
        return json.loads((village_llm.root / "server" / "cards" / file).read_text())

    return export


def bodies(server):
    """Return what a server was asked."""
    return [request["body"] for request in server.requests()]


def tools_in(body):
    """Return the names of the tools that a model was offered."""
    return {tool["function"]["name"] for tool in body["tools"]}


def remembered(body):
    """Return the part of a prompt that tells what comes to mind."""
    return json.dumps(body).partition("What you remember")[2]


def test_assistants_answer_each_other_by_the_policy(village_llm, fake_model):
    """In a round, a player's line is answered by one assistant, and that by the next one."""
    fake_model.reset()
    with village_llm.owner() as owner, village_llm.join("Dora") as dora:
        owner.ask("tel/loc Dora", "Teleported to|already at")
        owner.ask("ai/create Marrek", "Marrek")
        dora.ask("scene/create A Round", "is made")
        dora.ask("scene/invite tansy", "Tansy Brewell joins")
        dora.ask("scene/invite marrek", "Marrek joins")
        dora.ask("scene/set policy = round robin", "policy")
        dora.ask("scene/start", "begins")
        dora.ask("say The night is young.", TANSY)
        dora.expect(r"^Marrek says")
        dora.ask("scene/stop", "is over")
        owner.ask("ai/delete marrek", "Delete Marrek")
        owner.ask("Marrek", "Marrek is gone")


def test_b1_a_character_asks_its_memory_speaks_and_is_remembered(
    scene, exported, fake_model, fake_vectors
):
    """Its question has the day and the last lines (13.3), its prompt what it remembers; and what it
    says is kept by it and by whom it spoke with, not by who stood by."""
    edda, gerd = scene
    fake_model.reset()
    fake_vectors.reset()
    fake_model.script({"say": SWORD})
    edda.ask("say Tansy, what of the comet?", "Sacred Sword")
    gerd.expect("Sacred Sword")
    texts = [text for body in bodies(fake_vectors) for text in body["input"]]
    [question] = [text for text in texts if text.startswith("###Current time###")]
    assert question.startswith("###Current time###\nGame Day: 9\n\n###Recent messages###\n")
    assert "\nMessage: Edda: Tansy, what of the comet? GameDay: 9\n" in question
    assert question.endswith("to construct Tansy Brewell's message?")
    assert "Hairy Nell" in remembered(bodies(fake_model)[0])
    found = exported("why 1", "sword.json")
    ids, [line] = {name: who for who, name in found["names"].items()}, found["messages"]
    assert line["content"] == f"Message: Tansy Brewell: {SWORD} GameDay: 9"
    assert {*line["actualParticipants"]} == {ids["Tansy Brewell"], ids["Edda"]}
    assert ids["Gerd"] in line["hearers"]
    assert SWORD in " ".join(edda.told("scene/recap", "A Memory").split())
    gerd.ask("scene/recall sacred sword", "You remember nothing of that")


def test_13_1_a_character_reaches_no_other_container(scene, exported, fake_model):
    """Of what Edda whispers to Gerd nothing comes to Tansy's mind, nor by her tools, whether she
    asks by the name of Edda's container or by that of the world's."""
    edda, gerd = scene
    edda.ask(f"whisper gerd = {GOLD}", "You whisper")
    gerd.expect("third oak")
    held = exported("who third oak", "gold.json")
    world = exported("world third oak", "record.json")["containers"]
    tags = [one["containerTag"] for one in held["containers"] + world]
    assert len(tags) == 3
    fake_model.reset()
    asked = [{"words": "gold"}]
    asked += [{"words": f"gold {tag}"} for tag in tags] + [{"words": "", "place": tags[-1]}]
    calls = [{"call": "recall", "args": args} for args in asked]
    for call in calls:
        fake_model.script(call, {"say": "I do not know."})
        edda.ask("say Tansy, where is the gold?", TANSY)
    prompts = bodies(fake_model)
    assert "recall" in tools_in(prompts[0])
    told = [line for body in prompts for line in body["messages"] if line["role"] == "tool"]
    assert sum("memories" in line["content"] for line in told) >= len(calls)
    assert "third oak" not in json.dumps(prompts)


def test_13_5_who_may_not_remember_is_given_nothing(scene, owner, fake_model):
    """The same question, with memory and without: only one prompt holds what was told days ago,
    and a tool to look for more."""
    edda, _ = scene
    owner.ask("ai/config tansy = chat_history off", "chat_history")
    told, tools = {}, {}
    for switch in ("on", "off"):
        owner.ask(f"ai/config tansy = memory_enabled {switch}", "memory_enabled")
        fake_model.reset()
        edda.ask("say Tansy, what is the comet called?", TANSY)
        asked = bodies(fake_model)
        told[switch] = any("Hairy Nell" in remembered(body) for body in asked)
        tools[switch] = any("recall" in tools_in(body) for body in asked)
    owner.ask("ai/config tansy = memory_enabled default", "memory_enabled")
    owner.ask("ai/config tansy = chat_history role", "chat_history")
    assert told == tools == {"on": True, "off": False}
