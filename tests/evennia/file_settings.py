"""The settings of tests that need a database in a file, as a game has one."""

import os

from server.conf.test_settings import *

DATABASES["default"]["NAME"] = os.environ["WRITERS_DATABASE"]
DATABASES["default"]["OPTIONS"] = {"timeout": 60}


class _Tables(dict):
    """Says of every app that it has no migrations: its tables are made directly, which is quick."""

    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None


MIGRATION_MODULES = _Tables()
