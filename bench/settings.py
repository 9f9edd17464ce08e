"""The settings of the benches: the demo game on a database and logs that end with the bench."""

import json
import os

from server.conf.settings import *
from server.conf.test_settings import MIGRATION_MODULES as NO_MIGRATIONS

BENCH_FOLDER = os.environ["AI_ASSISTANT_BENCH_FOLDER"]
DATABASES["default"]["NAME"] = f"{BENCH_FOLDER}/bench.db3"
DATABASES |= json.loads(os.environ.get("AI_ASSISTANT_BENCH_DATABASES", "{}"))
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # else queues need functions of migrations
    MIGRATION_MODULES = NO_MIGRATIONS
BENCH_WORKER = os.environ.get("AI_ASSISTANT_BENCH_WORKER", "")
AI_ASSISTANT_WORKERS = bool(BENCH_WORKER)
LOG_DIR = BENCH_FOLDER
SECRET_KEY = "only for benches"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # 400 accounts are made

_MODEL = os.environ["AI_ASSISTANT_BENCH_MODEL"]
AI_ASSISTANT_TYPECLASS = "bench.people.Listener"
if _MODEL:  # else the offline model speaks
    AI_ASSISTANT_LLM = {
        "default": {
            "base_url": f"{_MODEL}/v1",
            "model": "bench",
            "native_tools": True,
            "headers": {"X-Worker": BENCH_WORKER} if BENCH_WORKER else {},
        }
    }
LLM_HOST = _MODEL
LLM_PATH = "/api/v1/generate"
AI_ASSISTANT_LINES_PER_MINUTE = AI_ASSISTANT_ADDRESS_LINES_PER_MINUTE = 0  # few speak for many
AI_ASSISTANT_LINES_PER_DAY, AI_ASSISTANT_PLAYER_SHARE = 0, 1.0
