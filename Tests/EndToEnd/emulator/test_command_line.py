"""Programs of the desktop and the command line sign in at the emulator by Microsoft's libraries."""

import queue
import re
import webbrowser
from concurrent.futures import ThreadPoolExecutor

import msal
import pytest
from azure.identity import (
    AuthorizationCodeCredential,
    ClientSecretCredential,
    DeviceCodeCredential,
    InteractiveBrowserCredential,
)
from playwright.sync_api import expect

from demo_site import free_port
from emulator import ALICE, APPLICATION, COMMAND_LINE, SECRET, TASKS_API, TENANT
from msal_client import REDIRECT_URI, authorization_response, claims, confidential

pytestmark = [
    pytest.mark.usefixtures("trust"),
    pytest.mark.filterwarnings("ignore:response_mode='form_post' is recommended"),
]

TASKS = f"api://{TASKS_API}"
CONTEXT = {"ignore_https_errors": True}


@pytest.fixture
def in_browser(page, monkeypatch):
    """Returns a function that runs a program which opens a browser, and signs Alice in there."""
    opened = queue.Queue()
    monkeypatch.setattr(webbrowser, "open", lambda url, *_, **__: opened.put(url) or True)
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))

    def run(program):
        with ThreadPoolExecutor() as pool:
            result = pool.submit(program)
            page.goto(opened.get(timeout=60))
            page.get_by_role("button", name="Alice Adams").click()
            expect(page.get_by_text("Authentication complete")).to_be_visible()
            return result.result(timeout=60)

    return run


def type_code(page, address, code, answer="Continue"):
    page.goto(address)
    page.get_by_label("Code").fill(code.lower())
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Alice Adams").click()
    expect(page.get_by_role("heading", name="Confirm sign-in")).to_be_visible()
    page.get_by_role("button", name=answer).click()
    expect(page.get_by_text("You may close this window")).to_be_visible()


def public(emulator, tenant=TENANT):
    return msal.PublicClientApplication(COMMAND_LINE, authority=emulator.authority(tenant), instance_discovery=False)


def azure(emulator, **options):
    return {"authority": emulator.url, "tenant_id": TENANT, "disable_instance_discovery": True} | options


def test_msal_signs_in_with_the_browser_of_the_machine(emulator, in_browser):
    program = public(emulator)
    result = in_browser(lambda: program.acquire_token_interactive([f"{TASKS}/Tasks.Read"], timeout=60))
    assert "error" not in result, result
    token = claims(result["access_token"])
    assert (token["aud"], token["azp"], token["azpacr"]) == (TASKS_API, COMMAND_LINE, "0")
    assert (token["scp"], token["roles"]) == ("Tasks.Read", ["Manager"])
    (account,) = program.get_accounts()
    again = program.acquire_token_silent([f"{TASKS}/Tasks.Read"], account)
    assert again["token_source"] == "cache"
    # Consent for another API came along, and its token is fetched without a question.
    graph = program.acquire_token_silent(["User.Read"], account)
    assert "." not in graph["access_token"]


@pytest.mark.parametrize("tenant", [TENANT, "organizations"])
def test_msal_signs_in_by_a_code_that_somebody_types(emulator, page, tenant):
    program = public(emulator, tenant)
    flow = program.initiate_device_flow(["User.Read"])
    assert "error" not in flow, flow
    assert flow["user_code"] in flow["message"] and flow["verification_uri"] in flow["message"]
    type_code(page, flow["verification_uri"], flow["user_code"])
    result = program.acquire_token_by_device_flow(flow)
    assert "error" not in result, result
    assert result["id_token_claims"]["oid"] == ALICE
    (account,) = program.get_accounts()
    renewed = program.acquire_token_silent(["User.Read"], account, force_refresh=True)
    assert renewed["token_source"] == "identity_provider"


@pytest.mark.parametrize("scope", ["https://graph.microsoft.com/.default", f"{TASKS}/.default"])
def test_azure_identity_signs_in_with_the_browser_of_the_machine(emulator, in_browser, scope):
    credential = InteractiveBrowserCredential(
        **azure(emulator, client_id=COMMAND_LINE, redirect_uri=f"http://localhost:{free_port()}"),
        timeout=60,
    )
    token = in_browser(lambda: credential.get_token(scope)).token
    if scope.startswith(TASKS):
        assert claims(token)["scp"] == "Tasks.Read Tasks.Write"
    else:
        assert "." not in token


def test_azure_identity_signs_in_by_a_code_that_somebody_types(emulator, page):
    credential = DeviceCodeCredential(
        **azure(emulator, client_id=COMMAND_LINE),
        prompt_callback=lambda address, code, expires: type_code(page, address, code),
    )
    token = claims(credential.get_token(f"{TASKS}/Tasks.Write").token)
    assert (token["scp"], token["oid"]) == ("Tasks.Write", ALICE)


def test_azure_identity_gets_tokens_with_a_secret_and_with_a_code(emulator):
    options = azure(emulator, client_id=APPLICATION, client_secret=SECRET)
    token = claims(ClientSecretCredential(**options).get_token(f"{TASKS}/.default").token)
    assert token["roles"] == ["Tasks.Read.All"] and "scp" not in token
    assert token["sub"] == token["oid"]

    flow = confidential(emulator.authority()).initiate_auth_code_flow(
        [f"{TASKS}/Tasks.Read"], redirect_uri=REDIRECT_URI
    )
    # What it sends has no proof key, so neither has the request.
    address = re.sub(r"&code_challenge(_method)?=[^&]*", "", flow["auth_uri"])
    code = authorization_response({"auth_uri": address})["code"]
    credential = AuthorizationCodeCredential(authorization_code=code, redirect_uri=REDIRECT_URI, **options)
    assert claims(credential.get_token(f"{TASKS}/Tasks.Read").token)["scp"] == "Tasks.Read"
