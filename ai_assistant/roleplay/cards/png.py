"""Cards in pictures: the text chunks of a PNG, read and written by hand (PNG specification, 11.3).

Nothing of the picture itself is decoded. Every length is checked before it is believed, and what
is compressed is unpacked up to a limit only.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection, Iterator, Mapping

from ai_assistant.core.errors import CardError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_PICTURE = 10_000_000
MAX_CHUNKS = 5000
MAX_TEXT = 1_500_000
"""Bytes of one text chunk, unpacked: a card of the largest size in base 64."""
Chunk = tuple[bytes, bytes]
_FORMS = (b"tEXt", b"zTXt", b"iTXt")
_HEAD = struct.Struct(">I4s")
_SUM = struct.Struct(">I")


def read_texts(data: bytes, keywords: Collection[str]) -> dict[str, bytes]:
    """Return the texts with these keywords, in small letters; of several the last.

    Only that one is unpacked: what a picture costs is bounded by the keywords, not by its chunks.
    """
    found = {
        keyword: chunk for chunk in chunks_of(data) if (keyword := _keyword(*chunk)) in keywords
    }
    return {keyword: _text(*chunk) for keyword, chunk in found.items()}


def with_texts(data: bytes, texts: Mapping[str, bytes | None]) -> bytes:
    """Return the picture with these texts, in place of those of the same keywords; None only goes.

    All other chunks stay as they are; what follows the picture's end is left out.
    """
    *kept, end = (chunk for chunk in chunks_of(data) if _keyword(*chunk) not in texts)
    new = [(b"tEXt", name.encode() + b"\0" + text) for name, text in texts.items() if text]
    return _picture(*kept, *new, end)


def _picture(*chunks: Chunk) -> bytes:
    packed = (
        _HEAD.pack(len(body), kind) + body + _SUM.pack(zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return SIGNATURE + b"".join(packed)


BLANK = _picture(
    (b"IHDR", struct.pack(">IIBBBBB", 200, 300, 8, 0, 0, 0, 0)),
    (b"IDAT", zlib.compress((b"\0" + b"\x60" * 200) * 300, 9)),
    (b"IEND", b""),
)
"""A plain grey picture, for cards that never had one."""


def chunks_of(data: bytes) -> Iterator[Chunk]:
    """Yield the chunks of a picture as (type, body), the first IHDR and the last IEND.

    Raises `CardError` where one is missing, cut short or damaged.
    """
    if len(data) > MAX_PICTURE:
        raise CardError(f"The picture has {len(data)} bytes; {MAX_PICTURE} are allowed.")
    if not data.startswith(SIGNATURE):
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


def _keyword(kind: bytes, body: bytes) -> str:
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
