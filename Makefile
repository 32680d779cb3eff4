# make setup   installs the Debian and Python packages that building and testing need
# make build   compiles programs and tests
# make test    installs what is missing, builds everything and runs all tests
# make unit    runs the unit tests: TESTS=RuleTests is one suite; TESTS_OF=Search compiles and runs those of one target
# make demo    installs what is missing, builds the programs and serves the demo site at http://localhost:8080
# make deb     installs what is missing and builds Debian packages into .build/packages
# make release-files  makes what is published, in .build/release-files; KEY=~/.ssh/id_ed25519 signs it
# make format  formats the Swift files
# make bench   measures; no figure makes it fail
.PHONY: setup build test unit demo deb release-files format bench
SHELL = /bin/bash

PACKAGES = libcmark-dev libcurl4-openssl-dev libdeflate-dev libfcgi-dev libjansson-dev libmicrohttpd-dev libssl-dev libstemmer-dev libutf8proc-dev libyaml-dev node-emoji pkg-config nginx-light python3-pygments
TEST_PACKAGES = apache2-bin caddy catatonit chromium cmark-gfm curl debhelper default-jre-headless fcgiwrap firefox-esr fonts-dejavu-core fonts-noto-color-emoji graphviz haproxy jq katex lintian man-db mmdebstrap openssh-client openssl plantuml podman python3-venv redis-server rsync runc systemd-container webkit2gtk-driver xvfb
# One more than CI has cores, because many tests wait.
WORKERS = --numprocesses=3 --dist=worksteal
RELEASE = -c release --static-swift-stdlib --disable-local-rpath -Xlinker -s -Xlinker -z -Xlinker now
COVERAGE = --enable-code-coverage --scratch-path .build-coverage

setup: packages test-packages .venv/installed

build: missing
	swift build --build-tests

# The tests install the Debian packages, whose size does not matter to them: xz -1 takes a quarter of
# the time. The Python packages are installed while the compiler works; the other steps run one after the
# other.
test: announce packages test-packages shape unit
	@$(MAKE) --jobs=2 COMPRESSION=1 deb .venv/installed
	@$(MAKE) end-to-end

# The programs ignore SIGPIPE; the tests share one process, which must ignore it too. Few at a time: where all
# begin at once, one that waits for a program hears of its end a minute late, behind a thousand others.
unit: build
	@trap '' PIPE; set -o pipefail; swift test --skip-build --disable-xctest --experimental-maximum-parallelization-width 8 $(if $(TESTS),--filter '$(TESTS)') 2>&1 | tee .build/unit.log
	@! grep -q 'Test run with 0 tests' .build/unit.log || { echo "error: no test is called '$(TESTS)'" >&2; exit 1; }

demo: packages
	@$(MAKE) --no-print-directory release
	@nginx/demo.sh

# The parent folder, where dpkg-buildpackage puts its results, may belong to somebody else.
deb: packages
	@.ci/packages debhelper
	@Packaging/changelog
	rm -rf .build/packages
	mkdir -p .build/packages
	DEB_RULES_REQUIRES_ROOT=no PACKAGES_FOLDER=.build/packages debian/rules clean binary

format:
	swift format --in-place --recursive Package.swift Sources Tests

bench: release .venv/installed
	.ci/packages wrk libapache2-mod-auth-openidc
	.venv/bin/pip install --quiet --require-hashes --requirement Tests/Benchmarks/requirements.txt
	Tests/Benchmarks/run

# What the above needs, and what is seldom asked for. CONTRIBUTING.md has the machines that try to break promises.
.PHONY: announce coverage end-to-end images missing packages pictures release shape swift test-packages

release: missing
	@echo "Building (the first time takes some minutes)"
	@# The linker warns about a function of Swift's library that no program here calls.
	@set -o pipefail; BUILD_VERSION=$$(Packaging/version) swift build $(RELEASE) 2>&1 | { grep -v "use of .mktemp" || true; }

# Prints which lines of siteauth's libraries the unit tests reach, and fails if these are fewer than before.
coverage: missing
	swift build --build-tests $(COVERAGE)
	trap '' PIPE; swift test --skip-build --disable-xctest $(COVERAGE)
	@.ci/coverage

# The images come from the packages, so that everything has one version.
release-files: images
	@! grep -q '^private-site .*\.modified)' debian/changelog || { echo "error: files differ from the newest commit" >&2; exit 1; }
	Packaging/release-files .build/packages .build/images .build/release-files $(KEY)

# Builds container images from the Debian packages into .build/images; MIRROR is another Debian archive.
images: deb
	@.ci/packages mmdebstrap
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(dpkg-parsechangelog --show-field Timestamp)} Packaging/containers/images.py .build/packages .build/images

end-to-end: .venv/installed
	.venv/bin/python -m pytest -q $(WORKERS) Tests/EndToEnd

# Renews the pictures in README and in the handbook.
pictures: release test-packages .venv/installed
	PICTURES_FOLDER=$(CURDIR)/site/handbook .venv/bin/python -m pytest -q Tests/EndToEnd/site/test_pictures.py

shape:
	.ci/shape

announce:
	@echo "make test installs what is missing of:"
	@echo "  Debian packages (apt-get, as root): $(sort $(PACKAGES) $(TEST_PACKAGES))"
	@echo "  Swift packages, into .build: $(shell sed -n 's/.*url: .*\/\([^"]*\)", exact: "\([^"]*\)".*/\1 \2/p' Package.swift | paste -sd, | sed 's/,/, /g')"
	@echo "  $(shell grep -c == Tests/EndToEnd/requirements.txt) Python packages, into .venv: Tests/EndToEnd/requirements.txt"

swift:
	@command -v swift >/dev/null || { echo "error: Swift 6.2 or newer is needed: https://www.swift.org/install/linux/" >&2; exit 1; }

missing: swift
	@.ci/packages --tell $(PACKAGES)

packages: swift
	@.ci/packages $(PACKAGES)

test-packages:
	@.ci/packages $(TEST_PACKAGES)
	@.ci/prometheus

.venv/installed: Tests/EndToEnd/requirements.txt
	python3 -m venv .venv
	.venv/bin/pip install --quiet --require-hashes --requirement $<
	touch $@
