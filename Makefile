# Everything a newcomer types. Each target sets the machine up first; the second time that is quick.

PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help setup browser demo test lab check docs bench clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Make .venv and install into it
	@command -v $(PYTHON) >/dev/null || { echo "mediakit needs Python 3.11 or newer; name it: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -I mediakit/bootstrap.py

browser: setup ## Find or install a Chromium
	@$(BIN)/mediakit browser install

demo: browser ## Render real assets of every tool into demo/
	@$(BIN)/mediakit demo demo

test: browser ## Run the whole test suite
	@$(BIN)/python -m pytest

lab: browser ## Open JupyterLab on notebooks/
	@$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks

check: setup ## Format, lint, layers, types, generated documents
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy
	@$(BIN)/python docs/build.py --check

docs: browser ## Write the generated documents anew, and run notebooks that have changed
	@$(BIN)/python docs/build.py
	@$(BIN)/python docs/notebook_pages.py

bench: browser ## Measure speed beside the peers
	@$(BIN)/python -m bench

clean: ## Remove what was made here
	rm -rf .venv demo .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
