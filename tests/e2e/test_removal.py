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
CLASSES = """
    SELECT db_key, db_typeclass_path FROM objects_objectdb
    UNION SELECT db_key, db_typeclass_path FROM scripts_scriptdb
        WHERE db_typeclass_path LIKE 'ai_assistant.%'
"""
"""Of what class every object is, and which scripts are of ours."""


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened):
    """A running game with an assistant that was made, and one that was adopted; both remember."""
    with Game.fresh(tmp_path_factory.mktemp("removal"), opened) as fresh:
        with_app(fresh, wanted=True)
        with fresh.open().owner() as owner:
            owner.ask("ai/create Old Marrek = ferryman", "is here and listens")
            owner.ask("create/drop Bessa Baker:typeclasses.characters.Character", "You create")
            owner.ask("ai/adopt Bessa", "has a mind of its own now")
            owner.ask("say marrek, my raft is called Otter", MARREK)
        yield fresh


def with_app(game, *, wanted):
    """Write the lines of the app into a game, or take them out of it."""
    for name, lines in (("server/conf/settings.py", APP), ("commands/default_cmdsets.py", ADDED)):
        file = game.root / name
        text = file.read_text().replace(lines, "")
        file.write_text(text + lines if wanted else text)


def look(game, *asked):
    """Look, and ask Old Marrek; returns what was seen."""
    with game.owner() as owner:
        return owner.told("look") + "".join(
            owner.ask(line, MARREK + ".*$").group() for line in asked
        )


def visit(game, *asked):
    """Start a game, look, ask Old Marrek, stop it; returns what was seen, and what was logged."""
    before = game.process.log.stat().st_size
    seen = look(game.start(), *asked)
    game.stop()
    with game.process.log.open() as log:
        log.seek(before)
        return seen, log.read()


def test_gone_without_a_word(game):
    """The game goes on all the same; put back, all is there."""
    with_app(game, wanted=False)
    game.reload()
    assert "an Old Marrek" in look(game)
    with_app(game, wanted=True)
    game.reload()
    assert "Otter" in look(game, ASKED)
    game.stop()


def test_taken_out_and_put_back(game):
    """The characters keep their names, nothing is logged, and the minds wake as they were.

    The remedy of the docs, for where the app is gone already, makes the same of the game.
    """
    with_app(game, wanted=False)
    game.shell(REMEDY)
    remedied = game.sql(CLASSES)
    with_app(game, wanted=True)
    assert "Old Marrek" in game.process.evennia("ai_remove", "--undo")
    told = game.process.evennia("ai_remove", "--keep")
    assert "commands/default_cmdsets.py" in told
    assert "server/conf/settings.py" in told
    assert game.sql(CLASSES) == remedied
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
