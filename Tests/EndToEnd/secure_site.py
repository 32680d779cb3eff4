"""A site behind TLS with an emulator of its own and as many siteauths as a test wants."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import requests

from demo_site import BIN, CLIENT, CLIENT_SECRET, COOKIE_SECRET, NAVIGATE, NGINX, ROOT, TENANT
from demo_site import free_port, order, replaced, temporary_paths, wait_for
from emulator import built_in_tenants
from fastcgi import status_page
from tls_front import make_certificate

OTHER = "22222222-bbbb-4000-8000-000000000099"
PICTURE = {"Sec-Fetch-Mode": "no-cors", "Accept": "image/*"}


class SecureSite:
    """`settings` are further lines of [auth]; `states` has a name for each siteauth's folder, so
    that the same name twice makes two processes that share one."""

    order = order
    host = "localhost"
    # All readers of a test come from one address.
    changes = {"rate=20r/s": "rate=1000r/s"}

    def __init__(self, public, settings="", states=("state",)):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="secure-", dir="/tmp"))
        self.public, self.settings, self.states = public, settings, states
        self.port, self.entra_port, self.admin_port = free_port(), free_port(), free_port()
        self.http_port = free_port()
        self.url = f"https://localhost:{self.port}"
        self.entra = f"http://localhost:{self.entra_port}"
        self.admin = f"http://localhost:{self.admin_port}"
        self.authority = str(self.folder / "localhost.crt")
        self.processes = {}

    def start(self):
        make_certificate(self.folder, "localhost", f"/CN={self.host}", "CA:TRUE", host=self.host)
        self.write_tenants()
        self.write_nginx()
        self.write_secrets()
        self.start_entra()
        for number, state in enumerate(self.states):
            self.start_siteauth(f"siteauth-{number}", number, state)
        for number in range(len(self.states)):
            wait_for(lambda: "ready for" in self.log(f"siteauth-{number}"))
        self.start_nginx()
        return self

    def write_secrets(self, name="secrets.toml", client=CLIENT, authority=None):
        secrets = self.folder / name
        secrets.write_text(f"""
[auth]
redirect_uri = "{self.url}/auth/callback"
cookie_secret = "{COOKIE_SECRET}"
client_id = "{client}"
client_secret = "{CLIENT_SECRET}"
authority = "{authority or f'{self.entra}/{TENANT}'}"
{self.settings}
""")
        secrets.chmod(0o600)

    def start_siteauth(self, name, number, state, *arguments):
        self.run(
            name, BIN / "siteauth", "--config", self.folder / "secrets.toml", "--site", self.public,
            "--state", self.folder / state, "--check-socket", self.folder / f"check-{number}.sock",
            "--pages-socket", self.folder / f"pages-{number}.sock",
            "--status-socket", self.folder / f"status-{number}.sock", *arguments,
        )

    def start_nginx(self):
        self.run("nginx", NGINX, "-e", "stderr", "-p", self.folder, "-c", self.folder / "nginx.conf")
        wait_for(self.answers)

    def start_entra(self):
        log = self.folder / "entra.log"
        before = log.read_text().count("ready at") if log.exists() else 0
        self.run(
            "entra", BIN / "entra-emulator", "--port", str(self.entra_port), "--admin-port",
            str(self.admin_port), "--base-url", self.entra, "--tenants", self.folder / "tenants.toml",
        )
        wait_for(lambda: self.log("entra").count("ready at") > before)

    def write_tenants(self):
        before, after = built_in_tenants().split("[[tenant.application]]", 1)
        redirect = f'redirect_uris = ["{self.url}/auth/callback", "{self.url}/auth/signed-out"]'
        after = re.sub(r"redirect_uris = \[.*?\]", redirect, after, count=1, flags=re.DOTALL)
        logout = f'logout_url = "https://{self.url.partition("//")[2]}/auth/front-channel-sign-out"'
        after = re.sub(r"# logout_url = .*", logout, after, count=1)
        # Another application of the same company, from which somebody signs out.
        other = f"""[[tenant.application]]
name = "Another"
client_id = "{OTHER}"
redirect_uris = ["http://localhost:3999/"]
[[tenant.application.secret]]
value = "{CLIENT_SECRET}"

"""
        (self.folder / "tenants.toml").write_text(before + other + "[[tenant.application]]" + after)

    def write_nginx(self):
        text = "".join((ROOT / f"nginx/{name}.conf").read_text() for name in ["http", "site", "other-names"])
        # Several siteauths are an upstream, which a site names as it would name a socket.
        for kind in ["check", "pages"]:
            servers = "".join(f"server unix:{self.folder}/{kind}-{number}.sock;" for number in range(len(self.states)))
            text += f"upstream all_{kind} {{ {servers} }}\n"
        text = replaced(text, {
            "set $site docs;": "set $siteauth_check all_check; set $siteauth_pages all_pages;",
            "/etc/letsencrypt/live/docs.example.com/fullchain.pem": f"{self.folder}/localhost.crt",
            "/etc/letsencrypt/live/docs.example.com/privkey.pem": f"{self.folder}/localhost.key",
            "/var/log/nginx/docs.log": f"{self.folder}/site.log",
            "/srv/docs/public/current": f"{self.public}/current",
            "https://login.microsoftonline.com": self.entra,
            "https://docs.example.com": self.url,
            "docs.example.com": self.host,
            "listen 443": f"listen 127.0.0.1:{self.port}",
            "listen 80": f"listen 127.0.0.1:{self.http_port}",
            **self.changes,
        })
        (self.folder / "site.conf").write_text(re.sub(r"    listen \[::\].*\n", "", text))
        (self.folder / "snippets").mkdir()
        (self.folder / "snippets/siteauth").symlink_to(ROOT / "nginx")
        user = "user root;\n" if os.getuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(
            f"{user}daemon off;\npid {self.folder}/pid;\nevents {{}}\nhttp {{\n"
            f"include /etc/nginx/mime.types;\n{temporary_paths(self.folder)}include {self.folder}/site.conf;\n}}\n"
        )

    def run(self, name, *command):
        with (self.folder / f"{name}.log").open("a") as log:
            self.processes[name] = subprocess.Popen(command, stderr=log, stdout=log)

    def stop(self, name):
        process = self.processes.pop(name)
        process.terminate()
        process.wait(timeout=60)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def metrics(self, number=0):
        return status_page(self.folder / f"status-{number}.sock", "metrics")[1]

    def answers(self):
        try:
            requests.get(self.url + "/auth/signed-out", verify=self.authority, timeout=30)
        except requests.ConnectionError:
            return False
        return True

    def revoke(self, *arguments, state="state"):
        return subprocess.run(
            [BIN / "siteauth", "revoke", "--config", self.folder / "secrets.toml", "--state",
             self.folder / state, *arguments],
            capture_output=True, text=True,
        )

    def statuses(self, cookie, path="/company/", times=8, fields=NAVIGATE):
        """What that cookie gets, from one siteauth after the other."""
        fields = fields | {"Cookie": f"__Host-session={cookie}"}
        options = {"headers": fields, "verify": self.authority, "allow_redirects": False}
        return {requests.get(self.url + path, **options).status_code for _ in range(times)}

    def close(self):
        for name in list(self.processes):
            self.stop(name)
        shutil.rmtree(self.folder, ignore_errors=True)


def sign_out(site, session):
    answer = session.post(site.url + "/auth/sign-out", headers={"Origin": site.url}, allow_redirects=False)
    assert answer.status_code == 303
