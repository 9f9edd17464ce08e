"""The offline model: the `Model` port without any model behind it, ready at once, always the same.

It sees what every model sees, the messages and the tools of a request, and answers with tool
calls: first what must be known or done, then one line in the character's voice.
"""

from __future__ import annotations

import json
from dataclasses import replace

from ai_assistant.contracts import ModelReply, ModelRequest, ToolCall, Usage
from ai_assistant.llm.offline import compose, plans
from ai_assistant.llm.offline.intents import intents
from ai_assistant.llm.offline.plans import Wish
from ai_assistant.llm.offline.reading import read
from ai_assistant.llm.offline.turn import turns
from ai_assistant.llm.offline.unasked import own_accord
from ai_assistant.llm.offline.view import View
from ai_assistant.llm.offline.voice import sheets
from ai_assistant.planning.templates import subtasks_by_rule

NAME = "offline"
CHARS_PER_TOKEN = 4
"""What a token is taken to be, for counting usage as a paid model would."""
_ENDS = {*compose.SPEECH, "wait"}
MAX_CALLS = 4
"""Tool calls of one step."""


class OfflineModel:
    """Answers every request from rules and from what the prompt holds; raises nothing."""

    def __init__(self) -> None:
        """Read the wording now, so that the first turn does not."""
        for name in ("lines", "tempers", "trades"):
            sheets(name)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply: tool calls among the tools offered, or nothing to do."""
        if request.context_type == "goal_decompose":
            return _steps(request)
        view = read(request)
        in_words = bool(view.events) and not _ENDS & view.tools.keys()
        if in_words:  # an errand: nobody hears it, its words go to whoever asked
            view = replace(view, tools={**view.tools, "say": {}})
        step = sum(1 for message in request.messages if message.tool_calls)
        calls = tuple(
            ToolCall(f"offline_{step}_{index}", name, {"reasoning": _reason(view, name), **given})
            for index, (name, given) in enumerate(_decide(view)[:MAX_CALLS])
            if name in view.tools
        )
        words = next((one.arguments["text"] for one in calls if in_words and one.name == "say"), "")
        return ModelReply(
            text=words,
            tool_calls=() if words else calls,
            usage=_usage(request, calls),
            model=NAME,
            finish_reason="tool_calls" if calls and not words else "stop",
        )


def _steps(request: ModelRequest) -> ModelReply:
    """Return the steps towards a goal, as any model is asked to give them."""
    asked = json.loads(request.messages[-1].content)
    text = json.dumps(subtasks_by_rule(str(asked.get("goal", ""))))
    usage = Usage(len(request.messages[-1].content) // CHARS_PER_TOKEN, len(text), known=True)
    return ModelReply(text=text, usage=usage, model=NAME)


def _decide(view: View) -> list[Wish]:
    if view.autonomous:
        return plans.work(view) or [own_accord(view)]
    wanted = turns(view, intents(view))
    if not wanted or any(one.name in compose.SPEECH for one in view.done):
        return [("wait", {})]
    if not view.done:
        first = compose.preparations(wanted)
        if first:
            return first
    return plans.follow_up(view) or [compose.reply(wanted)]


def _reason(view: View, tool: str) -> str:
    if view.autonomous:
        return "The next step." if tool in ("update_goal", "update_project") else "Nobody asks."
    names = ", ".join(dict.fromkeys(line.name for line in view.events))
    return (
        f"{names or 'Somebody'} wants an answer."
        if tool in compose.SPEECH
        else (f"Needed to answer {names}.")
    )


def _usage(request: ModelRequest, calls: tuple[ToolCall, ...]) -> Usage:
    prompt = sum(len(message.content) for message in request.messages)
    answer = sum(len(call.name) + len(json.dumps(call.arguments)) for call in calls)
    return Usage(prompt // CHARS_PER_TOKEN, answer // CHARS_PER_TOKEN, known=True)
