"""Formulas and diagrams, drawn by the real KaTeX, Graphviz, PlantUML and merman."""

import os
import pathlib
import re
import subprocess

import pytest

import theme_site
from demo_site import ROOT, sitegen, write

FENCE = "```"


def test_drawings_need_no_script_and_keep_to_the_policy(tmp_path, page):
    public = theme_site.build(tmp_path, **{"site/draw.md": pathlib.Path(__file__).with_name("drawings.md").read_text()})
    theme_site.serve(page.context, public)
    page.goto(theme_site.SITE + "/draw/")
    assert page.locator("math").count() == 2
    assert page.locator(".drawing > svg").count() == 5
    assert page.locator("figcaption").inner_text() == "The way of a request"
    # Text that a reader can select, search and hear; letters of their own stand for alphabets.
    assert "siteauth" in page.locator(".drawing").first.inner_text()
    assert "ℝ" in page.locator("math").nth(1).text_content()
    assert page.locator("svg script, svg a, svg image, svg style, svg foreignObject, article [style]").count() == 0
    # Of Mermaid: a name, a description, and ids that no other diagram of the page has.
    flow = page.locator(".drawing > svg").nth(3)
    assert flow.locator("> title").text_content() == "The way of a page"
    assert flow.locator("> desc").text_content() == "From Markdown to a reader"
    assert "HTML & a reader" in flow.text_content()
    ids = page.locator("svg [id]").evaluate_all("nodes => nodes.map((node) => node.id)")
    assert len(ids) == len(set(ids)) > 2
    right = page.locator("mtd.is-right").first.evaluate("cell => getComputedStyle(cell).textAlign")
    assert right == "-webkit-right"
    # In the dark, shapes have the theme's colours, and an author's colours have others: no diagram is a white slab.
    fill = "shape => getComputedStyle(shape).fill"
    shapes = [".drawing ellipse", ".drawing:has(> svg > title) rect[fill^=light]", ".drawing text[fill^=var]"]
    light = [page.locator(shape).first.evaluate(fill) for shape in shapes]
    assert light[1:] == ["rgb(0, 51, 102)", "rgb(255, 255, 255)"]
    page.emulate_media(color_scheme="dark")
    dark = [page.locator(shape).first.evaluate(fill) for shape in shapes]
    assert dark[1:] == ["rgb(174, 209, 252)", "rgb(20, 22, 28)"] and dark[0] != light[0]
    # Text is not cut, whatever fonts there are.
    wide = page.locator(".drawing > svg").evaluate_all("""drawings => drawings.flatMap((svg) => [...svg.querySelectorAll("text")].filter((text) => {
        const box = text.getBoundingClientRect(), whole = svg.getBoundingClientRect();
        return box.left < whole.left - 1 || box.right > whole.right + 1;
    }).map((text) => text.textContent))""")
    assert wide == []


def test_a_diagram_that_is_not_drawn_can_be_read_and_copied(tmp_path, page, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    public = theme_site.build(tmp_path, **{"site/draw.md": f'# D\n\n{FENCE}mermaid title="A graph"\ngraph TD\n  a --> b\n{FENCE}\n' * 2})
    page.add_init_script(theme_site.CLIPBOARD)
    theme_site.serve(page.context, public)
    page.goto(theme_site.SITE + "/draw/")
    box = page.locator("figure.code").first
    assert box.locator("figcaption").inner_text() == "A graph" and "a --> b" in box.inner_text()
    box.get_by_role("button", name="Copy").click()
    assert page.evaluate("window.copied") == "graph TD\n  a --> b"
    told = sitegen(tmp_path, "build").stderr
    assert told.count("diagrams of Mermaid are shown as text: merman is not installed") == 1, told


MISTAKES = [
    ("Text $\\frac{a$ text", "3:", "formula: Unexpected end"),
    ("a $x$ and $\\unknown$", "3:12", "formula: Undefined control sequence: \\unknown"),
    ("$$\nx\n\\href{javascript:x}{y}\n$$", "5:1", "formula: \\href is not allowed"),
    ("$\\def\\a{\\a\\a}\\a$", "3:", "formula: Too many expansions"),
    (f"{FENCE}dot\ndigraph {{\na -> \n}}\n{FENCE}", "6:1", "diagram: syntax error"),
    (f"{FENCE}dot\n{FENCE}", "4:1", "diagram: Graphviz found no graph"),
    (f"{FENCE}dot\ngraph {{}} graph {{}}\n{FENCE}", "4:1", "diagram: a block has exactly one diagram"),
    (f"{FENCE}plantuml\nAlice -> Bob\nfoo bar !!\n{FENCE}", "5:1", "diagram: Syntax Error"),
    (f"{FENCE}plantuml\n!include /etc/passwd\nA -> B\n{FENCE}", "4:1", "diagram: diagrams cannot include"),
    (f"{FENCE}mermaid\nsequenceDiagram\n  A->>B: x\n  foo bar !!\n{FENCE}", "6:13", "diagram: unexpected statement separator"),
    (f"{FENCE}mermaid\ngraph TD\nA[x --> B\n{FENCE}", "5:2", "diagram: Unterminated node label"),
    (f"{FENCE}mermaid\nnonsense\n{FENCE}", "4:1", "diagram: no Mermaid diagram detected"),
    (f'{FENCE}mermaid\ngraph TD\nA@{{ img: "https://e.example/a.png", label: "x" }}\n{FENCE}', "4:1", "diagram: diagrams cannot show"),
    (f"{FENCE}plantuml\nA -> B: <img:/etc/passwd>\n{FENCE}", "4:1", "diagram: PlantUML cannot draw this"),
]  # fmt: skip


def test_a_mistake_is_an_error_at_its_line(tmp_path):
    write(tmp_path, {f"site/{number}.md": f"# A\n\n{source}\n" for number, (source, _, _) in enumerate(MISTAKES)})
    for command in ("check", "build"):
        result = sitegen(tmp_path, command)
        assert result.returncode == 1, result.stderr
        for number, (_, place, message) in enumerate(MISTAKES):
            # The column may be any.
            assert re.search(rf"site/{number}\.md:{place}(\d+)?: error: {re.escape(message)}", result.stderr), result.stderr
    assert not (tmp_path / "public/current").exists()


def test_a_diagram_reads_no_file_of_the_machine(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")
    sources = [
        f'{FENCE}dot\ngraph {{ a [image="{secret}" shape=none label=""]; b [shapefile="{secret}"] }}\n{FENCE}',
        f"{FENCE}plantuml\n!$x = %load_json(\"{secret}\")\nA -> B: $x %getenv(\"HOME\")\n{FENCE}",
        f"{FENCE}plantuml\nsprite foo {secret}\nA -> B: <$foo>\n{FENCE}",
        f"{FENCE}plantuml\n!define X !include {secret}\nX\nA -> B\n{FENCE}",
        f"{FENCE}plantuml\n@startdot\ngraph {{ a [image=\"{secret}\"] }}\n@enddot\n{FENCE}",
        f"$\\includegraphics{{{secret}}}$",
        f"$\\input{{{secret}}}$",
    ]  # fmt: skip
    # Those that cannot be drawn are shown as they stand there.
    write(tmp_path, {f"site/{number}.md": f"# A\n\n{source}\n" for number, source in enumerate(sources)})
    write(tmp_path, {"sitegen.toml": '[checks]\ndrawing = "warning"\n'})
    result = sitegen(tmp_path, "build")
    assert result.returncode == 0, result.stderr
    assert not re.search("TOPSECRET|/root", result.stderr)
    for number, source in enumerate(sources):
        text = (tmp_path / f"public/current/site/{number}/index.html").read_text()
        assert not re.search("TOPSECRET|/root|<image", text), source


def test_each_command_of_katex_is_drawn_or_refused():
    """KaTeX's markup is read whole: nothing of it becomes text, and no command writes between the answers."""
    script = ROOT / "Sources/Rendering/Code/katex.js"
    katex = pathlib.Path("/usr/share/javascript/katex/katex.js").read_text()
    commands = ["\\" + name for name in sorted(set(re.findall(r"\\\\([a-zA-Z@]+|[^\w\s\"\\])", katex)))]
    arguments = ["", " x", "{a}", "{a}{b}", "[a]{b}", "1em", "{1em}{2em}", "{red}{a}", "\\frac x"]
    formulas = [f"$${command}{argument}$$".encode() for command in commands for argument in arguments]
    formulas += [f"$$\\begin{{{name}}}a&b\\\\c&d\\end{{{name}}}$$".encode() for name in set(re.findall(r'"(\w+\*?)"', katex))]
    told = subprocess.run(
        ["node", "-e", script.read_text(), "/usr/share/javascript/katex/katex.js"], input=b"".join(b"tex %d\n%s" % (len(formula), formula) for formula in formulas),
        capture_output=True, check=True,
    )
    answers = told.stdout.decode().split("\0")[1:-1]
    assert len(answers) == len(formulas) and told.stderr == b""
    wrong = [
        (formula, answer) for formula, answer in zip(formulas, answers)
        if not re.fullmatch(r'mistake \d+ \d+ .+|html (<[^<>]+>[^<>]*)+', answer)
        or answer.count("<mspace") != answer.count("</mspace>")
    ]
    assert not wrong, wrong[:5]
    drawn = dict(zip(formulas, answers))
    assert '<mspace width="1em"></mspace>' in drawn[b"$$\\quad x$$"]
    assert len([answer for answer in answers if answer.startswith("html")]) > 5000


EVIL = "https://evil.example/x"


@pytest.mark.parametrize(
    "source",
    [
        'graph TD\nA-->B\nclick A "javascript:alert(1)"',
        "graph TD\nA-->B\nclick A call alert(1)",
        f'graph TD\nA-->B\nclick A href "{EVIL}" "tip" _blank',
        f'%%{{init: {{"securityLevel": "loose", "htmlLabels": true, "themeCSS": "* {{ fill: url({EVIL}) }}"}}}}%%\n'
        'graph TD\nA["<b onclick=alert(1)>x</b><script>alert(1)</script>"]',
        f'---\nconfig:\n  themeCSS: "@import url({EVIL})"\n  fontFamily: "x</style><script>alert(1)</script>"\n---\ngraph TD\nA',
        f"graph TD\nA\nstyle A fill:url({EVIL}),stroke:expression(alert(1)),filter:url(#x)",
        f'graph TD\nA["<img src={EVIL} onerror=alert(1)><svg onload=alert(1)><iframe src=javascript:alert(1)>"]',
        f'graph TD\nA["`![x]({EVIL})`"]\nclassDef x fill:var(--paper);}}\nclass A x',
        'sequenceDiagram\nparticipant A\nlinks A: {"x": "javascript:alert(1)"}\nA->>A: x',
        'classDiagram\nclass A\nlink A "javascript:alert(1)"\ncallback A "alert"',
        'gantt\nsection s\nx :a, 2020-01-01, 1d\nclick a href "javascript:alert(1)"',
        f'%%{{init: {{"theme": "base", "themeVariables": {{"primaryColor": "url({EVIL})", "lineColor": "red;}}*{{x:y"}}}}}}%%\ngraph TD\nA-->B',
    ],
)
def test_mermaid_draws_shapes_and_texts_and_nothing_else(draw, source):
    answer = draw.answer_of_a_child(draw.Mermaid(), source)
    assert answer.startswith(("html <svg ", "mistake ")) and set(re.findall(r' class="([^"]*)"', answer)) <= {"is-broad"}, answer
    for found in ("alert", "evil", "<a", "<image", "<style", "<foreignObject", "<script", "<use", " style=", "href", " on"):
        assert found not in answer, (found, answer)
    assert re.fullmatch(r"(html|mistake) [^\0]+", answer) and not re.search(r"url\((?!#d[0-9a-f]{8}-\d+\))", answer)


def test_what_stops_merman_stops_one_diagram(draw, monkeypatch):
    monkeypatch.setattr(draw, "SECONDS", 1)
    mermaid, good = draw.Mermaid(), "graph TD\nA-->B"

    def busy(_):
        while True:
            pass

    for stop, expected in [
        (lambda _: os.kill(os.getpid(), 5), "mistake 1 1 merman cannot draw this"),
        (lambda _: os._exit(0), "mistake 1 1 merman cannot draw this"),
        (lambda _: bytearray(2 << 30), "large "),
        (busy, "slow "),
        (lambda _: os.kill(os.getpid(), 9), "unavailable "),
    ]:
        with monkeypatch.context() as changed:
            changed.setattr(draw.Mermaid, "svg", lambda _, source: stop(source))
            assert draw.answer_of_a_child(mermaid, good) == expected
        assert draw.answer_of_a_child(mermaid, good).startswith("html <svg ")
    for source in ["graph TD\n" + "a-->b\n" * 20_000, "graph TD\n" + "\n".join(f"n{n}-->n{n * 7 % 997}" for n in range(4000)),
                   "graph TD\n" + "subgraph x\n" * 5000, "mindmap\n" + "\n".join(" " * n + "x" for n in range(400))]:  # fmt: skip
        assert re.match(r"large |slow |mistake |html ", draw.answer_of_a_child(mermaid, source)), source[:40]


def test_a_failure_of_java_is_no_mistake_of_an_author(tmp_path, draw):
    """The block has no answer, so that the next build tries again."""
    java = tmp_path / "java"
    for said, expected in [
        ("Could not reserve enough space", "unavailable "),
        ("No diagram found", "mistake 1 1 PlantUML found no diagram"),
        ('Exception in thread "main" java.security.AccessControlException', "mistake 1 1 PlantUML cannot draw this"),
    ]:
        java.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
        java.chmod(0o755)
        assert draw.answer(draw.PlantUML(str(java), "plantuml.jar"), "a -> b") == expected
