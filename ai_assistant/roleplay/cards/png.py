"""Cards in pictures: the text chunks of a PNG, read and written by hand (PNG specification, 11.3).

Nothing of the picture itself is decoded. Every length is checked before it is believed, and what
is compressed is unpacked up to a limit only.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from ai_assistant.core.errors import CardError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_PICTURE = 10_000_000
MAX_CHUNKS = 5000
MAX_TEXT = 1_500_000
"""Bytes of one text chunk, unpacked: a card of the largest size in base 64."""
Form = Literal["tEXt", "zTXt", "iTXt"]
Chunk = tuple[bytes, bytes]
_FORMS = (b"tEXt", b"zTXt", b"iTXt")
_HEAD = struct.Struct(">I4s")
_SUM = struct.Struct(">I")


def is_picture(data: bytes) -> bool:
    """Do these bytes begin as a PNG does?"""
    return data.startswith(SIGNATURE)


def read_texts(data: bytes, keywords: Iterable[str]) -> dict[str, bytes]:
    """Return the texts with these keywords, whatever form they are in; of several the last.

    Raises `CardError` for a picture that is damaged or too large.
    """
    wanted = {one.lower() for one in keywords}
    found: dict[str, bytes] = {}
    for kind, body in chunks_of(data):
        keyword = _keyword(kind, body)
        if keyword in wanted:
            found[keyword] = _text(kind, body)
    return found


def with_texts(data: bytes, texts: Mapping[str, bytes | None], form: Form = "tEXt") -> bytes:
    """Return the picture with these texts, in place of those of the same keywords.

    A text that is None only goes. All other chunks stay as they are; what follows the picture's
    end is left out. Raises `CardError`.
    """
    names = {one.lower() for one in texts}
    kept = [one for one in chunks_of(data) if _keyword(*one) not in names]
    new = [_text_chunk(keyword, text, form) for keyword, text in texts.items() if text]
    return SIGNATURE + b"".join(_packed(*one) for one in (*kept[:-1], *new, kept[-1]))


def blank_picture(width: int = 200, height: int = 300, shade: int = 96) -> bytes:
    """Return a plain grey picture, for cards that never had one."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([shade]) * width) * height
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return SIGNATURE + b"".join(_packed(*one) for one in parts)


def chunks_of(data: bytes) -> Iterator[Chunk]:
    """Yield the chunks of a picture as (type, body), the first IHDR and the last IEND.

    Raises `CardError` where one is missing, cut short or damaged.
    """
    if len(data) > MAX_PICTURE:
        raise CardError(f"The picture has {len(data)} bytes; {MAX_PICTURE} are allowed.")
    if not is_picture(data):
        raise CardError("It is no PNG picture.")
    at = len(SIGNATURE)
    for number in range(MAX_CHUNKS):
        kind, body, at = _chunk_at(data, at)
        if (number == 0) != (kind == b"IHDR"):
            raise CardError("The picture is damaged: its header is not where it belongs.")
        yield kind, body
        if kind == b"IEND":
            return
    raise CardError(f"The picture has more than {MAX_CHUNKS} parts.")


def _chunk_at(data: bytes, at: int) -> tuple[bytes, bytes, int]:
    if at + _HEAD.size > len(data):
        raise CardError("The picture is cut short.")
    length, kind = _HEAD.unpack_from(data, at)
    start = at + _HEAD.size
    end = start + length
    if end + _SUM.size > len(data):
        raise CardError("The picture is cut short.")
    body = data[start:end]
    if _SUM.unpack_from(data, end)[0] != zlib.crc32(body, zlib.crc32(kind)):
        raise CardError("The picture is damaged: a checksum does not fit.")
    return kind, body, end + _SUM.size


def _packed(kind: bytes, body: bytes) -> bytes:
    checksum = zlib.crc32(body, zlib.crc32(kind))
    return _HEAD.pack(len(body), kind) + body + _SUM.pack(checksum)


def _keyword(kind: bytes, body: bytes) -> str:
    """Return the keyword of a text chunk in small letters; empty for any other chunk."""
    return body[:80].split(b"\0")[0].decode("latin-1").lower() if kind in _FORMS else ""


def _text(kind: bytes, body: bytes) -> bytes:
    _, _, rest = body.partition(b"\0")
    packed = False
    if kind == b"zTXt":
        packed, rest = True, rest[1:]
    elif kind == b"iTXt":
        packed = rest[:1] == b"\1"
        rest = rest[2:].partition(b"\0")[2].partition(b"\0")[2]  # past language and translation
    text = _unpacked(rest) if packed else rest
    if len(text) > MAX_TEXT:
        raise CardError(f"The card in the picture has more than {MAX_TEXT} bytes.")
    return text


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data, MAX_TEXT + 1)
    except zlib.error:
        raise CardError("The card in the picture cannot be unpacked.") from None
    if len(text) <= MAX_TEXT and not unpacker.eof:
        raise CardError("The card in the picture is cut short.")
    return text


def _text_chunk(keyword: str, text: bytes, form: Form) -> Chunk:
    name = keyword.encode("latin-1") + b"\0"
    if form == "zTXt":
        return b"zTXt", name + b"\0" + zlib.compress(text, 9)
    if form == "iTXt":
        return b"iTXt", name + b"\0\0\0\0" + text
    return b"tEXt", name + text
