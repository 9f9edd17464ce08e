"""What a signature does not tell: how states, items and other things are made of a text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.model_records import (
    Message,
    ModelRequest,
    PromptSection,
)
from ai_assistant.llm.offline.askers import Asker, askers, voice_of
from ai_assistant.llm.offline.request_view import view_of
from ai_assistant.llm.reply_context import ReplyContext
from ai_assistant.llm.request_records import Persona
from ai_assistant.memory.search.retrieval import Index
from ai_assistant.memory.shared_text import Runs
from ai_assistant.memory.wipe import Wipe
from ai_assistant.prompts.phrase_book import Voice
from ai_assistant.roleplay.lorebook.entries import Entry, Lorebook
from ai_assistant.roleplay.scene import Member, SceneState
from ai_assistant.roleplay.scene_files.scene_report import scene_told, told_container, told_line
from bench.texts_fed import SHORT, Maker

STAMP = "2026-11-21T18:04:00Z"
_TEXTS = (
    *("name", "topic", "reason", "action", "what", "who", "author_name", "says", "summary"),
    *("place_name", "fact", "quote", "about", "key", "native"),
)
_LISTS = (
    *("entries", "key_facts", "learned_patterns", "completed_tasks", "lines", "observations"),
    *("attributes", "messages", "pending_actions", "proposed", "accepted", "rejected"),
    *("recent_events", "locations", "recent_facts", "group_interactions", "talks", "components"),
    *("stops",),
)


def record(text: str) -> Json:
    """Return an item of any list of a state: its words are this text, other texts begin so."""
    return dict.fromkeys(_TEXTS, text[:SHORT]) | {
        **dict.fromkeys(("content", "text", "value", "description"), text),
        **{"id": 1, "n": 1, "at": 1.0, "learned": STAMP, "created": STAMP, "timestamp": STAMP},
        **{"last_updated": STAMP, "readers": "*", "author": "e1", "source": "e1", "kind": "say"},
        **{"type": "likes", "source_type": "say", "source_entity": "e1", "tags": [text]},
        **{"related_projects": [], "importance": 5, "coordinates": [], "participants": [text]},
        **{"priority": 1, "trust": 0.5, "chain": ["e1"], "origin": "1", "role": "user", "day": 1},
        **{"messages": 1, "entry": "k", "hidden": [], "hearers": [], "knew": []},
        **{"place": "e1", "session": "", "turn": "t", "event": "v", "evidence": []},
        **{"update_type": "x", "confidence": 1},
        **{"source_trust": 0.5, "importance_method": "llm", "parents": [], "supersedes": None},
        **{"data": {"text": text}, "turn_id": "t", "who_id": "e1", "meta": {"text": text}},
        **{"happened_day": 1, "root": "r", "order": 1, "depth": 0, "entities": []},
    }  # fmt: skip


def book(text: str) -> Lorebook:
    """Return a lorebook that holds a text in every place."""
    return Lorebook(text, (Entry(text, text, text, (text,), (text,), excluded=(text,)),))


def scene(text: str) -> SceneState:
    """Return a running scene of two in which everything is called like this."""
    two = (Member("e1", text), Member("e2", text))
    return SceneState("s1", text, "e1", "running", two, text, plot=text, quest=text,
                      flags={text: text}, relationships={"e1 e2": text}, places={text: "inn"},
                      time_of_day=text)  # fmt: skip


def decision(text: str) -> Json:
    """Return who took part in an utterance, as it is stored."""
    found = {"id": "e1", "name": text, "confidence": 1.0, "rule": "named"}
    return {"participants": [found], "hearers": ["e1"], "hidden": [], "speaker": "e1", "by": "rule",
            "bodies": ["e1"], "row": 1, "at": 1.0, "sure": False}  # fmt: skip


def known(text: str) -> Json:
    """Return a report of a scene with one line, and what somebody has of it."""
    row = MemoryRow(text, id=1, author="e1", author_name=text, meta={"knowledge": [text]})
    lines = [told_line(decision(text), row, {"e1": [text]})]
    held = [told_container("s1", "e1", [row])]
    return scene_told(scene(text), 6, text, is_whole=False, messages=lines, containers=held)


def state(part: str) -> Maker:
    """Return what makes a state of a part, in each list of which stands one item of a text."""

    def make(text: str) -> Json:
        made = PARTS[part].empty()
        return made | {name: [record(text)] for name in made if name in _LISTS}

    return make


def voice(text: str) -> Voice:
    """Return the voice of somebody whose sheet is this text."""
    return voice_of(Persona(text, text, (text,), (text,), text, (text,), (text,)), text, [text])


def index(text: str) -> Index:
    """Return an index of one memory."""
    made = Index()
    made.add(MemoryRow(text, id=1))
    return made


def runs(text: str) -> Runs:
    """Return the runs of a text."""
    made = Runs()
    made.add([text])
    return made


def told_of_scene(text: str) -> Json:
    """Return title and state of a scene that the forgotten made."""
    return {"title": text, "state": asdict(scene(text)) | {"owner": "e1"}}


def wipe(text: str) -> Wipe:
    """Return what is to be forgotten of somebody who said this."""
    made = Wipe("e1")
    made.learn([record(text)])
    return made


def settings(text: str) -> Json:
    """Return profiles of models as an owner sets them, with a text for each name and address."""
    return {"chat": {"provider": "openai", "model": text, "base_url": text, "key": text}}


def offered(text: str) -> Json:
    """Return a tool as a request shows it."""
    properties = {"text": {"type": "string", "description": text}}
    parameters = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": "give", "parameters": parameters}}


def request(text: str) -> ModelRequest:
    """Return a request that holds the text in whatever somebody wrote."""
    rows = {
        "persona": {"name": text[:SHORT], "role": text, "personality": text, "lore": text},
        "stream": {"who": "p1", "name": "Ann", "says": text},
        "event": {"who": "p1", "name": "Ann", "says": text},
        "entity": {"name": "Ann", "handle": "p1", "observation": text},
        "seen": {"name": text[:SHORT], "handle": "p1", "kind": "player", "description": text},
        "memories": {"text": text, "who": "Ann"},
        "goals": {"goal": "g1", "description": text},
    }
    sections = tuple(PromptSection(key, (row,)) for key, row in rows.items())
    messages = (Message("system", text), Message("user", text))
    return ModelRequest(messages, (offered(text),), sections)


def completion(text: str) -> bytes:
    """Return the body of a server's answer that says this."""
    message = {"role": "assistant", "content": text}
    return json.dumps({"choices": [{"message": message}]}).encode()


def asked(text: str) -> ReplyContext:
    """Return what a request tells whoever reads its reply."""
    return ReplyContext.of(request(text))


def asker(text: str) -> Asker:
    """Return one who said this, as the offline model sees it."""
    return askers(view_of(request(text)))[0]


def parts(text: str) -> Mapping[str, Json]:
    """Return the state of each block."""
    return {name: part.empty() for name, part in PARTS.items() if part.is_block}
