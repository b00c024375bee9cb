# Every target sets up what it needs in .venv, from nothing but Python, git and make.
PYTHON ?= python3
BIN := .venv/bin
# Results do not depend on the number of cores, the time they take does.
WORKERS ?= auto

.PHONY: help demo test bench lint format simulate picture clean
.DELETE_ON_ERROR:

help: ## Show the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST)

demo: .venv/.ready ## Score a built-in example, print the table, draw the curves
	$(BIN)/python examples/demo.py

test: lint ## Lint, type-check and run the whole test suite
	$(BIN)/python -m pytest -n $(WORKERS)

lint: .venv/.ready ## Check style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: .venv/.ready ## Rewrite the code in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/.ready .venv-peers/.ready ## Measure speed and memory against peers, as ratios in one run
	$(BIN)/python bench/run.py

simulate: .venv/.ready ## Check size and coverage by simulation; takes a few minutes
	$(BIN)/python simulations/simulate.py
	cp build/simulations/simulations.md docs/simulations.md

picture: .venv/.ready ## Redraw the README's picture
	$(BIN)/python examples/demo.py --output docs/ucc.png

clean: ## Remove what the targets made
	rm -rf .venv .venv-peers build .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/.ready: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[all]" --group test --group lint --group bench
	touch $@

# The reference implementation runs only beside libraries of its time.
.venv-peers/.ready: bench/peers.txt
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --requirement bench/peers.txt
	.venv-peers/bin/python -m pip install --quiet --no-deps uq360==0.2
	touch $@
