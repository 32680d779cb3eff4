"""Formulas and diagrams, drawn by the real KaTeX, Graphviz and PlantUML."""

import importlib.util
import pathlib
import re
import subprocess

import pytest

import theme_site
from demo_site import BIN, ROOT

FENCE = "```"
PAGE = f"""\
# Drawings

Energy $E=mc^2$.

$$
\\begin{{aligned}} a &= \\mathbb{{R}} \\\\ b &= \\boxed{{d}} \\end{{aligned}}
$$

{FENCE}dot title="The way of a request"
digraph {{ Browser -> nginx -> siteauth }}
{FENCE}

{FENCE}dot
digraph {{ a [style=filled fillcolor="red:blue" label="<script>alert(1)</script>" URL="javascript:alert(1)"] }}
{FENCE}

{FENCE}plantuml
class Reader
Reader --> Page
{FENCE}
"""


def sitegen(folder, *arguments):
    return subprocess.run([BIN / "sitegen", *arguments], cwd=folder, capture_output=True, text=True)


def site(folder, page, settings=""):
    (folder / "site").mkdir()
    (folder / "site/index.md").write_text(page)
    (folder / "sitegen.toml").write_text('title = "Test"\n' + settings)


def test_drawings_need_no_script_and_keep_to_the_policy(tmp_path, page):
    public = theme_site.build(tmp_path, **{"site/draw.md": PAGE})
    theme_site.serve(page.context, public)
    page.goto(theme_site.SITE + "/draw/")
    assert page.locator("math").count() == 2
    assert page.locator(".drawing > svg").count() == 3
    assert page.locator("figcaption").inner_text() == "The way of a request"
    # Text that a reader can select, search and hear; letters of their own stand for alphabets.
    assert "siteauth" in page.locator(".drawing").first.inner_text()
    assert "ℝ" in page.locator("math").nth(1).text_content()
    assert page.locator("svg script, svg a, svg image, article [style]").count() == 0
    right = page.locator("mtd.is-right").first.evaluate("cell => getComputedStyle(cell).textAlign")
    assert right == "-webkit-right"
    # In the dark, lines have the colour of the text, and what is coloured stands on paper.
    page.emulate_media(color_scheme="dark")
    colour = "shape => getComputedStyle(shape).stroke"
    text = page.evaluate("getComputedStyle(document.querySelector('article')).color")
    assert page.locator("svg.is-plain ellipse").first.evaluate(colour) == text
    paper = page.locator("svg.is-coloured").first.evaluate("svg => getComputedStyle(svg).backgroundColor")
    assert paper == "rgb(255, 255, 255)"


@pytest.mark.parametrize(
    "source, place, message",
    [
        ("Text $\\frac{a$ text", "3:", "formula: Unexpected end"),
        ("a $x$ and $\\unknown$", "3:12", "formula: Undefined control sequence: \\unknown"),
        ("$$\nx\n\\href{javascript:x}{y}\n$$", "5:1", "formula: \\href is not allowed"),
        ("$\\def\\a{\\a\\a}\\a$", "3:", "formula: Too many expansions"),
        (f"{FENCE}dot\ndigraph {{\na -> \n}}\n{FENCE}", "6:1", "diagram: syntax error"),
        (f"{FENCE}dot\n{FENCE}", "4:1", "diagram: Graphviz found no graph"),
        (f"{FENCE}dot\ngraph {{}} graph {{}}\n{FENCE}", "4:1", "diagram: a block has exactly one diagram"),
        (f"{FENCE}plantuml\nAlice -> Bob\nfoo bar !!\n{FENCE}", "5:1", "diagram: Syntax Error"),
        (f"{FENCE}plantuml\n!include /etc/passwd\nA -> B\n{FENCE}", "4:1", "diagram: diagrams cannot include"),
        (f"{FENCE}plantuml\nA -> B: <img:/etc/passwd>\n{FENCE}", "4:1", "diagram: PlantUML cannot draw this"),
    ],
)  # fmt: skip
def test_a_mistake_is_an_error_at_its_line(tmp_path, source, place, message):
    site(tmp_path, f"# A\n\n{source}\n")
    for command in ("check", "build"):
        result = sitegen(tmp_path, command)
        assert result.returncode == 1, result.stderr
        assert f"site/index.md:{place}" in result.stderr and f"error: {message}" in result.stderr
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
    for number, source in enumerate(sources):
        folder = tmp_path / str(number)
        folder.mkdir()
        site(folder, f"# A\n\n{source}\n")
        result = sitegen(folder, "build")
        written = [file.read_text() for file in (folder / "public").glob("**/index.html")]
        found = [text for text in [*written, result.stderr] if "TOPSECRET" in text or "/root" in text]
        assert not found, source
        assert not written or "<image" not in written[0]


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


def test_a_failure_of_java_is_no_mistake_of_an_author(tmp_path):
    """The block has no answer, so that the next build tries again."""
    specification = importlib.util.spec_from_file_location("draw", ROOT / "Sources/Rendering/Code/draw.py")
    draw = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(draw)
    java = tmp_path / "java"
    for said, expected in [
        ("Could not reserve enough space", "unavailable "),
        ("No diagram found", "mistake 1 1 PlantUML found no diagram"),
        ('Exception in thread "main" java.security.AccessControlException', "mistake 1 1 PlantUML cannot draw this"),
    ]:
        java.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
        java.chmod(0o755)
        assert draw.answer(draw.PlantUML(str(java), "plantuml.jar"), "a -> b") == expected
