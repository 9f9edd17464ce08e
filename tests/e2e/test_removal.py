"""Taking the app out of a game and putting it back: names stay, minds rest, the log is clean."""

import re

import pytest

from tests.e2e.harness import ROOT, Game

APP = 'INSTALLED_APPS += ["ai_assistant"]\n'
ADDED = """
_creation = CharacterCmdSet.at_cmdset_creation
def _with_assistants(self):
    _creation(self)
    from ai_assistant.commands import AssistantCmdSet
    self.add(AssistantCmdSet)
CharacterCmdSet.at_cmdset_creation = _with_assistants
"""
MARREK = r"^Old Marrek says"
ASKED = "say marrek, what is my raft called?"
REMEDY = re.search(r"# evennia shell\n(.*?)```", (ROOT / "docs/removal.md").read_text(), re.S)[1]


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened):
    """A game with an assistant that was made, and one that was adopted; both remember."""
    with Game.fresh(tmp_path_factory.mktemp("removal"), opened) as fresh:
        with_app(fresh, wanted=True)
        owner = fresh.open().owner()
        owner.ask("ai/create Old Marrek = ferryman", "is here and listens")
        owner.ask("create/drop Bessa Baker:typeclasses.characters.Character", "You create")
        owner.ask("ai/adopt Bessa", "has a mind of its own now")
        owner.ask("say marrek, my raft is called Otter", MARREK)
        fresh.stop()
        yield fresh


def with_app(game, *, wanted):
    """Write the lines of the app into a game that is down, or take them out of it."""
    for name, lines in (("server/conf/settings.py", APP), ("commands/default_cmdsets.py", ADDED)):
        file = game.root / name
        text = file.read_text().replace(lines, "")
        file.write_text(text + lines if wanted else text)


def visit(game, *asked):
    """Start a game, look, ask Old Marrek, stop it; returns what was seen, and what was logged."""
    before = game.process.log.stat().st_size
    game.start()
    with game.owner() as owner:
        seen = owner.told("look")
        for line in asked:
            seen += owner.ask(line, MARREK + ".*$").group()
    game.stop()
    with game.process.log.open() as log:
        log.seek(before)
        return seen, log.read()


def test_taken_out_and_put_back(game):
    """The characters keep their names, nothing is logged, and the minds wake as they were."""
    assert "would become" in game.process.evennia("ai_remove")
    told = game.process.evennia("ai_remove", "--keep")
    assert "commands/default_cmdsets.py" in told
    assert "server/conf/settings.py" in told
    with_app(game, wanted=False)
    seen, log = visit(game)
    assert "an Old Marrek" not in seen
    assert "Old Marrek" in seen
    assert "Bessa Baker" in seen
    assert "Traceback" not in log
    assert "ai_assistant" not in log
    with_app(game, wanted=True)
    game.process.evennia("migrate")
    assert "Old Marrek" in game.process.evennia("ai_remove", "--undo")
    seen, log = visit(game, ASKED)
    assert "Traceback" not in log
    assert "Otter" in seen


def test_gone_without_a_word(game):
    """The game starts all the same; put back, all is there, and there is a remedy without it."""
    with_app(game, wanted=False)
    seen, _ = visit(game)
    assert "Old Marrek" in seen
    with_app(game, wanted=True)
    seen, _ = visit(game, ASKED)
    assert "Otter" in seen
    with_app(game, wanted=False)
    game.shell(REMEDY)
    seen, log = visit(game)
    assert "an Old Marrek" not in seen
    assert "Traceback" not in log
    with_app(game, wanted=True)
    game.process.evennia("ai_remove", "--undo")
    seen, _ = visit(game, ASKED)
    assert "Otter" in seen


def test_nothing_is_left(game):
    """With their minds go all tables and marks of the app."""
    game.process.evennia("ai_remove", "--forget")
    with_app(game, wanted=False)
    left = game.sql("SELECT name FROM sqlite_master WHERE name LIKE 'ai_assistant%'")
    left += game.sql("SELECT db_key FROM typeclasses_attribute WHERE db_category LIKE 'ai_%'")
    left += game.sql("SELECT db_key FROM typeclasses_tag WHERE db_category LIKE 'ai_%'")
    assert left == []
    seen, log = visit(game)
    assert "Bessa Baker" in seen
    assert "Traceback" not in log
