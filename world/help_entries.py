"""Help that belongs to the village rather than to a command."""

HELP_ENTRY_DICTS = [
    {
        "key": "guide",
        "aliases": ["newcomer", "village"],
        "category": "Hollin Ford",
        "text": """
            Two people of this village think for themselves: Tansy Brewell, who keeps
            the inn, and Captain Seraphina Stormborne, who guards the green. They hear
            what you hear, remember whom they met, and do what you could do yourself.

              |wsay hello, tansy|n               name somebody and they answer; while you
                                             talk you need not repeat the name
              |wsay my horse is called Comet|n   they take note of what you tell them ...
              |wsay what is my horse called?|n   ... and know it again, also tomorrow
              |wwhisper captain = ...|n          stays between the two of you
              |wpage captain = ...|n             from anywhere, while you are online
              |wpub captain, ...|n               on the Public channel, where both listen
              |wsay tansy, give me the bread|n   they hand out what is theirs to give ...
              |wgive bread to captain|n          ... and a gift is noticed, on the green
              |wmemories|n                       what they hold about you
              |wscene/create The Black Sword|n   play a story together

            What a guest says is remembered too, but nobody knows the next one of that
            name from you: your words become those of "another Guest1". Take a name
            (|wcreate <name> <password>|n at the login screen), and they will know you
            when you come back.

            Without a model configured they run on a small one that is built in. It is
            honest about that: ask it. The README tells how to give them a large one.
        """,
    },
]
