"""What the README prints at its beginning is what happens."""

from bench.pictures import played, scene
from tests.e2e.harness import ROOT, Game


def test_the_opening_scene_is_played_as_printed(tmp_path, opened):
    """Who knows what: a fact is kept, a secret stays, and another player learns of one alone."""
    printed = scene((ROOT / "README.md").read_text("utf-8"))
    with Game.village(tmp_path, opened) as game:
        game.open()
        assert played(game, printed) == printed
