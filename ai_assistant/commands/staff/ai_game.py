"""What `ai` says of the whole game: its health, and its settings with where each comes from."""

from __future__ import annotations

from ai_assistant.api.game_state import game_settings, health
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.shown import in_words
from ai_assistant.commands.tables import as_it_stands


class GameVerbs(AICommand):
    """
    The switches health and settings of the command `ai`.

    """

    @switch("health", takes=0)
    def _health(self) -> None:
        seen = health()
        lines = [f"|r{as_it_stands(text)}|n" for text in seen.troubles]
        lines += [f"|w{name}|n: {value}" for name, value in seen.figures]
        for found in seen.findings:
            lines.append(f"  {found.level}, {found.about}: {as_it_stands(found.text)}")
            lines += [f"    |xdo: {as_it_stands(found.fix)}|n"] if found.fix else []
        self.show(lines)

    @switch("settings", takes=1)
    def _settings(self) -> None:
        lines = []
        for row in game_settings(self.lhs):
            value = as_it_stands(in_words(row.value))
            lines.append(f"|w{row.name}|n = {value} |x({row.source})|n")
            problem = f"|r{as_it_stands(row.problem)}|n" if row.problem else ""
            lines.append(f"  {problem or as_it_stands(row.about)}")
        self.show(lines or "There is no setting about that; ai/settings lists them all.")
