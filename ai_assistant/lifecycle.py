"""The life of an assistant: create, adopt, start, stop, configure, delete, and list them all."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from evennia import create_object, create_script
from evennia.comms.models import ChannelDB
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultExit, DefaultRoom
from evennia.utils.utils import class_from_module

from ai_assistant import conf
from ai_assistant.agent.config import Config, check_all, find_option
from ai_assistant.assembly import CONFIG_KEY, PERSONA, set_own_caps
from ai_assistant.contracts import AuditRecord, Commit, Json
from ai_assistant.errors import AssistantError, ConfigurationError
from ai_assistant.identity import ASSISTANT_TAG, CATEGORY, entity_id, is_assistant
from ai_assistant.memory import PARTS
from ai_assistant.service import SERVICE
from ai_assistant.storage import AttributeStore, read_block, write_block
from ai_assistant.typeclasses import SCRIPT_KEY, AssistantMixin

SCRIPT = "ai_assistant.scripts.AssistantScript"


def create_assistant(
    name: str,
    *,
    location: Any,
    persona: Json | None = None,
    desc: str = "",
    config: Mapping[str, Any] | None = None,
) -> Any:
    """Create a character with a mind in a room, and start it.

    Args:
        name: The character's key.
        location: The room it is in, which becomes its home.
        persona: Who it is: name, role, personality, interests, home_location, and optionally
            greeting, sayings and lore (see the README).
        desc: What people see who look at it.
        config: What differs from the defaults of `agent.config.OPTIONS`.

    Returns:
        The new character (an Evennia object).

    Raises:
        ConfigurationError: `config` or the game's settings cannot be used; nothing was created.
    """
    checked = check_all(config or {})
    typeclass = _typeclass()
    character = create_object(typeclass, key=name, location=location, home=location)
    character.db.desc = desc or f"This is {name}."
    _give_mind(character, persona, checked)
    return character


def adopt(obj: Any, *, persona: Json | None = None, config: Mapping[str, Any] | None = None) -> Any:
    """Give a character that exists a mind, keeping all it is and has; returns it.

    Its typeclass stays where it uses `AssistantMixin`, else it becomes
    ``AI_ASSISTANT_TYPECLASS``. Raises `AssistantError` for a room, an exit, a player's character
    or an assistant.
    """
    checked = check_all(config or {})
    if is_assistant(obj) and obj.scripts.get(SCRIPT_KEY):
        raise AssistantError(f"{obj.key} is an assistant already.")
    if isinstance(obj, DefaultRoom | DefaultExit):
        raise AssistantError(f"{obj.key} is a {obj.__class__.__name__.lower()}: adopt a character.")
    if obj.account or obj.sessions.count() or obj.is_superuser:
        raise AssistantError(f"{obj.key} belongs to a player: players keep their own minds.")
    if not isinstance(obj, AssistantMixin):
        obj.swap_typeclass(_typeclass(), clean_attributes=False, run_start_hooks=None)
        obj = ObjectDB.objects.get(pk=obj.pk)
    _give_mind(obj, persona or {"name": obj.key, "role": obj.db.desc or ""}, checked)
    return obj


def _typeclass() -> type:
    path = conf.settings.TYPECLASS
    found = class_from_module(path)
    if not issubclass(found, AssistantMixin):
        raise ConfigurationError(f"AI_ASSISTANT_TYPECLASS: {path} must use AssistantMixin.")
    return found


def _give_mind(character: Any, persona: Json | None, config: Json) -> None:
    character.tags.add(ASSISTANT_TAG, category=CATEGORY)
    write_persona(character, persona or {"name": character.key})
    script = create_script(SCRIPT, key=SCRIPT_KEY, obj=character, autostart=False)
    script.attributes.add(CONFIG_KEY, config)
    record(character, "AssistantCreated", {"name": character.key, "config": config})
    script.start(interval=script.heartbeat)
    for channel in config.get("channels", {}):
        join_channel(character, channel)


def write_persona(character: Any, persona: Json) -> None:
    """Replace the persona block; the running mind has it from its next turn on."""
    own_id = entity_id(character)
    block = read_block(PERSONA, own_id)
    write_block(PERSONA, own_id, persona, block.version)
    resident = SERVICE.residents.get(own_id)
    if resident is not None:
        resident.mind.persona = persona


def read_persona(character: Any) -> Json:
    """Return the persona block of an assistant."""
    return read_block(PERSONA, entity_id(character)).value or {"name": character.key}


def join_channel(character: Any, name: str) -> None:
    """Subscribe to a channel. Raises `ConfigurationError` where it is not there or locked."""
    found = ChannelDB.objects.get_channel(name)
    if found is None or not found.access(character, "listen"):
        raise ConfigurationError(f"There is no channel '{name}' that {character.key} may hear.")
    if not found.subscriptions.has(character):
        found.connect(character)


def start(character: Any) -> None:
    """Let a stopped assistant live again. Raises `ConfigurationError` where it cannot."""
    script = character.assistant_script
    script.db.enabled = True
    script.start(interval=script.heartbeat)
    SERVICE.register(character, script)


def stop(character: Any) -> None:
    """Silence an assistant until it is started again; what waits for an answer is closed."""
    character.assistant_script.db.enabled = False
    SERVICE.unregister(entity_id(character), "stopped")


def delete(character: Any) -> None:
    """Delete an assistant with its memory; its audit log stays."""
    own_id = entity_id(character)
    script = character.assistant_script
    SERVICE.unregister(own_id, "deleted")
    at = time.time()
    farewell = AuditRecord("AssistantArchived", {"name": character.key}, at=at)
    AttributeStore(character, script, own_id, PARTS).delete_everything(farewell, at)
    character.delete()


def configure(character: Any, key: str, text: str) -> Any:
    """Set one configuration key from what a person typed; returns the value.

    Raises `ConfigurationError` saying what would fit; nothing is changed then.
    """
    value = find_option(key).parse(key, text)
    script = character.assistant_script
    values = dict(script.config.values)
    if key == "channels":
        for name in value:
            join_channel(character, name)
    if key == "llm_profile" and value and value not in SERVICE.shared.profiles:
        known = ", ".join(SERVICE.shared.profiles)
        raise ConfigurationError(f"There is no model profile '{value}'. There are: {known}.")
    old = script.config[key]
    values[key] = value
    script.attributes.add(CONFIG_KEY, values)
    record(character, "ConfigurationChanged", {"key": key, "old_value": old, "new_value": value})
    _apply(character, script, key)
    return value


def _apply(character: Any, script: Any, key: str) -> None:
    resident = SERVICE.residents.get(entity_id(character))
    if resident is not None:
        resident.mind.config = Config(dict(script.config.values))
        set_own_caps(resident.id, resident.mind.config)
    if key in ("tick_rate", "tick_rate_sleep"):
        script.restart_heartbeat()


def record(character: Any, type: str, data: Json) -> None:
    """Write an entry of the audit log about an assistant."""
    script = character.assistant_script
    store = AttributeStore(character, script, entity_id(character), PARTS)
    at = time.time()
    store.commit(Commit(at=at, audit=[AuditRecord(type, data, at=at)]))


def all_assistants() -> list[Any]:
    """Return every character with a mind, by name."""
    found = ObjectDB.objects.get_by_tag(ASSISTANT_TAG, category=CATEGORY)
    return sorted(found, key=lambda one: one.key.lower())
