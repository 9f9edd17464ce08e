"""What reading a text leaves in memory goes when texts are forgotten."""

import importlib
import pkgutil

from ai_assistant import memory
from ai_assistant.memory import caches, clauses, grammar, lexicon, supersession

OF_OUR_OWN_WORDS = {grammar._pattern}
"""Caches of what was written here, not of what anybody said."""


def cached_functions():
    """Return every function of the memory layer that remembers what it was asked."""
    found = set()
    for one in pkgutil.walk_packages(memory.__path__, f"{memory.__name__}."):
        module = importlib.import_module(one.name)
        found |= {value for value in vars(module).values() if hasattr(value, "cache_info")}
    return found - OF_OUR_OWN_WORDS


def test_forgetting_empties_every_cache_that_holds_words():
    """No cache of the memory layer is left out, whatever was read before."""
    held = cached_functions()
    text = "I sold the lute that Mira gave me."
    clauses.clauses(text)
    lexicon.stem_set(text)
    supersession.shared(frozenset({"lute"}), ("lute", "sold"))
    caches.forget_texts()
    assert {one.__name__ for one in held if one.cache_info().currsize} == set()
