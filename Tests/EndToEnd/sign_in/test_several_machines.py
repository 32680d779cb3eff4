"""Three machines behind a balancer: readers notice nothing while parts of them die.
"""

import time
from contextlib import closing

import pytest
import requests

from cluster import Cluster
from demo_site import ALICE, BOB, NAVIGATE, browser, finish, wait_for
from readers import Readers
from redis_server import RedisPair
from secure_site import sign_out


@pytest.fixture
def redis(tmp_path):
    pair = RedisPair(tmp_path)
    yield pair.start()
    pair.stop()


@pytest.fixture
def cluster(demo, redis):
    with closing(Cluster(demo.folder / "public", redis.settings)) as cluster:
        yield cluster.start()


def reader(cluster, cookie):
    """Reads a page again and again."""
    session, fields = browser(cluster), NAVIGATE | {"Cookie": f"__Host-session={cookie}"}
    return lambda: session.get(cluster.url + "/company/", headers=fields, allow_redirects=False, timeout=60).status_code


def ask(cluster, cookie, machine):
    """What one machine answers, which the balancer's cookie names."""
    fields = NAVIGATE | {"Cookie": f"__Host-session={cookie}; machine={machine}"}
    return requests.get(
        cluster.url + "/company/", headers=fields, verify=cluster.authority, allow_redirects=False
    ).status_code


def everywhere(cluster, cookie):
    return {ask(cluster, cookie, machine) for machine in ["one", "two", "three"]}


def test_readers_notice_nothing_while_machines_die_and_sign_outs_count_everywhere(cluster, redis):
    wait_for(lambda: everywhere(cluster, cluster.sign_in()) == {200})
    one, two, three = cluster.machines
    alice = cluster.sign_in()
    readers = Readers(lambda: reader(cluster, alice), count=3)
    try:
        one.kill("siteauth-0")
        time.sleep(1)
        one.again("siteauth-0")
        wait_for(lambda: cluster.up() == 3)
        two.kill("nginx")
        time.sleep(1)
        two.again("nginx")
        wait_for(lambda: cluster.up() == 3)
        three.kill("nginx")
        three.kill("siteauth-0")
        time.sleep(1)
        three.again("siteauth-0")
        three.again("nginx")
        wait_for(lambda: cluster.up() == 3)
        # Redis writes each change to disk, so one that is killed and starts again has lost nothing.
        session = finish(cluster)
        gone = session.cookies["__Host-session"]
        assert everywhere(cluster, gone) == {200}
        sign_out(cluster, session)
    finally:
        statuses = readers.finish()
    assert set(statuses) == {200} and statuses[200] > 200
    time.sleep(1.1)
    assert everywhere(cluster, gone) == {303}
    # What a script ends on one machine counts on the others within a second.
    for whom in [["--user", BOB], ["--group", "hr"]]:
        account = BOB if BOB in whom else ALICE
        ended = cluster.sign_in(account=account)
        assert everywhere(cluster, ended) == {200}
        assert two.revoke(*whom).returncode == 0
        time.sleep(1)
        assert everywhere(cluster, ended) == {303}
        time.sleep(0.2)
    alice = cluster.sign_in()
    redis.primary.stop()
    redis.primary.start()
    wait_for(lambda: everywhere(cluster, alice) == {200})
    assert everywhere(cluster, gone) == {303}
    # The replica becomes the primary, as Sentinel or an administrator does it.
    redis.primary.stop()
    redis.replica.tell("REPLICAOF", "NO", "ONE")
    wait_for(lambda: cluster.up() == 3 and everywhere(cluster, alice) == {200})
    assert everywhere(cluster, gone) == {303}


def test_while_a_release_is_on_its_way_a_reader_stays_at_one_machine(cluster):
    """A page and its style sheet come from one machine, also where the others have another release."""
    wait_for(lambda: everywhere(cluster, cluster.sign_in()) == {200})
    one, two, _ = cluster.machines
    # What is new at the first machine: a page with a style sheet that the others do not have.
    page = one.public / "current/site/company/index.html"
    text = page.read_text()
    style = next(name.name for name in (one.public / "theme").iterdir() if name.suffix == ".css")
    page.with_name("index.html.gz").unlink(missing_ok=True)
    page.write_text(text.replace(style, "style.0123456789abcdef.css"))
    (one.public / "theme/style.0123456789abcdef.css").write_text("body {}")
    reader = finish(cluster)
    reader.cookies.set("machine", "one", domain="localhost.local", path="/")
    shown = {reader.get(cluster.url + "/company/", headers=NAVIGATE).text for _ in range(5)}
    assert len(shown) == 1 and "0123456789abcdef" in shown.pop()
    assert reader.get(cluster.url + "/_theme/style.0123456789abcdef.css").status_code == 200
    # Without the balancer's cookie it may be another machine, which has no such file.
    stranger = {requests.get(cluster.url + "/_theme/style.0123456789abcdef.css", verify=cluster.authority).status_code
                for _ in range(6)}
    assert stranger == {200, 404}
