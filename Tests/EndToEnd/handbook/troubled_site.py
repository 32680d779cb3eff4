"""A site on which each mistake of the handbook's page 'Troubleshoot' is made, and a tenant with registrations
that have mistakes of their own. `trouble` says which entry of the page a test is about."""

import pathlib
import re
import signal
import subprocess
import tempfile
import types

import requests

from demo_site import ALICE, BIN, COOKIE_SECRET, TENANT, free_port, wait_for
from own_service import NAVIGATE, NGINX, OwnService
from tls_front import make_certificate

# The heading of an entry, and the name of the test in which the mistake is made.
CASES = {}
CLIENT = "22222222-bbbb-4000-8000-000000000002"
SECRET = "emulated~secret.is-no-secret_at-all"
# What is wrong with the registration of each of these client ids.
REGISTRATIONS = {
    "expired": '[[tenant.application.secret]]\nvalue = "SECRET"\nexpires = 2020-01-01',
    "certificate": '[[tenant.application.certificate]]\nfile = "client.crt"',
    "consent": 'consent = "admin"\n[[tenant.application.secret]]\nvalue = "SECRET"',
    "assignment": 'assignment_required = true\n[[tenant.application.secret]]\nvalue = "SECRET"',
    "claims": '[[tenant.application.secret]]\nvalue = "SECRET"',
}
CLIENTS = {name: f"22222222-bbbb-4000-8000-0000000000{0xa0 + n:02x}" for n, name in enumerate(REGISTRATIONS)}
FILES = {
    "sitegen.toml": '[groups]\nhr = { role = "HR" }\nboard = { group = "b0a2d000-0000-4000-8000-00000000b0a2" }\n',
    "site/index.md": "# Home\n",
    "site/hr/index.md": "---\naccess: [hr]\n---\n# Human resources\n",
}


def trouble(*headings):
    def mark(test):
        CASES.update(dict.fromkeys(headings, test.__name__))
        return test
    return mark


def build(folder, files, *arguments, **options):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return subprocess.run(
        [BIN / "sitegen", "build", *arguments], cwd=folder, capture_output=True, text=True, timeout=120, **options
    )


class Provider:
    """entra-emulator with the registrations above."""

    def __init__(self, folder):
        self.folder, self.port, self.admin_port = folder, free_port(), free_port()
        self.url, self.admin = f"http://localhost:{self.port}", f"http://localhost:{self.admin_port}"
        make_certificate(folder, "client", "/CN=siteauth")
        make_certificate(folder, "stranger", "/CN=siteauth")
        text = subprocess.run([BIN / "entra-emulator", "init"], capture_output=True, text=True, check=True).stdout
        added = ""
        for name, client in CLIENTS.items():
            uris = ["http://localhost:8080/auth/callback", "http://localhost:8080/auth/signed-out"]
            claims = [] if name == "claims" else ["sid", "login_hint"]
            added += f"""
[[tenant.application]]
name = "{name}"
client_id = "{client}"
redirect_uris = {uris}
optional_claims = {claims}
app_roles = ["HR"]
{REGISTRATIONS[name].replace("SECRET", SECRET)}
"""
        # Below the first registration, which belongs to the first tenant.
        text = text.replace("[[tenant.application]]", "TENANTS[[tenant.application]]", 2)
        text = text.replace("TENANTS", "", 1).replace("TENANTS", added + "\n", 1)
        (folder / "tenants.toml").write_text(text)
        self.process = None
        self.start()

    def start(self):
        log = self.folder / "entra.log"
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [BIN / "entra-emulator", "--port", str(self.port), "--admin-port", str(self.admin_port),
                 "--base-url", self.url, "--tenants", self.folder / "tenants.toml"], stderr=output,
            )
        wait_for(lambda: "administration at" in log.read_text() or self.process.poll() is not None)
        assert self.process.poll() is None, log.read_text()

    def order(self, path, **values):
        answer = requests.post(f"{self.admin}/{path}", json=values, timeout=60)
        assert answer.status_code == 200, answer.text

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=60)


class TroubledSite:
    """The provider, a release, siteauth and nginx; `configure` changes secrets.toml while siteauth runs."""

    def __init__(self, program=NGINX):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="troubled-", dir="/tmp"))
        self.provider = Provider(self.folder)
        result = build(self.folder, FILES)
        assert result.returncode == 0, result.stderr
        (self.folder / "secrets.toml").touch()
        self.authority = f"{self.provider.url}/{TENANT}"
        demo = types.SimpleNamespace(folder=self.folder, url="", entra=self.provider.url)
        self.own = OwnService(demo, program)
        self.url = self.own.url
        self.write()
        self.process = None

    def start(self, **nginx):
        self.process = self.own.siteauth()
        self.own.nginx(**nginx)
        return self

    def restart(self):
        """The provider comes back with other keys, so siteauth begins without those that it knew."""
        if self.provider.process.poll() is None:
            self.provider.close()
        self.provider.start()
        self.own.stop(self.process)
        (self.own.folder / "state/provider.json").unlink(missing_ok=True)
        self.process = self.own.siteauth()

    def write(self, **changes):
        values = {
            "redirect_uri": f"{self.url}/auth/callback", "cookie_secret": COOKIE_SECRET, "client_id": CLIENT,
            "client_secret": SECRET, "authority": self.authority,
        } | changes
        lines = [f"{key} = {value if isinstance(value, list) else repr(value)}" for key, value in values.items()
                 if value is not None]
        self.own.secrets.write_text("\n".join(["[auth]", *lines, ""]).replace("'", '"'))
        self.own.secrets.chmod(0o600)

    def configure(self, **changes):
        """Without a change: the right configuration."""
        self.write(**changes)
        count = self.log().count("configuration read again")
        self.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.log().count("configuration read again") > count)

    def check(self, *arguments):
        """Returns exit code and output of check-config."""
        result = subprocess.run(
            [BIN / "siteauth", "check-config", "--config", self.own.secrets, *arguments],
            capture_output=True, text=True, timeout=60,
        )
        return result.returncode, result.stdout + result.stderr

    def log(self):
        return self.process.log.read_text()

    def begin(self, session=None, path="/hr/"):
        """The page at the provider to which a reader is sent."""
        session = session or requests.Session()
        begun = session.get(self.url + path, headers=NAVIGATE, allow_redirects=False)
        assert begun.status_code == 303, begun.text
        return session, begun.headers["Location"]

    def sign_in(self, account=ALICE, session=None, path="/hr/"):
        """Returns the browser and the last answer: the page, or what somebody says about it."""
        session, address = self.begin(session, path)
        picked = session.post(address, data={"account": account, "consent": "accept"}, allow_redirects=False)
        if "Location" not in picked.headers:
            return session, picked
        return session, session.get(picked.headers["Location"], headers=NAVIGATE)

    def told(self, answer, title):
        """The page is that one; returns the line of the log under its reference number."""
        assert re.search(rf"<h1>{re.escape(title)}</h1>", answer.text.replace("&#39;", "'")), answer.text
        reference = re.search(r"<code>([0-9a-f]{8})</code>", answer.text)[1]
        lines = [line for line in self.log().splitlines() if f"request {reference}:" in line]
        return lines[-1] if lines else ""

    def works(self, account=ALICE, session=None):
        session, answer = self.sign_in(account, session)
        assert answer.status_code == 200 and "Human resources" in answer.text, answer.text
        return session

    def close(self):
        self.own.close()
        self.provider.close()
        subprocess.run(["rm", "-rf", self.folder], check=True)
