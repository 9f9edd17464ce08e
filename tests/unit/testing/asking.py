"""Asking the hand over HTTP, and what lies before it meanwhile."""

import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

TOOL = {
    "type": "function",
    "function": {
        "name": "give",
        "description": "Hand something over.",
        "parameters": {
            "type": "object",
            "properties": {"item": {"type": "string", "enum": ["i1"]}, "why": {"type": "string"}},
            "required": ["item"],
        },
    },
}


def body(words="Hello?", **more):
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": words}]
    return {"model": "m", "messages": messages, "tools": [TOOL], **more}


def ask(hand, given, timeout=90):
    """Return (status, answer) of a chat request."""
    data = json.dumps(given).encode()
    request = urllib.request.Request(f"{hand.url}/chat/completions", data)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def answered(hand, given, reply):
    """Return (status, answer) of a request that is answered so as soon as it lies there."""
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(ask, hand, given)
        hand.box.write_reply(waiting(hand.box), reply)
        return asking.result()


def waiting(box):
    """Return the number of the first request that waits."""
    end = time.monotonic() + 60
    while not box.waiting():
        assert time.monotonic() < end, "nothing was laid down"
        time.sleep(0.02)
    return box.waiting()[0]


def message(answer):
    return answer[1]["choices"][0]["message"]
