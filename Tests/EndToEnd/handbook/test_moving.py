"""A small site of each tool, moved as the handbook says: nothing is reported, and nothing is lost or out of order."""

import re
import subprocess
import tomllib

import pytest

from demo_site import BIN, write
from handbook_pages import HANDBOOK, page

PAGES = "how-to/bring-pages"

# The files; what the navigation has, in its order; what the pages have; what no page has.
SITES = {
    "hugo": (
        {
            "content/_index.md": "---\ntitle: Home\n---\n[Hours]({{< ref \"hours.md#sunday\" >}})\n",
            "content/hours.md": "+++\ntitle = 'Hours'\nweight = 2\n+++\n## Sunday\n\n{{< hint warning >}}\nClosed.\n{{< /hint >}}\n",
            "content/Rules/_index.md": "---\ntitle: Rules\nweight: 1\n---\nSee [hours](/hours/).\n",
            "content/Rules/Cash.md": "---\ntitle: Cash\n---\n[Rules](/rules/)\n",
        },
        ["/Rules/", "/Rules/Cash/", "/hours/"],
        ['href="/hours/#sunday"', "<p>Closed.</p>", 'href="/Rules/"'],
        ["{{"],
    ),
    "mkdocs": (
        {
            "mkdocs.yml": "site_name: X\nnav:\n  - Home: index.md\n  - Work:\n    - Travel: b.md\n    - a.md\nexclude_docs: drafts/\n",
            "docs/index.md": "# Home\n\n!!! note \"Mind\"\n    The step.\n",
            "docs/a.md": "# Away\n\n=== \"Bus\"\n\n    [Travel](../b/)\n",
            "docs/b.md": "# Travel\n\n[Go](a.md){ .md-button } :material-bus:{ .big }\n\n```py\nrun()  # (1)!\n```\n\n1.  Slow\n\n/// tip | Ask\nTwice.\n///\n",
            "docs/drafts/c.md": "# Secret\n",
        },
        ["/b/", "/a/"],
        ["Mind", 'href="/b/"', 'href="/a/"', "\u2776"],
        ["!!!", "///", "(1)", "===", "md-button", ":material", "Secret"],
    ),
    "docusaurus": (
        {
            "docs/index.mdx": "---\nslug: /\n---\nimport Tabs from '@theme/Tabs';\n\n# Home\n\n<Tabs>\n<TabItem value=\"bus\" label=\"Bus\">\n\n[Stay](/docs/guide/stay)\n\n</TabItem>\n</Tabs>\n",
            "docs/01-guide/_category_.json": '{"label": "The guide", "position": 2}',
            "docs/01-guide/02-stay.md": "---\nsidebar_label: Staying\n---\n# Stay\n\n:::tip[Hint]\n\nAsk.\n\n:::\n",
            "docs/first.md": "---\nsidebar_position: 1\n---\n# First {#begin}\n\n```js\n// highlight-next-line\nrun()\n```\n",
        },
        ["/first/", "/01-guide/", "/01-guide/02-stay/"],
        ["The guide", "Staying", 'href="/01-guide/02-stay/"', "Hint", 'id="begin"'],
        [":::", "import Tabs", "TabItem", "{#", "highlight-next"],
    ),
    "vitepress": (
        {
            "docs/.vitepress/config.mts": "export default { srcExclude: ['**/old/**'] }\n",
            "docs/index.md": "# Home\n\n::: details More\n[a](./guide/a)\n:::\n",
            "docs/guide/a.md": "<script setup>\nconst a = 1\n</script>\n\n# A\n\n::: code-group\n\n```sh [npm]\nnpm add x\n```\n\n```sh [pnpm]\npnpm add x\n```\n\n:::\n\n<<< @/guide/x.ts\n\n## New <Badge>Paid</Badge>\n",
            "docs/guide/x.ts": "run() // [!code ++]\n",
            "docs/guide/old/b.md": "# Secret\n",
        },
        ["/guide/", "/guide/a/"],
        ["More", 'href="/guide/a/"', "npm add x", 'id="new-paid"', "x.ts</p>"],
        [":::", "const a", "Secret", "[!code", "Badge"],
    ),
    "starlight": (
        {
            "src/content/docs/index.mdx": "---\ntitle: Home\n---\nimport { Steps } from '@astrojs/starlight/components';\n\n<Steps>\n\n1. [Two](./guide/two/)\n\n</Steps>\n"
                                          "\n<CardGrid>\n  <LinkCard title=\"Begin\" href=\"./guide/one/\" />\n</CardGrid>\n",
            "src/content/docs/guide/one.md": "---\ntitle: One\nsidebar:\n  order: 2\n---\n[Two](../two/)\n",
            "src/content/docs/guide/two.mdx": "---\ntitle: Two\nsidebar:\n  order: 1\n  label: The second\n---\n<Aside type=\"tip\">Ask.</Aside>\n",
        },
        ["/guide/", "/guide/two/", "/guide/one/"],
        ["The second", 'href="/guide/two/"', "Ask.", 'href="/guide/one/">Begin</a>'],
        ["import {", "Card", "Steps", "Aside"],
    ),
    "mdbook": (
        {
            "src/SUMMARY.md": "# Summary\n\n[Hello](hello.md)\n\n# For everybody\n\n- [Two](b.md)\n  - [Later]()\n- [One](a.md)\n",
            "src/hello.md": "# Hello\n\n[one](a.html)\n",
            "src/a.md": "# One\n\n```rust,ignore\nfn main() {}\n```\n",
            "src/b.md": "# Two\n",
            "src/left.md": "# Secret\n",
        },
        ["/hello/", "/b/", "/a/"],
        ["For everybody", 'href="/a/"'],
        ["Later", "Secret"],
    ),
    "gitbook": (
        {
            "README.md": "# Home\n\n{% hint style=\"info\" %}\nRead [two.md](two.md \"mention\").\n{% endhint %}\n",
            "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n\n## Work\n\n* [Two](two.md)\n* [One](one.md)\n* [Web](https://w.example/)\n",
            "one.md": "---\ndescription: The first\nicon: star\nlayout:\n  title:\n    visible: true\n  tags:\n    visible: false\n---\n# One\n\n<figure><img src=\".gitbook/assets/a.gif\" alt=\"A plan\"><figcaption><p>Plan</p></figcaption></figure>\n",
            "two.md": "# Two for all\n\n{% tabs %}\n{% tab title=\"Bus\" %}\nBy bus.\n{% endtab %}\n{% endtabs %}\n"
                       "\n<table data-view=\"cards\"><thead><tr><th></th><th data-hidden data-card-target></th></tr></thead><tbody><tr><td>A card</td><td><a href=\"one.md\">one.md</a></td></tr></tbody></table>\n\n{% code title=\"a.sh\" %}\n```sh\nls\n```\n{% endcode %}\n\n{% file src=\".gitbook/assets/a.pdf\" %}\nThe form\n{% endfile %}\n"
                       "\n{% columns %}\n{% column width=\"50%\" %}\n<img src=\".gitbook/assets/a.gif\" alt=\"Both\">\n{% endcolumn %}\n{% endcolumns %}\n",
            ".gitbook/assets/a.gif": "GIF89a\x01\0\x01\0\0\0\0;", ".gitbook/assets/a.pdf": "%PDF-1.7\n",
            "left.md": "# Secret\n",
        },
        ["/two/", "/one/"],
        ["Work", "By bus.", "Plan", "a.gif", "a.pdf</a>", "The form", 'href="https://w.example/"', ">Two for all</a>", 'href="/one/">A card</a>'],
        ["{%", "Secret", "one.md<"],
    ),
    "obsidian": (
        {
            "Home.md": "See [[Opening hours#Sunday|Sundays]], [times](Opening%20hours.md) and ![[plan.gif|30]].\n\n> [!faq]- Why?\n> Because.^[Ask *me*.] %%ask again%%\n\n![[plan.pdf]]\n",
            "files/plan.pdf": "%PDF-1.7\n",
            "Shop/Opening hours.md": "---\naliases: [Times]\n---\n# Opening hours\n\n## Sunday\n\n[[Home]]\n",
            "files/plan.gif": "GIF89a\x01\0\x01\0\0\0\0;",
            ".obsidian/app.json": "{}",
        },
        ["/Home/", "/Shop/"],
        ['href="/Shop/Opening%20hours/#sunday"', 'href="/Shop/Opening%20hours/">times', "plan.gif", "Why?", '/plan.pdf">plan.pdf</a>'],
        ["[[", "^[", "ask again"],
    ),
    "jekyll": (
        {
            "_config.yml": "title: X\nexclude: [old]\n",
            "index.md": "---\ntitle: Home\nlayout: home\n---\n[Pay]({% link pay/index.md %}){: .btn }\n",
            "pay/index.md": "---\ntitle: Pay\nnav_order: 1\n---\n# Pay\n\n{: .note }\nText.\n",
            "away.md": "---\ntitle: Away\nnav_order: 2\nredirect_from: /gone/\n---\n[Pay]({{ site.baseurl }}/pay/)\n",
            "old/b.md": "# Secret\n",
            "Gemfile": "source\n",
        },
        ["/pay/", "/away/"],
        ['href="/pay/"'],
        ["{%", "{{", "{:", "Secret"],
    ),
    "azure-devops": (
        {
            ".order": "Second\nFirst\n",
            "First.md": "[[_TOC_]]\n\n# One\n\n[E-mail](/Second/E%2Dmail)\n",
            "Second.md": "# Two\n\n![plan](/.attachments/plan.gif =30x)\n",
            "Second/.order": "E%2Dmail\n",
            "Second/E%2Dmail.md": "# Writing\n\n::: mermaid\ngraph LR\n  a --> b\n:::\n",
            ".attachments/plan.gif": "GIF89a\x01\0\x01\0\0\0\0;",
            ".attachments/other.gif": "GIF89a\x01\0\x01\0\0\0\0;",
        },
        ["/Second/", "/First/"],
        ['href="/Second/E-mail/"', "plan.gif"],
        ["[[_TOC_]]", "=30x", ":::"],
    ),
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
    files, navigation, present, absent = SITES[tool]
    write(tmp_path, files)
    settings, commands = [block for block in page(f"{PAGES}/{tool}.md").blocks if block.before][:2]
    write(tmp_path, {settings.name: settings.text})
    for command in commands.text.splitlines():
        result = subprocess.run(command.replace("sitegen", str(BIN / "sitegen"), 1), shell=True, cwd=tmp_path,
                                capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        found = re.findall(r"warning: ([^;\n[]*[^;\n[ ])", result.stderr)
        assert found == WARNINGS.get(tool, []), result.stderr
    output = tmp_path / tomllib.loads(settings.text).get("output", "public")
    texts = [path.read_text() for path in sorted((output / "current/site").rglob("index.html"))
             if path.parent.name != "search"]
    order = re.findall(r'href="(/[^"]+)"', re.search(r'(?s)<nav class="side".*?</nav>', texts[0])[0])
    assert order == navigation
    for text in present:
        assert any(text in found for found in texts), text
    for text in absent:
        assert not any(text in re.sub(r"(?s)<head>.*?</head>", "", found) for found in texts), text
