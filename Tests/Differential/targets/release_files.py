"""The files that nginx can serve, by what an answer shows of them, each with who may read it."""

import hashlib
import json
import os
from dataclasses import dataclass

from targets.guarded_site import BOARD, EITHER, GENERATED, HR, PUBLIC, SIGNED_IN, Audience, SiteFile, files


@dataclass(frozen=True)
class ServedFile:
    name: str
    audience: Audience
    content: bytes


class ReleaseFiles:
    """Reads a release; a file that is not in the site's definition is an error.

    - `theme`: a folder that is for everybody, as the error pages are.
    - `by_application`: whether an application sends them.
    """

    def __init__(self, release: bytes, theme: bytes, by_application: bool = False) -> None:
        self.folders = release, theme
        site = os.path.join(release, b"site")
        definition = files(by_application)
        self.audiences = {file.path: file.audience for file in definition}
        self.audiences |= {path.encode(): audience for path, audience in GENERATED.items()}
        self.audiences |= search_indexes(site)
        self.markers = {file.marker: file for file in definition}
        self.by_digest: dict[bytes, list[ServedFile]] = {}
        self.by_tag: dict[bytes, list[ServedFile]] = {}
        self.by_size: dict[int, list[ServedFile]] = {}
        found = set()
        for path in paths(site):
            original = path.removesuffix(b".gz") if path.endswith(b".gz") and path[:-3] in self.audiences else path
            self.add(site, path, self.audiences[original])
            found.add(path)
        assert found >= set(self.audiences), f"the release lacks {set(self.audiences) - found}"
        for folder in [theme, os.path.join(release, b"errors")]:
            for path in paths(folder):
                self.add(folder, path, PUBLIC)

    def sent_by_application(self) -> "ReleaseFiles":
        return ReleaseFiles(*self.folders, by_application=True)

    def add(self, folder: bytes, path: bytes, audience: Audience) -> None:
        full = os.path.join(folder, path)
        with open(full, "rb") as file:
            content = file.read()
        served = ServedFile(path.decode("utf-8", "backslashreplace"), audience, content)
        status = os.stat(full)
        tag = b"%x-%x" % (int(status.st_mtime), status.st_size)
        for index, key in [(self.by_digest, digest(content)), (self.by_tag, tag), (self.by_size, len(content))]:
            index.setdefault(key, []).append(served)  # type: ignore[attr-defined]

    def with_content(self, content: bytes) -> list[ServedFile]:
        return self.by_digest.get(digest(content), [])

    def with_part(self, part: bytes, first: int, size: int) -> list[ServedFile]:
        return [file for file in self.by_size.get(size, []) if file.content[first:first + len(part)] == part]

    def with_marker(self, marker: bytes) -> SiteFile:
        return self.markers[marker]


def digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def paths(folder: bytes) -> list[bytes]:
    return [
        os.path.relpath(os.path.join(parent, name), folder) for parent, _, names in os.walk(folder) for name in names
    ]


def search_indexes(site: bytes) -> dict[bytes, Audience]:
    """Each index is for those readers whose manifests name it."""
    readers: dict[bytes, set[str]] = {}
    for name in ["public", "signed-in", "group/hr", "group/board"]:
        with open(os.path.join(site, b"_reader", name.encode() + b".json"), "rb") as file:
            for address in json.load(file)["search"]:
                readers.setdefault(address.encode().strip(b"/") + b"/index.bin", set()).add(name)
    audiences: dict[frozenset[str], Audience] = {
        frozenset({"public"}): PUBLIC, frozenset({"signed-in"}): SIGNED_IN, frozenset({"group/hr"}): HR,
        frozenset({"group/board"}): BOARD, frozenset({"group/hr", "group/board"}): EITHER,
    }
    return {path: audiences[frozenset(names)] for path, names in readers.items()}
