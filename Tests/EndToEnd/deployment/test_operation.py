"""What operators do: start, stop, break and repair."""

import collections
import os
import pathlib
import re
import signal
import time
from contextlib import closing

import pytest
import requests

import crowd
from demo_site import ALICE, BOB, NAVIGATE, NGINX, DemoSite, order, sitegen, wait_for, write
from readers import Readers


OFFICE = {
    "sitegen.toml": '[groups]\nhr = { role = "HR" }\n', "site/index.md": "# Home\n", "site/company/index.md": "# Company\n",
    "site/company/hr/index.md": "---\naccess: [hr]\n---\n# Human resources\n",
}


@pytest.fixture
def own_demo(tmp_path):
    """With a site that is built at once."""
    write(tmp_path / "office", OFFICE)
    with closing(DemoSite(CONFIG=str(tmp_path / "office/sitegen.toml"))) as site:
        yield site


def test_ctrl_c_stops_everything(own_demo):
    own_demo.start()
    pids = [own_demo.pid(name) for name in ["nginx", "siteauth", "entra-emulator"]]
    start = time.monotonic()
    code, output = own_demo.interrupt()
    assert code == 0 and "demo: stopped" in output
    assert time.monotonic() - start < 30
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_the_demo_is_ready_when_it_says_so(own_demo, signed_in, tmp_path):
    """Also where nginx is slow to start."""
    slow = tmp_path / "nginx"
    slow.write_text(f'#!/bin/sh\nsleep 1\nexec {NGINX} "$@"\n')
    slow.chmod(0o755)
    own_demo.environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    own_demo.start()
    signed_in(site=own_demo)


@pytest.mark.parametrize("name", ["siteauth", "entra-emulator", "nginx"])
def test_when_one_dies_the_demo_says_which(own_demo, name):
    own_demo.start()
    os.kill(own_demo.pid(name), signal.SIGKILL)
    output = own_demo.process.communicate(timeout=60)[0]
    assert own_demo.process.returncode == 1
    assert f"demo: error: {name} has ended" in output


def test_a_busy_port_is_named_with_its_remedy(demo):
    second = DemoSite()
    second.site_port = demo.site_port
    with pytest.raises(AssertionError) as failure:
        second.start()
    assert f"port {demo.site_port} is in use; run 'SITE_PORT=<another port> make demo'" in str(failure.value)
    second.close()


def test_sigterm_ends_siteauth_while_connections_are_open(own_demo, signed_in):
    own_demo.start()
    alice = signed_in(site=own_demo)
    pid = own_demo.pid("siteauth")
    # nginx keeps connections open; they do not hold the process.
    for _ in range(20):
        assert alice.get(own_demo.url + "/").status_code == 200
    start = time.monotonic()
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: "siteauth: stopped\n" in own_demo.log("siteauth"))
    # A connection that says nothing would have held it for five seconds.
    assert time.monotonic() - start < 4
    own_demo.process.wait(timeout=60)


def test_a_session_outlives_a_restart_and_a_signed_out_one_does_not(own_demo, signed_in):
    own_demo.start()
    alice, bob = signed_in(ALICE, own_demo), signed_in(BOB, own_demo)
    copy = bob.cookies["session"]
    out = bob.post(own_demo.url + "/auth/sign-out", headers={"Origin": own_demo.url}, allow_redirects=False)
    assert out.status_code == 303
    own_demo.interrupt()
    own_demo.process.stdout.close()
    own_demo.start()
    assert alice.get(own_demo.url + "/company/hr/").status_code == 200
    replay = requests.get(
        own_demo.url + "/company/", headers=NAVIGATE | {"Cookie": f"session={copy}"}, allow_redirects=False
    )
    assert replay.status_code == 303


def stop(pid):
    """Until the last of its threads has stopped; the signal alone only asks for it."""
    os.kill(pid, signal.SIGSTOP)
    tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
    wait_for(lambda: all("\nState:\tT" in (task / "status").read_text() for task in tasks))


def test_without_siteauth_nothing_is_shown_and_the_page_says_so(own_demo, signed_in):
    own_demo.start()
    alice = signed_in(site=own_demo)
    stop(own_demo.pid("siteauth"))
    try:
        answer = alice.get(own_demo.url + "/company/hr/", timeout=60)
        assert answer.status_code == 503
        assert "The site is not available" in answer.text
    finally:
        os.kill(own_demo.pid("siteauth"), signal.SIGCONT)


def test_without_entra_readers_notice_nothing_and_others_get_a_page(own_demo, signed_in):
    own_demo.start()
    alice = signed_in(site=own_demo)
    stop(own_demo.pid("entra-emulator"))
    try:
        assert alice.get(own_demo.url + "/company/hr/").status_code == 200
        # Metadata and keys are known, so strangers are still sent there; the code cannot be redeemed.
        stranger = requests.Session()
        begun = stranger.get(own_demo.url + "/", headers=NAVIGATE, allow_redirects=False)
        state = re.search(r"state=([^&]+)", begun.headers["Location"])[1]
        start = time.monotonic()
        answer = stranger.get(f"{own_demo.url}/auth/callback?code=x&state={state}", headers=NAVIGATE, timeout=60)
        assert answer.status_code == 503 and "Try again" in answer.text, own_demo.log("siteauth")[-2000:]
        assert time.monotonic() - start < 15
        # Meanwhile checks are not delayed: they take far less than that wait.
        assert alice.get(own_demo.url + "/company/", timeout=5).status_code == 200
    finally:
        os.kill(own_demo.pid("entra-emulator"), signal.SIGCONT)


SMALL_SITE = {
    "sitegen.toml": 'title = "Flip"\ntemplates = "templates"\n[groups]\nhr = { role = "HR" }\n',
    "site/index.md": "# Home\n",
    "templates/page.html": "<p>{{{content}}}</p>",
    "templates/auth.html": "<!--siteauth:content-->",
    "templates/404.html": "404",
    "templates/503.html": "503",
}


def test_an_office_that_arrives_at_once_gets_in_at_a_slow_entra(own_demo, signed_in):
    own_demo.start()
    alice, bob = signed_in(site=own_demo), signed_in(BOB, site=own_demo)
    people = crowd.gather(own_demo, ALICE, 500)
    # One with whom nobody waits, though whoever invents it comes first.
    invented = [(f"/auth/callback?code=x{index}&state=invented", "a=b") for index in range(100)]
    order(own_demo, "faults", name="slow", endpoint="token", seconds=1, until="further-notice")

    def reads_and_signs_out():
        start = time.monotonic()
        statuses = [
            alice.get(own_demo.url + path, headers=NAVIGATE, timeout=30).status_code
            for path in ["/company/hr/", "/auth/account", "/auth/sign-out"]
        ]
        return statuses, time.monotonic() - start

    answers, others = crowd.return_within_a_second(own_demo, invented + people, reads_and_signs_out)
    statuses = collections.Counter(status for status, _, _ in answers)
    assert statuses == {303: 500, 400: 100}, statuses
    assert all(b"session=" in answer for status, _, answer in answers if status == 303)
    assert all(statuses == [200, 200, 200] for statuses, _ in others), others
    # Each of the three was answered while hundreds waited for longer than a second.
    assert max(seconds for _, seconds in others) < 15, others
    left = bob.post(own_demo.url + "/auth/sign-out", headers={"Sec-Fetch-Site": "same-origin"}, allow_redirects=False)
    assert left.status_code == 303


def test_no_file_is_served_under_another_releases_policy(own_demo, tmp_path, signed_in):
    """A page that is secret in every other release, flipped as fast as it can be built."""
    secret = {"site/page.md": "---\naccess: [hr]\n---\nSECRET\n"}
    open_ = {"site/page.md": "PLAIN\n"}
    write(tmp_path, SMALL_SITE | secret)
    own_demo.environment["CONFIG"] = str(tmp_path / "sitegen.toml")
    own_demo.start()
    bob = signed_in(BOB, own_demo)
    output = str(own_demo.folder / "public")

    def reader():
        session = requests.Session()
        session.cookies.update(bob.cookies)

        def ask():
            answer = session.get(own_demo.url + "/page/", headers=NAVIGATE)
            return answer.status_code, "SECRET" in answer.text

        return ask

    readers = Readers(reader)
    for number in range(60):
        write(tmp_path, open_ if number % 2 else secret)
        assert sitegen(tmp_path, "build", "--output", output).returncode == 0
    # 404 and 5xx are what a reader meets whose release was removed under the request: never here,
    # for several are kept.
    assert set(readers.finish()) == {(200, False), (403, False)}


def test_markdown_renders_a_file_or_standard_input(tmp_path):
    text = "# A *b*\n\n<i>raw</i>\n\n<script>x</script>\n"
    (tmp_path / "a.md").write_text(text)
    for arguments, given in [(["a.md"], None), ([], text)]:
        result = sitegen(tmp_path, "markdown", *arguments, input=given)
        assert result.stdout.startswith('<h1 id="a-b">A <em>b</em></h1>')
        assert "<i>raw</i>" in result.stdout and "<script>" not in result.stdout
    result = sitegen(tmp_path, "markdown", "--commonmark", "--unsafe", input=text)
    assert result.stdout == "<h1>A <em>b</em></h1>\n<p><i>raw</i></p>\n<script>x</script>\n"
    missing = sitegen(tmp_path, "markdown", "none.md")
    assert missing.returncode == 74 and missing.stderr == "sitegen: error: 'none.md': no such file or directory (open)\n"
