"""Cards as files: JSON text, or a picture that carries them under `chara` and `ccv3`."""

from __future__ import annotations

import base64
import binascii
import json

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import CardError
from ai_assistant.roleplay.cards import limited_json, png
from ai_assistant.roleplay.cards.card import Card, in_version, read_card

OLDER, NEWER = "chara", "ccv3"
"""Keywords of the text chunks: versions 1 and 2, and version 3."""
NO_CARD = "It is no JSON, no picture (PNG) that holds a card, and no whole assistant (.gz)."


def card_from_bytes(data: bytes) -> Card:
    """Return the card in a file. Raises `CardError` where there is none, or it cannot be used."""
    return read_card(json_from_bytes(data))


def json_from_bytes(data: bytes) -> Json:
    """Return the JSON object in a file, or in the text of a picture. Raises `CardError`."""
    if data.startswith(b"PK\x03\x04"):
        raise CardError("It is an archive (charx): export the card as PNG or JSON instead.")
    if not data.startswith(png.SIGNATURE):
        if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in b"{[":
            raise CardError(NO_CARD)
        return limited_json.parse(data)
    texts = png.read_texts(data, (OLDER, NEWER))
    text = texts.get(NEWER, texts.get(OLDER))
    if text is None:
        raise CardError("There is no character card in this picture.")
    if not text.lstrip().startswith(b"{"):
        try:
            text = base64.b64decode(text.strip(), validate=True)
        except binascii.Error:
            raise CardError("The card in the picture is damaged.") from None
    return limited_json.parse(text)


def json_to_bytes(raw: Json) -> bytes:
    """Return a JSON object as the text of a file, laid out for people where there is room."""
    text = json.dumps(raw, ensure_ascii=False, indent=2).encode()
    return text if len(text) <= limited_json.MAX_BYTES else _dense(raw)


def _dense(raw: Json) -> bytes:
    return json.dumps(raw, ensure_ascii=False, separators=(",", ":")).encode()


def card_to_bytes(card: Card, picture: bytes = b"") -> bytes:
    """Return the card as a PNG: in this picture, or in a plain one.

    A card of version 3 is there twice, for programs that know only the older keyword. Raises
    `CardError` where the picture cannot be used.
    """
    forms = {OLDER: card}
    if card.version == 3:
        forms = {OLDER: in_version(card, 2), NEWER: card}
    texts: dict[str, bytes | None] = {OLDER: None, NEWER: None}
    for keyword, form in forms.items():
        texts[keyword] = base64.b64encode(_dense(form.raw))
    return png.with_texts(picture or png.BLANK, texts)
