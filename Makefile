# Everything sets itself up: `make demo` and `make test` need only python3, make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: demo test test-slow test-interpreted lint bench setup clean

setup: $(VENV)/.luckless

# Each stamp stands for what was installed; a change of the project's requirements installs again.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.luckless: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "setting up luckless in $(VENV) ..."
	$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.luckless
	$(PIP) install -c constraints.txt -e ".[dev,learn]"
	@touch $@

$(VENV)/.peers: $(VENV)/.dev
	$(PIP) install -c constraints.txt -e ".[dev,learn,peers]"
	@touch $@

demo: $(VENV)/.luckless
	@$(BIN)/luckless equity AcKc 7h6h
	@$(BIN)/luckless match value-bet pot-odds --game limit-hu --hands 600 --decks fresh --divat --report luckless-demo.html
	@echo "Open luckless-demo.html in a browser for the figures of money and skill."

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 2 --dist worksteal

test-slow: $(VENV)/.dev
	$(BIN)/pytest -n 2 --dist worksteal -m slow

# Kernels as plain Python: breakpoints and print work inside them.
test-interpreted: $(VENV)/.dev
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n 2 --dist worksteal -m interpreted

bench: $(VENV)/.peers
	$(BIN)/luckless bench

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache luckless-demo.html
