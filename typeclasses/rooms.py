"""Places."""

from evennia.objects.objects import DefaultRoom

from ai_assistant.api.scene_listeners import SceneRoomMixin
from typeclasses.objects import ObjectParent


class Room(SceneRoomMixin, ObjectParent, DefaultRoom):
    """A place."""
