"""``evennia ai_remove``: let all characters go, so that the app can be taken out of the game."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import evennia
from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

evennia._init()  # only the server does so by itself; its classes are not there before

from evennia.prototypes.prototypes import delete_prototype, search_prototype  # noqa: E402
from evennia.typeclasses.attributes import Attribute  # noqa: E402
from evennia.typeclasses.tags import Tag  # noqa: E402

from ai_assistant.agent.attention.tenure import refuse_running  # noqa: E402
from ai_assistant.api.lifecycle import adopt, all_assistants  # noqa: E402
from ai_assistant.api.release import former_life, release, resting_bodies  # noqa: E402
from ai_assistant.core.errors import AssistantError  # noqa: E402
from ai_assistant.core.text import counted  # noqa: E402
from ai_assistant.game.identity import CATEGORY  # noqa: E402
from ai_assistant.storage.server_lease import LeaseRow  # noqa: E402

_FOLDERS = ("server/conf", "commands", "typeclasses", "world", "web")
"""Where the code of a game is."""
_OURS = ("ai_assistant", "AI_ASSISTANT_")


class Command(BaseCommand):
    """Releases every assistant; without a choice it only says what would happen."""

    help = (
        "Give every assistant its old life back, so that the app can be taken out of the game; "
        "then say which lines of the game's code to delete. Run it while the game is down."
    )

    stealth_options = ("pause",)

    def add_arguments(self, parser: CommandParser) -> None:
        """Take one of three choices."""
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument(
            "--keep", action="store_true", help="minds rest in the database until --undo"
        )
        choice.add_argument(
            "--forget", action="store_true", help="minds go, and all tables of the app with them"
        )
        choice.add_argument("--undo", action="store_true", help="wake all minds that rest")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what was chosen, and say what to do next."""
        if not any(options[choice] for choice in ("keep", "forget", "undo")):
            self._plan()
            return
        try:
            refuse_running(LeaseRow(), self.stdout.write, options.get("pause", time.sleep))
        except AssistantError as error:
            raise CommandError(str(error)) from error
        if options["undo"]:
            self._each(resting_bodies(), "wakes", lambda body: adopt(body).typeclass_path)
        else:
            self._remove(forget=options["forget"])

    def _plan(self) -> None:
        paths = Counter(former_life(body).path for body in all_assistants())
        for path, count in paths.items():
            self.stdout.write(f"{count} would become {path}")
        self.stdout.write(f"At rest: {counted(len(resting_bodies()), 'mind')}.")
        self._tell_lines()
        self.stdout.write("Nothing was changed: choose --keep, --forget or --undo.")

    def _remove(self, *, forget: bool) -> None:
        if forget:
            for body in resting_bodies():
                adopt(body)
        failed = self._each(
            all_assistants(), "is", lambda body: release(body, keep=not forget, by="ai_remove")
        )
        for prototype in search_prototype(tags=[CATEGORY]):
            delete_prototype(prototype["prototype_key"])
            self.stdout.write(f"The prototype {prototype['prototype_key']} is deleted.")
        if failed:
            raise CommandError(f"{failed} were not released; see above. Nothing else was done.")
        if forget:
            _leave_nothing()
        self._tell_lines()
        back = "" if forget else ", and ai_remove --undo once the app is back wakes them"
        told = "Their minds and the app's tables are deleted" if forget else "Their minds rest"
        self.stdout.write(self.style.SUCCESS(f"{told}{back}."))

    def _each(self, bodies: Iterable[Any], verb: str, act: Any) -> int:
        """Do something with each; returns with how many it failed."""
        failed = 0
        for body in bodies:
            try:
                self.stdout.write(f"{body.key} ({body.dbref}) {verb} {act(body)}")
            except AssistantError as error:
                failed += 1
                self.stdout.write(self.style.ERROR(f"{body.key} ({body.dbref}): {error}"))
        return failed

    def _tell_lines(self) -> None:
        """Say which lines of the game's code name the app."""
        lines = [*_lines(Path(settings.GAME_DIR))]
        if lines:
            self.stdout.write("Delete what these lines of your game are about, then start it:")
        for line in lines:
            self.stdout.write(f"  {line}")


def _leave_nothing() -> None:
    """Drop the tables of the app, and delete the marks that it left on things and accounts."""
    with connection.schema_editor() as editor:
        for model in reversed(list(apps.get_app_config("ai_assistant").get_models())):
            editor.delete_model(model)
    MigrationRecorder(connection).migration_qs.filter(app="ai_assistant").delete()
    ContentType.objects.filter(app_label="ai_assistant").delete()
    for mark in (Attribute, Tag):
        mark.objects.filter(db_category=CATEGORY).delete()


def _lines(game: Path) -> Iterator[str]:
    for path in sorted(path for folder in _FOLDERS for path in (game / folder).rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
            if any(word in line for word in _OURS):
                yield f"{path.relative_to(game)}:{number}: {line.strip()}"
