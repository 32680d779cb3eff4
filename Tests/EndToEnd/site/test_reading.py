"""What makes reading easier: contrast, small windows, bars, tasks, the home page, and help where a page is refused."""

import re

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from demo_site import wait_for
from theme_site import CLIPBOARD, DESK, PAGES, PHONE, SITE, build, serve, show

CONTEXT = {"viewport": DESK}
ME = {"name": "Alice Beth Adams", "groups": ["hr"]}


def test_high_contrast_is_seven_to_one(context, page, built):
    show(page, built, "/guide/all/", policy=None)
    page.get_by_role("combobox", name="Colours").select_option("High contrast")
    page.evaluate(AXE_SCRIPT + "\n;undefined")
    for scheme in ["light", "dark"]:
        # Otherwise links and buttons change their colours slowly.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = page.evaluate("axe.run(document, {runOnly: {type: 'rule', values: ['color-contrast-enhanced']}})")
        assert found["passes"] and not found["violations"], found["violations"]
    context.clear_cookies()
    page.evaluate("localStorage.clear()")
    page.emulate_media(contrast="more")
    page.reload()
    expect(page.get_by_role("combobox", name="Colours")).to_have_value("contrast")


def test_a_small_window_is_for_the_text(context, page, built):
    """400 % of 1280 by 1024, and the distances of WCAG 2.2, 1.4.12."""
    serve(context, built)
    page.set_viewport_size({"width": 320, "height": 256})
    page.goto(SITE + "/guide/long/")
    # The page's policy allows no style of anybody else's, but a script of the browser's may set one.
    page.evaluate("document.body.style.cssText = 'line-height: 1.5; letter-spacing: .12em; word-spacing: .16em'")
    page.mouse.wheel(0, 1500)
    wait_for(lambda: page.evaluate("scrollY > 1000"))
    for bar in [".top", ".contents"]:
        expect(page.locator(bar)).not_to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_bars_go_away_while_somebody_reads_on(context, page, built):
    serve(context, built)
    page.set_viewport_size(PHONE)
    page.goto(SITE + "/guide/long/")
    bar, contents = page.locator(".top"), page.locator(".contents")
    page.mouse.wheel(0, 3000)
    expect(bar).not_to_be_in_viewport()
    expect(contents).not_to_be_in_viewport()
    page.mouse.wheel(0, -200)
    expect(bar).to_be_in_viewport()
    summary = contents.locator("summary")
    expect(summary).to_contain_text("Part")
    height = page.evaluate("document.documentElement.scrollHeight")
    summary.click()
    expect(contents.get_by_role("link", name="Part 5")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollHeight") == height, "it lies over the page"
    page.keyboard.press("Escape")
    expect(contents.get_by_role("link", name="Part 5")).to_be_hidden()
    # What has the focus stays.
    page.get_by_role("button", name="Pages").focus()
    page.mouse.wheel(0, 3000)
    page.wait_for_timeout(300)
    expect(bar).to_be_in_viewport()


def test_tasks_are_ticked_in_this_browser(context, page, tmp_path):
    tasks = "# A\n\n- [x] Sign\n- [ ] Laptop\n"
    public = build(tmp_path, **{"site/index.md": tasks})
    show(page, public, "/", ME | {"object_id": "alice"})
    page.get_by_role("checkbox", name="Laptop").check()
    page.get_by_role("checkbox", name="Sign").uncheck()
    page.reload()
    expect(page.get_by_role("checkbox", name="Laptop")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Sign")).not_to_be_checked()
    assert "Laptop" not in page.evaluate("localStorage.ticks")
    context.unroute_all()
    serve(context, public, ME | {"object_id": "carol"})
    page.reload()
    wait_for(lambda: page.evaluate("localStorage.ticks === undefined"))
    page.reload()
    expect(page.get_by_role("checkbox", name="Laptop")).not_to_be_checked()


def test_the_home_page_has_cards_and_what_changed(context, page, tmp_path):
    changes = {
        "site/index.md": "---\nlisting: true\n---\n# Home\n",
        "site/hr/index.md": "---\naccess: [hr]\nlastmod: 2026-11-09\n---\n# HR\n",
    }
    serve(context, build(tmp_path, **changes), ME, {
        "/_reader/public.json": {}, "/_reader/signed-in.json": {"reviews": [
            {"url": "/guide/long/", "label": "Long", "about": "31 October 2026", "owners": ["bo", "alice beth adams"]},
            {"url": "/guide/all/", "label": "All", "about": "30 June 2026", "owners": ["bo"]},
        ]},
        "/_reader/group/hr.json": {"isGroup": True, "sections": [{"url": "/hr/", "label": "HR", "about": "Pay and leave."}]},
    })
    page.goto(SITE + "/")
    cards = page.locator(".is-home .entries li")
    expect(cards).to_have_text([re.compile("^Guide"), re.compile("^Press"), "HRPay and leave."])
    tops = cards.evaluate_all("cards => cards.map(card => card.getBoundingClientRect().top)")
    assert len(set(tops)) == 1, "a large screen has room for them"
    expect(page.locator(".recent").first).to_have_text(re.compile("To review\\s*Long\\s*31 October 2026\\s*"))
    expect(page.locator(".recent").last).to_have_text(re.compile("Recently changed\\s+Guide 5 November 2026\\s*"))


def test_a_refusal_names_somebody_to_ask(context, page, tmp_path):
    public = build(tmp_path, **{"sitegen.toml": 'contact = "it@example.com"\n' + PAGES["sitegen.toml"]})
    for name in ["403", "404"]:
        assert 'href="mailto:it@example.com"' in next((public / "current").rglob(f"{name}.html")).read_text()
    serve(context, public, files={})
    frame = next((public / "current").rglob("auth/page.html")).read_text()
    shown = frame.replace("<!--siteauth:content-->", '<p class="reference">Number: <code>12ab</code></p><div class="actions"></div>')
    context.route(SITE + "/auth/callback*", lambda route: route.fulfill(body=shown, content_type="text/html"))
    page.goto(SITE + "/auth/callback?code=secret")
    link = page.get_by_role("link", name="it@example.com").get_attribute("href")
    expect(page.locator(".reference + .contact + .actions")).to_be_attached()
    assert "12ab" in link and "%2Fauth%2Fcallback" in link and "secret" not in link
    assert page.url == SITE + "/auth/callback"


def test_the_page_not_found_offers_to_search_for_its_address(context, page, built):
    serve(context, built)
    shown = next((built / "current").rglob("404.html")).read_text()
    context.route(SITE + "/hr/holiday-rules/", lambda route: route.fulfill(body=shown, content_type="text/html"))
    page.goto(SITE + "/hr/holiday-rules/")
    expect(page.get_by_role("searchbox")).to_have_value("hr holiday rules")


def test_a_page_is_copied_as_markdown(context, page, tmp_path):
    site = build(tmp_path, **{"sitegen.toml": "markdown_copies = true\n" + PAGES["sitegen.toml"], "site/a.md": "# A\n\n<!-- secret -->\n*Text*\n"})
    serve(context, site)
    page.goto(SITE + "/a/")
    link = page.get_by_role("link", name="Markdown")
    assert link.evaluate("node => node.href") == SITE + "/a/index.md"
    context.add_init_script(CLIPBOARD)
    page.reload()
    page.get_by_role("button", name="Copy as Markdown").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("copied") == "# A\n\n*Text*\n" and link.count() == 0
