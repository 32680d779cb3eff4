"""nginx finds a file by a path, and siteauth judges a path: random request targets, and who is sent which file.

`Tests/Differential/run` tries more of them.
"""

import re
import sys
from pathlib import Path

import pytest

from hostile_requests import TARGETS

sys.path.insert(0, str(Path(__file__).parents[2] / "Differential"))

from targets.guarded_site import READERS  # noqa: E402
from targets.request import Request  # noqa: E402
from targets.search import Search  # noqa: E402
from targets.service import Configuration, guarded_demo, guarded_service  # noqa: E402

COUNT, COUNT_FOR_A_BROKEN_GUARD = 2000, 20_000
DEBIANS = Configuration(is_newest=False, merges_slashes=True, precompresses=True)
NEWEST = Configuration(is_newest=True, merges_slashes=False, precompresses=True)
APPLICATIONS = Configuration(is_newest=False, merges_slashes=False, precompresses=True, by_application=True)


@pytest.fixture(scope="module")
def guarded():
    with guarded_demo(precompresses=True) as demo_and_release:
        yield demo_and_release


@pytest.mark.parametrize("configuration", [DEBIANS, NEWEST, APPLICATIONS], ids=str)
def test_no_target_shows_a_reader_what_is_not_theirs(guarded, configuration):
    with guarded_service(*guarded, configuration) as service:
        search = Search(service, f"fixed {configuration}")
        search.judge([Request(target.replace("/company/", "/").encode("latin-1")) for target in TARGETS], list(READERS))
        search.run(COUNT)
        assert search.found == {}
        # What is compared is there: pages that were sent, and pages that were refused.
        seen = service.properties.seen
        assert seen["200 with a file"] > 1000 and seen["401"] > 500 and seen["403"] > 500


def replacing(name, old, new):
    def change(folder):
        path = folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return change


FIRST_FOLDER = r'map $site_path $first_folder { "~^(?<first>/[^/]*/)" $first; default $site_path; }'


def judging_the_first_folder(folder):
    replacing("siteauth.conf", "SITE_PATH $site_path", "SITE_PATH $first_folder")(folder)
    replacing("maps.conf", "map $request_uri $has_encoded_slash", FIRST_FOLDER + "\nmap $request_uri $has_encoded_slash")(folder)


# What somebody might break, and the property that then does not hold.
BROKEN = {
    "only the first folder is judged": (judging_the_first_folder, "the judged path is not the file's"),
    "the address is judged as it was written": (
        replacing("siteauth.conf", "SITE_PATH $site_path", "SITE_PATH $request_uri"), "a reader is not sent what is theirs"),
    "dots and spaces are removed from the path after the check": (
        replacing("files.conf", "try_files $file_of_uri $site_path/index.html",
                  'rewrite "^(.*?)[ .]+(/.*)?$" $1$2 break;\ntry_files $uri $uri/index.html'),
        "the judged path is not the file's"),
    "compressed files are open": (
        replacing("siteauth.conf", "location / {", "location ~ [.]gz$ { auth_request off; root $release/site; }\nlocation / {"),
        "the answer shows a file"),
    "an application gets the path as it was written": (
        replacing("application.conf", "rewrite ^(.*)$ $1 break;", ""), "the judged path is not the file's"),
    "an encoded slash is let through": (
        replacing("siteauth.conf", "if ($has_encoded_slash)", "if ($has_encoded_slash = never)"), "an encoded slash is not refused"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_guard_is_noticed(guarded, name):
    change, expected = BROKEN[name]
    with guarded_service(*guarded, APPLICATIONS if "application" in name else DEBIANS, change) as service:
        search = Search(service, "broken")
        search.run(COUNT_FOR_A_BROKEN_GUARD, until=expected)
        assert expected in search.found, search.found


def test_a_rule_that_is_missing_in_the_policy_is_noticed(guarded):
    """What is judged is who may read a file by the site's definition, whatever siteauth reads."""
    demo, release = guarded
    policy = demo.folder / "public/current/access"
    whole = policy.read_text()
    without = whole.replace("allow [hr] /press/embargo/\n", "")
    assert without != whole
    policy.write_text(re.sub(r"end (\d+)", lambda found: f"end {int(found[1]) - 1}", without))
    try:
        with guarded_service(demo, release, DEBIANS) as service:
            search = Search(service, "broken")
            search.run(COUNT)
            leaks = {"the answer contains a marker", "the answer shows a file"}
            assert leaks <= set(search.found), search.found
            # Told with the smallest target.
            targets = {request.target for request, _ in search.smallest()}
            assert b"/press/embargo" in targets, targets
    finally:
        policy.write_text(whole)
