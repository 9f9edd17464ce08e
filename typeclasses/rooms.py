"""Places."""

from evennia.objects.objects import DefaultRoom

from typeclasses.objects import ObjectParent


class Room(ObjectParent, DefaultRoom):
    """A place."""
