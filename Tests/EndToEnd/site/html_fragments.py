"""Markdown with hostile HTML in it, made at random, and what may come of it."""

import random
import re

import html5lib

# Pieces of HTML that an attacker, or a hurried author, would write, and of the Markdown between.
ELEMENTS = (
    "a abbr b bdi blockquote br caption center code col colgroup dd del details dfn div dl dt em figcaption figure"
    " h1 h2 h3 h6 hr i img ins kbd li mark ol p picture pre q rp rt ruby s samp small source span strong sub summary"
    " sup table tbody td tfoot th thead time tr tt u ul var wbr"
    " article base body button canvas dialog embed fieldset font form frame frameset head html iframe image input"
    " isindex link listing main map marquee math menu meta nav nobr noembed noframes noscript object option"
    " plaintext rb rtc script section select slot style svg template textarea title video xmp mi mglyph annotation-xml"
    " foreignObject desc path unknown x-y"
).split()
ATTRIBUTES = [
    "id=x", "id='main'", 'id="content"', "name=cookie", "class=topbar", "style='position:fixed'", "onclick=alert(1)",
    "onerror='alert(1)'", "href=#x", "href='javascript:alert(1)'", "href=https://elsewhere.test/", "href=java&Tab;script:x",
    "src=x.png", "src=//elsewhere.test/x.png", "srcset='a.png 1x, javascript:b 2x'", "align=center", "colspan=2",
    "colspan=99999999", "width=50%", "width=1e9", "open", "/", "=", "\"", "'", "`", "a='>'", "title='</p><script>'",
    "title=\"<!--\"", "xmlns=x", "hidden", "dir=rtl", "lang=\"a&quot;b\"", "<b", "value=1", "type=a", "\0=1", "é=1",
]
MARKDOWN = [
    "word", " ", "\n", "\n", "\n\n", "\n\n", "\n- ", "\n> ", "\n1. ", "\n# ", "\n## x\n", "*", "**", "~~", "`", "_", "[l](#x)",
    "[", "](b)", "![i](i.png)", "<https://a.b>", "[^1]", "\n\n[^1]: note\n", "\n| a | b |\n|---|---|\n| ", " | ", "\n---\n",
    "\n```\n", "\n    ", "\n  ", "  \n", "\\", "&lt;", "&#60;", "&amp", "&#0;", "www.a.bc", "\n> [!NOTE]\n> ", "\n- [ ] ",
    "\n# [t](#tab/t)\n", "é", "\u00a0", "\t", "\r\n", "\x0c", "\x1b", "]]>", "-->", "--!>", "?>",
]
MARKUP = [
    "<!--", "<!-->", "<!--->", "<!-- x -->", "<!-- x --!>", "<!DOCTYPE html>", "<![CDATA[ x ]]>", "<![CDATA[", "<?php x ?>",
    "<?", "<!", "</", "</>", "</3>", "<", "<<", "<a", "<div\n", "</div\n", "<p ", "<script>x</script>",
    "<style>@import 'x'</style>", "<svg><style><img src=x onerror=y></style></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=y></style></table></mtext></math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=y>",
    "<table><tr><td>", "</td></tr></table>", "<table><caption>", "<ul><li>", "</li></ul>", "<details><summary>s</summary>",
    "</details>", "<noscript><p title=\"</noscript><img src=x onerror=y>\">", "<textarea></textarea>", "<a href=b>",
    "<select><option>", "<template><tr>",
]


def fragment(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.45:
        return chance.choice(MARKDOWN)
    if kind < 0.57:
        return chance.choice(MARKUP)
    name = chance.choice(ELEMENTS[:52] if chance.random() < 0.75 else ELEMENTS)
    if chance.random() < 0.1:
        name = name.upper()
    if kind < 0.75:
        return f"</{name}>"
    attributes = [chance.choice(ATTRIBUTES) for _ in range(chance.choice([0, 0, 0, 1, 1, 2, 3]))]
    return f"<{chance.choice(['', '', '', '/'])}{chance.choice([' ', ' ', '/', chr(10)]).join([name, *attributes])}>"


def document(chance: random.Random) -> str:
    # NUL separates the documents.
    return "".join(fragment(chance) for _ in range(chance.randrange(2, 40))).replace("\0", "\ufffd")


ALLOWED = {
    name: set(attributes.split())
    for name, attributes in {
        **dict.fromkeys(
            "abbr b bdi bdo big center cite code dd dfn dl dt em figcaption figure hr i kbd mark picture q rp rt ruby s samp"
            " section small span strike strong sub summary sup tt u ul var wbr br".split(),
            "",
        ),
        "a": "href class aria-labelledby data-footnote-ref data-footnote-backref data-footnote-backref-idx",
        "blockquote": "", "caption": "align", "code": "class", "col": "align valign width span",
        "colgroup": "align valign width span", "del": "datetime", "details": "open", "div": "align class",
        **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6", "p"], "align class"),
        "img": "src srcset sizes alt width height loading align", "input": "type checked disabled",
        "ins": "datetime", "li": "value class", "nav": "class", "ol": "start reversed type",
        "pre": "class", "section": "class data-footnotes", "source": "srcset sizes media type width height",
        "sup": "class", "table": "align width", "time": "datetime",
        **dict.fromkeys(["tbody", "tfoot", "thead", "tr"], "align valign width"),
        **dict.fromkeys(["td", "th"], "align valign width colspan rowspan abbr scope class"),
    }.items()
}
EVERYWHERE = {"id", "class", "title", "lang", "dir", "aria-label"}
CLASSES = {
    "anchor", "frame", "footnotes", "footnote-ref", "footnote-backref", "task", "tabs", "toc", "code", "table",
    "align-left", "align-center", "align-right", "markdown-alert", "markdown-alert-note", "markdown-alert-title",
}
DANGEROUS = re.compile("[\\0- ]*(javascript|vbscript|data(?!:image/(png|gif|jpeg|webp))):", re.IGNORECASE)
NAMESPACE = "{http://www.w3.org/1999/xhtml}"


def mistakes(html: str) -> list[str]:
    """What is wrong with the HTML of a page's content, as an independent parser sees it."""
    end = "<p id=the-end></p>"
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"))
    tree = parser.parse(f"<!DOCTYPE html><title>x</title><main>{html}</main>{end}")
    found = []
    body = tree.find(f"{NAMESPACE}body")
    if [child.get("id", child.tag) for child in body] != [f"{NAMESPACE}main", "the-end"]:
        found.append("it reaches out of the element around it")
    # Whatever a parser complains of, it repairs, and so may build another tree.
    harmless = {"expected-doctype-but-got-start-tag", "invalid-codepoint", "non-void-element-with-trailing-solidus"}
    found += [f"{code} {data}" for _, code, data in parser.errors if code not in harmless]
    ids = []
    for element in body.iter():
        name = element.tag
        if not isinstance(name, str) or not name.startswith(NAMESPACE):
            found.append(f"'{name}' is no HTML")
            continue
        name = name.removeprefix(NAMESPACE)
        if name in ("body", "main") or element.get("id") == "the-end":
            continue
        if name not in ALLOWED:
            found.append(f"<{name}> is not allowed")
            continue
        found += [f"{key} of <{name}>" for key in set(element.attrib) - ALLOWED[name] - EVERYWHERE]
        classes = element.get("class", "").split()
        found += [f"class {word}" for word in classes if word not in CLASSES and not word.startswith(("language-", "author-"))]
        for key in ("href", "src", "srcset"):
            for address in element.get(key, "").split(","):
                if DANGEROUS.match(re.sub("[\t\n\r]", "", address)):
                    found.append(f"{key} is {element.get(key)}")
        ids += [element.get("id")] if "id" in element.attrib else []
    found += [f"id {name} twice" for name in {name for name in ids if ids.count(name) > 1}]
    return found
