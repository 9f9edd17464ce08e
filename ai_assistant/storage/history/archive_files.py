"""Files of archives: where each was written, and how one is written anew, never by half."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from glob import escape
from pathlib import Path
from threading import Lock

from evennia.server.models import ServerConfig

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import StoreError
from ai_assistant.core.times import HOUR
from ai_assistant.storage.history.archiving import archived, sealed
from ai_assistant.storage.statements import refusals

AT_ONCE = 200
"""Lines between two moments at which whoever reads or writes a file may do something else."""
_KEY = "ai_assistant_archive_"
_HALF = ".half"
_REPLACING = Lock()
_TOUCHED = ("st_mtime_ns", "st_size", "st_ino")


def note_archive(path: Path) -> None:
    """Keep where an archive is: what the game forgets is to leave it as well."""
    with refusals():
        ServerConfig.objects.conf(_key(path), str(path.absolute()))


def strike_archive(path: Path) -> bool:
    """Look for an archive no more; was it known?"""
    with refusals():
        known = ServerConfig.objects.filter(db_key=_key(path)).exists()
        ServerConfig.objects.conf(_key(path), delete=True)
    return known


def noted_archives() -> list[Path]:
    """Return where archives were written, in the order of their names."""
    with refusals():
        found = ServerConfig.objects.filter(db_key__startswith=_KEY)
        return sorted(Path(str(noted.value)) for noted in found)


def archive_pages(path: Path) -> Iterator[list[Json]]:
    """Yield what an archive holds, some lines at a time.

    Raises `OSError` where it is not there, `StoreError` where it is broken, at its end at last.
    """
    with path.open(encoding="utf-8") as file:
        yield from _paged(archived(file))


def write_anew(path: Path, change: Callable[[Json], Json | None]) -> Iterator[None]:
    """Write an archive with each line changed, or left out for None, some lines at each step.

    The new file takes the place of the old one when all of it is on disk; where nothing changes the
    old one stays. Raises as `archive_pages` does; then, too, the old one stays as it was.
    """
    path = path.resolve()  # what a link leads to, not the link
    _drop_halves(path)
    touched, changed = _touched(path), False
    handle, name = tempfile.mkstemp(_HALF, f"{path.name}.", path.parent)
    half = Path(name)

    def new_lines() -> Iterator[Json]:
        nonlocal changed
        for page in archive_pages(path):
            for line in page:
                new = change(line)
                changed = changed or new != line
                if new is not None:
                    yield new

    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            for number, text in enumerate(sealed(new_lines())):
                file.write(f"{text}\n")
                if number % AT_ONCE == 0:
                    yield
            file.flush()
            os.fsync(file.fileno())
        yield
        if changed:
            shutil.copymode(path, half)
            _replace(path, half, touched)
    finally:
        half.unlink(missing_ok=True)


def _replace(path: Path, half: Path, touched: tuple[int, ...]) -> None:
    with _REPLACING:
        if _touched(path) != touched:
            raise StoreError("It was written meanwhile.")
        half.replace(path)
    with suppress(OSError):  # not every system can do that with a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _drop_halves(path: Path) -> None:
    """Delete what a crash left behind; a file that somebody writes at is younger."""
    for half in path.parent.glob(f"{escape(path.name)}.*{_HALF}"):
        with suppress(OSError):
            if half.stat().st_mtime < time.time() - HOUR:
                half.unlink()


def _touched(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return tuple(getattr(found, name) for name in _TOUCHED)


def _paged(lines: Iterator[Json]) -> Iterator[list[Json]]:
    page = list[Json]()
    for line in lines:
        page.append(line)
        if len(page) == AT_ONCE:
            yield page
            page = []
    yield page


def _key(path: Path) -> str:
    return f"{_KEY}{hashlib.sha256(str(path.absolute()).encode()).hexdigest()[:32]}"
