"""The settings of the tests: the demo game with a database in memory and quick passwords.

`python -m tests.e2e.postgres` names another database.
"""

import json
import os

from server.conf.settings import *

DATABASES["default"]["NAME"] = ":memory:"
DATABASES |= json.loads(os.environ.get("AI_ASSISTANT_TEST_DATABASES", "{}"))
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
SECRET_KEY = "only for tests"
TEST_ENVIRONMENT = True
CMDSET_CHARACTER = "tests.evennia.stage.BodyCmdSet"
CMDSET_ACCOUNT = "tests.evennia.stage.AccountCmdSet"
AI_ASSISTANT_LLM = {}  # the suite asks no model that its owner has set for the village


class _Tables(dict):
    """Says of every app that it has no migrations: its tables are made directly, which is quick;
    they have a test of their own."""

    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None


MIGRATION_MODULES = _Tables()
