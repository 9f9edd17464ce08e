"""An input function of Evennia's: what a player types keeps nobody else waiting.

A line is no longer than the game's settings let it be, which Evennia sees to on telnet only; it
holds no more links, nor different characters, than Evennia can bear; and it is a step of the
reactor of its own. What else a client sends with a line is not handed on: Evennia would set it on
the command that is run. What a command of Evennia's does with the line is that command's.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from django.conf import settings
from evennia.server import inputfuncs
from twisted.internet import reactor

from ai_assistant.game.reactor_steps import TYPED_LINES

MOST_MARKS = 12
"""Evennia takes 2 ms for so many in 6,000 characters, and for 2,000 of them 16 s."""
MOST_COMPARED = 750_000
"""Characters times different ones. What it knows no command for Evennia compares with the names of
all, in 50 ms for so many, and in 2.5 s for 6,000 different characters."""
_MARK = re.compile(r"\|l[cute]")


def text(session: Any, *args: Any, **kwargs: Any) -> None:
    """Do what Evennia does with a typed line; one with too many marks of links has none of them.

    Of what comes at once each line waits for its step, and too many are refused as Evennia does.
    """
    line = args[0] if args else None
    if not isinstance(line, str):
        return
    if 0 < settings.MAX_CHAR_LIMIT < len(line) or len(line) * len(set(line)) > MOST_COMPARED:
        session.msg(settings.MAX_CHAR_LIMIT_WARNING)
        return
    if len(_MARK.findall(line)) > MOST_MARKS:
        line = _MARK.sub(" ", line)
    if not reactor.running:  # type: ignore[attr-defined]
        inputfuncs.text(session, line)
    elif not TYPED_LINES.take(session.sessid, partial(_done, session, line)):
        session.msg(settings.COMMAND_RATE_WARNING)


def _done(session: Any, line: str) -> None:
    """Do what a line says, unless its player hung up meanwhile."""
    if session.sessionhandler.get(session.sessid) is session:
        inputfuncs.text(session, line)
