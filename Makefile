# How is Sightline run and checked? Two commands matter: `make up` and `make test`.
# Everything here may be run again at any time; what is already done is not done twice.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

VENV := .venv
PY := $(VENV)/bin/python
UI := services/orchestrator/ui
UV_VERSION := 0.13.9
LOCK_HASH := $(shell sha256sum requirements.lock | cut -c1-16)
UI_SOURCES := $(shell find $(UI) -type f -not -path '*/node_modules/*' -not -path '*/dist/*' 2>/dev/null)
UV_COMPILE := $(VENV)/bin/uv pip compile --quiet --generate-hashes --no-annotate --no-header --universal -p 3.11
RUNTIME_EXTRAS := ingest lexical-index vector-index rerank orchestrator eval
LOCKED_EXTRAS := $(RUNTIME_EXTRAS) client plots dev
PROTOC := $(PY) -m grpc_tools.protoc -I shared/pb=proto
NODE_IS_NEW := node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null && command -v npm >/dev/null

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ------------------------------------------------------------------ run and test

.PHONY: up
up: env page models ## run Sightline here: PORT=8080 SIGHTLINE_DATA=./data SAMPLE=1 (Ctrl-C ends it)
	@exec $(PY) -m services.local

.PHONY: test
test: env page models browser ## the whole test suite; ARGS="-k name" chooses
	@$(PY) -m pytest $(ARGS)

.PHONY: e2e
e2e: env page models browser ## the page in a browser against a running stack
	@$(PY) -m pytest tests/e2e $(ARGS)

.PHONY: check
check: env proto-fresh lock-fresh ## style, types, who imports whom, generated code, lock
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@if $(NODE_IS_NEW) && [ -d $(UI)/node_modules ]; then cd $(UI) && npm run --if-present --silent check; fi

# ------------------------------------------------------------------ measure

.PHONY: eval
eval: env models ## the development half: ablation table with intervals, held against the committed result
	@$(PY) -m eval run $(ARGS)

.PHONY: eval-full
eval-full: env models ## the same with every row, chunk sizes included (about an hour)
	@$(PY) -m eval run --rows full $(ARGS)

.PHONY: eval-held-out
eval-held-out: env models ## the held-out half, always whole: not for tuning
	@$(PY) -m eval run --split held_out $(ARGS)

.PHONY: eval-regression
eval-regression: env models ## faults that there have been: what was right must be right
	@$(PY) -m eval run --suite regression $(ARGS)

.PHONY: eval-hash
eval-hash: env models ## without a model: every rank must be what it was
	@$(PY) -m eval run --rows hash $(ARGS)

.PHONY: eval-parsers
eval-parsers: env ## what our parser reads of PDFs whose truth is known: no figure of any may fall
	@$(PY) -m eval parsers --compare --ours-only $(ARGS)

.PHONY: bench
bench: env models ## latency and memory at 1,000, 10,000 and 100,000 passages
	@$(PY) -m eval growth $(ARGS)

# ------------------------------------------------------------------ what they need

.PHONY: env
env: $(VENV)/.installed-$(LOCK_HASH) ## the Python environment in .venv, as locked

$(VENV)/.installed-$(LOCK_HASH): | requirements.lock
	@if ! $(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	  python=; \
	  for p in $${PYTHON:-} python3.11 python3 python3.13 python3.12; do \
	    if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$p; break; fi; \
	  done; \
	  [ -n "$$python" ] || { echo 'Python 3.11 or newer is missing: install it (Debian: apt-get install python3 python3-venv) and run this again.' >&2; exit 1; }; \
	  "$$python" -c 'import ensurepip, venv' 2>/dev/null || { echo "$$python has no venv module: install it (Debian: apt-get install python3-venv) and run this again." >&2; exit 1; }; \
	  "$$python" -m venv --clear $(VENV); \
	fi
	@echo 'Installing the Python packages of requirements.lock into $(VENV) (once, about two minutes) …'
	@$(PY) -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock \
	  || { echo 'The Python packages could not be installed: see the lines above, then run this again.' >&2; exit 1; }
	@rm -f $(VENV)/.installed-* && touch $@

.PHONY: models
models: env ## fetch the model weights and verify their digests
	@$(PY) -m shared.fetch_models

.PHONY: page
page: ## build the browser page
ifneq ($(UI_SOURCES),)
	@if $(NODE_IS_NEW); then $(MAKE) --silent $(UI)/dist/.built; \
	else echo 'Node.js 20 or newer is missing, so the browser page is not built; everything else runs (install it and run this again for the page).'; fi
endif

$(UI)/node_modules/.installed: $(UI)/package-lock.json
	@echo 'Installing the packages of the page (once) …'
	@cd $(UI) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(UI)/dist/.built: $(UI)/node_modules/.installed $(UI_SOURCES)
	@cd $(UI) && npm run build --silent -- --logLevel=warn
	@touch $@

.PHONY: browser
browser:
	@if ! command -v chromium >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo 'Installing Chromium for the tests of the page (once) …'; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 || true; fi

# ------------------------------------------------------------------ generated files

.PHONY: proto
proto: env ## generate shared/pb from proto/
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PROTOC) --python_out=. --mypy_out=quiet:. --grpc_python_out=. --mypy_grpc_out=quiet:. proto/*.proto

.PHONY: proto-fresh
proto-fresh: env
	@fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; mkdir -p "$$fresh/shared/pb"; touch "$$fresh/shared/pb/__init__.py"; \
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PROTOC) --python_out="$$fresh" --mypy_out="quiet:$$fresh" --grpc_python_out="$$fresh" --mypy_grpc_out="quiet:$$fresh" proto/*.proto; \
	diff -r -x __pycache__ "$$fresh/shared/pb" shared/pb || { echo 'shared/pb is not what proto/ gives: run `make proto` and commit it.' >&2; exit 1; }

$(VENV)/bin/uv: | env
	@$(PY) -m pip install -qq --disable-pip-version-check uv==$(UV_VERSION)

.PHONY: lock
lock: $(VENV)/bin/uv ## requirements.lock from pyproject.toml, and the part of it that containers install
	@$(UV_COMPILE) pyproject.toml $(LOCKED_EXTRAS:%=--extra %) -o requirements.lock
	@$(UV_COMPILE) pyproject.toml $(RUNTIME_EXTRAS:%=--extra %) -c requirements.lock -o deploy/runtime.lock

.PHONY: lock-fresh
lock-fresh: $(VENV)/bin/uv
	@fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; cp requirements.lock deploy/runtime.lock "$$fresh"; \
	$(UV_COMPILE) pyproject.toml $(LOCKED_EXTRAS:%=--extra %) -o "$$fresh/requirements.lock" >/dev/null; \
	$(UV_COMPILE) pyproject.toml $(RUNTIME_EXTRAS:%=--extra %) -c requirements.lock -o "$$fresh/runtime.lock" >/dev/null; \
	{ cmp -s requirements.lock "$$fresh/requirements.lock" && cmp -s deploy/runtime.lock "$$fresh/runtime.lock"; } \
	  || { echo 'requirements.lock or deploy/runtime.lock does not fit pyproject.toml: run `make lock` and commit it.' >&2; exit 1; }

.PHONY: clean
clean: ## remove what was built and installed here; data/ and models/ stay
	@rm -rf $(VENV) $(UI)/node_modules $(UI)/dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
