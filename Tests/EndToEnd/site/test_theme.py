"""The theme that comes with sitegen, in a browser: with its script and without."""

import re

import pytest
from playwright.sync_api import expect

from demo_site import ROOT, wait_for
from theme_site import CLIPBOARD, DESK, PAGES, PHONE, SITE, build, serve, show

CONTEXT = {"viewport": DESK}
# Playwright takes for visible what only 'content-visibility' hides.
SHOWN = "node => node.checkVisibility({contentVisibilityAuto: true})"
ME = {"name": "Alice Beth Adams", "groups": ["hr"]}


def ground(page):
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


@pytest.fixture
def plain(chromium, built):
    """A browser without JavaScript, on a phone."""
    context = chromium.new_context(java_script_enabled=False, viewport=PHONE)
    serve(context, built)
    yield context.new_page()
    context.close()


def test_all_is_there_without_javascript(plain):
    plain.goto(SITE + "/guide/all/")
    pages = plain.get_by_role("navigation", name="Pages")
    expect(pages).to_be_hidden()
    plain.get_by_role("link", name="Pages").click()
    expect(pages.get_by_role("link", name="Long")).to_be_visible()
    plain.get_by_role("link", name="Close").click()
    expect(pages).to_be_hidden()
    for text in ["On Windows.", "On Linux.", "On a Mac.", "Linux again."]:
        expect(plain.get_by_text(text)).to_be_visible()
    plain.goto(SITE + "/guide/long/")
    contents = plain.get_by_role("navigation", name="On this page")
    expect(contents.get_by_role("link", name="Part 3")).to_be_hidden()
    contents.locator("summary").click()
    expect(contents.get_by_role("link", name="Part 3")).to_be_visible()
    expect(plain.get_by_role("link", name="Account")).to_be_visible()
    assert plain.get_by_role("link", name="Search").get_attribute("href") == "/search/"
    plain.set_viewport_size(DESK)
    plain.reload()
    assert contents.get_by_role("link", name="Part 5").evaluate(SHOWN)
    summary = pages.locator("summary")
    assert summary.get_attribute("aria-label") == "Guide"
    summary.click()
    expect(pages.get_by_role("link", name="Long")).to_be_hidden()


def test_tabs_work_by_keyboard_and_all_groups_follow(page, built):
    show(page, built, "/guide/all/")
    first, second = page.get_by_role("tablist").all()
    expect(page.get_by_text("On Windows.")).to_be_visible()
    expect(page.get_by_text("On Linux.")).not_to_be_in_viewport()
    first.get_by_role("tab", name="Windows").focus()
    page.keyboard.press("ArrowRight")
    linux = first.get_by_role("tab", name="Linux")
    expect(linux).to_be_focused()
    assert linux.get_attribute("aria-selected") == "true"
    expect(second.get_by_role("tab", name="Linux", selected=True)).to_be_visible()
    for text, shown in {"On Windows.": False, "On Linux.": True, "On a Mac.": False, "Linux again.": True}.items():
        assert page.get_by_text(text).evaluate(SHOWN) is shown, text
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(first.get_by_role("tab", name="Windows")).to_be_focused()
    page.keyboard.press("Tab")
    expect(linux).not_to_be_focused()


def test_a_tab_stays_chosen_on_other_pages_and_for_nobody_else(context, page, built):
    show(page, built, "/guide/all/", ME | {"object_id": "alice"})
    page.get_by_role("tab", name="Linux").first.click()
    page.reload()
    expect(page.get_by_role("tab", name="Linux", selected=True)).to_have_count(2)
    context.unroute_all()
    show(page, built, "/guide/long/", ME | {"object_id": "carol"})
    wait_for(lambda: page.evaluate("localStorage.tabs === undefined"))
    page.goto(SITE + "/guide/all/")
    expect(page.get_by_role("tab", name="Windows", selected=True)).to_be_visible()


def test_a_footnote_is_shown_beside_its_reference(page, tmp_path):
    note = "# A\n\nText[^1].\n\n[^1]: The note. [Link](index.md)\n"
    show(page, build(tmp_path, **{"site/note.md": note}), "/note/")
    reference = page.locator(".footnote-ref a")
    box = page.get_by_role("note")
    reference.hover()
    expect(box).to_have_text("The note. Link")
    assert box.bounding_box()["x"] > page.locator("article").bounding_box()["x"] + 600
    # It stays while the pointer goes to it, and closes with Escape.
    box.hover()
    page.wait_for_timeout(500)
    expect(box).to_be_visible()
    page.mouse.move(0, 0)
    expect(box).to_have_count(0)
    reference.focus()
    expect(box).to_be_visible()
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    page.set_viewport_size(PHONE)
    reference.hover()
    expect(box).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_large_image_leads_to_itself(page, tmp_path):
    images = {
        f"site/{name}.svg": f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='10'/>"
        for name, width in {"large": 2000, "small": 100}.items()
    }
    text = "# A\n\n![Large](large.svg) ![Small](small.svg) [![Linked](large.svg)](index.md)\n"
    show(page, build(tmp_path, **images, **{"site/picture.md": text}), "/picture/")
    link = page.get_by_role("link", name="Enlarge the image: Large")
    expect(link).to_have_attribute("href", SITE + "/large.svg")
    expect(page.locator("article a")).to_have_count(2)


def test_code_has_its_language_and_a_button_that_copies(context, page, built):
    context.add_init_script(CLIPBOARD)
    show(page, built, "/guide/all/")
    block = page.locator(".code").first
    assert block.evaluate("node => getComputedStyle(node, '::before').content") == '"Python"'
    block.get_by_role("button", name="Copy").click()
    expect(block.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("copied") == "x = 1 + " * 60 + "1"
    expect(block.get_by_role("button", name="Copy", exact=True)).to_be_visible()


COPIED = [
    ('sh linenums="1"', "one\ntwo", "one\ntwo"),
    ('{ .py .annotate hl_lines="1" }', "one  # (1)!\ntwo", "one\ntwo"),
    ("console", "$ one\n$ two\n", "one\ntwo"),
    ("", "one\n\n\n", "one"),
    ("diff", "-one\n+two", "-one\n+two"),
]  # fmt: skip


def test_copied_code_has_no_line_end_at_its_end(context, page, tmp_path):
    context.add_init_script(CLIPBOARD)
    blocks = "".join(f"```{fence}\n{code}\n```\n\n1. A note.\n\n" for fence, code, _ in COPIED)
    show(page, build(tmp_path, **{"site/index.md": "# Home\n\n" + blocks}), "/")
    for block, (_, _, copied) in zip(page.locator(".code").all(), COPIED, strict=True):
        block.get_by_role("button", name="Copy").click()
        block.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate("copied") == copied


def test_buttons_of_code_fit_into_its_bar_on_a_touch_screen(chromium, tmp_path):
    code = "".join(f"```{fence}\n{'x' * 200}\n```\n\n" for fence in ["toml", 'toml title="a.toml"', "", 'title="a"'])
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: {}})")
    serve(context, build(tmp_path, **{"site/index.md": "# Home\n\n" + code}))
    page = context.new_page()
    page.goto(SITE + "/")
    for block in page.locator(".code").all():
        text = block.locator("pre").bounding_box()
        for name in ["Copy", "Wrap lines"]:
            button = block.get_by_role("button", name=name)
            expect(button).to_be_visible()
            box = button.bounding_box()
            assert box["height"] >= 44 and box["y"] + box["height"] <= text["y"] + 1
    context.close()


def test_other_tabs_load_again_once_the_session_has_ended(context, built):
    """They do not if nobody signed out, or the server does not answer."""
    me = dict(ME, object_id="alice")
    serve(context, built, me)
    pages = [context.new_page() for _ in range(3)]
    loads = {page: [] for page in pages}
    for page in pages:
        page.goto(SITE + "/guide/")
        expect(page.get_by_role("button", name="Alice Beth Adams")).to_be_visible()
        page.on("load", lambda page: loads[page].append(page.url))
    # Without an answer nothing happens.
    context.route(SITE + "/auth/me", lambda route: route.fulfill(status=503))
    context.route(SITE + "/auth/sign-out", lambda route: route.fulfill(status=503, body="down"))
    pages[0].evaluate("document.querySelector('#Site-account form').requestSubmit()")
    pages[1].wait_for_timeout(600)
    assert loads[pages[1]] == loads[pages[2]] == []
    context.unroute(SITE + "/auth/me")
    context.route(SITE + "/auth/me", lambda route: route.fulfill(status=401, json={}))
    for page in pages[1:]:
        expect(page.get_by_role("link", name="Sign in")).to_be_visible()
        assert loads[page] == [SITE + "/guide/"]
    context.complaints.clear()


def test_lines_have_numbers_and_marks_at_their_height_and_long_ones_wrap(context, page, tmp_path):
    code = '```py title="a.py" linenums="8" hl_lines="2"\none = 1  # (1)!\ntwo = "' + "x" * 200 + '"\nthree = 3\n```\n'
    serve(context, build(tmp_path, **{"site/index.md": "# Home\n\n" + code}))
    page.set_viewport_size(PHONE)
    page.goto(SITE + "/")
    numbers, mark, box = page.locator(".code-numbers"), page.locator(".code-marks b"), page.locator(".code > pre")
    expect(numbers).to_have_text("8\n9\n10")
    heights = {name: locator.bounding_box()["height"] for name, locator in [("code", page.locator(".code code")), ("numbers", numbers)]}
    assert heights["code"] == pytest.approx(heights["numbers"], abs=1)
    assert mark.bounding_box()["height"] == pytest.approx(heights["code"] / 3, abs=1)
    assert mark.bounding_box()["width"] > 1000, "a mark is as wide as the longest line"
    box.evaluate("box => box.scrollLeft = 300")
    assert numbers.bounding_box()["x"] == pytest.approx(box.bounding_box()["x"], abs=1)
    button = page.get_by_role("button", name="Wrap lines")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    button.click()
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")


def test_what_scrolls_is_reached_by_keyboard_and_nothing_else(page, built):
    show(page, built, "/guide/all/")
    expect(page.get_by_role("group", name="Python")).to_have_attribute("tabindex", "0")
    expect(page.get_by_role("group", name="Table")).to_have_attribute("tabindex", "0")
    expect(page.locator(".code > pre").nth(1)).to_have_attribute("tabindex", "-1")
    table = page.locator(".table")
    table.focus()
    page.keyboard.press("ArrowRight")
    expect(table).not_to_have_js_property("scrollLeft", 0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_colour_scheme_is_remembered(page, built):
    show(page, built, "/")
    light = ground(page)
    page.emulate_media(color_scheme="dark")
    dark = ground(page)
    assert light != dark
    choice = page.get_by_role("combobox", name="Colours")
    choice.select_option("Light")
    assert ground(page) == light
    page.goto(SITE + "/guide/long/")
    assert ground(page) == light
    expect(choice).to_have_value("light")
    choice.select_option("System")
    assert ground(page) == dark
    choice.select_option("Dark")
    page.emulate_media(color_scheme="light")
    page.reload()
    assert ground(page) == dark


def test_a_reader_finds_sections_of_their_own(context, page, built):
    asked = serve(context, built, ME, {
        "/_reader/public.json": {"sections": [{"url": "/press/", "label": "Press"}], "search": []},
        "/_reader/signed-in.json": {"sections": [{"url": "/guide/", "label": "Guide"}], "search": []},
        "/_reader/group/hr.json": {"isGroup": True, "sections": [
            {"url": "/hr/", "label": "<img src=x>HR"}, {"url": "//evil.test/", "label": "Evil"},
            {"url": "javascript:alert(1)", "label": "Evil"}, {"url": "/hr/", "label": "<img src=x>HR"},
        ]},
    })
    page.goto(SITE + "/press/")
    own = page.get_by_role("list", name="Your sections")
    expect(own.get_by_role("link")).to_have_text(["Guide", "<img src=x>HR"])
    page.goto(SITE + "/")
    expect(own.get_by_role("link")).to_have_text(["<img src=x>HR"])
    assert own.get_by_role("link").get_attribute("href") == "/hr/"
    # It does not go away when it is followed.
    own.get_by_role("link").click()
    expect(page).to_have_url(SITE + "/hr/")
    expect(own.get_by_role("link")).to_have_text(["<img src=x>HR"])
    assert asked.count("/auth/me") == 3, "once for each page"
    assert asked.count("/_reader/public.json") == 3


def test_on_a_phone_the_drawer_has_the_colours_and_the_header_the_title(page, built):
    page.set_viewport_size({"width": 320, "height": 640})
    show(page, built, "/guide/long/")
    expect(page.locator("#Site-account").get_by_role("link", name="Sign in")).to_be_visible()
    choice, title = page.get_by_role("combobox", name="Colours"), page.locator(".name-text")
    expect(choice).to_be_hidden()
    assert title.evaluate("node => node.scrollWidth <= node.clientWidth")
    page.get_by_role("button", name="Pages").click()
    choice.select_option("Dark")
    close = page.get_by_role("button", name="Close")
    page.locator(".side").evaluate("node => node.scrollTop = 1000")
    expect(close).to_be_in_viewport()
    close.click()
    page.set_viewport_size(DESK)
    expect(page.locator(".top").get_by_role("combobox", name="Colours")).to_have_value("dark")


def test_nobody_has_sections_before_they_sign_in(page, built):
    asked = show(page, built, "/press/")
    expect(page.locator("#Site-account").get_by_role("link", name="Sign in")).to_have_attribute(
        "href", "/auth/sign-in?return=%2Fpress%2F"
    )
    assert page.get_by_role("list", name="Your sections").count() == 0
    assert not [path for path in asked if path.startswith("/_reader/signed-in") or "/group/" in path]


def test_the_account_menu(page, built):
    show(page, built, "/", ME)
    button = page.get_by_role("button", name="Alice Beth Adams")
    assert page.locator(".avatar").inner_text() == "AA"
    expect(page.get_by_role("link", name="Your account")).to_be_hidden()
    button.click()
    expect(page.get_by_role("link", name="Your account")).to_be_visible()
    form = page.locator("#Site-account form")
    assert (form.get_attribute("method"), form.get_attribute("action")) == ("post", "/auth/sign-out")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
    expect(button).to_be_focused()


def test_readers_are_told_who_else_reads(context, page, built):
    serve(context, built)
    for path, text in {"/hr/": "Readers: Only hr", "/press/": "Readers: Public", "/guide/": "Readers: All who sign in"}.items():
        page.goto(SITE + path)
        assert page.locator(".audience").text_content() == text
    expect(page.locator(".about time")).to_have_text("5 November 2026")
    expect(page.locator(".about time")).to_have_attribute("datetime", "2026-11-05")


def test_paper_has_the_text_and_nothing_to_click(page, built):
    show(page, built, "/guide/all/")
    page.emulate_media(media="print", color_scheme="dark")
    for gone in [".top", ".side", ".shortcuts-open", ".copy", ".tab-list"]:
        expect(page.locator(gone).first).to_be_hidden()
    address = page.get_by_role("link", name="Elsewhere").evaluate("node => getComputedStyle(node, '::after').content")
    assert "https://example.com/x" in address
    for text in ["On Windows.", "On Linux.", "Linux again."]:
        assert page.get_by_text(text).evaluate(SHOWN), text
    assert ground(page) == "rgb(255, 255, 255)"
    assert page.locator(".code > pre").first.evaluate("node => getComputedStyle(node).whiteSpace") == "pre-wrap"
    assert page.locator("h2").first.evaluate("node => getComputedStyle(node).breakAfter") == "avoid"


def test_a_language_from_right_to_left(page, tmp_path):
    toml = PAGES["sitegen.toml"].replace("[groups]", 'language = "he"\n[groups]')
    show(page, build(tmp_path, **{"sitegen.toml": toml}), "/guide/all/")
    assert page.locator("html").get_attribute("dir") == "rtl"
    side, main = page.locator(".side").bounding_box(), page.locator("main").bounding_box()
    assert side["x"] > main["x"] + main["width"]
    page.get_by_role("tab", name="Windows").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Linux").first).to_be_focused()
    assert page.locator(".code > pre").first.evaluate("node => getComputedStyle(node).direction") == "ltr"
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="דפים").click()
    box = page.locator(".side").bounding_box()
    assert round(box["x"] + box["width"]) == PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_company_puts_its_colours_and_signs_on_it(page, tmp_path):
    theme = '\n[theme]\naccent = "#ffdd00"\nlogo = "brand/logo.svg"\nfavicon = "icon.svg"\n'
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"><path d="M0 0h4v2H0z"/></svg>'
    public = build(tmp_path, **{
        "sitegen.toml": PAGES["sitegen.toml"] + theme, "site/brand/logo.svg": svg, "templates/theme/icon.svg": svg,
    })
    show(page, public, "/")
    logo = page.locator(".name img")
    assert re.fullmatch(r"/_theme/logo\.[0-9a-f]{16}\.svg", logo.get_attribute("src"))
    assert logo.evaluate("node => node.complete && node.naturalWidth > 0")
    assert re.fullmatch(r"/_theme/icon\.[0-9a-f]{16}\.svg", page.locator("link[rel=icon]").get_attribute("href"))
    link = page.locator("article a")
    on_light = link.evaluate("node => getComputedStyle(node).color")
    page.emulate_media(color_scheme="dark")
    expect(link).to_have_css("color", "rgb(255, 221, 0)")
    assert on_light != "rgb(255, 221, 0)"


def test_a_compact_style_sheet_says_the_same(page, built):
    show(page, built, "/", policy=None)
    source = "\n".join(part.read_text() for part in sorted((ROOT / "templates/theme/site.css").iterdir()))
    rules = """text => { const sheet = new CSSStyleSheet(); sheet.replaceSync(text); return [...sheet.cssRules].map(rule => rule.cssText.replaceAll(", ", ",").replace(/(?<![\\d.])0\\./g, ".")).join("\\n") }"""
    compact = next((built / "theme").glob("site.*.css")).read_text()
    assert len(compact) < 0.9 * len(source)
    assert page.evaluate(rules, compact) == page.evaluate(rules, source)


def test_the_first_page_is_light(page, built):
    """HTML, styles and script together, uncompressed, and two of them before anything is seen."""
    asked = show(page, built, "/guide/all/")
    page.wait_for_load_state("networkidle")
    theme = [path for path in asked if path.startswith("/_theme/") and not path.endswith(".svg")]
    assert sorted(path.rsplit(".", 1)[1] for path in theme) == ["css", "js"]
    sizes = [(built / "theme" / path[8:]).stat().st_size for path in theme]
    sizes.append((built / "current/site/guide/all/index.html").stat().st_size)
    assert sum(sizes) <= 60_000, sizes
    assert (built / "theme").joinpath(next(p for p in theme if p.endswith("js"))[8:]).stat().st_size <= 17_500
    assert page.locator("script:not([src]), style, [style], script:not([defer])").count() == 0


def test_the_names_of_the_scripts_parts_differ():
    """They share one scope, so that a second declaration would stop the whole script."""
    names = [
        name
        for part in sorted((ROOT / "templates/theme/site.js").iterdir())
        for name in re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", part.read_text(), re.M)
    ]
    assert len(names) == len(set(names)), sorted(names)
