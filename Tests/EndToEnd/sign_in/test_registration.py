"""Configuration, credentials and registration with the real programs: no browser, no nginx."""

import json
import os
import re
import subprocess
from contextlib import closing

import pytest

from azure_cli import AZ
from demo_site import CLIENT, CLIENT_SECRET, COOKIE_SECRET, TENANT, siteauth, sitegen, write
from emulator import EntraEmulator, built_in_tenants
from tls_front import TLSFront, make_certificate

IDENTITY = "77777777-cccc-4000-8000-000000000001"
PRINCIPAL = "77777777-cccc-4000-8000-000000000002"


@pytest.fixture(scope="module")
def entra(tmp_path_factory):
    """With the built-in tenants, a certificate and a managed identity for the handbook."""
    entra = EntraEmulator(tmp_path_factory.mktemp("entra"))
    make_certificate(entra.folder, "client", "/CN=siteauth")
    credential = f"""
[[tenant.application.certificate]]
file = "client.crt"
[[tenant.application.federated_credential]]
issuer = "{entra.url}/{TENANT}/v2.0"
subject = "{PRINCIPAL}"
audience = "api://AzureADTokenExchange"
"""
    with closing(entra):
        yield entra.start(built_in_tenants().replace("# [[tenant.application.certificate]]", credential, 1))


def secret_file(path, text):
    path.write_text(text)
    path.chmod(0o600)


def configure(folder, entra, credential=f'client_secret = "{CLIENT_SECRET}"'):
    secret_file(
        folder / "secrets.toml",
        f"""
[auth]
redirect_uri = "http://localhost:8080/auth/callback"
cookie_secret = "{COOKIE_SECRET}"
client_id = "{CLIENT}"
authority = "{entra.url}/{TENANT}"
{credential}
""",
    )


PAIR = 'client_certificate = "FOLDER/client.crt"\nclient_key = "FOLDER/client.key"\n'
MANAGED = f'managed_identity = "{IDENTITY}"'
CREDENTIALS = {
    "secret": (f'client_secret = "{CLIENT_SECRET}"', {}),
    "secret in a header field": (f'client_secret = "{CLIENT_SECRET}"\nclient_auth_method = "client_secret_basic"', {}),
    "certificate": (PAIR, {}),
    "certificate, RS256": (PAIR + 'client_assertion_algorithm = "RS256"', {}),
    "virtual machine": (MANAGED, {"AZURE_POD_IDENTITY_AUTHORITY_HOST": "ADMIN"}),
    "App Service": (MANAGED, {"IDENTITY_ENDPOINT": "ADMIN/msi/token", "IDENTITY_HEADER": "x"}),
}


@pytest.mark.parametrize("kind", CREDENTIALS)
def test_each_credential_is_taken(tmp_path, entra, kind):
    credential, variables = CREDENTIALS[kind]
    configure(tmp_path, entra, credential.replace("FOLDER", str(entra.folder)))
    variables = {name: value.replace("ADMIN", entra.admin) for name, value in variables.items()}
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
    with closing(TLSFront(entra.port)) as front:
        front.start()
        configure(tmp_path, entra)
        secrets = tmp_path / "secrets.toml"
        secret_file(secrets, secrets.read_text().replace(entra.url, front.url))
        result = siteauth(tmp_path, "check-config", "--live")
        assert result.returncode == 1 and "certificate" in result.stderr, result.stderr
        assert "knows the client" not in result.stdout


HOSTILE = "O'Brien \"& Sons\" $(touch pwned) `touch pwned` \\ %s\nEND-OF-JSON\ntouch pwned #@x 漢字"


@pytest.fixture
def site(tmp_path):
    """A release with groups, and a program 'az' that writes down what it is told."""
    groups = '[groups]\nhr = { role = "HR" }\nboard = { group = "b0a2d000-0000-4000-8000-00000000b0a2" }\n'
    write(tmp_path, {"sitegen.toml": groups, "site/index.md": "# Home\n", "bin/az": AZ})
    sitegen(tmp_path, "build", check=True)
    (tmp_path / "bin/az").chmod(0o755)
    return tmp_path


URI = ["--redirect-uri", "https://docs.example.com/auth/callback"]


def run_script(site, *command):
    environment = {"PATH": f"{site / 'bin'}:{os.environ['PATH']}", "SITEAUTH_PAUSE": "0", "TMPDIR": str(site)}
    return subprocess.run(command, cwd=site, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("shell", ["dash", "bash"])
@pytest.mark.parametrize("credential", ["certificate", "secret", "none"])
def test_the_registration_script_runs_with_any_name(site, shell, credential):
    result = siteauth(site, "register", "--name", HOSTILE, *URI, "--credential", credential)
    assert result.returncode == 0 and result.stderr == ""
    script = site / "register.sh"
    script.write_text(result.stdout)
    subprocess.run([shell, "-n", script], check=True)
    run = run_script(site, shell, script)
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
    again = run_script(site, shell, script)
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
    script = siteauth(site, "register", "--name", "x", *URI, "--credential", credential).stdout
    before = {path.name for path in site.iterdir()}

    def run(az):
        (site / "bin/az").write_text(az)
        return run_script(site, shell, "-c", script)

    for refusal in ["exit 1 ;;", "exit 0 ;;"] if credential == "secret" else ["exit 1 ;;"]:
        failed = run(AZ.replace('case "$*" in', f'case "$*" in\n    *credential*) {refusal}', 1))
        assert failed.returncode == 1
        assert "the registration 22222222-bbbb-4000-8000-00000000000a is incomplete" in failed.stderr
        assert "az ad app delete --id 22222222-bbbb-4000-8000-00000000000a\n" in failed.stderr
        left = {path.name for path in site.iterdir()} - before
        assert left <= {"az.log", "application.json", "principal.json", "early"}
    assert run(AZ).returncode == 0 and siteauth(site, "check-config").returncode == 0


def test_without_a_release_there_are_no_roles_and_it_is_said(tmp_path):
    result = siteauth(tmp_path, "register", "--name", "x", *URI)
    assert result.returncode == 0 and '"appRoles":[]' in result.stdout
    assert "'public/current/access' does not exist" in result.stderr
    refused = siteauth(tmp_path, "register", "--name", "x", "--redirect-uri", "http://docs.example.com/auth/callback")
    assert refused.returncode == 64 and "it must be an https URL" in refused.stderr
    uri = "https://intranet.example.com/handbook/auth/callback"
    refused = siteauth(tmp_path, "register", "--name", "x", "--redirect-uri", uri)
    assert refused.returncode == 64 and "a site cannot be below the path '/handbook'" in refused.stderr
    assert siteauth(tmp_path, "register", "--name", "").returncode == 64
