"""What `siteauth check-config` and the log say where nginx, a release or a file does not fit this siteauth."""

import re
import shutil
import subprocess

import pytest
import requests

from accepted_keys import RIGHT_SECRETS
from demo_site import BIN, NAVIGATE, NGINX, ROOT, wait_for


class Nginx:
    """/etc/nginx as Debian's packages and the handbook make it, in a folder of the test."""

    def __init__(self, folder):
        self.folder, self.secrets = folder / "nginx", folder / "secrets.toml"
        self.secrets.write_text(RIGHT_SECRETS)
        self.secrets.chmod(0o600)
        for name in ["conf.d", "sites-available", "sites-enabled", "snippets"]:
            (self.folder / name).mkdir(parents=True)
        (self.folder / "snippets/siteauth").symlink_to(ROOT / "nginx")
        shutil.copy(ROOT / "nginx/http.conf", self.folder / "conf.d/siteauth.conf")
        (self.folder / "nginx.conf").write_text(
            "events {}\nhttp {\n  log_format odd '$request \"; { ${x}'; # include nothing;\n"
            "  include conf.d/*.conf;\n  include sites-enabled/*;\n}\n"
        )

    def site(self, name="docs", origin="https://docs.example.com", siteauth="docs", enabled=True):
        text = (ROOT / "nginx/site.conf").read_text().replace("set $site docs;", f"set $site {siteauth};")
        (self.folder / "sites-available" / name).write_text(text.replace("https://docs.example.com;", f"{origin};", 1))
        if enabled:
            (self.folder / "sites-enabled" / name).symlink_to(f"../sites-available/{name}")

    def check(self, *arguments):
        result = subprocess.run(
            [BIN / "siteauth", "check-config", "--config", self.secrets, "--nginx", self.folder / "nginx.conf",
             *arguments], capture_output=True, text=True, timeout=60,
        )
        return result.returncode, result.stdout + result.stderr


@pytest.fixture
def nginx(tmp_path):
    return Nginx(tmp_path)


def test_a_site_of_nginx_that_fits_needs_no_word(nginx):
    nginx.site()
    nginx.site("wiki", "https://wiki.example.com", "wiki")
    code, told = nginx.check()
    assert code == 0 and not re.search(r"(warning|error): .*nginx", told), told


def test_what_cannot_be_compared_is_said(nginx):
    code, told = nginx.check()
    assert code == 0 and "not checked: nginx; it has no server block with 'https://docs.example.com' yet" in told
    (nginx.folder / "nginx.conf").unlink()
    code, told = nginx.check()
    assert code == 0 and "not checked: nginx's configuration; '" in told


def test_a_site_of_nginx_that_is_not_enabled(nginx):
    nginx.site(enabled=False)
    code, told = nginx.check()
    assert code == 0 and re.search(r"sites-available/docs:\d+:1: warning: nginx does not read this file", told)
    subprocess.run(re.search("run '(ln [^']*)'", told)[1], shell=True, check=True)
    assert "nginx does not read" not in nginx.check()[1]


def test_two_sites_of_nginx_with_one_siteauth(nginx):
    nginx.site()
    nginx.site("wiki", "https://wiki.example.com", "docs")
    code, told = nginx.check()
    assert code == 1 and re.search(r"sites-enabled/wiki:\d+:1: error: nginx asks this siteauth about "
                                   r"'https://wiki.example.com', but its 'redirect_uri' is of", told)
    # By the path of the socket, too.
    text = (nginx.folder / "sites-available/wiki").read_text()
    socket = 'set $site wiki; set $siteauth_check "unix:/run/siteauth/docs/check.sock";'
    (nginx.folder / "sites-available/wiki").write_text(text.replace("set $site docs;", socket))
    assert nginx.check()[0] == 1
    (nginx.folder / "sites-available/wiki").write_text(text.replace("set $site docs;", "set $site wiki;"))
    assert nginx.check()[0] == 0


def test_nginx_without_the_file_that_all_sites_share(nginx):
    nginx.site()
    (nginx.folder / "conf.d/siteauth.conf").unlink()
    code, told = nginx.check()
    assert code == 1 and "nginx does not read siteauth's 'http.conf'" in told and "--force-confmiss siteauth" in told
    # nginx's own words.
    assert "access_log /var/log/nginx/docs.log site;" in (ROOT / "nginx/site.conf").read_text()
    (nginx.folder / "t.conf").write_text("events {}\nhttp { server { access_log off; access_log /dev/null site; } }\n")
    result = subprocess.run([NGINX, "-t", "-e", "stderr", "-c", nginx.folder / "t.conf"], capture_output=True, text=True)
    assert 'unknown log format "site"' in result.stderr


def policy_of(folder):
    return (folder / "public/current/access").resolve()


def test_a_release_of_a_newer_format(demo, own, tmp_path):
    public = tmp_path / "public"
    shutil.copytree(demo.folder / "public", public, symlinks=True)
    policy = policy_of(tmp_path)
    policy.write_text(policy.read_text().replace("site-access 1", "site-access 2"))
    (own.folder / "state").mkdir()
    (own.folder / "state/provider.json").write_text('{"version":2}')
    (own.folder / "state/provider.json").chmod(0o600)
    own.siteauth("--site", public)
    told = f"{policy}:1: 'site-access 2' was made by a newer sitegen; this program reads 'site-access 1'"
    log = own.log("siteauth-1")
    assert f"siteauth: error: not ready for {demo.url}: {told}" in log and "siteauth: ready for" not in log
    assert log.count("state/provider.json' has version 2, and this siteauth reads version 1") == 1
    code, page = own.status_page("ready")
    assert code == 503 and told in page
    result = own.check_config("--site", public)
    assert result.returncode == 1 and told in result.stderr
    policy.write_text(policy.read_text().replace("site-access 2", "site-access 1"))
    assert own.check_config("--site", public).returncode == 0
    wait_for(lambda: "siteauth: ready again" in own.log("siteauth-1"))
    assert own.log("siteauth-1").count("not ready") == 1


@pytest.mark.parametrize("command", ["serve", "revoke --all", "check-config"])
def test_a_state_folder_of_a_newer_format(own, command):
    """What a newer version has ended would not have ended for this one."""
    (own.folder / "state").mkdir()
    (own.folder / "state/format").write_text("siteauth-state 2\n")
    command = [BIN / "siteauth", *command.split(), "--config", own.secrets, "--state", own.folder / "state"]
    result = subprocess.run(command, cwd=own.demo.folder, capture_output=True, text=True, timeout=60)
    told = f"siteauth: error: {own.folder}/state/format:1: 'siteauth-state 2' was made by a newer siteauth; this program"
    assert result.returncode == 1 and told in result.stderr, result.stderr


def test_no_word_of_a_file_that_is_no_policy_is_told(demo, own, tmp_path):
    """Whoever may write there must not have root read files aloud."""
    public = tmp_path / "public"
    shutil.copytree(demo.folder / "public", public, symlinks=True)
    (tmp_path / "secret").write_text("root:hidden:words\n")
    policy = policy_of(tmp_path)
    policy.unlink()
    policy.symlink_to(tmp_path / "secret")
    result = own.check_config("--site", public)
    assert result.returncode == 1 and "the first line is not 'site-access 1'" in result.stderr
    assert "hidden" not in result.stdout + result.stderr


def test_nginx_asks_for_another_site(demo, own, tmp_path):
    shutil.copytree(demo.folder / "public", tmp_path / "public", symlinks=True)
    own.siteauth("--site", tmp_path / "public")
    own.nginx()
    for _ in range(3):
        assert requests.get(own.url + "/", headers=NAVIGATE, allow_redirects=False).status_code == 303
    told = (f"nginx asks about the releases in '{(demo.folder / 'public/releases').resolve()}/', but this siteauth "
            f"guards '{(tmp_path / 'public/releases').resolve()}/'; each site needs a siteauth of its own")
    assert own.log("siteauth-1").count(told) == 1
