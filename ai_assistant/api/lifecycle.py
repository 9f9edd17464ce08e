"""The life of an assistant: create, adopt, start, stop, configure, delete, list all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from evennia import create_object, create_script
from evennia.accounts.models import AccountDB
from evennia.comms.models import ChannelDB
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultCharacter, DefaultExit, DefaultRoom
from evennia.utils.utils import class_from_module

from ai_assistant import conf
from ai_assistant.agent.config import CONFIG, Config, check_all, find_option
from ai_assistant.api.blocks.persona_block import read_persona, write_persona
from ai_assistant.api.handlers import record_audit
from ai_assistant.api.handlers.handler_base import change
from ai_assistant.api.model_setup import refuse_keys
from ai_assistant.api.release import bring_back, note_former_life
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import AssistantError, ConfigurationError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import (
    ASSISTANT_TAG,
    CATEGORY,
    SCRIPT_KEY,
    bearing_our_tag,
    entity_id,
    is_assistant,
    name_of,
    unstyled,
)
from ai_assistant.runtime.means import set_own_caps
from ai_assistant.runtime.named_by_settings import overrides_of, stores_for
from ai_assistant.runtime.service import SERVICE

SCRIPT = "ai_assistant.scripts.AssistantScript"


def create_assistant(
    name: str,
    *,
    location: Any,
    persona: Json | None = None,
    desc: str = "",
    config: Mapping[str, Any] | None = None,
    by: str = "",
) -> Any:
    """Create a character with a mind in a room, and start it.

    Args:
        name: The character's key.
        location: The room it is in, which becomes its home.
        persona: Who it is: name, role, personality, interests, greeting … (see the README).
        desc: What people see who look at it.
        config: What differs from the defaults of `agent.config.OPTIONS`.
        by: Who of staff does it, for the record.

    Returns the new character (an Evennia object). Raises `AssistantError`, and nothing is created,
    where `config`, `persona` or the game's settings cannot be used.
    """
    checked = checked_config(config)
    character = create_object(assistant_class(), key=name, location=location, home=location)
    character.db.desc = desc or f"This is {name}."
    try:
        write_persona(character, persona or {"name": name}, expected_version=0)
        join_channels(character, checked.get("channels", {}))
        return let_live(character, checked, by=by)
    except AssistantError:
        character.delete()
        raise


def adopt(
    obj: Any,
    *,
    persona: Json | None = None,
    config: Mapping[str, Any] | None = None,
    by: str = "",
) -> Any:
    """Give a character that exists a mind, keeping all it is and has; returns it.

    Its typeclass stays where it uses `AssistantMixin`, else it is ``AI_ASSISTANT_TYPECLASS``. One
    that was an assistant before gets its own mind back; `release` takes it away. Raises
    `AssistantError` for a room, an exit, a player's character or an assistant.
    """
    checked = checked_config(config)
    if is_assistant(obj) and obj.scripts.get(SCRIPT_KEY):
        raise AssistantError(f"{obj.key} is an assistant already.")
    if isinstance(obj, DefaultRoom | DefaultExit):
        raise AssistantError(f"{obj.key} is a {obj.__class__.__name__.lower()}: adopt a character.")
    if _is_played(obj):
        raise AssistantError(f"{obj.key} belongs to a player: players keep their own minds.")
    typeclass = type(obj) if getattr(obj, "bears_mind", False) else assistant_class()
    known = read_persona(obj)
    role = {} if len(known.value) > 1 else {"role": clean(unstyled(obj.db.desc or ""), 300)}
    write_persona(obj, persona or known.value | role, expected_version=known.version)
    note_former_life(obj)
    join_channels(obj, checked.get("channels", {}))
    if typeclass is not type(obj):
        obj.swap_typeclass(typeclass, clean_attributes=False, run_start_hooks=None)
    return let_live(obj, checked, by=by)


def _is_played(obj: Any) -> bool:
    """Is it a player's character, in the game or not? What staff built and never played is not."""
    if obj.account or obj.sessions.count():
        return True
    owners = re.findall(r"\bpid\((\d+)\)", obj.locks.get("puppet"))
    return any(
        not (owner.is_superuser or owner.check_permstring("Builder"))
        or owner.db._last_puppet == obj
        or obj.attributes.has("prelogout_location")
        for owner in AccountDB.objects.filter(pk__in=owners)
    )


def assistant_class() -> type:
    """Return the class of new assistants. Raises `ConfigurationError` where it cannot be used."""
    path = conf.settings.TYPECLASS
    try:
        found = class_from_module(path)
    except ImportError as error:
        raise ConfigurationError(f"AI_ASSISTANT_TYPECLASS: there is no {path}.") from error
    if not (isinstance(found, type) and getattr(found, "bears_mind", False)):
        raise ConfigurationError(f"AI_ASSISTANT_TYPECLASS: {path} must use AssistantMixin.")
    return found


def checked_config(config: Mapping[str, Any] | None) -> Json:
    """Return a configuration, its channels by proper name. Raises `ConfigurationError` if unfit."""
    checked = check_all(config or {})
    if "channels" in checked:
        checked["channels"] = _proper_names(checked["channels"])
    return checked


def make_script(character: Any, config: Json, *, by: str = "") -> None:
    """Give a character a mind with a configuration that fits, which begins by `let_live`."""
    script = bring_back(character, SCRIPT)
    if script is None:
        script = create_script(SCRIPT, key=SCRIPT_KEY, obj=character, autostart=False)
    told = {"name": character.key, "config": config}
    change(character, [_setting(config)] if config else [], ("AssistantCreated", told), by=by)


def let_live(character: Any, config: Json, *, by: str = "") -> Any:
    """Let a character live as an assistant, with this mind where it has none; returns it."""
    character.tags.add(ASSISTANT_TAG, category=CATEGORY)
    script = character.assistant_script
    if script is None or script.typeclass_path != SCRIPT:
        make_script(character, config, by=by)
    character.assistant_script.restart_heartbeat()
    return character


def _proper_names(channels: Mapping[str, str]) -> dict[str, str]:
    """Return the same with the names that the channels have; raises where there is no such."""
    proper = {}
    for name, mode in channels.items():
        found = ChannelDB.objects.get_channel(name)
        if found is None:
            raise ConfigurationError(f"There is no channel '{clean(name, 60)}'.")
        proper[name_of(found)] = mode
    return proper


def join_channels(
    character: Any, channels: Mapping[str, str], before: Mapping[str, str] | None = None
) -> None:
    """Subscribe to the channels that are not off, and leave those of `before` that are not here.

    Raises `ConfigurationError` where a channel does not let it listen; nothing was joined then.
    """
    wanted = [ChannelDB.objects.get_channel(it) for it, mode in channels.items() if mode != "off"]
    for channel in wanted:
        if not channel.access(character, "listen") or character in channel.banlist:
            raise ConfigurationError(f"{character.key} may not listen to {name_of(channel)}.")
    for channel in filter(None, map(ChannelDB.objects.get_channel, before or {})):
        if channel not in wanted and channel.subscriptions.has(character):
            channel.disconnect(character)
    for channel in wanted:
        if not channel.subscriptions.has(character):
            channel.connect(character)


def start(character: Any, *, by: str = "") -> None:
    """Start a stopped assistant. Raises `AssistantError` if script or configuration are amiss."""
    script = script_of(character)
    check_all(script.config.values)
    _enable(character, script, is_on=True, by=by)
    script.restart_heartbeat()
    if SERVICE.in_server():
        SERVICE.register(character, script)


def stop(character: Any, *, by: str = "") -> None:
    """Stop an assistant until it is started again; events that wait are closed."""
    _enable(character, script_of(character), is_on=False, by=by)
    SERVICE.unregister(entity_id(character), "stopped")


def _enable(character: Any, script: Any, *, is_on: bool, by: str) -> None:
    told = "AssistantStarted" if is_on else "AssistantStopped"
    with transaction.atomic():
        record_audit(character, told, {"by": by})
        script.db.enabled = is_on


def delete(character: Any, *, by: str = "") -> None:
    """Delete an assistant, not its audit log. Raises `AssistantError` if the game forbids it."""
    character.ndb.deleted_by = by  # for the hook, which the game's own commands reach without us
    if not character.delete():
        raise AssistantError(f"{character.key} cannot be deleted: the game forbids it.")


def script_of(character: Any) -> Any:
    """Return the script of an assistant; raises `AssistantError` where somebody deleted it."""
    resident = SERVICE.residents.get(entity_id(character))
    script = resident.script if resident else character.assistant_script
    if script is None:
        raise AssistantError(f"{character.key} has lost its script. Adopt it to give it a new one.")
    return script


def configure(character: Any, key: str, text: str, *, by: str = "") -> Any:
    """Set one key from what a person typed; ``default`` takes back what was set, and in quotes is
    a value. `by` is who did it, for the record. Returns the value; raises `ConfigurationError`
    saying what would fit.
    """
    refuse_keys(text)
    option, script = find_option(key), script_of(character)
    values = dict(script.config.values)
    old = values.pop(key, option.default)
    if text.strip().lower() != "default":
        values[key] = _fitting(key, option.parse(key, text.replace('"default"', "default")))
    new = values.get(key, option.default)
    if key == "channels":
        join_channels(character, new, before=old)
    told = {"key": key, "old_value": old, "new_value": new, "by": by}
    change(character, [_setting(values)], ("ConfigurationChanged", told))
    _apply(character, script, key)
    return new


def _setting(values: Json) -> Change:
    return Change(CONFIG.name, "", "overwrite", {"value": values})


def known_values(key: str) -> list[str]:
    """Return what an option takes of what only the game knows; nothing for all others."""
    shared = SERVICE.shared
    if key == "llm_profile":
        return ["", *shared.profiles]
    if key == "memory_role":
        return [*shared.policy.roles]
    return [*shared.registry] if key == "disabled_tools" else []


def _fitting(key: str, value: Any) -> Any:
    """Check an option whose valid values only the game knows."""
    if key == "channels":
        return _proper_names(value)
    if key == "user_entity":
        name = clean(value, 60)
        found = ObjectDB.objects.filter(db_key__iexact=name)
        named = [thing for thing in found if isinstance(thing, DefaultCharacter)]
        return f"{name_of(named[0])} {entity_id(named[0])}" if len(named) == 1 else name
    known = known_values(key)
    for name in value if isinstance(value, list) else [value]:
        if known and name not in known:
            names = ", ".join(filter(None, known))
            raise ConfigurationError(f"There is no '{clean(name, 60)}'; {key} takes: {names}.")
    return value


def _apply(character: Any, script: Any, key: str) -> None:
    resident = SERVICE.residents.get(entity_id(character))
    if resident is not None:
        config = Config(dict(script.config.values))
        resident.mind.config = config
        role = SERVICE.shared.policy.effective(config["memory_role"], overrides_of(config))
        resident.mind.role = role
        resident.mind.store.elsewhere.stores = stores_for(resident.id, role)
        set_own_caps(resident.id, resident.mind.config)
    if key in ("tick_rate", "tick_rate_sleep"):
        script.restart_heartbeat()


def all_assistants() -> list[Any]:
    """Return every character with a mind, by name; not those that were given another typeclass."""
    minds = (body for body in bearing_our_tag() if getattr(body, "bears_mind", False))
    return sorted(minds, key=lambda character: character.key.lower())
