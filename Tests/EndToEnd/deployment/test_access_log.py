"""What nginx's access log says of a request, in the two formats of the shipped http.conf, and siteauth's JSON beside it."""

import json
import re
import subprocess

import pytest
import requests

import raw_http
from demo_site import ALICE, NAVIGATE, ROOT, TENANT, wait_for
from handbook_pages import page
from own_service import cookie


@pytest.fixture
def logged(own, signed_in):
    """A function that asks for a target and returns both lines of the log."""
    formats = "".join(re.findall(r"^log_format .*?;\n", (ROOT / "nginx/http.conf").read_text(), re.M | re.S))
    names = re.findall(r"log_format (\w+)", formats)
    own.serve(locations="".join(f"access_log {own.folder}/{name} {name};" for name in names), http=formats)
    alice, sent = cookie(signed_in())["Cookie"], [0]

    def send(target):
        raw_http.ask(own.port, target.decode("latin-1"), "Sec-Fetch-Mode: navigate", cookie=alice)
        sent[0] += 1
        logs = [own.folder / name for name in names]
        wait_for(lambda: all(log.read_bytes().count(b"\n") == sent[0] for log in logs))
        plain, structured = (log.read_bytes().splitlines()[-1] for log in logs)
        return plain.decode("ascii"), json.loads(structured)

    return send


def test_a_line_has_the_path_that_was_asked_for(logged):
    for target, status in [("/company/hr/", 200), ("/company/nowhere/", 404), ("/company/board/", 403),
                           ("/auth/signed-out", 200), ("/company/%C3%A4%22%5C/", 403), ("/auth/check", 404)]:
        plain, structured = logged(target.encode())
        request = structured["request"]
        assert re.search(rf' "GET {re.escape(target)}" {status} \d+ {request}$', plain), plain
        assert (structured["method"], structured["path"], structured["status"]) == ("GET", target, status)
        assert structured["seconds"] >= 0 and structured["bytes"] > 0 and structured["address"] == "127.0.0.1"
        assert re.fullmatch(r"[0-9a-f]{32}", request)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", structured["time"])


@pytest.mark.parametrize("target, path", [
    (b"/company/?code=secret", "/company/"),
    (b"/company/?", "/company/"),
    (b"/a?b?code=secret", "/a"),
    (b"http://localhost/company/?code=secret", "/company/"),
    (b"/" + b"a" * 199, "/" + "a" * 199),
    (b"/" + b"a" * 200, "/" + "a" * 199 + "..."),
    (b"/" + b"a" * 300 + b"?code=secret", "/" + "a" * 199 + "..."),
    # What no browser sends, and what would end a line or a text of JSON.
    (b'/a"b\\c', '/a"b\\c'),
    (b"/a\xff\xfe?code=secret", "/a..."),
    (b"/a\x1b[2J", None),
    (b"/a%0d%0aGET", "/a%0d%0aGET"),
    (b"?code=secret", None),
])
def test_neither_a_query_nor_strange_bytes_reach_the_log(logged, target, path):
    plain, structured = logged(target)
    assert structured["path"] == (path or "")
    assert "secret" not in plain + json.dumps(structured) and len(plain) < 400
    shown = (path or "").replace("\\", "\\x5C").replace('"', "\\x22") or "-"
    assert f'GET {shown}"' in plain or path is None, plain


def test_a_json_line_of_siteauth_says_who_where_and_from_where(own):
    """Beside the message; the schema is checked when 'own' ends."""
    own.takes_sign_ins()
    log = own.siteauth("--log-format", "json").log
    own.nginx()
    alice, _ = own.sign_in()
    forbidden = alice.get(own.url + "/company/board/?code=secret", headers=NAVIGATE)
    requests.get(own.url + "/auth/callback?code=secret&state=x", headers=NAVIGATE)
    own.tell("no-session-of-ours")
    lines = {line["event"]: line for line in map(json.loads, log.read_text().splitlines())}
    reader = {"user": ALICE, "tenant": TENANT, "groups": ["hr"], "address": "127.0.0.1"}
    assert reader.items() <= lines["sign_in"].items() and lines["sign_in"]["path"] == "/"
    assert forbidden.status_code == 403 and reader.items() <= lines["forbidden"].items()
    assert lines["forbidden"]["path"] == "/company/board/"
    refused = lines["sign_in_refusal"]
    assert refused["address"] == "127.0.0.1" and refused["user"] is refused["groups"] is refused["path"] is None
    assert lines["start"]["address"] is lines["start"]["request"] is None
    assert lines["start"]["timestamp"].startswith("20") and "secret" not in log.read_text()
    # The handbook's questions to the journal: who signed in, and who was refused where.
    blocks = [block.text for block in page("how-to/watch.md").blocks if "fromjson?" in block.text]
    # The real journalctl, which has no lines here, judges the options.
    journal = f'journalctl() {{ command journalctl -D "{own.folder}" -q "$@"; echo Started.; cat "{log}"; }}\n'
    answers = [subprocess.run(["bash", "-euc", journal + text], capture_output=True, text=True).stdout for text in blocks]
    assert answers == [f"{lines['sign_in']['timestamp']} {ALICE} 127.0.0.1 [\"hr\"]\n",
                       f"{lines['forbidden']['timestamp']} {ALICE} /company/board/ [\"hr\"]\n"]
