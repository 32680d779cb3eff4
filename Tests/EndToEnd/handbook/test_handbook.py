"""Every command of the handbook is run as it stands there; handbook_machine.py says where and how."""

import functools
import re
import time
from contextlib import closing

import pytest
import requests

from debian_root import PACKAGES
from demo_site import BOB, NAVIGATE, ROOT, order, pick
from handbook_machine import WRITTEN_DOWN, AnsweringSite, Machine
from handbook_pages import all_pages
from test_moving import SITES

LESSON = "site/handbook/tutorials/first-site.md"
# Followed on a machine with a Debian of its own, by test_hour.py.
DEPLOYMENT = "site/handbook/how-to/deploy.md"
# Followed on sites of other tools, by test_moving.py.
MOVING = {f"site/handbook/how-to/bring-pages/{tool}.md" for tool in SITES}
ASKS_THE_SITE = re.compile(r"^curl .*(docs\.example\.com|:9464)", re.MULTILINE)


@pytest.fixture(scope="module")
def answering(image):
    with closing(AnsweringSite(image.checkout / "public")) as site:
        yield site.start()


@pytest.fixture
def machine(provider, image, answering):
    machine = Machine(provider, image, answering)
    yield machine
    machine.close()


def same(line, exact):
    """A line of output without what differs from run to run."""
    line = re.sub(r"\d+(\.\d+)? m?s\b", "N ms", line.rstrip())
    line = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", line)
    return line if exact else re.sub(r"\d+", "N", line)


def missing(shown, output, exact):
    """The lines of a page that the output does not have, in their order."""
    lines = iter([same(line, exact) for line in output.splitlines()])
    wanted = [same(line, exact) for line in shown.splitlines()]
    return [line for line in wanted if not any(re.fullmatch(re.escape(line).replace("…", ".*"), got) for got in lines)]


def tells(block, previous, exact, machine):
    """Whether a block shows what the commands before it print; elsewhere it may be of another site."""
    if previous is None:
        return False
    return not block.before and previous.language == "sh" or exact and (previous.language == "sh" or machine.logs())


def follow(found, machine):
    """Does what the page says, block by block."""
    exact, output, previous = found.path == LESSON, "", None
    for number, block in enumerate(found.blocks):
        following = found.blocks[number + 1] if number + 1 < len(found.blocks) else None
        if block.name:
            machine.write(block.name, block.text)
        elif block.language == "sh" and not block.text.startswith("#!"):
            code, output = machine.run(block.text)
            if ASKS_THE_SITE.search(block.text):
                assert following and tells(following, block, exact, machine), f"{block}: the page does not show the answer"
            if not output and set(block.text.split()) & set(WRITTEN_DOWN):
                # What they would tell is not known here.
                previous = None
                continue
            expected = following is not None and following.language == "text" and "error:" in following.text
            assert code == 0 or expected, f"{block}:\n{block.text}\n{output}"
        elif block.language == "text" and tells(block, previous, exact, machine):
            lacks = functools.partial(missing, block.text, exact=exact or ASKS_THE_SITE.search(previous.text))
            # Where a preview runs, it is the preview that tells, as soon as it has seen the change.
            deadline = time.monotonic() + (60 if machine.logs() else 0)
            while lacks(output + machine.logs()) and time.monotonic() < deadline:
                time.sleep(0.05)
            told = output + machine.logs()
            assert not lacks(told), f"{block}: the output has no {lacks(told)}, but\n{told}"
        previous = block


PAGES = [
    found for found in all_pages()
    if found.path not in MOVING | {DEPLOYMENT} and any(block.language == "sh" or block.name for block in found.blocks)
]


@pytest.mark.parametrize("path", [found.path for found in PAGES])
def test_every_command_of_a_page_does_what_the_page_says(machine, path):
    found = next(found for found in PAGES if found.path == path)
    # All pages but the lesson find a site and a configuration.
    if path != LESSON:
        machine.prepare()
    follow(found, machine)
    if any(block.name.startswith(("site/", "templates/")) for block in found.blocks):
        code, output = machine.run("sitegen check")
        assert code == 0, f"the site of {path} has errors:\n{output}"
    for call in machine.written_down():
        program, *words = call.split()
        print(f"{path}: not run, as it {WRITTEN_DOWN[program]}: {call}")
        judge(program, words, call)


def judge(program, words, call):
    """What a command names is there, even where it is not run."""
    if program in ("systemctl", "journalctl"):
        units = {file.name for file in (ROOT / "Packaging/systemd").iterdir()} | {"nginx.service"}
        named = [re.sub("@[a-z]+", "@", word) for word in words if word.startswith("siteauth") or word == "nginx"]
        assert all(name in units or f"{name}.service" in units for name in named), call
    if program == "docker":
        made = {f"localhost/{file.name.split('_')[0]}" for file in PACKAGES.glob("site*.deb")}
        assert {word.split(":")[0] for word in words if word.startswith("localhost/")} <= made, call
    if program == "make":
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
        assert set(words) <= targets, call


def test_the_lesson_shows_what_the_demo_prints(demo):
    shown = next(block.text for found in PAGES if "tutorials/demo" in found.path for block in found.blocks
                 if block.language == "text" and "The demo site" in block.text)
    script = (ROOT / "nginx/demo.sh").read_text()
    printed = script[script.index("cat <<TEXT") + 10:script.index("\nTEXT\n")].strip("\n")
    for name, port in {"$site_port": "8080", "$admin_port": "8082"}.items():
        printed = printed.replace(name, port)
    printed = re.sub(r"\$\(may_read (\S+)\)", r": may read \1", printed)
    lines = [line.replace("$run", "…") for line in printed.splitlines()]
    shown = [re.sub(r"/\S*/\.run/", "…/", line) for line in shown.rstrip().splitlines()]
    assert [line for line in shown if line not in lines] == []


def test_the_lesson_finds_the_fault_in_the_log(demo):
    """What the demo's lesson does in a browser, and the line that it then looks for."""
    lesson = next(found for found in PAGES if "tutorials/demo" in found.path)
    shown = next(block.text for block in lesson.blocks if "callback refused" in block.text)
    order(demo, "faults", name="expired")
    session = requests.Session()
    answer = session.get(pick(demo, session, BOB), headers=NAVIGATE)
    assert "Signing in did not work" in answer.text
    reference = re.search(r"<code>([0-9a-f]{8})</code>", answer.text)[1]
    line = next(line for line in demo.log("siteauth").splitlines() if f"error: request {reference}" in line)
    assert re.sub(r"[0-9a-f]{8,}", "N", line) == re.sub(r"[0-9a-f]{8,}", "N", shown.strip())
