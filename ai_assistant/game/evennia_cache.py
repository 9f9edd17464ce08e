"""What Evennia keeps in memory of the database, where another process may have written since."""

from __future__ import annotations

from django.apps import apps
from evennia.utils.idmapper.models import SharedMemoryModel


def read_anew(*, force: bool = False) -> None:
    """Let Evennia read each object anew when it is next looked at.

    Those with something that no database holds, such as a session, stay and let go of what they
    read; with `force` they go as well, which only a process without sessions may ask for.
    Evennia's own `flush_cache` adds a full round of garbage, which grows with all memories.
    """
    for model in apps.get_models():
        if issubclass(model, SharedMemoryModel) and not model._meta.proxy:
            model.flush_instance_cache(force)
