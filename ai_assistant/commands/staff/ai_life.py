"""What `ai` does about the life of an assistant: making, adopting, releasing and deleting one."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from ai_assistant.api import lifecycle
from ai_assistant.api.execution import end_silence, silence
from ai_assistant.api.forgetting.reset import SCOPES, reset, what_goes
from ai_assistant.api.handlers import store_of
from ai_assistant.api.overview import trouble
from ai_assistant.api.release import former_life, release, resting
from ai_assistant.commands.choosing import new_name
from ai_assistant.commands.command_base import AICommand, braced, let_edit, must_edit, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.models import Memory


class LifeVerbs(AICommand):
    """
    The switches create, adopt, release, start, stop, quiet, reset and delete of the command `ai`.

    """

    @switch("create")
    def _create(self) -> None:
        if not clean(self.lhs):
            raise Misused
        name = new_name(self.lhs)
        if not self.caller.location:
            raise AssistantError("You are nowhere; an assistant needs a room to live in.")
        role = clean(self.rhs or "villager", 200)
        character = lifecycle.create_assistant(
            name,
            location=self.caller.location,
            persona={"name": name, "role": role},
            desc=f"{name}, {role}.",
            by=self.caller.key,
        )
        let_edit(character, self.caller)
        self._welcome(
            character,
            f"{name} is here and listens. Say |whello {name}|n, or give it more of a character: "
            f"|wai/persona {name} = personality: …|n",
        )

    def _welcome(self, character: Any, text: str) -> None:
        """Tell how it went: an assistant is made even where the game's settings are wrong."""
        problem = character.assistant_script.db.last_problem
        self.msg(f"|r{name_of(character)} cannot think yet: {problem}|n" if problem else text)

    @switch("adopt")
    def _adopt(self) -> None:
        if not self.args:
            raise Misused
        target = self.caller.search(self.args)
        if target is None:
            return
        must_edit(self.caller, target)
        rested = resting(target)
        adopted = lifecycle.adopt(target, by=self.caller.key)
        told = "is its old self again" if rested else "has a mind of its own now"
        self._welcome(adopted, f"{name_of(adopted)} {told}.")

    @switch("start", "Admin", named=True, takes=1)
    def _start(self, character: Any) -> None:
        lifecycle.start(character, by=self.caller.key)
        if problem := trouble():
            raise AssistantError(f"{name_of(character)} cannot think yet: {problem}")
        self.msg(f"{name_of(character)} is awake.")

    @switch("stop", "Admin", named=True, takes=1)
    def _stop(self, character: Any) -> None:
        lifecycle.stop(character, by=self.caller.key)
        self.msg(f"{name_of(character)} is silent until you start it again.")

    @switch("quiet", "Admin")
    def _quiet(self) -> None:
        wanted, order = self.lhs.strip(), (self.rhs or "").strip().lower()
        if not wanted or order not in ("", "end"):
            raise Misused
        what = None
        if wanted.lower() == "here":
            what = self.caller.location
            if what is None:
                raise AssistantError("You are nowhere; there is nobody to be quiet.")
        elif wanted.lower() != "all":
            what = self.wanted(wanted)
        whom = "Every assistant of the game" if what is None else name_of(what)
        if order:
            end_silence(what, by=self.caller.key)
            self.msg(f"{whom}: no longer quiet.")
        else:
            dropped = silence(what, by=self.caller.key)
            under_way = f", {counted(dropped, 'turn')} under way dropped" if dropped else ""
            self.msg(f"{whom}: quiet until |wai/quiet {braced(wanted)} = end|n{under_way}.")

    @switch("release", "Admin", named=True)
    def _release(self, character: Any) -> Generator[str, str, None]:
        name, choice = name_of(character), (self.rhs or "").strip().lower()
        if choice not in ("keep", "forget"):
            self.show(
                (
                    f"|c{name}|n becomes a {former_life(character).path} again, and stays where it "
                    f"is with all it carries. What of its mind ({mind_told(character)})?",
                    f"  |wai/release {name} = keep|n    it rests, until ai/adopt wakes it",
                    f"  |wai/release {name} = forget|n  it is deleted",
                )
            )
            return
        if choice == "forget":
            question = f"Release {name}, and delete {mind_told(character)}"
            if not (yield from self.confirmed(question)):
                return
            self._must_be_there(character, name)
        path = release(character, keep=choice == "keep", by=self.caller.key)
        mind = "its mind rests until ai/adopt wakes it" if choice == "keep" else "its mind is gone"
        self.msg(f"{name} is a {path} again; {mind}.")

    @switch("reset", "Admin", named=True)
    def _reset(self, character: Any) -> Generator[str, str, None]:
        name, scope = name_of(character), (self.rhs or "").strip().lower()
        if scope not in SCOPES:
            ways = (
                f"  |wai/reset {name} = {each}|n: {what_goes(character, each)}" for each in SCOPES
            )
            self.show((f"Of |c{name}|n persona and settings stay. What is to go?", *ways))
            return
        if not (yield from self.confirmed(f"Take from {name} {what_goes(character, scope)}")):
            return
        self._must_be_there(character, name)
        reset(character, scope, by=self.caller.key)
        self.msg(f"{name} begins anew.")

    @switch("delete", "Admin", named=True, takes=1)
    def _delete(self, character: Any) -> Generator[str, str, None]:
        name = name_of(character)
        if former_life(character).is_known:
            self.msg(
                f"{name} was here before it was adopted: |wai/release {name}|n gives it back its "
                "old life, and takes only the mind."
            )
        question = f"Delete {name}, the character itself, with {mind_told(character)}"
        if not (yield from self.confirmed(question, word=name)):
            return
        self._must_be_there(character, name)
        lifecycle.delete(character, by=self.caller.key)
        self.msg(f"{name} is gone. Its audit log is kept.")

    def _must_be_there(self, character: Any, name: str) -> None:
        """Raise `AssistantError` unless, after a question, it is there and may be changed still."""
        if character.pk is None:
            raise AssistantError(f"{name} is gone already.")
        must_edit(self.caller, character)


def mind_told(character: Any) -> str:
    """Return in words what an assistant remembers, and of how many people."""
    memories = Memory.objects.filter(container=entity_id(character), archived_at=None).count()
    people = len(store_of(character).keys("profile"))
    known = counted(people, "person", "people")
    return f"{counted(memories, 'memory', 'memories')} and what it knows of {known}"
