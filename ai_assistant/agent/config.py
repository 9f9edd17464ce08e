"""One assistant's own configuration: every key with its default, its limits and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ConfigurationError
from ai_assistant.core.text import did_you_mean
from ai_assistant.memory.blocks.old_blocks import LAYOUT, LAYOUTS, SIX
from ai_assistant.memory.parts import Part
from ai_assistant.memory.policy import DEFAULT_ROLE, MOST_TOKENS

AS_THE_ROLE = ("role", "on", "off")
CHANNEL_MODES = ("mention", "all", "off")
_ON_OFF = dict.fromkeys(("on", "true", "yes", "1"), True) | dict.fromkeys(
    ("off", "false", "no", "0"), False
)
CARD_FIELDS = (
    *("world_info_before", "persona_description", "char_description", "char_personality"),
    *("scenario", "world_info_after", "dialogue_examples"),
)
"""The fields of a persona that come from a character card, in usual order."""


@dataclass(frozen=True, slots=True)
class Option:
    """One configuration key."""

    default: Any
    """What holds where nothing is set; it gives the type as well."""
    about: str
    """What it does, for people who set it."""
    low: float = 0
    """The least number."""
    high: float = 1_000_000_000
    """The greatest number."""
    choices: tuple[str, ...] = ()
    """The texts that it takes; empty for any."""

    def parse(self, key: str, text: str) -> Any:
        """Return the value that a person typed; raises `ConfigurationError` saying what fits."""
        try:
            return self.check(key, self._read(text))
        except (ValueError, KeyError, ConfigurationError):
            raise ConfigurationError(f"'{key}' takes {self.takes()}, not '{text}'.") from None

    def _read(self, text: str) -> Any:
        kind, items = type(self.default), list(filter(None, map(str.strip, text.split(","))))
        if kind is bool:
            return _ON_OFF[text.strip().lower()]
        if kind is dict:
            pairs = (item.partition("=") for item in items)
            return {name.strip(): (mode.strip() or "mention") for name, _, mode in pairs}
        return items if kind is list else kind(text)

    def check(self, key: str, value: Any) -> Any:
        """Return `value` if it fits; raises `ConfigurationError` otherwise."""
        if type(value) is not type(self.default):
            raise ConfigurationError(f"'{key}' takes {self.takes()}, not {value!r}.")
        if isinstance(value, int | float) and not self.low <= value <= self.high:
            raise ConfigurationError(f"'{key}' takes {self.takes()}, not {value}.")
        chosen = value.values() if isinstance(value, dict) else value
        chosen = chosen if isinstance(value, dict | list) else [value]
        if self.choices and any(item not in self.choices for item in chosen):
            raise ConfigurationError(f"'{key}' takes {self.takes()}, not {value!r}.")
        return value

    def takes(self) -> str:
        """Say in words what values fit."""
        kind = type(self.default)
        if kind is dict:
            return f"pairs like Public=mention, each of: {', '.join(self.choices)}"
        if kind is list and self.choices:
            return f"names with commas between, each of: {', '.join(self.choices)}"
        if self.choices:
            return "one of: " + ", ".join(self.choices)
        if kind in (int, float):
            return f"a number from {self.low:.10g} to {self.high:.10g}"
        return {bool: "on or off", list: "names with commas between", str: "a text"}[kind]


OPTIONS: dict[str, Option] = {
    "tick_rate": Option(5, "seconds between two heartbeats, awake", 1, 3600),
    "tick_rate_sleep": Option(60, "seconds between two heartbeats, asleep", 1, 86_400),
    "llm_profile": Option("", "the model profile it uses; empty: the game's choice for the job"),
    "max_iterations_per_tick": Option(6, "model steps in one turn", 1, 10),
    "max_consecutive_errors": Option(
        5, "failed turns in a row after which it stops until staff look at it; 0: never", 0, 1000
    ),
    "acts_per_turn": Option(4, "how often it may act on the world in one turn", 1, 10),
    "multi_action_enabled": Option(True, "may it use tools before it answers?"),
    "execution_mode": Option(
        "react_loop",
        "how a turn goes on: step by step, by a plan made first, or with one action",
        choices=("react_loop", "plan_execute", "single_action"),
    ),
    "confirm_dangerous": Option(False, "ask for a yes before an act that changes the world?"),
    "task_assessment_enabled": Option(False, "is each event assessed first, to take fewer steps?"),
    "task_assessment_model": Option(False, "may a model assess it? Otherwise rules do"),
    "refine_participants": Option(
        False, "may a model look again at who took part, where rules are unsure?"
    ),
    "director_model": Option(
        False, "may its model choose who speaks, in scenes whose policy is director?"
    ),
    "sub_agents_enabled": Option(False, "may it hand tasks to other assistants?"),
    "sub_agent_budget": Option(3, "tasks it may have handed out at a time, and in one turn", 0, 10),
    "delegate_assistant_tag": Option("specialist", "the tag of those who may be given tasks"),
    "personality_insulation": Option(
        "orchestrator",
        "what helpers learn besides the task: nothing, its goals (delegate), or everything (none)",
        choices=("none", "orchestrator", "delegate"),
    ),
    "result_summarization": Option(True, "are their long answers shortened?"),
    "result_summarization_model": Option(
        False, "may a model shorten them? Otherwise they are cut at a sentence"
    ),
    "memory_role": Option(
        DEFAULT_ROLE, "what it keeps of its talk, see docs/memory.md; who it is: ai/persona"
    ),
    "memory_tool": Option("role", "does it have a notebook?", choices=AS_THE_ROLE),
    "memory_action": Option(
        "role",
        "how it writes to its notebook if the model does not say",
        choices=("role", "append", "write"),
    ),
    "chat_history": Option("role", "are earlier turns in its prompt?", choices=AS_THE_ROLE),
    "persist_chat_history": Option(
        "role", "do earlier turns survive a restart?", choices=AS_THE_ROLE
    ),
    "llm_compaction": Option("role", "may a model summarise its talk?", choices=AS_THE_ROLE),
    "compact_enabled": Option(True, "are long talks shortened to summaries?"),
    "compact_emergency_threshold": Option(
        0.8, "share of the prompt's size from which a talk is shortened", 0.1, 1.0
    ),
    "compact_sleep_threshold": Option(
        0.7, "the same for a talk while asleep: its share of the prompt's size", 0.1, 1.0
    ),
    "sleep_enabled": Option(False, "does it sleep at fixed hours?"),
    "sleep_start_hour": Option(2.0, "the hour at which it falls asleep", 0, 23.99),
    "sleep_duration_hours": Option(4.0, "hours that it sleeps", 0.1, 23.9),
    "sleep_clock": Option("game", "the clock that its sleep goes by", choices=("game", "real")),
    "reflection_interval": Option(
        0, "heartbeats between reflections while awake; 0: only asleep", 0, 1_000_000
    ),
    "prune_consumed": Option(True, "do observations leave a profile once they are traits?"),
    "fold_days_back": Option(
        90, "story days after which talk is replaced by a summary a day; 0: never", 0, 1_000_000
    ),
    "compact_preserve_window": Option(20, "newest lines of a talk that stay as they are", 2, 40),
    "compact_model": Option("", "the model profile for summaries; empty: the game's for that job"),
    "compact_prompt": Option("", "instructions for summaries; empty: the game's own"),
    "max_context_tokens": Option(7000, "size of the prompt, tools included", 1000, 1_000_000),
    "chat_history_tokens": Option(
        0,
        "tokens of conversation in the prompt, word for word; 0: as its role says",
        0,
        MOST_TOKENS,
    ),
    "llm_max_tokens": Option(500, "longest answer of one model call", 16, 32_000),
    "daily_calls": Option(0, "model calls a day; 0: the game's setting"),
    "daily_tokens": Option(0, "tokens a day; 0: the game's setting"),
    "room_default": Option(
        "context",
        "talk in the room that is not addressed to it: keep as context, ignore, or answer; "
        "somebody alone with it is answered unless this is ignore",
        choices=("context", "ignore", "trigger"),
    ),
    "channels": Option({}, "channels it listens to, and when it answers", choices=CHANNEL_MODES),
    "autonomy_interval": Option(
        0, "seconds between acts that nobody asked for; 0: never", 0, 86_400
    ),
    "active_from": Option(0, "game hour from which it is active", 0, 24),
    "active_until": Option(24, "game hour until which it is active", 0, 24),
    "patience": Option(
        2, "how often an hour it may speak unasked in a place; never twice without an answer", 0, 60
    ),
    "greets": Option(
        "known",
        "whom it greets; strangers get a nod at most",
        choices=("nobody", "known", "everybody"),
    ),
    "small_talk_after": Option(
        300, "seconds of silence in company before it starts to talk; 0: never", 0, 86_400
    ),
    "keeps_place": Option(False, "does it stay where it is, whoever asks it to come or go?"),
    "plays_scenes": Option(True, "may players take it into their scenes?"),
    "user_entity": Option("", "the name that the macro user stands for in its texts"),
    "persona_order": Option(
        list(CARD_FIELDS), "order of the card's fields in its persona", choices=CARD_FIELDS
    ),
    LAYOUT: Option(
        SIX, "which memory blocks it has: the six, or the older three as they are", choices=LAYOUTS
    ),
    "memory_enabled": Option(True, "are memories recalled into its prompt?"),
    "min_source_trust": Option(
        0.5, "memories trusted less than this are not recalled into the prompt", 0, 1
    ),
    "disabled_tools": Option([], "tools it must not use"),
}

DEFAULT, OWN, BY_ROLE, BY_GAME = "default", "this character", "its memory role", "the game"
_LEFT_TO = dict.fromkeys(
    (
        *("memory_tool", "memory_action", "chat_history", "persist_chat_history"),
        *("llm_compaction", "chat_history_tokens"),
    ),
    BY_ROLE,
) | dict.fromkeys(
    ("llm_profile", "compact_model", "compact_prompt", "daily_calls", "daily_tokens"), BY_GAME
)
"""The options which, unless they are set, somebody else decides, and who that is."""
_GROUPS = {
    "tick_rate": "thinking",
    "sub_agents_enabled": "helpers",
    "memory_role": "memory of talk",
    "sleep_enabled": "sleep",
    "compact_preserve_window": "summaries",
    "max_context_tokens": "sizes and budget",
    "room_default": "hearing",
    "autonomy_interval": "autonomy",
    "plays_scenes": "scenes and texts",
    LAYOUT: "memory and tools",
}
"""The option with which a group begins, and what the group is about."""


def groups() -> dict[str, list[str]]:
    """Return the keys of all options by what they are about, in order."""
    found: dict[str, list[str]] = {}
    title = ""
    for key in OPTIONS:
        title = _GROUPS.get(key, title)
        found.setdefault(title, []).append(key)
    return found


@dataclass(frozen=True, slots=True)
class Config:
    """The values that are set; every other key has its default."""

    values: Mapping[str, Any]
    """What was set, by the keys of `OPTIONS`."""

    def __getitem__(self, key: str) -> Any:
        option = OPTIONS[key]
        return self.values.get(key, option.default)

    def source(self, key: str) -> str:
        """Return in words where the value of an option comes from."""
        return OWN if key in self.values else _LEFT_TO.get(key, DEFAULT)


CONFIG = Part(name="config", attribute="config", where="script", shape={}, steps={})
"""The values that are set, which are replaced as a whole: they are checked before."""
_FORMERLY = {"role": "memory_role"}


def by_present_names(values: Mapping[str, Any]) -> Json:
    """Return a configuration whose options are called as they are now."""
    return {_FORMERLY.get(key, key): value for key, value in values.items()}


def check_all(values: Mapping[str, Any]) -> Json:
    """Return `values` if each key exists and fits; raises `ConfigurationError` otherwise."""
    values = by_present_names(values)
    for key, value in values.items():
        find_option(key).check(key, value)
    return values


def find_option(key: str) -> Option:
    """Return the option of that name; raises `ConfigurationError` with those like it."""
    if key not in OPTIONS:
        meant = did_you_mean(key, OPTIONS) or "ai/config <name> lists them all."
        raise ConfigurationError(f"There is no option '{key}'. {meant}")
    return OPTIONS[key]
