"""Pages a second through the shipped nginx configuration and that of another revision, side by side.

    .venv/bin/python Tests/Benchmarks/configurations.py f1d9370

Both ask the same siteauth. Rounds go through the variants in turn, so that what else the machine does
meets all of them alike; medians are printed, with the microseconds that nginx itself works for a page,
which depend less on what else runs. 'constant' is the shipped configuration with the release written
into it: the limit for every way to find it. Nothing passes or fails.
"""

import io
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
import requests  # noqa: E402

from checks import sign_in  # noqa: E402
from demo_site import ROOT, DemoSite, free_port, wait_for  # noqa: E402

ROUNDS, SECONDS = 7, 3
ZONES = ["siteauth", "siteauth_sign_in", "siteauth_callback", "siteauth_front_channel"]


def files_of(revision, folder):
    """Puts the nginx folder of a revision, or of the working tree, into `folder`/siteauth."""
    if revision is None:
        return shutil.copytree(ROOT / "nginx", folder / "snippets/siteauth")
    archive = subprocess.run(["git", "archive", revision, "nginx"], cwd=ROOT, capture_output=True, check=True).stdout
    tarfile.open(fileobj=io.BytesIO(archive)).extractall(folder, filter="data")
    # Where revisions before the Debian packages look for them.
    (folder / "siteauth").symlink_to("snippets/siteauth")
    (folder / "snippets").mkdir()
    return (folder / "nginx").rename(folder / "snippets/siteauth")


def start(site, folder, revision=None, is_constant=False):
    """Starts an nginx with one process; returns it and its address."""
    folder.mkdir()
    files = files_of(revision, folder)
    port, current = free_port(), site.folder / "public/current"
    maps = files / "maps.conf"
    root = f"root {current}/site;" if maps.exists() else f"root {current}; set $release $realpath_root;"
    if is_constant:
        fixed = f'map "" $release {{ default {current.resolve()}; }}'
        maps.write_text(re.sub(r"map \$realpath_root \$release \{[^}]*\}", fixed, maps.read_text()))
    zones = "".join(f"limit_req_zone $binary_remote_addr zone={name}:1m rate=1000r/s;" for name in ZONES)
    temporary = "".join(f"{name}_temp_path {folder}/t;" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (folder / "nginx.conf").write_text(f"""
master_process off; daemon off; pid {folder}/pid; error_log stderr warn; events {{}}
http {{
    include /etc/nginx/mime.types; charset utf-8; access_log off; {temporary} {zones}
    {f"include {maps};" if maps.exists() else ""}
    upstream siteauth_check {{ server unix:{site.folder}/check.sock; }}
    upstream siteauth_pages {{ server unix:{site.folder}/pages.sock; }}
    server {{
        listen 127.0.0.1:{port}; {root}
        set $siteauth_check unix:{site.folder}/check.sock; set $siteauth_pages unix:{site.folder}/pages.sock;
        set $site_origin {site.url}; set $provider_origin {site.entra}; set $hsts "";
        include {files}/siteauth.conf;
    }}
}}
""")
    process = subprocess.Popen(["/usr/sbin/nginx", "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"])
    return process, f"http://127.0.0.1:{port}/bench.html"


def microseconds(process):
    """How long the process has worked."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 10_000


def load(process, url, cookie, seconds):
    before = microseconds(process)
    command = ["wrk", "-t1", "-c32", f"-d{seconds}s", "-H", f"Cookie: session={cookie}", url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in output, output
    pages = int(re.search(r"(\d+) requests in", output)[1])
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), (microseconds(process) - before) / pages


def main(revision):
    site, folder = DemoSite(), pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir="/tmp"))
    variants = {}
    try:
        site.start()
        (site.folder / "public/current/site/bench.html").write_text("x" * 16384)
        cookie = sign_in(site)
        variants[revision] = start(site, folder / "other", revision)
        variants["shipped"] = start(site, folder / "shipped")
        variants["constant"] = start(site, folder / "constant", is_constant=True)
        for process, url in variants.values():
            wait_for(lambda: process.poll() is not None or answers(url))
            load(process, url, cookie, 1)
        results = {name: [] for name in variants}
        for _ in range(ROUNDS):
            for name, (process, url) in variants.items():
                results[name].append(load(process, url, cookie, SECONDS))
        medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in results.items()}
        print(f"{'':12}{'pages/s':>10}{'ratio':>8}{'nginx, us a page':>18}")
        for name, (rate, work) in medians.items():
            print(f"{name:12}{rate:10,.0f}{rate / medians[revision][0]:8.2f}{work:18.1f}")
    finally:
        for process, _ in variants.values():
            process.terminate()
            process.wait()
        site.close()
        shutil.rmtree(folder)


def answers(url):
    try:
        return requests.get(url, timeout=5) is not None
    except requests.ConnectionError:
        return False


if __name__ == "__main__":
    main(sys.argv[1])
