"""A small site of each tool, moved as the handbook says: nothing is reported, and nothing is lost or out of order."""

import pathlib
import re
import subprocess
import tomllib

import pytest

from demo_site import BIN, texts, write
from handbook_pages import HANDBOOK, page

PAGES = "how-to/bring-pages"

# What the navigation has, in its order; what the pages have; what no page has. The files are those of moved/TOOL.txt.
SITES = {
    "hugo": (
        ["/Rules/", "/Rules/Cash/", "/hours/"], ['href="/hours/#sunday"', "<p>Closed.</p>", 'href="/Rules/"'], ["{{"],
    ),
    "mkdocs": (
        ["/b/", "/a/"],
        ["Mind", 'href="/b/"', 'href="/a/"', "\u2776"],
        ["!!!", "///", "(1)", "===", "md-button", ":material", "Secret"],
    ),
    "docusaurus": (
        ["/first/", "/01-guide/", "/01-guide/02-stay/"],
        ["The guide", "Staying", 'href="/01-guide/02-stay/"', "Hint", 'id="begin"'],
        [":::", "import Tabs", "TabItem", "{#", "highlight-next"],
    ),
    "vitepress": (
        ["/guide/", "/guide/a/"],
        ["More", 'href="/guide/a/"', "npm add x", 'id="new-paid"', "x.ts</p>"],
        [":::", "const a", "Secret", "[!code", "Badge"],
    ),
    "starlight": (
        ["/guide/", "/guide/two/", "/guide/one/"],
        ["The second", 'href="/guide/two/"', "Ask.", 'href="/guide/one/">Begin</a>'],
        ["import {", "Card", "Steps", "Aside"],
    ),
    "mdbook": (["/hello/", "/b/", "/a/"], ["For everybody", 'href="/a/"'], ["Later", "Secret"]),
    "gitbook": (
        ["/two/", "/one/"],
        ["Work", "By bus.", "Plan", "a.gif", "a.pdf</a>", "The form", 'href="https://w.example/"', ">Two for all</a>", 'href="/one/">A card</a>'],
        ["{%", "Secret", "one.md<"],
    ),
    "obsidian": (
        ["/Home/", "/Shop/"],
        ['href="/Shop/Opening%20hours/#sunday"', 'href="/Shop/Opening%20hours/">times', "plan.gif", "Why?", '/plan.pdf">plan.pdf</a>'],
        ["[[", "^[", "ask again"],
    ),
    "jekyll": (["/pay/", "/away/"], ['href="/pay/"'], ["{%", "{{", "{:", "Secret"]),
    "azure-devops": (["/Second/", "/First/"], ['href="/Second/E-mail/"', "plan.gif"], ["[[_TOC_]]", "=30x", ":::"]),
}

PICTURES = {
    "azure-devops": [".attachments/plan.gif", ".attachments/other.gif"], "gitbook": [".gitbook/assets/a.gif"],
    "obsidian": ["files/plan.gif"],
}
# What is left out is told once for the whole site.
CODE = "'import', 'export' or '<script setup>' of MDX and Vue is left out"
TAG = ("'<Name …>' of MDX and Vue, or '::: query-table' of Azure DevOps, means nothing here: the tag is left out with its"
       " attributes, and what stands between tags stays")
WARNINGS = {
    "mkdocs": ["the name of an icon such as ':material-check:' is left out"],
    "docusaurus": [CODE],
    "gitbook": ["'icon' of other tools has no effect", "'layout' of other tools has no effect"],
    "jekyll": ["there is no template 'home'"],
    "starlight": [CODE],
    "vitepress": [CODE, TAG],
}


def test_every_page_of_the_handbook_has_its_site():
    pages = {path.stem for path in (HANDBOOK / PAGES).glob("*.md")}
    assert pages - {"index", "confluence", "notion"} == set(SITES)


@pytest.mark.parametrize("tool", SITES)
def test_a_site_of_another_tool_is_moved_in_as_the_handbook_says(tool, tmp_path):
    navigation, present, absent = SITES[tool]
    write(tmp_path, texts(pathlib.Path(__file__).with_name("moved") / f"{tool}.txt"))
    write(tmp_path, dict.fromkeys(PICTURES.get(tool, []), "GIF89a\x01\0\x01\0\0\0\0;"))
    settings, commands = [block for block in page(f"{PAGES}/{tool}.md").blocks if block.before][:2]
    write(tmp_path, {settings.name: settings.text})
    for command in commands.text.splitlines():
        result = subprocess.run(command.replace("sitegen", str(BIN / "sitegen"), 1), shell=True, cwd=tmp_path,
                                capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        found = re.findall(r"warning: ([^;\n[]*[^;\n[ ])", result.stderr)
        assert found == WARNINGS.get(tool, []), result.stderr
    output = tmp_path / tomllib.loads(settings.text).get("output", "public")
    pages = [path.read_text() for path in sorted((output / "current/site").rglob("index.html"))
             if path.parent.name != "search"]
    order = re.findall(r'href="(/[^"]+)"', re.search(r'(?s)<nav class="side".*?</nav>', pages[0])[0])
    assert order == navigation
    for text in present:
        assert any(text in found for found in pages), text
    for text in absent:
        assert not any(text in re.sub(r"(?s)<head>.*?</head>", "", found) for found in pages), text
