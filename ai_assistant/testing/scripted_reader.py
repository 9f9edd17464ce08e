"""A reader of the night by a table: what a test says a line tells, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import ModelReply, ModelRequest, TokenUsage
from ai_assistant.core.ports import Model


class TableReader(Model):
    """Implements `ports.Model` for the job `consolidate`: answers by a table from line to fact.

    `table` maps the words of a line to a fact, in which ``{who}`` is the name of whom it is about,
    or to an object with any of ``fact``, ``about`` (a name), ``replaces`` (facts that no longer
    hold), ``ended``, ``treated``. Whom a line is about is who said it, or whom a note is about.
    `others` answers the other jobs; without it they get an empty answer. `asked` are the requests
    of the night.
    """

    def __init__(
        self, table: Mapping[str, str | Json] | None = None, others: Model | None = None
    ) -> None:
        self.table: dict[str, str | Json] = dict(table or {})
        self.others = others
        self.asked: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return what the table knows of the lines."""
        if self.others is not None and request.job != "consolidate":
            return await self.others.complete(request)
        self.asked.append(request)
        text = json.dumps(self.answer(request)) if request.job == "consolidate" else ""
        return ModelReply(text=text, usage=TokenUsage(100, 10, known=True))

    def answer(self, request: ModelRequest) -> Json:
        """Return the answer to one request."""
        shown = {part.key: part.rows for part in request.sections}
        found = [(row, told) for row in shown.get("lines", ()) for told in self._told(row)]
        names = {person["who"]: person["name"] for person in shown.get("people", ())}
        facts = [_fact(row, told, names, shown) for row, told in found if "fact" in told]
        people = [
            {"who": row["who"], "treated": told["treated"], "line": row["id"], "reason": "so"}
            for row, told in found
            if "treated" in told
        ]
        return {"facts": facts, "people": people}

    def _told(self, row: Json) -> Iterator[Json]:
        told = self.table.get(row["says"])
        if told:
            yield {"fact": told} if isinstance(told, str) else told


def _fact(row: Json, told: Json, names: Mapping[str, str], shown: Mapping[str, object]) -> Json:
    handle = row.get("about") or row["who"]
    about = told.get("about", handle)
    text = told["fact"].format(who=names.get(handle, ""))
    known: list[Json] = list(shown.get("known", ()))  # type: ignore[call-overload]
    outdated = {old.format(who=names.get(handle, "")) for old in told.get("replaces", ())}
    return {
        "about": about,
        "fact": text,
        "lines": [row["id"]],
        "quote": row["says"],
        "replaces": [trait["id"] for trait in known if trait["fact"] in outdated],
        "ended": bool(told.get("ended")),
        "type": told.get("type", ""),
    }
