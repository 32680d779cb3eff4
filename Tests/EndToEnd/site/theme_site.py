"""A small site with the theme that comes with sitegen, answered for in a browser without a server."""

import mimetypes
import pathlib
import shutil

from demo_site import ROOT, sitegen, write

SITE = "http://site.test"
PHONE = {"width": 390, "height": 800}
DESK = {"width": 1440, "height": 900}
LONG = "\n\n".join(f"## Part {number}\n\n" + "Text. " * 400 for number in range(1, 7))
PAGES = {
    "sitegen.toml": 'title = "Test"\n[groups]\nhr = { role = "HR" }\n',
    "site/index.md": "# Home\n\n[Text link](guide/long.md)\n",
    "site/guide/index.md": "---\ntitle: Guide\nlastmod: 2026-11-05\ntags: [one]\n---\n# Guide\n",
    "site/guide/long.md": f"# Long\n\n{LONG}\n",
    "site/guide/all.md": (
        "# All\n\n[Elsewhere](https://example.com/x)\n\n```python\n" + "x = 1 + " * 60 + "1\n```\n\n"
        "```\nplain\n```\n\n"
        "# [Windows](#tab/w)\n\nOn Windows.\n\n## Inside {#inside}\n\n# [Linux](#tab/l)\n\nOn Linux.\n\n### Deep {#deep}\n\n# [Other](#tab/o)\n\nElsewhere.\n\n---\n\n"
        "# [macOS](#tab/m)\n\nOn a Mac.\n\n# [Linux](#tab/l)\n\nLinux again.\n\n---\n\n"
        + "| " + " | ".join(f"column number {n}" for n in range(12)) + " |\n" + "|---" * 12 + "|\n"
    ),
    "site/hr/index.md": "---\naccess: [hr]\n---\n# HR\n",
    "site/press.md": "---\naccess: public\nwidens: true\n---\n# Press\n",
}
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'"
# A clipboard is for secure pages alone, and this one is http.
CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text; }}})"


def build(folder: pathlib.Path, **changes):
    # As they are on disk; a unit test compares them with those that are built in.
    shutil.copytree(ROOT / "templates", folder / "templates")
    write(folder, PAGES | changes)
    result = sitegen(folder, "build")
    assert result.returncode == 0, result.stderr
    return folder / "public"


def serve(context, public, me=None, files=None, policy=POLICY):
    """Answers for the site as nginx would, and returns the list of what is asked for."""
    asked = []

    def answer(route, request):
        path = request.url.removeprefix(SITE).split("?")[0]
        asked.append(path)
        if path == "/auth/me":
            return route.fulfill(status=200 if me else 401, json=me or {})
        if path in (files or {}):
            return route.fulfill(json=files[path])
        theme = path.startswith("/_theme/")
        file = public / "theme" / path[8:] if theme else public / "current/site" / path[1:]
        file = file / "index.html" if file.is_dir() else file
        headers = {"Content-Type": mimetypes.guess_type(file)[0] or ""} | ({"Content-Security-Policy": policy} if policy else {})
        if not file.is_file():
            return route.fulfill(status=404, body="")
        return route.fulfill(body=file.read_bytes(), headers=headers)

    context.route(f"{SITE}/**", answer)
    return asked


def show(page, public, path, *options, **more):
    """Opens a page of the site; the options are those of `serve`."""
    asked = serve(page.context, public, *options, **more)
    page.goto(SITE + path)
    return asked
