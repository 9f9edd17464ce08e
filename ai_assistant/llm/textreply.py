"""An answer's text: the calls that it makes, the words beside them, and thoughts that are neither.

Where a model has a better way to make calls, one that it only writes among its words is not done
but told so. What somebody else wrote is a quote, whatever it looks like: neither done nor spoken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ai_assistant.core.model_json import ATTEMPTS, value_at
from ai_assistant.core.model_records import ToolCall
from ai_assistant.llm.call_formats import BEGINS, BEGINS_ANYWHERE, CallBlock, block_at
from ai_assistant.llm.play_layout import acts_of_play
from ai_assistant.llm.reply_context import ReplyContext
from ai_assistant.llm.textcalls import MAX_CALLS, NOTEBOOK, play_gesture, words_in

LONGEST_TEXT = 32_768
"""Characters of an answer that are looked at; far more than is ever spoken or done."""
AMONG_WORDS = "Written among your words it was not done: make it as a tool call."

_WRAPPERS = re.compile(
    r"</?(?:antml:)?(?:tool_calls|function_calls|tools)>|<｜tool▁calls▁(?:begin|end)｜>"
    r"|<\|tool_calls_section_(?:begin|end)\|>"
    r"|</?(?:say|speech|response|reply|answer|message|output|final|emote|pose|action|gesture)>"
)
_GESTURE = re.compile(r"<(emote|pose|action|gesture)>(?!\s*[\w.]+\()([^<>{}]*)(?:</\1>|\Z)")
_RESULTS = re.compile(
    r"^(?:Result of (?P<tool>[\w.-]+):|(?P<told>Observation:))|<tool_response>", re.MULTILINE
)
_MARKED_NAME = re.compile(r"[*`]{1,3}(\w{1,64})[*`]{1,3}(?=\(|\s*\Z)")
_LINE = rf"^[^\S\n]*(?:```[\w-]*\s*?\n?[^\S\n]*)?{BEGINS}"
_BEGIN = re.compile(rf"(?P<line>{_LINE})|{BEGINS_ANYWHERE}", re.MULTILINE)
_NEXT = re.compile(rf"(?P<line>[\s,;]*(?:```\w*\s*)*){BEGINS}")
_FENCE = re.compile(r"^\s*```\w*\s*$|```\w*\s*```", re.MULTILINE)
_LEFT_OVER = re.compile(
    r"</?(?:tool_(?:call|use|request|code)|execute_tool|(?:start_|end_)?function_?call|TOOLCALL"
    r"|function|invoke)\b[^<>\n]*>|\[/?TOOL_CALLS?\]|\[(?:END_)?TOOL_REQUEST\]|<[|｜][^<>\n]{1,40}[|｜]>"
)

_THOUGHTS = r"(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)"
_THOUGHT = re.compile(
    rf"<({_THOUGHTS})>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)|◁think▷.*?(?:◁/think▷|\Z)"
    r"|<\|begin_of_thought\|>.*?(?:<\|end_of_thought\|>|\Z)"
    r"|<\|channel\|>analysis<\|message\|>.*?(?:<\|end\|>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_ENDS = re.compile(
    rf"</{_THOUGHTS}>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>", re.IGNORECASE
)
_TEMPLATE_BEGINS = re.compile(
    r"\A(?:\[/INST\]\s*|<\|(?:im_start|start)\|>assistant\s*|<\|start_header_id\|>assistant<\|end_header_id\|>\s*"
    r"|<start_of_turn>model\s*|<\|(?:begin_of_text|assistant)\|>\s*|<s>\s*|<bos>\s*"
    r"|<\|channel\|>(?:final|commentary)<\|message\|>)+"
)
_TEMPLATE_ENDS = re.compile(
    r"<\|(?:im_end|im_start|eot_id|eom_id|endoftext|end_of_text|return|user|start_header_id)\|>"
    r"|</s>|<eos>|<end_of_turn>|<start_of_turn>|\[/?INST\]"
)
_HANDED_ON = re.compile(
    r"(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>|<\|end\|>"
)
_REASONED = re.compile(r"\AThought:.*?\n(?=(?:Action|Final Answer):)", re.DOTALL)
_FINAL = re.compile(r"^Final Answer:\s*", re.MULTILINE)
_LABEL = re.compile(
    r"\A(?:assistant\n+|(?:#{1,4} ?|\*\*)?(?:Assistant|Final Answer)(?:\*\*)?:(?:\*\*)?\s*"
    r"|#{1,4} ?(?:Response|Answer|Reply):?\s*\n)",
    re.IGNORECASE,
)
_LEADING = 16
PLAIN_WORDS = re.compile(r"(?!(?i:emote) )[\w .,!?'’…—–-]{1,2000}")
"""Words on one line in which no call, thought, gesture or mark of a template can be hidden."""


def read_text(
    text: str, asked: ReplyContext, *, native: bool, beside: bool = False
) -> tuple[tuple[ToolCall, ...], str]:
    """Return the calls that an answer makes in its text, and the words beside them.

    `native` says that the model has another way to make calls, `beside` that it made some in that
    way.
    """
    calls: list[ToolCall] = []
    words: list[str] = []
    text = _unmarked(text[:LONGEST_TEXT].replace("<escape>", '"').strip(), asked)
    text = _WRAPPERS.sub("\n", _GESTURE.sub(lambda found: f"\n{play_gesture(found[2])}\n", text))
    for found in _RESULTS.finditer(text):  # as only we tell them: the model made them up
        if not found["told"] and (found["tool"] is None or found["tool"] in asked.known):
            text = text[: found.start()]
            break
    pieces = list(_pieces(text, asked))
    alone = not any(_FENCE.sub("", piece).strip() for piece in pieces if isinstance(piece, str))
    for piece in pieces:
        if isinstance(piece, str):
            words.append(piece)
        else:
            words.append(piece.words)
            own = [call for call in map(asked.named, piece.calls) if not asked.quotes(call)]
            as_made = not beside and (alone or piece.marked or not native)
            calls += own if as_made else map(_refused, own)
    done, said = acts_of_play(_plain("".join(words)), asked)
    return (*calls, *done)[:MAX_CALLS], said


def _unmarked(text: str, asked: ReplyContext) -> str:
    """Take emphasis off the name of a tool that is called; nothing but such a name is nothing."""

    def bare(found: re.Match[str]) -> str:
        called = asked.name_of(found[1]) in asked.known and found.end() < len(text)
        return found[1] if called else found[0]

    whole = _MARKED_NAME.fullmatch(text)
    return "" if whole and asked.name_of(whole[1]) in asked.known else _MARKED_NAME.sub(bare, text)


def _pieces(text: str, asked: ReplyContext) -> Iterator[str | CallBlock]:
    """Yield words and blocks of calls as they follow each other; of a flood only the beginning.

    Marks in the midst of a line count for nothing. What follows calls as their result ends it;
    without a call before, it is words.
    """
    done = at = count = 0
    lined = False
    for _ in range(ATTEMPTS):
        begins = (_NEXT.match(text, at) if lined and done == at else None) or _BEGIN.search(
            text, at
        )
        if begins is None:
            break
        block = block_at(text, begins.end(), asked)
        if block is None:
            at = begins.end() + 1
            continue
        lined = begins["line"] is not None
        words = text[done : begins.start()]
        if done and (result := _RESULTS.search(words)):
            yield words[: result.start()]
            return
        yield words
        yield block._replace(marked=block.marked and lined)
        done = at = block.end
        count += len(block.calls)
        if count >= MAX_CALLS:
            return
    words = text[done:]
    result = _RESULTS.search(words) if done else None
    yield words[: result.start()] if result else words


def _refused(call: ToolCall) -> ToolCall:
    """Return a call with what is wrong about its place; a note may stand anywhere."""
    return call if call.name == NOTEBOOK else replace(call, problem=call.problem or AMONG_WORDS)


def _plain(said: str) -> str:
    """Return what is said without marks that stand alone, and without JSON around or behind it."""
    said = _FENCE.sub("", _LEFT_OVER.sub("", said)).strip()
    whole = value_at(said, 0)
    if whole is not None and whole.end == len(said):
        return words_in(whole.value)
    before, _, last = map(str.strip, said.rpartition("\n"))
    behind = value_at(last, 0)
    said = before if behind is not None and behind.end == len(last) else said
    return "" if said.startswith(('{"', '[{"')) else said


def without_thoughts(text: str) -> str:
    """Cut out what a model thinks aloud, marks of its template, and the turn of somebody else.

    Thoughts also where a tag is missing its partner.
    """
    text = _THOUGHT_ENDS.split(_THOUGHT.sub("", text))[-1].strip()
    if text.startswith("Thought:"):
        text = _FINAL.sub("", _REASONED.sub("", text)).strip()
    text = _TEMPLATE_BEGINS.sub("", _HANDED_ON.sub("\n", text).strip())
    return _TEMPLATE_ENDS.split(text, maxsplit=1)[0].strip()


def outside_thoughts(content: str) -> str:
    """Cut out thoughts, but not the words of leading calls that merely look like one."""
    calls = ""
    for _ in range(_LEADING):
        found = value_at(content, 0) if content.startswith("{") else None
        if found is None:
            break
        calls, content = f"{calls}{content[: found.end]}\n", content[found.end :].strip()
    return calls + _LABEL.sub("", without_thoughts(content))
