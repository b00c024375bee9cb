# Every target sets up what it needs in .venv, from nothing but Python, git and make.
PYTHON ?= python3
BIN := .venv/bin
# Results do not depend on the number of cores, the time they take does.
WORKERS ?= auto
# Each worker begins with a part of the tests in their order, so that most of those that share a browser or a cluster stay together.
PYTEST := -m pytest -n $(WORKERS) --dist worksteal
# What make check leaves out: tests that are marked, folders of tests/conftest.py, and examples of the docs, and of what fits models or draws.
QUICK := --quick -m "not slow" tests src $(addprefix --ignore=src/uccurve/,jax plotting sklearn torch)
# Many tests start Python: compiled modules are kept for the next ones, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=
NPM := $(shell command -v npm 2> /dev/null)

.PHONY: help demo docs matrix check test fuzz bench bench-page bench-scale case-bnn case-traffic case-pages lint lint-page format simulate pictures vendor browser java npm clean test-gpu bench-gpu test-adapters test-adapters-core test-adapters-more test-adapters-torch library-figures case-loss
.DELETE_ON_ERROR:

help: ## Show the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST)

demo: .venv/.ready ## Compare two built-in models and write the report page
	@mkdir -p build/demo
	$(BIN)/uccurve demo --output build/demo/report.html

check: .venv/.cases $(if $(NPM),node_modules/.ready) ## Lint, type-check and run the quick tests: for the inner loop
	@start=$$(date +%s); \
	$(MAKE) --no-print-directory lint && \
	$(BIN)/python $(PYTEST) -q $(QUICK) && \
	echo "make check took $$(($$(date +%s) - start)) s"

test: lint browser java ## Lint, type-check and run the whole test suite; fail where branch coverage is too low
	$(BIN)/python $(PYTEST) --cov

# Libraries in .venv-adapters-more, and those that need PyTorch in .venv-adapters-torch; all others are in .venv-adapters.
MORE_LIBRARIES := arviz catboost darts gluonts numpyro prophet skforecast
TORCH_LIBRARIES := neuralforecast
IS_MORE := $(foreach library,$(MORE_LIBRARIES),%/test_$(library).py %/$(library).md)
IS_TORCH := $(foreach library,$(TORCH_LIBRARIES),%/test_$(library).py %/$(library).md)
LIBRARY_CHECKS := $(wildcard tests/libraries/test_*.py docs/libraries/*.md)
# Other libraries warn about themselves and each other: their warnings are shown, and fail nothing. The fits are
# small, and threads would only wait for each other.
LIBRARY_PYTEST := -m pytest -W default
test-adapters-core test-adapters-more test-adapters-torch library-figures: export OMP_NUM_THREADS := 1

test-adapters: test-adapters-core test-adapters-more test-adapters-torch ## Fit models of other libraries, and read their intervals

test-adapters-core: .venv-adapters/.ready ## The same for the libraries that install together quickly
	.venv-adapters/bin/python $(LIBRARY_PYTEST) $(filter-out $(IS_MORE) $(IS_TORCH),$(LIBRARY_CHECKS))

test-adapters-more: .venv-adapters-more/.ready ## The same for larger libraries
	.venv-adapters-more/bin/python $(LIBRARY_PYTEST) $(filter $(IS_MORE),$(LIBRARY_CHECKS))

ifneq ($(filter $(IS_TORCH),$(LIBRARY_CHECKS)),)
test-adapters-torch: .venv-adapters-torch/.ready ## The same for libraries that need PyTorch
	.venv-adapters-torch/bin/python $(LIBRARY_PYTEST) $(filter $(IS_TORCH),$(LIBRARY_CHECKS))
endif

# Failures are kept in build/fuzz and tried again first. The laws are repeated until the time is over: make fuzz SECONDS=3600.
SECONDS ?= 600
fuzz: .venv/.cases ## Test the laws on new examples, for ten minutes or until one breaks
	@until=$$(($$(date +%s) + $(SECONDS))); \
	while [ $$(date +%s) -lt $$until ]; do \
		nice $(BIN)/python $(PYTEST) -q -m hypothesis --hypothesis-profile=fuzz tests || exit 1; \
	done

lint: .venv/.cases $(if $(NPM),lint-page) ## Check style and types; the page's scripts where npm is installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tools/dead_code.py

lint-page: node_modules/.ready ## Check the style of the page's scripts; needs npm
	npm run --silent lint

format: .venv/.ready $(if $(NPM),node_modules/.ready) ## Rewrite the code in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(if $(NPM),npm run --silent format)

bench: .venv/.ready .venv-peers/.ready ## Measure speed and memory against peers, as ratios in one run
	$(BIN)/python bench/run.py

bench-page: .venv/.ready browser ## Measure large report pages: size, time to open, main thread per move of the slider
	$(BIN)/python bench/page.py

# Both need an NVIDIA GPU, and the interpreter of an environment with PyTorch for CUDA: make bench-gpu CUDA_PYTHON=python3.
CUDA_PYTHON ?= python3
test-gpu: ## Test on an NVIDIA GPU: what the CPU says, within the bounds of the docs
	PYTHONPATH=src $(CUDA_PYTHON) -m pytest -q -c /dev/null --rootdir tests/gpu tests/gpu

bench-gpu: ## Measure on an NVIDIA GPU, as ratios in one run
	PYTHONPATH=src $(CUDA_PYTHON) bench/gpu.py
	cp build/bench/gpu.md docs/gpu-benchmarks.md

bench-scale: .venv/.ready ## Measure sketches and scans of up to 80 million rows; takes some minutes and 4 GB of disk
	$(BIN)/python bench/scale.py
	cp build/bench/scale.md docs/scale-benchmarks.md

case-bnn: .venv/.cases ## Run the study of a Bayesian network with a gap in its data; takes up to fifteen minutes
	$(BIN)/python -m casestudies.bnn_gap --output build/cases
	$(call publish,bnn-gap)

# A copy of the data file may be given, instead of a download: make case-traffic DATA=file.csv.gz
case-traffic: .venv/.cases ## Run the study of traffic forecasts with LSTM networks; takes up to ten minutes
	$(BIN)/python -m casestudies.traffic --output build/cases $(if $(DATA),--data "$(DATA)")
	$(call publish,traffic)

case-loss: .venv/.cases ## Run the trial of losses that learn bands; takes a few minutes
	$(BIN)/python -m casestudies.band_loss --output build/cases $(if $(DATA),--data "$(DATA)")
	$(call publish,band-loss)

case-pages: .venv/.cases ## Write the pages of all studies again, from the results that are there
	$(BIN)/python -m casestudies

define publish
mkdir -p docs/cases/$(1)
cp build/cases/$(1)/*.png build/cases/$(1)/results.json docs/cases/$(1)/
$(BIN)/python -m casestudies
endef

simulate: .venv/.ready ## Check size and coverage by simulation; takes a few minutes
	$(BIN)/python simulations/simulate.py
	cp build/simulations/simulations.md docs/simulations.md

pictures: .venv/.ready browser ## Redraw the documentation's figures, run its notebook, and take pictures of the report page
	$(BIN)/python examples/figures.py
	$(BIN)/python -m nbconvert --to notebook --execute --inplace --ExecutePreprocessor.record_timing=False examples/from_uq360.ipynb
	$(BIN)/python tools/pictures.py

docs: .venv/.docs ## Build the documentation site in build/site, strictly: open build/site/index.html, it works offline
	$(BIN)/python $(PYTEST) -q docs src --doctest-modules
	$(BIN)/sphinx-build -q -W --keep-going -d build/site-cache docs build/site
	@echo "build/site/index.html"

matrix: .venv/.matrix ## Try the wheel in fresh environments: every Python here, lowest and newest dependencies, the base alone
	$(BIN)/python -m tox run

library-figures: .venv-adapters/.ready .venv-adapters-more/.ready .venv-adapters-torch/.ready ## Redraw the figures on the pages of other libraries
	.venv-adapters/bin/python examples/libraries.py $(filter-out %/README.md $(IS_MORE) $(IS_TORCH),$(wildcard docs/libraries/*.md))
	.venv-adapters-more/bin/python examples/libraries.py $(filter $(IS_MORE),$(wildcard docs/libraries/*.md))
	.venv-adapters-torch/bin/python examples/libraries.py $(filter $(IS_TORCH),$(wildcard docs/libraries/*.md))

vendor: .venv/.ready ## Fetch the report page's JavaScript libraries again, at the recorded versions; needs npm
	$(BIN)/python tools/vendor.py

clean: ## Remove what the targets made
	rm -rf .venv .venv-peers .venv-adapters .venv-adapters-more .venv-adapters-torch node_modules build .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/.ready: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[all]" --group test --group lint --group bench
	touch $@

# What the case studies and the metrics for PyTorch need is large: only they, their types and their tests wait for it.
.venv/.cases: .venv/.ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group cases
	touch $@

# Sphinx and its theme: only the documentation site needs them.
.venv/.docs: .venv/.ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group docs
	touch $@

.venv/.matrix: .venv/.ready
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group matrix
	touch $@

# Libraries that the adapters read, which are not wanted beside the library itself.
.venv-adapters/.ready: GROUP = adapters
.venv-adapters-more/.ready: GROUP = adapters-more
.venv-adapters-torch/.ready: GROUP = adapters-torch
.venv-adapters/.ready .venv-adapters-more/.ready .venv-adapters-torch/.ready: pyproject.toml constraints-adapters.txt
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(@D)/bin/python -m pip install --quiet --constraint constraints-adapters.txt --editable ".[plot]" --group $(GROUP)
	touch $@

# Formatter and linter of the page's scripts.
node_modules/.ready: package.json package-lock.json
	npm ci --silent
	touch $@

# The browser that opens the report page in tests and pictures, and the same without windows, which opens pages in a third of
# the time: Debian's packages, installed where they are missing. Tests make do with the first.
browser:
	@command -v chromium > /dev/null && command -v chromium-headless-shell > /dev/null || { \
		as_root=$$(test $$(id -u) -eq 0 || echo sudo); \
		$$as_root apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends chromium chromium-headless-shell fonts-dejavu-core; } \
		|| command -v chromium > /dev/null

# PySpark needs Java 17 or newer: Debian's package, installed where it is missing.
java:
	@command -v java > /dev/null || { \
		as_root=$$(test $$(id -u) -eq 0 || echo sudo); \
		$$as_root apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless; }

# The tools that check the page's scripts come from npm: Debian's package, installed where it is missing.
npm:
	@command -v npm > /dev/null || { \
		as_root=$$(test $$(id -u) -eq 0 || echo sudo); \
		$$as_root apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends nodejs npm; }

# The reference implementation runs only beside libraries of its time.
.venv-peers/.ready: bench/peers.txt
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --requirement bench/peers.txt
	.venv-peers/bin/python -m pip install --quiet --no-deps uq360==0.2
	touch $@
