"""HTML by authors whom nobody trusts: `raw_html = "safe"`, which is the default."""

import pathlib
import random
import re
import subprocess

import pytest

from demo_site import BIN, ROOT, sitegen, write
from html_fragments import document, mistakes
from theme_site import DESK, SITE, build, serve

HOSTILE = [
    "</article></main></div></div></body></html><header class=top>a</header>",
    "</p></div></section></main><main id=content>second</main>",
    "<div>\n\n</div></div></div></div>\n\n</article>",
    "<table><tr><td>\n\n</td></tr></table></table></article></main>",
    "<table><div>a</div><p>b<tr>c</table></table><tfoot>d",
    "<!-- <div>\n\ntext", "<div><!--", "<!-->x<!--->y<!-- z", "<div title=\"\n\ntext\">", "<div class='a", "<a href=\"x",
    "<plaintext>", "<div><plaintext>", "<xmp></article></xmp>", "<textarea>", "<title>", "<noscript>", "<noframes></article>",
    "<style>*{display:none}</style>", "<div><style>body{display:none}", "<link rel=stylesheet href=//elsewhere.test/x.css>",
    "<base href=//elsewhere.test/>", "<meta http-equiv=refresh content='0;url=//elsewhere.test/'>",
    "<script>window.hacked = 1</script>", "<div><script>window.hacked = 1</script></div>", "a <script>window.hacked = 1</script>",
    "<script src=//elsewhere.test/x.js></script>", "<img src=x onerror='window.hacked = 1'>", "<img/src=x/onerror=window.hacked=1>",
    "<div><img src=x onerror='window.hacked = 1'//></div>", "<details open ontoggle='window.hacked = 1'><summary>a</summary></details>",
    "<svg onload='window.hacked = 1'></svg>", "<svg><script>window.hacked = 1</script></svg>",
    "<svg><animate onbegin=window.hacked=1 attributeName=x dur=1s></svg>",
    "<svg><style><img src=x onerror=window.hacked=1></style></svg>", "<div><svg></p><style><a title=\"</style><img src=x onerror=window.hacked=1>\">",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--><img src=x onerror=window.hacked=1>\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=window.hacked=1>",
    "<noscript><p title=\"</noscript><img src=x onerror=window.hacked=1>\">", "<template><script>window.hacked=1</script></template>",
    "<select><template><style><!--</style><a rel=\"--></style></template></select><img src=x onerror=window.hacked=1>\">",
    "<iframe src=//elsewhere.test/></iframe>", "<iframe srcdoc='<script>parent.hacked = 1</script>'></iframe>",
    "<object data=//elsewhere.test/x></object><embed src=//elsewhere.test/y>", "<video src=//elsewhere.test/z poster=//elsewhere.test/p></video>",
    "<audio src=//elsewhere.test/z autoplay></audio>", "<input type=image src=//elsewhere.test/i autofocus onfocus=window.hacked=1>",
    "<a href='x' ping=//elsewhere.test/ping style='position:fixed;inset:0'>a</a>",
    "<p style='background:url(//elsewhere.test/b.png)' background=//elsewhere.test/c.png>a</p>", "<body background=//elsewhere.test/c onload=window.hacked=1>",
    "<div id=Site-content>a</div><div id=Site-pages>b</div><div id=Site-tools>c</div><a name=Site-account></a><img name=body>",
    "<form id=Site-pages action=//elsewhere.test/><input name=attributes><button>Send</button></form>",
    "<div class='top' role=main style='position:fixed;top:0;left:0;width:100%;height:100%;z-index:99'>over all</div>",
    "<img src=/logo.png width=99999 height=99999 style='position:fixed'>", "<img align=left alt=tall src=data:image/png,x width=50 height=4000>", "<img align=right alt=wide src=data:image/png,x width=4000 height=9>",
    "<table width=99999><tr><td width=99999>a</table>", "<pre>" + "x" * 4000 + "</pre>", "<table><tr>" + "<td>" + "column " * 3 + "</td><td>" * 60 + "</table>",
    "<div>" * 2000 + "deep", "<b>" * 2000 + "deep", "<ul><li>" * 2000, "<table><tr><td>" * 500, "<details>" * 100,
    "<a href=x>" * 3 + "\n\n[b](c)\n\n" + "<b><i></b></i></a>" * 3, "<p><table><p></table><p></p></p>", "<h1><h2></h1></h2>" * 3,
    "<marquee><font size=7 color=red><blink>a</blink></font></marquee>", "<dialog open>a</dialog><canvas></canvas><portal src=//elsewhere.test/>",
    "<div popover id=a>a</div><button popovertarget=a>b</button>", "<frameset><frame src=//elsewhere.test/></frameset>",
    "<img srcset='//elsewhere.test/a.png 1x, x.png 2x' src=//elsewhere.test/b.png>",
    "<picture><source srcset=//elsewhere.test/s.png><img src=x></picture>", "<? <img src=x onerror=window.hacked=1> ?>", "<![CDATA[<img src=x onerror=window.hacked=1>]]>",
    "[a<a href=x onclick=window.hacked=1>b</a>](c) *d<div>*e</div>", "| a |\n|---|\n| </td></tr></table></article> |\n| <table><tr><td> |",
    "- <div>\n- </ul></div>\n  > <table>\n", "a[^1]\n\n[^1]: </section></article> <div> <table>\n\n    <b>\n",
    "# [t](#tab/t)\n\n<div></details></div></div>\n\n# [u](#tab/u)\n\n</details></div>\n",
]
# A page with such a link is not published at all.
REFUSED = [
    "<a href=javascript:x>a</a>", "<a href='jav&#x09;ascript:x'>a</a>", "<a href='&#1;javascript:x'>a</a>", "<a href=vbscript:x>a</a>",
    "<a href='javascript://%0ax'>a</a>", "<a href='\x19Jav\tascript:x'>a</a>", "<a href=data:text/html,x>a</a>", "<a href=file:///x>a</a>",
    "<img src=data:image/svg+xml,x>", "<img srcset='a.png 1x, javascript:x 2x'>", "\n\n<div><a/href=java&Tab;script&colon;x>a</a></div>",
]
# What is told of such pages is tried elsewhere; here they are published.
CONFIGURATION = 'title = "Test"\n[groups]\nhr = { role = "HR" }\n[checks]\n' + "".join(
    f'{rule} = "off"\n'
    for rule in ["dead-link", "dead-anchor", "missing-asset", "link-out-of-source", "raw-html", "skipped-heading-level"]
)
# Everything of a page but its text.
FRAME = pathlib.Path(__file__).with_name("frame.js").read_text()
MAPS = (ROOT / "nginx/maps.conf").read_text()
SHIPPED = re.search(r'\$content_security_policy \{\n *default "([^"]*)"', MAPS)[1]
SHIPPED = SHIPPED.replace("$site_origin", SITE).replace("$provider_origin", "")


def pages(texts):
    return {f"site/p{number:03}.md": f"---\ntoc: false\n---\n# Page\n\n{text}" for number, text in enumerate(texts)}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of hostile pages, the first of which is harmless."""
    chance = random.Random(11)
    # What hides all that follows comes last.
    texts = sorted(HOSTILE, key=lambda text: text.startswith(("<!-- <", "<textarea")))
    size = 3
    texts = ["\n\nwords\n\n".join(texts[start::len(texts) // size]) for start in range(len(texts) // size)]
    texts += [document(chance).replace("script", "scrypt") for _ in range(12)]
    made = pages(["Text.", *texts])
    public = build(tmp_path_factory.mktemp("hostile"), **{"sitegen.toml": CONFIGURATION}, **made)
    return public, [name.removeprefix("site").removesuffix(".md") + "/" for name in made]


def visit(context, public, urls, policy):
    serve(context, public, policy=policy)
    page = context.new_page()
    dialogs, strangers = [], []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))

    def note(route, request):
        strangers.append((request.resource_type, request.url))
        route.abort()

    # What the policy stops does not come so far.
    context.route(lambda url: not url.startswith(SITE), note)
    frames = {}
    for url in urls:
        page.goto(SITE + url)
        frames[url] = page.evaluate(FRAME)
        assert page.url == SITE + url
    return frames, dialogs, strangers


@pytest.mark.parametrize("policy", [SHIPPED, None], ids=["shipped", "none"])
def test_the_page_stands_nothing_runs_and_nothing_is_loaded_from_elsewhere(chromium, site, policy):
    public, urls = site
    context = chromium.new_context(viewport=DESK)
    frames, dialogs, strangers = visit(context, public, urls, policy)
    context.close()
    assert dialogs == []
    # An author may show a picture from elsewhere in Markdown, too; the policy forbids both.
    assert {kind for kind, _ in strangers} <= (set() if policy else {"image"}), strangers
    wanted = frames[urls[0]]
    assert len(wanted["html"]) > 1000
    for url in urls:
        assert set(frames[url].pop("schemes")) <= {"http:", "https:", "mailto:"}, url
        for key, found in frames[url].items():
            assert found == wanted[key], (url, key)


def test_a_dangerous_address_publishes_nothing(tmp_path) -> None:
    text = "# Page\n\n" + "\n\n".join("x " + text for text in REFUSED)
    write(tmp_path, {"sitegen.toml": '[checks]\nmissing-asset = "off"\n', "site/index.md": text})
    built = sitegen(tmp_path, "build")
    assert built.returncode != 0
    assert f"sitegen: {len(REFUSED)} errors" in built.stderr, built.stderr


def test_random_html_is_balanced_and_on_the_list() -> None:
    chance = random.Random(7)
    texts = HOSTILE + REFUSED + [document(chance) for _ in range(4000)]
    command = [BIN / "sitegen", "markdown", "-z"]
    made = subprocess.run(command, input="\0".join(texts).encode(), capture_output=True, check=True).stdout
    fragments = made.decode().split("\0")
    assert len(fragments) == len(texts)
    for text, fragment in zip(texts, fragments):
        assert mistakes(fragment) == [], (text, fragment)
