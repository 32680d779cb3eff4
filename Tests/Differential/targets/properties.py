"""What has to be true of the answers to a request, whatever its target is."""

import re
from collections import Counter
from urllib.parse import unquote_to_bytes

from raw_http import Answer, inflated
from targets.guarded_site import EVERYTHING, MARKER, NOBODY, SiteFile, may_read
from targets.release_files import ReleaseFiles, ServedFile
from targets.request import ENDS_LINE, Request

STATUSES = {200, 206, 301, 303, 304, 400, 401, 403, 404, 405, 412, 414, 416}
ENCODED_SLASH = re.compile(rb"(?i)^[^?#]*%2f")
# A path of this site: browsers take what begins with // or /\ for another host.
OWN_PATH = re.compile(rb"/(?![/\\])")
GZIP = b"\x1f\x8b"
Answers = dict[str, list[Answer]]


class Properties:
    """`origins` are those to which an answer may lead: the site's own and the provider's."""

    def __init__(self, release: ReleaseFiles, origins: list[str]) -> None:
        self.release = release
        self.origins = tuple(f"{origin}/".encode() for origin in origins)
        self.seen: Counter[str] = Counter()

    def violations(self, request: Request, answers: Answers) -> list[str]:
        """One sentence for each property that does not hold; the part before the colon is the same for its kind."""
        unanswered = [reader for reader, several in answers.items() if not several]
        self.seen["no answer"] += len(unanswered)
        found = [f"there is no answer: [{reader}]" for reader in unanswered if not ENDS_LINE.search(request.target)]
        found += [
            f"{sentence} [{reader}]"
            for reader, several in answers.items() for answer in several for sentence in self.of_one(request, reader, answer)
        ]
        if all(len(several) == 1 for several in answers.values()):
            found += self.of_all(request, {reader: several[0] for reader, several in answers.items()})
        if request.canonical is not None:
            found += self.of_canonical(request, request.canonical, answers)
        return found

    def of_one(self, request: Request, reader: str, answer: Answer) -> list[str]:
        found = []
        shown = answer.head + answer.body
        if answer.body.startswith(GZIP):
            shown += inflated(answer.body)
        for marker in set(MARKER.findall(shown)):
            file = self.release.with_marker(marker)
            if not may_read(reader, file.audience):
                found.append(f"the answer contains a marker: {file.path!r} is for {audience_name(file)}, status {answer.status}")
        sent = self.sent(request, answer)
        if sent and not any(may_read(reader, file.audience) for file in sent):
            found.append(f"the answer shows a file: {sent[0].name!r} is for {audience_name(sent[0])}, status {answer.status}")
        if sent == [] and not self.is_of_siteauth(request, answer):
            found.append(f"the answer is no file of the release: status {answer.status}, {len(answer.body)} bytes")
        if answer.status and not self.is_expected(request, answer.status):
            found.append(f"the status is not expected: {answer.status}")
        if sent is not None and answer.status in (200, 206, 304) and ENCODED_SLASH.search(request.target):
            found.append(f"an encoded slash is not refused: status {answer.status}")
        location = answer.value(b"location")
        if location is not None and not (OWN_PATH.match(location) or location.startswith(self.origins)):
            found.append(f"the answer leads elsewhere: {location!r}")
        self.seen[self.name(answer, sent)] += 1
        return found

    def of_all(self, request: Request, answers: dict[str, Answer]) -> list[str]:
        """Whoever may read the file that was sent, and nobody else, is sent it: the judged path is the file's.

        All others are told the same, as about what is not there.
        """
        sent = {reader: names(self.sent(request, answer)) for reader, answer in answers.items()}
        if EVERYTHING not in sent:
            return []
        files = self.sent(request, answers[EVERYTHING]) or []
        audiences = {file.audience for file in files}
        if len(audiences) > 1:
            return []
        found = []
        for reader, answer in answers.items():
            is_refused = bool(files) and not may_read(reader, files[0].audience)
            if is_refused and answer.status not in {0, 303} | refusals(reader):
                found.append(f"the refusal is another one: '{reader}' asks for {files[0].name!r}, status {answer.status}")
            expected = set() if is_refused else sent[EVERYTHING]
            if sent[reader] != expected:
                found.append(
                    f"the judged path is not the file's: '{EVERYTHING}' is sent {sorted(sent[EVERYTHING])}, "
                    f"'{reader}' {sorted(sent[reader])} with status {answer.status}"
                )
        return found

    def of_canonical(self, request: Request, path: bytes, answers: Answers) -> list[str]:
        """The usual address of a file is answered with the file, or with the refusal that is meant for that reader."""
        found = []
        audience = self.release.audiences.get(path, NOBODY)
        name = path.decode("utf-8", "backslashreplace")
        for reader, several in answers.items():
            status = several[0].status if several else 0
            if may_read(reader, audience):
                if len(several) != 1 or name not in names(self.sent(request, several[0])):
                    found.append(f"a reader is not sent what is theirs: '{reader}' asks for {path!r}, status {status}")
            elif status not in refusals(reader):
                found.append(f"the refusal is another one: '{reader}' asks for {path!r}, status {status}")
        return found

    def sent(self, request: Request, answer: Answer) -> list[ServedFile] | None:
        """The files that the answer may show; `None` if it is not one that shows a file."""
        tag = (answer.value(b"etag") or b"").removeprefix(b"W/").strip(b'"')
        if answer.status == 206 and (part := re.fullmatch(rb"bytes (\d+)-\d+/(\d+)", answer.value(b"content-range") or b"")):
            return self.release.with_part(answer.body, int(part[1]), int(part[2]))
        if answer.status in (206, 304) or (answer.status == 200 and request.method == b"HEAD" and tag):
            return self.release.by_tag.get(tag, [])
        if answer.status == 416 and (size := re.fullmatch(rb"bytes \*/(\d+)", answer.value(b"content-range") or b"")):
            return self.release.by_size.get(int(size[1]), [])
        if answer.status == 200 and request.method != b"HEAD":
            return self.release.with_content(answer.content) or self.release.with_content(inflated(answer.body))
        return self.release.with_content(answer.body) or None if answer.status == 0 else None

    def is_of_siteauth(self, request: Request, answer: Answer) -> bool:
        """A page of siteauth; by HTTP/2, where no header fields are read, only what is asked for can tell."""
        if answer.head:
            return answer.value(b"cache-control") == b"no-store"
        return b"auth/" in unquote_to_bytes(unquote_to_bytes(request.target)).lower()

    def is_expected(self, request: Request, status: int) -> bool:
        # Behind a space, the target may name another version of HTTP.
        return status in STATUSES or (status == 505 and b" " in request.target)

    def name(self, answer: Answer, sent: list[ServedFile] | None) -> str:
        return f"{answer.status or 'no HTTP'}{' with a file' if sent else ''}"


def names(files: list[ServedFile] | None) -> set[str]:
    return {file.name for file in files or []}


def refusals(reader: str) -> set[int]:
    return {401} if reader == "nobody" else {403}


def audience_name(file: ServedFile | SiteFile) -> str:
    return file.audience if isinstance(file.audience, str) else f"[{', '.join(sorted(file.audience))}]"
