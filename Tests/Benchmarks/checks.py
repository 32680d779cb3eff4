"""What asking before each file costs: pages a second through nginx, side by side in one run.

Rounds go through the variants in turn, so that what else the machine does meets all of them alike;
the medians and their ratios are printed. Nothing passes or fails.
"""

import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))
from demo_site import NGINX, ROOT, DemoSite, cookies, finish, free_port, is_listening, wait_for  # noqa: E402

ROUNDS, SECONDS = 7, 4
MODULES = "/usr/lib/apache2/modules"


class Apache:
    """Apache with mod_auth_openidc, which also keeps the session in the cookie alone."""

    def __init__(self, site, folder, page):
        self.port = free_port()
        self.url, self.authority = f"http://localhost:{self.port}", False
        provider = tomllib.loads((site.folder / "secrets.toml").read_text())["auth"]
        # Its processes have an account of their own.
        (folder / "pages").mkdir()
        shutil.copy(page, folder / "pages")
        folder.chmod(0o711)
        loaded = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in [
            "mpm_event", "authn_core", "authz_core", "authz_user", "mime", "dir", "auth_openidc"])
        (folder / "apache.conf").write_text(f"""
ServerRoot {folder}
DefaultRuntimeDir {folder}
PidFile {folder}/apache.pid
ServerName localhost
ErrorLog {folder}/apache.log
Listen 127.0.0.1:{self.port}
{loaded}
User www-data
Group www-data
TypesConfig /etc/mime.types
DocumentRoot {folder}/pages
OIDCProviderMetadataURL {provider["authority"]}/v2.0/.well-known/openid-configuration
OIDCClientID {provider["client_id"]}
OIDCClientSecret {provider["client_secret"]}
OIDCRedirectURI {self.url}/auth/callback
OIDCCryptoPassphrase {"x" * 32}
OIDCSessionType client-cookie
<Directory />
    AllowOverride None
</Directory>
<Location "/">
    AuthType openid-connect
    Require valid-user
</Location>
""")
        self.process = subprocess.Popen(["/usr/sbin/apache2", "-D", "FOREGROUND", "-f", folder / "apache.conf"])


def load(url, cookie):
    output = subprocess.run(
        ["wrk", "-t1", "-c32", f"-d{SECONDS}s", "--latency", "-H", f"Cookie: {cookie}", url],
        capture_output=True, text=True, check=True,
    ).stdout
    assert "Non-2xx" not in output, output
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    tail = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    return rate, float(tail[1]) * {"us": 0.001, "ms": 1, "s": 1000}[tail[2]]


def memory(pid):
    """Resident megabytes, and how many of them are its own and not pages of files."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return tuple(int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024 for name in ["VmRSS", "RssAnon"])


def main():
    site = DemoSite()
    extra = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir="/tmp"))
    processes, servers = [], []
    try:
        site.start()
        # A page of 16 KB, where each variant finds it.
        page = site.folder / "public/current/site/bench.html"
        page.write_text("x" * 16384)
        subprocess.run(["cc", "-O2", "-o", extra / "empty", ROOT / "Tests/Benchmarks/empty.c", "-lfcgi", "-lpthread"], check=True)
        processes.append(subprocess.Popen([extra / "empty", extra / "empty.sock"]))
        port = free_port()
        (extra / "nginx.conf").write_text(f"""
master_process off; daemon off; pid {extra}/pid; error_log stderr;
events {{}}
http {{
    include /etc/nginx/mime.types; access_log off;
    upstream empty {{ server unix:{extra}/empty.sock; keepalive 4; }}
    server {{
        listen 127.0.0.1:{port}; root {page.parent};
        location /open/ {{ alias {page.parent}/; }}
        location /answered/ {{ auth_request /yes; alias {page.parent}/; }}
        location /empty/ {{ auth_request /ask; alias {page.parent}/; }}
        location = /yes {{ internal; return 204; }}
        location = /ask {{ internal; fastcgi_pass empty; fastcgi_keep_conn on; fastcgi_pass_request_body off;
            fastcgi_pass_request_headers off; fastcgi_param HTTP_COOKIE $http_cookie; }}
    }}
}}
""")
        servers.append(subprocess.Popen([NGINX, "-e", "stderr", "-p", extra, "-c", extra / "nginx.conf"]))
        cookie = finish(site).cookies["session"]
        apache = Apache(site, extra, page)
        servers.append(apache.process)
        wait_for(lambda: is_listening(apache.port))
        base = f"http://127.0.0.1:{port}"
        session = f"session={cookie}"
        variants = {
            "no question": (f"{base}/open/bench.html", session),
            "auth_request, nginx answers 204": (f"{base}/answered/bench.html", session),
            "auth_request, empty C libfcgi program": (f"{base}/empty/bench.html", session),
            "auth_request, siteauth": (f"{site.url}/bench.html", session),
            "Apache with mod_auth_openidc": (f"{apache.url}/bench.html", cookies(finish(apache))),
        }
        pid = site.pid("siteauth")
        idle = memory(pid)
        for variant in variants.values():
            load(*variant)
        results = {name: [] for name in variants}
        for number in range(ROUNDS):
            print(f"\rround {number + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
            for name, variant in variants.items():
                results[name].append(load(*variant))
        print(file=sys.stderr)
        limit = statistics.median(rate for rate, _ in results["auth_request, empty C libfcgi program"])
        print(f"{'':40}{'pages/s':>10}{'p99 ms':>9}{'to empty C':>12}")
        for name, values in results.items():
            rate = statistics.median(rate for rate, _ in values)
            tail = statistics.median(tail for _, tail in values)
            print(f"{name:40}{rate:10,.0f}{tail:9.2f}{rate / limit:12.2f}")
        print(f"session cookie of alice: {len(cookie)} characters")
        for when, (resident, own) in [("idle", idle), ("after the load", memory(pid))]:
            print(f"siteauth: {resident:.1f} MB resident {when}, {own:.1f} MB of it its own")
        size = (ROOT / ".build/release/siteauth").stat().st_size / 1e6
        print(f"siteauth: {size:.1f} MB on disk")
    finally:
        for server in servers:
            server.terminate()
            server.wait()
        for process in processes:
            # libfcgi takes SIGTERM for a hint and goes on waiting for requests.
            process.kill()
            process.wait()
        site.close()
        subprocess.run(["rm", "-r", extra], check=True)


if __name__ == "__main__":
    main()
