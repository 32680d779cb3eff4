"""Ended sessions in a Redis for several machines."""

import re
import shutil
import subprocess
import time

import pytest

from demo_site import BOB, free_port, wait_for
from own_service import BIN
from secure_site import finish, sign_out


@pytest.fixture
def own(own):
    own.takes_sign_ins()
    return own


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
    # Good news is no error.
    log = site.log("siteauth-0") + site.log("siteauth-1")
    assert "siteauth: the list of ended sessions can be reached again" in log
    done = site.revoke("--all")
    assert done.returncode == 0, done.stderr
    time.sleep(1.1)
    assert site.statuses(other) == {303}


def check_config(own):
    command = [BIN / "siteauth", "check-config", "--config", own.secrets]
    return subprocess.run(command, capture_output=True, text=True)


def asked(own):
    """What check-config says once Redis has answered it: a busy machine may take its time."""
    answers = []

    def has_answered():
        answers.append(check_config(own))
        return not re.search("cannot be reached|in time", answers[-1].stderr)

    wait_for(has_answered)
    return answers[-1]


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "allkeys-random"])
def test_a_redis_that_forgets_is_refused(own, redis, policy):
    """What it forgets first are ended sessions, and with them those that strangers end."""
    own.secrets.write_text(own.secrets.read_text() + f'redis = "{redis.url}"\n')
    assert asked(own).returncode == 0
    redis.restart("--maxmemory-policy", policy)
    problem = f"siteauth: error: Redis would forget ended sessions when its memory is full, so nobody is let in: " \
        f"its 'maxmemory-policy' is '{policy}'; it must be 'noeviction'\n"
    done = asked(own)
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
        own.status(own.sign_in()[0]), process.log.read_text())[1])
    assert own.status(own.sign_in()[0]) == 303


def test_a_redis_that_tells_little_is_believed_and_warned_of(own, redis):
    """With rules of access that allow what is needed, and with a name that is looked up."""
    rules = "siteauth on >narrow ~* resetchannels -@all +ping +mget +set +exists +select"
    redis.restart("--user", *rules.split())
    own.secrets.write_text(own.secrets.read_text() + f'redis = "{redis.named}"\n')
    done = asked(own)
    assert done.returncode == 0
    assert done.stderr.endswith("siteauth: warning: Redis does not allow reading its 'maxmemory-policy'; it must be 'noeviction'\n")
    own.siteauth()
    own.nginx()
    alice, sid = own.sign_in()
    assert own.status(alice) == 200
    assert own.tell("11111111-aaaa-4000-8000-000000000001") == own.tell(sid) == 200
    time.sleep(1.1)
    assert own.status(alice) == 303
