"""Each mistake of the handbook's page 'Troubleshoot' that readers see is made once: the page and the line in the
log are those that the handbook promises, and after the remedy the sign-in works."""

import concurrent.futures
import http.cookiejar
import http.server
import re
import shutil
import threading

import pytest
import requests

from demo_site import ALICE, BOB, wait_for
from own_service import NAVIGATE
from troubled_site import CLIENT, CLIENTS, FILES, TroubledSite, build, trouble

OLGA = "0fe40000-0000-4000-8000-000000000010"
GRACE_OF_MARIGOLD = "93ace000-0000-4000-8000-000000000021"
MARIGOLD = "33333333-aaaa-4000-8000-000000000003"
FOR_EVERYBODY = "22222222-bbbb-4000-8000-000000000003"


class Echo(http.server.BaseHTTPRequestHandler):
    """An application that saves whatever it is sent."""

    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"saved")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def troubled():
    application = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=application.serve_forever, daemon=True).start()
    site = TroubledSite()
    try:
        port = application.server_address[1]
        site.start(
            locations=f"location /form/ {{ include snippets/siteauth/application.conf; proxy_pass http://127.0.0.1:{port}; }}"
        )
        yield site
    finally:
        site.close()
        application.shutdown()
        application.server_close()


@pytest.fixture
def site(troubled):
    """As it should be; a test leaves it with whatever mistakes."""
    yield troubled
    troubled.provider.order("reset")
    troubled.configure()


@trouble("Your browser blocks this site's cookies")
def test_a_browser_without_cookies(site):
    session = requests.Session()
    session.cookies.set_policy(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
    _, address = site.begin(session)
    for _ in range(2):
        picked = session.post(address, data={"account": ALICE}, allow_redirects=False)
        answer = session.get(picked.headers["Location"], headers=NAVIGATE, allow_redirects=False)
        address = answer.headers.get("Location")
    line = site.told(answer, "Your browser blocks this site's cookies")
    assert "callback refused: the browser sent no cookie of this sign-in" in line
    site.works()


@trouble("Nothing was saved")
def test_a_form_after_the_session_ended(site):
    form = {"headers": NAVIGATE | {"Origin": site.url, "Referer": site.url + "/form/"}, "data": {"a": "b"}}
    session = requests.Session()
    refused = session.post(site.url + "/form/", **form)
    assert re.search("<h1>(.*)</h1>", refused.text)[1] == "Nothing was saved"
    site.works(session=session)
    assert session.post(site.url + "/form/", **form).text == "saved"


@trouble("Signing in keeps starting over")
def test_a_browser_that_loses_the_session(site):
    session = requests.Session()
    for _ in range(3):
        site.works(session=session)
        session.cookies.set("session", None)
    answer = session.get(site.url + "/hr/", headers=NAVIGATE)
    assert "sign-in stopped: three sign-ins" in site.told(answer, "Signing in keeps starting over")
    # 'Delete the cookies of localhost'
    session.cookies.clear()
    site.works(session=session)


@trouble("This account cannot be used here")
def test_a_reader_of_a_tenant_that_is_not_listed(site):
    common = {"client_id": FOR_EVERYBODY, "authority": f"{site.provider.url}/common"}
    site.configure(**common, allowed_tenants=[MARIGOLD])
    _, answer = site.sign_in(path="/")
    assert "callback refused: 'tid' is" in site.told(answer, "This account cannot be used here")
    site.configure(**common, allowed_tenants=[MARIGOLD, site.authority.rsplit("/", 1)[1]])
    _, answer = site.sign_in(path="/")
    assert answer.status_code == 200 and "Home" in answer.text


@trouble("Please sign in again")
def test_a_code_that_was_used_before(site):
    site.provider.order("faults", name="token-error", number=54005)
    session, answer = site.sign_in()
    assert "AADSTS54005" in site.told(answer, "Please sign in again")
    button = re.search('href="(/auth/sign-in[^"]*)"', answer.text)[1].replace("&amp;", "&")
    begun = session.get(site.url + button, headers=NAVIGATE, allow_redirects=False)
    picked = session.post(begun.headers["Location"], data={"account": ALICE}, allow_redirects=False)
    assert "Human resources" in session.get(picked.headers["Location"], headers=NAVIGATE).text


@trouble("Signing in did not work")
@pytest.mark.parametrize("order, expected", [
    (("faults", {"name": "audience-wrong"}), "'aud' is"), (("faults", {"name": "issuer-wrong"}), "'iss' is"),
    (("clock", {"offset": -7200}), "'exp' is"), (("clock", {"offset": 3600}), "'nbf' is"),
])
def test_an_answer_that_does_not_fit(site, order, expected):
    site.provider.order(order[0], **order[1])
    _, answer = site.sign_in()
    line = site.told(answer, "Signing in did not work")
    assert f"callback refused: {expected}" in line
    assert not order[1].get("offset") or ("in the past" if expected == "'exp' is" else "in the future") in line
    site.provider.order("reset")
    site.works()


@trouble("The sign-in service cannot be reached")
def test_a_provider_that_is_away(site):
    session, address = site.begin()
    picked = session.post(address, data={"account": ALICE}, allow_redirects=False)
    site.provider.close()
    try:
        answer = session.get(picked.headers["Location"], headers=NAVIGATE)
        assert "token endpoint: " in site.told(answer, "The sign-in service cannot be reached")
    finally:
        site.restart()
    site.works()


@trouble("This site is busy")
def test_more_sign_ins_than_there_is_room_for(site):
    """Invented codes of one network: after the first were refused, those that wait are told at once."""
    site.provider.order("faults", name="slow", endpoint="token", seconds=3, until="further-notice")

    def invent(_):
        session, address = site.begin()
        state = re.search("state=([^&]+)", address)[1]
        return session.get(f"{site.url}/auth/callback?code=invented&state={state}", headers=NAVIGATE)

    with concurrent.futures.ThreadPoolExecutor(160) as pool:
        answers = list(pool.map(invent, range(160)))
    busy = [answer for answer in answers if "<h1>This site is busy</h1>" in answer.text]
    assert busy and all(answer.status_code == 503 and answer.headers["Retry-After"] == "30" for answer in busy)
    assert 'siteauth_provider_call_duration_seconds_bucket{endpoint="token"' in site.own.metrics()
    site.provider.order("reset")
    wait_for(lambda: site.sign_in()[1].status_code == 200)


@trouble("The sign-in service is busy")
def test_a_provider_that_has_too_much_to_do(site):
    site.provider.order("faults", name="sign-in-error", number=90033)
    _, answer = site.sign_in()
    assert "AADSTS90033" in site.told(answer, "The sign-in service is busy")
    site.works()


@trouble("Signing in does not work at the moment")
def test_a_wrong_secret(site):
    site.configure(client_secret="wrong~secret.of-somebody_else")
    _, answer = site.sign_in()
    line = site.told(answer, "Signing in does not work at the moment")
    assert "token endpoint answered 401 'invalid_client' AADSTS7000215" in line and "wrong~secret" not in line
    site.configure()
    site.works()


@trouble("This site is not fully set up")
def test_a_release_without_its_rules(site):
    session, address = site.begin()
    picked = session.post(address, data={"account": ALICE}, allow_redirects=False)
    rules = (site.folder / "public/current/access").resolve()
    rules.rename(rules.with_suffix(".aside"))
    try:
        answer = session.get(picked.headers["Location"], headers=NAVIGATE)
        assert "the release has no access policy" in site.told(answer, "This site is not fully set up")
    finally:
        rules.with_suffix(".aside").rename(rules)
    site.works()


def test_a_list_of_ended_sessions_that_is_gone(site):
    session = site.works()
    revoked, aside = site.own.folder / "state/revoked", site.own.folder / "aside"
    shutil.move(revoked, aside)
    try:
        _, answer = site.sign_in(session=session)
        assert "the list of ended sessions" in site.told(answer, "This site is not fully set up")
        assert site.own.status_page("ready") == (503, "the list of ended sessions cannot be read\n")
    finally:
        shutil.move(aside, revoked)
    assert "Human resources" in session.get(site.url + "/hr/", headers=NAVIGATE).text


@trouble("This site cannot find out your groups")
@pytest.mark.parametrize("mistake, expected", [
    ({}, "Graph answered 403"),
    ({"group_overage": "refuse", "scope": "openid profile email User.Read"}, "'group_overage' is 'refuse'"),
])
def test_a_reader_in_more_groups_than_a_token_names(site, mistake, expected):
    site.configure(**mistake)
    # siteauth asks in two ways.
    site.provider.order("faults", name="graph-forbidden", until="further-notice")
    _, answer = site.sign_in(OLGA, path="/")
    assert expected in site.told(answer, "This site cannot find out your groups")
    site.provider.order("reset")
    site.configure(scope="openid profile email User.Read")
    _, answer = site.sign_in(OLGA, path="/")
    assert answer.status_code == 200 and "groups [\"board\"]" in site.log()


@trouble("You are in too many of this site's groups")
def test_a_reader_in_too_many_of_the_sites_groups(site):
    groups = "".join(f'group-of-the-staff-number-{n} = {{ role = "HR" }}\n' for n in range(200))
    build(site.folder, FILES | {"sitegen.toml": FILES["sitegen.toml"] + groups})
    try:
        _, answer = site.sign_in()
        assert "does not fit" in site.told(answer, "You are in too many of this site's groups")
    finally:
        build(site.folder, FILES)
    site.works()


@trouble("You may not open this page")
def test_a_reader_without_the_role(site):
    session, answer = site.sign_in(BOB)
    assert answer.status_code == 403
    line = site.told(answer, "You may not open this page")
    assert f"forbidden '/hr/' to '{BOB}'" in line and f"signed in '{BOB}'" in site.log()
    assert "hr" not in session.get(site.url + "/auth/me").json()["groups"]
    site.provider.order(f"users/{BOB}", change="add-role", value="HR")
    # Not before the reader signs in again.
    assert session.get(site.url + "/hr/", headers=NAVIGATE).status_code == 403
    session.post(site.url + "/auth/sign-out", headers={"Origin": site.url})
    site.works(BOB, session)


def test_a_site_that_an_administrator_has_to_approve(site):
    site.configure(client_id=CLIENTS["consent"])
    _, answer = site.sign_in(path="/")
    assert answer.url.startswith(site.provider.url) and "Need admin approval" in answer.text
    # What the button 'Grant admin consent' does.
    form = {"client_id": CLIENTS["consent"], "redirect_uri": f"{site.url}/auth/callback"}
    address = requests.Request("GET", f"{site.authority}/adminconsent", params=form).prepare().url
    requests.post(address, data={"consent": "accept"}, headers={"Origin": site.provider.url}, allow_redirects=False)
    _, answer = site.sign_in(path="/")
    assert answer.status_code == 200 and answer.url == site.url + "/"


@trouble("You were not signed in")
def test_a_sign_in_that_is_cancelled(site):
    session, address = site.begin()
    picked = session.post(address, data={"cancel": "1"}, allow_redirects=False)
    answer = session.get(picked.headers["Location"], headers=NAVIGATE)
    assert "sign-in refused by the provider: 'access_denied'" in site.told(answer, "You were not signed in")
    site.works(session=session)


@trouble("This site is waiting for approval", "One more step is needed", "Your organisation does not know this site")
@pytest.mark.parametrize("fault, number, title", [
    ("sign-in-error", 65001, "This site is waiting for approval"),
    ("sign-in-error", 50076, "One more step is needed"),
    ("token-error", 7000112, "Your organisation does not know this site"),
])
def test_a_refusal_of_the_tenant(site, fault, number, title):
    site.provider.order("faults", name=fault, number=number)
    _, answer = site.sign_in()
    assert f"AADSTS{number}" in site.told(answer, title)
    site.works()


@trouble("You are signed out in this browser only")
def test_a_list_of_ended_sessions_that_cannot_be_written(site):
    session = site.works()
    revoked, aside = site.own.folder / "state/revoked", site.own.folder / "aside"
    shutil.move(revoked, aside)
    # A folder in which not even root can make a file.
    revoked.symlink_to("/proc/sys")
    fields = {"Cookie": f"session={session.cookies['session']}", "Origin": site.url}
    try:
        answer = requests.post(site.url + "/auth/sign-out", headers=fields)
        assert "the list" in site.told(answer, "You are signed out in this browser only")
    finally:
        revoked.unlink()
        shutil.move(aside, revoked)
    copy = {"Cookie": fields["Cookie"]} | NAVIGATE
    assert requests.get(site.url + "/hr/", headers=copy).status_code == 200
    requests.post(site.url + "/auth/sign-out", headers=fields, allow_redirects=False)
    assert requests.get(site.url + "/hr/", headers=copy, allow_redirects=False).status_code == 303


def sign_out(site):
    """Returns the page on which a reader ends who signs out."""
    session, answer = site.sign_in(path="/")
    assert answer.status_code == 200, answer.text
    return session.post(site.url + "/auth/sign-out", headers={"Origin": site.url})


@trouble("The reader stays on a page of Microsoft")
def test_an_address_after_signing_out_that_is_not_registered(site):
    tenants = site.provider.folder / "tenants.toml"
    right = tenants.read_text()
    tenants.write_text(re.sub(r"""(?:, )?["'][^"']*/auth/signed-out["'],?""", "", right))
    site.restart()
    code, told = site.check("--live")
    assert code == 0 and f"warning: the redirect URI '{site.url}/auth/signed-out' is not registered" in told
    assert sign_out(site).url.startswith(site.provider.url)
    tenants.write_text(right)
    site.restart()
    assert sign_out(site).url == site.url + "/auth/signed-out"
    assert "warning" not in site.check("--live")[1]


@trouble("Microsoft asks which account is meant")
def test_a_token_without_a_hint(site):
    site.configure(client_id=CLIENTS["claims"])
    page = sign_out(site)
    assert page.url.startswith(site.provider.url) and "Pick an account" in page.text
    assert "signed in" in site.log() and "; the ID token has no 'login_hint'\n" in site.log()
    site.configure()
    before = site.log().count("no 'login_hint'")
    assert sign_out(site).url == site.url + "/auth/signed-out"
    assert site.log().count("no 'login_hint'") == before


def certificate(site, name):
    return {
        "client_id": CLIENTS["certificate"], "client_secret": None,
        "client_certificate": f"{site.folder}/{name}.crt", "client_key": f"{site.folder}/{name}.key",
    }


# What is configured wrongly, and where the number is seen.
NUMBERS = {
    "50011": (lambda site: {"redirect_uri": f"{site.url}/callback"}, "page"),
    "700016": (lambda site: {"client_id": CLIENT[:-1] + "f"}, "page"),
    "7000215": (lambda site: {"client_secret": "0ddba110-0000-4000-8000-000000000000"}, "log"),
    "7000222": (lambda site: {"client_id": CLIENTS["expired"]}, "log"),
    "700027": (lambda site: certificate(site, "stranger"), "log"),
    "50105": (lambda site: {"client_id": CLIENTS["assignment"]}, "page"),
    "50020": (lambda site: {}, "page"),
    "90094": (lambda site: 90094, "log"),
    "90072": (lambda site: 90072, "log"),
    "65001": (lambda site: 65001, "log"),
    "54005": (lambda site: 54005, "log"),
    "90002": (lambda site: {"authority": site.authority.replace("1111", "7777", 1)}, "live"),
}
# Federated credentials need an issuer of tokens that is not this emulator; CredentialTests.swift has them.
NOT_HERE = ["700211", "700212", "700213"]
REMEDIES = {"700027": lambda site: certificate(site, "client")}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_of_microsoft(site, number):
    mistake, place = NUMBERS[number]
    changes, account = mistake(site), ALICE
    if isinstance(changes, int):
        fault = "token-error" if number == "54005" else "sign-in-error"
        site.provider.order("faults", name=fault, number=changes)
        changes = {}
    if number == "50020":
        account = GRACE_OF_MARIGOLD
    if number == "50105":
        account = BOB
    site.configure(**changes)
    if place == "live":
        code, told = site.check("--live")
        assert code == 1 and f"AADSTS{number}" in told and "note: there is no such tenant" in told
    else:
        _, answer = site.sign_in(account, path="/")
        told = answer.text if place == "page" else site.log()
        assert f"AADSTS{number}" in told, told
        assert place == "log" or answer.url.startswith(site.provider.url)
    if number == "50105":
        site.provider.order(f"users/{BOB}", change="add-role", value="HR")
    else:
        account = ALICE
        site.configure(**REMEDIES.get(number, lambda _: {})(site))
    _, answer = site.sign_in(account, path="/")
    assert answer.status_code == 200 and answer.url == site.url + "/", answer.text
