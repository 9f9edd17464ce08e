"""Runs the suite on every supported Python that this machine has, each with the Evennia it gets.

    python3 server/matrix.py [--from 3.12] [--one] [folders or files of tests, else all]
        [--on-postgresql folders or files of tests within Evennia, else those of above]

These run on PostgreSQL, with the newest Python found.

pyenv's Pythons count too, which are asked for by their folders: its shims answer only while
PYENV_VERSION names a version.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITES = {
    "tests/house": "-p no:django",
    "tests/unit": "-p no:django -n auto",
    "tests/evennia": "-n auto",
    "tests/e2e": "-p no:django -n 4 --no-loadscope-reorder",
}
ON_POSTGRESQL = ["-m", "tests.e2e.postgres", "-q", "-n", "auto"]
_OUTCOMES = {0: "passed", 5: "not run, for there is none here"}  # 5: pytest's "nothing was run"
_PROBE = (
    "import ensurepip, sys, venv; assert sys.version_info >= (3, 11);"
    "print('%d.%d' % sys.version_info[:2], sys.executable)"
)


def main(argv=None):
    """Print a line for each version; 1 if one failed."""
    parser = argparse.ArgumentParser(description="Run the suite on every supported Python.")
    parser.add_argument("--from", dest="oldest", default="3.11", metavar="X.Y")
    parser.add_argument("--one", action="store_true", help="only the first that is found")
    parser.add_argument("tests", nargs="*", default=list(SUITES))
    parser.add_argument("--on-postgresql", nargs="+", metavar="tests")
    wanted = parser.parse_args(argv)
    for path in wanted.tests:
        if not path.startswith(tuple(SUITES)):
            parser.error(f"{path} is in none of {', '.join(SUITES)}.")
    pythons = {v: p for v, p in find_pythons().items() if _key(v) >= _key(wanted.oldest)}
    if wanted.one:
        pythons = dict(list(pythons.items())[:1])
    if not pythons:
        print(f"No Python {wanted.oldest} or newer here, so nothing was run.")
        return 0
    results = {version: _run(version, pythons[version], wanted.tests) for version in pythons}
    rows = [
        (version, evennia, f"failed: {', '.join(failed)}" if failed else "passed")
        for version, (evennia, failed) in results.items()
    ]
    within_evennia = [path for path in wanted.tests if path.startswith("tests/evennia")]
    if on_postgresql := wanted.on_postgresql or within_evennia:
        version, evennia, _ = rows[-1]
        outcome = _run_on_postgresql(version, pythons[version], on_postgresql)
        rows.append((version, evennia, f"on PostgreSQL: {outcome}"))
    print("\nPython   Evennia   result")
    for version, evennia, result in rows:
        print(f"{version:<8} {evennia:<9} {result}")
    return int(any("failed" in result for *_, result in rows))


def find_pythons():
    """Return {"3.12": path of an interpreter} of all that can make virtual environments."""
    found = {}
    for command in _candidates():
        try:
            probe = subprocess.run(
                [command, "-c", _PROBE], capture_output=True, text=True, check=False
            )
        except OSError:
            continue
        if probe.returncode == 0:
            version, path = probe.stdout.split(maxsplit=1)
            found.setdefault(version, path.strip())
    return dict(sorted(found.items(), key=lambda item: _key(item[0])))


def _candidates():
    """Yield whatever may be a Python of ours."""
    yield sys.executable
    if shutil.which("pyenv"):
        names = ["pyenv", "versions", "--bare"]
        listed = subprocess.run(names, capture_output=True, text=True, check=False)
        for name in listed.stdout.split():
            where = ["pyenv", "prefix", name]
            prefix = subprocess.run(where, capture_output=True, text=True, check=False)
            yield f"{prefix.stdout.strip()}/bin/python3"
    for minor in range(11, 20):
        yield f"python3.{minor}"


def _run(version, python, tests):
    """Run these tests on one version; return its Evennia's version and the suites that failed."""
    print(f"\n=== Python {version} ({python})", flush=True)
    start, env = _environment(version, python)
    ask = [*start, "-c", "from importlib.metadata import version; print(version('evennia'))"]
    told = subprocess.run(ask, env=env, stdout=subprocess.PIPE, text=True, check=False)
    if told.returncode:
        return "-", ["installation"]
    evennia = told.stdout.split()[-1]
    print(f"=== with Evennia {evennia}", flush=True)
    failed = []
    for suite, options in SUITES.items():
        pytest = [*start, "-m", "pytest", "-q", *options.split()]
        paths = [path for path in tests if path.startswith(suite)]
        if paths and subprocess.run([*pytest, *paths], env=env, cwd=ROOT, check=False).returncode:
            failed.append(suite)
    return evennia, failed


def _run_on_postgresql(version, python, tests):
    """Run tests within Evennia on PostgreSQL; return what came of it, in words."""
    print(f"\n=== Python {version} with PostgreSQL", flush=True)
    start, env = _environment(version, python)
    run = subprocess.run([*start, *ON_POSTGRESQL, *tests], env=env, cwd=ROOT, check=False)
    return _OUTCOMES.get(run.returncode, "failed")


def _environment(version, python):
    """Return (how a command for this version begins, its environment variables)."""
    env = {**os.environ, "AI_ASSISTANT_VENV": str(ROOT / ".matrix" / version)}
    env.pop("AI_ASSISTANT_PYTHON", None)
    return [python, str(ROOT / "server" / "bootstrap.py"), "--with=test"], env


def _key(version):
    return tuple(map(int, version.split(".")))


if __name__ == "__main__":
    sys.exit(main())
