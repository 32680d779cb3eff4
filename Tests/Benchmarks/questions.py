"""How often the first answer is right: judged questions on three sites, asked in a browser, beside Pagefind and
Material for MkDocs.

    questions.py [--corpora FOLDER] [--only sitegen] [--misses]

Each line of questions/NAME.tsv is a kind, a question, and the page (or pages) that should come first. The questions
were written from the pages alone. 'handbook' is this project's; the others need their sources below FOLDER
(github.com/rust-lang/book as rust-book, github.com/MicrosoftDocs/PowerShell-Docs as powershell-docs).

Pagefind reads the pages that sitegen has built, Material builds the same Markdown. A missed bar fails nothing.
"""

import argparse
import collections
import http.server
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from playwright.sync_api import sync_playwright

import builds

ROOT = pathlib.Path(__file__).parents[2]
QUESTIONS = pathlib.Path(__file__).parent / "questions"
SOURCES = {"handbook": None, "rust-book": "rust-book/src", "powershell-docs": "powershell-docs/reference"}
KINDS = ["identifier", "form", "phrase", "quoted", "topic", "typo"]


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, with ranges, several in one answer too, as nginx sends them."""

    protocol_version = "HTTP/1.1"
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        file = pathlib.Path(self.translate_path(path))
        if path.startswith("/_theme/"):
            file = pathlib.Path(self.directory).parents[1] / "theme" / path.removeprefix("/_theme/")
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            return self.reply(404, b"")
        data, wanted = file.read_bytes(), self.headers.get("Range")
        kind = self.guess_type(str(file))
        if not wanted:
            return self.reply(200, data, kind)
        pieces = [(int(at), min(int(end), len(data) - 1)) for at, end in re.findall(r"(\d+)-(\d+)", wanted)]
        if len(pieces) == 1:
            return self.reply(206, data[pieces[0][0]:pieces[0][1] + 1], kind)
        body = b"".join(
            b"\r\n--seam\r\nContent-Type: %s\r\nContent-Range: bytes %d-%d/%d\r\n\r\n" % (kind.encode(), at, end, len(data))
            + data[at:end + 1] for at, end in pieces) + b"\r\n--seam--\r\n"
        return self.reply(206, body, "multipart/byteranges; boundary=seam")

    sent = 0

    def reply(self, status, body, kind="text/plain"):
        Ranges.sent += len(body)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(folder):
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *arguments: Ranges(*arguments, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://localhost:{server.server_address[1]}"


def page_of(path):
    """The address of a page, as sitegen and MkDocs make it."""
    name = re.sub(r"\.md$", "", path)
    name = re.sub(r"(^|/)(index|readme|_index)$", r"\1", name, flags=re.IGNORECASE)
    return "/" + (name.rstrip("/") + "/" if name else "")


def questions(name):
    for line in (QUESTIONS / f"{name}.tsv").read_text().splitlines():
        kind, question, paths = line.split("\t")
        yield kind, question, {page_of(path).lower() for path in paths.split(" ")}


def with_sitegen(source, folder, is_own):
    shutil.copytree(source, folder / "site", ignore=shutil.ignore_patterns("public"))
    for file in (folder / "site").rglob("*-Object.md"):
        # Two pages of PowerShell have aliases that are no text in YAML: '%' and '?'.
        file.write_text(re.sub(r"^aliases:\n(  - .*\n)+", "", file.read_text(), flags=re.M))
    text = 'title = "Bench"\naccess = "public"\nraw_html = "safe"\n'
    if is_own:
        text = (ROOT / "sitegen.toml").read_text().replace('access = "signed-in"', 'access = "public"')
    (folder / "sitegen.toml").write_text(text)
    # Their links to what is not there are known.
    baseline = ["--baseline", "known.json"]
    subprocess.run([builds.SITEGEN, "check", *baseline, "--write-baseline"], cwd=folder, capture_output=True)
    built = subprocess.run([builds.SITEGEN, "build", "--lenient", *baseline], cwd=folder, capture_output=True, text=True)
    site = folder / "public/current/site"
    assert site.exists(), built.stderr[-2000:]
    return site


SITEGEN = """async (text) => {
    const query = await new SearchQuery(await openIndexes(), text).run();
    return (await query.records(10)).map((page) => page.url);
}"""
PAGEFIND = """async (text) => {
    const pagefind = window.pagefind ??= await import("/pagefind/pagefind.js");
    const found = await pagefind.search(text);
    return Promise.all(found.results.slice(0, 10).map(async (result) => (await result.data()).url));
}"""
MATERIAL = """async (text) => {
    const input = document.querySelector("input[name=query]");
    const list = document.querySelector("[data-md-component=search-result]");
    let last = performance.now();
    const watch = new MutationObserver(() => last = performance.now());
    watch.observe(list, { childList: true, subtree: true, characterData: true });
    input.value = text;
    input.dispatchEvent(new Event("focus"));
    input.dispatchEvent(new KeyboardEvent("keyup"));
    do await new Promise((resolve) => setTimeout(resolve, 100)); while (performance.now() - last < 350);
    watch.disconnect();
    return [...list.querySelectorAll("li > a.md-search-result__link")].slice(0, 10).map((link) => new URL(link.href).pathname);
}"""


def cost(browser, url, script, asked, prepare, start):
    """The bytes of a question in a browser that knows nothing but the page: script, index and all."""
    sizes = []
    for _, question, _ in asked[::7]:
        page = browser.new_context().new_page()
        page.goto(url + start)
        page.wait_for_timeout(200)
        before = Ranges.sent
        prepare(page)
        page.evaluate(script, question)
        sizes.append(Ranges.sent - before)
        page.context.close()
    return statistics.median(sizes)


def ask(browser, url, script, asked, prepare, start):
    page = browser.new_context().new_page()
    page.goto(url + start)
    prepare(page)
    ranks = []
    for kind, question, right in asked:
        urls = [re.sub(r"(index\.html)?([?#].*)?$", "", urllib.parse.unquote(found)).lower() for found in page.evaluate(script, question)]
        rank = next((number for number, found in enumerate(dict.fromkeys(urls), 1) if found in right), None)
        ranks.append((kind, question, rank, urls[:1]))
    page.context.close()
    return ranks


def open_sitegen(page):
    page.keyboard.press("/")
    page.wait_for_function("typeof SearchIndex === 'function'")


def systems(name, folder, corpora):
    source = ROOT / "site" if SOURCES[name] is None else corpora / SOURCES[name]
    site = with_sitegen(source, folder, SOURCES[name] is None)
    server, url = serve(site)
    yield "sitegen", url, SITEGEN, open_sitegen
    server.shutdown()
    subprocess.run([sys.executable, "-m", "pagefind", "--site", site, "--root-selector", "main"], capture_output=True, check=True)
    server, url = serve(site)
    yield "Pagefind", url, PAGEFIND, lambda page: None
    server.shutdown()
    (folder / "mkdocs.yml").write_text(
        f"site_name: Bench\ndocs_dir: {source}\nsite_dir: {folder}/material\ntheme: {{name: material, font: false}}\nplugins: [search]\n")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet"], cwd=folder, capture_output=True)
    server, url = serve(folder / "material")
    yield "Material", url, MATERIAL, lambda page: page.wait_for_timeout(3000)
    server.shutdown()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--corpora", type=pathlib.Path)
    options.add_argument("--only")
    options.add_argument("--misses", action="store_true")
    options = options.parse_args()
    ranks = collections.defaultdict(list)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for name in SOURCES:
            if not (QUESTIONS / f"{name}.tsv").exists() or SOURCES[name] and not options.corpora:
                print(f"{name}: left out, for want of its sources")
                continue
            folder = pathlib.Path(tempfile.mkdtemp(prefix="questions-"))
            for system, url, script, prepare in systems(name, folder, options.corpora):
                # Not every site has a home page.
                start = page_of((QUESTIONS / f"{name}.tsv").read_text().splitlines()[0].split("\t")[2].split(" ")[0])
                asked = list(questions(name))
                found = ask(browser, url, script, asked, prepare, start)
                size = cost(browser, url, script, asked, prepare, start)
                ranks[system] += [(name, *row) for row in found]
                first = sum(rank == 1 for _, _, rank, _ in found) / len(found)
                print(f"{name:16}{system:10}{first:6.2f} first, {size / 1000:6.1f} KB for a first question", flush=True)
                if options.misses and system == "sitegen":
                    for kind, question, rank, urls in found:
                        if rank != 1:
                            print(f"    {kind:11}{question:45}{rank or '-'!s:>3}  {''.join(urls)}")
                if options.only == system:
                    break
            shutil.rmtree(folder)
        browser.close()
    print(f"\n{'first hit right / mean reciprocal rank':40}" + "".join(f"{system:>16}" for system in ranks))
    for kind in KINDS + ["all"]:
        row = f"{kind:40}"
        for system in ranks:
            of = [rank for _, known, _, rank, _ in ranks[system] if kind in (known, "all")]
            row += f"{sum(rank == 1 for rank in of) / len(of):9.2f} /{sum(1 / rank for rank in of if rank) / len(of):5.2f}"
        print(row)


if __name__ == "__main__":
    main()
