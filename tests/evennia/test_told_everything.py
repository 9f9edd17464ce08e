"""A worker that betrays all it was shown, and who may look where: nothing leaves its readers.

python -m tests.e2e.postgres tests/evennia/test_told_everything.py tests/evennia/test_mcp_door.py

asks the same of both, and of MCP, on PostgreSQL.
"""

import json
import re
import time
from dataclasses import replace
from http import HTTPStatus

from asgiref.sync import async_to_sync
from django.contrib.auth.models import AnonymousUser
from django.test import override_settings
from twisted.internet.defer import succeed

from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api.handlers import save
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.model_records import ModelReply
from ai_assistant.core.readers import NOBODY, OPEN, canonical, may_read, members, usable
from ai_assistant.game.identity import entity_id
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.models import Memory
from ai_assistant.storage.calls.question_rows import keep_answer, take_question
from ai_assistant.workers.questions import answer_text, question_from
from ai_assistant.workers.worker_queue import WorkerQueue
from tests.evennia import tried
from tests.evennia.pages import PagesTestCase
from tests.evennia.test_mcp_door import DoorTestCase

CANARY = re.compile(r"zq\d+x")
WAYS = 6
"""So often something is told under each label."""


def gossip(day):
    """Return a night's answer in which everybody is said to know of all that the day shows."""
    told = [
        {"about": who["who"], "fact": f"{who['name']} keeps the {word} safe", "replaces": [],
         "lines": [line["id"] for line in day["lines"]], "quote": line["says"]}
        for who in day["people"]
        for line in day["lines"]
        for word in CANARY.findall(json.dumps(day))
    ]  # fmt: skip
    return ModelReply(text=json.dumps({"facts": told, "people": []}))


def labelled(held, readers=NOBODY):
    """Yield (canary, label) of all that a state holds."""
    match held:
        case dict():
            for value in held.values():
                yield from labelled(value, held.get("readers", readers))
        case list():
            for value in held:
                yield from labelled(value, readers)
        case _:
            yield from ((word, readers) for word in CANARY.findall(str(held)))


class TestAWorkerThatTellsAll(DoorTestCase):
    """Marrek heard lines of every label, and a worker reads its day that betrays what it can."""

    def build(self):
        workers = WorkerQueue(
            self.clock,
            self.answer,
            lambda work, *args: succeed(work(*args)),
            self.steps,
            lambda profile, error: None,
        )
        return replace(super().build(), offline=OfflineModel(), workers=workers)

    def setUp(self):
        self.shown, self.allowed = [], {}
        super().setUp()
        self.people = {entity_id(body): body.key for body in (self.alice, self.bob)}
        for label in [OPEN, *self.people, canonical(self.people)] * WAYS:
            author = next(id for id in self.people if may_read(id, label))
            word = f"zq{len(self.allowed)}x"
            self.allowed[word] = label
            about = {"author": author, "author_name": self.people[author], "readers": label}
            event = {"event": word, "type": "say", "turn": ""}
            row = MemoryRow(f"I keep the {word} safe.", "utterance", meta=event, **about)
            save(self.marrek, Commit(at=self.clock.now(), rows=[row]))

    def answer(self, key, _lock):
        """Stand in for a worker and its model."""
        _, request = question_from(take_question(key, time.time()))
        text = request.messages[-1].content
        try:
            reply = gossip(json.loads(text))
        except ValueError:  # no day
            reply = async_to_sync(OfflineModel().complete)(request)
        self.shown.append({*CANARY.findall(text)})
        keep_answer(key, answer_text(reply))

    def night(self):
        home = self.resident(self.marrek)
        home.sleeper.begin()
        while home.mind.phase:
            self.tick(self.marrek)

    def stored(self):
        """Return (canary, label) of all that is kept of it."""
        store = self.resident(self.marrek).mind.store
        for row in Memory.objects.filter(container=entity_id(self.marrek)):
            yield from ((word, row.readers) for word in CANARY.findall(row.content))
        for name, part in PARTS.items():
            if not part.is_block:
                yield from labelled(store.read_all(name) if part.keyed else store.read(name))

    def test_nothing_is_kept_outside_its_readers(self):
        """Each question shows what is usable for its label, and players read what was for them."""
        self.night()
        assert set().union(*self.shown) == {*self.allowed}
        for words in self.shown:
            labels = {self.allowed[word] for word in words} or {OPEN}
            assert any(all(usable(it, members(one)) for it in labels) for one in labels)
        kept = [*self.stored()]
        assert len(kept) > 2 * len(self.allowed)
        for own, name in self.people.items():
            told = {*CANARY.findall(self.everything(f"account:{name}", ["safe"]))}
            assert told
            assert all(may_read(own, self.allowed[word]) for word in told)
            assert all(may_read(own, self.allowed[word]) for word, to in kept if may_read(own, to))


class TestTheDesk(PagesTestCase):
    """Marrek keeps a secret; every page and endpoint that can be read is opened."""

    def texts(self, account):
        """Return what all of them answer to somebody."""
        facts = {"number": self.marrek.pk, "key": self.marrek.pk, "ref": self.row.id}
        browser = self.browser(account)
        for name in (*tried.page_names(), *tried.endpoint_names()):
            method, address = name.split()
            if method == "GET":
                found = re.sub(r"{(\w+)}", lambda part: str(facts.get(part[1], 1)), address)
                answer = browser.get(found, {"q": "treasure"})
                if answer.status_code != HTTPStatus.NOT_FOUND:
                    yield b"".join(answer).decode()

    @override_settings(AI_ASSISTANT_API=True)
    def test_who_is_no_staff_reads_none_of_it(self):
        """Players and strangers get no word of it from any; staff find it."""
        row = MemoryRow("The treasure is zq1x.", "fact", readers=entity_id(self.char1))
        [self.row] = save(self.marrek, Commit(at=1.0, rows=[row]))
        self.marrek.journal.add_journal_entry("I saw zq2x.", readers=entity_id(self.char1))
        player = self.a_player("Cid")
        for account in (player.account, AnonymousUser()):
            answers = [*self.texts(account)]
            assert len(answers) > 20
            assert not CANARY.search("".join(answers))
        assert {*CANARY.findall("".join(self.texts(self.account)))} == {"zq1x", "zq2x"}
