"""The REST API over a real server: a token made by command, a program that reads, writes, asks."""

import json
import urllib.error
import urllib.request

from tests.e2e.harness import wait_for


def asked(village, token, method, address, sent=None):
    """Return status and JSON of a request."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{village.base + 1}/ai/api/{address}",
        data=None if sent is None else json.dumps(sent).encode(),
        method=method,
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())


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
