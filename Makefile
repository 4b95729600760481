# byheart: everything that is built or checked starts here; .ci/run and .github/workflows call the same targets.
#
# From a fresh clone, `make demo` and `make test` need Python >= 3.11 (with venv), a Rust toolchain and nothing else:
# tools/doctor.sh says in one line what is missing. PYTHON=/path/to/python3 chooses the interpreter.

VENV := .venv
PY   := $(VENV)/bin/python

# What a shell may carry along and what would send packages or modules elsewhere; or have each of the thousand processes
# that tests start compile the package anew (1.4 s of processor time for `byheart --version` instead of .6).
unexport CONDA_PREFIX PYTHONHOME PYTHONPATH PIP_PREFIX PIP_TARGET PYTHONDONTWRITEBYTECODE
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PIP_USER := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYO3_PYTHON := $(CURDIR)/$(PY)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help doctor doctor-lint doctor-fuzz extension demo test test-long prepared test-rust test-python docs-examples lint types fuzz asan planted docs wheel sdist clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

doctor:
	@sh tools/doctor.sh >/dev/null

doctor-lint:
	@sh tools/doctor.sh lint >/dev/null

# A virtual environment that no longer runs (its Python was removed) is made anew.
$(VENV)/requirements.txt: pyproject.toml tools/requirements.py | doctor
	@$(PY) -c 'import pip' 2>/dev/null || { rm -rf $(VENV) && echo "environment: $(VENV)" && "$$(sh tools/doctor.sh)" -m venv $(VENV); }
	@$(PY) tools/requirements.py > $@.new
	@echo "environment: installing requirements"
	@$(PY) -m pip install --quiet --requirement $@.new
	@mv $@.new $@

extension: doctor $(VENV)/requirements.txt
	@$(PY) tools/extension.py

demo: extension ## see it remember, recall and explain
	@$(VENV)/bin/byheart demo

test: prepared test-python ## every check of a change (tier 1, at most 15 minutes on two cores)

# One more than there are cores: while one waits for the medium, or for processes of its own, another goes on.
RUNNERS = $$($(PY) -c 'import os; print((os.cpu_count() or 1) + 1)')

test-long: doctor-fuzz prepared ## the same with the long tests, the long Hypothesis profile and a minute of each fuzz target (before a release; at most an hour on two cores)
	HYPOTHESIS_PROFILE=long $(PY) -m pytest -n $(RUNNERS) --dist worksteal --durations 20
	$(MAKE) fuzz

# The compiler makes the extension on one core, and mypy looks at the package on one; what needs neither goes on beside that.
prepared: doctor-lint $(VENV)/requirements.txt
	@mkdir -p target; $(MAKE) --no-print-directory types >target/types.log 2>&1 & looked=$$!; \
	  trap 'kill $$looked' INT TERM; \
	  $(MAKE) --no-print-directory lint test-rust; checked=$$?; \
	  wait $$looked || { cat target/types.log; exit 1; }; \
	  tail -n 2 target/types.log; exit $$checked

test-rust: doctor $(VENV)/requirements.txt ## the core alone: unit, property and doc tests, without Python
	cargo test --locked --quiet

test-python: extension ## pytest over tests/, the installed package's examples included
	$(PY) -m pytest -n $(RUNNERS) --dist loadfile --no-loadscope-reorder -m "not long"

docs-examples: extension ## only the examples: docstrings, the extension's too, and README.md
	$(PY) -m pytest tests/packaging/test_examples.py

lint: doctor-lint $(VENV)/requirements.txt ## formatting, clippy, ruff, import layers, workflows
	cargo fmt --check
	cargo clippy --locked --quiet --lib -- -D warnings
	cargo clippy --locked --quiet --all-targets --features python -- -D warnings
	$(PY) -m ruff check --quiet .
	$(PY) -m ruff format --check --quiet .
	PYTHONPATH=python $(VENV)/bin/lint-imports --no-logo
	$(VENV)/bin/zizmor --offline --quiet --no-progress .github

types: extension ## mypy --strict, and the stubs against the compiled module
	$(PY) -m mypy
	$(PY) -m mypy.stubtest byheart._core --mypy-config-file pyproject.toml

# libFuzzer and the address sanitiser ship with the stable compiler; RUSTC_BOOTSTRAP lets it take the flags for them.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS := lexical_bytes vector_bytes dense_bytes directory_bytes partition_bytes analyzer
HOST := $(shell rustc -vV 2>/dev/null | sed -n 's/^host: //p')

doctor-fuzz:
	@command -v cargo-fuzz >/dev/null || { echo "byheart: cargo-fuzz is missing; install it with \`cargo install cargo-fuzz\`"; exit 1; }

fuzz: doctor-fuzz ## each fuzz target for FUZZ_SECONDS (60), two at a time; what it finds lies in rust/fuzz/artifacts
	RUSTC_BOOTSTRAP=1 cargo fuzz build --fuzz-dir rust/fuzz
	@mkdir -p $(addprefix rust/fuzz/target/found/,$(FUZZ_TARGETS))
	@echo $(FUZZ_TARGETS) | tr ' ' '\n' | RUSTC_BOOTSTRAP=1 xargs -P 2 -I {} sh -c \
	  'log=rust/fuzz/target/{}.log; \
	  cargo fuzz run --fuzz-dir rust/fuzz {} rust/fuzz/target/found/{} rust/fuzz/corpus/{} -- -max_total_time=$(FUZZ_SECONDS) \
	    -max_len=4096 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 >"$$log" 2>&1 \
	    && echo "{}: $$(grep "^Done" "$$log")" || { cat "$$log"; exit 1; }'

asan: ## the core's tests under the address sanitiser (Linux)
	RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo test --locked --quiet --lib --tests --target $(HOST) --target-dir target/asan

planted: extension ## plant bugs and leaks one at a time; each must be caught (up to a minute each)
	$(PY) tests/planted/run.py

# Mutation testing needs two tools more than the tests do: an environment of its own, which sees `.venv` behind it.
MUTATION := target/mutants/venv
MUTANTS  ?=

$(MUTATION)/requirements.txt: pyproject.toml tools/requirements.py | $(VENV)/requirements.txt
	@rm -rf $(MUTATION) && $(PY) -m venv $(MUTATION)
	@$(PY) tools/requirements.py mutation > $@.new
	@echo "environment: installing what draws mutants"
	@$(MUTATION)/bin/python -m pip install --quiet --requirement $@.new
	@site='import sysconfig; print(sysconfig.get_path("purelib"))'; \
	  $(PY) -c "$$site" > "$$($(MUTATION)/bin/python -c "$$site")/tests.pth"
	@mv $@.new $@

.PHONY: mutants

mutants: extension $(MUTATION)/requirements.txt ## a sample of mutants that nobody chose; MUTANTS="--number 7 --size 200", or --core
	$(MUTATION)/bin/python tests/mutation/run.py $(MUTANTS)

docs: doctor $(VENV)/requirements.txt ## the core's documentation, warnings as errors
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --quiet

wheel: doctor $(VENV)/requirements.txt ## a wheel of this machine's kind, in dist/
	$(PY) -m maturin build --release --locked --out dist

sdist: doctor $(VENV)/requirements.txt ## a source archive, in dist/
	$(PY) -m maturin sdist --out dist

# What byheart is measured against, in an environment of its own; byheart itself is used where `extension` has built it.
RIVALS    := target/bench/venv
RIVALS_PY := $(RIVALS)/bin/python

$(RIVALS)/requirements.txt: benches/requirements.txt | doctor $(VENV)/requirements.txt
	@rm -rf $(RIVALS) && $(PY) -m venv $(RIVALS)
	@echo "environment: installing rivals"
	@$(RIVALS_PY) -m pip install --quiet --only-binary :all: --requirement $<
	@echo "$(CURDIR)/python" > "$$($(RIVALS_PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/byheart.pth"
	@cp $< $@

.PHONY: bench bench-quick

bench: extension $(RIVALS)/requirements.txt ## beside its rivals: rewrites the tables of benches/README.md (25 minutes)
	$(RIVALS_PY) benches/side_by_side.py

bench-quick: extension $(RIVALS)/requirements.txt ## the same with 10,000 records, only printed (3 minutes)
	$(RIVALS_PY) benches/side_by_side.py --quick

clean: ## remove everything that was built or installed here
	rm -rf $(VENV) target rust/fuzz/target dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -f python/byheart/_core*.so python/byheart/_core*.pyd
	find python tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
