"""What `ai` does about prompts: components and templates of the owner's, and the next prompt."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.prompt import component, templates
from ai_assistant.agent.prompt.build import build_prompt
from ai_assistant.agent.prompt.draft import length_of
from ai_assistant.agent.prompt.fitting import room_of, tools_size
from ai_assistant.agent.prompt.macros import MacroRegistry
from ai_assistant.agent.prompt.measures import get_model_max_tokens, get_utilization_status
from ai_assistant.agent.prompt.prompt_wording import dump
from ai_assistant.agent.turn.opening import begin
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.overview import running
from ai_assistant.commands.choosing import find_anybody
from ai_assistant.commands.command_base import AICommand, braced, switch
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import TO_ONE, AuditRecord, Change, Commit, Event, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import Message
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of, reference
from ai_assistant.game.line_ids import Utterances
from ai_assistant.game.perception import from_msg, from_page
from ai_assistant.memory.inner.owner_additions import DEFAULT_TEMPLATE
from ai_assistant.runtime.assembly import pick_profile
from ai_assistant.runtime.named_by_settings import load_macros
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENE_LINES

_SWITCHES = {"enable": True, "disable": False}
_NUMBERS = {"depth": "injection_depth", "order": "injection_order"}
PARTS = {
    "stream": "conversation",
    "event": "what is answered",
    "entity": "about the speaker",
    "seen": "who and what is here",
    "now": "where and when",
    "user": "texts of yours",
}
"""Parts of a prompt whose keys are no plain words."""


class PromptVerbs(AICommand):
    """
    The switches component, template and prompt of the command `ai`.

    """

    @switch("component", "Admin", named=True, writes="text")
    def _component(self, character: Any) -> None:
        verb, rest = _split(self.rhs)
        stored = store_of(character).read("prompt")["components"]
        if not verb:
            own = component.user_components(stored, MacroRegistry())
            rows = [(part.id, part.key, "", "", part.description) for part in component.BUILTIN]
            rows += [(part.id, part.key, part.role, _place(part), part.content) for part in own]
            self.show_table(("Id", "Key", "Role", "Where", "What"), sorted(rows))
        elif verb == "delete":
            component.changed_component(stored, rest)
            _write(character, ("drop_component", {"key": rest}), f"component {rest}")
            self.msg(f"{name_of(character)}: the component {rest} is gone.")
        else:
            made = _changed(stored, verb, rest)
            one = component.PromptComponent(**made)
            _write(character, ("put_component", {"component": made}), f"component {one.key}")
            facts = f"component {one.id} {one.key} ({one.role}, {_place(one)}): {one.content}"
            self.msg(f"{name_of(character)}: {as_it_stands(facts)}")
            self._warn(one.content)

    @switch("template", "Admin", named=True, writes="text")
    def _template(self, character: Any) -> None:
        verb, rest = _split(self.rhs)
        prompting = store_of(character).read("prompt")
        if not verb:
            applied = prompting["applied_template"]
            self.show(
                f"|w{name}|n{' (applied)' if name == applied else ''}"
                for name in (DEFAULT_TEMPLATE, *prompting["templates"])
            )
        elif verb in ("create", "native"):
            self._put_template(character, prompting, verb, rest)
        elif verb in ("show", "apply", "delete") and rest:
            name = templates.find_template(prompting, rest)
            if verb == "show":
                text, native = templates.template_texts({**prompting, "applied_template": name})
                native = (
                    f"\n-- for models with tool calls of their own:\n{native}" if native else ""
                )
                self.show(as_it_stands(text + native))
                return
            if verb == "delete":
                templates.check_name(name)
            step = {"apply": "apply_template", "delete": "drop_template"}[verb]
            _write(character, (step, {"name": name}), f"template {name}")
            now = store_of(character).read("prompt")["applied_template"]
            gone = "" if verb == "apply" else f"the template {name} is gone, "
            self.msg(f"{name_of(character)}: {gone}{now} is applied.")
        else:
            raise AssistantError(
                "Usage: ai/template <name> = create <template>: <text>; or native <template>: "
                "<text>; show, apply or delete <template>"
            )

    def _put_template(self, character: Any, prompting: Json, verb: str, rest: str) -> None:
        name, _, text = rest.partition(":")
        name = templates.check_name(name.strip())
        old = prompting["templates"].get(name, {"text": "", "native": ""})
        text = templates.check_template(text, load_macros())
        if verb == "native" and not old["text"]:
            raise AssistantError(f"Create {name} first; then give it a native text.")
        templates.check_room(prompting, name)
        values = {**old, "text" if verb == "create" else "native": text}
        _write(character, ("put_template", {"name": name, **values}), f"template {name}")
        self.msg(f"{name_of(character)}: the template {name} is kept; apply it to use it.")
        self._warn(text)

    def _warn(self, text: str) -> None:
        if unknown := load_macros().unknown(text):
            names = ", ".join(f"{{{{{name}}}}}" for name in unknown)
            self.msg(f"|yNobody knows {braced(names)}: that stays as it stands.|n")

    @switch("prompt", "Admin", named=True, writes="")
    def _prompt(self, character: Any) -> None:
        mind = running(character).mind
        turn = begin(mind, [self._mock_event(character)], "rehearsal", rehearsal=True)
        built = Deferred.fromCoroutine(build_prompt(turn))
        built.addCallback(lambda _: self.show("\n\n".join(self._prompt_text(turn))))
        built.addErrback(self.failed)

    def _mock_event(self, character: Any) -> Event:
        """Return what is said, as it would be perceived now, in the scene that both play in."""
        who, mark, text = (self.rhs or "").partition(":")
        kind, _, name = who.strip().rpartition(" ")
        if not mark:
            kind, name, text = "", "", who
        elif kind not in TO_ONE:
            kind, name = "", who.strip()
        speaker = find_anybody(self.caller, name) if name else self.caller
        words = text.strip() or "Hello."
        utterances = Utterances(later=lambda call: None)
        if kind == "page":
            heard = from_page(character, speaker, words, utterances)
        else:
            line = (f'{name_of(speaker)} says, "{words}"', {"type": kind or "say"})
            heard = from_msg(character, line, speaker, None, utterances)
        if heard is None:
            raise AssistantError(f"{name_of(character)} does not talk to itself.")
        source = reference(speaker, character)
        heard = replace(heard, source=source, content=clean(words, 1000))
        return SCENE_LINES.sketched(heard, character)

    def _prompt_text(self, turn: Turn) -> Iterator[str]:
        """Yield the messages as they would be sent, then the tokens of each part and of all."""

        def tokens(message: Message) -> int:
            return round(length_of(message) * per_char)

        per_char = turn.mind.tokens_per_char
        for message in turn.prompt:
            calls = (f"{call.name} {dump(call.arguments)}" for call in message.tool_calls)
            words = as_it_stands("\n".join(filter(None, (message.content, *calls))))
            yield f"|w[{message.role}]|n {tokens(message)} tokens\n{words}"
        offered = sorted(turn.offered(), key=lambda tool: -tool.size)
        tools = round(tools_size(turn) * per_char)
        counted = Counter({f"{len(offered)} tools": tools})
        for key, part in turn.parts:
            counted[PARTS.get(key, key)] += tokens(part)
        sums = (
            f"{tools + sum(map(tokens, turn.prompt))} of {round(room_of(turn) * per_char)} tokens; "
            f"before anything gave way {turn.utilisation:.0%}: "
            f"{get_utilization_status(turn.utilisation)}{_limit_of_model(turn)}"
        )
        withheld = f"\nNo room for: {', '.join(sorted(turn.withheld))}" if turn.withheld else ""
        names = ", ".join(f"{tool.name} {round(tool.size * per_char)}" for tool in offered)
        named = f"\nTools, with their tokens: {names or 'none'}"
        yield f"{self.table(('Part', 'Tokens'), counted.items())}\n{sums}{named}{withheld}"


def _split(text: str | None) -> tuple[str, str]:
    """Return the first word in small letters, and the rest."""
    verb, _, rest = (text or "").partition(" ")
    return verb.lower(), rest.strip()


def _write(character: Any, step: tuple[str, Json], what: str) -> None:
    at = time.time()
    record = AuditRecord("ConfigurationChanged", {"key": what, "step": step[0]}, at=at)
    save(character, Commit(at=at, changes=[Change("prompt", "", *step)], audit=[record]))


def _changed(stored: list[Json], verb: str, rest: str) -> Json:
    """Return the component that a person asks for: ``add 1200 mood: …``, ``depth mood 2``."""
    words, _, text = rest.partition(":")
    names = words.split()
    if verb == "add" and len(names) == 2:
        return component.new_component(stored, *names, text)
    if verb == "edit" and len(names) == 1:
        return component.changed_component(stored, names[0], content=text)
    if verb in _SWITCHES and len(names) == 1:
        return component.changed_component(stored, names[0], enabled=_SWITCHES[verb])
    if verb == "role" and len(names) == 2:
        return component.changed_component(stored, names[0], role=names[1])
    if verb in _NUMBERS and len(names) == 2 and names[1].isdecimal() and len(names[1]) < 5:
        return component.changed_component(stored, names[0], **{_NUMBERS[verb]: int(names[1])})
    raise AssistantError(
        "Usage: ai/component <name> = add <id> <key>: <text>; or edit <key>: <text>; enable, "
        "disable or delete <key>; role <key> <role>; depth or order <key> <number>"
    )


def _place(one: component.PromptComponent) -> str:
    where = f"{one.injection_depth} from the end" if one.injection_depth else "by its id"
    return f"{where}, order {one.injection_order}" if one.enabled else "switched off"


def _limit_of_model(turn: Turn) -> str:
    """Say what the model can read, where that is less than the assistant may send."""
    config = turn.mind.config
    model = pick_profile(SERVICE.shared.profiles, "chat", config["llm_profile"]).model
    most = get_model_max_tokens(model)
    if config["max_context_tokens"] <= most:
        return ""
    return f"\n|y{model} reads {most} tokens, as far as we know: lower max_context_tokens.|n"
