"""What belongs to this machine alone: kept in the ignored `conf/secret_settings.py`, made here."""

import os
import re
import runpy
import secrets

from server.bootstrap import ROOT, Trouble

HEADER = '''"""Secrets of this machine, ignored by git: `make play` began it, add your own below."""
'''


class Local:
    """The secret settings of one game directory.

    `AI_ASSISTANT_PORT_BASE` and `EVENNIA_SUPERUSER_USERNAME` and `_PASSWORD` of the environment win
    over what the file says. A port is remembered, so that `make stop` finds the game again.
    """

    def __init__(self, root=ROOT):
        self.path = root / "server" / "conf" / "secret_settings.py"

    def read(self):
        """Return the settings of the file as a dict; empty where there is none."""
        found = runpy.run_path(str(self.path)) if self.path.exists() else {}
        return {name: value for name, value in found.items() if name.isupper()}

    def keep(self, name, value):
        """Write one setting, readable by its owner only; what else the file holds stays."""
        text = self.path.read_text() if self.path.exists() else HEADER
        line = f"{name} = {value!r}"
        text, changed = re.subn(rf"(?m)^{name} = .*$", lambda _: line, text)
        self.path.touch(mode=0o600)
        self.path.chmod(0o600)
        self.path.write_text(text if changed else f"{text}{line}\n")

    def prepare(self):
        """Make the secret key of the web pages, once."""
        if "SECRET_KEY" not in self.read():
            self.keep("SECRET_KEY", secrets.token_urlsafe(48))

    def port_base(self):
        """Return the telnet port; the others follow it. Raises `Trouble` for nonsense."""
        wanted = os.environ.get("AI_ASSISTANT_PORT_BASE") or self.read().get("PORT_BASE", 4000)
        try:
            base = int(wanted)
        except ValueError:
            base = 0
        if not 1024 <= base <= 65000:
            raise Trouble(
                f"AI_ASSISTANT_PORT_BASE must be a number from 1024 to 65000, not {wanted}."
            )
        return base

    def keep_port_base(self, base):
        """Remember a port that is not the usual one."""
        if base != self.read().get("PORT_BASE", 4000):
            self.keep("PORT_BASE", base)

    def superuser(self):
        """Return name and password of the game's first account, and whether they are news.

        A password that nobody chose is random, and kept so that it can be looked up.
        """
        first = self.read().get("FIRST_SUPERUSER", {})
        name = os.environ.get("EVENNIA_SUPERUSER_USERNAME") or first.get("name", "admin")
        password = os.environ.get("EVENNIA_SUPERUSER_PASSWORD")
        if password or first.get("name") == name:
            return name, password or first["password"], False
        password = secrets.token_urlsafe(12)
        self.keep("FIRST_SUPERUSER", {"name": name, "password": password})
        return name, password, True
