# Targets create the virtual environment that they need; a second run reuses it.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
MADE   := $(VENV)/.made
READY  := $(VENV)/.ready
DEV    := $(VENV)/.ready-dev
DOCS   := $(VENV)/.ready-docs

# The folder of the corpora: next to the repository, unless the variable is set.
HONEYBAYES_DATA ?= $(shell cd ../shared/datasets 2>/dev/null && pwd)
export HONEYBAYES_DATA

# keep compiled files: the tests start many processes that import the same modules
export PYTHONDONTWRITEBYTECODE :=
# two installs at the same time would disturb each other
.NOTPARALLEL:

# small matrices: more threads of a linear algebra library only wait for each other
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
CORES := $(shell $(PYTHON) -c 'import os; print(len(getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count()))(0)))')
# a process that is done takes over waiting tests of another one
PYTEST := $(ONE_THREAD) $(BIN)/python -m pytest --dist=worksteal
# what the markers of pyproject.toml name is left to test-all
SLOW := browser or docs or process or statistics
# one process more than cores, because these tests wait for processes and browsers
MORE := $(shell expr $(CORES) + 1)

.PHONY: help demo test test-all coverage lint docs package bench reproduce test-oldest clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(READY)  ## install, sort the bundled customer messages into queues, write report.html
	$(BIN)/honeybayes demo

test: $(DEV)  ## install, and run the tests that take a few minutes
	$(PYTEST) --numprocesses=$(CORES) -m "not ($(SLOW))"

test-all: test  ## all tests, also those of processes, browsers, documentation and statistics
	$(PYTEST) --numprocesses=$(MORE) -m "$(SLOW)"

coverage: $(DEV)  ## all tests, and the share of lines and branches of src that they run
	$(PYTEST) --numprocesses=$(MORE) --cov --cov-report=term --cov-report=html

lint: $(DEV)  ## style, types, import contracts, docstrings, links, generated pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(ONE_THREAD) $(BIN)/python -m pytest --quiet checks

docs: $(DOCS)  ## build the documentation site: docs/_build/html/docs/index.html
	$(ONE_THREAD) $(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -c docs/site \
	  -d docs/_build/doctrees . docs/_build/html

package: | $(MADE)  ## build the wheel and the source archive twice, compare, check and install them
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build twine check-wheel-contents
	$(BIN)/python docs/make_package.py

bench: $(DEV)  ## speed and memory, as ratios to a baseline measured in the same run
	$(BIN)/python -m benchmarks

reproduce: $(DEV)  ## rerun the papers, or one: make reproduce PAPER=hmnb (needs the corpora, see CONTRIBUTING.md)
	$(BIN)/python -m reproduction $(PAPER)
	$(if $(PAPER),,$(BIN)/python -m reproduction.beyond && $(BIN)/python -m reproduction.figures)
	$(BIN)/python -m reproduction --pages

test-oldest: ## all tests on the oldest supported dependencies
	$(PYTHON) -m venv $(VENV)-oldest
	$(VENV)-oldest/bin/python -m pip install --quiet --disable-pip-version-check \
	  -c tests/oldest.txt -e '.[dev]'
	$(ONE_THREAD) $(VENV)-oldest/bin/python -m pytest --dist=worksteal --numprocesses=$(MORE) -p no:cacheprovider

clean:  ## remove the environments and all caches
	rm -rf $(VENV) $(VENV)-oldest .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks reproduction examples -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("honeybayes needs Python 3.11 or later, but $(PYTHON) is %d.%d. Try: make PYTHON=python3.12" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	@touch $@

# modules are compiled when they are imported first: most never are
$(READY): pyproject.toml | $(MADE)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e '.[label,report,vectors]'
	@touch $@

$(DEV): pyproject.toml | $(MADE)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e '.[dev]'
	@touch $(READY) $@

$(DOCS): pyproject.toml | $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@
