"""The guarded site behind real programs: nginx with the shipped configuration, siteauth, and the emulator."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from demo_site import ALICE, BOB, NGINX, DemoSite, finish, free_port
from raw_http import Answer
from own_service import OwnService, newest_nginx
from targets.connections import Sender
from targets.guarded_site import BOTH_GROUPS, EVERYTHING, READERS, plant_refused_names, write_site
from targets.properties import Answers, Properties
from targets.release_files import ReleaseFiles
from targets.request import Request
from targets.streams import StreamSender

CAROL = "ca401000-0000-4000-8000-00000000000c"
ACCOUNTS = {"signed in": BOB, "hr": ALICE, "board": CAROL, EVERYTHING: BOTH_GROUPS}


@dataclass(frozen=True)
class Configuration:
    is_newest: bool
    merges_slashes: bool
    precompresses: bool
    # Whether the files are sent by an application behind nginx, which reads the path that nginx passes on.
    by_application: bool = False

    def __str__(self) -> str:
        return ", ".join([
            "newest nginx" if self.is_newest else "Debian's nginx",
            f"merge_slashes {'on' if self.merges_slashes else 'off'}",
            f"precompress {'on' if self.precompresses else 'off'}",
        ]) + (", by an application" if self.by_application else "")


CONFIGURATIONS = [
    Configuration(is_newest, merges, precompresses)
    for precompresses, is_newest, merges in product([False, True], repeat=3)
] + [
    Configuration(is_newest, merges, precompresses=True, by_application=True)
    for is_newest, merges in product([False, True], repeat=2)
]
# Everything but the addresses that are not the site's.
APPLICATION = """
location ~ ^/(?!auth/|auth$|_theme/|_errors/) {{
    include snippets/siteauth/application.conf;
    proxy_pass http://127.0.0.1:{port};
}}
"""
# It protects nothing: whoever reaches it is sent the file of the path that they reach it with.
FILE_SERVER = """
server {{
    listen 127.0.0.1:{port};
    root {site};
    location / {{ try_files $uri $uri/index.html =404; }}
}}
"""


class GuardedService:
    """One nginx and one siteauth, and the cookies of each reader."""

    def __init__(self, demo: DemoSite, own: OwnService, stream_port: int, release: ReleaseFiles) -> None:
        self.demo = demo
        self.own = own
        # siteauth has the demo's secrets, and with them its origin.
        self.properties = Properties(release, [demo.url, demo.entra])
        self.sender, self.stream_sender = Sender(own.port), StreamSender(stream_port, own.port)
        self.cookies = {reader: b"" for reader in READERS}
        self.requests_sent = 0

    def sign_in(self) -> None:
        for reader, account in ACCOUNTS.items():
            session = finish(self.demo, account=account)
            self.cookies[reader] = f"session={session.cookies['session']}".encode()

    def ask(self, asked: list[tuple[Request, str]]) -> list[list[Answer]]:
        answers: list[list[Answer]] = [[] for _ in asked]
        for sender, is_stream in [(self.sender, False), (self.stream_sender, True)]:
            part = [
                (number, request, reader) for number, (request, reader) in enumerate(asked)
                if (request.version == b"h2") == is_stream
            ]
            found = sender.ask([(request, self.cookies[reader]) for _, request, reader in part])
            for (number, _, _), several in zip(part, found, strict=True):
                answers[number] = several
        self.requests_sent += len(asked)
        return answers

    def judge(self, requests: list[Request], reader_of: Callable[[Request], list[str]]) -> Iterator[tuple[Request, list[str]]]:
        """Each request with the properties that do not hold.

        It is asked as the reader of everything and as those of `reader_of`; if the first is sent a file, as all.
        """
        asked = [(request, [EVERYTHING, *(reader for reader in reader_of(request) if reader != EVERYTHING)]) for request in requests]
        answers = self.ask_each(asked)
        rest = [
            (request, [reader for reader in READERS if reader not in by_reader])
            for (request, _), by_reader in zip(asked, answers, strict=True)
        ]
        again = [
            index for index, (request, readers) in enumerate(rest)
            if readers and any(self.properties.sent(request, answer) for answer in answers[index][EVERYTHING])
        ]
        for index, more in zip(again, self.ask_each([rest[index] for index in again]), strict=True):
            answers[index] |= more
        for request, by_reader in zip(requests, answers, strict=True):
            yield request, self.properties.violations(request, by_reader)

    def ask_each(self, asked: list[tuple[Request, list[str]]]) -> list[Answers]:
        flat = [(request, reader) for request, readers in asked for reader in readers]
        answers = iter(self.ask(flat))
        return [{reader: next(answers) for reader in readers} for _, readers in asked]


@contextmanager
def guarded_demo(precompresses: bool) -> Iterator[tuple[DemoSite, ReleaseFiles]]:
    """The site, built and served, with the names that sitegen refuses put into its release."""
    with TemporaryDirectory(prefix="targets-") as folder:
        configuration = write_site(Path(folder), precompresses)
        with closing(DemoSite(CONFIG=str(configuration))) as demo:
            demo.start()
            release = os.path.realpath(demo.folder / "public/current").encode()
            plant_refused_names(os.path.join(release, b"site"))
            yield demo, ReleaseFiles(release, bytes(demo.folder / "public/theme"))


@contextmanager
def guarded_service(demo: DemoSite, release: ReleaseFiles, configuration: Configuration,
                    change: Callable[[Path], None] = lambda folder: None) -> Iterator[GuardedService]:
    """`change` alters the copy of nginx's files, to show what is noticed."""
    program = newest_nginx() if configuration.is_newest else NGINX
    with closing(OwnService(demo, program)) as own:
        change(own.folder / "snippets/siteauth")
        own.siteauth()
        stream_port, application_port = free_port(), free_port()
        locations = f"listen 127.0.0.1:{stream_port} http2; merge_slashes {'on' if configuration.merges_slashes else 'off'};"
        http = "keepalive_requests 100000;"
        if configuration.by_application:
            locations += APPLICATION.format(port=application_port)
            release = release.sent_by_application()
            http += FILE_SERVER.format(port=application_port, site=demo.folder / "public/current/site")
        own.nginx(locations, http)
        service = GuardedService(demo, own, stream_port, release)
        service.sign_in()
        yield service
