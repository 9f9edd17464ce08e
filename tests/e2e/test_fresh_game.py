"""Drop in: the README's lines, done to a game fresh from `evennia --init`, then `ai/setup`."""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import evennia
import pytest

from tests.e2e.harness import ROOT, FakeModel, Game

README = (ROOT / "README.md").read_text()
MODELS = (ROOT / "docs/models.md").read_text()
MARREK = r"^Old Marrek says"


def readme_lines(place):
    """The lines that the README tells to write into a place, named by the comment above them."""
    found = re.search(rf"^# [^\n]*{re.escape(place)}[^\n]*\n(.*?)^(?:\n|```)", README, re.M | re.S)
    return found[1].rstrip("\n")


def write_after(path, anchor, line):
    """Put a line into a file, right after the last line that holds `anchor`."""
    lines = path.read_text().splitlines()
    at = max(number for number, one in enumerate(lines) if anchor in one)
    lines.insert(at + 1, line)
    path.write_text("\n".join(lines) + "\n")


def files_of_evennia():
    """A fingerprint of every source file of the installed Evennia."""
    root = Path(evennia.__file__).parent
    files = sorted(path for path in root.rglob("*.py") if "__pycache__" not in path.parts)
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path).encode() + path.read_bytes())
    return len(files), digest.hexdigest()


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened):
    """A fresh game after the README's lines, started; Evennia's files are the same before and
    after all tests of this module."""
    installed = files_of_evennia()
    with Game.fresh(tmp_path_factory.mktemp("fresh"), opened) as fresh:
        root = fresh.root
        with (root / "server/conf/settings.py").open("a") as file:
            file.write(readme_lines("settings.py") + "\n")
        cmdsets = root / "commands/default_cmdsets.py"
        before, character, account, rest = re.split(
            r"(?m)^(?=class )", cmdsets.read_text(), maxsplit=3
        )
        begin = "super().at_cmdset_creation()\n"
        character = character.replace(begin, begin + readme_lines("default_cmdsets") + "\n")
        account = account.replace(begin, begin + readme_lines("AccountCmdSet (optional)") + "\n")
        cmdsets.write_text("".join((before, character, account, rest)))
        write_after(root / "web/urls.py", "urlpatterns = [", readme_lines("web/urls.py"))
        yield fresh.open()
    assert files_of_evennia() == installed


@pytest.fixture(scope="module")
def owner(game):
    """The superuser's line."""
    return game.owner()


def test_a_character_is_made_and_talks(game, owner):
    """One command makes a character, and it answers."""
    owner.ask("ai/create Old Marrek = ferryman", "Old Marrek is here and listens")
    owner.ask("say hello marrek", MARREK)
    owner.ask("say my raft is called Otter", MARREK)
    assert "Otter" in owner.ask("say what is my raft called?", MARREK + ".*$").group()


def test_a_character_that_exists_gets_a_mind(game, owner):
    """An adopted character keeps what it is, and answers."""
    owner.ask("create/drop Bessa:typeclasses.characters.Character", "You create a new Character")
    owner.ask("desc Bessa = A tall woman with flour on her hands.", "set")
    owner.ask("ai/adopt Bessa", "has a mind of its own now")
    owner.ask("say good morning, Bessa", r"^Bessa says")
    owner.ask("look Bessa", "flour on her hands")


def test_help_is_in_game(game, owner):
    """The command explains itself."""
    owner.ask("help ai", "look after the assistants")


def test_page_finds_the_character(game, owner):
    """With the staff's command set, a page reaches an assistant."""
    owner.ask("page marrek = are you there?", r"^Old Marrek pages:")


def test_page_reaches_out_of_character(game, owner):
    """With the accounts' command set, also somebody who wears no character."""
    owner.ask("ooc", "You go OOC")
    owner.ask("page marrek = can you hear me?", r"^Old Marrek pages:")
    owner.ask("ic", "You become")


def test_players_have_their_commands(game, owner):
    """With the players' command set they read what is held about them, and play scenes."""
    owner.ask("memories", r"^Old Marrek +stranger")
    owner.ask("scene", "You are in no scene")


def test_no_migration_is_missing_or_outside(game):
    """The schema of the package is complete, and nothing was written into Evennia."""
    out = game.process.evennia("makemigrations", "ai_assistant", "--check", "--dry-run")
    assert "No changes" in out


def test_removing_the_lines_removes_everything_visible(game, owner):
    """Deleting the assistants again leaves a game that works as before."""
    owner.ask("ai/delete marrek", "Type Old Marrek.")
    owner.ask("Old Marrek", "is gone")
    owner.ask("ai/delete bessa", "Type Bessa.")
    owner.ask("Bessa", "is gone")
    owner.send("say hello marrek")
    owner.expect("You say")
    owner.silent(2, MARREK)


# -- the way to a real model: the docs' `ai/setup`, typed word by word

ADDRESS = "http://127.0.0.1:8080/v1"
GOOD = (
    {"call": "read_clock", "when": "clock"},
    {"say": '{"name": "Tom", "age": 7}', "when": "Tom"},
    {"say": "heliotrope", "when": "password"},
)


def walkthrough():
    """Return the docs' lines: [(typed, what is seen after it)]."""
    block = re.search(r"```text\n(> ai/setup\n.*?)```", MODELS, re.DOTALL)[1]
    steps = []
    for line in block.splitlines():
        if line.startswith("> "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line.strip())
    return steps


@pytest.fixture(scope="module")
def model():
    """A model's server that can do all that is asked of it."""
    fake = FakeModel(reply="Aye, who calls?")
    fake.script(*GOOD)
    yield fake
    fake.close()


def test_the_docs_lead_to_a_character_that_answers(game, owner, model):
    """Each line of the page is seen after what was typed; the model is asked in the end."""
    for typed, seen in walkthrough():
        owner.read(0)
        owner.send(typed.replace(ADDRESS, model.url))
        for line in seen:
            owner.expect(re.escape(line))
    assert model.requests()[-1]["body"]["model"] == "fake"
    owner.ask("reload", r"\.\.\. Server restarted")
    owner.ask("say hello again marrek", "^Old Marrek says")


def test_the_doctor_finds_the_game_in_order(game, model):
    """`evennia ai_doctor` names what was set up, and what could be better."""
    told = game.process.evennia("ai_doctor")
    assert "default: fake (local), from ai/setup." in told
    assert f"default at {model.url} answers." in told
    assert "0 problems" in told


def test_the_live_test_says_who_does_not_answer(game, owner, model):
    """A server that is gone is told with what to do next, and the game goes on."""
    model.script({"fault": "401"})
    owner.ask("ai/test", "refused the key.*401")
    owner.expect("Next: The key is refused")
    model.script(*GOOD)
    owner.ask("ai/test default", "tool calls: native")


# -- what is installed


def test_only_the_package_is_in_the_wheel(tmp_path):
    """A wheel holds ai_assistant with its data files, and nothing of the demo game."""
    source = tmp_path / "source"
    shutil.copytree(ROOT / "ai_assistant", source / "ai_assistant")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q"]
    built = subprocess.run(
        [*command, "-w", tmp_path, str(source)], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", wheel], capture_output=True, text=True, check=True
    ).stdout
    tops = {line.split("/")[0] for line in names.splitlines()[1:]}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"ai_assistant"}
    for data in ("py.typed", "prompts/instructions.md", "templates/ai_assistant/overview.html"):
        assert f"ai_assistant/{data}" in names
