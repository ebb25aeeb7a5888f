# Needs only Python 3.11 to 3.14, git and make. Everything is installed inside this folder: .venv and node_modules.
# `make help` lists what there is.

HOST ?= 127.0.0.1
PORT ?= 8000
LLM_PORT ?= 8011
FITS = import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$python" -c '$(FITS)' 2>/dev/null && echo "$$python" && break; done)

V := .venv/bin/python
LOG := .venv/install.log
VENV := .venv/.made
INSTALLED := .venv/.installed
NODE := node_modules/.installed
TESTS := .venv/.tests-installed

.PHONY: run install test check bench scripted-llm lock help
.NOTPARALLEL:
.DELETE_ON_ERROR:

# The wheel's node must be the first that npm and its scripts find.
WITH_NODE = PATH="$$PWD/.venv/bin:$$PATH"

# $(call step,what is done,command,what to do if it fails): quiet unless it fails.
define step
	@echo '$(1) …'; mkdir -p .venv; \
	if ! { $(2); } >$(LOG) 2>&1; then \
		printf '\nThis step failed: %s\nThe last lines of its output:\n' '$(1)'; \
		tail -n 15 $(LOG) | sed 's/^/    /'; \
		printf '\n%s\n\n' '$(strip $(3))'; \
		exit 1; \
	fi
endef

run: $(NODE) ## Install what is missing, then start the dashboard (PORT=8000 HOST=127.0.0.1)
	@exec $(V) manage.py dashboard --host $(HOST) --port $(PORT)

install: $(NODE) ## Only install

test: $(NODE) $(TESTS) ## Run all tests (ARGS="-k name" to choose)
	@sh tests/install.sh
	@$(V) -m pytest $(ARGS)

check: $(NODE) $(TESTS) ## Check style, types, templates, scripts
	@$(V) -m ruff check --quiet .
	@$(V) -m ruff format --check .
	@$(V) -m mypy --no-error-summary
	@$(V) -m djlint templates --lint
	@$(V) -m djlint templates --check
	@$(WITH_NODE) node_modules/.bin/biome check static/js static/css tests/js engine/minecraft/js
	@$(V) manage.py check
	@$(V) manage.py makemigrations --check --dry-run --verbosity 0
	@echo 'All checks passed.'

bench: $(NODE) $(TESTS) ## Measure speed
	@$(V) -m tests.bench
	@$(V) -m tests.bench.watching

scripted-llm: $(NODE) ## Serve the scripted planner as an OpenAI-compatible endpoint (LLM_PORT=8011)
	@exec $(V) manage.py scripted_llm --port $(LLM_PORT)

lock: $(VENV) ## Resolve the direct dependencies of pyproject.toml into the requirements files
	$(call step,Installing uv,$(V) -m pip install --disable-pip-version-check uv,Is the network up?)
	@UV_CUSTOM_COMPILE_COMMAND='make lock' .venv/bin/uv pip compile --quiet --universal --python-version 3.11 \
		--no-annotate --no-emit-index-url pyproject.toml -o requirements.txt
	@UV_CUSTOM_COMPILE_COMMAND='make lock' .venv/bin/uv pip compile --quiet --universal --python-version 3.11 \
		--no-annotate --no-emit-index-url --group dev -c requirements.txt -o tests/requirements.txt

help: ## Show this
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

$(VENV):
	@test -n '$(PYTHON)' || { \
		echo 'No Python 3.11 to 3.14 was found. Install one, or name it: make run PYTHON=/path/to/python3'; exit 1; }
	@"$(PYTHON)" -c '$(FITS)' 2>/dev/null || { \
		echo '$(PYTHON) is not a Python 3.11 to 3.14. Name another: make run PYTHON=/path/to/python3'; exit 1; }
	$(call step,Making a virtual environment,"$(PYTHON)" -m venv .venv,\
	If it says that venv or ensurepip is missing: on Debian and Ubuntu install the package python3-venv.)
	@touch $@

$(INSTALLED): requirements.txt $(VENV)
	$(call step,Installing Python packages (a minute or two the first time),\
	$(V) -m pip install --disable-pip-version-check -r requirements.txt,\
	Is the network up? Then run make again: it goes on from here.)
	@touch $@

$(NODE): package.json package-lock.json $(INSTALLED)
	$(call step,Installing scripts and game data with npm,\
	$(WITH_NODE) .venv/bin/npm ci --no-progress,\
	Is the network up? Then run make again: it goes on from here.)
	@touch $@

$(TESTS): tests/requirements.txt $(INSTALLED)
	$(call step,Installing what the tests need,\
	$(V) -m pip install --disable-pip-version-check -r tests/requirements.txt,\
	Is the network up? Then run make again: it goes on from here.)
	@touch $@
