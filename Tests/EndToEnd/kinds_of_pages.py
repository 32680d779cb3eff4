"""Every kind of page that there is, of the site, of siteauth and of the emulator, and the way to it."""

import urllib.parse

from demo_site import ALICE, BOB, CLIENT, TENANT
from emulator import APPLICATION, APPROVED_APPLICATION

FOR_EVERYBODY = "22222222-bbbb-4000-8000-000000000003"
REDIRECT_URI = "http://localhost:3000/"
LOOKS = [("light", 1440), ("light", 390), ("dark", 1440), ("dark", 390)]


def authorize(authority, client, redirect_uri=REDIRECT_URI, **items):
    """The address with which an application sends its readers to a provider."""
    usual = {"client_id": client, "response_type": "code", "scope": "openid", "redirect_uri": redirect_uri}
    return f"{authority}/oauth2/v2.0/authorize?{urllib.parse.urlencode(usual | items)}"


class Places:
    """Where pages are, each a fixture that is started when it is first asked for."""

    def __init__(self, fixture):
        self.fixture = fixture

    def __getattr__(self, name):
        return self.fixture(name)

    def authorize(self, client=CLIENT, **changes):
        """As the demo sends its readers to Entra."""
        items = {"scope": "openid profile email", "state": "s", "nonce": "n"} | changes
        return authorize(f"{self.demo.entra}/{TENANT}", client, f"{self.demo.url}/auth/callback", **items)


def look(page, scheme, width):
    """Shows the page as another screen does."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    # What scripts do at a change of size is done after two frames.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def read(path, account=ALICE, site="demo"):
    """A page of a site, for a reader or for a stranger."""

    def visit(page, places):
        place = getattr(places, site)
        if account:
            session = places.signed_in(account, place).cookies["session"]
            page.context.add_cookies([{"name": "session", "value": session, "url": place.url}])
        page.goto(place.url + path)

    return visit


def ask(client=CLIENT, person=None, **items):
    """What the emulator shows to whoever wants to sign in, before or after picking a person."""

    def visit(page, places):
        page.goto(places.authorize(client, **items))
        if person:
            page.get_by_role("button", name=person).first.click()
            page.wait_for_load_state()

    return visit


def type_a_name(name, wrong_password=False):
    def visit(page, places):
        page.goto(places.authorize())
        page.get_by_role("button", name="Use another account").click()
        page.get_by_label("User name").fill(name)
        page.get_by_role("button", name="Next").click()
        if wrong_password:
            page.get_by_label("Password").fill("wrong")
            page.get_by_role("button", name="Sign in").click()
        page.wait_for_load_state()

    return visit


def of_emulator(path, administration=False):
    def visit(page, places):
        page.goto((places.demo.admin if administration else places.demo.entra) + path)

    return visit


def need_approval(page, places):
    page.goto(authorize(places.emulator.authority(), APPROVED_APPLICATION))
    page.get_by_role("button", name="Alice Adams").click()
    page.get_by_role("heading", name="Need admin approval").wait_for()


def sign_out_at_emulator(person=None):
    """Its picker; or, once somebody was picked, that other applications are told."""

    def visit(page, places):
        page.route(REDIRECT_URI + "**", lambda route: route.fulfill(status=200, body="", content_type="text/html"))
        page.route("https://logout.localhost:1/**", lambda route: route.fulfill(status=200, body=""))
        page.goto(authorize(places.emulator.authority(), APPLICATION))
        page.get_by_role("button", name="Alice Adams").click()
        page.wait_for_url(REDIRECT_URI + "**")
        page.goto(f"{places.emulator.authority()}/oauth2/v2.0/logout")
        if person:
            page.get_by_role("button", name=person).click()
            page.get_by_text("The applications have been notified.").wait_for()

    return visit


OF_SITES = {
    "home": read("/"),
    "page": read("/handbook/explanation/access/"),
    "page of Markdown": read("/handbook/reference/markdown/"),
    "page with much code": read("/handbook/how-to/deploy/"),
    "page with tables": read("/handbook/reference/emulator/"),
    "page for some readers": read("/company/hr/"),
    "public page, for a stranger": read("/press/", None),
    "list of tags": read("/tags/"),
    "list of a tag": read("/tags/people/"),
    "page with every feature": read("/", site="features"),
    "list of a folder": read("/list/", site="features"),
    "second page of a list": read("/list/page/2/", site="features"),
    "page in other scripts": read("/%E6%BC%A2%E5%AD%97/%D7%A9%D7%9C%D7%95%D7%9D/", site="features"),
    "not found": read("/nothing-here/"),
    "not available": read("/", None, "unavailable"),
}
OF_SITEAUTH = {
    "not for you": read("/company/hr/", BOB),
    "sign-in page": read("/company/hr/", None, "asking"),
    "account": read("/auth/account"),
    "sign out?": read("/auth/sign-out"),
    "signed out": read("/auth/signed-out", None),
    "start again": read("/auth/callback?state=x&code=y", None),
    "refused by Entra": read("/auth/callback?error=access_denied&state=x", None),
}
OF_EMULATOR = {
    "picker": ask(),
    "user name": type_a_name("nobody@example.com"),
    "password": type_a_name("bob@example.com"),
    "wrong password": type_a_name("bob@example.com", wrong_password=True),
    "second factor": ask(person="Ivan Individual"),
    "consent": ask(FOR_EVERYBODY, "Bob Brown"),
    "need admin approval": need_approval,
    "refusal": ask(person="Judy Jailed"),
    "error": ask("22222222-bbbb-4000-8000-00000000dead"),
    "sign-out picker": sign_out_at_emulator(),
    "signed out, and told": sign_out_at_emulator("Alice Adams"),
    "signed out of nothing": of_emulator(f"/{TENANT}/oauth2/v2.0/logout"),
    "welcome": of_emulator("/"),
    "administration": of_emulator("/", administration=True),
}
KINDS = (
    {f"site: {name}": visit for name, visit in OF_SITES.items()}
    | {f"siteauth: {name}": visit for name, visit in OF_SITEAUTH.items()}
    | {f"emulator: {name}": visit for name, visit in OF_EMULATOR.items()}
)
