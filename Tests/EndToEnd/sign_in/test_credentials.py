"""Signing in through nginx with a credential that is no secret, and with a provider that is gone."""

import json
import subprocess
import sys

import pytest
import requests

from demo_site import ALICE, BIN, COOKIE_SECRET, TENANT, DemoSite
from tls_front import make_certificate

CLIENT = "22222222-bbbb-4000-8000-000000000002"


class CertifiedSite(DemoSite):
    """The demo, its handbook registered with a certificate as well, and siteauth using that."""

    def __init__(self):
        super().__init__()
        self.programs = self.folder / "bin"
        self.environment["BIN_FOLDER"] = str(self.programs)
        self.programs.mkdir()
        (self.programs / "sitegen").symlink_to(BIN / "sitegen")
        make_certificate(self.folder, "client", "/CN=siteauth")
        tenants = subprocess.run([BIN / "entra-emulator", "init"], capture_output=True, text=True).stdout
        marker = "# [[tenant.application.certificate]]\n# file"
        assert marker in tenants
        tenants = tenants.replace(marker, "[[tenant.application.certificate]]\nfile", 1)
        (self.folder / "tenants.toml").write_text(tenants)
        self.wrap("entra-emulator", f'--tenants {self.folder}/tenants.toml')
        self.wrap("siteauth", "")
        secrets = self.folder / "secrets.toml"
        secrets.write_text(
            f"""[auth]
redirect_uri = "{self.url}/auth/callback"
cookie_secret = "{COOKIE_SECRET}"
client_id = "{CLIENT}"
client_certificate = "client.crt"
client_key = "client.key"
authority = "{self.entra}/{TENANT}"
"""
        )
        secrets.chmod(0o600)

    def wrap(self, name, options, before=""):
        program = self.programs / name
        program.write_text(f'#!/bin/sh\n{before}\nexec {BIN / name} "$@" {options}\n')
        program.chmod(0o755)

    def break_provider(self):
        """Before siteauth starts again, the provider's metadata are gone."""
        order = {"name": "unavailable", "endpoint": "discovery", "until": "further-notice"}
        code = f"import requests\nrequests.post('{self.admin}/faults', json={order!r}).raise_for_status()\n"
        (self.folder / "break.py").write_text(code)
        self.wrap("siteauth", "", f"{sys.executable} {self.folder}/break.py || exit 1")


@pytest.fixture
def certified():
    site = CertifiedSite()
    yield site
    site.close()


def begin(site):
    return requests.get(site.url + "/", headers={"Sec-Fetch-Mode": "navigate"}, allow_redirects=False)


def test_a_reader_signs_in_by_a_certificate_and_a_restart_needs_no_provider(certified, signed_in):
    certified.start()
    assert "client_secret" not in (certified.folder / "secrets.toml").read_text()
    session = signed_in(site=certified)
    assert session.get(certified.url + "/").status_code == 200
    assert session.get(certified.url + "/auth/me").json()["object_id"] == ALICE
    kept = certified.folder / "state/provider.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(kept.read_text())["metadata_url"].startswith(certified.entra)
    assert "client.crt' expires on" in certified.log("siteauth")
    certified.interrupt()
    assert [path.name for path in kept.parent.iterdir() if path.name.startswith("provider.")] == ["provider.json"]

    certified.break_provider()
    certified.start()
    document = f"{certified.entra}/{TENANT}/v2.0/.well-known/openid-configuration"
    assert requests.get(document).status_code == 503
    assert begin(certified).headers["Location"].startswith(certified.entra)
    certified.interrupt()

    # A file that others may write is no better than none.
    kept.chmod(0o666)
    certified.start()
    assert begin(certified).status_code == 503


def test_a_key_that_is_replaced_is_taken_up_without_a_restart(certified, signed_in):
    certified.start()
    signed_in(site=certified)
    make_certificate(certified.folder, "client", "/CN=siteauth")
    with pytest.raises(AssertionError):
        signed_in(site=certified)
    # The new certificate was sent; only Entra does not know it yet.
    assert "AADSTS700027" in certified.log("siteauth")
