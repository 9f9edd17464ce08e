"""The game owner's settings: typed defaults, looked up live as ``AI_ASSISTANT_<NAME>``.

A wrong one stops nobody: its default holds instead, or what is safe where that might do harm.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.conf import Settings as DjangoSettings
from django.conf import settings as django_settings

from ai_assistant.core import contracts
from ai_assistant.core.text import spelled_like

_POSITIVE = frozenset(
    "IN_FLIGHT MODEL_TIMEOUT MAX_REPLY_BYTES PLAYER_SHARE ADDRESS_SHARE"
    " API_REQUESTS_PER_MINUTE".split()
)
_CHOICES = {
    "FORGET": ("off", "own", "all"),
    "OPEN_SPEECH": ("open", "present"),
    "FALLBACK": ("", "offline"),
}
UNUSABLE = "unusable"
"""A path or a tag that is none, so that what asks for it keeps to the safe side."""
_FOREVER = 36_500
_SOUND: dict[str, Any] = {}
"""The last value of each setting that was found right; it is not looked at again."""
_SAFE: dict[str, Any] = {
    "OPEN_SPEECH": "present",
    "PAGE_READERS": "Developer",
    "PAGE_EDITORS": "Developer",
    "MODERATION": UNUSABLE,
    "IGNORES": UNUSABLE,
    "PRIVATE_TAG": UNUSABLE,
    "MEMORY_POLICY": UNUSABLE,
    "MEMORY_STORE": UNUSABLE,
    "AUDIT_KEPT": 0,
    "CALL_DAYS": float(_FOREVER),
    "STATE_DAYS": _FOREVER,
    "STATE_MEGABYTES": _FOREVER,
    "DAILY_CALLS": 100,
    "DAILY_TOKENS": 250_000,
    "GAME_DAILY_CALLS": 2500,
    "GAME_DAILY_TOKENS": 5_000_000,
}
"""What holds in place of a wrong value where the default may be too much: it tells nobody more
than the owner may have wanted, throws nothing away, and a day costs a twentieth."""
MEANWHILE = {
    "MODERATION": "characters say nothing",
    "IGNORES": "characters and players hear nothing of each other",
    "MEMORY_POLICY": "no talk survives a restart",
    "MEMORY_STORE": "no talk survives a restart",
    "PRIVATE_TAG": "what is said anywhere belongs to those who hear it",
}
"""What a wrong value of these comes to."""
_OURS_PERHAPS = re.compile("(^_?AI|AS+IS+T).{4}")


class Settings:
    """Every setting with its default. Read as ``conf.settings.IN_FLIGHT``; never cached."""

    LLM: dict[str, Any] = {}
    """Named model profiles, beside those that `ai/setup` keeps. None at all: the offline model."""
    JOBS: dict[str, str] = {}
    """Which profile does which job (chat, consolidate, assess, summarise); else ``default``."""
    FALLBACK: str = ""
    """``offline``: the offline model answers in place of a profile that fails; empty: nobody."""
    EMBEDDINGS: str = ""
    """The profile whose model makes vectors of memories; empty: they are found by words alone."""
    LANGUAGE: str = "en"
    """What is spoken in the game: ``en``, ``de``, ``es``, or the path of a language file."""
    IN_FLIGHT: int = 64
    """Turns that may wait for a model at the same time, in the whole game."""
    DAILY_CALLS: int = 2000
    """Model calls one assistant may make a day, the offline model's not counted; 0 for none."""
    DAILY_TOKENS: int = 5_000_000
    """Tokens one assistant may use a day."""
    GAME_DAILY_CALLS: int = 50_000
    """Model calls of all assistants together a day."""
    GAME_DAILY_TOKENS: int = 100_000_000
    """Tokens of all assistants together a day."""
    STAFF_DAILY_CALLS: int = 200
    """Model calls that staff may make a day to try things out; 0 for none."""
    STAFF_DAILY_TOKENS: int = 1_000_000
    """Tokens that these may use a day."""
    TRY_PRIVATE: bool = False
    """May what not everybody may know go to another profile, where staff try that one?"""
    PLAYER_SHARE: float = 0.5
    """Share of an assistant's day, and of the game's, that one player may use up; 1 for all."""
    ADDRESS_SHARE: float = 0.9
    """The same for all players of one network address together, such as a school; 1 for all."""
    LINES_PER_MINUTE: int = 20
    """Lines of one player that are answered in a minute, by all characters; 0: no limit."""
    ADDRESS_LINES_PER_MINUTE: int = 60
    """The same for all players of one network address together; 0: no limit."""
    LINES_PER_DAY: int = 2000
    """Lines of one player that one assistant keeps or answers in a day, and things that one player
    keeps in stories by `scene`; ten times that of one address; 0: no limit."""
    AUDIT_KEPT: int = 100_000
    """Newest audit records of one assistant, its moments counted, among which those of turns and
    tools are kept; a turn makes some three. 0: all of them."""
    CALL_DAYS: float = 30.0
    """Days for which the figures of a model call are kept; 0: none are."""
    CALL_BODY_DAYS: float = 7.0
    """Days for which it is kept what was sent and answered; 0: it is not."""
    CALL_BODY_BYTES: int = 65_536
    """Of what takes more than this, packed, nothing but the figures is kept."""
    CALL_BODY_MEGABYTES: int = 512
    """All of it together; of more the oldest goes."""
    CALL_PRIVATE_BODIES: bool = False
    """Is it kept of what not everybody may know, too?"""
    TRACE_DAYS: int = 30
    """Days for which the audit log tells of turns and tools; 0: as long as `AUDIT_KEPT` says."""
    STATE_DAYS: int = 90
    """Days for which any state of an assistant can be rebuilt; 0: nothing is kept of the past."""
    STATE_MEGABYTES: int = 2048
    """All that is kept of past states together; of more the oldest is folded."""
    MODEL_TIMEOUT: float = 30.0
    """Seconds that one model call may take, a second try included."""
    MAX_REPLY_BYTES: int = 262_144
    """A larger answer of the model's server is refused."""
    OPEN_SPEECH: str = "open"
    """``open``: what is said in a room may be told on. ``present``: only to those who heard it."""
    PRIVATE_TAG: str = "private"
    """Talk in a room with this tag (category ``ai_assistant``) belongs to those who hear it."""
    GIVABLE_TAG: str = "givable"
    """Things with this tag (category ``ai_assistant``), and players' gifts, may be given away."""
    FORGET: str = "own"
    """What players may have forgotten: ``off``, their ``own`` words, or ``all`` about them."""
    RESTORE_WAIT: float = 180.0
    """Seconds that a restored event waits for its speaker to be in reach again."""
    SCENE_HOURS: float = 24.0
    """Hours without any of its players in the game after which a scene ends; 0: it never does."""
    SCENES_A_DAY: int = 20
    """So many scenes one player may make within 24 hours."""
    SCENE_UNASKED_LINES: int = 2
    """So many lines of assistants for whom it was not may follow one player's line in a scene."""
    ENGAGED_SECONDS: float = contracts.ENGAGED_SECONDS
    """How long somebody who was answered needs no name to be answered again."""
    KEYS: dict[str, str] = {}
    """Keys by profile or provider name, for those who keep them in secret settings."""
    TYPECLASS: str = "ai_assistant.typeclasses.AssistantCharacter"
    """What new and adopted assistants are; a game's own class must use `AssistantMixin`."""
    MEMORY_POLICY: str = ""
    """Dotted path of a function that gets the `AgentMemoryPolicy` and may change it."""
    MEMORY_STORE: str = ""
    """Dotted path of a function from an assistant's id to a `MemoryStore` for its talk."""
    LLM_COMPACTION: bool = False
    """May models summarise long talks, for assistants whose role allows it?"""
    TOOL_MODULES: list[str] = []
    """Modules of the game's own tools: every function with ``@tool`` in them."""
    STAFF_COMMANDS: list[str] = []
    """Keys of commands that a character may use where an Admin asks for it and confirms."""
    STAFF_ATTRIBUTES: list[str] = []
    """Names of Attributes that it may set in the same way."""
    SPAWN_TEMPLATES: dict[str, Any] = {}
    """What it may spawn where a Builder asks for it and confirms: name → prototype."""
    BUILDING: bool = False
    """May it build rooms and describe things in the same way?"""
    CARDS: str = "server/cards"
    """The folder of character cards and lorebooks, seen from the game's directory."""
    HEALTH: str = "health"
    """The Attribute (or property) of a character that says how well it is."""
    LANDMARK_TAG: str = "landmark"
    """Rooms with this tag (category ``ai_assistant``) are places that everybody knows of."""
    IGNORES: str = ""
    """Dotted path of a function (listener, speaker) → bool: does the one ignore the other?"""
    MODERATION: str = ""
    """Dotted path of a function (text, speaker, hearers) → what is said, or None to drop it."""
    PAGE_READERS: str = "Builder"
    """The permission of the game with which one may look at the owner's pages."""
    PAGE_EDITORS: str = "Admin"
    """The permission with which one may change an assistant there, where its lock allows it."""
    METRICS_TOKEN: str = ""
    """What Prometheus must bring to read ``/ai/metrics``; empty: nobody may."""
    SPANS: bool = False
    """Is OpenTelemetry told of turns and model calls?"""
    CLIENT_EVENTS: bool = True
    """Are players' clients told, beside the text, that a character thinks, speaks or sleeps?"""
    API: bool = False
    """Does the REST API at ``/ai/api/`` answer? Off, there is nothing at its addresses."""
    API_REQUESTS_PER_MINUTE: int = 120
    """Requests of one account to the REST API that are answered in a minute."""
    WORKERS: bool = False
    """Do other processes, ``evennia ai_worker``, answer what nobody waits for? On PostgreSQL."""
    LABEL: str = ""
    """What whoever looks at an assistant sees behind its name, such as ``AI``; empty: nothing."""
    MACROS: dict[str, str] = {}
    """The game's own macros for texts in the prompt: name → dotted path of a function."""

    def __getattribute__(self, name: str) -> Any:
        default = object.__getattribute__(self, name)
        if not name.isupper():
            return default
        full, given = f"AI_ASSISTANT_{name}", django_settings._wrapped
        # Most are not set, and Django takes ten times as long to find that out.
        is_unset = type(given) is DjangoSettings and full not in given.__dict__
        value = default if is_unset else getattr(django_settings, full, default)
        if value is default or value is _SOUND.get(name, _SOUND):
            return value
        if _flaw(name, default, value):
            return _SAFE.get(name, default)
        _SOUND[name] = value
        return value

    def flaw(self, name: str) -> str:
        """Say what is wrong with the value of a setting, and what holds; empty for nothing."""
        full, default = f"AI_ASSISTANT_{name}", getattr(Settings, name)
        flaw = _flaw(name, default, getattr(django_settings, full, default))
        meanwhile = MEANWHILE.get(name) or f"it is {getattr(self, name)!r}"
        return f"{full} must {flaw}. Until then {meanwhile}." if flaw else ""

    def wrong(self) -> list[str]:
        """Return a sentence for each setting that has a value which it cannot have."""
        return [*filter(None, map(self.flaw, filter(str.isupper, vars(Settings))))]

    def unknown(self) -> dict[str, str]:
        """Return {name set by the game that looks like ours and is not: the one it resembles}.

        It is empty where none is close: then it may be another app's.
        """
        ours = [f"AI_ASSISTANT_{name}" for name in vars(Settings) if name.isupper()]
        found = {}
        for name in sorted({*dir(django_settings)} - {*ours}):
            close = spelled_like(name, ours, 0.85) if _OURS_PERHAPS.search(name) else []
            if close or name.startswith("AI_ASSISTANT_"):
                found[name] = close[0] if close else ""
        return found


def _flaw(name: str, default: Any, value: Any) -> str:
    """Say what a value must be that it is not; empty for nothing. It is never shown itself."""
    wanted: tuple[type, ...] = (int, float) if isinstance(default, float) else (type(default),)
    if isinstance(default, list):
        wanted = (list, tuple)
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        return f"be of type {type(default).__name__}, not {type(value).__name__}"
    if isinstance(value, dict | list | tuple) and not all(isinstance(item, str) for item in value):
        return "hold names, as text"
    if isinstance(default, int | float) and value < 0:
        return "not be negative"
    if name in _POSITIVE and not value:
        return "be more than 0"
    if value not in _CHOICES.get(name, (value,)):
        return f"be one of: {', '.join(filter(None, _CHOICES[name]))}"
    return ""


settings = Settings()


def language() -> str:
    """Return the code of the game's language, or the path of its file."""
    chosen = settings.LANGUAGE
    return str(Path(django_settings.GAME_DIR) / chosen) if chosen.endswith(".toml") else chosen
