"""The README's pictures: its opening scene as a recording, and one picture of each page.

    python -m bench.pictures [folder]

Opens a village of its own, plays the scene that the README prints, and writes `scene.svg`; then it
visits the pages with a headless Chromium and writes a PNG of each. The folder is `docs/pictures`.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from io import StringIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from tests.e2e.harness import OWNER, PASSWORD, ROOT, Game

FOLDER = ROOT / "docs" / "pictures"
WIDTH = 88
"""Columns of the recorded terminal."""
TYPED, READ = 1.6, 2.2
"""Seconds until a typed line, and until an answer, appears."""
_FONTS = re.compile(r"@font-face \{.*?\}", re.DOTALL)
"""Those of the internet: any machine has a font of its own for terminals."""
_ROW = re.compile(r'class="([^"]*)"([^>]*?clip-path="url\(#[^"]*?-line-(\d+)\)")')


def scene(readme: str) -> list[tuple[str, str, str]]:
    """Return the opening scene of the README: who types, what is typed, what comes back."""
    indented = re.search(r"^    Mira> .*?(?=\n\n\S)", readme, re.MULTILINE | re.DOTALL)
    lines = " ".join(indented[0].split())
    found = re.findall(r"(Mira|Rolf)> (.+?) (Tansy Brewell .+?)(?= (?:Mira|Rolf)> |$)", lines)
    return [(who, typed, heard) for who, typed, heard in found]


def played(game: Game, lines: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Play a scene; returns who typed what, and what Tansy answered this time."""
    now = []
    for who, turns in groupby(lines, key=itemgetter(0)):
        with game.join(who) as line:
            for _, typed, _ in turns:
                line.read(1.5)
                answer = line.ask(typed, r"^Tansy Brewell .*(?:\n\S.*)*").group()
                now.append((who, typed, " ".join(answer.split())))
    return now


def recording(lines: list[tuple[str, str, str]]) -> str:
    """Return a terminal in which a scene appears line by line, as an SVG."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=StringIO())
    moments, now, before = [], 0.0, ""
    for who, typed, heard in lines:
        shown = [(f"[dim]— {who} —[/dim]", 0.6)] if who != before else []
        before = who
        shown += [(f"[bold green]>[/bold green] {typed}", TYPED), (Text(heard), READ)]
        for text, pause in shown:
            now += pause
            rows = console.render_lines(console.render_str(text) if isinstance(text, str) else text)
            moments += [now] * len(rows)
            console.print(text)
    svg = console.export_svg(title="Hollin Ford: The Kettle and Crow")
    return _line_by_line(svg, moments)


def _line_by_line(svg: str, moments: list[float]) -> str:
    """Let each row of a terminal's picture appear at its moment, in seconds."""
    rules = "".join(
        f".row{row} {{ animation-delay: {moment:.1f}s }}" for row, moment in enumerate(moments)
    )
    style = "@keyframes come { from { opacity: 0 } } [class*=row] { animation: come .2s both }"
    svg = _ROW.sub(r'class="\1 row\3"\2', _FONTS.sub("", svg))
    return svg.replace("</style>", f"{style}{rules}</style>", 1)


def photographed(game: Game) -> Iterator[tuple[str, bytes]]:
    """Visit the pages, from some page on as the owner; yields the name and the PNG of each."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    site = f"http://127.0.0.1:{game.base + 1}"
    with browser() as chrome:
        chrome.get(site)
        yield "website", chrome.get_screenshot_as_png()
        chrome.get(f"{site}/auth/login/")
        chrome.find_element(By.NAME, "username").send_keys(OWNER)
        chrome.find_element(By.NAME, "password").send_keys(PASSWORD, "\n")
        WebDriverWait(chrome, 20).until(lambda page: "/auth/login" not in page.current_url)
        chrome.get(f"{site}/ai/")
        yield "owner", chrome.get_screenshot_as_png()
        yield "webclient", _talk(chrome, f"{site}/webclient/")


def browser() -> Any:
    """Return a headless Chromium."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for option in ("headless=new", "no-sandbox", "window-size=1100,760", "hide-scrollbars"):
        options.add_argument(f"--{option}")
    service = webdriver.ChromeService(shutil.which("chromedriver"))  # else one is looked for abroad
    return webdriver.Chrome(options=options, service=service)


def _talk(chrome: Any, address: str) -> bytes:
    """Say hello in the web client; returns the PNG with the answer."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    def shows(words: str) -> None:
        WebDriverWait(chrome, 20).until(
            lambda page: words in page.find_element(By.TAG_NAME, "body").text
        )

    chrome.get(address)
    shows("connect guest")
    field = chrome.find_element(By.CSS_SELECTOR, "textarea.inputfield")
    for typed, seen in (("connect guest", "Exits:"), ("say hello, tansy", "Tansy Brewell says")):
        field.send_keys(typed, "\n")
        shows(seen)
    return chrome.get_screenshot_as_png()


def main(folder: Path = FOLDER) -> int:
    """Write the pictures, and print the scene as the README should have it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, Game.village(Path(scratch)) as game:
        print("Opening a village ...", flush=True)
        game.open()
        lines = played(game, scene((ROOT / "README.md").read_text("utf-8")))
        (folder / "scene.svg").write_text(recording(lines), "utf-8")
        print(folder / "scene.svg", *(" ".join(line) for line in lines), sep="\n", flush=True)
        for name, png in photographed(game):
            (folder / f"{name}.png").write_bytes(png)
            print(folder / f"{name}.png", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
