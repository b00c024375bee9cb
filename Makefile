# Every target sets up what it needs in .venv, from nothing but Python, git and make.
PYTHON ?= python3
BIN := .venv/bin
NPM := $(shell command -v npm 2> /dev/null)
# Each worker begins with a part of the tests in their order, so that most of those that share a browser or a cluster stay together.
PYTEST := -m pytest -n $(or $(WORKERS),auto) --dist worksteal
# Many tests start Python: compiled modules are kept for the next ones, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo check test lint format docs pictures bench bench-page bench-scale bench-gpu simulate cases atlas fuzz test-adapters release-check system clean

help: ## Show the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST)

demo: .venv/.demo ## Compare two built-in models and write the report page
	@mkdir -p build/demo
	$(BIN)/uccurve demo --output build/demo/report.html

check: .venv/.ready lint ## Lint, type-check and run the quick tests: for the inner loop
	$(BIN)/python $(PYTEST) -q -m "not slow" --hypothesis-profile=quick tests src $(addprefix --ignore=src/uccurve/,jax.py plotting sklearn torch)

test: system .venv/.ready ## Lint, type-check and run the whole test suite; fail where branch coverage is too low
	$(MAKE) --no-print-directory lint
	$(BIN)/python $(PYTEST) --cov

lint: .venv/.ready $(if $(NPM),node_modules/.ready) ## Check style, types and dead code; the page's scripts where npm is installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/vulture
	$(if $(NPM),npm run --silent lint)

format: .venv/.ready $(if $(NPM),node_modules/.ready) ## Rewrite the code in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(if $(NPM),npm run --silent format)

docs: .venv/.ready ## Build the documentation site strictly; open build/site/index.html, it works offline
	$(BIN)/python $(PYTEST) -q docs src --doctest-modules
	$(BIN)/sphinx-build -q -W --keep-going -d build/site-cache docs build/site

pictures: system .venv/.ready ## Redraw the documentation's figures, run its notebook, and take pictures of the report page
	$(BIN)/python examples/figures.py
	$(BIN)/python -m nbconvert --to notebook --execute --inplace --ExecutePreprocessor.record_timing=False examples/from_uq360.ipynb
	$(BIN)/python tools/pictures.py

bench: .venv/.ready .venv-peers/.ready ## Measure speed and memory against peers; write docs/benchmarks.md
	$(BIN)/python bench/run.py --page docs/benchmarks.md

bench-page: system ## Measure the report page in Chromium; write docs/page-benchmarks.md
bench-scale: ## Measure up to 80 million rows, on 4 GB of disk; write docs/scale-benchmarks.md
bench-page bench-scale: bench-%: .venv/.ready
	$(BIN)/python bench/$*.py --page docs/$*-benchmarks.md

bench-gpu: ## Test and measure on an NVIDIA GPU, with CUDA_PYTHON, a Python with PyTorch for CUDA; write docs/gpu-benchmarks.md
	PYTHONPATH=src $(or $(CUDA_PYTHON),python3) -m pytest -q -c /dev/null --rootdir tests/gpu tests/gpu
	PYTHONPATH=src $(or $(CUDA_PYTHON),python3) bench/gpu.py --page docs/gpu-benchmarks.md

simulate: .venv/.ready ## Check size and coverage by simulation, in half an hour; write docs/simulations.md
	$(BIN)/python simulations/simulate.py --page docs/simulations.md

cases: .venv/.ready ## Run the case studies, or STUDY=traffic alone, with DATA=file.csv.gz instead of a download; write docs/cases
	$(BIN)/python -m casestudies $(or $(STUDY),bnn-gap traffic band-loss) $(if $(DATA),--data "$(DATA)")

atlas: .venv/.ready ## Fit interval methods on real data sets, or what is missing of them, in half an hour; write docs/atlas
	$(BIN)/python -m casestudies.atlas $(if $(DATA),--data "$(DATA)")

fuzz: .venv/.ready ## Test the laws on new examples, for SECONDS=600 or until one breaks; failures are kept in build/fuzz
	@until=$$(($$(date +%s) + $(or $(SECONDS),600))); \
	while [ $$(date +%s) -lt $$until ]; do nice $(BIN)/python $(PYTEST) -q -m hypothesis --hypothesis-profile=fuzz tests || exit 1; done

# Environments of the libraries that adapters read; tests/libraries lists the tests of each. Warnings of these libraries fail nothing.
ENVIRONMENTS ?= adapters adapters-more adapters-torch
test-adapters: $(ENVIRONMENTS:%=.venv-%/.ready) ## Fit models of other libraries, and read their intervals
	@set -ex; $(foreach one,$(ENVIRONMENTS),.venv-$(one)/bin/python -m pytest -W default @tests/libraries/$(one).txt;)

# Pythons of pyenv are found even where they are not switched on.
release-check: export PATH := $(PATH)$(shell printf ':%s' $(HOME)/.pyenv/versions/3.1[1-9]*/bin)
release-check: .venv/.ready ## Build sdist and wheel; try the wheel with every Python here, lowest and newest dependencies, the base alone
	rm -rf dist build/matrix
	$(BIN)/hatchling build
	$(BIN)/tox run
	@echo "files: $$(cd dist && echo *); environments: $$(cd build/matrix && echo py3*/bin | sed 's,/bin,,g'); ok"

clean: ## Remove what the targets made
	rm -rf .venv .venv-* node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python .venv-peers/bin/python $(ENVIRONMENTS:%=.venv-%/bin/python):
	@echo "Setting up $(@D:/bin=) with uccurve and what it needs; nothing outside this folder is changed."
	@$(PYTHON) -m venv $(@D)/..
	@$(@D)/python -m pip install --quiet --upgrade "pip>=25.1"

.venv/.demo: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[all]"
	@touch $@

.venv/.ready: .venv/.demo
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group test --group lint --group cases --group docs --group release
	touch $@

$(ENVIRONMENTS:%=.venv-%/.ready): .venv-%/.ready: pyproject.toml constraints-adapters.txt | .venv-%/bin/python
	.venv-$*/bin/python -m pip install --quiet --constraint constraints-adapters.txt --editable ".[plot]" --group $*
	touch $@

.venv-peers/.ready: bench/peers.txt | .venv-peers/bin/python # the reference implementation runs only beside libraries of its time
	.venv-peers/bin/python -m pip install --quiet --requirement bench/peers.txt
	.venv-peers/bin/python -m pip install --quiet --no-deps uq360==0.2
	touch $@

node_modules/.ready: package.json package-lock.json
	npm ci --silent
	touch $@

# Debian's packages where a program is missing: browsers for the report page (the second is faster, and not needed), Java for PySpark, npm.
PROGRAMS := chromium:chromium chromium-headless-shell:chromium-headless-shell java:openjdk-17-jre-headless npm:npm
MISSING = $(strip $(foreach one,$(PROGRAMS),$(if $(shell command -v $(firstword $(subst :, ,$(one)))),,$(lastword $(subst :, ,$(one))))))
system:
	@test -z "$(MISSING)" || { as_root=$$(test $$(id -u) -eq 0 || echo sudo); $$as_root apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends $(MISSING) fonts-dejavu-core; \
	} || test "$(MISSING)" = chromium-headless-shell
