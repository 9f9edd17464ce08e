"""What docs/permissions.md tells, for the tests that hold it to what is so."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "permissions.md"
ROLES = ("guest", "player", "builder", "admin", "superuser")


def in_the_docs():
    """Return what the page says: of each command, page and endpoint, a word for each role."""
    text = PAGE.read_text("utf-8")
    table = re.findall(r"^\| (\w+) \|((?: \w+ \|){5})$", text, re.M)
    words = {
        group: dict(zip(ROLES, cells.replace("|", "").split(), strict=True))
        for group, cells in table
    }
    parts = re.split(r"^For \*\*(\w+)\*\*:$", text, flags=re.M)[1:]
    found = [
        (name, words[group])
        for group, listed in zip(parts[::2], parts[1::2], strict=True)
        for name in _names(listed.partition("\n## ")[0])
    ]
    assert len(found) == len(dict(found))
    return dict(found)


def _names(listed):
    """Yield the names in a list; what stands before a colon begins all that stand behind it."""
    for line in re.split(r"^- ", listed, flags=re.M)[1:]:
        begin, colon, rest = line.partition("`: ")
        for name in re.findall(r"`(.+?)`", rest if colon else line):
            yield begin.removeprefix("`") * bool(colon) + name
