# Lastlap. `make` alone lists what can be asked for.
#
# Each target sets up .venv with the libraries it needs, once, and again when that set changes. ARGS goes on to the
# program: make play ARGS="--port 9000", make test ARGS="tests/engine -k stack".

PYTHON ?= python3
ARGS   ?=

VENV := .venv
# What needs no Discord, real or simulated.
QUICK := $(wildcard $(addprefix tests/,engine model store tables tallies ui))
RUN  := $(VENV)/bin/python

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help play run test test-quick check coverage lint test-browser playouts kills stress soak faults rehearsal memory mutants ratings boards strength bench messages catalogues language architecture requirements clean

help: ## List what can be asked for
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-13s %s\n", $$1, $$2 }'

play: $(VENV)/.play ## Try the game in a browser, without Discord and without a token
	$(RUN) -m bot.playground $(ARGS)

run: $(VENV)/.run ## Run the bot; its token is read from .env
	$(RUN) -m bot $(ARGS)

test: $(VENV)/.dev ## Run the tests
	$(RUN) -m pytest --numprocesses auto --dist worksteal $(ARGS)

test-quick: $(VENV)/.dev ## Run the tests of the engine, the store, the tables and the screens alone
	$(RUN) -m pytest --numprocesses auto --dist worksteal $(QUICK) $(ARGS)

check: lint test ## Check style and types, and run the tests

coverage: $(VENV)/.dev ## Measure how much of the engine its own tests cover
	$(RUN) -m pytest --numprocesses auto --dist worksteal --cov --cov-report term:skip-covered tests/engine $(ARGS)

lint: $(VENV)/.dev ## Check style and types
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy

test-browser: $(VENV)/.dev ## Play in headless Chromium (Debian's package chromium)
	$(RUN) -m pytest tests/browser $(ARGS)

playouts: $(VENV)/.dev ## Play 100,000 random hands and check the engine after every move; takes long
	$(RUN) -m tests.engine.playouts $(ARGS)

kills: $(VENV)/.dev ## Kill the bot 200 times between a click and its answer, at a distance; takes a quarter of an hour
	$(RUN) -m tests.loopback.kills $(ARGS)

stress: $(VENV)/.dev ## Play 200 tables at once through faults and restarts, at a distance; takes minutes
	$(RUN) -m tests.loopback.stress $(ARGS)

faults: $(VENV)/.dev ## Let each kind of request go wrong for a minute while matches are played; takes twenty minutes
	$(RUN) -m tests.loopback.faults $(ARGS)

rehearsal: $(VENV)/.dev ## Lose the disk at 50 random moments under load and restore it each time; takes minutes
	$(RUN) -m tests.store.rehearsal $(ARGS)

memory: $(VENV)/.dev ## Keep what a release leaves behind for later ones to open (ARGS=VERSION); takes minutes
	$(RUN) -m tests.releases.make $(ARGS)

mutants: $(VENV)/.mutants ## Put 200 small faults into the code, one at a time, and see which the tests notice; takes long
	$(RUN) -m tests.mutants $(ARGS)

ratings: $(VENV)/.dev ## Measure whether the rating puts players of known strength in the right order; takes minutes
	$(RUN) -m benchmarks.ratings $(ARGS)

boards: $(VENV)/.dev ## Measure a page of a leaderboard with 10,000 members beside 5,000 servers; takes minutes
	$(RUN) -m benchmarks.boards $(ARGS)

strength: $(VENV)/.dev ## Play the computer players against each other and measure how strong they are
	$(RUN) -m tests.engine.strength $(ARGS)

soak: $(VENV)/.dev ## Play 300 tables through faults for half an hour, and see that nothing is left behind
	$(RUN) -m tests.loopback.soak $(ARGS)

bench: $(VENV)/.bench ## Measure all there is to measure, each beside a reference; takes up to ten minutes
	$(RUN) -m benchmarks.engine $(ARGS)
	$(RUN) -m benchmarks.store
	$(RUN) -m benchmarks.clicks
	$(RUN) -m benchmarks.start
	$(RUN) -m benchmarks.growth

messages: $(VENV)/.dev ## Collect the sentences to translate and bring the catalogues up to date
	@$(VENV)/bin/pybabel --quiet extract --mapping-file pyproject.toml --project Lastlap --copyright-holder "The Lastlap authors" \
		--keyword NP_:1c,2 \
		--add-comments "Translators:" --add-location file --sort-by-file --output-file bot/locale/lastlap.pot bot
	@$(RUN) -m tests.ui.catalogues update

catalogues: $(VENV)/.dev ## Check the catalogues (Debian's packages gettext and i18nspector)
	@for tool in msgfmt i18nspector; do command -v $$tool >/dev/null || { \
		echo "There is no $$tool here (Debian, Ubuntu: apt-get install gettext i18nspector)." >&2; exit 1; }; done
	@$(RUN) -m tests.ui.catalogues check

language: $(VENV)/.dev ## Begin a catalogue for another language (ARGS=fr)
	@$(RUN) -m tests.ui.catalogues add $(ARGS)

architecture: $(VENV)/.dev ## Draw docs/architecture.svg again from the imports
	$(RUN) -m tests.architecture.picture

# The sets are compiled for every Python from 3.11 on and every platform at once, which is why this is uv and not
# pip-compile: that knows only the interpreter it runs on. Installing them takes pip alone. All sets pin the same
# releases, except that run.txt may have a newer discord.py than the simulation in the others takes.
COMPILE := uv pip compile --no-config --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--custom-compile-command "make requirements" --quiet

requirements: ## Pin the libraries of pyproject.toml anew (needs uv; ARGS=--upgrade takes newer releases)
	$(COMPILE) $(ARGS) --group dev --output-file requirements/dev.txt pyproject.toml
	mkdir -p build
	sed -n '/^discord-py==/d; s/^\([a-z].*==.*\) \\$$/\1/p' requirements/dev.txt >build/dev-without-discord-py.txt
	$(COMPILE) $(ARGS) --constraints build/dev-without-discord-py.txt --output-file requirements/run.txt pyproject.toml
	$(COMPILE) $(ARGS) --constraints requirements/dev.txt --group play --output-file requirements/play.txt pyproject.toml
	$(COMPILE) $(ARGS) --constraints requirements/dev.txt --group bench --output-file requirements/bench.txt pyproject.toml
	$(COMPILE) $(ARGS) --constraints requirements/dev.txt --group mutants --output-file requirements/mutants.txt pyproject.toml

clean: ## Remove .venv and every cache; data/ and .env stay
	rm -rf $(VENV) build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find bot engine tests migrations benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# --- setting up -------------------------------------------------------------------------------------------------------
# A stamp is touched only when its step is done, so a set-up that was broken off is done again. The set for running the
# bot may have another discord.py than the others: whichever is asked for after the other is installed again.

$(VENV)/.made:
	@$(PYTHON) -c 'pass' 2>/dev/null || { \
		echo "Lastlap needs Python 3.11 or newer, and there is no $(PYTHON) here." \
			"Install it (Debian, Ubuntu: apt-get install python3 python3-venv), or name another: make PYTHON=python3.12 ..." >&2; \
		exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Lastlap needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -c 'import platform; print(platform.python_version())')." \
			"Name a newer one: make PYTHON=python3.12 ..." >&2; \
		exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make a virtual environment." \
			"Install that part of it (Debian, Ubuntu: apt-get install python3-venv) and try again." >&2; \
		exit 1; }
	@echo "Setting up $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.%: requirements/%.txt $(VENV)/.made
	@echo "Installing the libraries of $< (about half a minute the first time)"
	@rm -f $(if $(filter run,$*),$(VENV)/.play $(VENV)/.dev $(VENV)/.bench $(VENV)/.mutants,$(VENV)/.run)
	@$(RUN) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes --requirement $<
	@touch $@
