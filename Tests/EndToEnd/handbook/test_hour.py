"""The hour of the handbook: its page 'Deploy behind nginx', from the packages to a reader who is signed in, on a
machine with a clean Debian and a systemd of its own. The emulator is the tenant; the application that it knows is the
one that the page's script registers. A program stands in for certbot, and one for the Azure CLI."""

import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect, sync_playwright

from azure_cli import AZ
from debian_root import PACKAGES, Machine
from demo_site import ALICE, BOB, TENANT, wait_for
from emulator import EntraEmulator, built_in_tenants
from handbook_machine import Image
from handbook_pages import page
from tls_front import make_certificate

DEPLOY = page("how-to/deploy.md")
CLIENT = "22222222-bbbb-4000-8000-0000000000aa"
ENTRA = "http://localhost:8081"
URL = "https://docs.example.com"
# Of the page, and not of the hour: the build machine, a private repository, other programs, the end.
ELSEWHERE = ("make deb", "ssh-keyscan", "az login", "apt-get remove")
CERTBOT = """#!/bin/sh -eu
[ "$1" != delete ] || exec rm -r /etc/letsencrypt/live/docs.example.com
[ "$1" = certonly ]
folder=/var/www/html/.well-known/acme-challenge
mkdir -p "$folder"
echo proof >"$folder/token"
[ "$(curl --silent --resolve docs.example.com:80:127.0.0.1 http://docs.example.com/.well-known/acme-challenge/token)" = proof ]
mkdir -p /etc/letsencrypt/live/docs.example.com
cp /certificates/docs.crt /etc/letsencrypt/live/docs.example.com/fullchain.pem
cp /certificates/docs.key /etc/letsencrypt/live/docs.example.com/privkey.pem
"""


class Hour:
    """One server, one tenant and the laptop of an administrator."""

    def __init__(self, folder):
        self.folder, self.seconds = folder, []
        self.laptop, self.certificates = folder / "laptop", folder / "certificates"
        for made in (self.laptop / "bin", self.certificates):
            made.mkdir(parents=True)
        (self.laptop / "bin/az").write_text(AZ)
        (self.laptop / "bin/az").chmod(0o755)
        make_certificate(self.certificates, "authority", "/CN=Nobody's authority", "CA:TRUE")
        make_certificate(
            self.certificates, "docs", "/CN=docs.example.com", signed_by="authority", host="docs.example.com",
        )
        image = Image(folder / "image")
        self.machine = Machine({
            "/packages": PACKAGES, "/repository": image.repository, "/certificates": self.certificates,
        })
        self.entra = EntraEmulator(self.laptop, 8081, 8082)

    def prepare(self):
        """What is there before the hour: the copied packages, the repository at its host, the name of the site."""
        self.machine.run(
            "cp /packages/sitegen_*.deb /packages/siteauth_*.deb . && echo 127.0.0.1 docs.example.com >>/etc/hosts"
        )
        # To the question of apt-get whether to go on.
        self.machine.write("/etc/apt/apt.conf.d/yes", 'APT::Get::Assume-Yes "true";\n')
        self.machine.write(
            "/etc/gitconfig",
            '[url "file:///repository"]\n\tinsteadOf = https://git.example.com/handbook.git\n'
            "[safe]\n\tdirectory = *\n",
        )

    def follow(self, block):
        """Runs a block of the page on the server, as root in its home."""
        begun = time.monotonic()
        output = self.machine.run(block.text).stdout
        self.seconds.append((time.monotonic() - begun, block.headings[-1]))
        return output

    def register(self):
        """The administrator's laptop: fetches the script, runs it, and copies what it made to the server."""
        script = self.machine.run("cat register.sh").stdout
        (self.laptop / "register.sh").write_text(script)
        environment = {
            "PATH": f"{self.laptop}/bin:{os.environ['PATH']}", "SITEAUTH_PAUSE": "0", "LOGIN_ENDPOINT": ENTRA,
            "NEW_CLIENT": CLIENT, "HOME": str(self.laptop),
        }
        run = subprocess.run(["sh", "register.sh"], cwd=self.laptop, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        for name in ["secrets.toml", "siteauth.crt", "siteauth.key"]:
            self.machine.write(f"/root/{name}", (self.laptop / name).read_text(), 0o600)

    def start_entra(self):
        """The tenant, with the application that the script has sent and nothing else."""
        application = json.loads((self.laptop / "application.json").read_text())
        principal = json.loads((self.laptop / "principal.json").read_text())
        claims = [claim["name"] for claim in application["optionalClaims"]["idToken"]]
        before, after = built_in_tenants().split("[[tenant.application]]", 1)
        users = after[after.index("[[tenant.managed_identity]]"):]
        registered = f"""[[tenant.application]]
name = {json.dumps(application["displayName"])}
client_id = "{CLIENT}"
audience = "{application["signInAudience"]}"
redirect_uris = {json.dumps(application["web"]["redirectUris"])}
logout_url = "{application["web"]["logoutUrl"]}"
optional_claims = {json.dumps([claim for claim in claims if claim in ("sid", "login_hint", "auth_time", "acct")])}
app_roles = {json.dumps([role["value"] for role in application["appRoles"]])}
assignment_required = {json.dumps(principal["appRoleAssignmentRequired"])}
assigned = ["bob@example.com"]
[[tenant.application.certificate]]
file = "siteauth.crt"

"""
        with self.machine.network():
            self.entra.start(before + registered + users)

    def close(self):
        self.entra.close()
        self.machine.close()


@pytest.fixture(scope="module")
def hour(tmp_path_factory):
    hour = Hour(tmp_path_factory.mktemp("hour"))
    yield hour
    hour.close()


def blocks():
    """Those that are run on the server, in their order."""
    found = [block for block in DEPLOY.blocks if block.language == "sh"]
    last = next(number for number, block in enumerate(found) if "/docs/ready" in block.text)
    return [block for block in found[:last + 1] if not any(words in block.text for words in ELSEWHERE)]


def sign_in(context, path, name):
    tab = context.new_page()
    tab.goto(URL + path)
    tab.get_by_role("button", name=name).click()
    return tab


def read_in_a_browser():
    """As Alice, who has the role, and as Bob, who is assigned and has none."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP docs.example.com 127.0.0.1"],
        )
        context = browser.new_context(ignore_https_errors=True)
        tab = sign_in(context, "/hr/", "Alice Adams")
        expect(tab).to_have_url(URL + "/hr/")
        expect(tab.get_by_role("heading", name="Human resources")).to_be_visible()
        tab.get_by_role("button", name="Alice Adams").click()
        tab.get_by_role("button", name="Sign out").click()
        expect(tab).to_have_url(URL + "/auth/signed-out")
        tab.goto(URL + "/hr/")
        expect(tab.get_by_role("heading", name="Pick an account")).to_be_visible()
        context.close()
        context = browser.new_context(ignore_https_errors=True)
        tab = sign_in(context, "/", "Bob Brown")
        expect(tab).to_have_url(URL + "/")
        assert tab.goto(URL + "/hr/").status == 403
        expect(tab.get_by_role("heading", name="You may not open this page")).to_be_visible()
        browser.close()


def test_the_hour(hour):
    """From the installed packages to a reader who is signed in, refused and signed out."""
    begun = time.monotonic()
    hour.prepare()
    for block in blocks():
        if "certbot certonly" in block.text:
            hour.machine.write("/usr/bin/certbot", CERTBOT, 0o755)
        if "check-config" in block.text:
            hour.start_entra()
        if "nginx -t" in block.text:
            # The one line that the page says to change where people sign in elsewhere.
            hour.machine.run(f"sed -i 's#https://login.microsoftonline.com;#{ENTRA};#' /etc/nginx/sites-available/docs")
        if "/docs/ready" in block.text:
            # `systemctl reload nginx` returns before nginx listens.
            wait_for(lambda: hour.machine.run(block.text, check=False).returncode == 0)
        output = hour.follow(block)
        if "siteauth register" in block.text:
            hour.register()
        if "check-config" in block.text:
            assert "error" not in output and "warning" not in re.sub(".*expires on.*", "", output), output
            for uri in ["/auth/callback", "/auth/signed-out"]:
                assert f"the redirect URI '{URL}{uri}' is registered" in output
            assert "knows the client and its credential" in output
        if "journalctl" in block.text:
            wait_for(lambda: f"siteauth: ready for {URL}" in hour.machine.run("journalctl -u siteauth@docs").stdout)
    assert output.splitlines()[-1] == "ready"
    # A browser of another test may have left a loop on this thread.
    with hour.machine.network(), ThreadPoolExecutor(1) as thread:
        thread.submit(read_in_a_browser).result()
    log = hour.machine.run("journalctl --sync; journalctl --no-pager -u siteauth@docs").stdout
    assert f"signed in '{ALICE}' of '{TENANT}', groups [\"hr\"]\n" in log and f"forbidden '/hr/' to '{BOB}'" in log
    print(f"\nthe hour: {time.monotonic() - begun:.0f} s; " + ", ".join(
        f"{seconds:.1f} s {heading}" for seconds, heading in hour.seconds
    ))


def test_the_administrators_commands_know_the_site_by_its_name(hour):
    """After the hour: a file that only root can read, a secret kept by systemd, and a reader whose session is ended."""
    run = hour.machine.run
    secrets = "/etc/siteauth/docs/secrets.toml"
    for spoil, words in [
        (f"chgrp root {secrets}", "only root can read it"),
        (f"chgrp www-data {secrets}", "nginx can read it, by the group 'www-data'"),
        # Folders of an account that nginx and siteauth have nothing to do with.
        ("cd /srv/docs; chgrp -R publisher public; chmod -R o= public", "cannot read '/srv/docs/public', because"),
    ]:
        run(spoil)
        told = run("siteauth check-config docs", check=False)
        assert told.returncode == 1 and words in told.stdout
        for command in re.findall("'(ch[^']*)'", told.stdout):
            run(command)
        assert run("siteauth check-config docs").returncode == 0
    # A service that cannot start says so to who starts it.
    run(f"sed -i 's/^client_id/# client_id/' {secrets}")
    told = run("systemctl restart siteauth@docs", check=False)
    assert told.returncode == 1 and "journalctl" in told.stdout
    assert "'client_id' is missing" in run("journalctl --sync; journalctl -u siteauth@docs --no-pager").stdout
    run(f"sed -i 's/^# client_id/client_id/' {secrets}")
    told = run("siteauth revoke docs --group rh", check=False)
    assert told.returncode == 1 and "no group 'rh'; did you mean 'hr'?" in told.stdout
    ended = "ll present sessions of everybody have ended"
    assert ended in run("siteauth revoke docs --all").stdout
    assert ended in run("journalctl --sync; journalctl -t siteauth --no-pager").stdout
    # The folder is the service's; a file of root's in it does no harm.
    run("systemctl restart siteauth@docs")
    ready = "curl --silent http://127.0.0.1:9464/docs/ready"
    wait_for(lambda: run(ready).stdout == "ready\n")
    # An audit in the folder that systemd makes.
    audit = "/var/log/siteauth/docs/audit.jsonl"
    run(f"""
        sed -i 's/^group hr .*/& audited=yes/' /srv/docs/public/current/access
        sed -i '/^client_id/i audit = "{audit}"' {secrets}
        systemctl restart siteauth@docs
    """)
    own = f"[ $(stat -c %a%u {audit}) = 600$(stat -Lc %u /var/log/siteauth/docs) ]"
    wait_for(lambda: run(own, check=False).returncode == 0)
    assert run("siteauth check-config docs").returncode == 0
    run(f"chmod 640 {audit}")
    told = run("siteauth check-config docs", check=False)
    assert told.returncode == 1 and f"'audit': '{audit}': others may read or change it" in told.stdout
    run(f"chmod 600 {audit}")
    run(f"""
        umask 077
        sed -n 's/^cookie_secret = "\\(.*\\)"/\\1/p' {secrets} >/etc/siteauth/docs/cookie_secret
        sed -i /^cookie_secret/d {secrets}
        mkdir -p /etc/systemd/system/siteauth@docs.service.d
        printf '[Service]\\nLoadCredential=cookie_secret:/etc/siteauth/docs/cookie_secret\\n' \\
            >/etc/systemd/system/siteauth@docs.service.d/secret.conf
        systemctl daemon-reload
        systemctl restart siteauth@docs
    """)
    wait_for(lambda: run("systemctl is-active siteauth@docs", check=False).returncode == 0)
    assert run("siteauth check-config docs").returncode == 0
    run("systemctl stop siteauth@docs.service siteauth-check@docs.socket siteauth-pages@docs.socket")
    assert "'cookie_secret' is missing" in run("siteauth check-config docs", check=False).stdout


def test_debians_own_site_is_still_there(hour):
    run = hour.machine.run
    run("ln -s ../sites-available/default /etc/nginx/sites-enabled/default")
    told = run("nginx -t", check=False)
    assert told.returncode == 1 and "a duplicate default server for" in told.stdout
    run("rm /etc/nginx/sites-enabled/default; nginx -t")


def test_what_is_removed_and_what_stays(hour):
    """The last test, which leaves nothing to others: first the site, then the programs and their configuration."""
    run = hour.machine.run
    run("mkdir -p /etc/systemd/system/siteauth@docs.service.d /etc/systemd/system/siteauth@wiki.service.d")
    site, programs = (block for block in DEPLOY.blocks if "Remove it" in block.headings)
    hour.follow(site)
    run("nginx -t")
    assert run("ls /etc/nginx/sites-available /etc/siteauth /srv /etc/letsencrypt/live /run/siteauth /etc/systemd/system").stdout.count("docs") == 1
    hour.follow(programs)
    run("apt-get purge siteauth && nginx -t")
    stays = "/etc/siteauth /etc/systemd/system/siteauth@wiki.service.d /home/publisher /run/siteauth /var/lib/private/siteauth"
    assert run(f"ls -d {stays} 2>/dev/null", check=False).stdout.split() == stays.split()[1:4]
    assert run("getent passwd publisher siteauth && getent group siteauth").stdout.count("siteauth:") == 2
    assert run("find / -xdev -name '*siteauth*' -path '*/s*bin/*'").stdout == ""
