"""What a language model says of itself and no character ever does: data, a pattern a language."""

from __future__ import annotations

import re

_AS_A_MODEL = (
    r"\bas an? (?:AI|artificial intelligence|large language|language)[ -](?:language )?"
    r"(?:model|assistant)\b",
    r"\bI(?:'m| am) (?:just |only )?an? (?:AI |large |AI large )?language model\b",
    r"\bI was (?:trained|created|made|developed) by (?:OpenAI|Anthropic|Google|Meta|Mistral|"
    r"Alibaba|DeepSeek|Microsoft)\b",
    r"\bals (?:ein |eine )?(?:KI[- ]|großes )?(?:Sprachmodell|KI-Modell|KI-Assistent)",
    r"\bcomo (?:un |um )?(?:gran |grande )?modelo de (?:lenguaje|linguagem|IA)\b",
    r"\ben tant (?:que|qu')\s?(?:grand )?(?:modèle de langage|assistant IA|IA\b)",
    r"\bcome (?:un )?(?:grande )?modello linguistico\b",
    r"\bкак (?:большая )?языковая модель\b",
    r"作为(?:一个|一名)?(?:大型)?(?:AI|人工智能)?(?:语言模型|助手)",
    r"(?:AI|人工知能|大規模)?言語モデルとして",
)
_MODEL = re.compile("|".join(_AS_A_MODEL), re.IGNORECASE)


def is_out_of_character(text: str) -> bool:
    """Does a model speak of itself here? To refuse something is no sign of it: characters do."""
    return bool(_MODEL.search(text.replace("’", "'")))
