"""What the owner changes in a real browser: before, the question, after, and the database."""

import json
import re
from types import SimpleNamespace

import pytest

from ai_assistant.roleplay.cards import card_to_bytes, read_card
from tests.e2e.desk_browser import Desk
from tests.e2e.harness import wait_for
from tests.unit.roleplay.decks import card

GATE = "the northern gate stands open"
LINES = (
    "I live in Oakvale.",
    "I keep bees.",
    "I have a cart.",
    "I like plum cake.",
    "I own mules.",
)
STAFF = "Bea"


@pytest.fixture(scope="module")
def wick(village_llm, fake_model):
    """A character of these tests' own: its number, its id, and its owner's line beside it."""
    fake_model.reset(latency=0)
    with village_llm.owner() as line:
        line.ask("ai/create Wick = lamplighter", "Wick")
        line.ask("ai/config wick = tick_rate_sleep 2", "tick_rate_sleep")
        line.ask("say Hello, Wick!", "^Wick says")
        [(number,)] = village_llm.sql("SELECT id FROM objects_objectdb WHERE db_key = 'Wick'")
        [(key,)] = village_llm.sql(
            "SELECT owner FROM ai_assistant_block WHERE label = 'persona' AND value LIKE ?",
            "%lamplighter%",
        )
        yield SimpleNamespace(line=line, number=number, key=key)
        line.ask("ai/delete wick", "Delete Wick")
        line.ask("Wick", "Wick is gone")
    fake_model.reset(latency=0.05)


@pytest.fixture(scope="module")
def desk(chrome, village_llm, wick):
    """The owner's browser, which knows where the page of Wick is."""
    desk = Desk(chrome, f"http://127.0.0.1:{village_llm.base + 1}")
    desk.log_in()
    desk.wick = f"{desk.site}/ai/{wick.number}/"
    return desk


@pytest.fixture
def block(village_llm, wick):
    """block(label) reads a memory block of Wick's from the database."""

    def read(label):
        query = "SELECT value FROM ai_assistant_block WHERE owner = ? AND label = ?"
        found = village_llm.sql(query, wick.key, label)
        return json.loads(found[0][0]) if found else {}

    return read


def do_it(desk):
    """Answer the question of an edit; returns what was asked, and what is told then."""
    asked = desk.find("table").text
    desk.leave_by("main form button", "\n")
    return asked, desk.told()


@pytest.mark.parametrize("kind", ["json", "png"])
def test_a_card_is_uploaded(desk, block, tmp_path, kind):
    """Not before its tick is set; then Wick is who the card says, and wears its picture."""
    raw = card(19, 3)
    raw["data"]["description"] = f"Writes on {kind} alone."
    is_picture, file = kind == "png", tmp_path / f"quill.{kind}"
    file.write_bytes(card_to_bytes(read_card(raw)) if is_picture else json.dumps(raw).encode())
    desk.chrome.get(f"{desk.wick}persona/")
    desk.find("#card").send_keys(str(file))
    desk.find("form[enctype] button").send_keys("\n")
    assert desk.find("form[enctype] [name=sure]:invalid")
    assert f"on {kind} alone" not in str(block("persona"))
    desk.find("form[enctype] [name=sure]").send_keys(" ")
    desk.leave_by("form[enctype] button", "\n")
    assert desk.told() == "Wick has the persona of the card Quill now."
    assert f"on {kind} alone" in desk.find("main").get_property("textContent")
    assert f"on {kind} alone" in str(block("persona"))
    if is_picture:
        assert desk.find("img.portrait").get_property("naturalWidth") > 0


def test_a_broken_card_changes_nothing(desk, block, tmp_path):
    """What is wrong with it is said, with a way back."""
    before = block("persona")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    desk.chrome.get(f"{desk.wick}persona/")
    desk.find("#card").send_keys(str(tmp_path / "broken.png"))
    desk.find("form[enctype] [name=sure]").send_keys(" ")
    desk.leave_by("form[enctype] button", "\n")
    assert "cut short" in desk.find("main").text
    assert block("persona") == before
    desk.chrome.get_log("browser")


def test_a_block_is_edited_and_taken_back(desk, block, pictures):
    """From the list of blocks to one, its field and its words; and back to what it was."""
    first, second = "The miller is away.", "The smith and the miller quarrel."
    desk.chrome.get(f"{desk.wick}blocks/")
    desk.leave_by("a[href*='block=shared_social']", "\n")
    assert not desk.has("main .ways a[href*=undo_block]")
    for words in (first, second):
        desk.leave_by("main .ways a[href*='edit\\/block\\/']", "\n")
        assert words == second or desk.look("block-form", pictures) == []
        desk.find("#id_text").send_keys(words)
        desk.leave_by("main form button", "\n")
        assert words not in str(block("shared_social"))
        asked, told = do_it(desk)
        assert words in asked
        assert "Wick" in told
        assert words in desk.find("main dl").text
        assert words in str(block("shared_social"))
    desk.leave_by("main .ways a[href*=undo_block]", "\n")
    asked, told = do_it(desk)
    assert second in asked
    assert "as at version 1" in told
    assert first in str(block("shared_social"))
    assert second not in str(block("shared_social"))


def test_a_draft_is_taken_field_by_field(desk, block, fake_model, pictures):
    """It comes without the page being loaded again; what is taken is written, the rest is not."""
    drafted = {"personality": "Hums in the dark.", "greeting": "Mind the oil."}
    fake_model.reset(latency=0.3)
    fake_model.script({"say": json.dumps(drafted), "when": "sentence"})
    desk.chrome.get(f"{desk.wick}draft/")
    desk.find("#sentence").send_keys("A cheerful lamplighter.")
    desk.leave_by("main form button", "\n")
    field = desk.find("textarea[name=personality]")
    assert field.get_property("value") == "Hums in the dark."
    assert "Hums" not in str(block("persona"))
    assert desk.look("draft-made", pictures) == []
    desk.leave_by("form:has([name=personality]) button", "\n")
    asked, told = do_it(desk)
    assert "Hums in the dark." in asked
    assert "personality" in told
    now = block("persona")
    assert now["personality"] == "Hums in the dark."
    assert "Mind the oil." not in str(now)


def test_who_took_part_is_put_right(desk, village_llm, wick, fake_model, pictures):
    """It is asked who would forget what; then neither Wick nor whom Wick told has it any more."""
    fake_model.reset(latency=0)
    fake_model.script({"say": "I shall tell the guard."})
    wick.line.ask(f"say Wick, {GATE}.", "^Wick says")
    left = "SELECT container, id FROM ai_assistant_memory WHERE archived_at IS NULL"
    left += f" AND container != 'world' AND content LIKE '%{GATE}%'"
    own = wait_for(lambda: dict(village_llm.sql(left)).get(wick.key))
    wick.line.ask(f"aiscene/tell game = #{own} wick>tansy", "Tansy Brewell has it from Wick")
    before = {holder for holder, _ in village_llm.sql(left)}
    desk.chrome.get(f"{desk.site}/ai/scenes/one/")
    lines = desk.chrome.find_elements("css selector", "tbody th")
    (said,) = [line for line in lines if GATE in line.text]
    desk.chrome.get(said.find_element("css selector", "a").get_attribute("href"))
    assert GATE in desk.find("main ul.lines").text
    desk.leave_by("main .ways a[href*=who_took_part]", "\n")
    assert desk.look("who-took-part", pictures) == []
    assert desk.find("#id_who").get_property("value") == "Wick"
    desk.find("#id_who").clear()
    desk.leave_by("main form button", "\n")
    asked, told = do_it(desk)
    assert asked.count("forgotten") == 2
    assert "Tansy Brewell" in asked
    assert told == "That is right now: Owner took part."
    after = {holder for holder, _ in village_llm.sql(left)}
    assert wick.key not in after
    assert len(after) == len(before) - 2


def test_a_night_is_watched_and_taken_back(desk, wick, fake_model, pictures):
    """While it runs the page of health says how far it is; in the morning it can be undone."""
    fake_model.reset(latency=0)
    for words in LINES:
        wick.line.ask(f"say Wick, {words}", "^Wick says")
    fake_model.reset(latency=0)
    fake_model.script({"fault": "503", "when": LINES[0], "latency": 600})
    desk.chrome.get(f"{desk.wick}nights/")
    desk.leave_by("main .ways a[href*=sleep]", "\n")
    asked, told = do_it(desk)
    assert "asleep" in asked
    assert "Wick falls asleep" in told
    (question, *_) = wait_for(fake_model.requests)
    shown = json.loads(question["body"]["messages"][-1]["content"])["lines"]
    line = next(line for line in shown if LINES[0] in line["says"])
    learnt = {"about": line["who"], "fact": f"{line['who']} lives in Oakvale"}
    learnt |= {"lines": [line["id"]], "quote": LINES[0], "replaces": []}
    fake_model.script({"say": json.dumps({"facts": [learnt], "people": []}), "when": LINES[0]})
    desk.chrome.get(f"{desk.site}/ai/health/")
    assert re.search(r"1 under way \(\d of 11 stages\)", desk.find("#live").text)
    fake_model.release()
    wait_for(lambda: "awake" in wick.line.ask("aisleep wick", "Wick: (asleep|awake)").group())
    desk.chrome.get(f"{desk.site}/ai/health/")
    assert "0 under way" in desk.find("#live").text
    desk.chrome.get(f"{desk.wick}nights/")
    assert "lives in Oakvale" in desk.find("main").text
    assert desk.look("night-brought", pictures) == []
    desk.leave_by("a[href*=undo_night]", "\n")
    assert desk.find("main button.danger")
    asked, told = do_it(desk)
    assert "the night of" in asked
    assert "1 trait gone" in told
    assert "All of this was taken back" in desk.find("main .note.warn").text
    assert not desk.has("a[href*=undo_night]")
    assert "lives in Oakvale" not in wick.line.told("aimem/profile wick = owner", "Owner")


def test_a_builder_sees_and_changes_nothing(desk, village_llm, wick):
    """No form stands on her pages, and what she sends all the same is refused in words."""
    village_llm.join(STAFF).close()
    wick.line.ask(f"perm *{STAFF} = Builder", "Builder")
    desk.log_in(STAFF)
    for page in ("persona/", "blocks/", "block/?block=persona", "nights/", "memory/?q=cart"):
        desk.chrome.get(f"{desk.wick}{page}")
        assert "Wick" in desk.find("h1").text
        assert not desk.has("main form[method=post], main .ways")
    desk.chrome.get(f"{desk.wick}draft/")
    assert "Only Admins may do that." in desk.find("main").text
    for what in ("edit/block/?block=persona", "edit/undo_night/?id=none", "edit/favor/?who=owner"):
        desk.chrome.get(f"{desk.wick}{what}")
        assert "Only Admins may do that." in desk.find("main").text
    desk.log_in()
