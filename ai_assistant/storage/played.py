"""What was played of a scene, on disk: counted in the transaction that distributes an utterance."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from django.db import connection

from ai_assistant.contracts import Distribution, Json
from ai_assistant.models import Scene
from ai_assistant.roleplay.participants import PRIVATE
from ai_assistant.roleplay.played import Played
from ai_assistant.storage.refusal import refusals
from ai_assistant.storage.statements import fetch, from_json, select

_PLAYED = select(("played",), "FROM ai_assistant_scene WHERE session = %s")
_PLAY = "UPDATE ai_assistant_scene SET played = %s WHERE session = %s"


def count(new: Iterable[Distribution]) -> None:
    """Count in their scenes what was said for all to hear; the game itself keeps no count."""
    aloud = [one for one in new if one.raw.session and one.raw.meta["type"] not in PRIVATE]
    for session in {one.raw.session for one in aloud}:
        for (stored,) in fetch(_PLAYED, [session]):
            played = Played.from_json(from_json(stored))
            for one in (one for one in aloud if one.raw.session == session):
                played = played.after(one.raw.author, _seen(one.decision))
            with connection.cursor() as cursor:
                cursor.execute(_PLAY, [json.dumps(played.to_json()), session])


def _seen(decision: Json) -> Sequence[str]:
    hidden = decision.get("hidden", ())
    return [one["id"] for one in decision["participants"] if one["id"] not in hidden]


def load_played(session: str) -> Played:
    """Return what was played of a scene. Raises `StoreError`."""
    with refusals():
        found = Scene.objects.filter(session=session).values_list("played", flat=True).first()
        return Played.from_json(found)
