"""The forms in which models write tool calls into their text: one reader for each.

Every reader takes a place in a text, and tells the calls that begin there and where they end.
What breaks off is a call with its problem, never one that was completed by guessing.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_json import LONGEST, arguments_at, value_at
from ai_assistant.core.model_records import ToolCall
from ai_assistant.llm.reply_context import ReplyContext
from ai_assistant.llm.textcalls import MAX_CALLS, broken_call, call_of, calls_in, words_beside

_Read = tuple[tuple[ToolCall, ...], int]
_NAME = r"[A-Za-z_][\w.-]{0,63}"
_TAG = (
    r"(?:tool_call|function_call|functioncall|TOOLCALL|tool_use|execute_tool|tool_request|tool_code"
    r"|start_function_call|tool)"
)
_BRACKET = r"\[(?:TOOL_CALLS?|TOOL_REQUEST)\]"
_BEFORE = (
    r"(?:(?:[>*`-]|\d{1,2}[.)]|(?:\w{1,20}_)?[Cc]all:|tool_code\b:?\s*|await\b|to=)[ \t]*){0,4}"
)
"""What models put before a call on its line: marks of a quote, a list, code or a console."""
BEGINS = (
    rf"(?={_BEFORE}(?:[\[{{<]|(?:Action|Tool|Function):|(?:print\()?{_NAME}(?:\(|:?[ \t]*\{{)))"
)
"""Where a call may begin on a line of its own."""
BEGINS_ANYWHERE = (
    rf"(?=\{{\s*[\"']|<{_TAG}>|<(?:whisper|page)[ >]|<function=|{_BRACKET}|<\|python_tag\|>"
    rf"|(?:`|tool_code:\s*){_NAME}\()"
)
"""Where one may begin in the midst of words."""
_MARK = re.compile(
    rf"(?:<{_TAG}>\s*)?<function=(?P<function>{_NAME})>"
    rf"|(?:<{_TAG}>\s*)?<(?:antml:)?invoke name=[\"'](?P<invoke>{_NAME})[\"']>"
    rf"|(?:<{_TAG}>\s*)?<(?:tool_)?name>\s*(?P<tag>{_NAME})\s*</(?:tool_)?name>"
    r"(?=\s*(?:<(?:arguments|parameters|input|args)>\s*)?\{)(?:\s*<\w+>)?"
    rf"|<{_TAG}>|{_BRACKET}|<\|python_tag\|>|<\|tool_calls?(?:_begin)?\|>|<｜tool▁call▁begin｜>"
    rf"|<\|channel\|>commentary to=(?:functions\.)?(?P<channel>{_NAME})[^<\n]{{0,40}}"
    r"(?:<\|constrain\|>\w+)?<\|message\|>"
)
_CLOSERS = re.compile(
    rf"(?:\s*(?:</{_TAG}>|<end_function_call>|</(?:arguments|parameters|input|args|function)>"
    r"|</(?:antml:)?invoke>|\[(?:/TOOL_CALLS?|END_TOOL_REQUEST)\]|<\|/tool_call\|>"
    r"|<\|tool_call_end\|>|<｜tool▁call▁end｜>|<\|call\|>|```))+"
)
_BEFORE_CALL = re.compile(_BEFORE)
_CODE_ENDS = re.compile(r"`(?!`)|\*{1,3}(?=\s*(?:\n|\Z))")
_SEPARATOR = re.compile(r"[\s,;]*")
_NAMED = re.compile(
    rf"\s*(?:function<｜tool▁sep｜>)?(?:functions\.)?(?P<name>{_NAME})(?::\d+)?\s*"
    r"(?:<｜tool▁sep｜>|<\|tool_call_argument_begin\|>|\[ARGS\])?\s*(?:```\w*\s*)?(?=\{)"
)
_PARAMETER = re.compile(
    r"<(?:antml:)?(?:parameter|param|arg)(?:=|\s+name=)[\"']?(?P<key>[\w.-]{1,64})[\"']?\s*>\n?"
    r"(?P<value>.*?)\n?</(?:antml:)?(?:parameter|param|arg)>"
    r"|<arg_key>\s*(?P<arg>[\w.-]{1,64})\s*</arg_key>\s*<arg_value>(?P<given>.*?)</arg_value>",
    re.DOTALL,
)
_BEFORE_ARGUMENTS = re.compile(rf"\s*(?P<name>{_NAME})\s*(?=<arg_key>|</tool_call>)")
_FUNCTION = re.compile(
    rf"{_BEFORE}(?P<act>(?:Action|Tool|Function):\s*)?(?P<print>print\()?(?P<name>{_NAME})"
    r"(?:(?=\()|(?:\s*\n\s*(?:Action Input|Arguments|Parameters|Args|Input))?:?[ \t]*(?=\{))"
)
_KEYWORD = re.compile(r"\(\s*[A-Za-z_]\w*\s*=\s*[\"'\[{\d-]|\{\s*[\"']")
_WHOLE_LINE = re.compile(r"\([^\n]*\)(?=[*`\s]*(?:\n|\Z))")
_ELEMENT = re.compile(
    rf"<(?P<tag>{_NAME})(?P<given>(?:\s+[\w.-]{{1,64}}=(?:\"[^\"<>]*\"|'[^'<>]*'))*)\s*(?P<empty>/)?>"
)
_GIVEN = re.compile(r"([\w.-]+)=[\"']([^<>]*?)[\"'](?=\s|\Z)")
_CHILD = re.compile(r"<([\w.-]{1,64})>([^<]*)</\1>")


class CallBlock(NamedTuple):
    """Calls that stand together in a text."""

    end: int
    """The place in the text right behind them and their marks."""
    calls: tuple[ToolCall, ...]
    """In the order in which they were written."""
    marked: bool
    """Did marks say that calls follow? Then they are meant as such."""
    words: str = ""
    """What the object says beside its calls; empty for nothing."""


def block_at(text: str, at: int, asked: ReplyContext) -> CallBlock | None:
    """Return the calls that begin at this place of a text; None where words do."""
    begin = _past(_BEFORE_CALL, text, at)
    mark = _MARK.match(text, begin)
    if mark:
        return _marked(text, mark, asked)
    if element := _element(text, begin, asked):
        return element
    found = value_at(text, begin)
    broken_off = found is None and text[begin : begin + 1] in ("{", "[")  # not to be read twice
    read = None if broken_off else _sequence(text, begin, asked)
    if read is None and found is None and (broken := broken_call(text, begin, asked.known)):
        read = (broken,), len(text)
    read = read or _functions(text, begin, asked)
    if read is None:
        return None
    calls, end = read
    words = words_beside(found.value) if found else ""
    return CallBlock(_past(_CODE_ENDS, text, end), calls, False, words)


def _element(text: str, at: int, asked: ReplyContext) -> CallBlock | None:
    tag = _ELEMENT.match(text, at)
    if tag is None:
        return None
    given: Json = dict(_GIVEN.findall(tag["given"]))
    name = given.pop("name", "") if re.fullmatch(_TAG, tag["tag"]) else tag["tag"]
    name, closer = asked.name_of(name), f"</{tag['tag']}>"
    closed = tag.end() if tag["empty"] else text.find(closer, tag.end())
    inner = "" if tag["empty"] else text[tag.end() : closed if closed >= 0 else len(text)].strip()
    end = len(text) if closed < 0 else closed + len(closer) * (not tag["empty"])
    if name not in asked.known:
        return None
    call = call_of(name, _within(inner, given, name, asked) if closed >= 0 else None)
    return CallBlock(end, (call,), True)


def _within(inner: str, given: Json, name: str, asked: ReplyContext) -> Any:
    made = given | {key: value.strip() for key, value in _CHILD.findall(inner)}
    if made != given or not inner:
        return made
    return inner if inner.startswith("{") else asked.positional(name, [inner], given)


def _marked(text: str, mark: re.Match[str], asked: ReplyContext) -> CallBlock:
    """Read what stands between marks that nobody would say."""
    begin = mark.end()
    name = mark["function"] or mark["invoke"] or mark["tag"] or mark["channel"] or ""
    read = (
        _arguments(text, begin, name)
        or _tagged(text, begin, name, asked)
        or _sequence(text, begin, asked)
        or _functions(text, _past(_SEPARATOR, text, begin), asked)
    )
    if read is None:
        closer, named = _CLOSERS.search(text, begin), _NAMED.match(text, begin)
        name = name or (named["name"] if named else "")
        broken = None if name else broken_call(text, begin, asked.known)
        read = (broken or call_of(name, None),), closer.start() if closer else len(text)
    calls, end = read
    closer = _CLOSERS.match(text, end)
    return CallBlock(closer.end() if closer else end, calls, True)


def _arguments(text: str, at: int, name: str) -> _Read | None:
    """Read ``look {"at": "o1"}``, or only the arguments where a mark gave the name."""
    named = None if name else _NAMED.match(text, at)
    begin = named.end() if named else _past(_SEPARATOR, text, at)
    name = named["name"] if named else name
    found = value_at(text, begin) if name else None
    if found is None or not isinstance(found.value, dict):
        return None
    return (call_of(name, found.value),), found.end


def _tagged(text: str, at: int, name: str, asked: ReplyContext) -> _Read | None:
    """Read arguments that have a tag each; without its end nothing of it is done."""
    named = None if name else _BEFORE_ARGUMENTS.match(text, at)
    name = named["name"] if named else name
    closer = _CLOSERS.search(text, at, at + LONGEST)
    if not name or closer is None:
        return None
    given: Json = {}
    for tag in _PARAMETER.finditer(text, at, closer.start()):
        key = tag["key"] or tag["arg"]
        value = tag["value"] if tag["key"] else tag["given"]
        if not asked.is_text(name, key):  # a number, a list or a truth, if it is one
            value = value.strip()
            found = value_at(f"[{value}]", 0)
            value = found.value[0] if found and len(found.value) == 1 else value
        given[key] = value
    return (call_of(name, given),), closer.start()


def _sequence(text: str, at: int, asked: ReplyContext) -> _Read | None:
    """Read JSON calls one after the other, single or in lists; all must be calls."""
    calls: list[ToolCall] = []
    end = at
    for _ in range(MAX_CALLS):
        begin = _past(_SEPARATOR, text, end)
        found = value_at(text, begin)
        made = calls_in(found.value, asked.known) if found else ()
        if found is None or not made:
            break
        calls += made
        end = found.end
    return (tuple(calls), end) if calls else None


def _functions(text: str, at: int, asked: ReplyContext) -> _Read | None:
    """Read ``look(at="o1")`` or ``look {"at": "o1"}``, and several of them in a list."""
    listed = text[at : at + 1] == "["
    calls: list[ToolCall] = []
    end = at + listed
    for _ in range(MAX_CALLS):
        read = _function(text, _past(_SEPARATOR, text, end), asked)
        if read is None:
            break
        calls += read[0]
        end = read[1]
        if not listed:
            break
    closed = not listed or text[end : end + 1] == "]"
    return (tuple(calls), end + listed) if calls and closed else None


def _function(text: str, at: int, asked: ReplyContext) -> _Read | None:
    found = _FUNCTION.match(text, at)
    if found is None:
        return None
    name, begin = asked.name_of(found["name"]), found.end()
    keyword = _KEYWORD.match(text, begin) is not None
    if not (name in asked.known or (keyword and (found["act"] or text[begin] == "("))):
        return None
    given = arguments_at(text, begin) or value_at(text, begin)
    if given is None:
        whole = _WHOLE_LINE.match(text, begin) if found["name"] in asked.known else None
        end = whole.end() if whole and not keyword else len(text)
        return ((call_of(name, None),), end) if keyword or whole else None
    end = given.end + (found["print"] is not None and text[given.end : given.end + 1] == ")")
    arguments = given.value
    if isinstance(arguments, list):
        arguments = asked.positional(name, arguments)
    return (call_of(name, arguments),), end


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return where that ends which may stand at a place of a text."""
    found = pattern.match(text, at)
    return found.end() if found else at
