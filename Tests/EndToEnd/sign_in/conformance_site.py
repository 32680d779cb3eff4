"""A site behind the shipped configuration of nginx, whose readers sign in at issuers of the conformance provider."""

import contextlib
import json
import subprocess

from conformance_provider import CLIENT, CLIENT_SECRET, ConformanceProvider
from demo_site import BIN, wait_for
from other_providers import PAGES, Browser
from own_service import LOG_EVENT
from secure_site import SecureSite
from tls_front import make_certificate


class ConformanceSite(SecureSite):
    def __init__(self, folder):
        for name, text in PAGES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text % "lou" if name == "sitegen.toml" else text)
        built = subprocess.run(
            [BIN / "sitegen", "build", "--output", folder / "public"], cwd=folder, capture_output=True, text=True
        )
        assert built.returncode == 0, built.stderr
        super().__init__(folder / "public")
        self.started = 0

    def start(self):
        make_certificate(self.folder, "localhost", "/CN=localhost", "CA:TRUE")
        self.provider = ConformanceProvider(self.authority, self.folder / "localhost.key")
        # nginx lets forms go there, and lets it show the front-channel address in a frame.
        self.entra = self.provider.url
        self.write_nginx()
        self.start_nginx()
        return self

    @contextlib.contextmanager
    def at_issuer(self, name, behaviour, settings=""):
        """A siteauth that has just been set up for that issuer, and ends with the block."""
        issuer = self.provider.issuer(name, self.url, behaviour)
        self.write_secrets(f"""
client_id = "{CLIENT}"
client_secret = "{CLIENT_SECRET}"
client_auth_method = "client_secret_basic"
oidc_authority = "{issuer.url}"
provider_ca_file = "localhost.crt"
id_token_hint = true
{settings}
""")
        self.started += 1
        self.name = f"siteauth-of-{name}-{self.started}"
        self.start_siteauth(self.name, 0, f"state-{self.started}", "--log-format", "json")
        wait_for(lambda: "ready for" in self.log(self.name) or self.processes[self.name].poll() is not None)
        try:
            yield issuer
        finally:
            self.stop(self.name)
            for line in self.log(self.name).splitlines():
                LOG_EVENT.validate(json.loads(line))

    def browser(self):
        browser = Browser(self)
        browser.session.trust_env = False
        browser.session.verify = self.authority
        return browser

    def events(self, kind=None):
        """What the siteauth at hand has logged, of one kind or all."""
        events = [json.loads(line) for line in self.log(self.name).splitlines()]
        return [event for event in events if kind in (None, event["event"])]

    def close(self):
        super().close()
        if hasattr(self, "provider"):
            self.provider.close()
