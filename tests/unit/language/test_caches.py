"""What reading a text leaves in memory goes when texts are forgotten."""

import importlib
import pkgutil

from ai_assistant import language, llm, memory
from ai_assistant.core import times
from ai_assistant.language import (
    clause_patterns,
    loading,
    plain_english,
    small_reader,
    spelling,
    talk_signs,
    turning,
    words,
)
from ai_assistant.llm import client
from ai_assistant.memory.inner import persona_guard
from ai_assistant.prompts import phrase_book

OF_OUR_OWN_WORDS = {
    client._certificates,
    turning._pattern,
    spelling._common,
    phrase_book.sheets,
    loading.entries_everywhere,
    loading.load_language,
    talk_signs._pattern,
    talk_signs._worn,
    persona_guard._words,
    clause_patterns._compiled,
    times.epoch,
}
"""Caches of what was written here, or of times, not of what anybody said."""


def cached_functions():
    """Return every function of these packages of ours that remembers what it was asked."""
    found = set()
    for package in (memory, language, llm):
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(one.name)
            found |= {value for value in vars(module).values() if hasattr(value, "cache_info")}
    ours = {one for one in found if one.__module__.startswith("ai_assistant.")}
    return ours - OF_OUR_OWN_WORDS


def test_forgetting_empties_every_cache_that_holds_words():
    """No cache is left out, whatever was read before."""
    held = cached_functions()
    text = "I sold the lute that Mira gave me."
    words.stem_set(text)
    small_reader.read_line(text, who="Alice")
    plain_english.meanings(text)
    plain_english.clauses(text, "Mira")
    assert any(one.cache_info().currsize for one in held)
    language.forget_texts()
    assert {one.__name__ for one in held if one.cache_info().currsize} == set()
