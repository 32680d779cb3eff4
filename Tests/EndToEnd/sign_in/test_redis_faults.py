"""What readers meet while the Redis with the ended sessions has a fault, and what the operator hears."""

import re
import time

import pytest

from demo_site import ALICE, finish, wait_for
from redis_server import RedisServer
from secure_site import sign_out

SIGNS_IN = True
LOST = "the list of ended sessions cannot be reached, so nobody is let in"
BACK = "the list of ended sessions can be reached again"
REFUSED = "Redis does not record ended sessions, so signing out fails"


@pytest.fixture
def other(tmp_path):
    server = RedisServer(tmp_path / "other").start()
    yield server
    server.stop()


def serve(own, *urls):
    """A siteauth and an nginx, and Alice, who is signed in; the log of siteauth."""
    listed = ", ".join(f'"{url}"' for url in urls)
    own.secrets.write_text(own.secrets.read_text() + f"redis = [{listed}]\n")
    process = own.serve()
    wait_for(lambda: own.status(own.sign_in()[0]) == 200)
    return own.sign_in()[0], process.log


def gauges(own):
    found = re.findall(r"^(siteauth_redis_\S+|siteauth_events_total\S+) (\S+)$", own.metrics(), re.M)
    return {name: float(value) for name, value in found}


def lasts(own, reader, status):
    """Waits until a reader gets that status; the seconds that it took."""
    start = time.monotonic()
    wait_for(lambda: own.status(reader) == status)
    return time.monotonic() - start


def test_a_frozen_redis_lets_nobody_in_and_is_reported_once(own, redis):
    alice, log = serve(own, redis.url)
    lost, back = log.read_text().count(LOST), log.read_text().count(BACK)
    redis.freeze()
    assert lasts(own, alice, 303) < 20
    # While it stays so, a check waits for it once a second at most.
    start = time.monotonic()
    assert {own.status(alice) for _ in range(20)} == {303}
    assert time.monotonic() - start < 10
    assert gauges(own)["siteauth_redis_up"] == 0
    redis.thaw()
    lasts(own, alice, 200)
    assert (log.read_text().count(LOST), log.read_text().count(BACK)) == (lost + 1, back + 1)
    assert "Redis did not answer in time" in log.read_text()
    after = gauges(own)
    assert after["siteauth_redis_up"] == 1 and after['siteauth_redis_questions_total{outcome="failed"}'] >= 1
    assert after['siteauth_events_total{event="problem",level="error"}'] >= 1
    assert after['siteauth_events_total{event="problem",level="notice"}'] >= 1


def test_after_all_data_is_lost_everybody_signs_in_again(own, redis):
    alice, log = serve(own, redis.url)
    gone = own.sign_in()[0]
    own.sign_out(gone)
    redis.forget()
    lasts(own, alice, 303)
    wait_for(lambda: log.read_text().count("all sessions until now have ended") == 2)
    # A sign-in in the same second would have ended with them.
    time.sleep(1.1)
    wait_for(lambda: own.status(own.sign_in()[0]) == 200)
    assert own.status(gone) == own.status(alice) == 303
    redis.tell("FLUSHALL")
    own.sign_in()
    wait_for(lambda: log.read_text().count("all sessions until now have ended") == 3)


@pytest.fixture
def snapshot(secure, redis):
    """Without 'appendonly', Redis starts with what it wrote to disk: here, before the first of two signed out."""
    redis.restart("--appendonly", "no")
    site = secure(f'redis = "{redis.url}"', states=("one", "two"))
    wait_for(lambda: site.statuses(finish(site).cookies["__Host-session"]) == {200})
    alice, bob = finish(site), finish(site)
    copy, other = alice.cookies["__Host-session"], bob.cookies["__Host-session"]
    redis.tell("SAVE")
    sign_out(site, alice)
    return site, copy, other


def test_what_an_old_snapshot_lacks_is_added_by_the_machine_that_knows_it(snapshot, redis):
    site, copy, other = snapshot
    assert site.statuses(other) == {200}
    site.revoke("--user", "11111111-aaaa-4000-8000-000000000099", state="one")
    redis.stop()
    redis.start("--appendonly", "no")
    # Each machine looks for Redis once a second, whether somebody asks or not.
    wait_for(lambda: redis.tell("KEYS", "*account*"))
    wait_for(lambda: site.statuses(copy) == {303} and site.statuses(other) == {200})
    assert "its 'appendonly' is 'no'; set 'appendonly yes'" in site.log("siteauth-0")


def test_an_old_snapshot_that_takes_no_entries_lets_nobody_in(snapshot, redis):
    """Other machines may have ended sessions that it lacks, and could not add them."""
    site, copy, other = snapshot
    redis.restart("--appendonly", "no", "--maxmemory", "1")
    wait_for(lambda: all("may lack entries, and takes none: OOM" in site.log(f"siteauth-{number}") for number in (0, 1)))
    assert site.statuses(copy) == site.statuses(other) == {303}
    redis.tell("CONFIG", "SET", "maxmemory", "0")
    wait_for(lambda: site.statuses(other) == {200})
    assert site.statuses(copy) == {303}


def test_a_lost_list_is_noticed_though_all_sessions_were_ended_before(own, redis):
    alice, log = serve(own, redis.url)
    assert own.revoke("--all") == 0
    lasts(own, alice, 303)
    time.sleep(1.1)
    gone = own.sign_in()[0]
    assert own.status(gone) == 200
    own.sign_out(gone)
    # A machine that is no more had ended it.
    for entry in (own.folder / "state/revoked").iterdir():
        if entry.name != "everybody":
            entry.unlink()
    redis.forget()
    wait_for(lambda: log.read_text().count("all sessions until now have ended") == 2)
    assert own.status(gone) == 303


def test_a_list_of_a_newer_version_lets_nobody_in_and_stays_as_it_is(own, redis):
    alice, _ = serve(own, redis.url)
    epoch, newer = f"siteauth:{own.url}:ended:everybody", "'siteauth-ended 2' was made by a newer siteauth"
    redis.tell("SET", epoch, "siteauth-ended 2")
    lasts(own, alice, 303)
    assert own.revoke("--all") == own.revoke("--user", ALICE) == 1
    # Another process does not add what the folder of this machine has, either.
    log = own.siteauth().log
    wait_for(lambda: f"{LOST}: {newer}" in log.read_text())
    assert own.status(alice) == 303 and redis.tell("GET", epoch) == "siteauth-ended 2"


def test_what_was_evicted_is_added_again(own, redis):
    alice, log = serve(own, redis.url)
    own.sign_out(own.sign_in()[0])
    entries = {f"siteauth:{own.url}:ended:{entry.name}" for entry in (own.folder / "state/revoked").iterdir()}
    assert entries
    redis.tell("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    # siteauth asks for the policy once a minute, and on each new connection after a failure.
    redis.tell("CLIENT", "KILL", "TYPE", "normal")
    lasts(own, alice, 303)
    redis.tell("DEL", *entries)
    redis.tell("CONFIG", "SET", "maxmemory-policy", "noeviction")
    redis.tell("CLIENT", "KILL", "TYPE", "normal")
    lasts(own, alice, 200)
    wait_for(lambda: entries <= set(redis.tell("KEYS", "*").splitlines()))
    assert "Redis keeps all ended sessions again" in log.read_text()


def test_a_replica_takes_over(own, redis, other):
    other.follow(redis)
    alice, log = serve(own, redis.url, other.url)
    # A primary sends its changes some time after it has confirmed them.
    wait_for(lambda: redis.tell("DBSIZE") == other.tell("DBSIZE"))
    redis.stop()
    lasts(own, alice, 303)
    assert f"127.0.0.1:{other.port}: it is a replica" in log.read_text()
    other.tell("REPLICAOF", "NO", "ONE")
    lasts(own, alice, 200)
    # The former primary comes back and does not know yet that it is none any more: who is
    # connected stays where it is, and who comes new asks both.
    redis.start()
    time.sleep(1.1)
    lasts(own, alice, 200)
    both = f"127.0.0.1:{redis.port} and 127.0.0.1:{other.port} are both primaries"
    wait_for(lambda: both in own.check_config().stderr)
    redis.follow(other)
    wait_for(lambda: own.check_config().stderr == "")
    # Back, while all connections stay open: nobody notices.
    other.tell("FAILOVER")
    wait_for(lambda: "role:master" in redis.tell("INFO", "replication"))
    lasts(own, alice, 200)
    gone = own.sign_in()[0]
    assert gone.post(own.url + "/auth/sign-out", headers={"Origin": own.url}, allow_redirects=False).status_code == 303
    assert log.read_text().count(LOST) in (1, 2)


def test_a_replica_alone_lets_nobody_in(own, redis, other):
    alice, log = serve(own, redis.url)
    redis.follow(other)
    assert lasts(own, alice, 303) < 20
    wait_for(lambda: "it is a replica" in log.read_text())
    redis.tell("REPLICAOF", "NO", "ONE")
    # A replica takes over all data of its primary, which had none.
    wait_for(lambda: own.status(own.sign_in()[0]) == 200)


def test_a_full_redis_is_told_to_who_signs_out_and_learns_of_it_later(own, redis):
    alice, log = serve(own, redis.url)
    gone = own.sign_in()[0]
    redis.tell("CONFIG", "SET", "maxmemory", "1")
    answer = own.sign_out(gone)
    assert answer.status_code == 500 and "in this browser only" in answer.text
    wait_for(lambda: REFUSED in log.read_text())
    # This machine knows what it ended. Reading goes on, and so do readers.
    lasts(own, gone, 303)
    lasts(own, alice, 200)
    assert gauges(own)["siteauth_redis_writable"] == 0
    redis.tell("CONFIG", "SET", "maxmemory", "0")
    wait_for(lambda: any((own.folder / "state/revoked" / key.rpartition(":")[2]).exists()
                         for key in redis.tell("KEYS", "*:ended:*").splitlines()))
    assert log.read_text().count(REFUSED) == log.read_text().count("Redis records ended sessions again") == 1
    lasts(own, alice, 200)
    assert gauges(own)["siteauth_redis_writable"] == 1


def test_a_wrong_password_is_reported_and_not_shown(own, redis):
    alice, log = serve(own, redis.url)
    redis.restart("--requirepass", "changed")
    lasts(own, alice, 303)
    wait_for(lambda: "WRONGPASS" in log.read_text())
    assert "secret" not in log.read_text() and "changed" not in log.read_text()
    redis.restart("--appendonly", "yes")
    lasts(own, alice, 200)
