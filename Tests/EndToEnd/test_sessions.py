"""How sessions go on and end, in a real browser and with more than one siteauth."""

import collections
import http.client
import itertools
import os
import re
import shutil
import subprocess
import threading
import time
import uuid

import pytest
import requests
from playwright.sync_api import expect

from demo_site import ALICE, BOB, TENANT, free_port, wait_for
from own_service import BIN, OwnService
from secure_site import NAVIGATE, OTHER, PICTURE, SecureSite


@pytest.fixture
def context_options():
    return {"ignore_https_errors": True}


@pytest.fixture
def secure(demo):
    sites = []

    def start(settings="", states=("state",)):
        sites.append(SecureSite(demo.folder / "public", settings, states))
        return sites[-1].start()

    yield start
    for site in sites:
        site.close()


def sign_in(page, url, name="Alice Adams"):
    page.goto(url)
    page.get_by_role("button", name=name).click()


def cookie(context):
    return next(c["value"] for c in context.cookies() if c["name"] == "__Host-session")


def shown(page):
    """The way a page came about: the addresses that a navigation went through."""
    addresses = []
    page.on("request", lambda request: request.is_navigation_request() and addresses.append(request.url))
    return addresses


def test_after_a_while_a_navigation_goes_through_entra_and_nobody_notices(secure, page):
    site = secure("revalidate_after_seconds = 2\nrevalidate_grace_seconds = 600")
    sign_in(page, site.url + "/company/hr/?a=1#part")
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    time.sleep(2.1)
    # What the page fetches is not sent away.
    fetched = page.evaluate("fetch('/company/hr/').then(answer => answer.status + answer.url)")
    assert fetched == "200" + site.url + "/company/hr/"
    way = shown(page)
    page.goto(site.url + "/company/hr/?b=2#part")
    expect(page).to_have_url(site.url + "/company/hr/?b=2#part")
    assert any("prompt=none" in url for url in way)
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")


def test_a_disabled_account_is_out_at_the_next_navigation(secure, page):
    site = secure("revalidate_after_seconds = 2\nrevalidate_grace_seconds = 600")
    sign_in(page, site.url + "/company/hr/")
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    copy = cookie(page.context)
    site.order(f"users/{ALICE}", change="disable")
    time.sleep(2.1)
    assert site.statuses(copy, "/company/hr/", fields=PICTURE) == {200}
    page.goto(site.url + "/company/hr/")
    expect(page.locator("body")).to_contain_text("AADSTS50057")
    assert not [c for c in page.context.cookies() if c["name"] == "__Host-session"]
    assert site.statuses(copy, "/company/hr/", fields=PICTURE) == {401}


def test_without_entra_readers_go_on_for_the_grace(secure, page):
    site = secure("revalidate_after_seconds = 2\nrevalidate_grace_seconds = 600")
    sign_in(page, site.url + "/company/")
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    site.stop("entra")
    # For so long its last answer shows that it answers.
    time.sleep(11)
    assert page.goto(site.url + "/company/").status == 200
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")


def test_signing_out_elsewhere_ends_the_session_here(secure, page):
    """By the hidden frame of the emulator's sign-out page."""
    site = secure()
    sign_in(page, site.url + "/company/hr/")
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    copy = cookie(page.context)
    assert site.statuses(copy, "/company/hr/") == {200}
    time.sleep(1)
    with page.expect_response(lambda answer: "front-channel-sign-out" in answer.url) as told:
        page.goto(f"{site.entra}/{TENANT}/oauth2/v2.0/logout")
        page.get_by_role("button", name="Alice Adams").click()
    assert told.value.status == 200
    assert "cookie" not in told.value.request.all_headers()
    assert "x-frame-options" not in told.value.headers
    wait_for(lambda: site.statuses(copy, "/company/hr/") == {303})
    page.goto(site.url + "/company/hr/")
    expect(page.get_by_role("heading", name="Pick an account")).to_be_visible()
    assert "by front channel" in site.log("siteauth-0")
    # Signing in again works, and the old cookie stays dead.
    time.sleep(1)
    page.get_by_role("button", name="Alice Adams").click()
    expect(page).to_have_url(site.url + "/company/hr/")
    assert site.statuses(copy, "/company/hr/") == {303}


def test_nothing_but_microsoft_may_frame_it_and_nothing_else_may_be_framed(secure):
    site = secure()
    front = requests.get(site.url + "/auth/front-channel-sign-out?sid=x", verify=site.authority)
    policy = front.headers["Content-Security-Policy"]
    assert f"frame-ancestors {site.entra} https://login.microsoftonline" in policy
    assert front.status_code == 200 and front.content == b"" and "Set-Cookie" not in front.headers
    other = requests.get(site.url + "/auth/signed-out", verify=site.authority)
    assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]


def finish(site, session=None, account=ALICE):
    session = session or requests.Session()
    session.trust_env = False
    session.verify = site.authority
    begun = session.get(site.url + "/", headers=NAVIGATE, allow_redirects=False)
    picked = session.post(begun.headers["Location"], data={"account": account}, allow_redirects=False)
    session.get(picked.headers["Location"], headers=NAVIGATE, allow_redirects=False)
    return session


def sign_out(site, session):
    answer = session.post(site.url + "/auth/sign-out", headers={"Origin": site.url}, allow_redirects=False)
    assert answer.status_code == 303


def test_two_processes_share_a_folder(secure):
    site = secure(states=("state", "state"))
    alice = finish(site)
    copy = alice.cookies["__Host-session"]
    assert site.statuses(copy) == {200}
    sign_out(site, alice)
    assert site.statuses(copy) == {303}


@pytest.fixture
def own(demo):
    """A siteauth and an nginx to which Entra sends readers back."""
    service = OwnService(demo)
    service.secrets.write_text(service.secrets.read_text().replace(demo.url, service.url))
    yield service
    service.close()


def tell(site, sid, source="127.0.0.1"):
    """What Entra's sign-out page does in its hidden frame, and anybody else can do as well."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, source_address=(source, 0), timeout=60)
    connection.request("GET", f"/auth/front-channel-sign-out?sid={sid}")
    answer = connection.getresponse()
    assert answer.read() == b"" or answer.status == 429
    connection.close()
    return answer.status


def sign_in_showing_sid(site, session=None):
    """A session, and the `sid` that stands in the address of its callback."""
    session = session or requests.Session()
    begun = session.get(site.url + "/", headers=NAVIGATE, allow_redirects=False)
    picked = session.post(begun.headers["Location"], data={"account": ALICE}, allow_redirects=False)
    callback = picked.headers["Location"]
    session.get(callback, headers=NAVIGATE, allow_redirects=False)
    return session, re.search(r"session_state=([0-9a-f-]+)", callback)[1]


def status_of(site, session, path="/company/hr/"):
    return session.get(site.url + path, headers=NAVIGATE, allow_redirects=False).status_code


def files(site):
    return [path for path in (site.folder / "state").rglob("*") if path.is_file()]


def test_invented_sign_outs_leave_nothing_behind_and_real_ones_go_through(own):
    own.siteauth()
    own.nginx()
    (alice, sid), (other, _) = sign_in_showing_sid(own), sign_in_showing_sid(own)
    # 'cleaned' among them: how many there are.
    wait_for(lambda: len(files(own)) == 4)
    before = files(own)
    done = threading.Event()
    told = collections.Counter()

    def invent(number):
        sources = itertools.cycle(f"127.0.{number}.{last}" for last in range(1, 250))
        while not done.is_set():
            told[tell(own, uuid.uuid4(), next(sources))] += 1

    inventors = [threading.Thread(target=invent, args=(number,)) for number in range(2, 6)]
    for inventor in inventors:
        inventor.start()
    wait_for(lambda: told[200] > 1000)
    assert set(before) == set(files(own))
    assert status_of(own, alice) == status_of(own, other) == 200
    assert tell(own, sid) == 200
    assert (status_of(own, alice), status_of(own, other)) == (303, 200)
    # Within the same second it would count for the one who comes now, too.
    time.sleep(1.1)
    again, same = sign_in_showing_sid(own, alice)
    assert status_of(own, again) == 200 and same == sid
    # The same once more, by somebody who has read the sid in an address.
    assert [tell(own, sid, f"127.0.1.{last}") for last in range(1, 20)] == [200] * 19
    assert status_of(own, again) == 200
    out = again.post(own.url + "/auth/sign-out", headers={"Origin": own.url}, allow_redirects=False)
    assert out.status_code == 303 and again.cookies.get("session") is None
    done.set()
    for inventor in inventors:
        inventor.join()
    # By sid, because another one came in this browser, by signing out.
    assert len(files(own)) == len(before) + 3
    metrics = requests.get(own.url + "/auth/metrics").text
    assert "siteauth_revocations 3\n" in metrics and "siteauth_provider_sessions 2\n" in metrics


def test_several_processes_and_restarts_know_the_same_sids(own):
    own.siteauth()
    own.nginx()
    alice, sid = sign_in_showing_sid(own)
    # The next one takes over the sockets, as a restart would.
    own.siteauth()
    assert status_of(own, alice) == 200
    assert tell(own, sid) == 200
    wait_for(lambda: status_of(own, alice) == 303)


def test_an_ipv6_network_is_one_stranger(own):
    own.siteauth()
    own.nginx(http="set_real_ip_from 127.0.0.1; real_ip_header X-Test-Address;")

    def statuses(*addresses):
        url = own.url + "/auth/front-channel-sign-out?sid=x"
        return collections.Counter(
            requests.get(url, headers={"X-Test-Address": address}).status_code for address in addresses
        )

    # Bytes that are a NUL or a line end among them.
    for network in ["2001:db8:0:1", "2001:db8:a0a:a0a", "0:0:0:0"]:
        told = statuses(*(f"{network}:{number:x}::{number:x}" for number in range(1, 60)))
        assert told[429] > 20 and told[200] >= 30, network
    assert statuses("2001:db8:0:2::1", "10.0.0.1", "10.0.0.2") == {200: 3}


def test_old_entries_go_and_are_counted_without_a_look_at_the_folder(own):
    ended, known = own.folder / "state/revoked", own.folder / "state/provider-sessions"
    for folder, names, age in [(ended, "ab", 32 * 86_400), (ended, "cde", 86_400), (known, "fg", 1), (known, "h", -600)]:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name).touch()
            os.utime(folder / name, (time.time() - age,) * 2)
    own.siteauth()
    own.nginx()

    def counts():
        text = requests.get(own.url + "/auth/metrics").text
        return re.findall(r"^siteauth_(?:revocations|provider_sessions) (\d+)$", text, re.MULTILINE)

    wait_for(lambda: counts() == ["3", "1"])
    assert {path.name for path in files(own)} >= set("cdeh") and not {path.name for path in files(own)} & set("abfg")
    # Whoever listed the folder would find these.
    for number in range(100):
        (ended / f"x{number}").touch()
    assert counts() == ["3", "1"]
    # The next process need not list it either: it was done within the hour.
    (own.folder / "state/cleaned").write_text("1234 56\n")
    own.siteauth()
    wait_for(lambda: counts() == ["1234", "56"])
    (own.folder / "state/cleaned").write_text("x")
    own.siteauth()
    wait_for(lambda: counts() == ["103", "1"])


@pytest.fixture
def redis(tmp_path):
    program = shutil.which("redis-server")
    if not program:
        pytest.skip("redis-server is not installed")
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", tmp_path, "--save", "", "--appendonly", "yes",
               "--requirepass", "very/secret"]

    class Server:
        url = f"redis://:very%2Fsecret@127.0.0.1:{port}/1"
        named = f"redis://siteauth:narrow@localhost:{port}"
        options = []
        process = None

        def start(self):
            self.process = subprocess.Popen([*command, *self.options], stdout=subprocess.DEVNULL)

        def restart(self, *options):
            self.options = options
            self.stop()
            self.start()

        def stop(self):
            self.process.terminate()
            self.process.wait(timeout=60)

    server = Server()
    server.start()
    yield server
    server.stop()


def test_two_machines_share_a_redis(secure, redis):
    site = secure(f'redis = "{redis.url}"', states=("one", "two"))
    wait_for(lambda: 200 in site.statuses(finish(site).cookies["__Host-session"]))
    alice, bob = finish(site), finish(site, account=BOB)
    copy, other = alice.cookies["__Host-session"], bob.cookies["__Host-session"]
    assert site.statuses(copy) == site.statuses(other) == {200}
    sign_out(site, alice)
    # What another machine was told a second ago still holds there.
    time.sleep(1.1)
    assert site.statuses(copy) == {303} and site.statuses(other) == {200}
    # A Redis that is lost lets nobody in, quickly, and is heard of in the log.
    redis.stop()
    time.sleep(1.1)
    start = time.monotonic()
    assert site.statuses(other) == {303}
    assert time.monotonic() - start < 3
    assert "nobody is let in" in site.log("siteauth-0") + site.log("siteauth-1")
    assert "secret" not in site.log("siteauth-0") + site.log("siteauth-1")
    redis.start()
    wait_for(lambda: site.statuses(other) == {200})
    assert site.statuses(copy) == {303}
    done = site.revoke("--all")
    assert done.returncode == 0, done.stderr
    time.sleep(1.1)
    assert site.statuses(other) == {303}


def check_config(own):
    command = [BIN / "siteauth", "check-config", "--config", own.secrets]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "allkeys-random"])
def test_a_redis_that_forgets_is_refused(own, redis, policy):
    """What it forgets first are ended sessions, and with them those that strangers end."""
    own.secrets.write_text(own.secrets.read_text() + f'redis = "{redis.url}"\n')
    wait_for(lambda: "not reached" not in check_config(own).stderr)
    assert check_config(own).returncode == 0
    redis.restart("--maxmemory-policy", policy)
    wait_for(lambda: "not reached" not in check_config(own).stderr)
    problem = f"siteauth: error: Redis would forget ended sessions when its memory is full, so nobody is let in: " \
        f"its 'maxmemory-policy' is '{policy}'; it must be 'noeviction'\n"
    done = check_config(own)
    assert (done.returncode, done.stderr) == (1, problem)
    command = [BIN / "siteauth", "--config", own.secrets, "--site", own.demo.folder / "public", "--state", own.folder / "state",
               "--check-socket", own.folder / "check.sock", "--pages-socket", own.folder / "pages.sock"]
    started = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (started.returncode, started.stderr) == (1, problem)


def test_a_redis_that_is_found_to_forget_later_lets_nobody_in(own, redis):
    own.secrets.write_text(own.secrets.read_text() + f'redis = "{redis.url}"\n')
    redis.stop()
    process = own.siteauth()
    own.nginx()
    redis.options = ["--maxmemory-policy", "allkeys-lru"]
    redis.start()
    wait_for(lambda: "nobody is let in: its 'maxmemory-policy' is 'allkeys-lru'" in (
        status_of(own, sign_in_showing_sid(own)[0]), process.log.read_text())[1])
    assert status_of(own, sign_in_showing_sid(own)[0]) == 303


def test_a_redis_that_tells_little_is_believed_and_warned_of(own, redis):
    """With rules of access that allow what is needed, and with a name that is looked up."""
    rules = "siteauth on >narrow ~* resetchannels -@all +ping +mget +set +exists +select"
    redis.restart("--user", *rules.split())
    own.secrets.write_text(own.secrets.read_text() + f'redis = "{redis.named}"\n')
    wait_for(lambda: "not reached" not in check_config(own).stderr)
    done = check_config(own)
    assert done.returncode == 0
    assert done.stderr.endswith("siteauth: warning: Redis does not tell its 'maxmemory-policy'; it must be 'noeviction'\n")
    own.siteauth()
    own.nginx()
    alice, sid = sign_in_showing_sid(own)
    assert status_of(own, alice) == 200
    assert tell(own, "11111111-aaaa-4000-8000-000000000001") == tell(own, sid) == 200
    time.sleep(1.1)
    assert status_of(own, alice) == 303


def test_an_operator_ends_sessions(secure):
    site = secure()
    alice, bob = finish(site), finish(site, account=BOB)
    copies = [alice.cookies["__Host-session"], bob.cookies["__Host-session"]]
    assert [site.statuses(copy) for copy in copies] == [{200}, {200}]
    done = site.revoke("--user", ALICE.upper())
    assert done.returncode == 0 and ALICE in done.stdout.lower(), done.stderr
    assert [site.statuses(copy) for copy in copies] == [{303}, {200}]
    assert site.revoke("--all").returncode == 0
    assert [site.statuses(copy) for copy in copies] == [{303}, {303}]
    time.sleep(1.1)
    assert site.statuses(finish(site).cookies["__Host-session"]) == {200}


def test_an_operator_ends_the_sessions_of_one_tenants_account(secure):
    site = secure()
    copy = finish(site).cookies["__Host-session"]
    assert site.revoke("--user", ALICE, "--tenant", "33333333-aaaa-4000-8000-000000000003").returncode == 0
    assert site.statuses(copy) == {200}
    done = site.revoke("--user", ALICE, "--tenant", TENANT.upper())
    assert done.returncode == 0 and "of tenant" in done.stdout
    assert site.statuses(copy) == {303}


@pytest.mark.parametrize("arguments", [
    [], ["--all", "--user", ALICE], ["--user", "alice@example.com"], ["--all", "--tenant", TENANT], ["--tenant", TENANT],
    ["--user", ALICE, "--tenant", ""],
])
def test_revoke_does_not_guess_who_is_meant(secure, arguments):
    assert secure().revoke(*arguments).returncode == 64


def test_revoke_says_when_nothing_could_be_written(secure):
    done = secure().revoke("--all", state="elsewhere")
    assert done.returncode == 1 and "--state" in done.stderr


FRAGMENT = "/company/hr/?a=1#who%20is%20who"


def test_a_deep_link_keeps_its_fragment_where_entra_asks_nothing(secure, page):
    site = secure()
    sign_in(page, site.url + "/company/")
    expect(page).to_have_url(site.url + "/company/")
    page.context.clear_cookies(name="__Host-session")
    page.goto(site.url + FRAGMENT)
    expect(page).to_have_url(site.url + FRAGMENT)


def test_a_sign_in_page_keeps_the_fragment_in_any_case(secure, page):
    site = secure('sign_in = "page"')
    page.goto(site.url + FRAGMENT)
    expect(page.get_by_role("heading", name="This site is private")).to_be_visible()
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Alice Adams").click()
    expect(page).to_have_url(site.url + FRAGMENT)
    assert page.evaluate("document.title") != ""


def test_a_page_of_the_sites_own_after_signing_out_and_the_back_button(secure, page):
    site = secure('after_sign_out = "/press/"')
    sign_in(page, site.url + "/company/hr/")
    secret = page.locator("h1").inner_text()
    page.get_by_role("button", name="Alice Adams").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(site.url + "/press/")
    page.go_back()
    page.wait_for_load_state()
    assert page.get_by_role("heading", name=secret, exact=True).count() == 0, page.url


def test_signing_out_here_alone_leaves_entra_alone(secure, page):
    site = secure('sign_out = "here"')
    sign_in(page, site.url + "/company/hr/")
    copy = cookie(page.context)
    page.get_by_role("button", name="Alice Adams").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(site.url + "/auth/signed-out")
    assert site.statuses(copy) == {303}
    # Entra still knows her, so the link asks who it is.
    page.get_by_role("link", name="Sign in again").click()
    expect(page.get_by_role("heading", name="Pick an account")).to_be_visible()
    page.goto(site.url + "/company/hr/")
    expect(page).to_have_url(site.url + "/company/hr/")


def test_a_cookie_that_outlives_the_browser_is_asked_for(secure, page):
    site = secure("persistent_cookie = true")
    sign_in(page, site.url + "/company/")
    expect(page).to_have_url(site.url + "/company/")
    expires = {c["name"]: c["expires"] for c in page.context.cookies(site.url)}
    assert 35_900 < expires["__Host-session"] - time.time() <= 36_000
    assert expires["__Host-browser"] == -1
