"""The hand as people run it: a process that listens, and commands that answer."""

import json
import subprocess
import sys
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from ai_assistant.testing.box import Box
from ai_assistant.testing.by_hand import ByHand
from tests.unit.testing.asking import ask, body, message, waiting

MODULE = "ai_assistant.testing.by_hand"


def command(folder, *arguments, given=None):
    return subprocess.run(
        [sys.executable, "-m", MODULE, "--box", str(folder), *arguments],
        capture_output=True,
        text=True,
        input=given,
        check=False,
    )


def test_it_is_played_from_a_shell(tmp_path):
    """Somebody reads the next request and answers it, by two commands."""
    with ByHand(tmp_path / "box", timeout=60.0) as hand:
        answer_from_a_shell(hand)


def answer_from_a_shell(hand):
    assert command(hand.box.folder, "--next").returncode == 1
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(ask, hand, body("Who is it?"))
        shown = command(hand.box.folder, "--next", "--wait", "30")
        assert "Who is it?" in shown.stdout
        bad = command(hand.box.folder, "--reply", "0001", '{"txt": 1}')
        assert (bad.returncode, "txt" in bad.stderr) == (1, True)
        assert command(hand.box.folder, "--answer", "0001", "-", given="Me.\n").returncode == 0
        assert message(asking.result())["content"] == "Me."


def test_it_runs_as_a_process(tmp_path):
    """The command says where it listens, on this machine alone, and ends when told to."""
    with subprocess.Popen(
        [sys.executable, "-m", MODULE, "--box", str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        url = process.stdout.readline().split()[-1]
        assert url.startswith("http://127.0.0.1:")
        writing = threading.Thread(
            target=lambda: Box(tmp_path).write_reply(waiting(Box(tmp_path)), "Good day.")
        )
        writing.start()
        request = urllib.request.Request(f"{url}/chat/completions", json.dumps(body()).encode())
        with urllib.request.urlopen(request, timeout=60) as response:
            assert json.load(response)["choices"][0]["message"]["content"] == "Good day."
        writing.join()
        process.terminate()
        assert process.wait(60) == 0
