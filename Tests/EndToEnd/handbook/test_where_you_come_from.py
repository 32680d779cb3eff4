"""The handbook's page 'Where you come from' names a test for each behaviour: each name leads to a test. What no
other test shows is shown here."""

import re
import subprocess

from demo_site import ALICE, BIN, NAVIGATE, ROOT, TENANT, browser, wait_for
from test_project import is_test

PAGE = ROOT / "site/handbook/project/where-you-come-from.md"
GUEST = "94e57000-0000-4000-8000-00000000000f"
NEW = "c0570000-0000-4000-8000-0000000000ff"


def rows():
    return [line.strip("|").split("|") for line in PAGE.read_text().splitlines() if re.match(r"\| [A-Z]{2}-", line)]


def test_every_behaviour_has_its_row():
    named = [name for row in rows() for name in re.findall(r"[A-Z]{2}-\d+", row[0])]
    wanted = {
        f"{kind}-{number}"
        for kind, count in {"ST": 21, "FL": 18, "AC": 10, "OW": 6, "JV": 6, "PY": 11, "GN": 6}.items()
        for number in range(1, count + 1)
    }
    assert set(named) == wanted
    assert len(named) == len(wanted), "a behaviour has two rows"


def test_every_test_that_is_named_is_there():
    without = {"no token, no test", "nothing to show", "no counterpart"}
    for row in rows():
        for name in row[-1].strip().split(" · "):
            assert name in without or is_test(name), name


def test_git_ignores_the_secrets_of_a_new_site(tmp_path):
    subprocess.run([BIN / "sitegen", "init", tmp_path / "site"], check=True, capture_output=True)
    subprocess.run(["git", "init", "--quiet", tmp_path / "site"], check=True)
    ignored = subprocess.run(["git", "check-ignore", "secrets.toml", "site/index.md"], cwd=tmp_path / "site", capture_output=True)
    assert ignored.stdout == b"secrets.toml\n"


def test_a_guest_who_proves_elsewhere_who_he_is_reads_as_the_tenant_says(demo, signed_in):
    guest = signed_in(GUEST)
    me = guest.get(demo.url + "/auth/me").json()
    assert (me["tenant_id"], me["object_id"]) == (TENANT, GUEST)
    assert guest.get(demo.url + "/company/").status_code == 200
    assert guest.get(demo.url + "/company/hr/", headers=NAVIGATE).status_code == 403


def test_an_account_that_was_made_at_the_sign_in_gets_in_by_the_rules_of_the_site(secure):
    """"Sign in or sign up": the pages of an external tenant make the account, which siteauth meets at the sign-in."""
    site = secure()
    tenants = (site.folder / "tenants.toml").read_text()
    external = tenants.index('kind = "external"')
    customers = tenants[external:].replace("http://localhost:8080/", f"{site.url}/")
    account = '[[tenant.user]]\nobject_id = "%s"\nname = "Nina New"\nuser_name = "nina@orchard.example"\n\n[[tenant.user]]' % NEW
    site.stop("entra")
    (site.folder / "tenants.toml").write_text(tenants[:external] + customers.replace("[[tenant.user]]", account, 1))
    site.start_entra()
    host = "orchard.ciamlogin.com.localhost"
    site.write_secrets(client="22222222-bbbb-4000-8000-000000000006", authority=f"http://{host}:{site.entra_port}")
    wait_for(lambda: "configuration read again" in site.log("siteauth-0"))
    # Browsers find names below localhost by themselves, and Python does not.
    session = browser(site)
    begun = session.get(site.url + "/company/", headers=NAVIGATE, allow_redirects=False).headers["Location"]
    fields = {"Host": f"{host}:{site.entra_port}"}
    picked = session.post(begun.replace(host, "localhost"), data={"account": NEW}, headers=fields, allow_redirects=False)
    assert session.get(picked.headers["Location"], headers=NAVIGATE).url == site.url + "/company/"
    assert session.get(site.url + "/auth/me").json()["groups"] == []
    assert session.get(site.url + "/company/hr/", headers=NAVIGATE).status_code == 403


def test_consent_is_collected_where_the_configuration_says_so(secure):
    """The scope as the registration has it, and the question to the reader before the first page."""
    site = secure('prompt = "consent"\nscope = "openid profile email User.Read"')
    session = browser(site)
    begun = session.get(site.url + "/company/", headers=NAVIGATE, allow_redirects=False).headers["Location"]
    assert "prompt=consent" in begun and "scope=openid%20profile%20email%20User.Read" in begun
    asked = session.post(begun, data={"account": ALICE}, allow_redirects=False)
    assert asked.status_code == 200 and "Permissions requested" in asked.text
    picked = session.post(begun, data={"account": ALICE, "consent": "accept"}, allow_redirects=False)
    assert session.get(picked.headers["Location"], headers=NAVIGATE).url == site.url + "/company/"
