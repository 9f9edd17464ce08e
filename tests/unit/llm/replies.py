"""Answers of a server, and the request that they answer: what the tests of the wire share."""

import json

from ai_assistant.core.model_records import Message, ModelRequest, PromptSection
from ai_assistant.llm.wire import parse_reply


def offered(name, **parameters):
    """Return a tool as a model is shown it; the parameters by their types."""
    properties = {"reasoning": "string"} | parameters
    schema = {
        "type": "object",
        "properties": {key: {"type": kind} for key, kind in properties.items()},
        "required": ["reasoning"],
    }
    return {"type": "function", "function": {"name": name, "parameters": schema}}


TOOLS = (
    offered("look", at="string"),
    offered("give", item="string", to="string"),
    offered("emote", text="string"),
    offered("whisper", to="string", text="string"),
    offered("rate", delta="number"),
    offered("memory", action="string", content="string"),
)
UNSHOWN = (
    offered("say", text="string"),
    offered("page", text="string"),
    offered("channel_say", text="string"),
    offered("recall", query="string", who="string"),
)
PERSONA = PromptSection("persona", ({"name": "Tansy Brewell"},))
SEEN = PromptSection("seen", ({"handle": "p1", "name": "Mira"}, {"handle": "o1", "item": "bread"}))


def request(heard="Good day.", tools=TOOLS):
    """Return a request of Tansy's turn, in which somebody said that."""
    messages = (Message("system", "You are Tansy."), Message("user", heard, component=6000))
    return ModelRequest(messages, tools, (PERSONA, SEEN), registered=(*UNSHOWN, *TOOLS))


def completion(**message):
    """Return the bytes of a chat completion with that message."""
    choice = {"message": message, "finish_reason": message.pop("finish", "stop")}
    return json.dumps({"choices": [choice]}).encode()


def read(content, native=True, heard="Good day.", tools=TOOLS):
    """Return the reply that a model's text becomes."""
    return parse_reply(completion(content=content), request(heard, tools), native=native)
