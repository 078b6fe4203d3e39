# Common commands. Each target sets up the checkout first, which is fast if it is already done.

PYTHON ?= python3
TEST_PROCESSES ?= 3
BIN := .venv/bin
.DEFAULT_GOAL := help
# Keeps bytecode, also where the environment asks not to write it beside the sources.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/bytecode
.PHONY: help setup browser demo test lab check docs dist versions bench contract clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Create .venv and install the package
	@command -v $(PYTHON) >/dev/null || { echo "mediakit needs Python 3.11 or newer. Select it: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -I .ci/bootstrap.py

browser: setup ## Find or install Chromium
	@$(BIN)/mediakit browser install

demo: browser ## Render every example of every tool into demo/index.html
	@$(BIN)/mediakit demo demo

test: browser ## Run the whole test suite
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadscope --no-loadscope-reorder

lab: browser ## Open notebooks/ in JupyterLab
	@$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks/01_start.ipynb

check: browser ## Check format, lint, layers, types, generated files, and the oldest and newest packages
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/lint-imports
	@$(BIN)/python .ci/check_cycles.py
	@$(BIN)/deptry mediakit --optional-dependencies-dev-groups dev
	@$(BIN)/deptry mediakit tests docs bench .ci
	@$(BIN)/python .ci/check_words.py
	@$(BIN)/mypy
	@$(BIN)/python docs/build.py --check
	@$(BIN)/python .ci/check_versions.py --examples

docs: demo ## Build the documentation: open it with mediakit docs
	@$(BIN)/python docs/build.py
	@$(BIN)/python docs/website.py
	@$(BIN)/mediakit docs --path

dist: browser ## Build the wheel, and call every tool of it outside of the checkout
	@$(BIN)/python .ci/check_package.py

versions: browser ## Run promises on the oldest and newest versions of packages
	@$(BIN)/python .ci/check_versions.py

contract: browser ## Call a server with thousands of generated requests
	@$(BIN)/python -m tests.contract

bench: browser ## Run benchmarks against other libraries
	@$(BIN)/python -m bench

clean: ## Remove generated files
	rm -rf .venv demo dist docs/_build docs/gallery.md docs/site_images docs/tasks.md docs/tools .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
