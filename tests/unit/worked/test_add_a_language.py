"""A language is one data file; ``AI_ASSISTANT_LANGUAGE`` is its path, or its code among ours."""

from ai_assistant.testing import Stage, people

FRENCH = """
name = "Français"
stemmer = "french"
stop_words = "de en est et il la le les ne pas que un une"
ago = "il y a {n} {unit}"
units = "jour 1, jours 1, semaine 7, semaines 7"

[talk]
yes = ["oui", "d'accord", "volontiers"]
unless = ["mais"]
"""


def test_it_is_spoken(speaking, tmp_path):
    """What changes the world waits for a yes, which is said in French now."""
    (tmp_path / "fr.toml").write_text(FRENCH, encoding="utf-8")
    speaking(str(tmp_path / "fr.toml"))
    stage, (alice,) = Stage(confirm_dangerous=True), people("Alice")
    stage.world.enter(alice)
    stage.world.carry("rose")
    for line in ("La rose, peut-être ?", "Yes, please.", "Oui, volontiers !"):
        assert stage.world.deeds == []
        stage.model.call("give", item="o1", to="p1").say("Vraiment ?")
        stage.ask(alice, line)
    assert stage.world.deeds == ["give rose to Alice"]
