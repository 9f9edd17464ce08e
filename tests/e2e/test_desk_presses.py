"""Every edit of the owner's pages, done in a real browser from the page that offers it."""

import json
import re
from dataclasses import dataclass, field

import pytest

from tests.e2e.desk_browser import Desk
from tests.e2e.harness import wait_for
from tests.permissions_page import in_the_docs

HIDDEN = "the key lies under the stone"
SUNG = "the soup is cold"
HEARD, SEEN = "the kettle sings at noon", "the cat sleeps in the flour"
PROPOSED = "Ask before you pour."
OF_GAME = "scenes/one/"
SAGE = {"uid": 0, "comment": "Sage", "key": ["sage"], "content": "Sage heals."}
BOOK = {"name": "Herbs", "entries": {"0": SAGE}}
CARD = {
    "name": "Juniper",
    "character_book": {"entries": [{"keys": ["tea"], "content": "Tea wakes."}]},
}


@dataclass(frozen=True)
class Press:
    """An edit as a person comes to it: a page, what is pressed there, what is filled in."""

    edit: str
    """As it is called in the address; with `world/` before it for what is everybody's."""
    page: str
    """Below the pages of the character, or of all."""
    ways: tuple = ()
    """The words that are pressed one after the other, or those and others that stand beside."""
    filled: dict = field(default_factory=dict)
    """What is typed into fields, by the words on them."""
    sends: str = "Review the changes"
    """The words on the button of the form."""
    seen: str = ""
    """What the page shows that follows."""
    gone: str = ""
    """What it shows no more."""
    told: str = ""
    """What is told on it of what was done."""
    hand: str = "Mouse"
    """By which hand it is done."""

    def __str__(self):
        return self.edit


def _of_block(of_all, label, *words):
    page, change = f"{of_all}block/?block={label}", f"{of_all}block"
    first, second = (
        Press(change, page, ("Change it",), {"Text": text}, seen=text) for text in words
    )
    takes_back = Press(f"{of_all}undo_block", page, ("Take back the last change",), gone=words[1])
    limit = {"Characters": "9000"}
    limits = Press(f"{of_all}block_limit", page, ("How much it may hold",), limit, seen=" 9,000")
    return first, second, takes_back, limits


HERSELF = (
    Press(
        *("persona", "persona/", (), {"Home location": "the loft"}),
        seen="the loft",
        hand="Keyboard",
    ),
    Press(
        *("setting", "settings/?q=tick_rate_sleep", (), {"tick rate sleep": "3"}, "Set"),
        told="is now 3",
    ),
    Press("guideline", "persona/", ("Add a guideline",), {"Guideline": "Be kind."}, seen="kind."),
    Press("accept_guideline", "persona/", (f"Accept: {PROPOSED}",), gone="It proposes"),
    Press("reject_guideline", "persona/", (f"Reject: {PROPOSED}",), gone=PROPOSED),
    Press(
        *("template", "prompt/", ("Write a template",)),
        {"Name": "terse", "Instructions": "You are {name}."},
        seen="terse",
    ),
    Press("apply_template", "prompt/", ("Apply terse",), seen="terse applied"),
    Press("drop_template", "prompt/", ("Delete terse",), gone="Delete terse"),
    Press(
        *("new_component", "prompt/", ("Add a component",)),
        {"Id": "1600", "Key": "weather", "What it says": "It rains."},
        seen="It rains.",
    ),
    Press(
        *("component", "prompt/", ("Change weather",)),
        {"What it says": "It snows."},
        seen="It snows.",
    ),
    Press("drop_component", "prompt/", ("Delete weather",), seen="Components None."),
    Press("earlier_prompt", "prompt/", ("Bring back",), seen="It snows."),
)
TALKS = (
    Press(
        *("give_note", "", ("Director's notes",), {"A note": "Be brief."}, "Give it"),
        seen="Be brief.",
    ),
    Press("take_note_back", "", ("Take back",), gone="Be brief."),
    Press("mark", "", (("turn", HEARD), "It was good"), seen="Marked as good", hand="Keyboard"),
    Press("unmark", "", (("turn", HEARD), "No mark"), gone="Marked as good"),
    Press(
        *("world/pass_on", OF_GAME, (("Juniper", SEEN), "Pass it on: what Juniper has")),
        {"Hearer": "Tansy Brewell"},
        told="They have it now",
    ),
    Press(
        *("announce", "memory/", ("Tell it a fact that everybody may know",)),
        {"Text": "The bridge is out."},
        seen="The bridge is out.",
    ),
    Press(
        *("publish", "memory/?q=stone", (("let everybody know", HIDDEN),)),
        told="Everybody may know of it now",
    ),
    Press(
        *("world/scene_memory", OF_GAME, (("Juniper", SEEN), ("Correct", "Juniper"))),
        *({"What Juniper should remember": "The cat sits."}, "Correct"),
        seen="The cat sits.",
    ),
    Press(
        *("world/who_took_part", OF_GAME, (("Juniper", SEEN), "Correct who took part")),
        {"Who took part": "Tansy Brewell"},
        told="Tansy Brewell took part",
    ),
    Press(
        *("correct", "memory/?q=kettle", (("Correct or forget", HEARD),)),
        *({"What it should say": "The kettle is cold."}, "Correct"),
        seen="The kettle is cold.",
    ),
    Press(
        *("forget", "memory/?q=kettle", (("Correct or forget", "kettle is cold"), "Forget")),
        gone="kettle is cold",
    ),
    Press(
        *("favor", "people/", ("Owner", "Set the favorability")),
        {"Favorability": "0.6", "Why": "she paid"},
        seen="she paid",
        hand="Keyboard",
    ),
)
PLANS = (
    Press(
        *("new_goal", "plans/", ("Add a goal",), {"Goal": "Bake a pie.", "Priority": "high"}),
        seen="Bake a pie.",
        hand="Keyboard",
    ),
    Press(
        *("goal", "plans/", ("Bake a pie.", "Change it, finish or drop it"), {"Progress": "40"}),
        seen="40 %",
    ),
    Press("subtasks", "plans/", ("Bake a pie.", "Break it down"), seen="Its subtasks"),
    Press(
        *("task", "plans/", ("Give it a task",), {"What to find": "Count the cups."}),
        seen="tokens",
    ),
    Press(
        *("new_project", "plans/", ("Start a project",)),
        {"Key": "raft", "Summary": "Build a raft."},
        seen="Build a raft.",
    ),
    Press(
        *("project", "plans/", ("raft", "Rewrite its context"), {"Context": "Nearly done."}),
        seen="Nearly done.",
    ),
    Press(
        *("project_step", "plans/", ("raft", "Resume or complete it")),
        {"Action": "it is completed", "Words": "It floats."},
        seen="completed",
        hand="Keyboard",
    ),
)
BLOCKS = (
    *_of_block("", "shared_social", "The miller is away.", "The smith is ill."),
    Press(
        *("new_block", "blocks/", ("Make a block of the game's own",), {"Name": "larder"}),
        seen="larder",
    ),
    Press("delete_block", "blocks/", ("larder", "Delete it"), gone="larder"),
    Press(
        *("join_block", "blocks/", ("Share a block of others",), {"Name of the block": "watch"}),
        seen="grey mitten",
    ),
    Press("leave_block", "blocks/", ("watch", "Stop sharing it"), gone="grey mitten"),
)
LIFE = (
    Press("stop", "execution/", ("Stop it",), seen="Start it"),
    Press("start", "execution/", ("Start it",), seen="Stop it"),
    Press("emergency", "execution/", (), {"Why": "noise"}, "Emergency stop", seen="noise"),
    Press("end_emergency", "execution/", ("Clear the emergency stop",), gone="noise"),
    Press(
        *("audit_file", "audit/", ("Write all of it into a file",), {"Include": True}),
        seen="Download juniper",
    ),
    Press("sleep", "nights/", ("Put it to sleep",), told="falls asleep"),
    Press("undo_night", "nights/", ("Take this night back",), seen="was taken back"),
    Press(
        *("lore_entry", "../lore/?assistant={number}", ("Change",)),
        {"What it says": "Tea calms."},
        seen="Tea calms.",
        gone="Tea wakes.",
    ),
)
WORLD = (
    Press(
        *("world/news", "world/", ("Tell news",), {"What happened": "The tower fell."}),
        seen="The tower fell.",
        hand="Keyboard",
    ),
    Press(
        *("world/lore", "world/", ("Write the lore",), {"Lore": "All roads meet here."}),
        seen="All roads meet here.",
    ),
    Press(
        *("world/place", "world/", ("Add a place",), {"Name": "Old tower", "Coordinates": "3, 4"}),
        seen="Old tower",
    ),
    Press("world/remove_place", "world/", ("Take off: Old tower",), gone="Old tower"),
    Press("world/sync_map", "world/", ("Make it agree with the rooms",), told="map"),
    *_of_block("world/", "global_knowledge", "The ford is deep.", "The mill burns."),
    Press(
        *("world/new_block", "world/", ("Make a block of the game's own",), {"Name": "almanac"}),
        seen="almanac",
    ),
    Press("world/delete_block", "world/", ("almanac", "Delete it"), gone="almanac"),
    Press(
        *("world/lore_entry", "lore/", ("Change Sage",)),
        {"Words that bring it": "sage, herb", "There without any word": True},
        seen="always",
    ),
    Press("world/drop_book", "lore/", ("Delete it: Herbs",), gone="Sage heals."),
    Press(
        *("world/undo_book", "lore/", ("Take back the latest change of Herbs",)),
        seen="Sage heals.",
    ),
    Press("world/quiet", "", ("Silence all characters",), seen="told to be quiet"),
    Press("world/quiet", "", ("Let them speak",), seen="Silence all characters"),
)
IN_FEAST = ("The Feast",)
LED = (
    Press(
        *("world/new_scene", "scenes/", ("Make a scene",), {"Title": "The Feast"}),
        seen="The Feast",
    ),
    Press(
        *("world/join_scene", "scenes/", (*IN_FEAST, "Put somebody into it"), {"Who": "Juniper"}),
        seen="Take out",
    ),
    Press(
        *("world/join_scene", "scenes/", (*IN_FEAST, "Put somebody into it"), {"Who": "1"}),
        seen="Owner",
    ),
    Press(
        *("world/set_scene", "scenes/", (*IN_FEAST, "Set a value")),
        {"Name": "weather", "Value": "rain"},
        seen="rain",
    ),
    Press("world/scene_day", "scenes/", (*IN_FEAST, "Set the day"), {"Day": "3"}, seen="day 3"),
    Press("world/start_scene", "scenes/", (*IN_FEAST, "Start it"), seen="running"),
    Press(
        *("world/scene_update", "scenes/", (*IN_FEAST, "Record what became of somebody")),
        {"Who": "Juniper", "Text": "Juniper is tired."},
        told="Juniper is tired.",
        hand="Keyboard",
    ),
    Press(
        *("world/fold", "scenes/", (*IN_FEAST, "Fold old days"), {"Who": "Juniper", "Before": "2"}),
        told="made place",
    ),
    Press(
        *("world/branch_scene", "scenes/", (*IN_FEAST, "Branch it"), {"Title": "The Brawl"}),
        told="'The Brawl' goes on",
    ),
    Press(
        *("world/undo_scene", "scenes/", ("The Brawl", "Take lines back"), {"Lines": "2"}),
        gone=SUNG,
    ),
    Press(
        *("world/leave_scene", "scenes/", ("The Brawl", "Who plays in it", "Take out: Juniper")),
        told="They left",
    ),
    Press("world/stop_scene", "scenes/", ("The Brawl", "End it"), seen="over"),
    Press(
        *("world/scene_role", "scenes/", ("The Silent Bell", "Give a role")),
        {"Who": "Juniper", "Role": "reeve"},
        seen="reeve (Juniper)",
    ),
)
NEWCOMERS = (
    Press("whole_file", "persona/", ("All of it as a file",), seen="Download juniper"),
    *(
        Press(
            *("world/create", "", ("Create an assistant",), {"Name": name, "Room": "2"}),
            seen=name,
        )
        for name in ("Quince", "Sorrel")
    ),
    Press(
        *("reset", "../", ("Quince", "Execution", "Let it begin anew")),
        {"Scope": "talk", "The whole name": "Quince"},
        told="begins anew",
    ),
    Press(
        *("release", "../", ("Sorrel", "Execution", "Release it")),
        {"The whole name": "Sorrel"},
        gone="Sorrel",
    ),
    Press(
        *("delete", "../", ("Quince", "Execution", "Delete it")),
        {"The whole name": "Quince"},
        gone="Quince",
    ),
    Press(
        *("world/erase", "{number}/people/", ("Moth", "Let all characters forget Moth")),
        {"Scope": "all", "The whole name": "Moth"},
        told="forgotten",
    ),
)
PRESSES = (*HERSELF, *TALKS, *PLANS, *BLOCKS, *LIFE, *WORLD, *LED, *NEWCOMERS)
"""In an order in which each finds what it needs."""


@pytest.fixture(scope="module")
def owner(village_llm, fake_model):
    """The owner's line, with a character that was talked to, and a lorebook of the world."""
    fake_model.reset(latency=0)
    with village_llm.owner() as line:
        line.ask("ai/create Juniper = tea seller", "Juniper")
        call = {"guideline": PROPOSED, "reason": "The cup ran over."}
        fake_model.script({"call": "propose_guideline", "args": call}, {"say": f"Yes, {SEEN}."})
        line.ask(f"say Juniper, {HEARD}.", "^Juniper says")
        fake_model.script({"say": "Under the stone, then."})
        line.ask(f"whisper juniper = Hush: {HIDDEN}.", "Under the stone")
        line.ask("ai/create Moth = beggar", "Moth")
        fake_model.script({"say": "Good day, Juniper!"})
        line.ask("say Moth, who are you?", "^Moth says")
        for name, data in (("herbs", BOOK), ("juniper", {"spec": "chara_card_v2", "data": CARD})):
            file = village_llm.root / f"server/cards/{name}.json"
            file.parent.mkdir(exist_ok=True)
            file.write_text(json.dumps(data))
        line.ask("ai/import juniper.json = juniper", "Juniper has")
        line.ask("ai/import herbs.json", "Herbs")
        yield line
        line.ask("ai/delete moth", "Delete Moth")
        line.ask("Moth", "Moth is gone")
        line.ask("ai/delete juniper", "Delete Juniper")
        line.ask("Juniper", "Juniper is gone")
    fake_model.reset(latency=0.05)


@pytest.fixture(scope="module")
def desk(chrome, village_llm, owner):
    """The owner's browser, which knows where the pages of Juniper are."""
    desk = Desk(chrome, f"http://127.0.0.1:{village_llm.base + 1}")
    desk.log_in()
    [(number,)] = village_llm.sql("SELECT id FROM objects_objectdb WHERE db_key = 'Juniper'")
    desk.juniper = f"{desk.site}/ai/{number}/"
    return desk


UPLOADS = {
    "lore/upload/": (
        *("lore/", "Upload a lorebook", "I know: it takes the place", "roots.json"),
        json.dumps(BOOK).replace("Herbs", "Roots").replace("Sage heals", "Ginger warms"),
        "Ginger warms.",
    ),
    "scenes/upload/": (
        *("scenes/", "Make a scene of a card", "", "bell.yaml"),
        "format: assistant scene\ntitle: The Silent Bell\n"
        "roles: {ringer: {for: Juniper}, reeve: {about: It rules.}}\n",
        "ringer (Juniper)",
    ),
}
"""By its address: the page with the form, the words on it, a file, and what is shown then."""


@pytest.mark.parametrize("address", UPLOADS)
def test_every_upload_is_pressed(desk, pictures, tmp_path, address):
    """A file that is chosen and sent is there; each page fit to use."""
    from tests.e2e.desk_hands import Mouse

    page, words, sure, name, text, seen = UPLOADS[address]
    file, hand = tmp_path / name, Mouse(desk)
    file.write_text(text)
    desk.chrome.get(f"{desk.site}/ai/{page}")
    hand.fill(words, str(file))
    if sure:
        hand.fill(sure, True)
    assert desk.unfit() == []
    hand.press("Upload", kind="button")
    hand.sees(seen)
    desk.draw(f"{address.replace('/', '-')}done", pictures)
    assert desk.chrome.get_log("browser") == []


def test_a_whole_one_goes_out_and_comes_in(desk, owner, pictures, tmp_path):
    """What the browser downloads is what it uploads; who comes in has the next free name."""
    from tests.e2e.desk_hands import Mouse

    file, hand = tmp_path / "juniper.gz", Mouse(desk)
    desk.chrome.get(f"{desk.juniper}persona/")
    hand.press("All of it as a file")
    hand.press("Do it", kind="button")
    hand.sees("Download juniper")
    assert desk.look("persona-with-file", pictures) == []
    file.write_bytes(bytes(desk.chrome.execute_async_script(FETCHED)))
    desk.chrome.get(f"{desk.site}/ai/")
    hand.fill("Upload a whole assistant", str(file))
    hand.press("Upload", kind="button")
    assert not desk.has(".note.bad"), desk.find(".note.bad").text
    hand.sees("Juniper 2 came in")
    assert desk.look("overview-with-one-that-came", pictures) == []
    owner.ask("ai/delete juniper 2", "Delete Juniper 2")
    owner.ask("Juniper 2", "Juniper 2 is gone")


FETCHED = """
    const done = arguments[arguments.length - 1];
    fetch(document.querySelector('a[href*="/files/"]').href)
        .then(it => it.arrayBuffer()).then(it => done([...new Uint8Array(it)]));
"""
"""Returns the bytes behind the link that hands out a file."""


@pytest.mark.parametrize("row", PRESSES, ids=str)
def test_every_edit_is_pressed(desk, owner, pictures, row):
    """From the page that offers it to the page that shows it, each fit to use and without error."""
    from tests.e2e.desk_hands import Keyboard, Mouse

    hand = {"Mouse": Mouse, "Keyboard": Keyboard}[row.hand](desk)
    if row.edit == "undo_night":
        wait_for(lambda: "awake" in owner.told("aisleep juniper", "Juniper:"))
    if row.edit == "world/branch_scene":
        owner.ask(f"say Juniper, {SUNG}.", "^Juniper says")
    is_of_all = row.edit.startswith("world/") or row.page == OF_GAME
    page = row.page.replace("{number}", desk.juniper.split("/")[-2])
    desk.chrome.get(f"{desk.site}/ai/{page}" if is_of_all else f"{desk.juniper}{page}")
    for way in row.ways:
        hand.press(*((way,) if isinstance(way, str) else way))
    for words, text in row.filled.items():
        hand.fill(words, text)
    desk.draw(f"{row.edit.replace('/', '-')}-form", pictures)
    assert desk.unfit() == []
    if row.filled:
        hand.press(row.sends, kind="button")
    assert "This would change" in hand.read()
    hand.press("Do it", kind="button")
    assert not desk.has(".note.bad"), desk.find(".note.bad").text
    assert row.told in desk.told()
    hand.sees(row.seen)
    assert not row.gone or row.gone not in hand.read()
    assert desk.chrome.get_log("browser") == []
    if row.edit == "project":  # whose page no other test opens
        assert desk.look("project", pictures) == []


def test_no_edit_is_left_out():
    """What the page on permissions names of edits is pressed here, and nothing else."""
    address = re.compile(r"POST /ai/(?:\{number\}/|(world/))edit/(\w+)/")
    named = re.findall(address, "\n".join(in_the_docs()))
    assert {before + edit for before, edit in named} == {row.edit for row in PRESSES}
    uploads = re.findall(r"POST /ai/(\w+/upload/)", "\n".join(in_the_docs()))
    pressed_elsewhere = {"whole/upload/"}  # above, and that of a card in test_desk_edits
    assert {*uploads} - pressed_elsewhere == {*UPLOADS}
