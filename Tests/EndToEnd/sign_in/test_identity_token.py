"""An application that believes a signature and no field, with libraries that others wrote."""

import base64
import json
import secrets
import time

import jwt
import pytest
import requests
from flask import jsonify, request
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet

from demo_site import ALICE, BOB, TENANT
from flask_site import FlaskSite
from own_service import OwnService

NAVIGATE = {"Sec-Fetch-Mode": "navigate"}


def believing_only_the_token(site):
    """What a manual would tell an application's author to write."""
    keys = {}

    @site.app.route("/", defaults={"path": ""})
    @site.app.route("/<path:path>")
    def index(path):
        token = request.headers.get("X-Auth-Token", "")
        if "keys" not in keys:
            keys["keys"] = jwt.PyJWKClient(f"{site.origin}/auth/keys")
        try:
            claims = jwt.decode(
                token,
                keys["keys"].get_signing_key_from_jwt(token),
                algorithms=["EdDSA"],
                issuer=site.origin,
                audience=f"{site.origin}/company/",
                options={"require": ["exp", "iat", "sub"]},
            )
        except jwt.PyJWTError as error:
            return jsonify(error=type(error).__name__), 401
        return jsonify(claims=claims, token=token)


@pytest.fixture(scope="module")
def site(demo):
    application = FlaskSite(believing_only_the_token)
    own = OwnService(demo)
    proxied = f"include snippets/siteauth/application.conf; proxy_pass http://127.0.0.1:{application.port};"
    try:
        # Otherwise it says that it is the demo's site.
        own.secrets.write_text(own.secrets.read_text().replace(demo.url, own.url))
        own.siteauth()
        own.nginx(
            f"location /company/ {{ set $auth_audience /company/; {proxied} }}"
            f" location /company/other/ {{ set $auth_audience /company/other/; {proxied} }}"
            f" location /company/without/ {{ {proxied} }}"
            f" location /press/ {{ set $auth_audience /company/; {proxied} }}"
        )
        application.origin = own.url
        own.application = application
        yield own
    finally:
        own.close()
        application.close()


def sign_in(site, account):
    session = requests.Session()
    begun = session.get(site.url + "/company/", headers=NAVIGATE, allow_redirects=False)
    # The demo's registration knows the demo's address alone; ports of localhost count for nothing at Entra.
    picked = session.post(begun.headers["Location"], data={"account": account}, allow_redirects=False)
    finished = session.get(picked.headers["Location"], headers=NAVIGATE, allow_redirects=False)
    assert finished.status_code == 303, finished.text
    return session


@pytest.fixture(scope="module")
def alice(site):
    return sign_in(site, ALICE)


@pytest.fixture(scope="module")
def token(site, alice):
    return alice.get(site.url + "/company/").json()["token"]


def test_the_application_knows_the_reader_by_the_token_alone(site, alice):
    claims = alice.get(site.url + "/company/wiki").json()["claims"]
    assert claims["sub"] == f"{ALICE}@{TENANT}" and claims["name"] == "Alice Adams" and claims["groups"] == ["hr"]
    assert claims["iss"] == site.url and claims["aud"] == site.url + "/company/"
    assert 0 < claims["exp"] - time.time() <= 120
    claims = sign_in(site, BOB).get(site.url + "/company/wiki").json()["claims"]
    assert claims["sub"].startswith(BOB) and claims["groups"] == []


def test_joserfc_verifies_it_too(site, token):
    keys = KeySet.import_key_set(requests.get(f"{site.url}/auth/keys").json())
    decoded = joserfc_jwt.decode(token, keys, algorithms=["EdDSA"])
    registry = joserfc_jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": site.url}, aud={"essential": True, "value": site.url + "/company/"})
    registry.validate(decoded.claims)
    assert decoded.claims["sub"].startswith(ALICE)


def test_no_client_brings_a_token_of_its_own(site, alice, token):
    """Neither a genuine one nor one in another spelling, nor beside nginx's."""
    public = {"X-Auth-Token": token}
    assert requests.get(site.url + "/press/", headers=public).status_code == 401
    for name in ["X-Auth-Token", "x_auth_token", "X-Auth_Token"]:
        answer = sign_in(site, BOB).get(site.url + "/company/", headers={name: token}).json()
        assert answer["claims"]["sub"].startswith(BOB)


def test_a_token_for_one_application_is_none_for_another(site, alice):
    assert alice.get(site.url + "/company/other/").json() == {"error": "InvalidAudienceError"}
    # Where nobody asked, nothing is signed.
    assert alice.get(site.url + "/company/without/").json() == {"error": "DecodeError"}


def direct(site, token):
    """Asks the application behind nginx's back, as another program of the machine can."""
    return requests.get(site.application.url, headers={"X-Auth-Token": token}).json()


def test_a_token_that_was_changed_is_none(site, token):
    assert "claims" in direct(site, token)
    head, body, signature = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))

    def encode(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    forged = [
        f"{head}.{encode(claims | {'groups': ['board']})}.{signature}",
        f"{head}.{body}.{'A' * len(signature)}",
        f"{head}.{body}.",
        f"{encode({'alg': 'none'})}.{body}.",
        f"{encode({'alg': 'HS256', 'typ': 'JWT'})}.{body}.{signature}",
    ]
    for value in forged:
        assert "error" in direct(site, value)


def test_the_keys_are_public_and_nothing_else_is(site):
    answer = requests.get(f"{site.url}/auth/keys")
    assert answer.headers["Content-Type"].startswith("application/json")
    for key in answer.json()["keys"]:
        assert set(key) == {"kty", "crv", "x", "use", "alg", "kid"}
    assert requests.post(f"{site.url}/auth/keys", data="x").status_code == 404


def test_a_token_outlives_a_change_of_the_secret(site, token):
    """All machines of a site have the same keys, made from the secrets; the old one's stays published."""
    text = site.secrets.read_text()
    old = next(line for line in text.splitlines() if line.startswith("cookie_secret"))
    value = old.split("=", 1)[1].strip()
    before = requests.get(f"{site.url}/auth/keys").json()["keys"]
    new = secrets.token_urlsafe(32)
    site.secrets.write_text(text.replace(old, f'cookie_secret = ["{new}", {value}]'))
    try:
        deadline = time.monotonic() + 30
        while len(keys := requests.get(f"{site.url}/auth/keys").json()["keys"]) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert keys[1:] == before and "claims" in direct(site, token)
    finally:
        site.secrets.write_text(text)
