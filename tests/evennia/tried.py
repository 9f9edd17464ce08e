"""What permissions are tried with: a line for each switch, what forms send, and all addresses."""

import re

from django.apps import apps

from ai_assistant.commands import AssistantCmdSet, AssistantPlayerCmdSet
from ai_assistant.commands.command_base import AICommand
from ai_assistant.web import urls
from ai_assistant.web.desk.world_forms import WORLD_EDITS
from ai_assistant.web.edits import EDITS
from ai_assistant.web.rest.api_routes import ENDPOINTS

WRITING = " ="
"""Ends the name of what a switch does with a text after the equal sign, where that is for fewer."""

LINES = {
    "ai": "",
    "ai/status": "{who}",
    "ai/history": "{who}",
    "ai/interact": "{who}",
    "ai/why": "{who}",
    "ai/turns": "{who}",
    "ai/call": "{who}",
    "ai/money": "",
    "aidraft": "{who}",
    "ainote": "{who}",
    "ainote =": "{who} = Be brief.",
    "ainote/remove": "{who} = 1",
    "aitry": "{who}",
    "aitry/beside": "{who}",
    "aitry/again": "{who} = 1",
    "aitry/good": "{who} = 1",
    "aitry/bad": "{who} = 1: No.",
    "aitry/unmark": "{who} = 1",
    "aitry/check": "{who} = all",
    "ai/health": "",
    "ai/settings": "",
    "ai/lore": "{who}",
    "ai/lore =": "= delete none",
    "ai/confirm": "none",
    "ai/token": "{who}",
    "ai/create": "Wren{me}",
    "ai/import": "card.json",
    "ai/import =": "card.json = {who}",
    "ai/prototype": "card.json",
    "ai/persona": "{who}",
    "ai/persona =": "{who} = personality: gruff",
    "ai/config": "{who}",
    "ai/config =": "{who} = tick_rate 7",
    "ai/export": "{who}",
    "ai/prompt": "{who}",
    "ai/template": "{who}",
    "ai/template =": "{who} = create plain: Be plain.",
    "ai/component": "{who}",
    "ai/component =": "{who} = add 1600 weather: It rains.",
    "ai/guidelines": "{who}",
    "ai/guidelines =": "{who} = add Be kind.",
    "ai/announce": "{who} = The bridge is out.",
    "ai/publish": "{who} = #{memory}",
    "ai/quiet": "{who}",
    "ai/stop": "{who}",
    "ai/start": "{who}",
    "ai/test": "",
    "ai/setup": "",
    "aimem": "{who}",
    "aimem/profile": "{who}",
    "aimem/working": "{who}",
    "aimem/journal": "{who}",
    "aimem/session": "{who}",
    "aimem/notebook": "{who}",
    "aimem/newest": "{who}",
    "aimem/search": "{who} = eels",
    "aimem/why": "{who} = eels",
    "aimem/who": "{who} = #{memory}",
    "aimem/edit": "{who} = #{memory} The eels are gone.",
    "aimem/forget": "{who} = #{memory}",
    "aimem/erase": "Dan",
    "airel": "{who}",
    "airel/history": "{who}",
    "airel/set": "{who} = Ada: 0.6 she saved his boat",
    "aigoal": "{who}",
    "aigoal/all": "{who}",
    "aigoal/agenda": "{who}",
    "aigoal/add": "{who} = Find planks.",
    "aigoal/set": "{who} = planks: progress 50",
    "aigoal/decompose": "{who} = planks",
    "aigoal/done": "{who} = planks",
    "aigoal/drop": "{who} = planks",
    "aiproj": "{who}",
    "aiproj/create": "{who} = raft: Build a raft.",
    "aiproj/swap": "{who} = raft",
    "aiproj/update": "{who} = raft: Nearly done.",
    "aiproj/complete": "{who} = raft",
    "aiproj/archive": "{who} = raft",
    "aidelegate": "{who}",
    "aidelegate =": "{who} = Count the barrels.",
    "aidelegate/history": "{who}",
    "aiblock": "{who}",
    "aiblock/show": "{who}",
    "aiblock/visible": "{who}",
    "aiblock/readers": "{who} = persona",
    "aiblock/history": "{who} = persona",
    "aiblock/edit": "{who} = shared_social fact: The bridge is out.",
    "aiblock/undo": "{who} = shared_social",
    "aiblock/limit": "{who} = persona 900",
    "aiblock/create": "{who}, {other} = watch",
    "aiblock/leave": "{other} = watch",
    "aiblock/join": "{other} = watch",
    "aiblock/delete": "{who} = watch",
    "aiblock/import": "{who} = now",
    "aiblock/keep": "{who}",
    "aiblock/share": "{who} = {other}",
    "aiblock/part": "{who}",
    "aiworld": "",
    "aiworld/event": "The tower of {me} fell.",
    "aiworld/lore": "{me} tells it.",
    "aiworld/place": "Tower of {me} = It fell.",
    "aiworld/move": "Tower of {me} = 3, 14",
    "aiworld/remove": "Tower of {me}",
    "aiworld/sync": "",
    "aiscene": "game",
    "aiscene/world": "game",
    "aiscene/why": "game",
    "aiscene/knows": "game = {who}",
    "aiscene/who": "game = eels",
    "aiscene/log": "game",
    "aiscene/create": "The Feast of {me}",
    "aiscene/add": "feast of {me} = {who}",
    "aiscene/start": "feast of {me}",
    "aiscene/update": "feast of {me} = {who}: He is wounded.",
    "aiscene/set": "feast of {me} = weather: rain",
    "aiscene/undo": "feast of {me}",
    "aiscene/branch": "feast of {me} = The Other Feast of {me}",
    "aiscene/unset": "feast of {me} = weather",
    "aiscene/import": "feast.json",
    "aiscene/role": "feast of {me} = {who}: guest",
    "aiscene/export": "feast of {me} = feast_{me}.md why",
    "aiscene/day": "feast of {me} = 2",
    "aiscene/room": "mill",
    "aiscene/tell": "game = #{memory} {who} > {who}",
    "aiscene/fold": "game = {who} before 3",
    "aiscene/remove": "feast of {me} = {who}",
    "aiscene/stop": "feast of {me}",
    "aiscene/correct": "game = #{memory}: It was so.",
    "aiscene/recap": "game",
    "aiaudit": "{who}",
    "aiaudit/events": "{who}",
    "aiaudit/at": "{who} = 2100-01-01",
    "aiaudit/compare": "{who} = 2100-01-01 to 2100-01-02",
    "aiaudit/export": "{who}",
    "aiexec": "{who}",
    "aiexec/trigger": "{who}",
    "aiexec/clear": "{who}",
    "aisleep": "{who}",
    "aisleep/report": "{who}",
    "aisleep/schedule": "{who} = 2 for 4",
    "aisleep/undo": "{who}",
    "aisleep/now": "{who}",
    "aisleep/wake": "{who}",
    "ai/release": "{who} = keep",
    "ai/adopt": "{who}",
    "ai/reset": "{who} = talk",
    "ai/delete": "{who}",
    "memories": "{who}",
    "memories/optout": "",
    "memories/optin": "",
    "memories/forget": "{who}",
    "scene": "",
    "scene/list": "",
    "scene/create": "Supper of {me}",
    "scene/join": "Supper of {me}",
    "scene/invite": "{other}",
    "scene/start": "",
    "scene/set": "location = mill",
    "scene/unset": "location",
    "scene/undo": "",
    "scene/branch": "Another supper of {me}",
    "scene/role": "guest",
    "scene/day": "2",
    "scene/think": "So be it.",
    "scene/take": "sword",
    "scene/put": "sword",
    "scene/give": "sword = {other}",
    "scene/go": "mill",
    "scene/recap": "",
    "scene/recall": "eels",
    "scene/dismiss": "{other}",
    "scene/leave": "",
    "scene/stop": "",
    "page": "",
}
"""What is typed to try each switch, in an order in which most of them find what they need."""

FIELDS = {
    "give_note": {"text": "Be brief.", "term": "2 turns"},
    "take_note_back": {"note": "1"},
    "mark": {"turn": "none", "good": "yes"},
    "unmark": {"turn": "none"},
    "run": {"today": "yes"},
    "say": {"who": "Cid", "words": ""},
    "correct": {"ref": "#{memory}", "text": "The eels are gone."},
    "forget": {"ref": "#{memory}"},
    "setting": {"key": "tick_rate", "value": "7"},
    "persona": {"version": "1", "role": "ferryman"},
    "start": {},
    "reset": {"scope": "talk", "whole_name": "{who}"},
    "release": {"keep": "on", "whole_name": "none"},
    "delete": {"whole_name": "none"},
    "whole_file": {},
    "announce": {"text": "The bridge is out."},
    "publish": {"number": "{memory}"},
    "create": {"name": "Wren{me}", "room": "none"},
    "erase": {"who": "none", "scope": "own", "whole_name": "none"},
    "new_scene": {"title": "The Feast of {me}"},
    **{
        name: {"scene": "none", "who": "{who}"}
        for name in ("start_scene", "stop_scene", "join_scene", "leave_scene")
    },
    "undo_scene": {"scene": "none", "lines": "1"},
    "branch_scene": {"scene": "none", "title": "Other"},
    "set_scene": {"scene": "none", "name": "weather", "value": "rain"},
    "scene_day": {"scene": "none", "day": "2"},
    "scene_role": {"scene": "none", "who": "{who}", "role": "guest"},
    "scene_update": {"scene": "none", "who": "{who}", "text": "He is wounded."},
    "pass_on": {"scene": "none", "row": "{memory}", "teller": "{who}", "hearer": "{other}"},
    "fold": {"scene": "none", "who": "{who}", "before": "3"},
    "emergency": {"reason": "noise"},
    "new_goal": {"description": "Find nails.", "priority": "low"},
    "subtasks": {"goal": "{goal}"},
    "goal": {"goal": "{goal}", "description": "Find planks.", "progress": "50"},
    "task": {"text": "Count the barrels."},
    "template": {"template": "plain", "text": "You are {{name}}."},
    "apply_template": {"template": "default"},
    "drop_template": {"template": "plain"},
    "earlier_prompt": {"version": "9"},
    "component": {"component": "weather", "content": "It snows.", "role": "user"},
    "new_component": {
        **{"id": "1600", "key": "weather", "content": "It rains.", "role": "system"},
        **{"injection_depth": "0", "injection_order": "100"},
    },
    "drop_component": {"component": "weather"},
    "guideline": {"text": "Be kind."},
    "accept_guideline": {"guideline": "9"},
    "reject_guideline": {"guideline": "1"},
    "new_project": {"project": "raft", "summary": "Build a raft."},
    "project": {"project": "hut", "action": "update", "text": "Nearly done."},
    "project_step": {"project": "hut", "action": "complete"},
    "favor": {"who": "Cid", "favorability": "0.6"},
    "undo_night": {"night": "none"},
    "sleep": {"asleep": "yes"},
    "block": {"block": "global_knowledge", "field": "event", "text": "{me} came."},
    "undo_block": {"block": "global_knowledge"},
    "block_limit": {"block": "global_knowledge", "limit": "9000"},
    "new_block": {"block": "watch_{me}"},
    "delete_block": {"block": "watch_{me}"},
    "join_block": {"block": "none"},
    "leave_block": {"block": "none"},
    "news": {"text": "The tower of {me} fell."},
    "lore": {"text": "{me} tells it."},
    "place": {"place": "Tower of {me}", "description": "It fell."},
    "drop_book": {"book": "none"},
    "lore_entry": {"book": "none", "entry": "none"},
    "undo_book": {"book": "none"},
    "quiet": {"quiet": "no"},
    "remove_place": {"place": "Tower of {me}"},
    "who_took_part": {"scene": "", "line": "none", "who": ""},
    "scene_memory": {"scene": "none", "row": "{memory}", "text": "The eels are gone."},
}
"""What the forms of the pages send."""

FORMS = ("upload/", "run/", "say/", "check/")
"""How the addresses end that forms are sent to, but for edits."""


def our_commands():
    """Return our commands, by their names."""
    sets = (AssistantCmdSet(), AssistantPlayerCmdSet())
    return {made.key: made for cmdset in sets for made in cmdset.commands}


def command_names():
    """Return all switches, as one types them."""
    return {
        f"{key}/{switch}".rstrip("/")
        for key, made in our_commands().items()
        for switch in (made.verbs if isinstance(made, AICommand) else ("",))
    }


def page_names():
    """Return the pages and their forms: method and address, with braces for what varies."""
    listed = []
    for route in (str(found.pattern) for found in urls.urlpatterns):
        if route.endswith("<slug:what>/"):
            listed.append(f"GET /ai/{route}")
            edits = WORLD_EDITS if route.startswith("world/") else EDITS
            listed += [f"POST /ai/{route.replace('<slug:what>', what)}" for what in edits]
        elif route != "api/":
            is_form = route.endswith(FORMS)
            listed.append(f"{'POST' if is_form else 'GET'} /ai/{route}")
    return [_braced(name) for name in listed]


def admin_names():
    """Return the lists of our tables in Django's admin."""
    tables = apps.get_app_config("ai_assistant").get_models()
    return [f"GET /admin/ai_assistant/{model._meta.model_name}/" for model in tables]


def endpoint_names():
    """Return the endpoints of the API in the same way."""
    return [_braced(f"{one.method} /ai/api/{one.address}") for one in ENDPOINTS]


def media_type(name):
    """Return as what an endpoint takes what is sent to it."""
    (file,) = (
        one.file for one in ENDPOINTS if name == _braced(f"{one.method} /ai/api/{one.address}")
    )
    return file.media_type if file else "application/json"


def _braced(address):
    return re.sub(r"<\w+:(\w+)>", r"{\1}", address)
