"""Writers in processes of their own on one database file: run by a test, prints what came of it.

python -m tests.evennia.writers <database> prepare|block|spend <times>
"""

import os
import sys

SETTINGS = "tests.evennia.file_settings"


def main(database, what, times="0"):
    """Do one of the three jobs."""
    os.environ["WRITERS_DATABASE"] = database
    os.environ["DJANGO_SETTINGS_MODULE"] = SETTINGS
    import django

    django.setup()
    import evennia

    evennia._init()
    {"prepare": prepare, "block": block, "spend": spend}[what](int(times))


def prepare(times):
    """Create the tables."""
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0)


def block(times):
    """Count in one block: read, write what follows, and begin anew where somebody was quicker."""
    from ai_assistant.core.errors import StoreError
    from ai_assistant.storage import read_block, write_block

    refused = 0
    for _ in range(times):
        while True:
            found = read_block("tally", "e1")
            try:
                new = {"count": found.value.get("count", 0) + 1}
                write_block("tally", "e1", new, found.version)
                break
            except StoreError:
                refused += 1
    sys.stdout.write(str(refused))


def spend(times):
    """Count in one row of the book, which needs no second try."""
    from ai_assistant.storage import RowBook

    book = RowBook()
    for _ in range(times):
        book.spend("2026-11-21", ["e1", ""], 1, 10)
    sys.stdout.write("0")


if __name__ == "__main__":
    main(*sys.argv[1:])
