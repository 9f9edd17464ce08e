"""Which parameter of which function a text is made into, and what is not fed, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial

import numpy as np

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.agent.turn.spoken_text import Spoken, own_name, spoken
from ai_assistant.core.contracts import Event, Json
from ai_assistant.core.model_records import (
    Message,
    ModelReply,
    ModelRequest,
    PromptSection,
    ToolCall,
)
from ai_assistant.core.quotes import Tongue
from ai_assistant.core.search_port import SearchIndex
from ai_assistant.language import current_language
from ai_assistant.language.clause_patterns import Reader, current_reader
from ai_assistant.language.language_record import Stems
from ai_assistant.language.words import tongue
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.offline.askers import Asker
from ai_assistant.llm.offline.offline_model import OfflineModel
from ai_assistant.llm.reply_context import ReplyContext
from ai_assistant.llm.request_records import Seen
from ai_assistant.memory.blocks.items import BLOCK_LINES, LineList
from ai_assistant.memory.blocks.old_blocks import OLD
from ai_assistant.memory.moments.deltas import Watched
from ai_assistant.memory.rewording import Reach, Rewording
from ai_assistant.memory.search.recall import Recall
from ai_assistant.memory.search.retrieval import Index
from ai_assistant.memory.shared_text import Runs
from ai_assistant.memory.wipe import Wipe
from ai_assistant.prompts.phrase_book import Voice
from ai_assistant.roleplay.director import Company, Director
from ai_assistant.roleplay.lorebook.matching import ScannedTalk
from ai_assistant.roleplay.participants import Present
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.roleplay.world_agent import WorldAgent
from ai_assistant.testing.fake_store import DictStore
from bench.texts_fed import SHORT, Maker, made
from bench.texts_makers import (
    STAMP,
    asked,
    asker,
    book,
    completion,
    decision,
    index,
    known,
    record,
    request,
    runs,
    scene,
    settings,
    state,
    told_of_scene,
    voice,
    wipe,
)


def fields_of(kind: type, text: str) -> Json:
    """Return a record of this kind that holds a text in every place, as JSON has it."""
    held: Json = asdict(made(kind, text, "", MAKERS))
    return held


_STATES = (
    ("memory", "session"), ("notebook", "notebook"), ("journal", "journal"),
    ("guidelines", "guidelines"), ("verdicts", "verdicts"), ("profile", "profile"),
    ("staff_notes", "staff_notes"), ("talk", "working"),
    ("stream", "stream"), ("block", "global_knowledge"), ("reflection", "reflection"),
    ("sleep", "sleep"), ("metrics", "metrics"), ("prompting", "prompt"), ("lore", "lore"),
    ("layout", "old_layout"), ("state", "custom_block"), ("safety", "safety"),
)  # fmt: skip
_SOCIAL, _STATUS, _BLOCK = map(state, ("shared_social", "status", "custom_block"))
MAKERS: Mapping[str, Maker] = {
    # JSON, and texts that are no words, by the name of the parameter
    "json": record,
    **{f"json {name}": state(part) for name, part in _STATES},
    "json decision": decision,
    "json where": lambda text: {"session": text},
    "json raw": lambda text: {"name": text[:SHORT], "description": text, "entries": []},
    "json fields": lambda text: {"mood": text},
    **dict.fromkeys(("int limit", "int most", "int keep"), lambda text: 1000),
    "str room_default": lambda text: "context",
    "str readers": lambda text: "*",
    "str memory_type": lambda text: "fact",
    **dict.fromkeys(("str source", "str told_by"), lambda text: "direct"),
    "str source_type": lambda text: "observation",
    **dict.fromkeys(("str stamp", "str earlier", "str later", "str now"), lambda text: STAMP),
    # by the name of a class
    **{
        made.__name__: maker
        for made, maker in (
            (Voice, voice),
            (Index, index),
            (SearchIndex, index),
            (Runs, runs),
            (Wipe, wipe),
            (Watched, lambda text: Watched({"mood": text})),
            (ModelRequest, request),
            (Asker, asker),
            (ReplyContext, asked),
            (WorldAgent, lambda text: WorldAgent()),
            (Director, lambda text: Director()),
            (ScannedTalk, lambda text: ScannedTalk([text])),
            (LineList, lambda text: BLOCK_LINES),
            (Tongue, lambda text: tongue()),
            (Spoken, lambda text: spoken(text, name=text[:60], handles={})),
            (Stems, lambda text: current_language().stems),
            (Reader, lambda text: current_reader()),
            (Recall, lambda text: Recall(DictStore(PARTS))),
            (SceneState, scene),
            (OfflineModel, lambda text: OfflineModel()),
        )
    },
    # by function and parameter
    **{
        f"memory.blocks.items.LineList.{name} block": _BLOCK
        for name in ("knows", "has_room", "add", "insert", "edit", "settle")
    },
    **{
        f"memory.blocks.shared_social.{name} block": _SOCIAL
        for name in ("record_group_interaction", "edit_group_interaction")
    },
    **{
        f"memory.blocks.status_block.{name} block": _STATUS
        for name in ("change_status", "feel", "has_faded", "of_body")
    },
    "core.contracts.Event.from_json data": lambda text: made(Event, text, "", MAKERS).to_json(),
    **{
        f"core.model_records.{kind.__name__}.from_json held": partial(fields_of, kind)
        for kind in (Message, ModelReply, PromptSection)
    },
    "memory.scene_wiping.learn_scene told": told_of_scene,
    "memory.scene_wiping.wiped_scene told": told_of_scene,
    "memory.rewording.Rewording.applied self": lambda text: Rewording("It is Gull.", "It is Tern."),
    "memory.rewording.Rewording.applied reach": lambda text: Reach.NEAR,
    "core.quotes.names_in endings": lambda text: tongue().possessives,
    "memory.blocks.old_blocks.read_old data": lambda text: {OLD[0]: text, OLD[1]: text[:SHORT]},
    **dict.fromkeys(
        ("llm.textreply.read_text native", "llm.wire.parse_reply native"), lambda text: False
    ),
    "llm.wire.parse_reply raw": completion,
    "llm.reply_context.ReplyContext.quotes call": lambda text: ToolCall("", "give", {"to": text}),
    "agent.turn.asides.passages_of own": own_name,
    "language.turning.swap table": lambda text: {"my": "your"},
    "core.owner_text.clean_between marks": lambda text: re.compile(r"(\{\w+\})"),
    "memory.blocks.items.replacement field": lambda text: "content",
    "memory.parts.Part.apply self": lambda text: PARTS["notebook"],
    "memory.parts.Part.apply state": state("notebook"),
    "memory.parts.Part.apply op": lambda text: "append",
    "memory.parts.Part.apply args": lambda text: {"content": text, "at": 1.0},
    "memory.people.profiles.to_prune profiles": lambda text: {"e1": state("profile")(text)},
    "memory.search.retrieval.Index.set_vector vector": lambda text: np.ones(4, np.float32),
    "roleplay.world_agent.WorldAgent.judge bound": lambda text: lambda: [Present("e2", text)],
    "roleplay.director.Director.cue company": lambda text: (
        lambda: Company([Present("e2", text)], [])
    ),
    "roleplay.knowledge.HowFar.from_json data": lambda text: {"upto": 1, "of": {text: 1}},
    "roleplay.lorebook.entries.Lorebook.from_json data": lambda text: book(text).to_json(),
    **{
        f"roleplay.scene_files.scene_report.{name} found": known
        for name in ("as_markdown", "ids_told")
    },
    "roleplay.scene_files.scene_report.as_markdown named": lambda text: str,
    "roleplay.scene.in_shape empty": lambda text: SceneState(text),
    "language.plain_english.pick key": lambda text: "name",
    "language.plain_english.pick among": lambda text: [Seen(name=text)],
    "llm.model_profiles.load_profiles raw": settings,
    "llm.model_profiles.profile_for profiles": lambda text: {"default": Profile(text)},
    "llm.model_profiles.wrong_jobs profiles": lambda text: {"default": Profile(text)},
    "core.text.clean_json value": lambda text: [{text: [text]}],
}

_OURS = "what it is called with are names of ours"
_INSIDE = "the inside of memory.search.retrieval.Index, which is fed"
EXEMPT: Mapping[str, str] = {
    "language.clause_patterns.Reader.compiled": "takes patterns of a language's file",
    "language.loading.entries_everywhere": _OURS,
    "memory.blocks.rules.signed_steps": _OURS,
    "memory.blocks.rules.swap_item": "what calls it, in `items` and `shared_social`, is fed",
    "memory.policy": "names of roles, from the game's own code",
    "memory.stores": "keeps copies of states under names of ours",
    "memory.search.corpus": _INSIDE,
    "memory.search.filters": _INSIDE,
    "memory.search.marks": _INSIDE,
    "memory.search.packed_facts": _INSIDE,
    "memory.search.query": _INSIDE,
    "memory.search.ranking": _INSIDE,
    "memory.search.vectors": _INSIDE,
    "memory.search.when_in_story.when_told": _INSIDE,
    "memory.search.recall.Recall.learn_vectors": "takes vectors",
    "memory.search.recall.Recall.learn_part": "reads a state of ours by its name",
    "roleplay.cards.limited_json.field_of": "looks a field up by a name of ours",
    "llm.outages": "keeps what it is told",
    "llm.next_steps": "puts names of a profile into one sentence",
    "llm.model_trial": "asks questions of its own, whose answers are capped",
    "llm.bridge": "hands a request to the client",
    "llm.call_failures": "takes errors of the SDK, whose answers are capped",
    "llm.client": "hands a request to the SDK, on another thread",
}
"""What is not fed, and why: a function, or what it stands in."""
