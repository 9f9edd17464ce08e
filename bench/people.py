"""Who lives in the benches: assistants of both kinds, and players with a session each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import evennia
from evennia import DefaultCharacter, create_account, create_object
from evennia.contrib.rpg.llm.llm_npc import LLMNPC
from evennia.server.serversession import ServerSession

from ai_assistant.api import lifecycle
from ai_assistant.core.contracts import Change, Commit
from ai_assistant.game.identity import entity_id, reference
from ai_assistant.game.perception import from_msg
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.roleplay.distribution import heard_row
from ai_assistant.runtime.resident import Resident
from ai_assistant.runtime.service import SERVICE, SETTLED_AFTER
from ai_assistant.typeclasses import AssistantCharacter
from bench.game import pause

DAY = 86_400.0
ROWS = 100
"""Memories that an assistant has from the start; they fill its stream and its conversations."""
SMALL_TALK = (
    "The rain has not stopped since Tuesday.",
    "Somebody left a lantern burning on the quay all night.",
    "My cousin says the mill needs a new wheel before the winter comes.",
    "I would not trust that bridge with a full cart, not this week.",
    "They are roasting chestnuts at the market again.",
)
PERSONA = {
    "name": "",
    "role": "keeps the ferry and its ledger",
    "personality": "patient, a little dry, curious about strangers; never forgets a debt",
    "interests": ["the river", "old maps", "the price of rope"],
    "home_location": "the landing stage",
}


class Listener(AssistantCharacter):
    """One of our assistants, which notes when it was told something."""

    def at_msg_receive(self, text: Any = None, from_obj: Any = None, **kwargs: Any) -> bool:
        """Note the time of the hook that hears."""
        self.ndb.heard = time.perf_counter()
        return super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)


class Talker(LLMNPC):
    """One of Evennia's own, which notes when it was told something."""

    def at_talked_to(self, speech: str, character: Any) -> Any:
        """Note the time of the hook that hears."""
        self.ndb.heard = time.perf_counter()
        return super().at_talked_to(speech, character)


def a_room(name: str) -> Any:
    """Return a new room."""
    return create_object("evennia.objects.objects.DefaultRoom", key=name, nohome=True)


def an_assistant(name: str, room: Any) -> Any:
    """Return one of ours, alive in the service."""
    return lifecycle.create_assistant(name, location=room, persona={**PERSONA, "name": name})


def a_talker(name: str, room: Any) -> Any:
    """Return one of Evennia's own."""
    talker = create_object(Talker, key=name, location=room, home=room)
    talker.db.desc = "ferryman who keeps the ledger"
    return talker


def a_player(name: str, room: Any) -> Any:
    """Return a character with an account and a session behind it."""
    account = create_account(name, None, "a password for benches", permissions=["Player"])
    body = create_object(DefaultCharacter, key=name, location=room, home=room)
    return log_in(body, account)


def log_in(body: Any, account: Any) -> Any:
    """Let a player's account wear a body; returns that."""
    body.locks.add(f"puppet:pid({account.id})")
    handler = evennia.SESSION_HANDLER
    session = ServerSession()
    session.init_session("telnet", ("127.0.0.1", "bench"), handler)
    session.sessid = max(handler, default=0) + 1
    handler.portal_connect(session.get_sync_data())
    session = handler[session.sessid]
    account.db._last_puppet = body  # Evennia puts the account into it at login
    handler.login(session, account, testmode=True)
    return body


def resident_of(assistant: Any) -> Resident:
    """Return what runs one of our assistants."""
    return SERVICE.residents[entity_id(assistant)]


async def restart(assistants: Sequence[Any]) -> None:
    """Do to our service what a reload of the server does, and wait until it has settled."""
    SERVICE.stop()
    for assistant in assistants:
        assistant.assistant_script.at_start()
    await pause(SETTLED_AFTER + 2)


def give_past(assistant: Any, players: Sequence[Any]) -> None:
    """Let one of ours have lived among these: a full stream, full conversations, memories."""
    mind = resident_of(assistant).mind
    at = time.time() - DAY
    changes, rows = [], []
    for player in players:
        who = reference(player)
        met = {"name": who.name, "entity_type": who.kind, "at": at}
        start = {"entity_id": who.id, "readers": "*", "at": at}
        changes.append(Change("profile", who.id, "create_entity_profile", met))
        changes.append(Change("working", who.id, "start_conversation", start))
    for number in range(ROWS):
        player, line = players[number % len(players)], SMALL_TALK[number % len(SMALL_TALK)]
        event = from_msg(assistant, (f'{player.key} says, "{line}"', {"type": "say"}), player)
        event = replace(event, id=f"past{number}", timestamp=at + number)
        changes.append(Change("stream", "", "append", {"added": [entry_of(event)]}))
        said = {"role": "user", "content": line, "at": at + number}
        changes.append(Change("working", event.source.id, "add_conversation_message", said))
        rows.append(replace(heard_row(event, mind.key), content=f"{line} ({number})"))
    mind.save(Commit(at=at, changes=changes, rows=rows))


def give_talker_past(talker: Any, player: Any) -> None:
    """Let one of Evennia's own have lived: as much talk as it keeps."""
    for number in range(talker.max_chat_memory_size):
        talker._add_to_memory(player, player, SMALL_TALK[number % len(SMALL_TALK)])
