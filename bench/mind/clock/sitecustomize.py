"""Moves the clock of the bench's game: seconds that the file of `BENCH_CLOCK` holds are added.

Python imports this by itself at its start, where this folder is on the path.
"""

import os
import time
from pathlib import Path

_file = Path(os.environ.get("BENCH_CLOCK") or "/nowhere")
if _file.is_file():
    _ahead, _time = float(_file.read_text() or 0), time.time
    time.time = lambda: _time() + _ahead
