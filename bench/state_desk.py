"""What owners and staff write of assistants: each deed by its name, to be drawn at random."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import ModelReply
from ai_assistant.core.readers import OPEN
from bench.state_blocks import BlockDeeds
from bench.state_writers import BY, Deed


class OwnersDesk(BlockDeeds):
    """A history in which staff write, too, as their commands and pages do."""

    def desk(self) -> Iterator[tuple[str, Deed]]:
        """Yield what the owner does at the desk."""
        yield from self._turns()
        yield from self._prompting()
        yield from self._books()
        yield from self.made_blocks()
        yield from self._takes()

    # -- turns, notes, the emergency stop

    def _turns(self) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api.desk import noting, regression
        from ai_assistant.api.lifecycle import configure

        acts = str(self.chance.randint(1, 10))
        mind, words = self.mind(), self.words
        term = self.chance.choice((noting.NoteTerm(2), noting.NoteTerm(None, noting.DAY)))

        def marked() -> str:
            turn = self._turn(mind)
            good = self.chance.random() < 0.5
            regression.mark_turn(mind, turn, good=good, wanted=words(), by=BY)
            return turn

        def given() -> int:
            return int(noting.give_note(mind, words(), term, by=BY)["id"])

        yield "setting", lambda: configure(mind, "acts_per_turn", acts, by=BY)
        yield "turn marked", marked
        yield "mark taken off", lambda: regression.unmark_turn(mind, marked(), by=BY)
        yield "note given", given
        yield "note taken back", lambda: noting.take_note_back(mind, given(), by=BY)
        yield "stopped", lambda: self._stops(mind)
        yield "stop cleared", self._goes_on_again

    def _turn(self, mind: Any) -> str:
        """Return a turn of an assistant, which is the answer to Alice where it answers."""
        from ai_assistant.game.identity import entity_id
        from ai_assistant.models import AssistantEvent

        self.says(self.alice, f"say {mind.key}, what of {self.heard()}?")
        own = AssistantEvent.objects.filter(assistant=entity_id(mind), type="TurnCompleted")
        return own.order_by("-seq").values_list("turn_id", flat=True).first() or ""

    def _stops(self, mind: Any) -> None:
        from ai_assistant.api.execution import trigger_emergency_stop

        trigger_emergency_stop(mind, self.words(), BY)

    def _goes_on_again(self) -> None:
        from ai_assistant.api.execution import clear_emergency_stop
        from ai_assistant.api.handlers import store_of

        stopped = [it for it in self.minds if store_of(it).read("safety")["emergency_stop"]]
        mind = self.chance.choice(stopped or self.minds)
        if not stopped:
            self._stops(mind)
        clear_emergency_stop(mind, BY)

    # -- templates, components, guidelines

    def _prompting(self) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api.desk import owner_writings as desk

        mind, name, words = self.mind(), self.name(), self.words

        def writes(made: desk.Writing) -> None:
            desk.write_down(mind, made, by=BY)

        def template() -> None:
            writes(desk.template_of(mind, name, text=f"You are {{name}}. {words()}"))

        def component() -> None:
            place = str(self.chance.randint(1001, 1499))
            writes(desk.component_added(mind, place, name, words()))

        def guideline() -> str:
            writes(desk.guideline_of(mind, words()))
            return str(desk.guidelines_of(mind)["accepted"][-1]["id"])

        def after(deed: Deed, *then: Any) -> None:
            deed()
            for make in then:
                writes(make(mind, name))

        yield "template", template
        yield "template applied", lambda: after(template, desk.applying)
        yield "template gone", lambda: after(template, desk.applying, desk.without_template)
        yield "component", component
        yield "component gone", lambda: after(component, desk.without_component)
        yield "wording of before", lambda: self._words_before(mind, template)
        yield "guideline", guideline
        yield (
            "guideline rejected",
            lambda: writes(desk.guideline_decided(mind, guideline(), accepts=False)),
        )

    def _words_before(self, mind: Any, template: Deed) -> None:
        from ai_assistant.api.desk import owner_writings as desk

        template()
        moment = self.chance.choice(desk.prompt_versions(mind, desk.MOST_VERSIONS)).moment
        desk.write_down(mind, desk.earlier_prompting(mind, moment), by=BY)

    # -- lorebooks and cards

    def _books(self) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api import card_exchange, lore_books

        mind, words = self.mind(), self.words

        def book() -> str:
            entry = {"uid": 0, "key": ["heard"], "comment": "high", "sticky": 3, "content": words()}
            made = {"name": f"tides {self.chance.randint(1, 3)}", "entries": {"0": entry}}
            read = card_exchange.read_bytes(json.dumps(made).encode(), f"{made['name']}.json")
            return card_exchange.import_book(read, by=BY)

        def edited() -> str:
            named = book()
            entry = lore_books.find_entry(named, "high")
            lore_books.edit_entry(named, entry, {"content": words()}, by=BY)
            return named

        yield "book", book
        yield "entry edited", edited
        yield "book undone", lambda: lore_books.undo_book(edited(), by=BY)
        yield "book gone", lambda: card_exchange.drop_book(book(), by=BY)
        yield "card", lambda: self._card(mind)

    def _card(self, mind: Any) -> None:
        from ai_assistant.api import card_exchange

        entry = {"keys": ["sea"], "content": self.words(), "enabled": True, "insertion_order": 1}
        data = {"name": mind.key, "description": f"keeps {self.name()}", "extensions": {}}
        data |= {"first_mes": "Yes?", "character_book": {"entries": [entry], "extensions": {}}}
        card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}
        read = card_exchange.read_bytes(json.dumps(card).encode(), "card.json")
        card_exchange.put_card(read, mind, by=BY)

    # -- what was played

    def _takes(self) -> Iterator[tuple[str, Deed]]:
        from ai_assistant.api import staging
        from ai_assistant.api.stories import branching, undoing

        count = self.chance.randint(1, 2)
        yield "scene line", self._plays_on
        yield (
            "lines taken back",
            lambda: self.comes_of(undoing.take_back_lines(self._plays_on(), count, by=BY)),
        )
        yield (
            "scene branched",
            lambda: self.scenes.append(
                branching.branch_scene(self._plays_on(), self.words(), count - 1, by=BY).id
            ),
        )
        yield "was not there", self._was_not_there
        yield "second look", self._second_look
        yield "chapter", self._chapter
        yield "told on", self._told_on
        yield "scene of a card", self._scene_of_a_card
        yield "value gone", lambda: staging.set_scene(self._with_value(), "tide", None)

    def comes_of(self, work: Any) -> None:
        """Let all happen that a Deferred waits for. Raises the error that it fails with."""
        problems: list[Any] = []
        work.addErrback(problems.append)
        self.steps.run()
        for problem in problems:
            problem.raiseException()

    def _plays_on(self) -> str:
        """Alice says something where a scene is played; returns that scene."""
        from ai_assistant.game.identity import entity_id
        from ai_assistant.roleplay.scene import GAME
        from ai_assistant.scenes.live_scenes import SCENES

        if SCENES.of(entity_id(self.alice)).id == GAME:
            self.stages()
        self.says(self.alice, f"say {self.words()}, I say.")
        return SCENES.of(entity_id(self.alice)).id

    def _with_value(self) -> str:
        from ai_assistant.api import staging

        return staging.set_scene(self._plays_on(), "tide", self.words()).id

    def _was_not_there(self) -> None:
        """Staff put right who heard the last line of a scene: those who were thought not to."""
        from ai_assistant.api.stories.who_was_there import correct_participants
        from ai_assistant.game.identity import entity_id
        from ai_assistant.roleplay.scene import GAME
        from ai_assistant.scenes.live_scenes import SCENES
        from ai_assistant.storage import WorldContainer

        scene = SCENES.of(entity_id(self.alice))
        if scene.id == GAME or not WorldContainer(scene.id).participations(1):
            scene = SCENES.get(self._plays_on())
        line = next(iter(WorldContainer(scene.id).participations(1)), None)
        if line is None:
            raise AssistantError("What was said is not saved yet.")
        others = [who for who in scene.participants() if who != line["speaker"]]
        took = {each["id"] for each in line["participants"]}
        correct_participants(scene, line["row"], [who for who in others if who not in took], by=BY)

    def _second_look(self) -> None:
        """A model looks again at who took part in what Alice said to nobody by name."""
        from ai_assistant.game.identity import entity_id
        from ai_assistant.roleplay.scene import GAME
        from ai_assistant.runtime.second_look import refine_one
        from ai_assistant.runtime.service import SERVICE
        from ai_assistant.scenes.live_scenes import SCENES

        if SCENES.of(entity_id(self.alice)).id == GAME:
            self.stages(*self.chance.sample(self.minds, 2))
        self._plays_on()
        bodies = {entity_id(mind): SERVICE.residents[entity_id(mind)].mind for mind in self.minds}
        asked = self.chance.choice([*bodies])
        told = {"participants": [asked], "knowledge": []}
        self.parrot.replies.append(ModelReply(text=json.dumps(told)))
        believed: list[bool] = []
        work = Deferred.fromCoroutine(refine_one(bodies[asked], bodies.get))
        self.comes_of(work.addCallback(believed.append))
        self.parrot.replies.clear()
        if believed != [True]:
            raise AssistantError("There was nothing to look at.")

    def _chapter(self) -> None:
        """A model tells one of them the day that was played."""
        from ai_assistant.api.stories import telling_chapters
        from ai_assistant.game.identity import entity_id
        from ai_assistant.roleplay.chapters import LEAST_LINES
        from ai_assistant.runtime.service import SERVICE
        from ai_assistant.scenes.live_scenes import SCENES
        from ai_assistant.storage import Container

        for _ in range(LEAST_LINES):
            scene = SCENES.get(self._plays_on())
        own = [who for who in map(entity_id, self.minds) if who in scene.participants()]
        heard = {"where": {"kind": "utterance"}, "readers": [OPEN], "limit": 1}
        rows = Container(scene.id, own[0]).find(**heard) if own else []
        if not rows:
            raise AssistantError("Nobody of them remembers anything of it.")
        told = {"sentences": [{"text": rows[0].content, "from": [rows[0].id]}]}
        self.parrot.replies.append(ModelReply(text=json.dumps(told)))
        model = SERVICE.residents[own[0]].mind.model
        model.is_offline = lambda job: False
        if work := telling_chapters.write_chapter(scene, own[0]):
            self.comes_of(work)
        del model.is_offline
        self.parrot.replies.clear()
        if not Container(scene.id, own[0]).find(where={"kind": "chapter"}, limit=1):
            raise AssistantError("No chapter was told.")

    def _told_on(self) -> None:
        """One tells another what it remembers."""
        from ai_assistant.api import staging
        from ai_assistant.api.disclosure import inform

        teller, hearer = self.chance.sample(self.minds, 2)
        staging.tell(inform(teller, self.words()), teller, hearer)

    def _scene_of_a_card(self) -> None:
        """A scene is made of a card, with one of them in a role."""
        from ai_assistant.api.stories.scene_cards import import_scene
        from ai_assistant.roleplay.scene_files.scene_card import scene_from_bytes

        roles = {"reeve": {"about": self.words(), "for": self.mind().key}}
        card = {
            "format": "assistant scene",
            "title": self.words(),
            "plot": self.words(),
            "roles": roles,
        }
        made = scene_from_bytes(json.dumps(card).encode(), "play.json")
        self.scenes.append(import_scene(made, may_edit=lambda body: True, by=BY).scene.id)
