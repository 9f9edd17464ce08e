"""The pictures of assistants: what their cards show, kept beside the cards, without the cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings as django_settings

from ai_assistant import conf
from ai_assistant.core.errors import CardError
from ai_assistant.roleplay.cards import png
from ai_assistant.roleplay.cards.card_files import NEWER, OLDER
from ai_assistant.storage import npc_id

PLACE = "pictures"
"""The folder within that of the cards."""


def folder() -> Path:
    """Return the folder of cards, from ``AI_ASSISTANT_CARDS``."""
    return (Path(django_settings.GAME_DIR) / conf.settings.CARDS).resolve()


def bare_picture(data: bytes) -> bytes:
    """Return what a file shows, without a card in it; empty where it is no PNG.

    Raises `CardError` where it is damaged or too large.
    """
    if not data.startswith(png.SIGNATURE):
        return b""
    if len(data) > png.MAX_PICTURE:
        raise CardError(f"The picture has more than {png.MAX_PICTURE} bytes.")
    return png.with_texts(data, {OLDER: None, NEWER: None})


def portrait_file(character: Any) -> Path:
    """Return where the picture of an assistant is, if it has one."""
    return _file(npc_id(character))


def _file(npc: str) -> Path:
    return folder() / PLACE / f"{npc}.png"


def portrait_of(character: Any) -> bytes:
    """Return the picture of an assistant; empty where it has none."""
    path = portrait_file(character)
    return path.read_bytes() if path.is_file() else b""


def keep_portrait(character: Any, picture: bytes) -> None:
    """Keep a picture in place of an assistant's old one; `CardError` where it cannot be written."""
    path = portrait_file(character)
    new = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(picture)
        new.replace(path)  # whoever reads it has the old or the new one
    except OSError as error:
        raise CardError(f"The picture cannot be kept ({type(error).__name__}).") from error


def drop_portrait(npc: str) -> None:
    """Delete the picture of a character that is no more."""
    _file(npc).unlink(missing_ok=True)
