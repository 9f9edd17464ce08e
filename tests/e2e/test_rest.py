"""The REST API over a real server: a token made by command, a program that reads, writes, asks."""

import base64
import json
import urllib.error
import urllib.request

from tests.e2e.harness import PATIENCE, wait_for


def asked(village, token, method, address, sent=None):
    """Return status and JSON of a request; bytes are sent as a file."""
    is_file = isinstance(sent, bytes)
    kind = "application/gzip" if is_file else "application/json"
    request = urllib.request.Request(
        f"http://127.0.0.1:{village.base + 1}/ai/api/{address}",
        data=sent if is_file or sent is None else json.dumps(sent).encode(),
        method=method,
        headers={"Authorization": f"Bearer {token}", "Content-Type": kind},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())


def result_of(village, token, begun):
    """Return what comes of a job, once it is done."""
    status, told = begun
    assert status == 202, told
    address = f"jobs/{told['data']['job']}/"

    def is_over():
        return asked(village, token, "GET", address)[1]["data"]["state"] != "running"

    wait_for(is_over)
    return asked(village, token, "GET", address)[1]["data"]["result"]


def test_a_whole_assistant_goes_out_and_comes_in(village):
    """By a program alone; a file that is too large is refused, with what to do instead."""
    with village.owner() as owner:
        token = owner.ask("ai/token mover", r"aia_[\w-]{43}").group()
        _, seen = asked(village, token, "GET", "assistants/")
        numbers = {one["name"]: one["number"] for one in seen["data"]["assistants"]}
        tansy = f"assistants/{numbers['Tansy Brewell']}/"
        room = asked(village, token, "GET", tansy)[1]["data"]["room"]
        gone = result_of(village, token, asked(village, token, "POST", f"{tansy}whole/"))
        file, address = base64.b64decode(gone["file"]), f"assistants/whole/?room={room}"
        made = result_of(village, token, asked(village, token, "POST", address, file))
        assert (made["name"], made["room"]) == ("Tansy Brewell 2", room)
        status, told = asked(village, token, "POST", address, bytes(16_000_001))
        assert status == 413
        assert "evennia ai_import" in told["error"]["message"]
        sure = f"assistants/{made['number']}/?sure=Tansy%20Brewell%202"
        assert asked(village, token, "DELETE", sure)[0] == 200
        owner.ask("ai/token mover = revoke", r"good for nothing")


def test_a_program_works_with_a_token(village):
    """It reads, gives a goal, waits for an answer, and is nobody once the token is revoked."""
    with village.owner() as owner:
        token = owner.ask("ai/token bot", r"aia_[\w-]{43}").group()
        status, seen = asked(village, token, "GET", "assistants/")
        assert status == 200
        names = {one["name"]: one["number"] for one in seen["data"]["assistants"]}
        tansy = f"assistants/{names['Tansy Brewell']}/"
        goal = {"description": "Sweep the floor"}
        assert asked(village, token, "POST", f"{tansy}goals/", goal)[0] == 201
        assert asked(village, token, "POST", f"{tansy}goals/", {})[0] == 400
        owner.ask("aigoal tansy", r"Sweep the floor")
        status, begun = asked(
            village, token, "POST", f"{tansy}questions/", {"text": "Who are you?"}
        )
        assert status == 202
        job = f"jobs/{begun['data']['job']}/"
        wait_for(lambda: asked(village, token, "GET", job)[1]["data"]["state"] == "done")
        owner.ask("ai/token bot = revoke", r"good for nothing")
        assert asked(village, token, "GET", "assistants/")[0] == 401
    assert token not in village.logs(2000)
