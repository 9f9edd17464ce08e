"""The offline model: the `Model` port without any model behind it, ready at once, always the same.

It reads what a prompt was made of, and answers as any model does: first with the calls that its
words depend on, then in words, with what is noted or done besides.
"""

from __future__ import annotations

import json

from ai_assistant.core.contracts import ModelReply, ModelRequest, ToolCall, Usage
from ai_assistant.language.small_reader import warm
from ai_assistant.language.words import LETTERS_A_TOKEN, extent
from ai_assistant.llm.offline import compose, offline_plans
from ai_assistant.llm.offline.intents import intents
from ai_assistant.llm.offline.offline_night import consolidated
from ai_assistant.llm.offline.offline_plans import SILENCE, Answer
from ai_assistant.llm.offline.request_reader import read
from ai_assistant.llm.offline.request_view import View
from ai_assistant.llm.offline.speaker_part import turns
from ai_assistant.llm.offline.voice import sheets
from ai_assistant.planning.goals import subtasks_by_rule

NAME = "offline"
"""What a token is taken to be, for counting usage as a paid model would."""
MAX_CALLS = 4
"""Tool calls of one step."""


class OfflineModel:
    """Answers every request from rules and from what the prompt holds; raises nothing."""

    def __init__(self, language: str = "") -> None:
        """Read the wording now, so that the first turn does not; `language` is the game's."""
        self._language = language
        warm(language)
        for name in ("lines", "tempers", "trades"):
            sheets(name)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply: words, calls of tools that may be called, or both."""
        if text := self._written(request):
            return ModelReply(text=text, usage=_usage(request, text), model=NAME)
        view = read(request)
        answer = _decide(view)
        step = sum(1 for message in request.messages if message.tool_calls)
        calls = tuple(
            ToolCall(f"offline_{step}_{index}", name, {"reasoning": _reason(view), **given})
            for index, (name, given) in enumerate(answer.calls[:MAX_CALLS])
            if view.may(name)
        )
        said = answer.words + "".join(name + json.dumps(given) for name, given in answer.calls)
        return ModelReply(
            text=answer.words,
            tool_calls=calls,
            usage=_usage(request, said),
            model=NAME,
            finish_reason="tool_calls" if calls else "stop",
        )

    def _written(self, request: ModelRequest) -> str:
        """Return the answer to a job that is no turn; empty for a turn."""
        if request.context_type == "goal_decompose":
            return _steps(request)
        if request.job == "consolidate":
            return consolidated(request, self._language)
        return ""


def _steps(request: ModelRequest) -> str:
    """Return the steps towards a goal, as any model is asked to give them."""
    asked = json.loads(request.messages[-1].content)
    return json.dumps(subtasks_by_rule(str(asked.get("goal", ""))))


def _decide(view: View) -> Answer:
    if view.autonomous:
        return offline_plans.work(view) or compose.own_accord(view)
    wanted = turns(view, intents(view))
    if not wanted or any(one.name in compose.ENDS for one in view.done):
        return SILENCE
    if view.spoke:
        return compose.afterwards(wanted)
    first, beside = compose.preparations(wanted)
    if first and not view.done:
        return Answer(calls=first)
    return offline_plans.follow_up(view) or compose.reply(wanted, beside)


def _reason(view: View) -> str:
    if view.autonomous:
        return "The next step." if any(one.next for one in view.goals) else "Nobody asks."
    names = ", ".join(dict.fromkeys(line.name for line in view.events))
    return f"Needed to answer {names or 'somebody'}."


def _usage(request: ModelRequest, answer: str) -> Usage:
    prompt = sum(extent(message.content) for message in request.messages)
    return Usage(prompt // LETTERS_A_TOKEN, extent(answer) // LETTERS_A_TOKEN, known=True)
