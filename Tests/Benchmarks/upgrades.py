"""Requests that are lost while packages are upgraded, over and over, on a clean Debian with nginx and systemd.

    .venv/bin/python Tests/Benchmarks/upgrades.py [REQUESTS]

Needs root and the packages of 'make deb'. Readers ask for a protected page, each time on a new connection;
meanwhile the package is replaced by the next version and back, which restarts siteauth and reloads nginx.
"""

import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
from debian_root import the_package  # noqa: E402
from package_server import PackageServer, Readers, newer  # noqa: E402


def main(wanted):
    server = PackageServer()
    try:
        server.set_up(["docs"])
        with tempfile.TemporaryDirectory() as folder:
            content = newer(pathlib.Path(folder)).read_bytes()
            server.write_bytes("/root/next.deb", content)
        debs = ["/root/next.deb", f"/packages/{the_package('siteauth').name}"]
        readers, upgrades, begun = Readers(server, "docs", server.sign_in("docs"), 8), 0, time.monotonic()
        while readers.count < wanted:
            server.run(f"dpkg --install {debs[upgrades % 2]}")
            upgrades += 1
        answers = readers.finish()
        print(f"{sum(answers.values())} requests in {time.monotonic() - begun:.0f} s, {upgrades} upgrades: {answers}")
    finally:
        server.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
