"""What a model thinks aloud, and the tokens of its chat template: nothing of it is an answer."""

from __future__ import annotations

import re

from ai_assistant.core.model_json import value_at

_NAMES = r"(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)"
_THOUGHT = re.compile(
    rf"<({_NAMES})>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)|◁think▷.*?(?:◁/think▷|\Z)"
    r"|<\|begin_of_thought\|>.*?(?:<\|end_of_thought\|>|\Z)"
    r"|<\|channel\|>analysis<\|message\|>.*?(?:<\|end\|>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_ENDS = re.compile(rf"</{_NAMES}>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>", re.IGNORECASE)
_BEGINS = re.compile(
    r"\A(?:\[/INST\]\s*|<\|(?:im_start|start)\|>assistant\s*|<\|start_header_id\|>assistant<\|end_header_id\|>\s*"
    r"|<start_of_turn>model\s*|<\|(?:begin_of_text|assistant)\|>\s*|<s>\s*|<bos>\s*"
    r"|<\|channel\|>(?:final|commentary)<\|message\|>)+"
)
_ENDS = re.compile(
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


def without_thoughts(text: str) -> str:
    """Cut out what a model thinks aloud, also where a tag is missing its partner."""
    text = _THOUGHT_ENDS.split(_THOUGHT.sub("", text))[-1].strip()
    if text.startswith("Thought:"):
        text = _FINAL.sub("", _REASONED.sub("", text))
    return text.strip()


def without_template(text: str) -> str:
    """Cut off what belongs to the turn of somebody else, and the marks of the own one."""
    text = _BEGINS.sub("", _HANDED_ON.sub("\n", text).strip())
    return _ENDS.split(text, maxsplit=1)[0].strip()


def outside_thoughts(content: str) -> str:
    """Cut out thoughts, but not the words of leading calls that merely look like one."""
    calls = ""
    for _ in range(_LEADING):
        found = value_at(content, 0) if content.startswith("{") else None
        if found is None:
            break
        calls, content = f"{calls}{content[: found.end]}\n", content[found.end :].strip()
    return calls + _LABEL.sub("", without_template(without_thoughts(content)))
