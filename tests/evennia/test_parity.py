"""What pages and endpoints show can be had by command, and the reverse: all are listed."""

import re
from pathlib import Path

from ai_assistant.web import urls
from ai_assistant.web.desk.world_forms import WORLD_EDITS
from ai_assistant.web.edits import EDITS
from ai_assistant.web.rest.api_routes import ENDPOINTS
from tests.evennia import tried
from tests.evennia.pages import PagesTestCase

DOCS = Path(__file__).resolve().parents[2] / "docs"
SAME = {
    "overview": ("ai",),
    "metrics": (),  # for Prometheus: the figures of ai/status, ai/health and ai/money
    "turns": ("ai/turns",),
    "scenes": ("aiscene",),
    "scene": ("aiscene/why", "aiscene/log", "aiscene/knows", "aiscene/who", "aiscene/world"),
    "scene_card": ("aiscene/export",),
    "upload_scene": ("aiscene/import",),
    "upload_book": ("ai/import",),
    "upload_whole": ("ai/import",),
    "made_file": ("ai/export", "aiaudit/export"),
    "lore": ("ai/lore",),
    "money": ("ai/money",),
    "health": ("ai/health",),
    "game_settings": ("ai/settings",),
    "prompt": ("ai/prompt", "ai/template", "ai/component"),
    "calls": ("ai/call",),
    "call": ("ai/call",),
    "card": ("ai/export",),
    "picture": ("ai/export",),
    "upload": ("ai/import", "ai/import ="),
    "again": ("aitry/again",),
    "run_again": ("aitry/again",),
    "draft": ("aidraft",),
    "begin_draft": ("aidraft",),
    "sandbox": ("aitry", "aitry/beside"),
    "say_in_sandbox": ("aitry", "aitry/beside"),
    "marked": ("aitry/check",),
    "check_marked": ("aitry/check",),
    "talk": ("ai/status", "ai/history", "ainote"),
    "persona": ("ai/persona", "ai/guidelines", "aiblock/history"),
    "settings": ("ai/config",),
    "people": ("airel",),
    "person": ("aimem/profile", "aimem/working", "airel/history", "aiaudit/at"),
    "plans": (
        "aigoal",
        "aigoal/all",
        "aigoal/agenda",
        "aiproj",
        "aidelegate",
        "aidelegate/history",
    ),
    "goal": ("aigoal",),
    "project": ("aiproj",),
    "journal": ("aimem/journal", "aimem/notebook", "aimem/session"),
    "blocks": ("aiblock", "aiblock/show", "aiblock/visible"),
    "block": ("aiblock/show", "aiblock/readers", "aiblock/history"),
    "world": ("aiworld",),
    "world_block": ("aiblock/show", "aiblock/readers", "aiblock/history"),
    "audit": ("aiaudit", "aiaudit/events"),
    "moment": ("aiaudit/at", "aiaudit/compare"),
    "memory": ("aimem", "aimem/newest", "aimem/search", "aimem/why"),
    "who_knows": ("aimem/who",),
    "nights": ("aisleep", "aisleep/report"),
    "execution": ("aiexec",),
    "turn": ("ai/why",),
}
"""Each page or form, by its name, and the switches that show or do the same."""
EDITED = {
    "persona": ("ai/persona =",),
    "setting": ("ai/config =", "aisleep/schedule"),
    "scene_memory": ("aiscene/correct",),
    "who_took_part": ("aiscene/correct",),
    "emergency": ("aiexec/trigger",),
    "end_emergency": ("aiexec/clear",),
    "start": ("ai/start",),
    "stop": ("ai/stop",),
    "reset": ("ai/reset",),
    "release": ("ai/release",),
    "delete": ("ai/delete",),
    "whole_file": ("ai/export",),
    "announce": ("ai/announce",),
    "publish": ("ai/publish",),
    "create": ("ai/create",),
    "erase": ("aimem/erase",),
    "new_scene": ("aiscene/create",),
    "start_scene": ("aiscene/start",),
    "stop_scene": ("aiscene/stop",),
    "undo_scene": ("aiscene/undo",),
    "branch_scene": ("aiscene/branch",),
    "join_scene": ("aiscene/add",),
    "leave_scene": ("aiscene/remove",),
    "set_scene": ("aiscene/set", "aiscene/unset"),
    "scene_day": ("aiscene/day",),
    "scene_role": ("aiscene/role",),
    "scene_update": ("aiscene/update",),
    "pass_on": ("aiscene/tell",),
    "fold": ("aiscene/fold",),
    "correct": ("aimem/edit",),
    "forget": ("aimem/forget",),
    "give_note": ("ainote =",),
    "take_note_back": ("ainote/remove",),
    "mark": ("aitry/good", "aitry/bad"),
    "unmark": ("aitry/unmark",),
    "favor": ("airel/set",),
    "sleep": ("aisleep/now", "aisleep/wake"),
    "undo_night": ("aisleep/undo",),
    "audit_file": ("aiaudit/export",),
    "new_goal": ("aigoal/add",),
    "goal": ("aigoal/set", "aigoal/done", "aigoal/drop"),
    "subtasks": ("aigoal/decompose",),
    "task": ("aidelegate =",),
    "template": ("ai/template =",),
    "apply_template": ("ai/template =",),
    "drop_template": ("ai/template =",),
    "earlier_prompt": ("ai/template =",),
    "component": ("ai/component =",),
    "new_component": ("ai/component =",),
    "drop_component": ("ai/component =",),
    "guideline": ("ai/guidelines =",),
    "accept_guideline": ("ai/guidelines =",),
    "reject_guideline": ("ai/guidelines =",),
    "new_project": ("aiproj/create",),
    "project": ("aiproj/update",),
    "block": ("aiblock/edit",),
    "undo_block": ("aiblock/undo",),
    "block_limit": ("aiblock/limit",),
    "new_block": ("aiblock/create",),
    "join_block": ("aiblock/join",),
    "leave_block": ("aiblock/leave",),
    "delete_block": ("aiblock/delete",),
    "news": ("aiworld/event",),
    "lore": ("aiworld/lore",),
    "place": ("aiworld/place", "aiworld/move"),
    "remove_place": ("aiworld/remove",),
    "drop_book": ("ai/lore =",),
    "lore_entry": ("ai/lore =", "ai/lore"),
    "undo_book": ("ai/lore =",),
    "quiet": ("ai/quiet",),
    "sync_map": ("aiworld/sync",),
    "project_step": ("aiproj/swap", "aiproj/complete", "aiproj/archive"),
}
"""The same of what can be changed on pages."""


def rows_below(page, heading):
    """Return the rows of the tables below a heading of a page of the docs, as lists of cells."""
    section = (DOCS / page).read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+) \|$", section, re.M)
    return [row.split(" | ") for row in rows]


def alone_in(rows):
    """Return the switches for which such rows say that they are by command alone, and why."""
    return {name: why for names, why in rows for name in re.findall("`(.+?)`", names)}


def addresses_in(cell):
    """Yield the addresses of a row in full: dots are an assistant's or a scene's beginning."""
    begins = "scenes/{scene}" if cell.startswith("`scenes/{scene}/") else "assistants/{key}"
    for address in re.findall("`([^`]+/)`", cell):
        yield f"/ai/api/{address.replace('…', begins)}"


def switches_in(cell):
    """Yield the switches of a row in full: `/why` is of the command before it."""
    key = ""
    for typed in re.findall("`(.+?)`", cell):
        name = f"{key}{typed}" if typed.startswith("/") else typed
        key = name.partition("/")[0]
        yield name


class TestParity(PagesTestCase):
    def test_every_page_has_its_command(self):
        """Whoever adds a page or a form says by which command the same is had."""
        names = {route.name for route in urls.urlpatterns if getattr(route, "name", None)}
        assert {*SAME} == names - {"edit", "edit_world"}
        assert {*EDITED} == {*EDITS, *WORLD_EDITS}

    def test_every_command_has_its_page_or_a_reason(self):
        """Whoever adds a switch of staff's says on which page it is, or why on none."""
        staff = {name for name in tried.LINES if name.startswith("ai")}
        paged = {name for names in (*SAME.values(), *EDITED.values()) for name in names}
        alone = alone_in(rows_below("pages.md", "By command alone"))
        assert paged <= staff
        assert not paged & {*alone}
        assert staff - paged == {*alone}
        assert all(alone.values())

    def test_every_endpoint_has_its_command_and_every_command_an_endpoint_or_a_reason(self):
        """Whoever adds a switch says by which endpoint a program has the same, or why by none."""
        rows = rows_below("rest.md", "Endpoints")
        told, alone = [row for row in rows if len(row) == 3], [row for row in rows if len(row) == 2]
        addresses = {address for cell, *_ in told for address in addresses_in(cell)}
        assert addresses == {name.partition(" ")[2] for name in tried.endpoint_names()}
        named = {name for *_, cell in told for name in switches_in(cell)}
        assert {f"{one.command.key}/{one.switch}".rstrip("/") for one in ENDPOINTS} <= named
        staff = {name.removesuffix(tried.WRITING) for name in tried.LINES if name.startswith("ai")}
        without = alone_in(alone)
        assert not named & {*without}
        assert named | {*without} == staff
        assert all(without.values())
