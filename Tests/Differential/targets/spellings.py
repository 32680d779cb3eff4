"""Random request targets: paths of the site, spelled in ways that two programs may read differently."""

import random
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import quote

from targets.guarded_site import ALIASES, ASSETS, GENERATED, PAGES, REFUSED_NAMES
from targets.request import Request

DOTS = [
    b".", b"..", b"%2e", b"%2E", b"%2e%2e", b".%2e", b"%2E.", b"%252e%252e", b"..;", b"..;x=1", b"%2e%2e;", b"..%00", b"..%20",
    b"..%09", b". .", b"...", b"....", b"%c0%ae%c0%ae", b"%c0.%c0.", b"%e0%80%ae%e0%80%ae", b"%f0%80%80%ae", b"%uff0e%uff0e",
    b"%ef%bc%8e%ef%bc%8e", b"\xc0\xae\xc0\xae", b"%u002e%u002e", b"%%32e%%32e", b"%2%65%2%65", b"..%5c", b"..\\", b"..%0a",
    b"\xe2\x80\xa5", b"..%ff", b"%2e%2e%2f..", b"..%2f", b".%00.",
]
SLASHES = [
    b"//", b"///", b"/./", b"/.//", b"/%2e/", b"\\", b"/\\", b"\\/", b"%5c", b"%5C", b"/%5c", b"%2f", b"%2F", b"%252f", b"%25252f",
    b";/", b"/;/", b"/;x=y/", b";x/", b"%3b/", b"%c0%af", b"%c1%9c", b"%e0%80%af", b"%f0%80%80%af", b"%u2215", b"%uff0f",
    b"%ef%bc%8f", b"\xef\xbc\x8f", b"%%32f", b"%2%66", b"/x/../", b"/x/%2e%2e/", b"/x%2f..%2f", b"/%20/", b"/%00/", b"\xc0\xaf",
    b"%0a/", b"/%09", b"?/", b"%3f/", b"#/", b"%23/", b"/..//", b"/x//../", b"//../", b"/x/..//../",
]
ENDINGS = [
    b"/", b"//", b"/.", b"/..", b"/../", b"/./", b".", b"..", b"%2e", b" ", b"%20", b"%20/", b"+", b"%00", b"%00.css", b"\x00", b";",
    b";.css", b";x=1/", b"%3b.js", b".gz", b".gz/", b".br", b".html", b".md", b"~", b".bak", b"::$DATA", b"%0a", b"%0d%0a", b"%09",
    b"index.html", b"/index.html", b"/index.html/", b"/index.html/.", b"/index.html/..", b"index.html.gz", b"/index.htm",
    b"/INDEX.HTML", b"/index%2ehtml", b"/%69ndex.html", b"?", b"?x", b"?/../hr/", b"?.css", b"%3f", b"%3f.css", b"#", b"#/press/",
    b"%23", b"%23/../", b"#?", b"?#", b"%", b"%2", b"%zz", b"%u0000", b"\xff", b"%ff", b"%c3", b"\xc3", b"%ef%bf%bd", b"*", b"|",
    b"\"", b"<", b">", b"^", b"`", b"{", b"}", b"[", b"]", b"\xc2\xa0", b"%c2%a0", b"%e2%80%8b", b"%ef%bb%bf", b"%cc%88",
]
# What file systems and servers are known to leave out at the end of a name.
IGNORED_ENDINGS = [b".", b"%2e", b"%20", b"%20.", b"~", b"+", b";x", b"%00", b"%c2%a0", b"::$DATA", b"%cc%88"]
# Addresses that nginx answers in its own way.
OWN = [
    b"/_theme/", b"/_theme", b"/_theme/x", b"/_theme/icons/", b"/_errors/", b"/_errors/404.html", b"/_search/", b"/_search/public/",
    b"/_search/signed-in/", b"/_reader/", b"/_reader/group/", b"/auth/", b"/auth/check", b"/auth/closed", b"/auth/identity",
    b"/auth/sign-in", b"/auth/account", b"/auth/me", b"/auth/keys", b"/auth/signed-out", b"/auth/forbidden", b"/auth/callback",
    b"/auth/sign-out", b"/auth/front-channel-sign-out", b"/access", b"/site/", b"/errors/404.html", b"/redirects.map",
]
BEFORE = [
    b"http://localhost", b"http://localhost:8080", b"HTTP://LOCALHOST", b"https://localhost", b"http://evil.example", b"http://",
    b"http:/", b"http:", b"//localhost", b"//evil.example", b"http://user@localhost", b"http://localhost#", b"http://localhost?",
    b"http://[::1]", b"http://localhost:99999", b"ftp://localhost", b"http:///", b"x://y", b"/http://localhost", b"localhost",
    b"http://localhost/press/..", b"http://localhost%2f", b"http://localhost\\", b"h2://localhost",
]
TRAVERSED = [
    "press", "hr", "board", "both", "hrx", "board archive", "hr/jobs", "press/embargo", "_theme", "auth", "_reader", "_search", "_errors",
]
METHODS = [b"HEAD", b"HEAD", b"POST", b"OPTIONS", b"PUT", b"DELETE", b"PATCH", b"PROPFIND", b"TRACE", b"get", b"CONNECT"]
FIELDS = [
    ((b"Range", b"bytes=0-99"),), ((b"Range", b"bytes=-50"),), ((b"Range", b"bytes=1000-1200"),), ((b"Range", b"bytes=999999-"),),
    ((b"Range", b"bytes=0-9,300-330,-20"),), ((b"If-None-Match", b"*"),), ((b"If-Match", b'"x"'),), ((b"If-Match", b"*"),),
    ((b"If-Modified-Since", b"Fri, 01 Jan 2100 00:00:00 GMT"),), ((b"If-Unmodified-Since", b"Thu, 01 Jan 1970 00:00:01 GMT"),),
    ((b"If-Range", b'"x"'), (b"Range", b"bytes=0-99")), ((b"Accept-Encoding", b"gzip"),), ((b"Accept-Encoding", b"gzip, br"),),
    ((b"Accept-Encoding", b"gzip"), (b"Range", b"bytes=0-99")), ((b"Sec-Fetch-Mode", b"navigate"),),
    ((b"Sec-Fetch-Mode", b"navigate"), (b"Accept-Encoding", b"gzip")),
]
MAXIMUM_LENGTH_IN_HTTP_2 = 8000


def canonical(path: bytes) -> bytes:
    """As browsers write the address of a file."""
    return b"/" + quote(path, safe="/~!$&'()*+,=:@-._").encode()


class Spellings:
    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        pages = {f"{address}/index.html".lstrip("/") for _, address, _, _ in PAGES}
        moved = {f"{alias}/index.html" for former in ALIASES.values() for alias in former}
        self.files = [path.encode() for path in sorted({*pages, *moved, *ASSETS, *GENERATED})]
        self.all = self.files + REFUSED_NAMES
        self.changes: list[tuple[int, Callable[[bytes], bytes]]] = [
            (10, self.percent_encoded), (4, self.encoded_again), (8, self.with_dots), (10, self.with_another_slash),
            (10, self.from_elsewhere), (5, self.case_changed), (8, self.with_ending), (4, self.with_ignored_ending),
            (7, self.with_a_byte), (3, self.without_some), (3, self.with_prefix), (2, self.normalised), (2, self.spliced),
            (3, self.as_index), (1, self.swapped), (1, self.overlong),
        ]
        self.weights = [weight for weight, _ in self.changes]

    def usual(self) -> Iterator[Request]:
        """Each file under the addresses that the site's own links have, and others that mean the same."""
        for path in self.all:
            for target in self.addresses(path):
                for fields in [(), ((b"Accept-Encoding", b"gzip"),)]:
                    yield Request(target, fields=fields, canonical=path)
                yield Request(target, version=b"h2", canonical=path)

    @staticmethod
    def addresses(path: bytes) -> list[bytes]:
        target = canonical(path)
        found = [target, b"/" + path] if not set(path) & set(b"%?#;\\") and min(path) > 0x20 and 0x7F not in path else [target]
        if path.endswith(b"/index.html"):
            folder = target.removesuffix(b"index.html")
            found += [folder, folder.removesuffix(b"/")]
        elif path == b"index.html":
            found.append(b"/")
        return found

    def request(self) -> Request:
        draw = self.random.random()
        target = self.target()
        if draw < 0.80:
            return Request(target)
        if draw < 0.84:
            return Request(target, self.random.choice(METHODS))
        if draw < 0.90:
            return Request(target, fields=self.random.choice(FIELDS))
        if draw < 0.92:
            return Request(target, version=b"HTTP/1.0")
        fields = ((b"Sec-Fetch-Mode", b"navigate"),) if draw < 0.94 else ()
        return Request(target[:MAXIMUM_LENGTH_IN_HTTP_2], version=b"h2", fields=fields)

    def target(self) -> bytes:
        if self.random.random() < 0.06:
            target = self.random.choice(OWN)
        else:
            target = self.random.choice(self.addresses(self.random.choice(self.all)))
        for _ in range(self.random.choice([1, 1, 1, 2, 2, 3, 4])):
            target = self.random.choices(self.changes, self.weights)[0][1](target)
        if self.random.random() < 0.002:
            target = self.very_long(target)
        return target

    def place(self, target: bytes) -> int:
        return self.random.randrange(len(target) + 1)

    def any_segment_end(self, target: bytes) -> int:
        """The index of a slash."""
        return self.random.choice([index for index, byte in enumerate(target) if byte == 0x2F] or [0])

    def percent_encoded(self, target: bytes) -> bytes:
        """Some bytes, or all of them, as %xx in either case."""
        share = self.random.choice([0.05, 0.3, 1])
        form = self.random.choice([b"%%%02x", b"%%%02X"])
        return b"".join(
            form % byte if byte not in b"/%?#" and self.random.random() < share else bytes([byte]) for byte in target
        )

    def encoded_again(self, target: bytes) -> bytes:
        """Some percent signs encoded, so that decoding twice gives another path."""
        if b"%" not in target:
            target = self.percent_encoded(target)
        return target.replace(b"%", self.random.choice([b"%25", b"%2525", b"%%32%35"]), self.random.choice([1, 2, -1]))

    def with_dots(self, target: bytes) -> bytes:
        index = self.any_segment_end(target)
        return target[:index + 1] + self.random.choice(DOTS) + self.random.choice([b"/", b"/", b"", b"/x/", b"/../"]) + target[index + 1:]

    def with_another_slash(self, target: bytes) -> bytes:
        index = self.any_segment_end(target)
        return target[:index] + self.random.choice(SLASHES) + target[index + 1:]

    def from_elsewhere(self, target: bytes) -> bytes:
        """Through another folder and up again."""
        folder = self.random.choice(TRAVERSED)
        ups = folder.count("/") + self.random.choice([0, 1, 1, 1, 1, 2, 5])
        dots = self.random.choice([b"..", b"..", b"%2e%2e", b".%2E", self.random.choice(DOTS)])
        slash = self.random.choice([b"/", b"/", b"/", self.random.choice(SLASHES)])
        return b"/" + quote(folder).encode() + (slash + dots) * ups + target

    def case_changed(self, target: bytes) -> bytes:
        kind = self.random.randrange(4)
        if kind == 0:
            return target.swapcase()
        if kind == 1:
            return target.upper()
        index = self.place(target)
        return target[:index] + target[index:index + 1].swapcase() + target[index + 1:]

    def with_ending(self, target: bytes) -> bytes:
        if self.random.random() < 0.2:
            index = self.any_segment_end(target)
            return target[:index] + self.random.choice(ENDINGS) + target[index:]
        return target + self.random.choice(ENDINGS)

    def with_ignored_ending(self, target: bytes) -> bytes:
        """A name with something that might be left out, so that another name might be meant."""
        index = self.random.choice([index for index, byte in enumerate(target) if byte == 0x2F and index] + [len(target)])
        return target[:index] + self.random.choice(IGNORED_ENDINGS) + target[index:]

    def with_a_byte(self, target: bytes) -> bytes:
        """Any byte, as it is or encoded, put in or instead of another."""
        byte = self.random.randrange(256)
        text = self.random.choice([bytes([byte]), b"%%%02x" % byte, b"%%%02X" % byte])
        index = self.place(target)
        return target[:index] + text + target[index + self.random.choice([0, 0, 1]):]

    def without_some(self, target: bytes) -> bytes:
        index = self.place(target)
        return target[:index] + target[index + self.random.choice([1, 1, 2, 4]):]

    def with_prefix(self, target: bytes) -> bytes:
        return self.random.choice(BEFORE) + target

    def normalised(self, target: bytes) -> bytes:
        """Other code points that look the same."""
        form = self.random.choice(["NFD", "NFKD", "NFKC"])
        text = target.decode("utf-8", "surrogateescape")
        if text.isascii():
            return target.replace(b"%C3%A4", b"a%CC%88").replace(b"%C3%BC", b"u%CC%88").replace(b"ss", b"%C3%9F")
        return unicodedata.normalize(form, text).encode("utf-8", "surrogateescape")

    def spliced(self, target: bytes) -> bytes:
        other = canonical(self.random.choice(self.all))
        return target[:self.any_segment_end(target)] + other[self.any_segment_end(other):]

    def as_index(self, target: bytes) -> bytes:
        folder = target[:self.any_segment_end(target) + 1]
        name = self.random.choice([b"", b"index.html", b"index.html/", b"index.html/index.html", b"./index.html", b"index.html.gz"])
        return folder + name

    def swapped(self, target: bytes) -> bytes:
        parts = target.split(b"/")
        first, second = self.random.randrange(len(parts)), self.random.randrange(len(parts))
        parts[first], parts[second] = parts[second], parts[first]
        return b"/".join(parts)

    def overlong(self, target: bytes) -> bytes:
        """One ASCII character as two, three or four bytes, which UTF-8 forbids."""
        index = self.random.randrange(len(target)) if target else 0
        byte = target[index] if target and target[index] < 0x80 else 0x2F
        forms = [
            bytes([0xC0 | byte >> 6, 0x80 | byte & 0x3F]), bytes([0xE0, 0x80 | byte >> 6, 0x80 | byte & 0x3F]),
            bytes([0xF0, 0x80, 0x80 | byte >> 6, 0x80 | byte & 0x3F]),
        ]
        text = self.random.choice(forms)
        if self.random.random() < 0.7:
            text = b"".join(b"%%%02x" % each for each in text)
        return target[:index] + text + target[index + 1:]

    def very_long(self, target: bytes) -> bytes:
        filler = self.random.choice([b"/.", b"/x/..", b"//", b"/%2e", b"a", b"/a", b"%61", b"?a", b";a", b"/../x"])
        length = self.random.choice([900, 1024, 1025, 2000, 4000, 7900, 8192, 9000, 33_000])
        index = self.any_segment_end(target)
        return target[:index] + filler * (length // len(filler)) + target[index:]
