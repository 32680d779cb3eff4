# make demo    builds everything and serves the demo site at http://localhost:8080
# make test    runs all tests: units, commands, nginx, a real browser
# make differential   compares at random: Markdown with cmark-gfm, TOML with Python, what nginx sends with who may read it
# make model   compares 100,000 random answers of the running programs with a model of who may read what
# make soak    does that at half of full load, for MINUTES (30) minutes; then ten million checks, in at most ten
# make fuzz    gives random bytes to all parsers; TARGET='jwt cookies' are two of them, SECONDS=60 the time for each
# make faults  makes system calls fail, programs die and power go, for half an hour and more
# make mutants takes each guard of the sources away in turn and wants a failing test; some forty minutes
# make sanitize   runs the unit tests under AddressSanitizer and ThreadSanitizer
# make coverage   shows which lines of siteauth's libraries the last 'make unit' reached
# make deb     builds Debian packages into .build/packages
# make images  builds container images from these packages into .build/images; MIRROR is another Debian archive
# make bench   measures; no figure makes it fail
# make pictures renews the pictures in README and in the handbook
# make format  formats the Swift files
# make messages lists every text in the sources that a person can see
# make requirements   pins the newest Python packages that the tests allow
SHELL = /bin/bash

.PHONY: announce deb demo images test differential model soak fuzz faults mutants sanitize coverage bench pictures format build release unit end-to-end shape packages test-packages requirements messages

PACKAGES = libcmark-dev libcurl4-openssl-dev libdeflate-dev libfcgi-dev libjansson-dev libmicrohttpd-dev libssl-dev libstemmer-dev libutf8proc-dev libyaml-dev pkg-config nginx-light python3-pygments
TEST_PACKAGES = apache2-bin caddy chromium cmark-gfm curl debhelper default-jre-headless fcgiwrap firefox-esr fonts-dejavu-core fonts-noto-color-emoji graphviz haproxy katex lintian man-db mmdebstrap openssl plantuml podman python3-venv redis-server runc systemd-container webkit2gtk-driver xvfb
# One more than CI has cores, because many tests wait.
WORKERS = --numprocesses=3 --dist=worksteal
RELEASE = -c release --static-swift-stdlib --disable-local-rpath -Xlinker -s -Xlinker -z -Xlinker now

demo: release
	@nginx/demo.sh

release: packages
	@echo "Building (the first time takes some minutes)"
	@# The linker warns about a function of Swift's library that no program here calls.
	@set -o pipefail; swift build $(RELEASE) 2>&1 | { grep -v "use of .mktemp" || true; }

# The parent folder, where dpkg-buildpackage puts its results, may belong to somebody else.
deb:
	@.ci/packages debhelper
	rm -rf .build/packages
	mkdir -p .build/packages
	DEB_RULES_REQUIRES_ROOT=no PACKAGES_FOLDER=.build/packages debian/rules clean binary

images: deb
	@.ci/packages mmdebstrap
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} Packaging/containers/images.py .build/packages .build/images

build: packages
	swift build --build-tests --enable-code-coverage

# The tests install the Debian packages, whose size does not matter to them: xz -1 takes a quarter of
# the time. The Python packages are installed while the compiler works; the other steps run one after the
# other.
test: announce test-packages shape unit
	@$(MAKE) --jobs=2 COMPRESSION=1 deb .venv/installed
	@$(MAKE) end-to-end

announce:
	@echo "make test installs what is missing of:"
	@echo "  Debian packages (apt-get, as root): $(sort $(PACKAGES) $(TEST_PACKAGES))"
	@echo "  Swift packages, into .build: $(shell sed -n 's/.*url: .*\/\([^"]*\)", exact: "\([^"]*\)".*/\1 \2/p' Package.swift | paste -sd, | sed 's/,/, /g')"
	@echo "  $(shell grep -c == Tests/EndToEnd/requirements.txt) Python packages, into .venv: Tests/EndToEnd/requirements.txt"

# The programs ignore SIGPIPE; the tests share one process, which must ignore it too.
unit: build
ifdef TESTS
	@trap '' PIPE; set -o pipefail; swift test --skip-build --disable-xctest --enable-code-coverage --filter '$(TESTS)' 2>&1 | tee .build/unit.log
	@! grep -q 'Test run with 0 tests' .build/unit.log || { echo "error: no test is called '$(TESTS)'" >&2; exit 1; }
else
	trap '' PIPE; swift test --skip-build --disable-xctest --enable-code-coverage
	@$(MAKE) --no-print-directory coverage
endif

coverage:
	@.ci/coverage

end-to-end: .venv/installed
	.venv/bin/python -m pytest -q $(WORKERS) Tests/EndToEnd

pictures: release test-packages .venv/installed
	PICTURES_FOLDER=$(CURDIR)/site/handbook .venv/bin/python -m pytest -q Tests/EndToEnd/site/test_pictures.py -k readme

shape:
	.ci/shape

messages:
	@.ci/messages

differential: release .venv/installed
	.ci/packages cmark-gfm
	python3 Tests/Differential/gfm_examples.py
	python3 Tests/Differential/compare.py --count 100000
	python3 Tests/Differential/toml_documents.py --count 200000 >.build/toml-documents.tsv
	TOML_DOCUMENTS=$(CURDIR)/.build/toml-documents.tsv $(MAKE) unit TESTS=TOMLDocumentsTests
	.venv/bin/python Tests/Differential/request_targets.py --count 200000

model: release test-packages .venv/installed
	.venv/bin/python Tests/Model/run.py --answers 100000

MINUTES = 30
soak: release test-packages .venv/installed
	.venv/bin/python Tests/Model/soak.py --minutes $(MINUTES)
	.venv/bin/python Tests/Model/soak.py --minutes 10 --checks 10000000

# The folder keeps what was found from one run to the next. libFuzzer is part of Swift's toolchain.
fuzz: packages
	FUZZING=1 swift build -c release --product fuzz --sanitize=address -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing --scratch-path .build-fuzz
	python3 Tests/Fuzzing/fuzz.py --seconds $(or $(SECONDS),60) $(TARGET)

# Its parts have options to try one fault again, one in so many, or for longer.
faults: release .venv/installed
	.venv/bin/python Tests/Faults/every_call.py
	.venv/bin/python Tests/Faults/hardships.py
	.venv/bin/python Tests/Faults/power_loss.py
	! .venv/bin/python Tests/Faults/power_loss.py text --no-fsync >/dev/null
	.venv/bin/python Tests/Faults/hostile_provider.py --minutes 5

mutants: packages
	python3 Tests/Mutation/mutants.py

sanitize: packages
	.ci/sanitize address
	.ci/sanitize thread

bench: release .venv/installed
	.ci/packages wrk
	.venv/bin/pip install --quiet --require-hashes --requirement Tests/Benchmarks/requirements.txt
	.venv/bin/python Tests/Benchmarks/checks.py
	.venv/bin/python Tests/Benchmarks/builds.py
	.venv/bin/python Tests/Benchmarks/builds.py --simple
	.venv/bin/python Tests/Benchmarks/previews.py
	.venv/bin/python Tests/Benchmarks/sign_ins.py
	.venv/bin/python Tests/Benchmarks/crowd.py
	.venv/bin/python Tests/Benchmarks/abandoned.py
	.venv/bin/python Tests/Benchmarks/hostile.py
	.venv/bin/python Tests/Benchmarks/searches.py
	@echo "Not run: Tests/Benchmarks/exhaustion.py, which sends an attacker's requests for an hour"

format:
	swift format --in-place --recursive Package.swift Sources Tests

packages:
	@command -v swift >/dev/null || { echo "error: Swift 6.2 or newer is needed: https://www.swift.org/install/linux/" >&2; exit 1; }
	@.ci/packages $(PACKAGES)

test-packages: packages
	@.ci/packages $(TEST_PACKAGES)
	@.ci/prometheus

.venv/installed: Tests/EndToEnd/requirements.txt
	python3 -m venv .venv
	.venv/bin/pip install --quiet --require-hashes --requirement $<
	touch $@

# pip-compile takes the newest versions that requirements.in allows, and the hashes of all their files.
requirements:
	python3 -m venv .build/pip-tools
	.build/pip-tools/bin/pip install --quiet pip-tools
	for folder in Tests/EndToEnd Tests/Benchmarks; do \
		(cd $$folder && $(CURDIR)/.build/pip-tools/bin/pip-compile --quiet --upgrade \
			--generate-hashes --strip-extras --allow-unsafe --no-header --no-annotate \
			--no-emit-index-url --no-emit-trusted-host --no-emit-find-links requirements.in) || exit 1; \
	done
