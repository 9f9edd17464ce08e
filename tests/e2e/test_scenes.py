"""Scenes over telnet, with players as participants: what a player sees, criterion by criterion.

Each example flow (B) and each criterion (13) of roleplay, as the table numbers them, is played:

| case | test |
|---|---|
| B.1, a line and who keeps it | `test_b1_…`, a character's in `test_scene_minds.py` |
| B.2, the world changes | `test_b2_…` |
| B.3, a character gets something | `test_b3_…` |
| 13.1, privacy | `test_13_1_…`, a character's in `test_scene_minds.py`; `test_13_what_…` (two) |
| 13.2, who took part, who learnt what | `test_b1_…`, `test_13_2_…` (three) |
| 13.3, days | `test_13_3_…` (three), a character's in `test_b1_…` of `test_scene_minds.py` |
| 13.4, the record of the world | `test_13_4_…`, `test_b2_…`, `test_b3_…` |
| 13.5, memory in prompts | `test_13_5_…` in `test_scene_minds.py` |

What is amid a write when the Server is killed is in `test_scene_kills.py`.
"""

import json
from itertools import count

import pytest

TANSY = r"^Tansy Brewell says"
SWORD = "Ben and I agreed to find the Sacred Sword!"
SECRET = "the map is sewn into my cloak"
LEADS, WOUND = "Ada leads the party now", "Ada feels her old wound"
FILES = count(1)


@pytest.fixture(scope="module")
def players(village):
    """Ada, Ben and Cleo in the inn, and Finn outside on the green."""
    ada, ben, cleo, finn = (village.join(name) for name in ("Ada", "Ben", "Cleo", "Finn"))
    finn.ask("out", "Village Green")
    yield ada, ben, cleo, finn
    ada.ask("scene/stop", "is over")
    for line in (ada, ben, cleo, finn):
        line.close()


@pytest.fixture(scope="module")
def scene(players):
    """A scene of Ada, Ben, Cleo and Tansy, on day 6 of its story."""
    ada, ben, cleo, _ = players
    ada.ask("scene/create The Sword", "is made")
    for line in (ben, cleo):
        line.ask("scene/join sword", "joins 'The Sword'")
    ada.ask("scene/invite tansy", "Tansy Brewell joins")
    ada.ask("scene/start", "begins")
    ada.ask("scene/day 6", "It is day 6")
    for line in players:
        line.caught_up()
    return players


@pytest.fixture(scope="module")
def owner(village):
    """The superuser's line."""
    with village.owner() as line:
        yield line


@pytest.fixture(scope="module")
def exported(village, owner):
    """Returns what staff export of the scene, as what the file holds."""

    def export(asked):
        file = f"told{next(FILES)}.json"
        owner.ask(f"aiscene/export sword = {file} {asked}", f"It is in server/cards/{file}")
        return json.loads((village.root / "server" / "cards" / file).read_text())

    return export


@pytest.fixture(scope="module")
def ids(scene, exported):
    """Who plays, by name, and which scene it is, as `scene`."""
    found = exported("why 1")
    return {name: who for who, name in found["names"].items()} | {"scene": found["sessionId"]}


@pytest.fixture(scope="module")
def line_with(exported):
    """Returns the line of the scene that holds some words, as staff export it."""

    def find(words):
        [line] = (line for line in exported("why 50")["messages"] if words in line["content"])
        return line

    return find


def recap(line):
    """Return all that a player remembers of the scene, on one line."""
    return " ".join(line.told("scene/recap 50", "The Sword").split())


def records(owner, who, what, reader):
    """Let game code record what became of somebody, as news for one reader."""
    owner.ask(
        f"py from ai_assistant import entity_id, record_update; "
        f"record_update(evennia.search_object('{who}')[0], '{what}', 'status', "
        f"readers=entity_id(evennia.search_object('{reader}')[0]))",
        ">>>",
    )
    owner.caught_up()


def test_b1_a_line_is_kept_by_those_who_took_part(scene, owner, ids, exported, line_with):
    """Ada and Ben have it with its day, each with news of their own; Cleo, who plays along and
    hears it, has nothing of it, and nobody elsewhere hears a word."""
    ada, ben, cleo, finn = scene
    records(owner, "Ada", WOUND, "Ada")
    records(owner, "Ada", LEADS, "Ben")
    finn.caught_up()
    ada.ask(f"say {SWORD}", "You say")
    for line in (ben, cleo):
        line.expect("Sacred Sword")
    finn.silent(1)
    for line in (ada, ben):
        assert f"Day 6. Ada: {SWORD}" in recap(line)
    assert "Sacred Sword" not in recap(cleo)

    said = line_with("Sacred Sword")
    assert said["content"] == f"Message: Ada: {SWORD} GameDay: 6"
    assert said["containerTag"] == f"{ids['scene']}-world"
    assert {*said["actualParticipants"]} == {ids["Ada"], ids["Ben"]}
    assert {*said["hearers"]} >= {ids["Cleo"], ids["Tansy Brewell"]}
    own = {who: {*said["worldKnowledge"][ids[who]]} & {WOUND, LEADS} for who in ("Ada", "Ben")}
    assert own == {"Ada": {WOUND}, "Ben": {LEADS}}
    held = exported("who Sacred Sword")["containers"]
    tags = [f"{ids['scene']}-{ids[who]}" for who in ("Ada", "Ben")]
    assert sorted(row["containerTag"] for row in held) == sorted(tags)
    told = " ".join(owner.told(f"aiscene/why sword = #{said['row']}", "Sacred Sword").split())
    for tag in tags:
        enriched = told.partition(f"in {tag}")[2]
        assert enriched.startswith(
            f" ###Current time### Game Day: 6 ###Message### Message: Ada: {SWORD} GameDay: 6 "
            "###Newly discovered world knowledge### "
        )


def test_13_what_one_took_no_part_in_is_not_in_the_recap(scene):
    """What Ada whispers to Tansy, Ada remembers; Ben does not, and neither heard nor reads it."""
    ada, ben, *_ = scene
    ben.caught_up()
    ada.ask(f"whisper tansy = {SECRET}", r"^Tansy Brewell whispers")
    ben.silent(1, SECRET)
    assert SECRET in recap(ada)
    assert SECRET not in recap(ben)


def test_13_what_is_for_one_is_overheard_by_the_other(scene):
    """Ben hears what Ada asks Tansy, but took no part in it."""
    ada, ben, *_ = scene
    ben.caught_up()
    ada.ask("say Tansy, what do you know about the stew?", TANSY)
    ben.expect("about the stew")
    assert "about the stew" in recap(ada)
    assert "about the stew" not in recap(ben)


def test_b2_a_move_is_news_with_the_next_line(scene, exported, ids, line_with):
    """Ada takes the party elsewhere: the record has it, and their next line brings it to both."""
    ada, ben, *_ = scene
    ada.ask("scene/set scene = tavern", "tavern")
    ada.ask("scene/set scene = dragon_lair", "dragon_lair")
    [record] = exported("world party moved")["containers"]
    assert record["containerTag"] == f"{ids['scene']}-world"
    [update] = record["memories"]
    assert update["content"] == "The party moved from tavern to dragon_lair. GameDay: 6"
    facts = [update[name] for name in ("type", "location", "previousLocation", "gameDay")]
    assert facts == ["world_state_update", "dragon_lair", "tavern", 6]

    ada.ask("say Ben, mind your head.", "You say")
    ben.expect("mind your head")
    for line in (ada, ben):
        assert "moved from tavern to dragon_lair" in recap(line)
    learnt = line_with("mind your head")["worldKnowledge"]
    for who in ("Ada", "Ben"):
        assert "The party moved from tavern to dragon_lair" in learnt[ids[who]]
    assert exported("why 1")["currentScene"] == "dragon_lair"


def test_b3_what_somebody_gets_is_news_to_those_who_play(scene, owner, exported, ids, line_with):
    """Ada picks up the sword on day 7: the record has it, and the next line tells Ben."""
    ada, ben, *_ = scene
    owner.ask("tel/loc Ada", "Teleported to|already at")
    owner.ask("create/drop the Sacred Sword", "You create")
    ada.ask("scene/day 7", "It is day 7")
    ada.ask("get sword", "You pick up")
    [record] = exported("world acquired")["containers"]
    [update] = record["memories"]
    assert update["content"] == "Ada acquired the Sacred Sword. GameDay: 7"
    facts = [update[name] for name in ("type", "characterId", "updateType", "gameDay")]
    assert facts == ["character_update", ids["Ada"], "item_acquired", 7]

    ada.ask("say Ben, look what I found.", "You say")
    ben.expect("look what I found")
    learnt = line_with("look what I found")["worldKnowledge"]
    assert "Ada acquired the Sacred Sword" in learnt[ids["Ben"]]
    assert "acquired the Sacred Sword" in recap(ben)


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


def test_13_3_each_line_has_its_day_in_its_words_and_beside_them(scene, exported):
    """In the record, and as a fact of each of Ben's memories."""
    lines = exported("why 50")["messages"]
    assert {line["gameDay"] for line in lines} == {6, 7}
    assert all(line["content"].endswith(f"GameDay: {line['gameDay']}") for line in lines)
    [held] = exported("knows Ben where gameDay = 7")["containers"]
    days = {row["content"]: row["gameDay"] for row in held["memories"]}
    assert days["Ben, look what I found."] == 7
    assert {*days.values()} == {7}


def test_13_1_one_container_does_not_lead_to_another(scene, ids):
    """Ben finds nothing of what Ada whispered, whatever he asks for: not by the printed names of
    her container and the world's."""
    ada, ben, *_ = scene
    tags = [f"{ids['scene']}-{whose}" for whose in (ids["Ada"], "world")]
    fields = ("containerTag", "container", "session", "location")
    where = [f"where {field} = {tag}" for field in fields for tag in tags]
    for asked in ("map cloak", SECRET, "where participants = Ada", *tags, *where):
        ben.send(f"scene/recall {asked}")
        assert SECRET not in " ".join(ben.caught_up().split())
    assert SECRET in " ".join(ada.told("scene/recall map cloak", "The Sword").split())


def test_13_2_who_took_part_in_each_line(scene, exported, ids, line_with):
    """Whom the words were for, besides who spoke; who only heard it is told from them."""
    partners = {
        SWORD: "Ben", SECRET: "Tansy Brewell", "about the stew": "Tansy Brewell",
        "mind your head": "Ben", "look what I found": "Ben",
    }  # fmt: skip
    for words, partner in partners.items():
        assert {*line_with(words)["actualParticipants"]} == {ids["Ada"], ids[partner]}, words


def test_13_2_who_took_part_in_no_line_has_none(scene, exported):
    """Cleo stood by all the time: she saw what happened, and has not a line of the talk."""
    [held] = exported("knows Cleo")["containers"]
    assert {"world_state_update", "character_update"} <= {row["type"] for row in held["memories"]}
    assert not any(row["participants"] for row in held["memories"])


def becomes(owner, who, typeclass):
    """Make somebody's body one of another class."""
    swap = f"evennia.search_object('{who}')[0].swap_typeclass('{typeclass}', run_start_hooks=None)"
    owner.ask(f"py {swap}", ">>>")
    owner.caught_up()


def test_13_2_who_only_stands_by_keeps_no_row(village, scene, owner, ids):
    """Of a line to Ben that Tansy overhears, and Cleo, for whom others would keep it, and Finn, who
    plays nowhere, none keeps anything; of what Finn asks Tansy in the game she does, no player."""
    ada, _, _, finn = scene
    finn.ask("in", "Kettle and Crow")
    becomes(owner, "Cleo", "evennia.objects.objects.DefaultCharacter")
    ada.ask("say Ben, the bread is stale.", "You say")
    finn.expect("bread is stale")
    finn.ask("say Tansy, how is the ale?", TANSY)  # with her turn is saved what she heard before
    keepers = "select container from ai_assistant_memory where content like ? and session = ?"
    kept = {
        words: {who for (who,) in village.sql(keepers, f"%{words}%", session)}
        for words, session in (("bread is stale", ids["scene"]), ("how is the ale", ""))
    }
    assert kept["bread is stale"] == {"world", ids["Ada"], ids["Ben"]}
    assert kept["how is the ale"] == {"world", ids["Tansy Brewell"]}
    becomes(owner, "Cleo", "typeclasses.characters.Character")
    finn.ask("out", "Village Green")


def test_13_4_the_record_has_everything(scene, exported):
    """What was said, even in a whisper, and what happened, each once, from the beginning on."""
    scene[2].ask("scene/leave", "leaves 'The Sword'")
    [record] = exported("world 200")["containers"]
    kept = [row["content"] for row in record["memories"]]
    assert kept[0].startswith("The scene begins with ")
    for once in (
        f"Message: Ada: {SWORD} GameDay: 6", f"Message: Ada: {SECRET} GameDay: 6",
        "Message: Ada: Tansy, what do you know about the stew? GameDay: 6",
        "Message: Ada: Ben, mind your head. GameDay: 6",
        "Message: Ada: Ben, look what I found. GameDay: 7",
        f"{WOUND}. GameDay: 6", f"{LEADS}. GameDay: 6", "It is day 7 now. GameDay: 7",
        "The party moved from tavern to dragon_lair. GameDay: 6",
        "Ada acquired the Sacred Sword. GameDay: 7", "Cleo leaves the scene. GameDay: 7",
    ):  # fmt: skip
        assert kept.count(once) == 1, once
    assert sum(line.startswith("Message: Tansy Brewell: ") for line in kept) >= 2


def test_who_is_elsewhere_has_no_part_in_it(scene, exported):
    """Finn is in no scene, has nothing to recap, and no line of the record knows him."""
    scene[3].ask("scene/recap", "You are in no scene")
    assert "Finn" not in exported("why 50")["names"].values()


def test_what_was_played_is_told_afterwards(players):
    """Over and left, a scene is still in the list of whoever played it, with what they remember."""
    finn = players[3]
    finn.ask("scene/create A Quiet Hour", "is made")
    finn.ask("scene/start", "begins")
    finn.ask("scene", r"You can: [^.]*scene/stop")
    finn.ask("scene/think the lantern is missing", "You think")
    finn.ask("scene/stop", "is over")
    finn.ask("scene/list", "#1 +A Quiet Hour +over")
    finn.ask("scene/recap quiet", "You thought: the lantern is missing")
    finn.ask("scene/recall lantern", "the lantern is missing")
    finn.ask("scene/recap quiet = 0", "nothing of that")
    finn.ask("scene", "You are in no scene")
