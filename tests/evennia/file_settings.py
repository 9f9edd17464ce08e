"""The settings of tests that need a database in a file, as a game has one."""

import os

from server.conf.test_settings import *

DATABASES["default"]["NAME"] = os.environ["WRITERS_DATABASE"]
DATABASES["default"]["OPTIONS"] = {"timeout": 60}
