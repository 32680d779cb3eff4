"""The commands of 'Rotate secrets' and 'Back up and restore' on a site whose readers are signed in meanwhile."""

import os
import re
import signal
import subprocess

import pytest

from demo_site import BIN, CLIENT_SECRET, wait_for
from handbook_pages import page


@pytest.fixture
def site(own):
    own.takes_sign_ins()
    own.process = own.siteauth("--log-format", "json")
    own.nginx()
    return own


def commands(path, heading):
    """The blocks of a section that are run or saved, in their order."""
    return [block for block in page(path).blocks if heading in block.headings and (block.language == "sh" or block.name)]


def run(folder, text, **places):
    for place, path in {"/etc/siteauth/docs": folder, **places}.items():
        text = text.replace(place, str(path))
    # The accounts and systemd are not there.
    text = re.sub(r"--group=siteauth |^systemctl .*\n", "", text, flags=re.MULTILINE)
    result = subprocess.run(
        ["bash", "-euc", text], cwd=folder, env=os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"},
        capture_output=True, text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def count(process, words):
    return process.log.read_text().count(words)


def follow(site, blocks):
    """Does what the blocks say, until siteauth has read its configuration again."""
    for block in blocks:
        if block.name:
            (site.folder / block.name).write_text(block.text.replace("the Value of the secret", CLIENT_SECRET))
        else:
            run(site.folder, block.text)
    # In place of 'systemctl reload'; it may have read them before, when not all was there.
    before = count(site.process, "configuration read again")
    os.kill(site.process.pid, signal.SIGHUP)
    wait_for(lambda: count(site.process, "configuration read again") > before)


def test_readers_notice_nothing_of_a_new_client_secret(site):
    alice, _ = site.sign_in()
    follow(site, commands("how-to/rotate.md", "The client secret"))
    text = site.secrets.read_text()
    assert CLIENT_SECRET not in text and (site.folder / "client_secret").stat().st_mode & 0o777 == 0o640
    assert 'siteauth_credential_expires_timestamp_seconds{credential="client_secret"} ' in site.metrics()
    assert site.status(alice) == site.status(site.sign_in()[0]) == 200
    assert '"level":"error"' not in site.process.log.read_text()


def test_readers_notice_nothing_of_a_new_cookie_secret(site):
    alice, _ = site.sign_in()
    blocks = commands("how-to/rotate.md", "The cookie secret")
    assert len(blocks) == 3
    follow(site, blocks[:2])
    bob, _ = site.sign_in()
    assert site.status(alice) == site.status(bob) == 200
    # Once the old secret is gone, what it has sealed is as well.
    run(site.folder, blocks[2].text)
    os.kill(site.process.pid, 1)
    wait_for(lambda: site.status(alice) == 303)
    assert site.status(bob) == 200 and site.status(site.sign_in()[0]) == 200
    # If somebody has seen the secret.
    run(site.folder, re.search(r"`(siteauth generate-secret >cookie_secret)`", page("how-to/rotate.md").text)[1])
    os.kill(site.process.pid, 1)
    wait_for(lambda: site.status(bob) == 303)


def test_a_machine_that_is_made_from_the_copy_takes_the_sessions(site, tmp_path):
    alice, _ = site.sign_in()
    bob, _ = site.sign_in()
    assert site.sign_out(bob).status_code == 303 and site.status(bob) == 303 and site.status(alice) == 200
    make, restore = (commands("how-to/back-up.md", heading)[0].text for heading in ["Make the copy", "Restore"])
    places = {"/root": tmp_path, "/etc/siteauth": site.secrets, "/var/lib/private/siteauth": site.folder / "state"}
    run(site.folder, make, **places)
    assert (tmp_path / "backup.tar.gz").stat().st_mode & 0o077 == 0
    site.stop(site.process)
    other = tmp_path / "other"
    other.mkdir()
    run(site.folder, restore.replace("--directory /", f"--directory {other}"), **places)
    copy = other / site.folder.relative_to("/")
    site.siteauth("--config", copy / "secrets.toml", "--state", copy / "state")
    assert site.status(alice) == 200 and site.status(bob) == 303
    # The list of ended sessions is needed for that.
    site.siteauth("--config", copy / "secrets.toml", "--state", tmp_path / "empty")
    wait_for(lambda: site.status(bob) == 200)
