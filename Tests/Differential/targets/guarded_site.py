"""A site with awkward names, and who may read each of its files: written down here, not read from its policy.

Each page and each file has a marker that stands nowhere else: a page in its title and its text. Who lists pages
may list the markers of those pages only that their own readers may read.
"""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

PUBLIC, SIGNED_IN, NOBODY, IN_BOTH = "public", "signed-in", "nobody", "whoever is in both groups"
HR, BOARD, EITHER = frozenset({"hr"}), frozenset({"board"}), frozenset({"hr", "board"})
Audience = str | frozenset[str]

# The groups of each kind of reader; None is a stranger.
READERS: dict[str, frozenset[str] | None] = {
    "nobody": None, "signed in": frozenset(), "hr": HR, "board": BOARD, "hr and board": EITHER,
}
# Who may read all that anybody may read.
EVERYTHING = "hr and board"

BOTH_GROUPS = "504e4000-0000-4000-8000-00000000000d"
CONFIGURATION = f"""
title = "Awkward names"
base_url = "https://docs.example.com"
access = "signed-in"
precompress = PRECOMPRESS
fsync = false

[checks]
opened-folder = "off"
folder-rule = "off"

[groups]
hr = {{ role = "HR", users = ["{BOTH_GROUPS}"] }}
board = {{ group = "b0a2d000-0000-4000-8000-00000000b0a2", users = ["{BOTH_GROUPS}"] }}
"""

OPENED = "access: public\nwidens: true"
FOR_HR, FOR_BOARD = "access: [hr]", "access: [board]"
# The Markdown file, its address, who may read it, and the front matter that says so.
PAGES: list[tuple[str, str, Audience, str]] = [
    ("index.md", "", SIGNED_IN, ""),
    ("travel.md", "travel", SIGNED_IN, "date: 2026-01-02"),
    # Public, with protected pages inside.
    ("press/index.md", "press", PUBLIC, OPENED),
    ("press/über uns/index.md", "press/über uns", PUBLIC, ""),
    ("press/a+b.md", "press/a+b", PUBLIC, ""),
    ("press/v1.0..2.md", "press/v1.0..2", PUBLIC, ""),
    ("press/~home.md", "press/~home", PUBLIC, ""),
    ("press/UPPER/Case.md", "press/UPPER/Case", PUBLIC, ""),
    ("press/embargo/index.md", "press/embargo", HR, FOR_HR),
    ("press/embargo/größe.md", "press/embargo/größe", HR, ""),
    ("press/board.md", "press/board", BOARD, FOR_BOARD),
    # For human resources, with pages for others inside.
    ("hr/index.md", "hr", HR, FOR_HR),
    ("hr/bands.md", "hr/bands", HR, ""),
    ("hr/Mixed Case.md", "hr/Mixed Case", HR, ""),
    ("hr/a~b+c=d&e.md", "hr/a~b+c=d&e", HR, ""),
    ("hr/gehälter/index.md", "hr/gehälter", HR, ""),
    ("hr/gehälter/漢字.md", "hr/gehälter/漢字", HR, ""),
    ("hr/board/index.md", "hr/board", BOARD, FOR_BOARD + "\nwidens: true"),
    ("hr/board/plan.md", "hr/board/plan", BOARD, ""),
    ("hr/jobs/index.md", "hr/jobs", PUBLIC, OPENED),
    ("hr/jobs/open.md", "hr/jobs/open", PUBLIC, ""),
    ("hr/jobs/notes.md", "hr/jobs/notes", HR, FOR_HR),
    # What siteauth may make of bytes that are no UTF-8.
    ("hr/\ufffd.md", "hr/\ufffd", PUBLIC, OPENED),
    # For the board, with a folder of human resources below.
    ("board/index.md", "board", BOARD, FOR_BOARD),
    ("board/minutes 2026.md", "board/minutes 2026", BOARD, ""),
    ("board/hr/index.md", "board/hr", HR, FOR_HR + "\nwidens: true"),
    ("board/hr/deep/er/page.md", "board/hr/deep/er/page", HR, ""),
    ("board/x.md", "board/secret-slug", BOARD, "slug: secret-slug"),
    # For either group, and for everybody who signs in inside of it.
    ("both/index.md", "both", EITHER, "access: [hr, board]"),
    ("both/all.md", "both/all", SIGNED_IN, "access: signed-in\nwidens: true"),
    ("both/only/index.md", "both/only", BOARD, FOR_BOARD),
    # Neighbours whose names begin alike.
    ("hr-2.md", "hr-2", SIGNED_IN, ""),
    ("hrx/index.md", "hrx", PUBLIC, OPENED),
    ("hr.d/index.md", "hr.d", SIGNED_IN, ""),
    ("board archive/index.md", "board archive", PUBLIC, OPENED),
]
# Addresses that pages had before; each is for the readers of its page, whatever folder it is in.
ALIASES: dict[str, list[str]] = {
    "hr/bands": ["press/old bands", "hr/alt"],
    "board/minutes 2026": ["press/minutes", "board/protokoll ä"],
    "press/a+b": ["hr/old-press", "board/old+press"],
}
ASSETS: dict[str, Audience] = {
    "notes.txt": SIGNED_IN,
    "hr.txt": SIGNED_IN,
    "hr.html": SIGNED_IN,
    "press/kit.zip": PUBLIC,
    "press/logo.svg": PUBLIC,
    "press/Preis liste (neu).csv": PUBLIC,
    "press/hr.html": PUBLIC,
    "press/größe.txt": PUBLIC,
    "press/embargo/draft~1.txt": HR,
    "press/embargo/index.txt": HR,
    "hr/bands.pdf": HR,
    "hr/bands/extra.json": HR,
    "hr/no-extension": HR,
    "hr/Über & Co.txt": HR,
    "hr/a,b@c!$'().txt": HR,
    "hr/jobs/form.js": PUBLIC,
    "hr/board/plan.css": BOARD,
    "hr/x.tar.gz": HR,
    "board/budget.csv": BOARD,
    "board/hr/list.txt": HR,
    "board/v1..2/file.txt": BOARD,
    "both/table.json": EITHER,
    "both/only/list.xml": BOARD,
    "hrx/x.txt": PUBLIC,
}
# sitegen refuses such names, and siteauth every address with such characters, with bytes that are no UTF-8, or with so
# many folders: put into the release by hand.
REFUSED_NAMES = [
    b"press/100%.txt", b"press/%2e%2e/x.txt", b"press/%2fhr.txt", b"press/a;b.txt", b"press/a;/x.txt",
    b"press/back\\slash.txt", b"press/..\\x.txt", b"press/what?.txt", b"press/a#b.txt", b"press/tab\there.txt",
    b"press/line\nend.txt", b"press/del\x7f.txt", b"hr/50%.txt", b"hr/a;b.txt", b"hr;/x.txt", b"\\hr/x.txt",
    b"press/\xff.txt", b"hr/\xff/index.html", b"press/\xc0\xae\xc0\xae/x.txt", b"press/" + b"d/" * 32 + b"x.txt",
]
# An application gets some of them: who may read all that the path may be read as, such as '/hr;/' as '/hr/'.
REFUSED_BY_FILES_ALONE: dict[bytes, Audience] = {
    b"press/100%.txt": PUBLIC, b"press/%2fhr.txt": IN_BOTH, b"press/a;b.txt": PUBLIC, b"press/a;/x.txt": PUBLIC,
    b"press/what?.txt": PUBLIC, b"press/a#b.txt": PUBLIC, b"hr/50%.txt": HR, b"hr/a;b.txt": HR, b"hr;/x.txt": IN_BOTH,
    b"press/" + b"d/" * 32 + b"x.txt": PUBLIC,
}
# What a build makes, as the handbook's page about addresses lists it.
GENERATED: dict[str, Audience] = {
    "press/UPPER/index.html": PUBLIC, "board/hr/deep/index.html": HR, "board/hr/deep/er/index.html": HR,
    "search/index.html": SIGNED_IN, "feed.xml": SIGNED_IN, "sitemap.xml": PUBLIC, "robots.txt": PUBLIC,
    "_reader/public.json": PUBLIC, "_reader/signed-in.json": SIGNED_IN,
    "_reader/group/hr.json": HR, "_reader/group/board.json": BOARD,
}
MARKER = re.compile(rb"secret[0-9a-f]{12}")


@dataclass(frozen=True)
class SiteFile:
    """A file of the release, its path below `site`, and who may read it."""

    path: bytes
    audience: Audience

    @property
    def marker(self) -> bytes:
        return marker(self.path)


def marker(path: bytes) -> bytes:
    return b"secret" + hashlib.sha256(path).hexdigest()[:12].encode()


def may_read(reader: str, audience: Audience) -> bool:
    groups = READERS[reader]
    if isinstance(audience, frozenset):
        return groups is not None and bool(groups & audience)
    if audience == IN_BOTH:
        return groups == EITHER
    return audience == PUBLIC or (audience == SIGNED_IN and groups is not None)


def files(by_application: bool) -> list[SiteFile]:
    """What is written by hand: pages, files, and names that no site can have."""
    found = {f"{address}/index.html".lstrip("/"): audience for _, address, audience, _ in PAGES}
    audiences = {address: audience for _, address, audience, _ in PAGES}
    for address, former in ALIASES.items():
        found |= {f"{alias}/index.html": audiences[address] for alias in former}
    found |= ASSETS
    written = [SiteFile(path.encode(), audience) for path, audience in found.items()]
    opened = REFUSED_BY_FILES_ALONE if by_application else {}
    return written + [SiteFile(path, opened.get(path, NOBODY)) for path in REFUSED_NAMES]


def filling(path: bytes, number: int) -> str:
    """Text with the marker; each file has another length, and is long enough to be compressed."""
    return f"{marker(path).decode()}\n" * 60 + "." * number + "\n"


def write_site(folder: Path, precompress: bool) -> Path:
    """Writes the sources; returns the configuration."""
    for number, (source, address, _, keys) in enumerate(PAGES):
        path = f"{address}/index.html".lstrip("/").encode()
        if former := ALIASES.get(address):
            keys += "\naliases: [" + ", ".join(f'"/{alias}/"' for alias in former) + "]"
        page = folder / "site" / source
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"---\ntitle: {marker(path).decode()}\n{keys}\n---\n\n{filling(path, number)}")
    for number, asset in enumerate(ASSETS):
        path = folder / "site" / asset
        path.parent.mkdir(parents=True, exist_ok=True)
        # A drawing begins with a tag, so that its name is true.
        path.write_text("<!---->" * asset.endswith(".svg") + filling(asset.encode(), number))
    configuration = folder / "sitegen.toml"
    configuration.write_text(CONFIGURATION.replace("PRECOMPRESS", str(precompress).lower()))
    return configuration


def plant_refused_names(site: bytes) -> None:
    for number, name in enumerate(REFUSED_NAMES):
        path = os.path.join(site, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(filling(name, 100 + number))
