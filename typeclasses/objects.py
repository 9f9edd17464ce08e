"""Things, and what everything with a place in the world has in common."""

from evennia.objects.objects import DefaultObject


class ObjectParent:
    """Comes before Evennia's class in objects, characters, rooms and exits alike."""


class Object(ObjectParent, DefaultObject):
    """A thing."""
