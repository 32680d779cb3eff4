"""nginx's configuration as somebody extends it: what they add is closed until they open it."""

import subprocess
from contextlib import closing

import pytest
import requests

from demo_site import ALICE, BOB, NAVIGATE, NGINX
from own_service import NGINXES, OwnService

SECRET = b"%PDF of human resources"


@pytest.fixture(scope="module")
def document(demo):
    """A file that only human resources may read."""
    path = demo.folder / "public/current/site/company/hr/salaries.pdf"
    path.write_bytes(SECRET)
    yield path
    path.unlink()


# What people write, and an address that it catches; {public} is where sitegen publishes.
ADDED = {
    "expires": ("location ~* \\.(png|pdf)$ {{ expires 30d; }}", "/company/hr/salaries.pdf"),
    "nothing": ("location /company/hr/ {{ }}", "/company/hr/salaries.pdf"),
    "exact": ("location = /company/hr/salaries.pdf {{ }}", "/company/hr/salaries.pdf"),
    "root": ("location /site/ {{ root {public}/current; }}", "/site/company/hr/salaries.pdf"),
    "output": ("location /releases/ {{ root {public}; autoindex on; }}", "/releases/"),
    "alias": ("location /raw/ {{ alias {public}/current/site/; }}", "/raw/company/hr/salaries.pdf"),
    "policy": ("location /policy/ {{ alias {public}/current/; }}", "/policy/access"),
    "try_files": (
        "location /try/ {{ root {public}/current/site/company; try_files /hr/salaries.pdf =404; }}", "/try/x"),
    "try_files to a name": (
        "location /try/ {{ try_files /none @added; }} "
        "location @added {{ root {public}/current/site; rewrite ^ /company/hr/salaries.pdf break; }}", "/try/x"),
    "error_page": (
        "location /error/ {{ error_page 403 404 =200 /raw/company/hr/salaries.pdf; }} "
        "location /raw/ {{ alias {public}/current/site/; }}", "/error/x"),
    "rewrite": (
        "location /old/ {{ rewrite ^/old/(.*)$ /raw/$1 last; }} "
        "location /raw/ {{ alias {public}/current/site/; }}", "/old/company/hr/salaries.pdf"),
    "rewrite break": (
        "location /old/ {{ root {public}/current/site; rewrite ^/old/(.*)$ /$1 break; }}",
        "/old/company/hr/salaries.pdf"),
    "index": ("location = /first/ {{ alias {public}/current/site/company/hr/; index salaries.pdf; }} "
              "location = /first/salaries.pdf {{ alias {public}/current/site/company/hr/salaries.pdf; }}", "/first/"),
    "if": ("location /if/ {{ if ($request_method = GET) {{ set $x 1; }} alias {public}/current/site/; }}",
           "/if/company/hr/salaries.pdf"),
    "inner": ("location /outer/ {{ location ~ \\.pdf$ {{ root {public}/current/site/company/hr; "
              "rewrite ^ /salaries.pdf break; }} }}", "/outer/x.pdf"),
    "proxy_pass": ("location /proxy/ {{ proxy_pass http://unix:{folder}/pages.sock:/; }}", "/proxy/x"),
    "status": ("location = /status {{ stub_status; }}", "/status"),
    "limit_except": ("location /raw/ {{ alias {public}/current/site/; limit_except POST {{ allow all; }} }}",
                     "/raw/company/hr/salaries.pdf"),
    "allow": ("location /raw/ {{ alias {public}/current/site/; allow all; }}", "/raw/company/hr/salaries.pdf"),
    "satisfy all": ("location /raw/ {{ alias {public}/current/site/; satisfy all; allow all; }}",
                    "/raw/company/hr/salaries.pdf"),
}


def start(demo, locations, program=None):
    own = OwnService(demo, program) if program else OwnService(demo)
    own.serve(locations.format(public=demo.folder / "public", folder=own.folder))
    return own


@pytest.mark.parametrize("name", ADDED)
def test_a_location_that_somebody_adds_shows_nothing(demo, document, signed_in, name):
    """To nobody, whoever they are: nothing knows yet which rules are for it."""
    locations, target = ADDED[name]
    told = subprocess.run([NGINX, "-V"], capture_output=True, text=True).stderr
    if name == "status" and "stub_status" not in told:
        pytest.skip("this nginx has no stub_status")
    with closing(start(demo, locations)) as own:
        for cookies in [{}, signed_in(ALICE).cookies.get_dict(), signed_in(BOB).cookies.get_dict()]:
            for method in ["GET", "HEAD", "POST"]:
                answer = requests.request(
                    method, own.url + target, cookies=cookies, headers=NAVIGATE, allow_redirects=False)
                assert answer.status_code == 403 and SECRET not in answer.content
                assert "Set-Cookie" not in answer.headers
        # What is not theirs is as it was.
        assert requests.get(own.url + "/press/").status_code == 200


@pytest.fixture(scope="module", params=NGINXES)
def opened(demo, document, request):
    own = start(
        demo,
        "location ~* \\.pdf$ {{ include snippets/siteauth/files.conf; add_header X-Added yes; }}"
        " location /open/ {{ auth_request off; alias {public}/theme/; }}"
        " location /told/ {{ return 200 open; }}"
        " location ^~ /behind/ {{ include snippets/siteauth/files.conf; rewrite ^/behind/(.*)$ /company/$1 break; }}",
        request.param,
    )
    yield own
    own.close()


def test_what_includes_the_files_is_for_whoever_may_read_them(opened, signed_in):
    url = opened.url + "/company/hr/salaries.pdf"
    stranger = requests.get(url, headers=NAVIGATE, allow_redirects=False)
    assert stranger.status_code == 303 and "authorize" in stranger.headers["Location"]
    assert signed_in(BOB).get(url, headers=NAVIGATE).status_code == 403
    answer = signed_in(ALICE).get(url, headers=NAVIGATE)
    assert answer.content == SECRET and answer.headers["X-Added"] == "yes"
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_what_was_judged_is_what_is_sent(opened, signed_in):
    """A 'rewrite' behind the include comes after the path was taken that is asked about."""
    for file in ["salaries.pdf", "index.html", ""]:
        answer = signed_in(BOB).get(f"{opened.url}/behind/hr/{file}", headers=NAVIGATE)
        assert answer.status_code == 404 and SECRET not in answer.content


def test_what_is_opened_on_purpose_is_open(opened):
    assert requests.get(opened.url + "/open/none").status_code == 404
    # Said in siteauth.conf: 'return' answers before anybody is asked.
    assert requests.get(opened.url + "/told/").text == "open"


def test_the_servers_root_holds_pages_and_nothing_else(demo, signed_in):
    """Neither the policy nor other parts of a release are below it, whatever a location forgets."""
    with closing(start(demo, "location ~ ^/(access|errors|auth|site)/? {{ auth_request off; }}")) as own:
        for path in ["/access", "/errors/404.html", "/auth/page.html", "/site/press/index.html"]:
            assert requests.get(own.url + path).status_code == 404


@pytest.mark.parametrize("kind", ["script", "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet"])
def test_what_lies_beside_a_page_is_not_run(opened, signed_in, kind):
    alice = signed_in(ALICE)
    for path in ["/company/hr/salaries.pdf", "/press/"]:
        assert alice.get(opened.url + path, headers={"Sec-Fetch-Dest": kind}).status_code == 404
    for other in ["document", "image", "empty", "style", "iframe", ""]:
        assert alice.get(opened.url + "/press/", headers={"Sec-Fetch-Dest": other}).status_code == 200


@pytest.mark.parametrize("path", [
    "/_theme/..%2fpress/", "/_theme/..%2Fpress/", "/_theme%2f..%2fpress/", "/%5ftheme/..%2Fpress/", "/press%2f",
])
def test_no_address_that_browsers_take_for_the_themes_leads_elsewhere(opened, path):
    session = requests.Session()
    request = session.prepare_request(requests.Request("GET", opened.url + path))
    request.url = opened.url + path
    assert session.send(request).status_code == 404
    # In a query it is no path.
    assert requests.get(opened.url + "/press/?a=%2f").status_code == 200


def test_the_error_log_quotes_no_callback(demo):
    """Neither when there are too many of them nor when siteauth is gone."""
    with closing(OwnService(demo)) as own:
        own.nginx()
        for number in range(60):
            requests.get(f"{own.url}/auth/callback?code=very-secret-code&state=x")
            requests.get(f"{own.url}/auth/front-channel-sign-out?sid=very-secret-sid")
        assert "very-secret" not in own.log()
        # Elsewhere, the operator is told why.
        requests.get(own.url + "/company/")
        assert "check.sock" in own.log()


def test_a_large_form_of_a_stranger_tells_nothing_about_pages(opened):
    body = b"x" * 100_000
    statuses = {
        requests.post(opened.url + path, data=body, headers=NAVIGATE).status_code
        for path in ["/company/hr/", "/company/hr/no-such/", "/company/no-such/"]
    }
    assert statuses == {401}
