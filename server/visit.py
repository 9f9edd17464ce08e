"""A guest's visit to the village, typed by a person or, where none is there, by a script."""

import os
import re
import select
import sys
from contextlib import suppress

from server.bootstrap import Trouble
from server.telnet import NoAnswer, Telnet

ANSWER_TIME, PATIENCE = 180, 15
"""Seconds that a character may take, and after which we say that it thinks: a model on a small
machine may need a minute for a call, and an answer two calls."""
LOOK_AROUND = 2.0
"""Seconds of quiet after which a view is whole."""
WELCOME = "Welcome to Hollin Ford"
TANSY = "Tansy Brewell"
CAPTAIN = "Captain Seraphina Stormborne"
SCRIPT = (
    ("look", None),
    ("say Hello, Tansy!", TANSY),
    ("say Tansy, what do you know about the stew?", TANSY),
    ("out", None),
    ("say Hello Captain Stormborne", CAPTAIN),
    ("say My cat is called Whiskers.", CAPTAIN),
    ("say Captain, what is my cat called?", CAPTAIN),
    ("whisper captain = I found a cart lamp under the old bridge.", CAPTAIN),
)
"""What a visitor without hands types, and who should answer."""


def enter(port):
    """Return a line on which a guest has just entered the game; raises `Trouble` if none can."""
    try:
        line = Telnet(port)
        line.expect("connect guest")
        line.send("connect guest")
        line.expect(WELCOME, 20)
        line.rest()
    except (OSError, NoAnswer) as problem:
        raise Trouble(f"A guest could not enter the game: {problem}") from None
    return line


def converse(port):
    """Play the script, print it, and return how many lines somebody answered."""
    answered, view = 0, ""
    with enter(port) as line:
        for typed, listener in SCRIPT:
            if listener and listener not in view:
                print(f"\n({listener} has gone for a walk.)", flush=True)
                continue
            print(f"\n> {typed}", flush=True)
            heard, came = _exchange(line, typed, listener)
            answered += came
            view = view if listener else heard
            for row in filter(str.strip, heard.splitlines()):
                print(f"  {row}", flush=True)
    return answered


def sit_down(port, keyboard=None):
    """Connect the terminal with the game until the person leaves, or the game does."""
    keyboard = keyboard or sys.stdin
    with enter(port) as line:
        print(line.transcript[line.transcript.rfind(WELCOME) :].rstrip(), flush=True)
        line.send("look")
        while line.open:
            ready, _, _ = select.select([line, keyboard], [], [])
            if line in ready:
                sys.stdout.write(line.pump())
                sys.stdout.flush()
            elif not _type(line, keyboard.fileno()):
                break
    print("\nYou have left the village; its people go on. `make stop` ends the game.")


def _exchange(line, typed, listener):
    """Send a line; return all that is heard on it, and whether the listener answered."""
    begun = len(line.transcript)
    line.send(typed)
    came = listener is not None and _answered(line, listener)
    if not listener:
        with suppress(NoAnswer):
            line.expect(r"\S", PATIENCE)
    line.rest(LOOK_AROUND if not listener else 0.5)
    return line.transcript[begun:], came


def _answered(line, listener):
    """Wait for somebody's answer, and say so where it takes long."""
    for waited in range(PATIENCE, ANSWER_TIME + 1, PATIENCE):
        with suppress(NoAnswer):
            line.expect(rf"^{re.escape(listener)}\b.*$", PATIENCE)
            return True
        if line.open:
            print(f"  ({listener} thinks, {waited} s ...)", flush=True)
    print(f"  ({listener} did not answer within {ANSWER_TIME} s)", flush=True)
    return False


def _type(line, keyboard):
    """Send what was typed; False when the person wants to leave."""
    typed = os.read(keyboard, 65536)
    for text in typed.decode(errors="replace").splitlines():
        line.send(text)
        if text.strip().lower() == "quit":
            return False
    return bool(typed)
