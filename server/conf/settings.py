"""The demo game's settings: a village that only this machine can reach, with the assistants in it.

Made for trying things out. A game of your own needs three lines of this file; the README's section
"Into your game" shows them. What is secret, or differs from machine to machine, stands in
`secret_settings.py` beside this file, which `make play` writes and git ignores.
"""

import os
import secrets
from contextlib import suppress

from evennia.settings_default import *

from server.local import Local

_SECRET = Local().read()  # which leaves no bytecode with the secrets in it, as an import would

# Evennia makes plurals with inflect, whose functions typeguard compiles anew at each start of each
# process, to check types that are right: three seconds of the five that it takes to begin.
with suppress(ImportError):
    import typeguard

    typeguard.typechecked = lambda function: function

SERVERNAME = "Hollin Ford"
GAME_SLOGAN = "Everybody remembers you"

# The assistants
INSTALLED_APPS += ["ai_assistant"]

# A power cut spoils nothing, and whoever reads does not wait for whoever writes.
SQLITE3_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA cache_size=10000",
    "PRAGMA temp_store=2",
)

# Who may come in, and where from. Everybody starts in the inn, which world/village.py makes of #2.
GUEST_ENABLED = True
_INTERFACE = os.environ.get("AI_ASSISTANT_INTERFACE", "127.0.0.1")
_BASE = int(os.environ.get("AI_ASSISTANT_PORT_BASE") or _SECRET.get("PORT_BASE", 4000))
TELNET_INTERFACES = [_INTERFACE]
TELNET_PORTS = [_BASE]
WEBSERVER_INTERFACES = [_INTERFACE]
WEBSERVER_PORTS = [(_BASE + 1, _BASE + 5)]
WEBSOCKET_CLIENT_INTERFACE = _INTERFACE
WEBSOCKET_CLIENT_PORT = _BASE + 2
AMP_PORT = _BASE + 6
if _INTERFACE == "127.0.0.1":
    ALLOWED_HOSTS = ["127.0.0.1", "localhost"]

# Only the modules that this game has: Evennia's template brings a dozen more, all of them optional.
AT_SERVER_STARTSTOP_MODULE = []
SERVER_SERVICES_PLUGIN_MODULES = []
PORTAL_SERVICES_PLUGIN_MODULES = []
MSSP_META_MODULE = None
WEB_PLUGINS_MODULE = None
PROTOTYPE_MODULES = []
LOCK_FUNC_MODULES = ["evennia.locks.lockfuncs"]
INPUT_FUNC_MODULES = ["evennia.server.inputfuncs", "ai_assistant.inputfuncs"]
FUNCPARSER_OUTGOING_MESSAGES_MODULES = ["evennia.utils.funcparser"]

# The website and the web client load nothing from the internet.
TEMPLATES[0]["APP_DIRS"] = False
TEMPLATES[0]["OPTIONS"]["loaders"] = [
    (
        "django.template.loaders.cached.Loader",
        ["web.vendored.Loader", "django.template.loaders.app_directories.Loader"],
    )
]

# Without the file of secrets a key for this run only, never Evennia's public one.
SECRET_KEY = secrets.token_urlsafe(48)
globals().update(_SECRET)
