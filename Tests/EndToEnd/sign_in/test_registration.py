"""Configuration, credentials and registration with the real programs: no browser, no nginx."""

import json
import os
import re
import subprocess

import pytest

from azure_cli import AZ
from demo_site import BIN, COOKIE_SECRET, free_port, wait_for
from tls_front import TLSFront, make_certificate

TENANT = "11111111-aaaa-4000-8000-000000000001"
CLIENT = "22222222-bbbb-4000-8000-000000000002"
SECRET = "emulated~secret.is-no-secret_at-all"
IDENTITY = "77777777-cccc-4000-8000-000000000001"
PRINCIPAL = "77777777-cccc-4000-8000-000000000002"


class Entra:
    """entra-emulator with the built-in tenants, a certificate and a managed identity for the handbook."""

    def __init__(self, folder):
        self.folder, self.port, self.admin_port = folder, free_port(), free_port()
        self.url = f"http://localhost:{self.port}"
        self.admin = f"http://localhost:{self.admin_port}"
        make_certificate(folder, "client", "/CN=siteauth")
        make_certificate(folder, "stranger", "/CN=siteauth")
        text = subprocess.run([BIN / "entra-emulator", "init"], capture_output=True, text=True).stdout
        credential = f"""
[[tenant.application.certificate]]
file = "client.crt"
[[tenant.application.federated_credential]]
issuer = "{self.url}/{TENANT}/v2.0"
subject = "{PRINCIPAL}"
audience = "api://AzureADTokenExchange"
"""
        text = text.replace("# [[tenant.application.certificate]]", credential, 1)
        (folder / "tenants.toml").write_text(text)
        with (folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                [BIN / "entra-emulator", "serve", "--port", str(self.port), "--base-url", self.url]
                + ["--admin-port", str(self.admin_port), "--tenants", "tenants.toml"],
                cwd=folder,
                stderr=log,
            )
        wait_for(lambda: "ready at" in (folder / "log").read_text())

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=60)


@pytest.fixture(scope="module")
def entra(tmp_path_factory):
    entra = Entra(tmp_path_factory.mktemp("entra"))
    yield entra
    entra.close()


def siteauth(folder, *arguments, **variables):
    return subprocess.run(
        [BIN / "siteauth", *map(str, arguments)],
        cwd=folder,
        env={"PATH": os.environ["PATH"]} | variables,
        capture_output=True,
        text=True,
        timeout=60,
    )


def secret_file(path, text):
    path.write_text(text)
    path.chmod(0o600)


def configure(folder, entra, credential=f'client_secret = "{SECRET}"', uri="http://localhost:8080/auth/callback"):
    secret_file(
        folder / "secrets.toml",
        f"""
[auth]
redirect_uri = "{uri}"
cookie_secret = "{COOKIE_SECRET}"
client_id = "{CLIENT}"
authority = "{entra.url}/{TENANT}"
{credential}
""",
    )


def test_a_cookie_secret_is_made(tmp_path):
    first, second = siteauth(tmp_path, "generate-secret"), siteauth(tmp_path, "generate-secret")
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}\n", first.stdout) and first.stdout != second.stdout


def credentials(entra):
    folder = entra.folder
    pair = f'client_certificate = "{folder}/client.crt"\nclient_key = "{folder}/client.key"'
    return {
        "secret": (f'client_secret = "{SECRET}"', {}),
        "secret in a header field": (
            f'client_secret = "{SECRET}"\nclient_auth_method = "client_secret_basic"', {},
        ),
        "certificate": (pair, {}),
        "certificate, RS256": (f'{pair}\nclient_assertion_algorithm = "RS256"', {}),
        "virtual machine": (
            f'managed_identity = "{IDENTITY}"', {"AZURE_POD_IDENTITY_AUTHORITY_HOST": entra.admin},
        ),
        "App Service": (
            f'managed_identity = "{IDENTITY}"',
            {"IDENTITY_ENDPOINT": f"{entra.admin}/msi/token", "IDENTITY_HEADER": "x"},
        ),
    }


@pytest.mark.parametrize(
    "kind",
    ["secret", "secret in a header field", "certificate", "certificate, RS256", "virtual machine", "App Service"],
)
def test_each_credential_is_taken(tmp_path, entra, kind):
    credential, variables = credentials(entra)[kind]
    configure(tmp_path, entra, credential)
    result = siteauth(tmp_path, "check-config", "--live", **variables)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()[-6:]
    assert lines[0].endswith(f"is the discovery document of '{entra.url}/{TENANT}/v2.0'")
    assert lines[2] == "the redirect URI 'http://localhost:8080/auth/callback' is registered"
    assert lines[3] == "the redirect URI 'http://localhost:8080/auth/signed-out' is registered"
    assert lines[4].endswith("knows the client and its credential")


def test_names_below_localhost_are_this_machine(tmp_path, entra):
    """No name server is asked for them: an external tenant and another cloud by their own hosts."""
    for host, tenant, client in [
        ("orchard.ciamlogin.com", "", "22222222-bbbb-4000-8000-000000000006"),
        ("login.microsoftonline.us", "/99999999-aaaa-4000-8000-000000000009", "22222222-bbbb-4000-8000-000000000009"),
    ]:
        configure(tmp_path, entra)
        secrets = tmp_path / "secrets.toml"
        authority = f"http://{host}.localhost:{entra.port}{tenant}"
        text = secrets.read_text().replace(f"{entra.url}/{TENANT}", authority).replace(CLIENT, client)
        secret_file(secrets, text)
        result = siteauth(tmp_path, "check-config", "--live")
        assert result.returncode == 0, result.stderr
        assert authority in result.stdout and "knows the client and its credential" in result.stdout


def test_a_provider_whose_certificate_nobody_vouches_for_is_not_asked(tmp_path, entra):
    """Hostile inputs HO-08: whoever sits in between has a certificate, too."""
    front = TLSFront(entra.port)
    front.start()
    try:
        configure(tmp_path, entra)
        secrets = tmp_path / "secrets.toml"
        secret_file(secrets, secrets.read_text().replace(entra.url, front.url))
        result = siteauth(tmp_path, "check-config", "--live")
        assert result.returncode == 1 and "certificate" in result.stderr, result.stderr
        assert "knows the client" not in result.stdout
    finally:
        front.close()


HOSTILE = "O'Brien \"& Sons\" $(touch pwned) `touch pwned` \\ %s\nEND-OF-JSON\ntouch pwned #@x 漢字"


@pytest.fixture
def site(tmp_path):
    """A release with groups, and a program 'az' that writes down what it is told."""
    (tmp_path / "sitegen.toml").write_text(
        '[groups]\nhr = { role = "HR" }\nboard = { group = "b0a2d000-0000-4000-8000-00000000b0a2" }\n'
    )
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.md").write_text("# Home\n")
    subprocess.run([BIN / "sitegen", "build"], cwd=tmp_path, check=True, capture_output=True)
    az = tmp_path / "bin/az"
    az.parent.mkdir()
    az.write_text(AZ)
    az.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("shell", ["dash", "bash"])
@pytest.mark.parametrize("credential", ["certificate", "secret", "none"])
def test_the_registration_script_runs_with_any_name(site, shell, credential):
    result = siteauth(
        site, "register", "--name", HOSTILE, "--redirect-uri", "https://docs.example.com/auth/callback",
        "--credential", credential,
    )
    assert result.returncode == 0 and result.stderr == ""
    script = site / "register.sh"
    script.write_text(result.stdout)
    subprocess.run([shell, "-n", script], check=True)
    environment = {"PATH": f"{site / 'bin'}:{os.environ['PATH']}", "SITEAUTH_PAUSE": "0", "TMPDIR": str(site)}
    run = subprocess.run([shell, script], cwd=site, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert not (site / "pwned").exists()
    application = json.loads((site / "application.json").read_text())
    assert application["displayName"] == HOSTILE
    assert [role["value"] for role in application["appRoles"]] == ["HR"]
    assert application["groupMembershipClaims"] == "ApplicationGroup"
    principal = json.loads((site / "principal.json").read_text())
    assert principal == {"appId": "22222222-bbbb-4000-8000-00000000000a", "appRoleAssignmentRequired": True}
    secrets = site / "secrets.toml"
    lines = secrets.read_text().splitlines()
    assert f'authority = "https://login.microsoftonline.com/{TENANT}"' in lines and lines[0] == "[auth]"
    assert secrets.stat().st_mode & 0o777 == 0o600
    assert re.search('cookie_secret = "(.*)"', secrets.read_text())[1] not in run.stdout + run.stderr
    assert "22222222-bbbb-4000-8000-00000000000a" in run.stdout
    if credential == "secret":
        assert (site / "client_secret").read_text() == "se~cret\n"
        assert (site / "client_secret").stat().st_mode & 0o777 == 0o600
        assert "se~cret" not in run.stdout + run.stderr
    if credential == "certificate":
        assert (site / "siteauth.key").stat().st_mode & 0o777 == 0o600
    again = subprocess.run([shell, script], cwd=site, env=environment, capture_output=True, text=True)
    assert again.returncode == 1 and "'secrets.toml' already exists" in again.stderr
    assert lines == secrets.read_text().splitlines()
    # What the script made is what siteauth takes.
    checked = siteauth(site, "check-config")
    assert (checked.returncode == 0) == (credential != "none"), checked.stderr
    assert "error" not in checked.stderr or "'client_secret' is missing" in checked.stderr


@pytest.mark.parametrize("shell", ["dash", "bash"])
@pytest.mark.parametrize("credential", ["certificate", "secret"])
def test_a_registration_that_fails_half_way_can_be_run_again(site, shell, credential):
    """Once, the credential step left an empty file that stopped the next run, and the client id was nowhere."""
    script = siteauth(
        site, "register", "--name", "x", "--redirect-uri", "https://docs.example.com/auth/callback",
        "--credential", credential,
    ).stdout
    environment = {"PATH": f"{site / 'bin'}:{os.environ['PATH']}", "SITEAUTH_PAUSE": "0", "TMPDIR": str(site)}
    before = {path.name for path in site.iterdir()}

    def run(az):
        (site / "bin/az").write_text(az)
        return subprocess.run([shell, "-c", script], cwd=site, env=environment, capture_output=True, text=True)

    for refusal in ["exit 1 ;;", "exit 0 ;;"] if credential == "secret" else ["exit 1 ;;"]:
        failed = run(AZ.replace('case "$*" in', f'case "$*" in\n    *credential*) {refusal}', 1))
        assert failed.returncode == 1
        assert "the registration 22222222-bbbb-4000-8000-00000000000a is incomplete" in failed.stderr
        assert "az ad app delete --id 22222222-bbbb-4000-8000-00000000000a\n" in failed.stderr
        left = {path.name for path in site.iterdir()} - before
        assert left <= {"az.log", "application.json", "principal.json", "early"}
    assert run(AZ).returncode == 0 and siteauth(site, "check-config").returncode == 0


def test_the_manifest_is_json(site):
    result = siteauth(
        site, "register", "--manifest", "--name", HOSTILE, "--redirect-uri", "https://docs.example.com/auth/callback"
    )
    manifest = json.loads(result.stdout)
    assert manifest["displayName"] == HOSTILE
    assert manifest["web"]["logoutUrl"] == "https://docs.example.com/auth/front-channel-sign-out"


def test_without_a_release_there_are_no_roles_and_it_is_said(tmp_path):
    result = siteauth(tmp_path, "register", "--name", "x", "--redirect-uri", "https://docs.example.com/auth/callback")
    assert result.returncode == 0 and '"appRoles":[]' in result.stdout
    assert "'public/current/access' does not exist" in result.stderr
    refused = siteauth(tmp_path, "register", "--name", "x", "--redirect-uri", "http://docs.example.com/auth/callback")
    assert refused.returncode == 64 and "it must be an https URL" in refused.stderr
    uri = "https://intranet.example.com/handbook/auth/callback"
    refused = siteauth(tmp_path, "register", "--name", "x", "--redirect-uri", uri)
    assert refused.returncode == 64 and "a site cannot be below the path '/handbook'" in refused.stderr
    assert siteauth(tmp_path, "register", "--name", "").returncode == 64
