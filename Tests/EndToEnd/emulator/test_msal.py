"""MSAL for Python gets tokens from the emulator, without a browser and without changes to it."""

import binascii
import time

import msal
import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes

from emulator import ALICE, APPLICATION, CERTIFIED_APPLICATION, IDENTITY, PRINCIPAL, TENANT
from msal_client import claims, confidential, sign_in

pytestmark = [
    pytest.mark.usefixtures("trust"),
    pytest.mark.filterwarnings("ignore:response_mode='form_post' is recommended"),
]

GRAPH = ["https://graph.microsoft.com/.default"]


@pytest.mark.parametrize("tenant", [TENANT, "example.com", "larkspur.onmicrosoft.com"])
def test_msal_signs_in_with_a_secret(emulator, tenant):
    result = sign_in(confidential(emulator.authority(tenant)))
    assert "error" not in result, result
    token = result["id_token_claims"]
    assert token["iss"] == f"{emulator.url}/{TENANT}/v2.0"
    assert token["aud"] == APPLICATION
    assert token["tid"] == TENANT
    assert token["oid"] == ALICE
    assert token["name"] == "Alice Adams"
    assert token["preferred_username"] == "alice@example.com"
    assert token["exp"] - token["iat"] == 3900
    assert "User.Read" in result["scope"].split()
    assert result["refresh_token"]


def test_msal_asks_the_emulator_which_authorities_there_are(emulator):
    # The emulator stands in for the host that MSAL asks about any other host.
    application = confidential(emulator.authority(), instance_discovery=f"{emulator.url}/common/discovery/instance")
    assert application.authority.tenant == TENANT
    assert sign_in(application)["id_token_claims"]["oid"] == ALICE


def test_msal_answers_from_its_cache_and_then_by_refresh_token(emulator):
    application = confidential(emulator.authority())
    first = sign_in(application)
    (account,) = application.get_accounts()
    cached = application.acquire_token_silent(["User.Read"], account)
    assert cached["token_source"] == "cache"
    assert cached["access_token"] == first["access_token"]

    renewed = application.acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
    assert "error" not in renewed, renewed
    assert renewed["token_source"] == "identity_provider"
    assert renewed["access_token"] != first["access_token"]
    assert renewed["id_token_claims"]["sub"] == first["id_token_claims"]["sub"]

    # At Entra a refresh token is not used up.
    again = application.acquire_token_by_refresh_token(first["refresh_token"], ["User.Read"])
    assert "error" not in again, again


def certificate_credential(folder, form):
    key, certificate = (folder / f"client.{kind}" for kind in ("key", "crt"))
    parsed = x509.load_pem_x509_certificate(certificate.read_bytes())
    thumbprint = binascii.hexlify(parsed.fingerprint(hashes.SHA1())).decode()
    return {"private_key": key.read_text()} | {
        # RS256 with x5t; PS256 with x5t#S256 and x5c; RS256 with x5t and x5c.
        "thumbprint": {"thumbprint": thumbprint},
        "certificate": {"public_certificate": certificate.read_text()},
        "both": {"thumbprint": thumbprint, "public_certificate": certificate.read_text()},
    }[form]


@pytest.mark.parametrize("form", ["thumbprint", "certificate", "both"])
def test_msal_proves_itself_with_a_certificate(emulator, form):
    credential = certificate_credential(emulator.folder, form)
    application = confidential(emulator.authority(), CERTIFIED_APPLICATION, credential)
    result = sign_in(application)
    assert "error" not in result, result
    assert result["id_token_claims"]["aud"] == CERTIFIED_APPLICATION
    (account,) = application.get_accounts()
    renewed = application.acquire_token_silent_with_error(["User.Read"], account, force_refresh=True)
    assert "error" not in renewed, renewed


def test_msal_is_told_why_a_credential_is_refused(emulator):
    wrong_secret = sign_in(confidential(emulator.authority(), credential="another"))
    assert wrong_secret["error"] == "invalid_client"
    assert wrong_secret["error_codes"] == [7000215]

    # The certificate of the TLS front is no certificate of the application.
    foreign = {
        "private_key": (emulator.front.folder / "localhost.key").read_text(),
        "public_certificate": (emulator.front.folder / "localhost.crt").read_text(),
    }
    result = sign_in(confidential(emulator.authority(), CERTIFIED_APPLICATION, foreign))
    assert result["error"] == "invalid_client"
    assert result["error_codes"] == [700027]


@pytest.mark.parametrize("kind", ["secret", "certificate"])
def test_msal_gets_a_token_for_the_application_itself(emulator, kind):
    if kind == "secret":
        application = confidential(emulator.authority())
    else:
        credential = certificate_credential(emulator.folder, "certificate")
        application = confidential(emulator.authority(), CERTIFIED_APPLICATION, credential)
    result = application.acquire_token_for_client(GRAPH)
    assert "error" not in result, result
    assert result["token_source"] == "identity_provider"
    assert "id_token" not in result and "refresh_token" not in result
    assert application.acquire_token_for_client(GRAPH)["token_source"] == "cache"


def test_graph_knows_whom_an_access_token_of_msals_is_for(emulator):
    result = sign_in(confidential(emulator.authority()))
    authorization = {"Authorization": f"Bearer {result['access_token']}"}
    me = requests.get(f"{emulator.url}/v1.0/me", headers=authorization).json()
    assert (me["id"], me["displayName"]) == (ALICE, "Alice Adams")
    userinfo = requests.get(f"{emulator.url}/oidc/userinfo", headers=authorization).json()
    assert userinfo["sub"] and userinfo["name"] == "Alice Adams"


def identity_client(identity):
    return msal.ManagedIdentityClient(identity, http_client=requests.Session())


@pytest.fixture(params=["virtual machine", "app service"])
def azure(emulator, monkeypatch, request):
    """What a program finds in its environment at Azure."""
    if request.param == "app service":
        monkeypatch.setenv("IDENTITY_ENDPOINT", f"{emulator.admin}/msi/token")
        monkeypatch.setenv("IDENTITY_HEADER", "00000000-0000-4000-8000-0000000000ff")
    else:
        monkeypatch.setenv("AZURE_POD_IDENTITY_AUTHORITY_HOST", emulator.admin)
    return request.param


@pytest.mark.parametrize("name", ["client_id", "object_id"])
def test_msal_gets_a_token_of_a_managed_identity(emulator, azure, name):
    identifier = {"client_id": IDENTITY, "object_id": PRINCIPAL}[name]
    client = identity_client(msal.UserAssignedManagedIdentity(**{name: identifier}))
    result = client.acquire_token_for_client(resource="api://AzureADTokenExchange")
    assert "error" not in result, result
    assert result["token_source"] == "identity_provider"
    assert 3600 <= result["expires_in"] <= 24 * 3600
    token = claims(result["access_token"])
    assert token["sub"] == token["oid"] == PRINCIPAL
    assert token["iss"] == f"{emulator.url}/{TENANT}/v2.0"
    assert token["exp"] == pytest.approx(time.time() + result["expires_in"], abs=5)
    again = client.acquire_token_for_client(resource="api://AzureADTokenExchange")
    assert again["token_source"] == "cache"
