"""A program that signs people in with MSAL for Python, without a browser."""

import json
from urllib.parse import parse_qsl, urlsplit

import msal
import requests
from msal.oauth2cli.oidc import decode_part

from emulator import ALICE, APPLICATION, SECRET

REDIRECT_URI = "http://localhost:3000/getAToken"


def confidential(authority, client_id=APPLICATION, credential=SECRET, **options):
    """Stands, as `identity` does, for what the configuration names: nobody asks Microsoft."""
    options.setdefault("instance_discovery", False)
    return msal.ConfidentialClientApplication(client_id, client_credential=credential, authority=authority, **options)


def authorization_response(flow, account=ALICE):
    """What comes back at the redirect URI once somebody has picked an account."""
    picked = requests.post(flow["auth_uri"], data={"account": account}, allow_redirects=False)
    assert picked.is_redirect, picked.text
    return dict(parse_qsl(urlsplit(picked.headers["Location"]).query))


def sign_in(application, account=ALICE, scopes=("User.Read",)):
    flow = application.initiate_auth_code_flow(list(scopes), redirect_uri=REDIRECT_URI)
    response = authorization_response(flow, account)
    return application.acquire_token_by_auth_code_flow(flow, response)


def claims(token):
    return json.loads(decode_part(token.split(".")[1]))
