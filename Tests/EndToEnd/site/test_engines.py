"""How pages look and work in Firefox and in WebKit, where these differ from Chromium."""

import http.server
import mimetypes
from contextlib import closing

import pytest

from demo_site import answering, wait_for
from engines import ENGINES
from theme_site import POLICY, build

PAGE = """# Home

$$
E=mc^2 \\tag{7}
$$

```yaml linenums="1" hl_lines="2"
one: 1
two: 2
```

```diff
-old
+new
```

![Large](large.svg)
"""
LARGE = "<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='100'/>"
SHOWN = """({
    scrolls: [...document.querySelectorAll(".code>pre")].some(box => box.scrollWidth > box.clientWidth),
    wraps: [...document.querySelectorAll(".wrap")].some(button => !button.hidden),
    table: document.querySelector("mtable").getBoundingClientRect().width,
    formula: document.querySelector(".math.is-display").getBoundingClientRect().width,
    zoom: document.querySelector("a.zoom")?.pathname,
    prefetched: document.querySelectorAll("link[rel=prefetch]").length,
})"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    public = build(tmp_path_factory.mktemp("engines"), **{"site/index.md": PAGE, "site/large.svg": LARGE})

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            file = public / "theme" / self.path[8:] if self.path.startswith("/_theme/") else public / "current/site" / self.path[1:]
            file = file / "index.html" if file.is_dir() else file
            found = file.is_file()
            self.send_response(200 if found else 401)
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("Content-Type", found and mimetypes.guess_type(file)[0] or "text/plain")
            self.end_headers()
            self.wfile.write(file.read_bytes() if found else b"")

        def log_message(self, *_):
            pass

    with answering(Handler) as port:
        yield f"http://localhost:{port}/"


@pytest.mark.parametrize("engine", ["Firefox", "WebKit"])
def test_a_page_looks_as_in_chromium(playwright, address, engine):
    with closing(ENGINES[engine](playwright).start()) as browser:
        browser.open(address)
        wait_for(lambda: browser.evaluate("document.readyState === 'complete' && !!document.querySelector('a.zoom')"))
        browser.evaluate("document.querySelector('#Site-pages a').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
        shown = browser.evaluate(SHOWN)
        assert not shown["scrolls"] and not shown["wraps"], "no block is too long"
        assert shown["table"] == pytest.approx(shown["formula"], abs=2), "the number of a formula is at the edge"
        assert shown["zoom"] == "/large.svg" and shown["prefetched"] == 0
