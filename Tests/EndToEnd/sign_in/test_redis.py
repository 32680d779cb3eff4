"""Ended sessions in a Redis for several machines."""

import re
import subprocess
import time

import pytest

from demo_site import ALICE, BIN, BOB, ROOT, finish, wait_for
from secure_site import sign_out

SIGNS_IN = True


def test_two_machines_share_a_redis(secure, redis):
    site = secure(f'redis = "{redis.url}"', states=("one", "two"))
    wait_for(lambda: {200} == site.statuses(finish(site).cookies["__Host-session"]))
    alice, bob = finish(site), finish(site, account=BOB)
    copy, other = alice.cookies["__Host-session"], bob.cookies["__Host-session"]
    wait_for(lambda: site.statuses(copy) == site.statuses(other) == {200})
    sign_out(site, alice)
    # What another machine was told a second ago still holds there.
    time.sleep(1.1)
    assert site.statuses(copy) == {303}
    wait_for(lambda: site.statuses(other) == {200})
    # A Redis that is lost lets nobody in, quickly, and is heard of in the log.
    redis.stop()
    time.sleep(1.1)
    start = time.monotonic()
    assert site.statuses(other) == {303}
    # Where each request waits for Redis, it is eight and more.
    assert time.monotonic() - start < 7
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


def asked(own):
    """What check-config says once Redis has answered it: a busy machine may take its time."""
    answers = []

    def has_answered():
        answers.append(own.check_config())
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


# The commands and keys of the handbook (how-to/several-machines.md), and nothing else.
RULES = "siteauth on >narrow ~siteauth:{origin}:ended:* ~siteauth:{origin}:provider-session:* resetchannels -@all +mget +set +role +info"


def test_the_rules_of_the_handbook_suffice(own, redis):
    """With a name that is looked up, and with everything that siteauth does at Redis."""
    page = (ROOT / "site/handbook/how-to/several-machines.md").read_text()
    assert RULES.format(origin="https://docs.example.com") in page.replace('"', "").replace("a-long-password", "narrow")
    redis.restart("--user", *RULES.format(origin=own.url).split())
    own.secrets.write_text(own.secrets.read_text() + f'redis = "redis://siteauth:narrow@localhost:{redis.port}"\n')
    done = asked(own)
    assert (done.returncode, done.stderr) == (0, "")
    process = own.serve()
    # A sign-in in the second in which the list begins does not count.
    wait_for(lambda: own.status(own.sign_in()[0]) == 200)
    alice, sid = own.sign_in()
    wait_for(lambda: own.status(alice) == 200)
    assert own.tell("11111111-aaaa-4000-8000-000000000001") == own.tell(sid) == 200
    time.sleep(1.1)
    assert own.status(alice) == 303
    wait_for(lambda: own.status(own.sign_in()[0]) == 200)
    warnings = re.findall("(?:warning|error): .*", process.log.read_text())
    warnings = [text for text in warnings if "cannot be reached" not in text]
    assert len(warnings) == 1 and "Redis has no list of ended sessions: it is new" in warnings[0]
    # Every rule is needed. Redis forbids what it is told while connections are open.
    administrator = ["ACL", "SETUSER", "siteauth"]
    for rule, problem in [("mget", "cannot be reached"), ("role", "does not tell its role"), ("set", "does not record")]:
        redis.tell(*administrator, f"-{rule}")
        wait_for(lambda: own.status(own.sign_in()[0]) == 303 or "does not record" in process.log.read_text())
        wait_for(lambda: problem in process.log.read_text())
        redis.tell(*administrator, f"+{rule}")
        wait_for(lambda: own.status(own.sign_in()[0]) == 200)
    redis.tell(*administrator, "-info")
    assert asked(own).stderr.endswith("Redis does not allow reading its 'maxmemory-policy'; it must be 'noeviction'\n")


def test_what_redis_is_told_names_sessions_and_accounts_by_id_alone(own, redis):
    own.secrets.write_text(own.secrets.read_text() + f'redis = "{redis.url}"\n')
    own.serve()
    wait_for(lambda: own.status(own.sign_in()[0]) == 200)
    alice, sid = own.sign_in()
    own.sign_out(alice)
    own.tell(own.sign_in()[1])
    assert own.revoke("--user", ALICE) == 0
    keys = redis.tell("KEYS", "*").splitlines()
    # The names of version 0.1.0.
    assert set((ROOT / "Tests/Versions/0.1.0/redis").read_text().replace("http://localhost:8080", own.url).split()) <= set(keys)
    kinds = {re.sub(r"[0-9a-f]{32}", "ID", key.removeprefix(f"siteauth:{own.url}:")) for key in keys}
    assert kinds <= {"ended:ID", "ended:everybody", "ended:probe", "ended:sid-ID", "ended:account-ID", "provider-session:sid-ID"}
    assert {"ended:ID", "ended:everybody", "ended:sid-ID", "ended:account-ID", "provider-session:sid-ID"} <= kinds
    for key in keys:
        assert re.fullmatch(r"\d{1,10}", redis.tell("GET", key)), key
        # The id of a session stands in the cookie, encrypted.
        assert not any(key.rsplit(":")[-1] in value for value in alice.cookies.values())
    # All names end by themselves but the one that says that the list is whole.
    assert [key for key in keys if redis.tell("TTL", key) == "-1"] == [f"siteauth:{own.url}:ended:everybody"]
