"""Search as each reader has it, in a real browser, with an eye on all that goes over the wire."""

import json
import pathlib
import random
import re
import shutil
import urllib.parse

import pytest
from playwright.sync_api import expect

from demo_site import ROOT, DemoSite, texts, wait_for, write

HR_TITLE = "Salary bands"
EXAMPLES = ROOT / "Tests/SearchTests/search-words.tsv"
FOLDER = texts(pathlib.Path(__file__).with_name("words.txt"))
# Two mistakes may make another word: there are many pages with the word that was meant.
FOLDER |= {f"leave/{number}.md": f"# Leave {number}\n\nParental leave.\n" for number in range(30)}


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    """A site of few words behind nginx, siteauth and the emulator."""
    folder = tmp_path_factory.mktemp("words")
    write(folder, {path if path == "sitegen.toml" else f"site/{path}": text for path, text in FOLDER.items()})
    # So many that the index is read in pieces.
    (folder / "site/many").mkdir()
    for number in range(300):
        text = " ".join(f"w{number * 40 + word}x" for word in range(80))
        (folder / f"site/many/{number}.md").write_text(f"# Leaf {number}\n\nEverpresent {text}\n")
    # What is built in was that when sitegen was built.
    shutil.copytree(ROOT / "templates", folder / "templates")
    site = DemoSite(CONFIG=str(folder / "sitegen.toml"))
    try:
        yield site.start()
    finally:
        site.close()


def sign_in(page, url, name):
    page.goto(url)
    page.get_by_role("button", name=name).click()
    expect(page).to_have_url(url)
    expect(page.locator("#Site-account")).to_contain_text(name)


def search(page, text, count=None):
    """Asks, waits for the answer, and returns the titles found."""
    if not page.locator("dialog.search[open]").count():
        page.keyboard.press("/")
    field = page.locator("dialog.search > input")
    expect(field).to_be_focused()
    field.fill("")
    # An empty field shows what is opened most.
    expect(page.locator(".search-status")).not_to_contain_text("found")
    field.fill(text)
    expect(page.locator(".search-status")).to_contain_text(re.compile("found") if count is None else f"{count} page" if count else "No pages")
    return page.locator(".search-title").all_inner_texts()


@pytest.fixture
def reader(words, page):
    """A page of the small site with Alice before it, who is in hr."""
    sign_in(page, words.url + "/vpn/", "Alice Adams")
    return page


def test_words_are_the_same_in_browsers_and_in_the_program(reader):
    search(reader, "tunnel")
    for line in EXAMPLES.read_text().splitlines():
        text, wanted = line.split("\t")
        found = reader.evaluate(
            """(text) => wordsOf(text).flatMap(({ whole, parts, names }) => [...(whole ? [whole] : []), ...(names ?? []), ...parts,
                ...(!whole && !/^[0-9]/.test(parts[0]) ? [parts.at(-1).match(units).at(-1)] : [])])""", text)
        assert " ".join(found) == wanted


FOUND = [
    ("tunnel", "Tunnel"), ("tunn", "Tunnel"), ("tunel", "Tunnel"), ("utnnel", "Tunnel"), ("remote tunnel", "Remote access"),
    ("username", "Remote access"), ("xyzzyfoo", None), ("getUserName", "Remote access"), ("body_size", "Remote access"), ("user", "Remote access"),
    ("Abrechnung", "Reisekostenabrechnung"), ("kosten ", "Reisekostenabrechnung"), ("vertretung ", "Reisekostenabrechnung"),
    ("grusswort", "Welcome"), ("conges payes", "Congés payés"), ("Été", "Congés payés"), ("deja", "Congés payés"),
    ("Raeume ", "Büroräume"), ("Buerorae", "Büroräume"), ("MUELLER", "Büroräume"),
    ("moving a page", "Pages and places"), ("relocation of pages", "Pages and places"), ("how do I move it", "Pages and places"),
    ('"a page moves"', "Pages and places"), ("--as", "Options"), ("expences", "Expenses"), ("getDBDriver", "Drivers"), ("DBConfig", "Drivers"), ("uninstallations", "Options"), ("quince ladder", "Picking"), ("marmot", "Burrows"),
    ("東京", "東京都の案内"), ("京", "東京都の案内"), ("経費", "東京都の案内"), ("검색", "東京都の案内"), ("gehaltsbnad", "Personnel matters"),
    # A word in the middle of a run, one that is typed to its half, one sign, and two words that do not follow each other.
    ("พักร้อน", "คู่มือพนักงาน"), ("พักร", "คู่มือพนักงาน"), ("ปี ", "คู่มือพนักงาน"), ("ล่วงหน้าพักร้อน", "คู่มือพนักงาน"), ("2567", "คู่มือพนักงาน"),
    ("พนักงาน", "คู่มือพนักงาน"), ("เงินเดือน", "สวัสดิการ"), ("พนักงานทุกคน", "สวัสดิการ"), ('"วันหยุด"', "สวัสดิการ"), ("ลาน้ำ", None),
    ("ພັກ", "ຄູ່ມືພະນັກງານ"), ("ລ່ວງໜ້າ", "ຄູ່ມືພະນັກງານ"), ("សម្រាក", "សៀវភៅ"), ("សម្រាកត្រូវ", "សៀវភៅ"), ("ခွင့်ယူ", "လက်စွဲ"), ("ထမ်း", "လက်စွဲ"), ("ရေ ", "လက်စွဲ"),
    ("テスト", "製品"), ("ガイド", "製品"), ("ﾃｽﾄ", "製品"), ("ガラス", "製品"), ("経費精算と手順", "東京都の案内"),
    ("תקון", "מדריך"), ("תִּקּוּן", "מדריך"), ("בית ספר", "מדריך"), ("ספר", "מדריך"), ("سويسرا", "دليل"), ("سُوِيسْرَا", "دليل"), ("اسئله", "دليل"), ("المستشفي", "دليل"),
    ("والمدرسة", "دليل"), ("مدرسه ", "دليل"), ("مستشفى ", "دليل"), ("البلد ", "دليل"), ("מערכת ", "מדריך"), ("השגיאות ", "מדריך"), ("2026", "دليل"), ("میخواهم", "راهنما"), ("می خواهم", "راهنما"), ("كتاب", "راهنما"), ("خانه", "راهنما"), ("1403", "راهنما"),
    ("सडक", "पुस्तिका"), ("हां", "पुस्तिका"), ("комп'ютер", "Ґанок"), ("zerowidth", "Ґанок"), ("softs", "Ґанок"), ("nonbreaking", "Ґанок"), ("non-breaking", "Ґанок"), ("wide ", "Ґанок"),
    ("hawaii", "Ґанок"), ("col·lecció", "Ґанок"), ("ΟΔΥΣΣΕΎΣ", "Ґанок"), ("boldface", "Ґанок"),
]


# As the box asks, without the pause after each letter.
ASK = """async (texts) => {
    const indexes = await openIndexes(), found = {};
    for (const text of texts) found[text] = (await (await new SearchQuery(indexes, text).run()).records(10))[0]?.title ?? null;
    return found;
}"""


def test_words_find_pages(reader):
    search(reader, "tunnel")
    assert reader.evaluate(ASK, list(dict(FOUND))) == dict(FOUND)


@pytest.mark.parametrize("query, address, marks", [
    ("พักร้อน", "/thai/#:~:text=การลา-,พักร้อน,-", "พักร้อน"), ("ล่วงหน้า", "/thai/#:~:text=การลาพักร้อนต้องแจ้ง-,ล่วงหน้า,-", "ล่วงหน้า"), ("ガイド", "/kana/#:~:text=ﾃｽﾄ-,ｶﾞｲﾄﾞ,-", "ｶﾞｲﾄﾞ"),
    ("תקון", "/ivrit/#:~:text=תִּקּוּן,-", "תִּקּוּן"), ("سويسرا", "/arabi/#:~:text=سُوِيسْرَا,-", "سُوِيسْرَا"),
])
def test_hits_are_marked_as_the_page_writes_them(reader, query, address, marks):
    search(reader, query, 1)
    link = reader.locator("[role=option]").first
    expect(link).to_have_attribute("href", re.compile(re.escape(urllib.parse.quote(address, safe="/#:~=,-"))))
    assert "".join(link.locator(".search-snippet mark").all_inner_texts()) == marks


PIECES = """async (pieces) => {
    let text = new TextEncoder(), body = [], places = [], at = 100000;
    for (const piece of pieces) {
        body.push(...text.encode("\\r\\n--seam\\r\\nContent-Type: x\\r\\nContent-Range: bytes 1-2/3\\r\\n\\r\\n"), ...piece);
        places.push({ at, end: at += piece.length });
    }
    rangesOf = async () => [new Uint8Array([...body, ...text.encode("\\r\\n--seam--\\r\\n")]), true, true];
    return (await new SearchIndex("/").pieces(places)).map((piece) => [...piece]);
}"""


def test_pieces_of_an_index_may_have_any_bytes(reader):
    search(reader, "tunnel")
    chance = random.Random(15)
    # Above all those that the seams between pieces consist of.
    pieces = [[chance.choice([10, 13, 45, 10, 13, 0, 255]) for _ in range(chance.randint(1, 12))] for _ in range(400)]
    assert reader.evaluate(PIECES, pieces) == pieces


def test_a_guess_hides_nothing_that_is_known(reader):
    found = search(reader, "maternity leave")
    assert "Leave 0" in found and len(found) == 10
    expect(reader.locator(".search-place").first).to_contain_text("Without: ")
    assert set(search(reader, "Tueren", 2)) == {"Türen", "Kennungen"}
    assert "Leave 0" in search(reader, "leave maturity")


def test_a_title_comes_first_and_snippets_show_where(reader):
    assert search(reader, "tunnel") == ["Tunnel", "Remote access"]
    link = reader.locator("[role=option]").nth(1)
    expect(link).to_have_attribute("href", re.compile("/vpn/#tunnel:~:text=max_body_size.%20Use%20the-,tunnel,-for%20everything%2C%20everywhere.$"))
    expect(link.locator(".search-snippet mark").first).to_have_text("tunnel")
    expect(link.locator(".search-heading")).to_have_text("Tunnel")
    # The title has all that was asked, so it opens at the top.
    expect(reader.locator("[role=option]").first).to_have_attribute("href", "/tunnel/")
    assert search(reader, "everywhere") == ["Remote access"]
    expect(reader.locator(".search-snippet")).to_contain_text("Use the tunnel for everything, everywhere.")
    expect(reader.locator(".search-snippet mark")).to_have_text("everywhere")


def test_an_empty_search_shows_what_this_reader_opens_most(words, context, page):
    sign_in(page, words.url + "/vpn/", "Alice Adams")
    visited = page.locator("[role=option] .search-title")
    for url in ["/vpn/", "/"]:
        page.goto(words.url + url)
    page.keyboard.press("/")
    expect(visited).to_have_text(["Remote access"])
    page.keyboard.type("qqqqqqqq")
    expect(page.locator(".search-status")).to_have_text(re.compile("No pages found\\s+Try fewer or other words"))
    page.keyboard.press("Escape")
    assert "Remote access" in page.evaluate("localStorage.visits")
    # Another reader of the same browser sees nothing of it, nor does anybody after signing out.
    page.evaluate("localStorage.visits = localStorage.visits.replace(/reader\":\"[^\"]*/, 'reader\":\"somebody-else')")
    page.keyboard.press("Control+k")
    field = page.locator("dialog.search > input")
    expect(field).to_be_visible()
    field.fill("")
    expect(page.locator(".search-status")).to_be_hidden()
    expect(visited).to_have_count(0)
    page.goto(words.url + "/vpn/")
    wait_for(lambda: "somebody-else" not in page.evaluate("localStorage.visits"))
    page.get_by_role("button", name="Alice Adams").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(words.url + "/auth/signed-out")
    wait_for(lambda: page.evaluate("localStorage.visits") is None)


def test_it_says_which_words_are_not_there(reader):
    assert search(reader, "tunnel hand", 2)[0] == "Tunnel"
    assert search(reader, "tunnel elephants", 2)[0] == "Tunnel"
    expect(reader.locator(".search-place").first).to_contain_text("Without: elephants")
    assert search(reader, "qqqqqqqq", 0) == []


def test_it_is_used_by_keys_alone(words, reader):
    reader.locator("a.search-open").focus()
    reader.keyboard.press("Control+k")
    field = reader.locator("dialog.search > input")
    expect(field).to_be_focused()
    reader.keyboard.type("tunnel/")
    expect(field).to_have_value("tunnel/")
    expect(reader.locator("[role=option]")).to_have_count(2)
    reader.keyboard.press("ArrowDown")
    reader.keyboard.press("ArrowDown")
    selected = reader.locator("[role=option][aria-selected=true]")
    expect(selected).to_contain_text("Remote access")
    expect(field).to_have_attribute("aria-activedescendant", selected.get_attribute("id"))
    reader.keyboard.press("ArrowDown")
    expect(selected).to_contain_text("Tunnel")
    reader.keyboard.press("Escape")
    expect(reader.locator("dialog.search")).to_be_hidden()
    expect(reader.locator("a.search-open")).to_be_focused()
    search(reader, "tunnel")
    expect(reader.locator("[role=option]")).to_have_count(2)
    with reader.context.expect_page() as other:
        reader.keyboard.press("Control+Enter")
    expect(other.value).to_have_url(words.url + "/tunnel/")
    reader.keyboard.press("Enter")
    expect(reader).to_have_url(words.url + "/tunnel/")


def test_a_word_that_is_being_composed_is_left_alone(reader):
    search(reader, "tunnel")
    devtools = reader.context.new_cdp_session(reader)
    reader.locator("dialog.search > input").fill("")
    expect(reader.locator(".search-status")).to_be_empty()
    devtools.send("Input.imeSetComposition", {"text": "とうき", "selectionStart": 3, "selectionEnd": 3})
    reader.wait_for_timeout(300)
    expect(reader.locator(".search-status")).to_be_empty()
    devtools.send("Input.insertText", {"text": "東京"})
    expect(reader.locator("[role=option]")).to_have_count(1)


def test_its_own_page_keeps_what_was_asked_in_the_address(words, reader):
    reader.goto(words.url + "/search/?q=tunnel")
    expect(reader.locator("[role=option]")).to_have_count(2)
    field = reader.locator("main [role=combobox]")
    field.fill("congé")
    expect(reader.locator("[role=option]")).to_have_count(1)
    expect(reader).to_have_url(words.url + "/search/?q=cong%C3%A9")
    reader.keyboard.press("Enter")
    expect(reader).to_have_url(re.compile("/francais/"))


def test_without_scripts_there_are_lists(words, chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(words.url + "/welcome/")
    page.locator("a.search-open").click()
    page.get_by_role("button", name="Alice Adams").click()
    expect(page.locator("main")).to_contain_text("Remote access")
    expect(page.locator("main form[role=search]")).to_be_hidden()
    context.close()


def watch(page):
    """All bodies that reach the browser from now on, with where they are from."""
    seen = []

    def note(response):
        try:
            seen.append((response.status, response.url, response.body()))
        except Exception:
            seen.append((response.status, response.url, b""))

    page.on("response", note)
    return seen


@pytest.mark.parametrize("name, mine", [("Alice Adams", True), ("Bob Brown", False)])
def test_a_reader_finds_what_the_reader_may_read(words, page, name, mine):
    sign_in(page, words.url + "/vpn/", name)
    seen = watch(page)
    for text in ["personnel", "kerfuffle", "confidential", "gehaltsband", "matters"]:
        found = search(page, text, 1 if mine else 0)
        assert found == (["Personnel matters"] if mine else [])
    assert search(page, "takeover", 0) == []
    page.wait_for_timeout(300)
    told = [url for _, url, body in seen if re.search(rb"personnel|kerfuffle|gehaltsband", body, re.I)]
    assert bool(told) == mine, told
    # Nothing was refused either: nobody asks for what is not theirs.
    assert [entry[:2] for entry in seen if entry[0] > 399] == []


def test_a_visitor_finds_public_pages_alone(words, page):
    page.goto(words.url + "/welcome/")
    expect(page.locator("a.search-open")).to_be_visible()
    seen = watch(page)
    assert search(page, "welcome", 1) == ["Welcome"]
    for text in ["tunnel", "personnel", "reise"]:
        assert search(page, text, 0) == []
    assert [url for status, url, _ in seen if "/_search/" in url and "/public/" not in url] == []
    assert [url for status, url, body in seen if re.search(rb"tunnel|personnel", body.replace(b"Tunnel", b"tunnel")) and "/_theme/" not in url] == []


def test_pages_that_are_taken_away_leave_the_results(words, page):
    sign_in(page, words.url + "/vpn/", "Alice Adams")
    page.route("**/tunnel/", lambda route: route.fulfill(status=403, body="no"))
    search(page, "tunnel")
    expect(page.locator("[role=option]")).to_have_count(1)
    expect(page.locator(".search-title")).to_have_text("Remote access")


@pytest.mark.parametrize("has_ranges", [True, False])
def test_an_index_is_read_in_pieces_where_the_server_has_them(words, page, has_ranges):
    sign_in(page, words.url + "/vpn/", "Alice Adams")
    if not has_ranges:
        page.route("**/index.bin", lambda route: route.continue_(headers={
            name: value for name, value in route.request.headers.items() if name != "range"}))
    sizes = []
    page.on("response", lambda response: "index.bin" in response.url and sizes.append(len(response.body())))
    assert search(page, "w4000x", 2) == ["Leaf 100", "Leaf 99"]
    assert search(page, "everpresent w8001x", 2) == ["Leaf 199", "Leaf 200"]
    assert len(search(page, "everpresent", 300)) == 10
    assert search(page, "leaf 250 w10079x", 2)[0] == "Leaf 250"
    whole = page.evaluate("openIndexes().then((all) => Math.max(...all.map((index) => index.chunks.at(-1).end)))")
    assert whole > 100_000
    assert (sum(sizes) < whole / 2) == has_ranges


@pytest.mark.parametrize("has_searched", [False, True])
def test_a_search_after_the_session_has_ended_offers_to_sign_in(words, page, has_searched):
    sign_in(page, words.url + "/vpn/?a=1", "Alice Adams")
    if has_searched:
        search(page, "tunnel")
    page.context.clear_cookies(name="session")
    if not has_searched:
        page.keyboard.press("/")
    page.locator("dialog.search > input").fill("remote")
    status = page.locator(".search-status")
    expect(status).to_contain_text("Your session has ended")
    status.get_by_role("link", name="Sign in").click()
    expect(page).to_have_url(words.url + "/vpn/?a=1")
    assert "Remote access" in search(page, "remote")


@pytest.mark.parametrize("text, word, wanted", [
    ("Use the client_id here", "client", "Use the-,client_id,-here"),
    ("one (two-factor) three", "factor", "one-,(two-factor),-three"),
    ("経費精算の手順", "精算", "経費-,精算,-の手順"),
])  # fmt: skip
def test_the_mark_in_the_page_is_of_whole_words(reader, text, word, wanted):
    search(reader, "tunnel")
    assert reader.evaluate("([text, from, to]) => decodeURI(textDirective(text, from, to))", [text, text.index(word), text.index(word) + len(word)]) == ":~:text=" + wanted


def test_another_release_is_asked_anew(words, page):
    sign_in(page, words.url + "/vpn/", "Alice Adams")
    search(page, "tunnel")
    gone = []

    def lose(route):
        if gone:
            return route.continue_()
        gone.append(route.request.url)
        route.fulfill(status=404, body="gone")

    page.route("**/_search/**", lose)
    page.evaluate("searchIndexes = undefined")
    assert search(page, "remote", 1) == ["Remote access"]
    assert gone


def test_the_demo_is_searched(demo, page):
    sign_in(page, demo.url + "/", "Alice Adams")
    assert HR_TITLE in search(page, "salary")
    expect(page.locator(".search-place").filter(has_text="Readers: Human resources").first).to_be_visible()
    manifest = page.evaluate("fetch('/_reader/signed-in.json').then((answer) => answer.json())")
    assert len(manifest["search"]) == 1, json.dumps(manifest)
