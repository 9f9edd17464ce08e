"""What a stranger meets first: `make play` and `make stop`, when all is well and when not."""

import ast
import os
import pty
import select
import socket
import sqlite3
import stat
import subprocess
import sys
import time
import venv
from pathlib import Path

import pip
import pytest

from server import bootstrap, process
from server.bootstrap import Trouble
from server.local import Local
from server.visit import CAPTAIN, TANSY, WELCOME
from tests.e2e.harness import PATIENCE, ROOT, copy_village, free_base

OURS = ("AI_ASSISTANT", "EVENNIA", "MAKE", "MFLAGS")
"""Beginnings of what the environment may hold because the tests themselves run under make."""

DOUBLES = """
    SELECT count(*) - count(DISTINCT tag.id) FROM objects_objectdb_db_tags AS held
    JOIN typeclasses_tag AS tag ON tag.id = held.tag_id WHERE tag.db_category = 'village'
"""
"""How many things of the village exist more than once: each carries a tag of its own."""


class Clone:
    """A copy of the repository and what `make` says in it; nothing is installed for it."""

    def __init__(self, folder):
        self.root = copy_village(folder)
        self.base = free_base()
        self.env = {name: text for name, text in os.environ.items() if not name.startswith(OURS)}
        self.env |= {
            "AI_ASSISTANT_PYTHON": sys.executable,
            "AI_ASSISTANT_PORT_BASE": str(self.base),
        }

    def make(self, target, **env):
        """Run a target without a terminal; returns the finished process."""
        return subprocess.run(
            ["make", target],
            cwd=self.root,
            env={**self.env, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )

    def count(self, query):
        """Return the one number a query gives."""
        with sqlite3.connect(self.root / "server" / "evennia.db3") as connection:
            return connection.execute(query).fetchone()[0]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy in which `make play` has run once; `clone.first` is what came of it."""
    clone = Clone(tmp_path_factory.mktemp("clone"))
    clone.first = clone.make("play")
    yield clone
    clone.make("stop")


def test_make_play_holds_a_conversation(clone):
    """Without a terminal it starts the game, talks to both characters, prints it and says so."""
    assert clone.first.returncode == 0, clone.first.stdout + clone.first.stderr
    for name in (TANSY, CAPTAIN):
        assert f"\n  {name}" in clone.first.stdout
    assert f"localhost {clone.base}" in clone.first.stdout
    assert clone.first.stdout.rstrip().endswith("`make stop` ends it.")


def test_the_characters_remember_within_the_conversation(clone):
    """The captain is told the name of a cat and knows it a line later."""
    question = clone.first.stdout.partition("what is my cat called?\n")[2]
    assert "Whiskers" in question.partition("\n> ")[0]


def test_a_random_password_is_shown_once_and_kept_secret(clone):
    """Nobody chose a password, so a random one is printed and kept where only its owner reads."""
    secret = clone.root / "server" / "conf" / "secret_settings.py"
    password = Local(clone.root).read()["FIRST_SUPERUSER"]["password"]
    assert clone.first.stdout.count(password) == 1
    assert len(password) >= 16
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    holders = [
        path
        for path in clone.root.rglob("*")
        if path.is_file() and password.encode() in path.read_bytes()
    ]
    assert holders == [secret]
    assert "/server/conf/secret_settings.py" in (ROOT / ".gitignore").read_text().splitlines()


def test_a_terminal_is_let_into_the_game(clone):
    """The second `make play` opens nothing: a guest is in, types a line, leaves by Ctrl-D."""
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(clone.root)
        os.execvpe("make", ["make", "play"], clone.env)
    shown = _read_until(terminal, WELCOME)
    assert "open already" in shown
    assert "Preparing the database" not in shown
    os.write(terminal, b"say good morning\n")
    _read_until(terminal, 'You say, "')
    os.write(terminal, b"\x04")
    _read_until(terminal, "`make stop` ends the game.")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)


def test_stop_and_play_again_keeps_the_village(clone):
    """`make stop` frees the ports, needs no port named, and the next start builds nothing twice."""
    objects = "SELECT count(*) FROM objects_objectdb WHERE db_typeclass_path NOT LIKE '%.Character'"
    before = clone.count(objects)
    assert clone.count(DOUBLES) == 0
    del clone.env["AI_ASSISTANT_PORT_BASE"]
    assert clone.make("stop").returncode == 0
    assert process.taken(clone.base) is None
    assert "closed already" in clone.make("stop").stdout
    again = clone.make("play")
    assert again.returncode == 0, again.stdout + again.stderr
    assert "owner's account" not in again.stdout
    assert clone.count(objects) == before


def test_a_taken_port_is_one_clear_sentence(tmp_path):
    """Which port, and what to type instead; nothing is made before that is settled."""
    other = Clone(tmp_path)
    with socket.create_server(("127.0.0.1", other.base + 1)):
        refused = other.make("play")
    assert refused.returncode != 0
    said = refused.stderr.splitlines()[0]
    assert f"Port {other.base + 1} (web) is taken" in said
    assert f"AI_ASSISTANT_PORT_BASE={other.base + 100}" in said
    assert not (other.root / "server" / "evennia.db3").exists()


@pytest.mark.parametrize("nonsense", ["abc", "80", "70000"])
def test_an_impossible_port_is_refused(monkeypatch, tmp_path, nonsense):
    """The sentence names the variable and the range."""
    monkeypatch.setenv("AI_ASSISTANT_PORT_BASE", nonsense)
    with pytest.raises(Trouble, match="AI_ASSISTANT_PORT_BASE must be a number from 1024"):
        Local(tmp_path).port_base()


def test_a_chosen_password_is_written_nowhere(monkeypatch, tmp_path):
    """Name and password of the environment are used, not kept."""
    monkeypatch.setenv("EVENNIA_SUPERUSER_USERNAME", "griselda")
    monkeypatch.setenv("EVENNIA_SUPERUSER_PASSWORD", "chosen by her")
    local = Local(tmp_path)
    assert local.superuser() == ("griselda", "chosen by her", False)
    assert not local.path.exists()


def test_secrets_survive_what_the_owner_adds(monkeypatch, tmp_path):
    """A kept value replaces its own line only, and the same secrets come back."""
    monkeypatch.delenv("EVENNIA_SUPERUSER_USERNAME", raising=False)
    monkeypatch.delenv("EVENNIA_SUPERUSER_PASSWORD", raising=False)
    local = Local(tmp_path)
    local.path.parent.mkdir(parents=True)
    local.prepare()
    name, password, _ = local.superuser()
    with local.path.open("a") as own:
        own.write('AI_ASSISTANT_KEYS = {"openai": "sk-1"}\n')
    key = local.read()["SECRET_KEY"]
    local.keep("PORT_BASE", 4100)
    local.keep("PORT_BASE", 4200)
    local.prepare()
    kept = local.read()
    assert (kept["PORT_BASE"], kept["SECRET_KEY"]) == (4200, key)
    assert kept["AI_ASSISTANT_KEYS"] == {"openai": "sk-1"}
    assert local.superuser() == (name, password, False)


def test_an_old_python_is_told_so():
    """One sentence with the version that is needed, and how to name another one."""
    with pytest.raises(
        Trouble, match=r"3\.11 or newer is needed and this is 3\.8.*PYTHON="
    ) as told:
        bootstrap.check_python(version=(3, 8, 2))
    assert "\n" not in str(told.value)


def test_an_old_python_can_read_the_sentence():
    """What runs before the check uses no syntax that is younger than Python 3.7."""
    ast.parse((ROOT / "server" / "bootstrap.py").read_text(), feature_version=(3, 7))


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_missing_venv_package_is_named(missing):
    """Debian splits Python; the sentence says what to install."""
    with pytest.raises(Trouble, match="apt install python3-venv"):
        bootstrap.check_python(has_module=lambda name: name != missing)


def test_a_failed_installation_shows_why(tmp_path):
    """pip's own words come with the sentence, and the next run tries again."""
    clone = Clone(tmp_path)
    del clone.env["AI_ASSISTANT_PYTHON"]
    venv.create(clone.root / ".venv")  # whose pip is the one here: to install it would take long
    clone.env["PYTHONPATH"] = str(Path(pip.__file__).parents[1])
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": ""}
    failed = clone.make("play", **offline)
    assert failed.returncode != 0
    assert "pip could not install the requirements" in failed.stderr
    assert "No matching distribution found for setuptools" in failed.stderr
    assert not (clone.root / ".venv" / "installed").exists()


def _read_until(terminal, text):
    heard, end = "", time.monotonic() + PATIENCE
    while text not in heard:
        assert time.monotonic() < end, heard
        if select.select([terminal], [], [], 1)[0]:
            try:
                heard += os.read(terminal, 65536).decode(errors="replace")
            except OSError:
                pytest.fail(f"closed before {text!r} came:\n{heard}")
    return heard
