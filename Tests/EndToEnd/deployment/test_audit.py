"""Who opened which page when, for groups that say so: behind the real nginx, with the file that logrotate moves away."""

import json
import shutil
import types
from contextlib import closing

import pytest
import requests

from demo_site import ALICE, BOB, NAVIGATE, wait_for
from own_service import OwnService

PAGE = "/company/hr/"


@pytest.fixture
def own(demo, tmp_path):
    """The demo's site, whose group 'hr' is audited."""
    shutil.copytree(demo.folder / "public", tmp_path / "public", symlinks=True)
    shutil.copy(demo.folder / "secrets.toml", tmp_path)
    policy = tmp_path / "public/current/access"
    lines = policy.read_text().split("\n")
    policy.write_text("\n".join(line + " audited=yes" * line.startswith("group hr ") for line in lines))
    with closing(OwnService(types.SimpleNamespace(folder=tmp_path, url=demo.url, entra=demo.entra))) as service:
        service.audit = service.folder / "audit.jsonl"
        yield service


def keep_audit(own, line):
    own.secrets.write_text(own.secrets.read_text() + line)


def opened(own, name="audit.jsonl"):
    return [json.loads(line) for line in (own.folder / name).read_text().splitlines()]


def told(own):
    return [(line["outcome"], line["user"], line["path"]) for line in opened(own)]


def test_an_audited_page_is_on_record_or_closed(own, signed_in):
    keep_audit(own, f'audit = "{own.audit}"\n')
    process = own.serve()
    alice, bob = signed_in(ALICE), signed_in(BOB)

    def status(session, path=PAGE):
        return session.get(own.url + path, headers=NAVIGATE, allow_redirects=False).status_code

    assert (status(alice, PAGE.upper() + "?code=secret"), status(alice), status(bob)) == (404, 200, 403)
    assert status(requests.Session()) == 303 and status(alice, "/") == status(alice, "/company/") == 200
    alice.get(own.url + PAGE, headers=NAVIGATE | {"Sec-Purpose": "prefetch"})
    assert told(own) == [("allowed", ALICE, PAGE)] * 2 + [("refused", BOB, PAGE), ("allowed", ALICE, PAGE)]
    line = opened(own)[-1]
    assert line["prefetch"] and line["address"] == "127.0.0.1" and line["release"].isdigit() and line["method"] == "GET"
    assert own.audit.stat().st_mode & 0o777 == 0o600
    text = own.audit.read_text()
    assert not any(secret in text for secret in ["secret", alice.cookies["session"][:20], "Alice"])

    # As logrotate does; siteauth is not told.
    own.audit.rename(own.folder / "audit.jsonl-1")
    assert status(alice) == 200 and len(opened(own, "audit.jsonl-1")) == 4 and len(told(own)) == 1

    # A disk that takes nothing, by a link that nobody follows.
    own.audit.unlink()
    own.audit.symlink_to("/dev/full")
    answer = alice.get(own.url + PAGE, headers=NAVIGATE)
    assert answer.status_code == 503 and "This site is not fully set up" in answer.text
    assert alice.get(own.url + PAGE, headers={"Accept": "application/json"}).status_code == 403
    assert status(alice, "/company/") == 200 and status(bob) == 403
    problem = f"pages for audited groups (hr) are refused: '{own.audit}': "
    wait_for(lambda: f"siteauth: error: {problem}" in process.log.read_text())
    assert own.status_page("ready")[0] == 200 and 'siteauth_audit_lines_total{outcome="failed"} 3' in own.metrics()
    own.audit.unlink()
    assert status(alice) == 200 and told(own) == [("allowed", ALICE, PAGE)]
    wait_for(lambda: "no page is refused for want of an audit any more" in process.log.read_text())

    # Another file, without a restart.
    own.secrets.write_text(own.secrets.read_text().replace("audit.jsonl", "second.jsonl"))
    wait_for(lambda: (own.folder / "second.jsonl").exists())
    assert status(alice) == 200 and len(opened(own, "second.jsonl")) == 1


def test_without_a_place_for_the_audit_its_pages_are_closed(own, signed_in):
    process = own.serve()
    alice = signed_in(ALICE)
    assert alice.get(own.url + PAGE, headers=NAVIGATE).status_code == 503
    assert alice.get(own.url + "/company/", headers=NAVIGATE).status_code == 200
    problem = "error: pages for audited groups (hr) are refused: 'audit' is missing in secrets.toml"
    wait_for(lambda: problem in process.log.read_text())
    result = own.check_config("--site", own.demo.folder / "public")
    assert result.returncode == 1 and problem in result.stderr
    keep_audit(own, 'audit = "stderr"\n')
    assert own.check_config("--site", own.demo.folder / "public").returncode == 0
    secrets = own.secrets.read_text()
    for place, words in [("none/audit", "no such file"), (".", "it is not a file"), ("link", "a symbolic link")]:
        (own.folder / "link").unlink(missing_ok=True)
        (own.folder / "link").symlink_to("elsewhere")
        own.secrets.write_text(secrets.replace('"stderr"', f'"{own.folder}/{place}"'))
        wrong = own.check_config("--site", own.demo.folder / "public")
        assert wrong.returncode == 1 and words in wrong.stderr and not (own.folder / "none").exists()
    own.secrets.write_text(secrets)
    wait_for(lambda: alice.get(own.url + PAGE, headers=NAVIGATE).status_code == 200)
    lines = [line for line in process.log.read_text().splitlines() if line.startswith("{")]
    assert [json.loads(line)["user"] for line in lines] == [ALICE] * len(lines) and lines
