"""A live test of a profile: is somebody there, how quick, with tool calls, JSON and room enough?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BadReply, ModelError
from ai_assistant.core.model_json import load_object
from ai_assistant.core.model_records import Message, ModelReply, ModelRequest
from ai_assistant.llm.model_list import TYPICAL_TURN, KnownModel
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.next_steps import next_step

Ask = Callable[[Profile, ModelRequest], Awaitable[ModelReply]]
SIZE = 7000
"""Tokens of the long prompt: as large as an assistant's may be (`max_context_tokens`)."""
WORD = "heliotrope"
_LETTERS_A_TOKEN = 4
_FILLER = "The ferry crossed the river at noon, came back empty, and waited for the evening bell. "
_CLOCK: Json = {
    "type": "function",
    "function": {
        "name": "read_clock",
        "description": "Tell the time of day.",
        "parameters": {"type": "object", "properties": {}},
    },
}
_CAT: Json = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
_HELLO = ("You are an innkeeper in a text game. Answer in one short sentence.", "Good morning!")
_TIME = ("Call the tool read_clock to answer; write nothing yourself.", "What does the clock say?")
_STORY = ("Somebody tells you of a cat.", "My cat is called Tom, and is seven years old.")
_ORDER = " Answer with one JSON object that has its name and its age, and with nothing else."


@dataclass(slots=True)
class Trial:
    """What a test showed, as far as it came; None is what could not be found out."""

    profile: Profile
    """Whose model was asked."""
    failure: ModelError | None = None
    """Why nobody answered: then nothing else is known."""
    seconds: float = 0.0
    """Until a short question was answered."""
    long_seconds: float = 0.0
    """Until a prompt as large as any was."""
    tools: bool | None = None
    """Does it make tool calls as such?"""
    schema: bool | None = None
    """Does the server hold an answer to a JSON schema?"""
    json: bool | None = None
    """Does the model write JSON where it is asked to?"""
    room: int = 0
    """Tokens of the prompt that was read to its beginning."""
    long_failure: ModelError | None = None
    """Why the large prompt was not answered; None where it was, or was not sent."""
    calls: int = 0
    """Calls that the test made, failed ones too."""
    tokens: int = 0
    """Tokens that they took, prompts and answers."""
    window: int = 0
    """Tokens that the model takes at a time, as its server says."""
    known: KnownModel = field(default_factory=KnownModel)
    """What is published of the model: its price and its window."""

    @property
    def fitting(self) -> Json:
        """The options of a profile that the test found out."""
        found = {"native_tools": self.tools, "json_schema": self.schema}
        return {name: value for name, value in found.items() if value is not None}


async def try_profile(profile: Profile, ask: Ask, now: Callable[[], float]) -> Trial:
    """Ask a profile's model four to five questions, one after the other, and return what came.

    `ask` makes one call, which is paid for and limited in time there; `now` tells seconds. Raises
    nothing of a `ModelError`.
    """
    trial = Trial(profile)

    async def asked(
        text: tuple[str, str], using: Profile, schema: Json | None = None
    ) -> ModelReply:
        system, user = text
        messages = (Message("system", system), Message("user", user))
        trial.calls += 1
        reply = await ask(using, ModelRequest(messages, job="trial", schema=schema or {}))
        trial.tokens += reply.usage.total
        return reply

    began = now()
    try:
        await asked(_HELLO, profile)
    except ModelError as error:
        trial.failure = error
        return trial
    trial.seconds = now() - began
    # as an extra of the body: a call that the model only writes into its text is none here
    with_tool = replace(profile, native_tools=True, extra=profile.extra | {"tools": [_CLOCK]})
    try:
        reply = await asked(_TIME, with_tool)
        trial.tools = any(call.name == "read_clock" for call in reply.tool_calls)
    except ModelError as error:
        trial.tools = None if error.passing else False
    await _try_json(trial, asked)
    began = now()
    try:
        reply = await asked(_long(), profile)
        trial.long_seconds = now() - began
        if WORD in reply.text.lower():
            trial.room = reply.usage.prompt_tokens or SIZE
    except ModelError as error:
        trial.long_failure = error
    return trial


async def _try_json(trial: Trial, asked: Callable[..., Awaitable[ModelReply]]) -> None:
    try:
        held = replace(trial.profile, json_schema=True)
        trial.schema = trial.json = _is_cat(await asked(_STORY, held, _CAT))
    except ModelError as error:
        trial.schema = None if error.passing else False
    if trial.schema:
        return
    try:
        system, user = _STORY
        trial.json = _is_cat(await asked((system + _ORDER, user), trial.profile))
    except ModelError:
        trial.json = None


def _is_cat(reply: ModelReply) -> bool:
    text = reply.text.strip().removeprefix("```json").strip("`").strip()
    try:
        return {"name", "age"} <= {key.lower() for key in load_object(text)}
    except BadReply:
        return False


def _long() -> tuple[str, str]:
    """Return a prompt as large as any; its end asks for a word at its beginning."""
    filler = _FILLER * (SIZE * _LETTERS_A_TOKEN // len(_FILLER))
    return f"The password of this evening is {WORD}. {filler}", "What is the password? One word."


def trial_lines(trial: Trial) -> list[str]:
    """Return what a test showed, line by line, with what to do about it."""
    profile = trial.profile
    title = f"{profile.name}: {profile.model} ({profile.provider})"
    if trial.failure is not None:
        return [f"{title} does not answer.", f"  {trial.failure}", *_steps(trial.failure, profile)]
    return [
        f"{title} answers.",
        f"  time: {trial.seconds:.1f} s for a short answer"
        + (f", {trial.long_seconds:.1f} s for a prompt of full size" if trial.room else ""),
        f"  tool calls: {_TOOLS[trial.tools]}",
        f"  JSON: {_JSON[trial.schema, trial.json]}",
        *_room_lines(trial),
        f"  price: {_price(trial.known)}",
        f"  this test: {trial.calls} calls, {trial.tokens:,} tokens, counted in the game's day",
    ]


_TOOLS = {
    True: "native",
    False: "none of its own; it writes them into its text (native_tools False)",
    None: "not known: no answer to that",
}
_NO_JSON = "it writes none; nights and summaries will be poor, so choose another model for them"
_JSON = {
    (True, True): "held to a schema by the server (json_schema True)",
    (False, True): "written where asked for (json_schema False)",
    (False, False): _NO_JSON,
    (False, None): "not known: no answer to that",
    (None, True): "written where asked for; the schema was not answered",
    (None, False): _NO_JSON,
    (None, None): "not known: no answer to that",
}


def _room_lines(trial: Trial) -> list[str]:
    said = trial.window or trial.known.window
    told = f"; the model takes {said:,}" if said else ""
    if trial.room:
        return [f"  context: {trial.room:,} tokens were read to their beginning{told}"]
    if trial.long_failure is not None:
        failed = f"  context: no answer to a prompt of {SIZE:,} tokens: {trial.long_failure}"
        return [failed + told, *_steps(trial.long_failure, trial.profile)]
    return [
        f"  context: the beginning of {SIZE:,} tokens was not seen{told}",
        "  Next: give the server a larger context (Ollama: OLLAMA_CONTEXT_LENGTH=8192), or lower "
        "max_context_tokens by ai/config.",
    ]


def _price(known: KnownModel) -> str:
    read, written = TYPICAL_TURN
    if known.price is None:
        return "none is published; nothing, where the server is your own"
    turn = f"a typical turn ({read:,} tokens read, {written} written)"
    return f"{turn} ${known.price:.5f}, a thousand of them ${known.price * 1000:.2f}"


def _steps(error: ModelError, profile: Profile) -> list[str]:
    return [f"  Next: {next_step(error, profile)}"]
