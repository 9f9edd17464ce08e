"""Files through the browser: the audit log and a whole assistant go out, and one comes in."""

import html
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.game.identity import entity_id
from ai_assistant.models import AssistantEvent, Memory
from ai_assistant.web.desk.file_pages import COMING
from tests.evennia.test_web_forms import FormsTestCase

CARD = b'{"name": "Elara", "description": "Shy.", "personality": "shy", "first_mes": "Oh."}'


class TestFiles(FormsTestCase):
    def setUp(self):
        super().setUp()
        self.folder = Path(self.enterContext(TemporaryDirectory()))
        self.enterContext(override_settings(AI_ASSISTANT_CARDS=str(self.folder)))
        self.model.say("Aye, eels.")
        self.does(self.builder, "say Marrek, I keep eels.")

    def made(self, what, page):
        """Let a file be made, and return the address under which a page hands it out."""
        self.do(what)
        self.steps.run()
        (link,) = re.findall(r'href="(/ai/files/\w+/)"', self.get(page))
        return link

    def fetched(self, link, account=None):
        answer = self.browser(account).get(link)
        return answer.status_code, b"".join(answer) if answer.streaming else b""

    def test_the_audit_log_is_handed_out_as_it_was_written(self):
        """To whoever asked for it: another account does not learn that there is one."""
        link = self.made("audit_file", "audit")
        (written,) = self.folder.iterdir()
        assert self.fetched(link) == (200, written.read_bytes())
        assert b"TurnCompleted" in written.read_bytes()
        other = self.a_player("Dan").account
        other.permissions.add("Admin")
        assert self.fetched(link, other) == (404, b"")
        assert self.fetched(link, self.builder.account) == (403, b"")
        written.unlink()
        assert self.fetched(link) == (404, b"")

    def upload(self, data, room, account=None):
        fields = {"card": SimpleUploadedFile("a.gz", data), "room": room}
        answer = self.browser(account).post(self.address("upload_whole"), fields)
        self.steps.run()
        return answer

    def test_a_whole_one_goes_out_and_comes_in_beside_itself(self):
        """With what it remembers; no file of it is left on the server, and both are on record."""
        status, data = self.fetched(self.made("whole_file", "persona"))
        assert (status, [*self.folder.iterdir()]) == (200, [])
        self.account.characters.add(self.char1)
        (room,) = re.findall(r'name="room" .*value="(#\d+)"', self.get("overview"))
        assert self.upload(data, room).status_code == 302
        (other,) = (body for body in all_assistants() if body != self.marrek)
        assert other.location == self.char1.location
        assert Memory.objects.filter(container=entity_id(other), content__contains="eels").exists()
        assert "came in, with all that was known" in self.get("overview")
        (job,) = JOBS.jobs_about(self.account, COMING)
        assert self.fetched(f"/ai/files/{job.id}/")[0] == 404  # what it tells is no file
        for type in ("AssistantExported", "AssistantImported"):
            assert AssistantEvent.objects.get(type=type).data["by"] == self.account.key

    def test_what_is_no_whole_one_is_told_where_it_was_to_come(self):
        """A card, a broken file, no room; and only who may edit has the file looked at."""
        for data, told in (
            (CARD, "no whole assistant"),
            (b"\x1f\x8b", "is cut off"),
            (b"GIF", "no whole"),
        ):
            assert self.upload(data, self.inn.pk).status_code == 302
            assert told in html.unescape(self.get("overview")), told
        refused = self.upload(b"x", "here")
        assert refused.status_code == 400
        assert "is no room" in refused.content.decode()
        assert self.upload(b"x", self.inn.pk, self.builder.account).status_code == 403
        assert all_assistants() == [self.marrek]

    def test_how_more_goes_into_a_file_than_a_running_game_takes_is_said(self):
        """On the page that makes one."""
        assert 'evennia ai_export "Marrek" <file>' in html.unescape(self.get("persona"))
