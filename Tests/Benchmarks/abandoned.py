"""What 100,000 sign-ins that are begun and never finished leave behind: memory, files, descriptors.

Nothing passes or fails.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
from demo_site import DemoSite  # noqa: E402

COUNT, SECONDS = 100_000, 10


def memory(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return [int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024 for name in ["VmRSS", "RssAnon"]]


def main():
    site = DemoSite()
    try:
        site.start()
        pid = site.pid("siteauth")

        def report(begun):
            resident, own = memory(pid)
            files = sum(path.is_file() for path in (site.folder / "state").rglob("*"))
            descriptors = len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))
            print(f"{begun:9,} begun: {resident:5.1f} MB resident, {own:4.1f} MB of it its own; "
                  f"{files} files, {descriptors} descriptors", flush=True)

        begun = 0
        report(begun)
        while begun < COUNT:
            output = subprocess.run(
                ["wrk", "-t1", "-c32", f"-d{SECONDS}s", "-H", "Sec-Fetch-Mode: navigate", site.url + "/company/hr/"],
                capture_output=True, text=True, check=True,
            ).stdout
            assert "Non-2xx" not in output, output
            begun += int(re.search(r"(\d+) requests in", output)[1])
            report(begun)
    finally:
        site.close()


if __name__ == "__main__":
    main()
