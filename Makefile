# Everything a fresh machine with Python 3.11, pip, make and git needs. `make help` lists the targets.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUNS   := $(VENV)/.runs
READY  := $(VENV)/.ready
SPARK  := $(VENV)/.spark

.DEFAULT_GOAL := help
.PHONY: help install demo workbench test test-spark java test-browser chromium screenshots coverage lint format docs bench experiments clean

help:            ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 14

install: $(RUNS)  ## create the environment with what the command shoal needs

# Compiling every file of every package takes longer than the demo waits for: Python compiles what is imported.
$(RUNS): pyproject.toml
	@echo "Installing Shoal and the packages it runs on into $(VENV), once …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --no-compile --editable ".[serve]"
	@touch $(RUNS)

# The same environment, grown. pip before 25.1 cannot read [dependency-groups], so pip comes up to date first.
$(READY): $(RUNS)
	@echo "Adding the tools for development to $(VENV), once …"
	@$(PIP) --upgrade "pip>=25.1"
	@$(PIP) --editable ".[surveys,postgres,pandas,excel,keep,serve]" --group dev
	@touch $(READY)

demo: $(RUNS)    ## the whole story on embedded data; ends with a page, demo-report.html
	$(BIN)/shoal demo --report demo-report.html
	@printf '\nThe same in a browser, with example data and your own:  %s\n' "$(BIN)/shoal workbench"

workbench: $(RUNS) ## open the workbench in a browser, with example data
	$(BIN)/shoal workbench

# Each of the two workers has one core; threads of Polars beside it only cost time. Every run draws other examples, so
# properties are tried on a third of those they ask for; EXAMPLES=20 looks closer, before a release.
EXAMPLES ?= 0.35
test: $(READY)   ## all tests, warnings as errors; EXAMPLES=20: properties on 20 times the examples, not on a third
	POLARS_MAX_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist loadfile -m "not spark and not browser" --examples $(EXAMPLES)

# Spark is half a gigabyte and comes as source: nobody waits for it who does not need it.
$(SPARK): $(READY)
	@echo "Adding Spark to $(VENV), once …"
	@$(PIP) --editable ".[spark]"
	@touch $(SPARK)

java:
	@command -v java >/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing Java 17 with apt-get, once …"; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq openjdk-17-jre-headless >/dev/null; \
	else \
	  echo "Spark runs on Java 17, which is not here. Install it (on Debian: sudo apt-get install" \
	    "openjdk-17-jre-headless), so that the command java runs, and try again." >&2; exit 1; \
	fi

test-spark: $(SPARK) java ## tests on a cluster of Spark on this machine; Java 17 is installed where apt-get can
	POLARS_MAX_THREADS=1 $(BIN)/python -m pytest tests/spark

# Playwright drives the Chromium of the system and downloads none.
chromium:
	@command -v chromium >/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing Chromium with apt-get, once …"; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	else \
	  echo "The tests in a browser drive Chromium, which is not here. Install it (on Debian: sudo apt-get install" \
	    "chromium), so that the command chromium runs, and try again." >&2; exit 1; \
	fi

test-browser: $(READY) chromium ## tests of the workbench in Chromium, which is installed where apt-get can
	POLARS_MAX_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist loadgroup tests/browser

screenshots: $(READY) chromium ## draw the pictures of the workbench in docs/images anew
	SHOAL_SCREENSHOTS=yes POLARS_MAX_THREADS=1 $(BIN)/python -m pytest tests/browser/test_by_hand.py \
	  tests/browser/test_computed_pages.py tests/browser/test_desk_and_lookup.py tests/browser/test_stories.py

coverage: $(READY) ## all tests, counting which lines they reach: takes half as long again
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile -m "not spark and not browser" --cov --cov-report=term

lint: $(READY)   ## style, types, walls between the rooms, generated pages up to date
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python docs/generate_reference.py --check

format: $(READY) ## put the code into its style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY)   ## write the generated pages anew, and what the commands on the other pages print
	$(BIN)/python docs/generate_reference.py
	$(BIN)/python docs/replay_pages.py

experiments: $(READY) ## the papers' experiments on real data, hours; QUICK=1: on samples, minutes; resumes
	$(BIN)/python -m experiments $(if $(QUICK),--quick) $(foreach id,$(ONLY),--only $(id))

bench: $(READY)  ## long benchmarks; results and plots go to benchmarks/results
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/draw.py

clean:           ## remove the environment and everything made
	rm -rf $(VENV) .coverage build dist demo-report.html
