"""Release: a character gets back the life it had before it had a mind, which rests or goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings as django_settings
from evennia.comms.models import ChannelDB
from evennia.objects.models import ObjectDB
from evennia.utils.utils import class_from_module

from ai_assistant.api.handlers import forget_everything, record_audit
from ai_assistant.api.handlers.handler_base import leave_channels
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import (
    ASSISTANT_TAG,
    CATEGORY,
    entity_id,
    has_tag,
    is_assistant,
    name_of,
)
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import bodies_of, npc_id

FORMER_LIFE = "ai_former_life"
"""The Attribute that keeps what adopting changes, and whether a mind rests."""
RESTS = "rests"
PLAIN_SCRIPT = "evennia.scripts.scripts.DefaultScript"
"""The class of the script of a mind that rests: it never beats, and needs none of ours."""


@dataclass(frozen=True, slots=True)
class FormerLife:
    """What a character becomes without its mind."""

    path: str
    """Of the class that it gets."""
    channels: tuple[int, ...] = ()
    """The ids of those that it was in."""
    is_known: bool = False
    """Was it adopted? Else it becomes what the game's usual characters are."""


def note_former_life(obj: Any) -> None:
    """Keep what a character is that is about to be adopted, beside a mind that rests."""
    if not is_assistant(obj):
        channels = [channel.pk for channel in ChannelDB.objects.get_subscriptions(obj)]
        note = {**_kept(obj), "typeclass": obj.typeclass_path, "channels": channels}
        obj.attributes.add(FORMER_LIFE, note, category=CATEGORY)


def former_life(character: Any) -> FormerLife:
    """Return what an assistant becomes when it is released."""
    kept = _kept(character)
    path = kept.get("typeclass", "")
    if not path or path.startswith("ai_assistant."):
        return FormerLife(django_settings.BASE_CHARACTER_TYPECLASS)
    return FormerLife(path, tuple(kept["channels"]), is_known=True)


def resting(obj: Any) -> bool:
    """Has this character a mind that rests, and that adoption would wake?"""
    return not is_assistant(obj) and RESTS in _kept(obj)


def resting_bodies() -> list[Any]:
    """Return whoever has a mind that rests, or is an assistant by all but the typeclass."""
    objects = ObjectDB.objects
    kept = objects.filter(db_attributes__db_key=FORMER_LIFE, db_attributes__db_category=CATEGORY)
    marked = objects.get_by_tag(ASSISTANT_TAG, category=CATEGORY)
    found = sorted({*kept, *marked}, key=lambda body: body.pk)  # two queries, each by an index
    left = (body for body in found if not is_assistant(body))
    return [body for body in left if has_tag(body, ASSISTANT_TAG) or resting(body)]


def bring_back(character: Any, path: str) -> Any:
    """Let the mind of a character rest no more; returns its script, now of this class, if any."""
    kept = _kept(character)
    if kept.pop(RESTS, False):
        character.attributes.add(FORMER_LIFE, kept, category=CATEGORY)
    script = character.assistant_script
    if script is not None:
        _as_script_of(script, path)
    return script


def release(character: Any, *, keep: bool, by: str) -> str:
    """Let an assistant be a character without a mind again; returns the path of its typeclass.

    Typeclass and channels are as before it was adopted; the place, what it carries, locks, command
    sets and the game's own scripts are left as they are. With `keep` the mind rests, and `adopt`
    wakes it with all it remembers; else it is deleted. `by` says who decided so, for the audit log.
    Each write is one of its own: where a crash breaks it off, it (or first `adopt`) is done again.
    Raises `AssistantError` where the typeclass cannot be imported any more, a mind that several
    bodies share would rest with the first of them, or it cannot be put on record; nothing is
    changed then.
    """
    life, script = former_life(character), character.assistant_script
    typeclass = _importable(character, life.path)
    if keep and npc_id(character) == entity_id(character) and len(_bodies(character)) > 1:
        others = ", ".join(map(name_of, _bodies(character)[1:]))
        raise AssistantError(f"{others} shares this mind: let it part ways, or delete the mind.")
    record_audit(character, "AssistantReleased", {"keep": keep, "by": by, "typeclass": life.path})
    SERVICE.unregister(entity_id(character), "released")
    if keep:
        leave_channels(character, but=life.channels)
        note = {"typeclass": life.path, "channels": list(life.channels), RESTS: True}
        character.attributes.add(FORMER_LIFE, note, category=CATEGORY)
        if script is not None:
            script.stop()
            _as_script_of(script, PLAIN_SCRIPT)
    else:
        forget_everything(character, reason="released", by=by, stays_in=life.channels)
        if script is not None:
            script.delete()
    if typeclass is not type(character):
        character.swap_typeclass(typeclass, clean_attributes=False, run_start_hooks=None)
        character.at_init()
    character.tags.remove(ASSISTANT_TAG, category=CATEGORY)
    if not keep:
        character.attributes.remove(FORMER_LIFE, category=CATEGORY)
    return life.path


def _kept(obj: Any) -> Json:
    found = obj.attributes.get(FORMER_LIFE, category=CATEGORY)
    return found.deserialize() if found else {}


def _importable(character: Any, path: str) -> type:
    try:
        found: type = class_from_module(path)
    except ImportError as error:
        raise AssistantError(
            f"{name_of(character)} was a {path} before, which cannot be imported any more."
        ) from error
    return found


def _bodies(character: Any) -> Sequence[Any]:
    return bodies_of(npc_id(character))


def _as_script_of(script: Any, path: str) -> None:
    """Let a script that does not beat be of another class, with all that it holds."""
    script.interval = 0  # else Evennia refuses
    script.swap_typeclass(path, run_start_hooks=None)
