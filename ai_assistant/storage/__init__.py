"""The state of the assistants in the database: the only code that touches Attributes and rows.

Bounded state is kept in Evennia's Attributes, where builders look for it; records without bound
are rows of `ai_assistant.models`. Every write has a bounded cost, whatever piled up before. Where
the database refuses, every function here raises `StoreError`.

How safe a write is depends on the database. Evennia runs SQLite in autocommit with
``synchronous=OFF``: each transaction here survives a crash or kill of the server, whole or not at
all, but the last of them may be lost when the machine itself loses power. PostgreSQL keeps those
too.
"""

from ai_assistant.storage.block_rows import Block, Signed, read_block, write_block
from ai_assistant.storage.bodies import bodies_of, npc_id
from ai_assistant.storage.containers import Container
from ai_assistant.storage.ledgers import RowBook
from ai_assistant.storage.scene_rows import WorldContainer
from ai_assistant.storage.store import AttributeStore

__all__ = [
    "AttributeStore",
    "Block",
    "Container",
    "RowBook",
    "Signed",
    "WorldContainer",
    "bodies_of",
    "npc_id",
    "read_block",
    "write_block",
]
