"""What the programs that draw and colour may use, and whose files tell them how."""

import pathlib
import re
import resource
import subprocess
import time

import pytest

from demo_site import BIN, is_running, sitegen, write

FENCE = "```"
GOOD = f"# Good\n\n{FENCE}dot\ndigraph {{ a -> b }}\n{FENCE}\n\n{FENCE}plantuml\nA -> B\n{FENCE}\n\n$x^2$\n\n" \
       f"{FENCE}py\nimport a\n{FENCE}\n"  # fmt: skip


def site(folder, settings="", **pages):
    settings = {"sitegen.toml": f'title = "Test"\n{settings}'}
    write(folder, settings | {f"site/{name}.md": text for name, text in pages.items()})


def page(folder, name):
    return (folder / f"public/current/site/{name}/index.html").read_text()


def is_drawn(html):
    return html.count("<div class=\"drawing\"><svg ") == 2 and "<msup>" in html and '<span class="k">import' in html


def block(language, source):
    return f"{FENCE}{language}\n{source}\n{FENCE}\n"


@pytest.fixture
def draw(draw):
    draw.SECONDS, draw.PATIENCE = 2, 4
    return draw


@pytest.mark.parametrize(
    "script, ending",
    [
        ("yes", "large"),
        ("yes >&2", "large"),
        ("while :; do :; done", "slow"),
        # A busy machine says nothing about a diagram.
        ("sleep 600", "Unavailable()"),
        ("sleep 600 & echo $! > /proc/self/fd/1", "Unavailable()"),
        ("exec >&- 2>&-; sleep 600", "Unavailable()"),
        ("echo 'java.lang.OutOfMemoryError: Java heap space'; exit 3", "large"),
        ("kill -9 $$", "Unavailable()"),
        ("tail -c 2000M /dev/zero", "large"),
    ],
)
def test_a_program_that_reaches_a_limit_is_ended(draw, monkeypatch, script, ending):
    # Beside other tests, what reaches a limit by itself takes longer than one would wait for it.
    monkeypatch.setattr(draw, "PATIENCE", 1 if ending == "Unavailable()" else 50)
    begun = time.monotonic()
    with pytest.raises((draw.Excess, draw.Unavailable)) as caught:
        draw.run(["/bin/sh", "-c", script], "text", memory=256 << 20)
    assert ending in (str(caught.value), repr(caught.value))
    assert time.monotonic() - begun < 60


def test_what_a_program_has_started_ends_with_it(draw):
    _, output, _ = draw.run(["/bin/sh", "-c", "sleep 600 > /dev/null 2>&1 & echo $!"], "")
    end = time.monotonic() + 10
    while is_running(int(output)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_running(int(output))


def test_a_program_writes_no_file_and_starts_no_process(draw, tmp_path):
    draw.run(["/bin/sh", "-c", f"echo x > {tmp_path}/file"], "")
    assert not (tmp_path / "file").read_text()
    _, output, _ = draw.run(["/bin/cat", "/proc/self/limits"], "", memory=256 << 20)
    limits = {line[:26].strip(): line[26:].split()[0] for line in output.decode().splitlines()}
    # Root may start processes all the same.
    assert limits["Max processes"] == limits["Max file size"] == limits["Max core file size"] == "0"
    assert (limits["Max address space"], limits["Max cpu time"]) == (str(256 << 20), "2")


def test_a_block_that_takes_too_much_is_named_and_nothing_else_is_missing(tmp_path):
    doubled = "!$x = \"xxxxxxxxxxxxxxxxxxxxxxxx\"\n" + "!$x = $x + $x\n" * 26 + "A -> B: $x"
    expected = {
        "sides": (block("dot", "digraph{a[shape=polygon sides=60000000]}"), "(diagram (is too large|takes too long)|Graphviz stopped at this diagram)"),
        "peripheries": (block("dot", "digraph{a[peripheries=50000000]}"), "diagram is too large"),
        "label": (block("dot", f'digraph{{a[label="{"x" * 120_000}"]}}'), "diagram: syntax error scanning a quoted"),
        "long": (block("dot", f"digraph{{{'a;' * 200_000}}}"), "diagram is too large"),
        "doubled": (block("plantuml", f"@startuml\n{doubled}\n@enduml"), "diagram is too large"),
        "matrix": ("$$\n\\begin{matrix}" + "1&" * 20_000 + "\\end{matrix}\n$$\n", "formula is too large"),
        "edef": ("$\\def\\a{xxxxxxxxxx}" + "\\edef\\a{\\a\\a}" * 26 + "\\a$\n", "formula: "),
        # Matched by a regular expression that tries all ways.
        "perl": (block("perl", "m(" * 30_000), None),
    }
    pages = {name: f"# P\n\n{source}" for name, (source, _) in expected.items()}
    site(tmp_path, '[checks]\ndrawing = "warning"\n', good=GOOD, **pages)
    result = sitegen(tmp_path, "build")
    assert result.returncode == 0, result.stderr
    assert is_drawn(page(tmp_path, "good"))
    for name, (_, message) in expected.items():
        if message:
            assert re.search(rf"site/{name}\.md:[34]:[12]: warning: {message}", result.stderr), result.stderr
    assert "<pre><code class=\"language-perl\">m(m(" in page(tmp_path, "perl")
    # In kilobytes, of the largest process.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1_200_000
    # Pages that stay as they are keep their warnings.
    (tmp_path / "site/good.md").write_text(f"{GOOD}\nmore\n")
    for command in ("build", "check"):
        again = sitegen(tmp_path, command)
        assert again.stderr.count("warning: ") == result.stderr.count("warning: "), again.stderr


def test_a_mistake_in_plantuml_stops_nobody(tmp_path):
    """PlantUML looks for files of its own at some minutes of each hour, if a diagram is wrong."""
    texts = ["version", "checkversion", "testdot", "license"]
    wrong = "\n".join(block("plantuml", f"@startuml\n{text}\n@enduml") for text in texts)
    site(tmp_path, '[checks]\ndrawing = "warning"\n', good=GOOD, wrong=f"# W\n\n{wrong}")
    result = sitegen(tmp_path, "build")
    assert len(re.findall(r"site/wrong\.md:\d+:1: warning: diagram: ", result.stderr)) == len(texts), result.stderr
    assert is_drawn(page(tmp_path, "good"))


def without(*paths):
    """Runs a command as on a machine without these files."""
    present = [pathlib.Path(path) for path in paths if pathlib.Path(path).exists()]
    covers = [f"mount {'-t tmpfs none' if path.is_dir() else '--bind /dev/null'} {path}" for path in present]
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", " && ".join([*covers, 'exec "$0" "$@"'])]
    if subprocess.run([*command, "true"], capture_output=True).returncode != 0:
        pytest.skip("this machine makes no namespaces")
    return command


DOT, PYGMENTS = "/usr/bin/dot", "/usr/lib/python3/dist-packages/pygments"


@pytest.mark.parametrize(
    "missing, text, starts",
    [
        (DOT, block("dot", "digraph { a }"), 0),
        ("/usr/share/plantuml/plantuml.jar", block("plantuml", "A -> B"), 0),
        ("/usr/share/javascript/katex", "$x$\n", 0),
        (PYGMENTS, block("py", "import a"), 1),
    ],
)
def test_a_tool_that_is_missing_costs_nothing_and_is_noticed_when_it_comes(tmp_path, missing, text, starts):
    paths = [missing] + (["/usr/share/nodejs/katex"] if "katex" in missing else [])
    shim = tmp_path / "bin"
    shim.mkdir()
    for name in ("python3", "node"):
        (shim / name).write_text(f"#!/bin/sh\npwd >> {tmp_path}/starts\nexit 3\n")
        (shim / name).chmod(0o755)
    site(tmp_path, index=f"# A\n\n[b](b.md)\n\n{text}", b="# B\n")
    build = [*without(*paths), BIN / "sitegen", "build"]
    path = f"{shim}:/usr/bin:/bin"

    def built():
        return subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, env={"PATH": path}).stderr

    def count():
        folders = (tmp_path / "starts").read_text().split() if (tmp_path / "starts").exists() else []
        # A version manager reads the version from the working folder.
        assert set(folders) <= {"/"}
        return len(folders)

    first = built()
    assert "is not installed" in first and "release 1" in first, first
    assert count() == starts
    again = built()
    assert "is not installed" in again and "nothing has changed" in again, again
    (tmp_path / "site/b.md").write_text("# B\n\nmore\n")
    changed = built()
    assert "is not installed" in changed and "release 2" in changed, changed
    assert count() == 3 * starts
    there = sitegen(tmp_path, "build").stderr
    assert "is not installed" not in there and "release 3" in there, there
    html = (tmp_path / "public/current/site/index.html").read_text()
    assert '<div class="drawing"><svg ' in html or "<math" in html or '<span class="k">' in html


EVIL_PYTHON = ["sitecustomize", "usercustomize", "pygments", "merman", "subprocess", "resource", "encodings", "json", "xml"]


def test_no_file_of_an_author_and_no_variable_tells_a_tool_what_to_do(tmp_path):
    site(tmp_path / "plain", index="# Home\n", good=GOOD)
    site(tmp_path / "evil", index="# Home\n", good=GOOD)
    evil, mark = tmp_path / "evil", tmp_path / "mark"
    python = f"open({str(mark)!r}, 'a').write(__file__)\nraise SystemExit(1)\n"
    shell = f"#!/bin/sh\necho $0 >> {mark}\n"
    script = f"require('fs').appendFileSync({str(mark)!r}, __filename); process.exit(1)\n"
    # Some folders of an author, and below each what a program would look for.
    for folder in (evil, evil / "site"):
        for name in EVIL_PYTHON:
            (folder / f"{name}.py").write_text(python)
        for name in ("node_modules/katex", "node_modules/fs"):
            (folder / name).mkdir(parents=True)
            (folder / name / "index.js").write_text(script)
        texts = {
            ".pythonrc": python, "pyvenv.cfg": "home = .\n", ".python-version": "../../evil\n", "evil.js": script,
            ".node-version": "0.1\n", ".tool-versions": "python evil\nnodejs evil\n", ".npmrc": "node-options=-r ./evil.js\n",
            "package.json": '{"type": "module", "main": "evil.js"}', ".hotspotrc": "-Xmx1m\n", "java-args": "-Xmx1m\n",
            "fonts.conf": "<fontconfig><dir>.</dir></fontconfig>", ".graphvizrc": "x", "config6": "x", "config6a": "x",
            ".plantumlrc": "x", "plantuml.cfg": "!include /etc/passwd", "java.security": "x", "logging.properties": "x",
        }  # fmt: skip
        for name, text in texts.items():
            (folder / name).write_text(text)
        (folder / "bin").mkdir()
        for name in ("python3", "node", "dot", "java", "sh", "plantuml"):
            (folder / "bin" / name).write_text(shell)
            (folder / "bin" / name).chmod(0o755)
    names = {
        "PYTHONPATH": evil, "PYTHONSTARTUP": evil / ".pythonrc", "PYTHONHOME": evil, "NODE_PATH": evil,
        "NODE_OPTIONS": f"--require {evil}/evil.js", "JAVA_TOOL_OPTIONS": "-Xmx1m", "_JAVA_OPTIONS": "-Xmx1m",
        "JDK_JAVA_OPTIONS": f"@{evil}/java-args", "JAVA_HOME": evil, "CLASSPATH": evil, "GRAPHVIZ_DOT": evil / "bin/dot",
        "GVBINDIR": evil, "GV_FILE_PATH": "/", "FONTCONFIG_FILE": evil / "fonts.conf", "XDG_CONFIG_HOME": evil,
        "HOME": evil, "PLANTUML_LIMIT_SIZE": 1, "PLANTUML_SECURITY_PROFILE": "UNSECURE", "BASH_ENV": evil / "bin/sh",
        "ENV": evil / "bin/sh", "LD_LIBRARY_PATH": evil,
    }  # fmt: skip
    variables = {name: str(value) for name, value in names.items()}
    variables["PATH"] = "bin:./bin:site/bin::/usr/bin:/bin"
    assert sitegen(tmp_path / "plain", "build", env={"PATH": "/usr/bin:/bin"}).returncode == 0
    result = sitegen(evil, "build", env=variables)
    assert result.returncode == 0, result.stderr
    assert not mark.exists(), mark.read_text()
    assert is_drawn(page(evil, "good"))
    article = re.compile(r"<article.*</article>", re.DOTALL)
    assert article.search(page(evil, "good"))[0] == article.search(page(tmp_path / "plain", "good"))[0]
