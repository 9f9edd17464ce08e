"""What a program is told of its changes: the game makes them, refuses, breaks off, or is down."""

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from django.test import override_settings

from ai_assistant.mcp.mcp_server import Door
from ai_assistant.mcp.principals import principal_named
from ai_assistant.mcp.running_game import RunningGame
from tests.evennia.living import LivingTestCase


class Scripted(BaseHTTPRequestHandler):
    """Stands for the game's web server: gives the next of `answers`; None breaks the line off."""

    answers = []

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if (answer := self.answers.pop(0)) is not None:
            status, text = answer
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text)

    do_GET = do_POST = do_PATCH = answer  # noqa: N815 - so the standard library calls them

    def log_message(self, *words):
        """Be silent."""


@contextmanager
def answering(*answers):
    """Let a server give these answers, one to each request, where the game's REST API is."""
    with HTTPServer(("127.0.0.1", 0), Scripted) as server:
        Scripted.answers = [*answers]
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        here = {"WEBSERVER_PORTS": [(server.server_port, 0)], "AI_ASSISTANT_API": True}
        try:
            with override_settings(WEBSERVER_INTERFACES=["127.0.0.1"], **here):
                yield
        finally:
            server.shutdown()
            thread.join()


class TestWhatBecameOfIt(LivingTestCase):
    """Whoever has the game change something is told what became of it, and never a guess."""

    RUNNING = (202, b'{"data": {"job": "1", "state": "running"}}')

    def setUp(self):
        super().setUp()
        self.an_assistant()

    def writing(self, tool="edit_memory", **given):
        door = Door(principal_named("staff"), RunningGame("aia_token"))
        return door.call(tool, {"key": "Marrek", "ref": "12", "text": "It is shut.", **given})

    def test_it_is_done(self):
        """A job is asked for until it is done."""
        done = b'{"data": {"job": "1", "state": "done", "result": {"ref": "#13"}}}'
        with answering(self.RUNNING, (200, done)):
            assert json.loads(self.writing())["result"] == {"ref": "#13"}

    def test_nobody_was_there(self):
        """No game, or a Portal that has no server behind it: it only reads just now."""
        with answering((501, b"<H1>Could not connect</H1>")):
            assert self.refused(self.writing) == "Read only: the game is not running here."
        with override_settings(WEBSERVER_PORTS=[(9, 0)], AI_ASSISTANT_API=True):  # nobody listens
            assert self.refused(self.writing) == "Read only: the game is not running here."

    def test_nobody_knows(self):
        """The game broke off after it was asked: it may have been done."""
        gone = (404, b'{"error": {"message": "There is no such job of yours, or not any more."}}')
        for answers in ([None], [(200, b"")], [self.RUNNING, gone], [self.RUNNING, None]):
            with answering(*answers):
                assert "whether it was done is not known" in self.refused(self.writing)

    def test_the_game_refuses(self):
        """In its own words, of which those of a database that takes nothing pass by themselves."""
        told = b'{"error": {"message": "The database takes nothing."}}'
        with answering((403, told), (503, told)):
            assert self.refused(self.writing) == "The game refused: The database takes nothing."
            told = self.refused(self.writing)
        assert told == "Read only just now: The database takes nothing."
