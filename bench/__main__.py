"""All benches, one after the other, each in a process of its own: a reactor starts only once.

All but `bench.recall` and `bench.nights`, which need a file of dialogues that is not ours,
`bench.kills --database`, which takes half an hour for each of its databases, and `bench.rows` and
`bench.scale`, which fill a PostgreSQL for minutes. `bench.evening` measures nothing: it plays what
`docs/scenes.md` shows.
`bench.mind` plays its smoke cast; a whole one needs a model, or somebody who answers.

python -m bench [--quick]
"""

import subprocess
import sys

BENCHES = (
    "bench.reply_overhead",
    "bench.load",
    "bench.flood",
    "bench.cost",
    "bench.desk",
    "bench.prompt",
    "bench.properties",
    "bench.persona_guard",
    "bench.bytes",
    "bench.latest_state",
    "bench.search",
    "bench.texts",
    "bench.growth",
    "bench.scenes",
    "bench.director",
    "bench.story_time",
    "bench.containers",
    "bench.who_knows",
    "bench.autonomy",
    "bench.goals",
    "bench.acquaintances",
    "bench.replay",
    "bench.kills",
    "bench.forgetting",
    "bench.state_replay",
    "bench.language",
    "bench.first_hour",
    "bench.mind",
    "bench.house",
)


def main() -> int:
    """Run them with the options given; returns how many failed."""
    failed = 0
    for name in BENCHES:
        print(f"== {name}\n", flush=True)
        done = subprocess.run([sys.executable, "-m", name, *sys.argv[1:]], check=False)
        failed += bool(done.returncode)
        print(flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
