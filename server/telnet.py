"""A telnet client as small as a game allows: refuses every option, keeps what it heard."""

import codecs
import re
import select
import socket
import time

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
_REFUSAL = {DO: WONT, WILL: DONT}
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_HALF_COLOUR = re.compile(r"\x1b(\[[0-9;]*)?$")


class NoAnswer(Exception):
    """What was expected on the line did not come in time."""


class Telnet:
    """A connection to a game. Attributes:

    raw: every byte that came, telnet negotiation included.
    transcript: the text that came, without negotiation and colours.
    """

    def __init__(self, port, host="127.0.0.1", timeout=10.0):
        self.raw = bytearray()
        self.transcript = ""
        self.open = True
        self._read_to = 0
        self._rest = b""
        self._half = ""
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._socket = socket.create_connection((host, port), timeout)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def close(self):
        """Hang up."""
        self.open = False
        self._socket.close()

    def fileno(self):
        """Return the socket's number, for `select`."""
        return self._socket.fileno()

    def send(self, line):
        """Type a line."""
        self._socket.sendall(line.encode().replace(b"\xff", b"\xff\xff") + b"\r\n")

    def pump(self, seconds=0.0):
        """Take in what arrives within some seconds, and return its text with colours."""
        if not self.open or not select.select([self], [], [], max(seconds, 0.0))[0]:
            return ""
        try:
            data = self._socket.recv(65536)
        except OSError:
            data = b""
        self.open = bool(data)
        self.raw += data
        text = self._half + self._decode(self._without_negotiation(self._rest + data))
        half = _HALF_COLOUR.search(text)
        self._half = half.group() if half else ""
        text = text[: len(text) - len(self._half)].replace("\r", "")
        self.transcript += _COLOUR.sub("", text)
        return text

    def read(self, seconds):
        """Return all unread text, listening for some seconds more."""
        end = time.monotonic() + seconds
        while self.open and (left := end - time.monotonic()) > 0:
            self.pump(left)
        text = self.transcript[self._read_to :]
        self._read_to = len(self.transcript)
        return text

    def rest(self, quiet=0.5):
        """Return all unread text, listening until nothing has come for some seconds."""
        text = ""
        while more := self.read(quiet):
            text += more
        return text

    def expect(self, pattern, timeout=10.0):
        """Wait for text that matches and return the match; all up to its end counts as read.

        Raises `NoAnswer` after `timeout` seconds, or when the game hangs up.
        """
        end = time.monotonic() + timeout
        wanted = re.compile(pattern, re.MULTILINE)
        while True:
            match = wanted.search(self.transcript, self._read_to)
            if match:
                self._read_to = match.end()
                return match
            left = end - time.monotonic()
            if left <= 0 or not self.open:
                heard = self.transcript[self._read_to :][-2000:]
                raise NoAnswer(f"Waited {timeout:g} s for {pattern!r}, heard:\n{heard}")
            self.pump(left)

    def _without_negotiation(self, data):
        """Return the plain bytes; refuse what is offered, keep half a command for later."""
        text, at = bytearray(), 0
        while (mark := data.find(IAC, at)) >= 0:
            text += data[at:mark]
            length = _command_length(data, mark)
            if not length:
                break
            verb = data[mark + 1]
            if verb == IAC:
                text.append(IAC)
            elif verb in _REFUSAL:
                self._socket.sendall(bytes([IAC, _REFUSAL[verb], data[mark + 2]]))
            at = mark + length
        self._rest = data[mark:] if mark >= 0 else b""
        return bytes(text) if mark >= 0 else bytes(text + data[at:])


def _command_length(data, mark):
    """Return how many bytes the command at `mark` has, or 0 where its end has not come yet."""
    verb = data[mark + 1 : mark + 2]
    if not verb:
        return 0
    if verb[0] == SB:
        end = data.find(bytes([IAC, SE]), mark)
        return end + 2 - mark if end >= 0 else 0
    length = 3 if WILL <= verb[0] <= DONT else 2
    return length if len(data) >= mark + length else 0
