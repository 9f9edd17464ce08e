"""The Django app. Loading it starts nothing: the service starts with the first assistant."""

from pathlib import Path

from django.apps import AppConfig


class AiAssistantConfig(AppConfig):
    """What a game adds to its INSTALLED_APPS as ``ai_assistant``."""

    name = "ai_assistant"
    label = "ai_assistant"
    verbose_name = "AI assistants"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self):
        """Connect to the signals of Django and Evennia, and to Django's checks.

        So every SQLite connection overwrites what it deletes, none is carried through a fork, a
        scene follows its players whatever moved them, and the map follows its landmarks.
        """
        from django.conf import settings
        from django.core import checks
        from django.db.backends.signals import connection_created
        from django.db.models.signals import post_save, pre_delete
        from evennia.server.signals import (
            SIGNAL_OBJECT_POST_PUPPET,
            SIGNAL_OBJECT_POST_UNPUPPET,
        )

        from ai_assistant.storage import erasure, gateway

        checks.register(_settings)
        connection_created.connect(erasure.secure, dispatch_uid="ai_assistant.secure")
        connection_created.connect(gateway.prepare, dispatch_uid="ai_assistant.prepare")
        gateway.leave_nothing_to_children()
        erasure.secure_all()
        _join_the_site(settings.TEMPLATES)
        post_save.connect(_saved, dispatch_uid="ai_assistant.saved")
        pre_delete.connect(_deleted, dispatch_uid="ai_assistant.deleted")
        SIGNAL_OBJECT_POST_PUPPET.connect(_entered, dispatch_uid="ai_assistant.entered")
        SIGNAL_OBJECT_POST_UNPUPPET.connect(_left, dispatch_uid="ai_assistant.left")


def _settings(**_):
    """Return what cannot be used of the settings; warnings, since the game starts all the same."""
    from django.core.checks import Warning as Wrong

    from ai_assistant import conf
    from ai_assistant.game.stored_profiles import known_profiles

    wrong = conf.settings.wrong()
    wrong += [row.state for row in known_profiles(kept=False) if row.profile is None]
    return [Wrong(problem, id="ai_assistant.W001") for problem in wrong]


def _join_the_site(engines):
    """Let the site's menu, and the front page of its admin, link to our pages.

    Templates of ours extend those of the same name, the game's own or Evennia's.
    """
    for engine in engines:
        if engine["BACKEND"] == "django.template.backends.django.DjangoTemplates":
            engine["DIRS"] = [Path(__file__).parent / "site", *engine.get("DIRS", ())]
            libraries = engine.setdefault("OPTIONS", {}).setdefault("libraries", {})
            libraries["ai_pages"] = "ai_assistant.web.tags"


def _saved(instance, update_fields=None, **_):
    if update_fields and "db_location" in update_fields:
        from ai_assistant.api.scene_listeners import follow_player

        follow_player(instance)

    elif update_fields and "db_key" in update_fields:
        _on_the_map(instance, "note_place")


def _deleted(instance, **_):
    _on_the_map(instance, "drop_place")


def _on_the_map(instance, step):
    """Let the map follow a room that got another name or goes, whatever may go wrong with it."""
    if hasattr(instance, "db_location"):
        from ai_assistant.api.blocks import world_knowledge
        from ai_assistant.game.log import surviving

        with surviving(f"the map of {instance.db_key}"):
            getattr(world_knowledge, step)(instance)


def _entered(sender, account, **_):
    from ai_assistant.api.scene_listeners import follow_player

    follow_player(sender)
    if sender.sessions.count() == 1:
        _show_login(sender, account, "arrives")


def _left(sender, account, **_):
    if not sender.sessions.count():
        _show_login(sender, account, "leaves")


def _show_login(player, account, does):
    from ai_assistant.game.consent import has_opted_out
    from ai_assistant.game.log import surviving
    from ai_assistant.game.perception import show_login

    with surviving(f"what is seen of {player.db_key}"):
        if not has_opted_out(account):  # whoever left is not the body's account any more
            # Evennia takes whoever left out of the room, and notes where that was.
            show_login(player, player.location or player.db.prelogout_location, does)
