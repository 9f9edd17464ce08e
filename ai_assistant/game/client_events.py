"""Client events: players' clients are told, beside the text, when a character thinks or speaks.

They go out as Evennia's own out-of-band command ``ai_state``; `docs/pages.md` has an example.
"""

from __future__ import annotations

from collections.abc import Callable

from ai_assistant import conf
from ai_assistant.core.readers import Audience
from ai_assistant.game.identity import find, name_of
from ai_assistant.game.log import surviving

MOST_TOLD = 50
"""Players who are told of one change; in a larger crowd nobody sees who thinks."""


class ClientEvents:
    """What one character tells the clients of players."""

    def __init__(self, own_id: str, mood: Callable[[str], str]) -> None:
        """`mood(who)` returns how the character stands to somebody, in a word for that person."""
        self._id = own_id
        self._mood = mood
        self._told: Audience = frozenset()

    def show(self, state: str, audience: Audience, to: Audience = frozenset()) -> None:
        """Tell players of an audience that the character thinks, speaks `to` somebody, or sleeps.

        Only clients that can show it are told. ``listening`` ends a state: it goes to the audience
        and to those who were told last. Never raises, and no turn waits for it.
        """
        if not conf.settings.CLIENT_EVENTS:
            return
        with surviving("client events"):
            whom = audience | self._told if state == "listening" else audience
            self._told = audience if state in ("thinking", "speaking") else frozenset()
            me = find(self._id) if whom else None
            if me is None or len(whom) > MOST_TOLD:
                return
            for who in sorted(whom):
                hearer = find(who)
                sessions = hearer.sessions.all() if hasattr(hearer, "sessions") else ()
                if any(session.protocol_flags.get("OOB") for session in sessions):
                    told = {"who": name_of(me, hearer), "id": me.dbref, "state": state}
                    told["to"] = [
                        name_of(body, hearer) for who in sorted(to) if (body := find(who))
                    ]
                    hearer.msg(ai_state=((), told | {"mood": self._mood(who)}))
