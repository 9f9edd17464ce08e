"""What members of a scene begin with and take home, for whoever writes it with the scene itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.core.contracts import Commit
from ai_assistant.game.identity import find
from ai_assistant.game.log import surviving
from ai_assistant.roleplay import day_summaries
from ai_assistant.roleplay.permanent import CARD, PLOT, lore_of, permanent_rows, role_rows
from ai_assistant.roleplay.scene import GAME, Member, SceneState
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container, read_block
from ai_assistant.storage.lorebooks import CharacterShelf

MOST_RECAPPED = 400
Writings = dict[Container, Commit]
"""What is to be written into whose container."""


def give_items(scene: SceneState, members: Iterable[Member]) -> Writings:
    """Return plot, card, dialog, lore and role for members who have none yet."""
    made: Writings = {}
    for member in members:
        container, body = Container(scene.id, member.id), find(member.id)
        if not container.find(where={"kind": CARD}, limit=1):
            persona = read_block(PERSONA, member.id).value or {"name": member.name}
            shelf = CharacterShelf(body) if body is not None else None
            own = lore_of(shelf.books(), shelf.tags()) if shelf else []
            day, at = SCENES.day(scene), time.time()
            texts = [*own, *scene.lore.items()]
            rows = permanent_rows(persona, scene.plot, texts, day=day, at=at)
            rows += role_rows(scene, member.id, day=day, at=at)
            made[container] = Commit(at=at, rows=rows)
    return made


def new_plot(scene: SceneState) -> Writings:
    """Return what puts the plot of a scene in the place of the one that its members have."""
    made: Writings = {}
    for member in scene.members:
        container, at = Container(scene.id, member.id), time.time()
        old = [row.id for row in container.find(where={"kind": PLOT}, limit=MOST_RECAPPED)]
        rows = permanent_rows({}, scene.plot, (), day=SCENES.day(scene), at=at)
        made[container] = Commit(at=at, rows=rows, archived=old)
    return made


def accounts(scene: SceneState, members: Sequence[str]) -> tuple[Writings, Sequence[str]]:
    """Return what these take home of a scene, each one account made of what was open.

    And the last of them, where there is more to read than one step of the reactor has time for.
    """
    day, made, read = SCENES.day(SCENES.get(GAME)), Writings(), 0
    for place, who in enumerate(members):
        if read >= MOST_RECAPPED:
            return made, members[place:]
        rows = Container(scene.id, who).find(limit=MOST_RECAPPED)
        read += len(rows)
        account = day_summaries.recap(rows[::-1], scene.title, day=day, at=time.time())
        if account is not None:
            account = day_summaries.retold_recap(account, rows[::-1]) or account
            made[Container(GAME, who)] = Commit(at=time.time(), rows=[account])
    return made, ()


def settle_items(
    before: SceneState, after: SceneState, who: Sequence[str]
) -> tuple[SceneState, Writings]:
    """Return a scene that owes an account to some, of those in the middle of a turn at least, and
    the others'."""
    if not before.is_running:
        return after, {}
    here = [member for member in who if find(member) is not None]
    busy = [member for member in here if is_busy(member)]
    made, later = accounts(before, [member for member in here if member not in busy])
    return replace(after, owed=tuple(dict.fromkeys([*after.owed, *busy, *later]))), made


def settle_soon(scene: SceneState, settle: Callable[[str], object]) -> None:
    """Let those who are owed an account by a scene, and in no turn, have it with the next steps."""

    def next_ones() -> None:
        with surviving(f"the accounts of {scene.title}"):
            settle(scene.id)

    if not all(map(is_busy, scene.owed)):
        SERVICE.later(0, next_ones)


def is_busy(who: str) -> bool:
    """Is an assistant in a turn, or does something wait for it, of which it will remember more?"""
    resident = SERVICE.residents.get(who)
    return resident is not None and bool(resident.turn_id or resident.mind.condition()["waiting"])


def note_all(scene: SceneState) -> None:
    """Write what members of a scene heard and did not save yet. Raises `StoreError`."""
    SERVICE.heard_queue.settle()
    for who in scene.participants():
        if who in SERVICE.residents:
            flush(SERVICE.residents[who].mind)
