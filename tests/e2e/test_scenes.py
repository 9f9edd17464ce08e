"""Scenes over telnet, with players as participants: what a player sees, criterion by criterion.

Of the document on roleplay each example flow (Appendix B) and each criterion (§13) is played:

| case | test |
|---|---|
| B.1, a line and who keeps it | `test_b1_…` |
| B.2, the world changes | `test_b2_…` |
| B.3, a character gets something | `test_b3_…` |
| 13.1, privacy | `test_13_1_…`, `test_13_what_one_took_no_part_in_…`, `test_who_is_elsewhere_…` |
| 13.2, who took part, who learnt what | `test_13_2_…`, `test_13_what_is_for_one_…` |
| 13.3, days | `test_13_3_…` (two) |
| 13.4, the record of the world | `test_13_2_and_13_4_…`, `test_b2_…`, `test_b3_…` |
| 13.5, memory in prompts | `test_13_5_…` |

What is amid a write when the Server is killed is in `test_scene_kills.py`.
"""

import json

import pytest

TANSY = r"^Tansy Brewell says"
SWORD = "the sacred sword lies under the bridge"
SECRET = "the map is sewn into my cloak"


@pytest.fixture(scope="module")
def players(village):
    """Ada and Ben in the inn, and Cleo outside on the green."""
    ada, ben, cleo = (village.join(name) for name in ("Ada", "Ben", "Cleo"))
    cleo.ask("out", "Village Green")
    yield ada, ben, cleo
    ada.ask("scene/stop", "is over")
    for line in (ada, ben, cleo):
        line.close()


@pytest.fixture(scope="module")
def scene(players):
    """A scene of Ada, Ben and Tansy, on day 6 of its story."""
    ada, ben, _ = players
    ada.ask("scene/create The Sword", "is made")
    ben.ask("scene/join sword", "joins 'The Sword'")
    ada.ask("scene/invite tansy", "Tansy Brewell joins")
    ada.ask("scene/start", "begins")
    ada.ask("scene/day 6", "It is day 6")
    for line in players:
        line.caught_up()
    return players


def recap(line):
    """Return all that a player remembers of the scene."""
    return line.told("scene/recap 30", "The Sword")


def test_b1_a_line_is_kept_by_those_who_took_part(scene):
    """Ada tells Ben: both have it with its day, and nobody elsewhere hears a word of it."""
    ada, ben, cleo = scene
    cleo.caught_up()
    ada.ask(f"say Ben, {SWORD}", "You say")
    ben.expect(SWORD)
    cleo.silent(2)
    for line in (ada, ben):
        kept = recap(line)
        assert f"Day 6. Ada: Ben, {SWORD}" in " ".join(kept.split())


def test_13_what_one_took_no_part_in_is_not_in_the_recap(scene):
    """What Ada whispers to Tansy, Ada remembers; Ben does not, and neither heard nor reads it."""
    ada, ben, _ = scene
    ben.caught_up()
    ada.ask(f"whisper tansy = {SECRET}", r"^Tansy Brewell whispers")
    ben.silent(1, SECRET)
    assert SECRET in " ".join(recap(ada).split())
    assert SECRET not in " ".join(recap(ben).split())


def test_13_what_is_for_one_is_overheard_by_the_other(scene):
    """Ben hears what Ada asks Tansy, but took no part in it."""
    ada, ben, _ = scene
    ben.caught_up()
    ada.ask("say Tansy, what do you know about the stew?", TANSY)
    ben.expect("about the stew")
    assert "about the stew" in " ".join(recap(ada).split())
    assert "about the stew" not in " ".join(recap(ben).split())


def test_b2_a_move_is_news_with_the_next_line(scene, village):
    """Ada takes the party elsewhere: the world knows it, and their next line brings it to both."""
    ada, ben, _ = scene
    ada.ask("scene/set scene = tavern", "tavern")
    ada.ask("scene/set scene = dragon_lair", "dragon_lair")
    ada.ask("say Ben, mind your head.", "You say")
    ben.expect("mind your head")
    for line in (ada, ben):
        kept = " ".join(recap(line).split())
        assert "moved from tavern to dragon_lair" in kept
    with village.owner() as owner:
        owner.ask("aiscene/world sword", r"moved\s+from\s+tavern\s+to\s+dragon_lair")


def test_b3_what_somebody_gets_is_news_to_those_who_play(scene, village):
    """Ada picks up the sword on day 7: the record has it, and the next line tells Ben."""
    ada, ben, _ = scene
    with village.owner() as owner:
        owner.ask("tel/loc Ada", "Teleported to|already at")
        owner.ask("create/drop the Sacred Sword", "You create")
        ada.ask("scene/day 7", "It is day 7")
        ada.ask("get sword", "You pick up")
        ada.ask("say Ben, look what I found.", "You say")
        ben.expect("look what I found")
        assert "acquired the Sacred Sword" in " ".join(recap(ben).split())
        owner.ask("aiscene/world sword", r"Ada acquired the\s+Sacred Sword")


def test_13_3_a_recap_goes_no_further_than_its_day(scene):
    """What was known at the end of day 6 holds nothing of day 7."""
    ben = scene[1]
    kept = " ".join(ben.told("scene/recap sword = 6", "The Sword").split())
    assert "mind your head" in kept
    assert "look what I found" not in kept


def test_13_3_what_is_asked_of_a_day_is_found_there(scene):
    """What was said on day 6 is what a question about day 6 finds, and nothing of day 7."""
    ben = scene[1]
    found = " ".join(ben.told("scene/recall head on day 6", "The Sword").split())
    assert "Day 6. Ada: Ben, mind your head." in found
    assert "look what I found" not in found


def test_13_1_one_container_does_not_lead_to_another(scene):
    """Ben finds nothing of what Ada whispered, whatever he asks for, the container's name too."""
    ada, ben, _ = scene
    for asked in ("map cloak", SECRET, "where participants = Ada", "where container = Ada"):
        ben.send(f"scene/recall {asked}")
        assert SECRET not in " ".join(ben.caught_up().split())
    assert SECRET in " ".join(ada.told("scene/recall map cloak", "The Sword").split())


def test_13_2_and_13_4_staff_see_who_took_part_and_learnt_what(scene, village):
    """Participants and knowledge of each line, as a file under the names of the document."""
    with village.owner() as owner:
        owner.ask("aiscene/export sword = told.json why 50", "It is in server/cards/told.json")
    found = json.loads((village.root / "server" / "cards" / "told.json").read_text())
    ids = {name: who for who, name in found["names"].items()}
    lines = {line["content"]: line for line in found["messages"]}
    told = lines[f"Message: Ada: Ben, {SWORD} GameDay: 6"]
    assert {*told["actualParticipants"]} == {ids["Ada"], ids["Ben"]}
    moved = lines["Message: Ada: Ben, mind your head. GameDay: 6"]["worldKnowledge"]
    for who in ("Ada", "Ben"):
        assert any("dragon_lair" in news for news in moved[ids[who]])
    assert found["currentScene"] == "dragon_lair"


def test_who_is_elsewhere_has_no_part_in_it(scene):
    """Cleo is in no scene, has nothing to recap, and the record does not know her."""
    cleo = scene[2]
    cleo.ask("scene/recap", "You are in no scene")


def test_what_was_played_is_told_afterwards(players):
    """Over and left, a scene is still in the list of whoever played it, with what they remember."""
    cleo = players[2]
    cleo.ask("scene/create A Quiet Hour", "is made")
    cleo.ask("scene/start", "begins")
    cleo.ask("scene", r"You can: [^.]*scene/stop")
    cleo.ask("scene/think the lantern is missing", "You think")
    cleo.ask("scene/stop", "is over")
    cleo.ask("scene/list", "#1 +A Quiet Hour +over")
    cleo.ask("scene/recap quiet", "You thought: the lantern is missing")
    cleo.ask("scene/recall lantern", "the lantern is missing")
    cleo.ask("scene/recap quiet = 0", "nothing of that")
    cleo.ask("scene", "You are in no scene")


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
        dora.ask("say The night is young.", TANSY, 30)
        dora.expect(r"^Marrek says", 30)
        dora.ask("scene/stop", "is over")
        owner.ask("ai/delete marrek", "Delete Marrek")
        owner.ask("Marrek", "Marrek is gone")


def test_13_5_who_may_not_remember_is_given_nothing(village_llm, fake_model):
    """The same question, with memory and without: only one prompt holds what was told days ago."""
    with village_llm.owner() as owner, village_llm.join("Edda") as edda:
        owner.ask("tel/loc Edda", "Teleported to|already at")
        edda.ask("scene/create A Memory", "is made")
        edda.ask("scene/invite tansy", "Tansy Brewell joins")
        edda.ask("scene/start", "begins")
        edda.ask("scene/day 2", "It is day 2")
        edda.ask("say Tansy, the comet is called Hairy Nell.", TANSY, 30)
        edda.ask("scene/day 9", "It is day 9")
        owner.ask("ai/config tansy = chat_history off", "chat_history")
        told = {}
        for switch in ("on", "off"):
            owner.ask(f"ai/config tansy = memory_enabled {switch}", "memory_enabled")
            fake_model.reset()
            edda.ask("say Tansy, what is the comet called?", TANSY, 30)
            asked = [json.dumps(one["body"]) for one in fake_model.requests()]
            told[switch] = any(
                "Hairy Nell" in one.partition("What you remember")[2] for one in asked
            )
        owner.ask("ai/config tansy = memory_enabled default", "memory_enabled")
        owner.ask("ai/config tansy = chat_history role", "chat_history")
        edda.ask("scene/stop", "is over")
    assert told == {"on": True, "off": False}
