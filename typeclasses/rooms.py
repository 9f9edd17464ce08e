"""Places."""

from evennia.objects.objects import DefaultRoom

from ai_assistant import SceneRoomMixin
from typeclasses.objects import ObjectParent


class Room(SceneRoomMixin, ObjectParent, DefaultRoom):
    """A place."""
