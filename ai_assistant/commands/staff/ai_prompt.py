"""What `ai` does about prompts: components and templates of the owner's, and the next prompt."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ai_assistant.agent.prompt import component, templates
from ai_assistant.agent.prompt.macros import MacroRegistry
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.turns.rehearsal import Rehearsal, rehearse
from ai_assistant.commands.choosing import said_by
from ai_assistant.commands.command_base import AICommand, braced, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.game.identity import name_of
from ai_assistant.memory.inner.owner_additions import DEFAULT_TEMPLATE
from ai_assistant.runtime.named_by_settings import load_macros

_SWITCHES = {"enable": True, "disable": False}
_NUMBERS = {"depth": "injection_depth", "order": "injection_order"}


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
            raise Misused

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
        kind, speaker, words = said_by(self.caller, self.rhs)
        built = rehearse(character, speaker, words, kind)
        built.addCallback(lambda made: self.show("\n\n".join(self._prompt_text(made))))
        built.addErrback(self.failed)

    def _prompt_text(self, made: Rehearsal) -> Iterator[str]:
        """Yield the messages as they would be sent, then the tokens of each part and of all."""
        for message in made.messages:
            size = counted(message.tokens, "token")
            yield f"|w[{message.role}]|n {size}\n{as_it_stands(message.text)}"
        sums = (
            f"{made.tokens} of {made.room} tokens; before anything gave way "
            f"{made.utilisation:.0%}: {made.status}"
        )
        warning = f"\n|y{made.warning}|n" if made.warning else ""
        names = ", ".join(f"{name} {tokens}" for name, tokens in made.tools)
        named = f"\nTools, with their tokens: {names or 'none'}"
        withheld = f"\nNo room for: {', '.join(made.withheld)}" if made.withheld else ""
        yield f"{self.table(('Part', 'Tokens'), made.parts)}\n{sums}{warning}{named}{withheld}"


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
    raise Misused


def _place(one: component.PromptComponent) -> str:
    where = f"{one.injection_depth} from the end" if one.injection_depth else "by its id"
    return f"{where}, order {one.injection_order}" if one.enabled else "switched off"
