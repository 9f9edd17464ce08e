"""The documents keep up with the code: no setting and no option is missing from them."""

import re
from pathlib import Path

from ai_assistant.agent.config import OPTIONS
from ai_assistant.conf import Settings

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/settings.md").read_text()


def settings():
    """{name: default as written in Python} of every setting."""
    return {name: repr(vars(Settings)[name]) for name in Settings.__annotations__}


def test_every_setting_is_documented_with_its_default():
    """A row of the table for each setting, with what holds where nothing is set."""
    rows = [f"| `AI_ASSISTANT_{name}` | `{default}` |" for name, default in settings().items()]
    assert [row for row in rows if row not in TEXT] == []


def test_every_option_is_documented_with_its_default_and_meaning():
    """A row of the table for each configuration key of an assistant, with what it means."""
    rows = [f"| `{key}` | `{option.default!r}` | {option.about}" for key, option in OPTIONS.items()]
    assert [row for row in rows if row not in TEXT] == []


def test_the_readme_names_every_page():
    """No page of the docs is left to be found by chance."""
    readme = (ROOT / "README.md").read_text()
    pages = (f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")))
    assert [page for page in pages if f"({page})" not in readme] == []


def anchors(page):
    """Return what a link may name behind its # on a page: its headings, as they are addressed."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE) if page.is_file() else []
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_links_lead_somewhere():
    """Every link between our pages has a page at its end, and there the heading that it names."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    links = [
        (page, end, heading)
        for page in pages
        for end, heading in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", page.read_text())
    ]
    assert any(heading for *_, heading in links)
    broken = [
        (page.name, end, heading)
        for page, end, heading in links
        for target in [page.parent / end if end else page]
        if not target.exists() or (heading and heading not in anchors(target))
    ]
    assert broken == []
