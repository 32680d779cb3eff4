"""The messages and titles that the handbook explains are those of the programs."""

import errno
import os
import re

from accepted_keys import sources
from demo_site import ROOT
from handbook_pages import page

TROUBLES = page("how-to/troubleshoot.md")


def texts():
    """The sources with the parts of each string in one, the templates, and the errors of the system."""
    swift = re.sub(r'"\s*\+\s*"', "", sources()).replace('\\"', '"')
    swift = re.sub(r"\\\n\s*", "", swift)
    templates = "".join(path.read_text() for path in (ROOT / "templates").glob("*.html"))
    return swift + templates + "\n".join(os.strerror(number).lower() for number in errno.errorcode)


def parts(message):
    """A message without the names in it, for which the sources have other words."""
    pieces = re.split(r"…|\.\.\.|'[^' ]*'|`[^`]*`|\"[^\"]*\"", message)
    return [piece.strip(" .,:;'") for piece in pieces if len(piece.strip(" .,:;'")) > 5]


def headings(section):
    return {above[2] for _, _, above in TROUBLES.prose if len(above) > 2 and above[1].startswith(section)}


def test_every_page_of_siteauth_that_tells_of_a_trouble_is_explained():
    pages = "".join(path.read_text() for path in (ROOT / "Sources/RelyingParty/Pages").glob("ReaderPage+*.swift"))
    calls = re.split(r"(?=title: \")", pages)[1:]
    titles = {
        re.match(r'title: "([^"\\]+)"', call)[1] for call in calls
        if re.match(r'title: "([^"\\]+)"', call) and "showsReference: false" not in call
    }
    assert len(titles) > 12
    assert titles <= headings("Pages of siteauth"), titles - headings("Pages of siteauth")


def test_every_trouble_that_the_handbook_explains_can_happen():
    known = texts()
    sections = ["Building a site", "Starting siteauth", "Pages of siteauth"]
    assert all(headings(section) for section in sections)
    for heading in {heading for section in sections for heading in headings(section)}:
        for part in parts(heading):
            assert part in known, f"no program says '{part}' of '{heading}'"


def test_every_problem_in_the_log_that_the_handbook_explains_can_happen():
    known, seen = texts(), 0
    for number, line, above in page("reference/log-events.md").prose:
        if "Problems" in above and line.startswith("- *"):
            for message in re.findall(r"(?<!\w)\*([^*]+)\*", line.split("(error)")[0].split("(warning)")[0]):
                for part in parts(message):
                    assert part in known, f"log-events.md:{number}: no program says '{part}'"
                    seen += 1
    assert seen > 15


def test_siteauth_explains_the_numbers_that_the_handbook_explains():
    hints = (ROOT / "Sources/RelyingParty/Provider/Refusal.swift").read_text().replace("_", "")
    section = "\n".join(line for _, line, above in TROUBLES.prose if "Numbers of Microsoft" in above)
    told = set(re.findall(r"\*\*(?:AADSTS)?(\d{5,7})\*\*", section))
    assert len(told) > 10
    assert told <= set(re.findall(r"\b\d{5,7}\b", hints)), "siteauth has no hint for some of them"
