"""What a client gets of hostile texts: the bytes of telnet and GMCP, and the web client's HTML.

    python -m bench.bytes [--texts 100000] [--seed 7] [--quick]

A grammar of all that ever acted on a terminal, in a browser or in a parser of Evennia's makes the
texts; each is cleaned, put into a line as speech, gesture, whisper or page, and goes through
Evennia's own protocols. No byte may act, no link be live, no words be lost on the way.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import django

from ai_assistant.core.text import clean, clean_name
from bench import report

TEMPLATES = ('{0} says, "{1}"', "{0} {1}", '{0} whispers: "{1}"', "{0} pages: {1}")
CLIENTS: dict[str, dict[str, Any]] = {
    "telnet": {},
    "telnet, colours": {"TTYPE": True, "ANSI": True, "XTERM256": True, "TRUECOLOR": True},
    "telnet, MXP": {"MXP": True},
    "telnet, no colour": {"NOCOLOR": True},
    "telnet, old letters": {"ENCODING": "latin-1"},
    "telnet, screen reader": {"SCREENREADER": True},
}
MARKS = re.compile(rb"\x1b\[0m")
"""What Evennia itself ends every line with."""
LOW = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
TAG = re.compile(r"<(?!br>)[^>]*>?")
PIECES = (
    *("|lc", "|lt", "|le", "|lu", "||", "|", "|r", "|[500", "|#ff0000", "|*", "|/", "|-", "|n"),
    *(
        "<SEND href='quit'>",
        "</SEND>",
        "<a href=x>",
        "<script>",
        "</span>",
        "<br>",
        "&lt;",
        "&#60;",
    ),
    *(
        "\x1b[31m",
        "\x1b]0;title\x07",
        "\x1b[4z",
        "\x1b[2J",
        "\x9b31m",
        "\x00",
        "\x08",
        "\x07",
        "\x7f",
    ),
    *("\xff\xfa\xc9", "\r\n", "\r", "\n", "\t", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"),
    *(
        "http://",
        "https://",
        "ftp://",
        "www.",
        "ftp.",
        "WWW.",
        "Http:",
        "//",
        "javascript:",
        "mailto:",
    ),
    *("example.com", "example.com/path?a=b&c=d", "a.bc", ".", "..", ":", "://", "/", "@", "#", "="),
    *(
        "$",
        "$$",
        "$1",
        "$1,000",
        "$pad(",
        "$eval(9**9)",
        "$You()",
        "(",
        ")",
        "[",
        "]",
        ",",
        '"',
        "'",
    ),
    *("{", "}", "{0}", "{speaker}", "{a.__class__}", "{{", "%s", "\\", "\\$", "\\n", "`", "~"),
    *(
        "\u200b",
        "\u200d",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\u00ad",
        "\u0301" * 5,
        "\U000e0041",
        "\ud800",
    ),
    *(
        "｜",
        "｛",
        "＄",
        "＜",
        "．",
        "：",
        "／",
        "ｗｗｗ.",
        "ﬁ",
        "İ",
        "ß",
        "é",
        "日本",
        "🙂",
        "\u3164",
        "٣",
    ),
    *(" ", "  ", "hello", "Marrek", "5", "a", "x" * 40),
)

Fault = tuple[str, str]
"""Where a line went, and what it was there."""


def texts(count: int, seed: int) -> Iterator[str]:
    """Yield hostile texts, the same for the same seed."""
    chance = random.Random(seed)
    for _ in range(count):
        yield "".join(chance.choices(PIECES, k=chance.randint(1, 14)))


def faults(text: str, name: str = "Marrek", *, clean: Callable[..., str] = clean) -> list[Fault]:
    """Return what is wrong with what clients get when somebody of this name says this text."""
    found: list[Fault] = []
    speech, speaker = clean(text, lines=3), clean_name(name)
    if clean(speech, lines=3) != speech:
        found.append(("clean", speech))
    line = TEMPLATES[len(text) % 4].format(speaker, speech.replace("\n", "\n  "))
    return found + [(where, got) for where, look in _wires().items() if (got := look(line))]


@cache
def _wires() -> dict[str, Callable[[str], str]]:
    """Return by name what sends a line on its way, and says what was wrong, if anything was."""
    from django.conf import settings
    from evennia.server.portal.telnet_oob import TelnetOOB
    from evennia.server.portal.webclient import WebSocketClient
    from evennia.utils.funcparser import FuncParser

    web, oob, sent = WebSocketClient(), TelnetOOB.__new__(TelnetOOB), []
    web.protocol_flags = {}
    web.sendLine = sent.append
    parser = FuncParser(settings.FUNCPARSER_OUTGOING_MESSAGES_MODULES)

    def parsed(line: str) -> str:
        return "" if (after := parser.parse(line)) == line else after

    def browser(line: str) -> str:
        web.send_text(line)
        shown = json.loads(sent.pop())[1][0]
        words = html.unescape(TAG.sub("", shown.replace("<br>", "\n").replace("&nbsp;", " ")))
        same = words == line.replace("\t", "    ")
        return "" if same and not TAG.search(shown) and "mxp" not in shown else shown

    def gmcp(line: str) -> str:
        code = oob.encode_gmcp("text", line).decode()
        same = json.loads(code.partition(" ")[2]) == line
        return "" if same and not CONTROL.search(code) else code

    telnets = {name: _telnet(flags) for name, flags in CLIENTS.items()}
    return {"function parser": parsed, "web client": browser, "GMCP": gmcp, **telnets}


def _telnet(flags: dict[str, Any]) -> Callable[[str], str]:
    from evennia.server.portal.telnet import TelnetProtocol

    sent: list[bytes] = []
    protocol = TelnetProtocol()
    protocol.protocol_flags = {"ENCODING": "utf-8", "NOGOAHEAD": True, **flags}
    protocol.transport = SimpleNamespace(write=sent.append)

    def look(line: str) -> str:
        protocol.send_text(line)
        code = b"".join(sent)
        sent.clear()
        plain = MARKS.sub(b"", code).removesuffix(b"\r\n").replace(b"\r\n", b"\n")
        words = plain.decode(errors="replace")  # in old letters, for those that there are
        exact = not {"SCREENREADER", "ENCODING"} & flags.keys()
        acts = LOW.search(plain) or (exact and CONTROL.search(words.replace("\n", "")))
        # From version 6 on Evennia leaves tags as they are where a line has no link of its own:
        # clients of MXP read them only behind a mark that begins with an escape.
        as_typed = {line, html.escape(line, quote=False)} if "MXP" in flags else {line}
        return repr(code) if acts or (exact and words not in as_typed) else ""

    return look


def begin() -> None:
    """Let Evennia be there, without a server."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.conf.test_settings")
    django.setup()
    import evennia

    evennia._init()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what acted on which client; returns 1 where anything did."""
    parser = argparse.ArgumentParser(description="Bytes that clients get of hostile texts.")
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="a hundredth of them")
    options = parser.parse_args(arguments)
    count = options.texts // (100 if options.quick else 1)
    begin()
    start, bad = time.perf_counter(), []
    for text in texts(count, options.seed):
        bad += [(text, *fault) for fault in faults(text, name=text[::-1])]
    for text, where, got in bad[:20]:
        print(f"{where}: {text!r}\n    {got!r}")
    goal = report.Goal("lines that act, or lost words", len(bad), 0, must=True)
    print(f"\n{count} texts, seed {options.seed}\n", goal, "", sep="\n")
    figures = {"texts": count, "seed": options.seed, "faults": len(bad)}
    figures["seconds"] = round(time.perf_counter() - start, 1)
    print(json.dumps({"bench": "bytes", **figures, "on": report.versions()}))
    return int(not goal.met)


if __name__ == "__main__":
    sys.exit(main())
