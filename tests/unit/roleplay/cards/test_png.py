"""Cards in pictures: the chunks of a PNG, whoever wrote them and however badly."""

import base64
import json
import struct
import tracemalloc
import zlib

import pytest

from ai_assistant.core.errors import CardError
from ai_assistant.roleplay.cards import card_from_bytes, card_to_bytes, png, read_card
from tests.unit.roleplay.decks import card

PLAIN = png.BLANK


def chunk(kind, body):
    """One chunk, put together by hand."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def with_chunk(kind, body):
    """A plain picture with one more chunk before its end."""
    return PLAIN[:-12] + chunk(kind, body) + PLAIN[-12:]


def packed(number=1, version=2):
    """A card as the text of a picture."""
    return base64.b64encode(json.dumps(card(number, version)).encode())


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (b"tEXt", b"chara\0" + packed()),
        (b"tEXt", b"Chara\0" + packed() + b"\n"),
        (b"zTXt", b"chara\0\0" + zlib.compress(packed())),
        (b"iTXt", b"chara\0\0\0en\0Karte\0" + packed()),
        (b"iTXt", b"chara\0\1\0\0\0" + zlib.compress(packed())),
        (b"iTXt", b"chara\0\0\0\0\0" + json.dumps(card(1, 2)).encode()),
    ],
)
def test_every_kind_of_text_is_read(kind, body):
    """Plain, packed or international: the card is found in it."""
    assert card_from_bytes(with_chunk(kind, body)).raw == card(1, 2)


def test_the_newer_card_counts():
    """A picture with both is read as version 3."""
    both = chunk(b"tEXt", b"ccv3\0" + packed(2, 3)) + chunk(b"tEXt", b"chara\0" + packed(2, 2))
    assert card_from_bytes(PLAIN[:-12] + both + PLAIN[-12:]).raw == card(2, 3)


def test_only_the_card_of_a_picture_changes():
    """All other chunks stay, old cards of every kind go, and nothing hides behind the end."""
    old = chunk(b"zTXt", b"chara\0\0" + zlib.compress(packed(3)))
    other = chunk(b"tEXt", b"Comment\0painted by hand") + chunk(b"prIv", b"\0\1")
    before = PLAIN[:-12] + old + other + PLAIN[-12:] + b"PK\3\4 hidden"
    after = card_to_bytes(read_card(card(5, 3)), before)
    kinds = [kind for kind, _ in png.chunks_of(after)]
    assert kinds == [b"IHDR", b"IDAT", b"tEXt", b"prIv", b"tEXt", b"tEXt", b"IEND"]
    assert b"hidden" not in after
    assert b"painted by hand" in after
    assert card_from_bytes(after).raw == card(5, 3)
    assert card_from_bytes(card_to_bytes(read_card(card(6, 1)), after)).raw == card(6, 1)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (PLAIN, "no character card"),
        (PLAIN[:-12], "cut short"),
        (PLAIN[:-3], "cut short"),
        (png.SIGNATURE, "cut short"),
        (png.SIGNATURE + chunk(b"IEND", b""), "header"),
        (PLAIN[:-12] + chunk(b"IHDR", b"x" * 13) + PLAIN[-12:], "header"),
        (PLAIN.replace(b"IDAT", b"IDAX"), "checksum"),
        (png.SIGNATURE + b"\xff\xff\xff\xffIHDR" + b"x" * 40, "cut short"),
        (with_chunk(b"tEXt", b"chara\0%%%"), "damaged"),
        (with_chunk(b"tEXt", b"chara\0" + packed()[:-3]), "damaged"),
        (with_chunk(b"tEXt", b"chara"), "no JSON"),
        (with_chunk(b"zTXt", b"chara\0\0junk"), "unpacked"),
        (with_chunk(b"zTXt", b"chara\0\0" + zlib.compress(packed())[:-9]), "cut short"),
        (with_chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"0" * 20_000_000, 1)), "more than"),
        (with_chunk(b"tEXt", b"chara\0" + b"0" * 2_000_000), "more than"),
        (PLAIN[:-12] + chunk(b"teST", b"") * 6000 + PLAIN[-12:], "parts"),
        (PLAIN + b"x" * png.MAX_PICTURE, "are allowed"),
    ],
)
def test_a_broken_picture_is_refused(data, words):
    """Damaged, cut short, a bomb, or no card in it: each is told."""
    with pytest.raises(CardError, match=words):
        card_from_bytes(data)


def test_a_bomb_is_never_unpacked():
    """A hundred megabytes in a small picture take no more memory than a card may."""
    bomb = with_chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"0" * 99_000_000, 1))
    tracemalloc.start()
    with pytest.raises(CardError):
        card_from_bytes(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


def test_only_the_last_of_many_cards_is_unpacked():
    """Thousands of packed texts cost what one costs: those before the last are not looked into."""
    packed_text = b"chara\0\0" + zlib.compress(packed())
    bombs = chunk(b"zTXt", b"chara\0\0no packed text") * 3000
    picture = PLAIN[:-12] + bombs + chunk(b"zTXt", packed_text) + PLAIN[-12:]
    assert card_from_bytes(picture).raw == card(1, 2)
