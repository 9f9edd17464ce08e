"""The bodies that players wear; the people who think are `ai_assistant`'s AssistantCharacter."""

from evennia.objects.objects import DefaultCharacter

from ai_assistant import SceneParticipantMixin
from typeclasses.objects import ObjectParent


class Character(SceneParticipantMixin, ObjectParent, DefaultCharacter):
    """A player's character."""
