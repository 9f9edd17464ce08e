"""What `make play` and `make stop` do: open the village, let somebody in, close it again."""

import os
import sys

from server import process, visit
from server.bootstrap import ROOT, Trouble
from server.local import Local


def main(verb="play"):
    """Run a verb; 1 and one clear sentence where it cannot be done."""
    try:
        return {"play": play, "stop": stop}[verb]()
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nThe game goes on without you; `make stop` ends it.")
        return 0


def play():
    """Start the game unless it runs, and enter it; without a terminal hold a conversation."""
    local = Local()
    base = local.port_base()
    game = process.GameProcess(ROOT, base)
    if game.running():
        print("The village is open already.", flush=True)
    else:
        _open(game, local, base)
    _print_addresses(base)
    if sys.stdin.isatty() and sys.stdout.isatty():
        visit.sit_down(base)
        return 0
    print("\nNo terminal here, so a guest that types by itself walks in:", flush=True)
    if not visit.converse(base):
        print("Nobody answered; server/logs/server.log may say why.", file=sys.stderr)
        return 1
    print("\nThe game goes on; `make stop` ends it.")
    return 0


def stop():
    """Stop the game."""
    game = process.GameProcess(ROOT, Local().port_base())
    if not game.pid("portal"):
        print("The village is closed already.")
        return 0
    print("Closing the village ...", flush=True)
    game.stop()
    if game.pid("portal"):
        raise Trouble("The game did not stop; server/logs/portal.log may say why.")
    print("Closed. Everything is kept; `make play` opens it again.")
    return 0


def _open(game, local, base):
    if not game.pid("portal"):
        _check_ports(base)
    local.prepare()
    local.keep_port_base(base)
    name, password, news = local.superuser()
    os.environ.update(EVENNIA_SUPERUSER_USERNAME=name, EVENNIA_SUPERUSER_PASSWORD=password)
    os.environ.setdefault("EVENNIA_SUPERUSER_EMAIL", "")
    game = process.GameProcess(game.root, base)
    print("Preparing the database ...", flush=True)
    game.evennia("migrate")
    print("Opening the village; the first time takes a little longer ...", flush=True)
    game.start()
    if news:
        print(f"\nThe owner's account, shown only now: {name} / {password}")
        print(f"(kept in {local.path.relative_to(ROOT)}, which git ignores)")


def _check_ports(base):
    found = process.taken(base, os.environ.get("AI_ASSISTANT_INTERFACE", "127.0.0.1"))
    if found:
        name, port = found
        raise Trouble(
            f"Port {port} ({name}) is taken by another program: choose other ports, as in"
            f" `make play AI_ASSISTANT_PORT_BASE={base + 100}`."
        )


def _print_addresses(base):
    port = process.ports(base)
    print(
        f"""
  telnet or a MUD client   localhost {port["telnet"]}
  in a browser             http://localhost:{port["web"]}/webclient/
  for the owner            http://localhost:{port["web"]}/ai/""",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
