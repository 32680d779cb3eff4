"""Front-channel sign-out under strangers, and the folders that siteauth keeps for it."""

import collections
import os
import re
import time
import uuid

import requests

from demo_site import wait_for

SIGNS_IN = True


def test_several_processes_and_restarts_know_the_same_sids(own):
    own.serve()
    alice, sid = own.sign_in()
    # The next one takes over the sockets, as a restart would.
    own.siteauth()
    assert own.status(alice) == 200
    assert own.tell(sid) == 200
    wait_for(lambda: own.status(alice) == 303)


def test_a_flood_of_invented_sign_outs_from_the_readers_network_keeps_out_no_real_one(own):
    """Whatever network the calls come from: an office signs out at once, or a colleague's browser invents sids."""
    own.serve()
    alice, sid = own.sign_in()
    assert {own.tell(uuid.uuid4()) for _ in range(2000)} == {200}
    assert own.tell(sid) == 200 and own.status(alice) == 303


def test_an_ipv6_network_is_one_stranger(own):
    own.serve(
        http="set_real_ip_from 127.0.0.1; real_ip_header X-Test-Address;\n"
        "limit_req_zone $client_network zone=networks:1m rate=1r/s;",
        locations="location = /limited { auth_request off; limit_req zone=networks burst=30 nodelay;\n"
        "limit_req_status 429; empty_gif; }",
    )

    def statuses(*addresses):
        url = own.url + "/limited"
        return collections.Counter(
            requests.get(url, headers={"X-Test-Address": address}).status_code for address in addresses
        )

    # Bytes that are a NUL or a line end among them.
    for network in ["2001:db8:0:1", "2001:db8:a0a:a0a", "0:0:0:0"]:
        told = statuses(*(f"{network}:{number:x}::{number:x}" for number in range(1, 60)))
        assert told[429] > 20 and told[200] >= 30, network
    assert statuses("2001:db8:0:2::1", "10.0.0.1", "10.0.0.2") == {200: 3}
    # IPv4 addresses as a socket sees them that takes both.
    assert statuses(*(f"::ffff:10.0.1.{number}" for number in range(1, 60))) == {200: 59}


def test_old_entries_go_and_are_counted_without_a_look_at_the_folder(own):
    ended, known = own.folder / "state/revoked", own.folder / "state/provider-sessions"
    for folder, names, age in [(ended, "ab", 32 * 86_400), (ended, "cde", 86_400), (known, "fg", 1), (known, "h", -600)]:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name).touch()
            os.utime(folder / name, (time.time() - age,) * 2)
    own.serve()

    def counts():
        text = own.metrics()
        return re.findall(r"^siteauth_(?:revocations|provider_sessions) (\d+)$", text, re.MULTILINE)

    wait_for(lambda: counts() == ["3", "1"])
    files = {path.name for path in (own.folder / "state").rglob("*") if path.is_file()}
    assert files >= set("cdeh") and not files & set("abfg")
    # Whoever listed the folder would find these.
    for number in range(100):
        (ended / f"x{number}").touch()
    assert counts() == ["3", "1"]
    # The next process need not list it either: it was done within the hour.
    (own.folder / "state/cleaned").write_text("1234 56\n")
    own.siteauth()
    wait_for(lambda: counts() == ["1234", "56"])
    (own.folder / "state/cleaned").write_text("x")
    own.siteauth()
    wait_for(lambda: counts() == ["103", "1"])
