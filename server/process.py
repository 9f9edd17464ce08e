"""One game directory as a running thing: start it, know when it is up, stop it."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from server.bootstrap import Trouble
from server.telnet import NoAnswer, Telnet

SECOND_START = "Restarting Server once"
STARTED_AGAIN = "successfully restarted in 'reset' mode"
"""The very first start ends with the first of these lines in the log, and is over by the second."""
TOO_SLOW = "Connection to Evennia timed out"
"""What the launcher says after ten seconds without the Portal; told again, it goes on."""


def ports(base):
    """Return what listens where, by name, for a game whose telnet port is `base`."""
    return {
        "telnet": base,
        "web": base + 1,
        "web client": base + 2,
        "internal web": base + 5,
        "internal control": base + 6,
    }


def taken(base, interface="127.0.0.1"):
    """Return (name, port) of the first port that another program listens on, or None."""
    for name, port in ports(base).items():
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((interface, port))
            except OSError:
                return name, port
    return None


def alive(pid):
    """Does this process run? One that is dead and only not yet buried does not."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


class GameProcess:
    """Evennia's Portal and Server of one game directory; `env` is added to the environment."""

    def __init__(self, root, telnet_port, *, env=None):
        self.root = Path(root)
        self.telnet_port = telnet_port
        self.log = self.root / "server" / "logs" / "server.log"
        bin_folder = Path(sys.executable).parent
        self._launcher = bin_folder / "evennia"
        path = os.pathsep.join([str(bin_folder), os.environ.get("PATH", "")])
        self._env = {**os.environ, "PATH": path, **(env or {})}
        for unwanted in ("DJANGO_SETTINGS_MODULE", "PYTHONDONTWRITEBYTECODE"):
            self._env.pop(unwanted, None)  # four processes compile hundreds of files, or one does

    def evennia(self, *arguments, timeout=300.0):
        """Run Evennia's launcher in the game directory and return what it printed.

        Raises `Trouble` where it fails or takes longer than `timeout` seconds.
        """
        try:
            done = subprocess.run(
                [str(self._launcher), *arguments],
                cwd=self.root,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            said = (late.stdout or b"").decode(errors="replace")
            raise Trouble(f"`evennia {arguments[0]}` did not end.\n{said[-2000:]}") from None
        if done.returncode:
            raise Trouble(f"`evennia {arguments[0]}` failed.\n{done.stdout[-4000:]}")
        return done.stdout

    def pid(self, which="server"):
        """Return the process id of the "server" or the "portal", or None where it is not alive."""
        try:
            number = int((self.root / "server" / f"{which}.pid").read_text())
        except (OSError, ValueError):
            return None
        return number if alive(number) else None

    def running(self):
        """Are both processes alive, and is telnet answered?"""
        return bool(self.pid("portal") and self.pid()) and self._screen(2.0)

    def start(self, timeout=240.0):
        """Start the game and wait until somebody can log in; raises `Trouble` if that fails."""
        size = self.log.stat().st_size if self.log.exists() else 0
        end = time.monotonic() + timeout
        while TOO_SLOW in (said := self.evennia("start")) and time.monotonic() < end:
            pass
        while not (self._screen(end - time.monotonic()) and self._settled(size)):
            if time.monotonic() > end:
                raise Trouble(f"The game did not come up.\n{said[-2000:]}\n{self.log_tail()}")
            time.sleep(0.2)

    def stop(self):
        """Stop the game; it is fine if it was not running."""
        self.evennia("stop")

    def log_tail(self, lines=40):
        """Return the end of the server's log."""
        text = self.log.read_text(errors="replace") if self.log.exists() else "(no log)"
        return "\n".join(text.splitlines()[-lines:])

    def _settled(self, since):
        """Is no restart on its way? Only what was logged after the first `since` bytes counts."""
        with self.log.open(errors="replace") as log:
            log.seek(since if self.log.stat().st_size >= since else 0)
            text = log.read()
        return SECOND_START not in text or STARTED_AGAIN in text

    def _screen(self, timeout):
        try:
            with Telnet(self.telnet_port, timeout=3.0) as line:
                line.expect(r"\S", max(timeout, 0.1))
        except (OSError, NoAnswer):
            return False
        return True
