"""The ways through a site of the theme that comes with sitegen: the drawer, the lists beside a page, headings."""

from playwright.sync_api import expect

from demo_site import wait_for
from theme_site import DESK, PHONE, SITE, build, serve, show

CONTEXT = {"viewport": DESK}


def test_the_drawer_opens_closes_and_gives_the_focus_back(context, page, built):
    serve(context, built)
    page.set_viewport_size(PHONE)
    page.goto(SITE + "/guide/long/")
    menu, pages = page.get_by_role("button", name="Pages"), page.get_by_role("navigation", name="Pages")
    expect(pages).to_be_hidden()
    for close in [lambda: page.keyboard.press("Escape"), lambda: page.get_by_role("button", name="Close").click()]:
        menu.focus()
        page.keyboard.press("Enter")
        expect(pages).to_be_visible()
        expect(page.locator("[aria-current=page]")).to_be_focused()
        close()
        expect(pages).to_be_hidden()
        expect(menu).to_be_focused()
    menu.click()
    page.mouse.click(380, 500)
    expect(pages).to_be_hidden()
    menu.click()
    page.locator("#Site-pages a").last.focus()
    page.keyboard.press("Tab")
    expect(pages).to_be_hidden()
    page.set_viewport_size(DESK)
    expect(pages).to_be_visible()
    expect(menu).to_be_hidden()


def test_an_address_leads_into_a_hidden_tab(page, built):
    show(page, built, "/guide/all/")
    page.goto(SITE + "/guide/all/#deep")
    expect(page.get_by_role("heading", name="Deep")).to_be_in_viewport()
    expect(page.get_by_role("tab", name="Linux", selected=True).first).to_be_visible()


def test_contents_follow_the_scroll(page, built):
    show(page, built, "/guide/long/")
    current = page.locator(".contents [aria-current=true]")
    for part in ["Part 4", "Part 2"]:
        page.get_by_role("heading", name=part).evaluate("node => node.scrollIntoView({behavior: 'instant'})")
        expect(current).to_have_text(part)
    page.set_viewport_size(PHONE)
    page.locator(".contents summary").click()
    page.locator(".contents").get_by_role("link", name="Part 3").click()
    expect(page.locator(".contents").get_by_role("link", name="Part 3")).to_be_hidden()
    expect(page.get_by_role("heading", name="Part 3")).to_be_in_viewport()


def test_headings_can_be_linked_to(page, built):
    show(page, built, "/guide/long/")
    link = page.locator("article").get_by_role("link", name="Part 2")
    expect(link).to_have_css("opacity", "0")
    link.focus()
    expect(link).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    expect(page).to_have_url(SITE + "/guide/long/#part-2")


def test_the_current_page_is_in_view_however_long_the_list_is(context, page, tmp_path):
    pages = {f"site/pages/page-{number:02}.md": f"# Page {number:02}\n" for number in range(60)} | {"site/pages/index.md": "# Pages\n"}
    serve(context, build(tmp_path, **pages))
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto(SITE + "/pages/page-40/")
    expect(page.locator("#Site-pages [aria-current=page]")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


FOLDERS = {f"site/{path}/{name}.md": f"# {path} {name}\n" for path in ("one", "one/two", "three") for name in ("index", "page")}


def test_a_folder_opens_where_it_stands_and_its_page_opens_where_that_fails(context, page, tmp_path):
    asked = show(page, build(tmp_path, **FOLDERS), "/guide/")
    side = page.locator("#Site-pages")
    for name in ["one index", "one/two index"]:
        button = side.locator(f"summary[aria-label='{name}']")
        button.focus()
        page.keyboard.press("Enter")
        expect(side.get_by_role("link", name=name.replace("index", "page"))).to_be_visible()
        expect(button).to_be_focused()
        button.click()
        expect(side.get_by_role("link", name=name.replace("index", "page"))).to_be_hidden()
        button.click()
    assert page.url == SITE + "/guide/" and asked.count("/one/") == 1
    expect(side.locator("[aria-current]")).to_have_count(1)
    # What the reader may not open any more, or not without signing in again, says so itself.
    context.route(f"{SITE}/three/", lambda route: route.fulfill(status=403, body="No access", content_type="text/html"))
    side.locator("summary[aria-label='three index']").click()
    page.wait_for_url(SITE + "/three/")
    # Which the browser notes.
    context.complaints = [text for text in context.complaints if "status of 403" not in text]


def test_keys_lead_to_other_pages_until_they_are_turned_off(page, built):
    show(page, built, "/guide/all/")
    order = page.evaluate("[...document.querySelectorAll('.neighbours a')].map(link => link.pathname)")
    page.keyboard.press("n")
    page.wait_for_url(SITE + order[1])
    page.keyboard.press("p")
    page.wait_for_url(SITE + "/guide/all/")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("Go to the next page")
    page.keyboard.press("n")
    dialog.get_by_role("switch").uncheck()
    dialog.get_by_role("button", name="Close").click()
    for key in "n?h/":
        page.keyboard.press(key)
    expect(dialog).to_be_hidden()
    assert page.url == SITE + "/guide/all/" and page.get_by_role("dialog").count() == 0
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Search")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(dialog).to_be_visible()


def test_pages_of_lists_alone_are_fetched_ahead_and_once(page, built):
    asked = show(page, built, "/")
    fetched = page.locator("link[rel=prefetch]")
    page.locator("article a").hover()
    page.locator("article a").focus()
    assert fetched.count() == 0
    for _ in range(2):
        page.locator("#Site-pages").get_by_role("link", name="Guide").hover()
        page.locator(".neighbours a").last.focus()
    assert [link.get_attribute("href") for link in fetched.all()] == ["/guide/"]
    wait_for(lambda: page.evaluate("performance.getEntriesByName(location.origin + '/guide/').length") == 1)
    assert asked.count("/guide/") == 1


def test_nothing_is_fetched_ahead_where_data_is_dear(context, page, built):
    context.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
    show(page, built, "/")
    page.locator("#Site-pages").get_by_role("link", name="Guide").hover()
    assert page.locator("link[rel=prefetch]").count() == 0
