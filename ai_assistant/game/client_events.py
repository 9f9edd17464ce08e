"""Client events: players' clients are told beside the text that a character thinks, speaks, sleeps.

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
    """What the clients of players are told of one character."""

    def __init__(self, own_id: str, mood: Callable[[str], str]) -> None:
        """`mood(who)` returns in a word how it stands to somebody, for that one's eyes."""
        self._id = own_id
        self._mood = mood
        self._told: Audience = frozenset()

    def show(self, state: str, audience: Audience, to: Audience = frozenset()) -> None:
        """Tell those of an audience who play that it is thinking, speaking `to` somebody or asleep.

        Only clients that show such things are told: a plain one would not learn of it anyway.
        ``listening`` goes to those who were told last, beside the audience, and ends that. Never
        raises: no turn waits for it or fails by it.
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
