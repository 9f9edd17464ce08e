"""The character: Evennia's hooks become events, handlers lead to its memory. No decisions here.

From here a reader goes on to `runtime/assembly.py`, which wires the game to the core, and lands in
`agent/turn/loop.py`, where a turn is taken.
"""

from __future__ import annotations

from typing import Any

from evennia import DefaultCharacter
from evennia.utils.utils import lazy_property

from ai_assistant import conf
from ai_assistant.api import handlers
from ai_assistant.api.blocks.world_knowledge import note_place
from ai_assistant.api.card_exchange import awaken
from ai_assistant.core.contracts import Event
from ai_assistant.game import perception
from ai_assistant.game.consent import may_hear, remind
from ai_assistant.game.identity import CARD_ATTRIBUTE, SCRIPT_KEY, entity_id
from ai_assistant.game.log import surviving
from ai_assistant.runtime.service import SERVICE
from ai_assistant.runtime.sleeper import Sleeper
from ai_assistant.scenes.updates import note_item, note_move, note_parting
from ai_assistant.storage.statements import refusals


class Remembering:
    """The handlers that lead to what a character knows; each is made when first asked for."""

    profiles = lazy_property(handlers.ProfileHandler, "profiles")
    """Whom the character met, and what it thinks of them."""
    working_memory = lazy_property(handlers.WorkingMemoryHandler, "working_memory")
    """The conversations under way."""
    journal = lazy_property(handlers.JournalHandler, "journal")
    """What the character lived through."""
    session_memory = lazy_property(handlers.SessionMemoryHandler, "session_memory")
    """The facts and patterns before its eyes."""
    notebook = lazy_property(handlers.NotebookHandler, "notebook")
    """What it noted for itself."""
    stream = lazy_property(handlers.StreamHandler, "stream")
    """What was perceived and done lately."""
    goals = lazy_property(handlers.GoalHandler, "goals")
    """What it is after."""
    projects = lazy_property(handlers.ProjectHandler, "projects")
    """The work that it swaps between."""


class ChannelListener:
    """What an object needs to follow channels as accounts do; joined to an assistant's class.

    Hands each line to `perceive(event)`, which the class must have.
    """

    @property
    def is_connected(self) -> bool:
        """Channels send to whoever is connected: an assistant always listens."""
        return True

    def at_pre_channel_msg(self, message: str, channel: Any, senders: Any = None, **kwargs) -> str:
        """Take the line as it was sent. To return None would silence it for everybody after us."""
        return message

    def channel_msg(self, message: str, channel: Any, senders: Any = None, **kwargs) -> None:
        """Perceive the line."""
        event = perception.from_channel(self, channel, message, senders)
        if event is not None:
            self.perceive(event)

    def at_post_channel_msg(
        self, message: str, channel: Any, senders: Any = None, **kwargs
    ) -> None:
        """Nothing is left to do afterwards."""


class AssistantMixin(Remembering, ChannelListener):
    """
    Gives a character a mind. Use it before the game's own Character:

        class Npc(AssistantMixin, Character):
            pass

    Every hook passes on to the game's own class; what fails in here is logged, never raised.

    """

    bears_mind = True
    """Marks the class of an assistant for code that must not import this module."""
    reports_lines = True
    """It reports every line that reached it; see `earshot`."""

    @property
    def assistant_script(self) -> Any:
        """The script that keeps this assistant, or None where it has none."""
        return next(iter(self.scripts.get(SCRIPT_KEY)), None)

    # -- perception

    def perceive(self, event: Event) -> None:
        """Take in an event, if its author is to be heard; whatever comes of it comes later."""
        if may_hear(self, event):
            SERVICE.perceive(entity_id(self), event)
        else:
            remind(self, event)

    def at_msg_receive(self, text: Any = None, from_obj: Any = None, **kwargs: Any) -> bool:
        """Hear what is said and see what is done here, unless the game keeps it from us."""
        heard = super().at_msg_receive(text=text, from_obj=from_obj, **kwargs)
        if self.ndb.told is not None:
            self.ndb.told.append(text[0] if isinstance(text, tuple) else text)
        if heard:
            self._notice(perception.from_msg, text, from_obj, kwargs)
        return heard

    def at_object_receive(self, moved_obj: Any, source_location: Any, **kwargs: Any) -> None:
        """Notice a gift."""
        super().at_object_receive(moved_obj, source_location, **kwargs)
        note_item(self, moved_obj, source_location)
        if kwargs.get("move_type") == "give":
            self._notice(perception.from_gift, moved_obj, source_location)

    def at_object_leave(self, moved_obj: Any, target_location: Any, **kwargs: Any) -> None:
        """Let the world of the scene know what it parts with."""
        super().at_object_leave(moved_obj, target_location, **kwargs)
        note_parting(self, moved_obj, target_location)

    def at_post_move(self, source_location: Any, **kwargs: Any) -> None:
        """Note a landmark on everybody's map, and the move in the character's scene."""
        super().at_post_move(source_location, **kwargs)
        note_move(self, source_location)
        with surviving(f"the map of {self.key}"):
            note_place(self.location)

    def at_page_receive(self, sender: Any, text: str) -> None:
        """Read a page by an account, or by the character that it wears."""
        self._notice(perception.from_page, sender, text)

    def _notice(self, sense: Any, *args: Any) -> None:
        with surviving(f"{sense.__name__} of {self.key}"), refusals():
            event = sense(self, *args)
            if event is not None:
                self.perceive(event)

    @property
    def is_asleep(self) -> bool:
        """Is the character asleep? `sleeper` puts it to sleep and wakes it."""
        script = self.assistant_script
        return script is not None and script.is_asleep

    @property
    def sleeper(self) -> Sleeper | None:
        """The sleeping side of the running assistant, or None: ``sleeper.end("emergency")``."""
        resident = SERVICE.residents.get(entity_id(self))
        return resident.sleeper if resident else None

    def get_extra_display_name_info(self, looker: Any = None, **kwargs: Any) -> str:
        """Say, where the game wants that, that it is no player whom one looks at."""
        seen = super().get_extra_display_name_info(looker, **kwargs)
        label = conf.settings.LABEL
        return f"{seen} ({label})" if label else seen

    def return_appearance(self, looker: Any, **kwargs: Any) -> str:
        """Let whoever looks see that the character sleeps."""
        seen = super().return_appearance(looker, **kwargs)
        return f"{seen}\n{self.get_display_name(looker)} is asleep." if self.is_asleep else seen

    # -- life

    def at_object_post_spawn(self, prototype: Any = None) -> None:
        """Become an assistant if the prototype names a character card."""
        super().at_object_post_spawn(prototype=prototype)
        if self.attributes.has(CARD_ATTRIBUTE) and self.assistant_script is None:
            with surviving(f"the card of {self.key}"):
                awaken(self)

    def at_post_puppet(self, **kwargs: Any) -> None:
        """Drop the running turn: a player controls this character now."""
        SERVICE.interrupt(entity_id(self))
        super().at_post_puppet(**kwargs)

    def at_post_unpuppet(self, account: Any = None, session: Any = None, **kwargs: Any) -> None:
        """Stay where the player left it: Evennia takes unplayed characters off the grid."""
        place = self.location
        super().at_post_unpuppet(account, session=session, **kwargs)
        if place is not None and self.location is None:
            self.location = place
            self.attributes.remove("prelogout_location")

    def at_object_delete(self) -> bool:
        """Leave nothing behind but the audit log, whoever deletes the character."""
        if not super().at_object_delete():
            return False
        SERVICE.unregister(entity_id(self), "deleted")
        with surviving(f"forgetting {self.key}"):
            by = self.ndb.deleted_by or "game"
            handlers.forget_everything(self, reason="deleted", by=by)
        return True


class AssistantCharacter(AssistantMixin, DefaultCharacter):
    """
    A character with a mind, for games that have no Character class of their own to build on.

    """
