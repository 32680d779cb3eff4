"""An application that believes a signature and no field, with libraries that others wrote."""

import time
from contextlib import closing

import jwt
import pytest
import requests
from flask import jsonify, request
from joserfc import jwt as joserfc_jwt
from joserfc.jwk import KeySet

from demo_site import ALICE, BOB, TENANT, finish
from flask_site import FlaskSite
from own_service import OwnService


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
    with closing(FlaskSite(believing_only_the_token)) as application, closing(OwnService(demo)) as own:
        proxied = f"include snippets/siteauth/application.conf; proxy_pass http://127.0.0.1:{application.port};"
        # Otherwise it says that it is the demo's site.
        own.takes_sign_ins()
        own.serve(
            f"location /company/ {{ set $auth_audience /company/; {proxied} }}"
            f" location /company/other/ {{ set $auth_audience /company/other/; {proxied} }}"
            f" location /company/without/ {{ {proxied} }}"
            f" location /press/ {{ set $auth_audience /company/; {proxied} }}"
        )
        application.origin = own.url
        own.application = application
        yield own


@pytest.fixture(scope="module")
def alice(site):
    # The demo's registration knows the demo's address alone; ports of localhost count for nothing at Entra.
    return finish(site)


@pytest.fixture(scope="module")
def token(site, alice):
    return alice.get(site.url + "/company/").json()["token"]


def test_the_application_knows_the_reader_by_the_token_alone(site, alice):
    claims = alice.get(site.url + "/company/wiki").json()["claims"]
    assert claims["sub"] == f"{ALICE}@{TENANT}" and claims["name"] == "Alice Adams" and claims["groups"] == ["hr"]
    assert claims["iss"] == site.url and claims["aud"] == site.url + "/company/"
    assert 0 < claims["exp"] - time.time() <= 120
    claims = finish(site, account=BOB).get(site.url + "/company/wiki").json()["claims"]
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
        answer = finish(site, account=BOB).get(site.url + "/company/", headers={name: token}).json()
        assert answer["claims"]["sub"].startswith(BOB)


def test_a_token_for_one_application_is_none_for_another(site, alice):
    assert alice.get(site.url + "/company/other/").json() == {"error": "InvalidAudienceError"}
    # Where nobody asked, nothing is signed.
    assert alice.get(site.url + "/company/without/").json() == {"error": "DecodeError"}
