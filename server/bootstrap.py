"""Makes the virtual environment, then runs Python in it with the arguments given.

    python3 server/bootstrap.py [--with=test] -m pytest tests/unit

Plain Python that old versions can read too, because it is what tells them that they are too old.
From the environment: AI_ASSISTANT_VENV is another place than `.venv`; AI_ASSISTANT_PYTHON is the
interpreter of an environment that is ready, in which nothing will be installed.
"""

import hashlib
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)


class Trouble(Exception):
    """What is wrong and what to do about it, in one sentence for a person."""


def main(argv):
    """Replace this process by the environment's Python; 1 where there can be none."""
    extras = ""
    if argv and argv[0].startswith("--with="):
        extras = argv.pop(0)[len("--with=") :]
    try:
        python = environment(extras)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    os.chdir(str(ROOT))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each of many processes compiles it all
    return os.execv(python, [python, *argv])


def environment(extras=""):
    """Return the path of a Python that has the package and these extras installed.

    Raises `Trouble` where the environment cannot be made.
    """
    ready = os.environ.get("AI_ASSISTANT_PYTHON")
    if ready:
        return ready
    folder = Path(os.environ.get("AI_ASSISTANT_VENV") or ROOT / ".venv").resolve()
    python = folder / "bin" / "python"
    stamp = folder / "installed"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    done, _, had = stamp.read_text().partition(" ") if stamp.exists() else ("", "", "")
    if done == wanted and python.exists() and _names(extras) <= _names(had):
        return str(python)
    if not python.exists():
        _make(folder)
    extras = ",".join(sorted(_names(extras) | _names(had)))
    _install(python, extras, folder / "install.log")
    stamp.write_text(wanted + " " + extras)
    return str(python)


def check_python(version=None, has_module=importlib.util.find_spec):
    """Raise `Trouble` where this Python is too old, or cannot make virtual environments."""
    version = tuple(version or sys.version_info)[:2]
    here = ".".join(map(str, version))
    if version < OLDEST:
        raise Trouble(
            f"Python 3.11 or newer is needed and this is {here}: install one and name it, as in"
            " `make play PYTHON=python3.12`."
        )
    if not (has_module("venv") and has_module("ensurepip")):
        raise Trouble(
            "This Python cannot make virtual environments: install its venv package"
            " (on Debian and Ubuntu `sudo apt install python3-venv`) and try again."
        )


def _names(extras):
    return {name for name in extras.strip().split(",") if name}


def _make(folder):
    check_python()
    print(f"Making a virtual environment in {folder} ...", flush=True)
    command = [sys.executable, "-m", "venv", "--clear", str(folder)]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if made.returncode:
        last = made.stdout.decode(errors="replace").strip().splitlines()[-1:]
        raise Trouble("The virtual environment could not be made: " + "".join(last))


def _install(python, extras, log):
    target = f"{ROOT}[{extras}]" if extras else str(ROOT)
    options = ["--disable-pip-version-check", "--no-compile"]  # most of it is never imported
    command = [str(python), "-m", "pip", "install", *options, "-e", target]
    begun = time.time()
    print("Installing what it needs, a minute or so ", end="", flush=True)
    with log.open("wb") as kept:
        pip = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in pip.stdout:
            kept.write(line)
            if line.startswith(b"Collecting"):
                print(".", end="", flush=True)
    if pip.wait():
        print()
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines()]
        why = [line for line in lines if line.startswith("ERROR")][:3] or lines[-5:]
        raise Trouble("\n  ".join([f"pip could not install the requirements (see {log}):", *why]))
    print(f" done in {time.time() - begun:.0f} s.", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
