# Everything sets itself up: `make demo` and `make test` need only python3, make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

PYTHONS ?= python3.11 python3.12 python3.13

.PHONY: demo fuzz test test-slow test-interpreted test-all-pythons lint docs bench setup clean pytest

setup: $(VENV)/.luckless

# Each stamp stands for what was installed; a change of the project's requirements installs again.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.luckless: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "setting up luckless in $(VENV) ..."
	$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.luckless
	$(PIP) install -c constraints.txt -e ".[dev,docs,frames,learn,web]"
	@touch $@

$(VENV)/.peers: $(VENV)/.dev
	$(PIP) install -c constraints.txt -e ".[dev,docs,frames,learn,web,peers]"
	@touch $@

$(VENV)/.docs: $(VENV)/.luckless
	$(PIP) install -c constraints.txt -e ".[docs]"
	@touch $@

demo: $(VENV)/.luckless
	@$(BIN)/luckless equity AcKc 7h6h
	@$(BIN)/luckless match value-bet pot-odds --game limit-hu --hands 600 --decks fresh --divat --report luckless-demo.html
	@echo "Open luckless-demo.html in a browser for the figures of money and skill."

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint pytest

pytest: $(VENV)/.dev
	$(BIN)/pytest -n 2 --dist worksteal

test-slow: $(VENV)/.dev
	$(BIN)/pytest -n 2 --dist worksteal -m slow

# The tests with each of PYTHONS that is at hand, in an environment for each; says which are not.
test-all-pythons:
	@tested=; absent=; \
	for python in $(PYTHONS); do \
	    if version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null); then \
	        echo "== Python $$version"; \
	        $(MAKE) --no-print-directory pytest PYTHON=$$python VENV=.venv-$$version || exit 1; \
	        tested="$$tested $$version"; \
	    else \
	        absent="$$absent $$python"; \
	    fi; \
	done; \
	[ -z "$$absent" ] || echo "not at hand, so not tested:$$absent"; \
	[ -n "$$tested" ] && echo "tests passed with Python$$tested"

docs: $(VENV)/.docs
	$(BIN)/mkdocs build --strict # not --quiet, which would not count warnings
	@echo "Open build/site/index.html in a browser."

# Kernels as plain Python: breakpoints and print work inside them.
test-interpreted: $(VENV)/.dev
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 --dist worksteal -m interpreted

# Damaged input for every reader and both catalogues; COUNT=300 makes it shorter.
COUNT ?= 3000
fuzz: $(VENV)/.peers
	$(BIN)/python tools/fuzz.py --count $(COUNT)

bench: $(VENV)/.peers
	$(BIN)/luckless bench

clean:
	rm -rf $(VENV) .venv-3.* build dist .pytest_cache .mypy_cache .ruff_cache luckless-demo.html
