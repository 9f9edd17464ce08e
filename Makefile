# The demo game and its checks. Everything runs in .venv, which is made when it is needed.
#
#   make play PYTHON=python3.12             another Python
#   make play AI_ASSISTANT_PORT_BASE=4100   other ports

PYTHON ?= python3
RUN = @$(PYTHON) server/bootstrap.py
CHECK = $(RUN) --with=test
# Two at a time, each with its output in one piece where this make can do that.
BESIDE = @+$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),-Otarget)
UNIT = unit-half unit-rest
HALF = tests/unit/agent tests/unit/llm

.PHONY: help play stop test lint format types unit $(UNIT) evennia e2e pictures matrix bench openapi clean

help:  ## say what there is
	@sed -n 's/^\([a-z0-9]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

play:  ## open the village and walk in (a second time: just walk in)
	$(RUN) -m server.play play

stop:  ## close the village
	$(RUN) -m server.play stop

test:  ## all checks below
	$(CHECK) -c ""
	$(BESIDE) lint types $(UNIT)
	@$(MAKE) --no-print-directory evennia e2e

lint:  ## rules, size budget, format, layers, docs; no more code that knows a language, no worse a house
	$(CHECK) -m ruff check .
	$(CHECK) -m ruff format --check .
	$(CHECK) -c "from importlinter.cli import lint_imports_command as run; run()"
	$(CHECK) -m bench.language --lint
	$(CHECK) -m bench.house --lint
	$(CHECK) -m pytest tests/house -p no:django -n auto -q

format:  ## put the code into the one format
	$(CHECK) -m ruff format .
	$(CHECK) -m ruff check --fix .

types:  ## mypy on the core
	$(CHECK) -m mypy

unit:  ## the core, without Django: two halves side by side, quicker than workers that report
	$(CHECK) -c ""
	$(BESIDE) $(UNIT)

unit-half:
	$(CHECK) -m pytest $(HALF) -p no:django -q

unit-rest:
	$(CHECK) -m pytest tests/unit $(HALF:%=--ignore=%) -p no:django -q

evennia:  ## the shell, inside Evennia
	$(CHECK) -m pytest tests/evennia -q -n auto

e2e:  ## real servers, real telnet
	$(CHECK) -m pytest tests/e2e -p no:django -q -n 4 --no-loadscope-reorder

pictures:  ## every page of the desk: light, dark and on a phone, kept in build/pictures/desk
	$(CHECK) -c "from pathlib import Path; Path('build').mkdir(exist_ok=True)"
	$(CHECK) -m pytest tests/e2e/test_desk.py tests/e2e/test_desk_edits.py tests/e2e/test_desk_presses.py -p no:django -q -n 0 --basetemp=build/pictures

matrix:  ## the suite on every supported Python found here, and on PostgreSQL
	@$(PYTHON) server/matrix.py

bench:  ## all benches; results on the last line of each
	$(RUN) --with=test,bench -m bench

openapi:  ## write down the REST API as OpenAPI, before a release
	$(RUN) -c "from evennia.server.evennia_launcher import main; main()" ai_openapi --write

clean:  ## remove what can be made again; the game's database stays
	rm -rf .matrix .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist *.egg-info
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
