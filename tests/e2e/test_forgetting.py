"""Forgetting in a real game: not a byte of what was said is left on the disk or in memory."""

import base64
import json

import pytest

from tests.e2e.harness import Game, wait_for

TANSY = r"^Tansy Brewell "
WORDS = "quillthorn ochremarsh thistlewick vanderbrook saltpetrel gallowmere".split()
"""One for each way in which something is said or kept, as memory holds it, by its stem; nobody else
would use them."""
ARRANGE = (
    "from ai_assistant.api.handlers import save; "
    "from ai_assistant.core.contracts import Change, Commit, MemoryRow; "
    "from ai_assistant.game.identity import entity_id; "
    "from ai_assistant.runtime.service import SERVICE; "
    "from evennia import search_object; "
    "tansy, alice = search_object('Tansy Brewell')[0], search_object('Alice')[0]; "
)


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened, fake_model):
    """A village with a model."""
    settings = fake_model.settings()
    with Game.village(tmp_path_factory.mktemp("forgetting"), opened, settings=settings) as village:
        yield village.open()


@pytest.fixture
def model(fake_model):
    """The model's server, without script."""
    fake_model.reset(latency=0.05)
    yield fake_model
    fake_model.reset(latency=0.05)


def forms(word):
    """How a word may stand in a file: as it is, in any case, and inside of any base64 text."""
    for text in (word, word.upper(), word.capitalize()):
        yield text.encode()
        for shift in range(3):
            code = base64.b64encode(b"x" * shift + text.encode())
            yield code[4 if shift else 0 : -4]


def left_on_disk(game):
    """Return the words that stand in any file of the database, or in a log of the server."""
    folder = game.root / "server"
    files = [*folder.glob("evennia.db3*"), *folder.glob("logs/server.log*")]
    content = b"".join(path.read_bytes() for path in files)
    assert len(content) > 100_000
    return [word for word in WORDS if any(form in content for form in forms(word))]


def python(owner, code, pattern):
    """Let the owner run Python in the server; returns the match of what it prints."""
    return owner.ask(f"py {ARRANGE}{code}", pattern)


def plant(alice, owner, model):
    """Let Alice say, whisper and page, and let it be noted wherever something can be noted."""
    say, whisper, page, noted, written, waiting = WORDS
    observation = {"entity": "p1", "observation": f"The visitor's cat is named {noted}."}
    model.script(
        {"calls": [["update_entity_observation", observation], ["say", {"text": f"Oh, {say}!"}]]}
    )
    alice.ask(f"say hello tansy, have you heard of {say}?", f"{TANSY}says, .*{say}")
    model.script({"say": f"I know of {whisper}."})
    alice.ask(f"whisper tansy brewell = Keep it: {whisper}", f"{TANSY}whispers.*{whisper}")
    model.script({"say": f"Yes, {page}."})
    alice.ask(f"page tansy brewell = Are you there, {page}?", f"{page}\\.")
    steps = (
        f"note = dict(content='She says {written}.', at=1.0, author=entity_id(alice)); "
        f"quote = dict(content='Keep it: {whisper} was the word.', at=1.0); "
        "entry = dict(quote, source_type='observation'); "
        "fact = dict(note, memory_type='fact'); "
        "changes = [Change('notebook', '', 'append', note), "
        "Change('notebook', '', 'append', quote), "
        "Change('session', '', 'add_session_memory', fact), "
        "Change('journal', '', 'add_journal_entry', entry)]; "
        "rows = [MemoryRow(quote['content'], kind='summary')]; "
        "save(tansy, Commit(at=1.0, changes=changes, rows=rows)); self.msg('arranged')"
    )
    python(owner, steps, "^arranged")
    model.reset(latency=30)
    alice.send(f"say tansy, what do you think of {waiting}?")
    wait_for(model.requests)


def test_no_byte_is_left(game, model):
    """With the usual journal, then with a write-ahead log: no file holds a word of it."""
    alice, owner = game.join("Alice"), game.owner()
    forget = (
        "from ai_assistant.api.forgetting import forget_person; "
        "forget_person(alice, by=self).addBoth(lambda report, me=self: "
        "me.msg(f'forgotten: {report}; {report.clean}'))"
    )
    search = (
        "import pickle; mind = SERVICE.residents[entity_id(tansy)].mind; "
        "held = pickle.dumps(mind.recall.index); "
        "held += repr((mind.heard, mind.store.triggers.waiting())).encode(); "
        f"self.msg('in memory: %d' % sum(map(held.__contains__, map(str.encode, {WORDS}))))"
    )
    for mode in ("delete", "wal"):
        switch = f"c.cursor().execute('PRAGMA journal_mode={mode}'); self.msg('switched')"
        python(owner, f"from django.db import connection as c; {switch}", "^switched")
        plant(alice, owner, model)
        assert left_on_disk(game) == WORDS
        python(owner, search, "in memory: 6")
        report = python(owner, forget, "^forgotten: (.*); (True|False)")
        assert report.group(2) == "True", report.group()
        python(owner, search, "in memory: 0")
        assert left_on_disk(game) == []
        model.reset(latency=0.05)
    audited = game.sql("select data from ai_assistant_event where type = 'Forgotten'")
    assert [json.loads(data)["scope"] for (data,) in audited] == ["own", "own"]
