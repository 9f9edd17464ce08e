"""Real games for tests: a copy of the village or a fresh game, telnet lines, a model's server.

with Game.village(folder) as game:
    game.open()
    alice = game.join("Alice")
    alice.ask("say hello tansy", r"^Tansy Brewell says")
"""

import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from server.process import GameProcess, ports, taken
from server.telnet import Telnet

ROOT = Path(__file__).resolve().parents[2]
GAME_PARTS = ("ai_assistant", "commands", "server", "typeclasses", "web", "world")
LEFT_BEHIND = (
    "*.db3*",
    "*.pid",
    "*.log*",
    "secret_settings.py",
    ".static",
    ".media",
)
TABLES = "tables.db3"
"""Where a village that was opened keeps its database as it was before the first start."""
OWNER, PASSWORD = "Owner", "password-of-tests"
PATIENCE = 120
"""Seconds for which what must come is waited for: what takes long is measured elsewhere."""
KEY = "sk-canary-of-the-tests"
"""The key of the model, which nobody is ever shown."""
QUICK = {
    "AUTH_PASSWORD_VALIDATORS": [],
    "CREATION_THROTTLE_LIMIT": 10_000,
    "LOGIN_THROTTLE_LIMIT": 10_000,
    "MAX_COMMAND_RATE": 10_000,
    "MAX_CONNECTION_RATE": 10_000,
    "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    "AI_ASSISTANT_LINES_PER_MINUTE": 0,
    "AI_ASSISTANT_ADDRESS_LINES_PER_MINUTE": 0,
    "AI_ASSISTANT_LINES_PER_DAY": 0,
    "AI_ASSISTANT_PLAYER_SHARE": 1.0,
}
"""Settings of every game here: no waiting that protects a public game."""
UNGUARDED = """
import typeguard
typeguard.typechecked = lambda function: function
"""
"""What the village's settings do at their beginning, and why, for a game of Evennia's."""


_HELD = []


def free_base():
    """Return a telnet port whose followers are free too, below those of outgoing connections.

    Nobody else is given it while this process lives, which holds the last port of the ten.
    """
    while True:
        base = random.randrange(20_000, 32_000, 10)
        with suppress(OSError):
            _HELD.append(socket.create_server(("127.0.0.1", base + 9)))
            if not taken(base):
                return base


def copy_village(folder, opened=None):
    """Copy the demo game into a folder, without what a running game leaves behind.

    `opened` is a village that was opened once: with its database the first start is spared, and
    with its bytecode the compiling.
    """
    for part in GAME_PARTS:
        ignore = shutil.ignore_patterns(*LEFT_BEHIND)
        shutil.copytree((opened or ROOT) / part, folder / part, ignore=ignore)
    if opened:
        for part in (opened / "server").glob("evennia.db3*"):
            shutil.copy(part, folder / "server")
    (folder / "server" / "logs").mkdir(exist_ok=True)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


class Line(Telnet):
    """A player's telnet line."""

    def expect(self, pattern, timeout=PATIENCE):
        """Wait for text that matches and return the match, see `Telnet`."""
        return super().expect(pattern, timeout)

    def ask(self, typed, pattern, timeout=PATIENCE):
        """Type a line and wait for text that matches; returns the match."""
        self.read(0)
        self.send(typed)
        return self.expect(pattern, timeout)

    def told(self, typed, begins=r"\S"):
        """Type a line and return all that it brings from the text that `begins` it on."""
        self.caught_up()
        return self.ask(typed, begins).group() + self.caught_up()

    def caught_up(self):
        """Return what came since the last reading, when the game has done all that was typed.

        It has when it knows nothing of a command that it cannot know.
        """
        mark = f"caught_up_{time.monotonic_ns()}"
        self.send(mark)
        return self.expect(rf"(?s)(.*?)^Command '{mark}'[^\n]*\n").group(1)

    def silent(self, seconds, pattern=r"\S"):
        """Assert that nothing that matches comes within some seconds."""
        heard = self.read(seconds)
        assert not re.search(pattern, heard, re.MULTILINE), f"heard in the silence:\n{heard}"


class Game:
    """A game directory of its own with ports of its own.

    `settings` maps names of Django settings to plain values; they win over the game's own.
    """

    alive = []
    """Games that are running, for the report of a failed test."""

    def __init__(self, root, *, settings=None, python_path=""):
        self.root = Path(root)
        self.base = free_base()
        self.accounts = set()
        self.is_new = True
        self.set(**QUICK, **_port_settings(self.base), **(settings or {}))
        env = {
            "EVENNIA_SUPERUSER_USERNAME": OWNER,
            "EVENNIA_SUPERUSER_PASSWORD": PASSWORD,
            "EVENNIA_SUPERUSER_EMAIL": "",
            "PYTHONPATH": python_path,
        }
        self.process = GameProcess(self.root, self.base, env=env)

    @classmethod
    def village(cls, folder, opened=None, **options):
        """Return a copy of the demo game, not started yet; see `copy_village`."""
        game = cls(copy_village(Path(folder), opened), **options)
        game.is_new = opened is None
        return game

    @classmethod
    def fresh(cls, folder, opened=None, **options):
        """Return a game as `evennia --init` makes it, able to import ai_assistant, not started.

        With the tables of a village that was `opened`, which are the same, making them is spared.
        """
        folder = Path(folder)
        library = folder / "library"
        shutil.copytree(ROOT / "ai_assistant", library / "ai_assistant")
        launcher = Path(sys.executable).parent / "evennia"
        subprocess.run([launcher, "--init", "game"], cwd=folder, check=True, capture_output=True)
        path = os.pathsep.join([str(folder), str(library)])  # Evennia's launcher drops the first
        game = cls(folder / "game", python_path=path, **options)
        if opened:
            shutil.copy(opened / TABLES, game.root / "server/evennia.db3")
            game.is_new = False
        game.append("server/conf/settings.py", UNGUARDED)
        return game

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def set(self, **values):
        """Write settings at the end of the game's own; they count from the next start or reload."""
        lines = (f"{name} = {value!r}\n" for name, value in values.items())
        self.append("server/conf/settings.py", "".join(lines))

    def append(self, path, text):
        """Write text at the end of one of the game's files."""
        with (self.root / path).open("a") as file:
            file.write(text)

    def open(self):
        """Start, with a new database migrated first; returns the game itself."""
        if self.is_new:
            self.process.evennia("migrate")
        return self.start()

    def start(self):
        """Start, or start again after a stop or a kill; returns when players can log in."""
        if self not in self.alive:
            self.alive.append(self)
        self.process.start()
        return self

    def reload(self):
        """Restart the Server as the owner does, whose other line ends; players stay connected."""
        with self.owner() as line:
            line.ask("reload", r"\.\.\. Server restarted")

    def stop(self):
        """Stop as staff do from within the game; the database stays."""
        with self.owner() as line:
            line.send("shutdown")
            wait_for(lambda: not (self.process.pid("portal") or self.process.pid()))

    def kill9_server(self):
        """Kill the Server without a word of warning; telnet lines hang on at the Portal."""
        self._kill("server")

    def died(self, which="server"):
        """Wait until a process is dead; from then on no file says that it runs.

        A dead one that nobody has buried yet counts for twistd, which would start no other.
        """
        wait_for(lambda: not self.process.pid(which))
        (self.process.root / "server" / f"{which}.pid").unlink(missing_ok=True)

    def close(self):
        """End the game at once, without a word of warning: nobody needs it any more."""
        for which in ("portal", "server"):
            if self.process.pid(which):
                self._kill(which)
        if self in self.alive:
            self.alive.remove(self)

    def guest(self):
        """Return the line of a guest in the game; its `name` is the guest's."""
        return self._enter("connect guest")

    def join(self, name):
        """Return the line of a player with an account and a character of that name."""
        if name not in self.accounts:
            with Line(self.base) as line:
                line.expect("connect")
                line.send(f"create {name} {PASSWORD}")
                if "intended" in line.expect(r"intended|was created").group():
                    line.ask("y", "was created")
            self.accounts.add(name)
        return self._enter(f"connect {name} {PASSWORD}")

    def owner(self):
        """Return the superuser's line."""
        return self._enter(f"connect {OWNER} {PASSWORD}")

    def shell(self, code):
        """Run Python in `evennia shell` and return what it printed."""
        return self.process.evennia("shell", "-c", code)

    def sql(self, query, *values, file="evennia.db3"):
        """Return the rows of a query; the database is opened for reading only."""
        path = self.root / "server" / file
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=PATIENCE)
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()

    def logs(self, lines=60):
        """Return the end of the server's log."""
        return self.process.log_tail(lines)

    def _kill(self, which):
        os.kill(self.process.pid(which), signal.SIGKILL)
        self.died(which)

    def _enter(self, login):
        line = Line(self.base)
        line.expect("connect")
        line.send(login)
        line.name = line.expect(r"You become (.+?)\.$").group(1)
        line.expect("Exits|Characters|Limbo")
        line.caught_up()
        return line


class FakeModel:
    """`ai_assistant.testing.fake_openai` as a process of its own."""

    def __init__(self, **options):
        arguments = [f"--{name}={value}" for name, value in options.items()]
        module = "ai_assistant.testing.fake_openai"
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        self.url = self._process.stdout.readline().split()[-1]

    def settings(self, **profile):
        """Return the game settings that make every assistant use this server."""
        default = {"base_url": self.url, "model": "fake", "native_tools": True, **profile}
        return {"AI_ASSISTANT_LLM": {"default": default}}

    def script(self, *steps):
        """Script the next answers; see `ai_assistant.testing.faults` for what a step can say."""
        self._call("/script", list(steps))

    def reset(self, **settings):
        """Forget script and requests; set `latency`, `reply` or `echo`."""
        self._call("/reset", settings)

    def release(self):
        """Answer at once whoever waits for an answer."""
        self._call("/release", {})

    def requests(self):
        """Return the model requests so far: path, headers, body and time of each."""
        return self._call("/requests")

    def close(self):
        """End the process."""
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    def _call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        url = self.url.removesuffix("/v1") + path
        with urllib.request.urlopen(urllib.request.Request(url, data), timeout=PATIENCE) as answer:
            return json.load(answer)


def _port_settings(base):
    port = ports(base)
    return {
        "TELNET_PORTS": [port["telnet"]],
        "WEBSERVER_PORTS": [(port["web"], port["internal web"])],
        "WEBSOCKET_CLIENT_PORT": port["web client"],
        "AMP_PORT": port["internal control"],
        "TELNET_INTERFACES": ["127.0.0.1"],
        "WEBSERVER_INTERFACES": ["127.0.0.1"],
        "WEBSOCKET_CLIENT_INTERFACE": "127.0.0.1",
    }


def wait_for(true):
    """Ask again and again until something is true; returns what was found."""
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)
    return found
