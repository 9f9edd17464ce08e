"""Promises: each one that the docs print has a test, and every fault and threat its row."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


def text_of(page):
    return (ROOT / "docs" / page).read_text()


def exists(path, name):
    """Is there a test, or a class of them, of that name in that file?"""
    file = ROOT / "tests" / path
    made = re.compile(rf"^\s*(?:def|async def|class) {name}\b|^{name} = ", re.MULTILINE)
    return file.exists() and bool(made.search(file.read_text()))


@pytest.mark.parametrize("page", ["guarantees.md", "faults.md"])
def test_each_named_test_exists(page):
    """No promise rests on a test that was renamed, or never written."""
    named = TEST.findall(text_of(page))
    assert named
    assert [f"{path}::{name}" for path, name in named if not exists(path, name)] == []


def test_each_promise_names_its_test():
    """Every row of the tables ends with a test."""
    rows = re.findall(r"^\|.*\|$", text_of("guarantees.md") + text_of("faults.md"), re.MULTILINE)
    bare = [
        row
        for row in rows
        if not TEST.search(row) and not re.match(r"\|(---| \||.*test \|$|.*by \|$)", row)
    ]
    assert bare == []


def test_no_fault_and_no_threat_is_left_out():
    """All are there, in their order."""
    numbers = re.findall(r"^\| ([FOT]\d+) \|", text_of("faults.md"), re.MULTILINE)
    rows = {"F": 32, "O": 12, "T": 16}
    assert numbers == [f"{kind}{n}" for kind, most in rows.items() for n in range(1, most + 1)]
