"""How long one sign-in at the emulator takes: the sign-in page, picking an account, a code for tokens.

Every request has a connection of its own. The medians of 50 are printed. Nothing passes or fails.
"""

import http.client
import json
import pathlib
import statistics
import sys
import time
from urllib.parse import parse_qs, urlencode, urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))

from emulator import ALICE, APPLICATION, SECRET, TENANT, Emulator  # noqa: E402

ROUNDS = 50
REDIRECT_URI = "http://localhost:3000/getAToken"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Connection": "close"}


def send(port, method, path, form=None):
    """Milliseconds, and the answer with its body."""
    body = urlencode(form) if form else None
    start = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body, FORM if form else {"Connection": "close"})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return (time.monotonic() - start) * 1000, answer, content


def sign_in(port):
    """Milliseconds of the three steps."""
    query = {
        "client_id": APPLICATION, "response_type": "code", "redirect_uri": REDIRECT_URI,
        "scope": "openid profile offline_access User.Read", "nonce": "n", "state": "s",
    }
    authorize = f"/{TENANT}/oauth2/v2.0/authorize?{urlencode(query)}"
    page, answer, content = send(port, "GET", authorize)
    assert answer.status == 200 and b"Alice" in content, content
    picked, answer, content = send(port, "POST", authorize, {"account": ALICE})
    assert answer.status == 302, content
    code = parse_qs(urlsplit(answer.headers["Location"]).query)["code"][0]
    redemption = {
        "grant_type": "authorization_code", "client_id": APPLICATION, "client_secret": SECRET,
        "code": code, "redirect_uri": REDIRECT_URI,
    }
    tokens, answer, content = send(port, "POST", f"/{TENANT}/oauth2/v2.0/token", redemption)
    assert "id_token" in json.loads(content), content
    return page, picked, tokens


def main():
    emulator = Emulator(is_encrypted=False)
    try:
        emulator.start()
        sign_in(emulator.port)
        rounds = [sign_in(emulator.port) for _ in range(ROUNDS)]
        page, picked, tokens = (statistics.median(step) for step in zip(*rounds))
        totals = [sum(steps) for steps in rounds]
        print(f"one sign-in, {ROUNDS} times: median {statistics.median(totals):.1f} ms, slowest {max(totals):.1f} ms "
              f"(sign-in page {page:.1f}, account {picked:.1f}, tokens {tokens:.1f})")
    finally:
        emulator.close()


if __name__ == "__main__":
    main()
