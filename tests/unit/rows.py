"""Rows as tests of search need them."""

from ai_assistant.core.contracts import MemoryRow


def a_row(id, text, *, speaker="", session="", at=0.0, meta=None, **fields):
    """Return a row with these words, said at a time in seconds; its kind may stand in `meta`."""
    meta = meta or {}
    kind = meta.get("kind", "utterance")
    who = {"author_name": speaker, "session": session, "learned_at": at}
    return MemoryRow(text, id=id, kind=kind, meta=meta, **who, **fields)
