"""entra-emulator as a program of its own: what it says on the wire and in a browser."""

import subprocess
import time

import pytest
import requests
from playwright.sync_api import expect

from demo_site import BIN, order, wait_for
from emulator import APPLICATION
from kinds_of_pages import authorize

PROGRAM = BIN / "entra-emulator"


@pytest.fixture
def faulty(demo):
    """The demo, put back afterwards to what it was."""
    yield demo
    order(demo, "reset")


@pytest.fixture
def alone(emulator):
    """The emulator without a site, which would meet a fault that is for once."""
    yield emulator
    order(emulator, "reset")


def keys_url(emulator):
    return f"http://localhost:{emulator.port}/common/discovery/v2.0/keys"


def keys(emulator):
    return requests.get(keys_url(emulator), timeout=60)


def test_answers_go_wrong_on_the_wire(alone):
    order(alone, "faults", name="truncated", endpoint="keys")
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        keys(alone)
    order(alone, "faults", name="throttled", endpoint="keys", seconds=7)
    answer = keys(alone)
    assert answer.status_code == 429 and answer.headers["Retry-After"] == "7"
    order(alone, "faults", name="huge", endpoint="keys")
    assert len(keys(alone).content) > 10 << 20
    order(alone, "faults", name="slow", endpoint="keys", seconds=2)
    start = time.monotonic()
    assert len(keys(alone).json()["keys"]) >= 3
    assert time.monotonic() - start >= 2
    # Once was enough.
    assert requests.get(f"{alone.admin}/state", timeout=60).json()["faults"] == []


def test_a_slow_answer_keeps_nobody_else_waiting(alone):
    order(alone, "faults", name="slow", endpoint="keys", seconds=30)
    slow = subprocess.Popen(["curl", "-s", "-o", "/dev/null", keys_url(alone)])
    try:
        # Once it is switched off, curl is the one that has met it.
        wait_for(lambda: requests.get(f"{alone.admin}/state", timeout=60).json()["faults"] == [])
        start = time.monotonic()
        assert keys(alone).status_code == 200
        assert time.monotonic() - start < 10
        assert slow.poll() is None
    finally:
        slow.kill()
        slow.wait()


def test_somebody_switches_a_fault_and_the_site_notices(faulty, page):
    page.goto(faulty.admin)
    row = page.get_by_role("row").filter(has=page.get_by_text("nonce-wrong", exact=True))
    row.get_by_role("button", name="Once").click()
    expect(row).to_contain_text("once")
    page.goto(faulty.url + "/company/travel/")
    page.get_by_role("button", name="Alice Adams").click()
    expect(page.get_by_role("heading", name="Please sign in again")).to_be_visible()
    page.context.clear_cookies()
    page.goto(faulty.url + "/company/travel/")
    page.get_by_role("button", name="Alice Adams").click()
    expect(page).to_have_url(faulty.url + "/company/travel/")


def test_the_page_of_faults_shows_what_is_on_finds_faults_and_stays_where_it_is(faulty, page):
    page.goto(faulty.admin)
    status, words = page.get_by_role("status"), page.get_by_label("Show faults with these words")
    expect(status).to_have_text("No fault is switched on.")
    words.fill("signature")
    row = page.get_by_role("row").filter(has=page.get_by_text("signature-broken", exact=True))
    expect(row).to_be_visible()
    expect(page.get_by_text("nonce-wrong", exact=True)).to_be_hidden()
    button = row.get_by_role("button", name="On", exact=True)
    top = row.bounding_box()["y"]
    button.click()
    expect(status).to_contain_text("signature-broken until switched off")
    expect(button).to_be_focused()
    expect(words).to_have_value("signature")
    assert abs(row.bounding_box()["y"] - top) < 2
    status.get_by_role("button", name="Switch off").click()
    expect(status).to_have_text("No fault is switched on.")


def test_the_frames_tell_other_sites_before_it_goes_on(emulator, chromium):
    """An application's logout URL is asked in a frame, with the session and nothing else."""
    context = chromium.new_context(ignore_https_errors=True)
    page = context.new_page()
    asked = []

    def answer(route):
        asked.append((route.request.url, route.request.headers.get("cookie")))
        route.fulfill(status=200, body="")

    page.route("https://logout.localhost:1/**", answer)
    page.route("http://localhost:3000/**", lambda route: route.fulfill(status=200, body="back"))
    back = "http://localhost:3000/"
    page.goto(authorize(emulator.authority(), APPLICATION, back, state="s"))
    page.get_by_role("button", name="Alice Adams").click()
    page.wait_for_url(f"{back}?code=*")
    # No timer ends any more: it goes on because all were told, and not because it waited long enough.
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.goto(f"{emulator.authority()}/oauth2/v2.0/logout?post_logout_redirect_uri={back}")
    page.get_by_role("button", name="Alice Adams").click()
    page.wait_for_url(back)
    assert len(asked) == 1
    url, cookie = asked[0]
    assert url.startswith("https://logout.localhost:1/out?kept=1&sid=") and cookie is None
    assert "iss=" not in url
    context.close()


@pytest.mark.parametrize(
    "arguments",
    [["--base-url", "http://0.0.0.0:8081"], ["--base-url", "https://login.example.com"],
     ["--host", "0.0.0.0"], ["--host", "::"], ["--host", "192.168.1.2"], ["--host", "example.com"]],
)
def test_it_refuses_the_network(arguments, tmp_path):
    result = subprocess.run([PROGRAM, "serve", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode != 0 and "this machine" in result.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [(["--port", "18082", "--admin-port", "18082"], "'--port' and '--admin-port' are both 18082"),
     (["--base-url", "localhost:80"], "'--base-url' is 'localhost:80'; it must be a URL such as 'http://localhost:80'"),
     (["--tenants", "nope.toml"], "'nope.toml': no such file or directory; 'entra-emulator init' prints one")],
)
def test_a_mistake_in_the_command_line_has_its_remedy(arguments, message, tmp_path):
    result = subprocess.run([PROGRAM, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and result.stderr == f"entra-emulator: error: {message}\n"


def test_a_port_that_is_taken_is_named(demo):
    result = subprocess.run(
        [PROGRAM, "--port", str(demo.entra_port), "--admin-port", "0"],
        capture_output=True, text=True, timeout=60,
    )
    assert result.returncode == 1
    assert f"port {demo.entra_port} is in use; choose another one with '--port' or '--admin-port'" in result.stderr
