"""What an application behind nginx says to nginx itself, and what it says for the whole host."""

import time
from contextlib import ExitStack, closing

import pytest
import requests

from own_service import NGINXES, OwnService
from speakers import BODY, SPEAKERS, speaking

# What nginx would obey, and a word of the answer that shows it.
FOR_NGINX = [
    ("X-Accel-Redirect", "/_errors/503.html"),
    ("X-Accel-Charset", "koi8-r"),
    ("X-Accel-Limit-Rate", "1000"),
    ("X-Accel-Expires", "3600"),
]
FOR_THE_HOST = [
    ("Clear-Site-Data", '"*"'),
    ("Service-Worker-Allowed", "/"),
    ("Strict-Transport-Security", "max-age=0"),
    ("Alt-Svc", 'h2="elsewhere.example:443"'),
    ("NEL", '{"report_to":"elsewhere","max_age":9}'),
]
OWN = [("Content-Type", "text/html"), ("Content-Security-Policy", "default-src 'self'"), ("X-Own", "stays")]


@pytest.fixture(scope="module", params=NGINXES)
def answers(request, demo):
    """For each protocol, a location whose application says all of this at once."""
    with ExitStack() as stack:
        ports = {name: stack.enter_context(speaking(name, FOR_NGINX + FOR_THE_HOST + OWN)) for name in SPEAKERS}
        scheme = {"proxy": "http://", "grpc": "grpc://"}
        own = stack.enter_context(closing(OwnService(demo, request.param)))
        own.serve("".join(
            f"location /press/{name}/ {{ include snippets/siteauth/application.conf; "
            f"{name}_pass {scheme.get(name, '')}127.0.0.1:{port}; }}\n" for name, port in ports.items()
        ))
        assert own.log() == ""
        yield own


@pytest.mark.parametrize("protocol", SPEAKERS)
def test_nginx_obeys_no_field_of_an_application(answers, protocol):
    began = time.monotonic()
    answer = requests.get(f"{answers.url}/press/{protocol}/x", timeout=60)
    assert answer.status_code == 200 and answer.content == (BODY[:16_000] if protocol == "grpc" else BODY)
    assert "koi8-r" not in answer.headers["Content-Type"]
    # At 1,000 bytes a second it would take a minute.
    assert time.monotonic() - began < 20
    for name, _ in FOR_NGINX:
        assert name not in answer.headers
    assert answer.headers["X-Own"] == "stays" and "Content-Security-Policy" in answer.headers


@pytest.mark.parametrize("protocol", SPEAKERS)
def test_no_field_of_an_application_holds_for_the_whole_host(answers, protocol):
    answer = requests.get(f"{answers.url}/press/{protocol}/x", timeout=60)
    assert answer.status_code == 200 and not {name for name, _ in FOR_THE_HOST} & set(answer.headers)
