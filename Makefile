# Everything sets itself up: `make demo` and `make test` need only python3, make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := $(VENV)/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: demo test test-slow lint bench setup clean

setup: $(SETUP)

$(SETUP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -c constraints.txt -e ".[dev]"
	touch $(SETUP)

$(VENV)/.peers: $(SETUP)
	$(PIP) install -c constraints.txt -e ".[dev,peers]"
	touch $(VENV)/.peers

demo: $(SETUP)
	@$(BIN)/luckless equity AcKc 7h6h
	@$(BIN)/luckless rank AcKc --board Ks5h3d

lint: $(SETUP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 2 --dist worksteal

test-slow: $(SETUP)
	$(BIN)/pytest -n 2 --dist worksteal -m slow

bench: $(VENV)/.peers
	$(BIN)/luckless bench

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
