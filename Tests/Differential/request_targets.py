"""Asks nginx for random spellings of paths and compares what is sent with who may read it.

nginx finds a file by a path, and siteauth judges a path by the policy. Here both get targets that they might read
differently, as five kinds of reader, in twelve configurations: Debian's nginx and the newest one, `merge_slashes` on
and off, `precompress` on and off, files sent by nginx and by an application behind it. Build the programs
(`make release .venv/installed`), then for example

    .venv/bin/python Tests/Differential/request_targets.py --count 100000 --seed 1
    .venv/bin/python Tests/Differential/request_targets.py --target "b'/press/..%2fhr/'"

`targets/guarded_site.py` has the site and who may read it, `targets/properties.py` what has to be true of each answer.
Each kind of violation is told with its smallest target; the exit status is then 1.
"""

import argparse
import ast
import signal
import sys
import time
from itertools import groupby, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "EndToEnd"))

from targets.guarded_site import READERS  # noqa: E402
from targets.request import Request  # noqa: E402
from targets.search import Search, kind  # noqa: E402
from targets.service import CONFIGURATIONS, Configuration, guarded_demo, guarded_service  # noqa: E402

SHOWN = 10


def tell(configuration: Configuration, search: Search, shown: int) -> None:
    for request, sentence in islice(search.smallest(), shown):
        print(f"  {search.violations[kind(sentence)]} × {sentence}\n    {request}\n    --target \"{request.target!r}\"")


def run(options: argparse.Namespace) -> int:
    configurations = [each for each in CONFIGURATIONS if options.only in str(each)]
    if not configurations:
        print(f"error: no configuration is '{options.only}'; there are:", *CONFIGURATIONS, sep="\n    ", file=sys.stderr)
        return 64
    targets = requests = violations = 0
    started = time.monotonic()
    for precompresses, group in groupby(configurations, lambda each: each.precompresses):
        with guarded_demo(precompresses) as (demo, release):
            for configuration in group:
                begun = time.monotonic()
                with guarded_service(demo, release, configuration) as service:
                    search = Search(service, f"{options.seed} {configuration}")
                    if options.target is None:
                        done = search.run(options.count // len(configurations))
                    else:
                        search.judge([Request(options.target, version=version) for version in [b"HTTP/1.1", b"h2"]], list(READERS))
                        done = 2
                    seconds = time.monotonic() - begun
                    print(f"{configuration}: {done} targets, {service.requests_sent} requests in {seconds:.0f} s, "
                          f"{search.violations.total()} violations")
                    print("  " + ", ".join(f"{times} × {name}" for name, times in sorted(service.properties.seen.items())))
                    tell(configuration, search, options.show)
                    sys.stdout.flush()
                    targets, requests = targets + done, requests + service.requests_sent
                    violations += search.violations.total()
    print(f"{targets} targets, {requests} requests in {time.monotonic() - started:.0f} s (seed {options.seed}): {violations} violations")
    return 1 if violations else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000, help="targets in all configurations together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="TEXT", help="the configurations whose name contains the text")
    parser.add_argument("--target", type=ast.literal_eval, metavar="BYTES", help="judge this target alone, a literal of Python")
    parser.add_argument("--show", type=int, default=SHOWN, help="how many kinds of violations are printed")
    # So that the servers end, too, and their folders are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
