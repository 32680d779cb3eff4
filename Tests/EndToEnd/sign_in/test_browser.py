"""The whole path in a real browser."""

import re

from playwright.sync_api import expect


DEEP_LINK = "/company/hr/?year=2026&team=a%26b"


def sign_in(page, url, name):
    page.goto(url)
    expect(page.get_by_role("heading", name="Pick an account")).to_be_visible()
    page.get_by_role("button", name=name).click()


def test_alice_reads_the_page_she_asked_for_and_signs_out(demo, page):
    sign_in(page, demo.url + DEEP_LINK, "Alice Adams")
    expect(page).to_have_url(demo.url + DEEP_LINK)
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    secret = page.locator("h1").inner_text()

    page.get_by_role("button", name="Alice Adams").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(demo.url + "/auth/signed-out")
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()

    for _ in range(3):
        page.go_back()
        page.wait_for_load_state()
        if page.url.startswith("about:"):
            break
        assert page.get_by_role("heading", name=secret, exact=True).count() == 0, page.url
    page.goto(demo.url + DEEP_LINK)
    expect(page.get_by_role("heading", name="Pick an account")).to_be_visible()


def test_bob_is_told_politely_and_can_change_the_account(demo, page):
    sign_in(page, demo.url + "/", "Bob Brown")
    response = page.goto(demo.url + "/company/hr/")
    assert response.status == 403
    expect(page.locator("main")).to_contain_text("You are signed in as Bob Brown")
    reference = page.locator(".reference code").inner_text()
    assert f"request {reference}: forbidden '/company/hr/'" in demo.log("siteauth")
    page.get_by_role("link", name="Use another account").click()
    page.get_by_role("button", name="Alice Adams").click()
    expect(page).to_have_url(demo.url + "/company/hr/")


def test_it_works_without_javascript(demo, chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, demo.url + DEEP_LINK, "Alice Adams")
    expect(page).to_have_url(demo.url + DEEP_LINK)
    page.get_by_role("link", name="Account").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    page.goto(demo.url + DEEP_LINK)
    expect(page.get_by_role("heading", name="Pick an account")).to_be_visible()
    context.close()


def test_a_form_of_the_provider_signs_a_reader_in(secure, chromium):
    """The provider is another site, by its scheme, so the browser sends no cookie with its form."""
    site = secure('response_mode = "form_post"\n')
    context = chromium.new_context(ignore_https_errors=True)
    page = context.new_page()
    forms = []
    page.on("request", lambda request: request.url.startswith(site.url) and request.method == "POST" and forms.append(request))
    sign_in(page, site.url + DEEP_LINK, "Alice Adams")
    expect(page).to_have_url(site.url + DEEP_LINK)
    expect(page.locator("#Site-account")).to_contain_text("Alice Adams")
    [form] = forms
    assert "code=" in form.post_data and "?" not in form.url
    assert "cookie" not in form.all_headers()
    context.close()


def test_a_cancelled_sign_in_says_so(demo, page):
    page.goto(demo.url + "/company/")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="You were not signed in")).to_be_visible()
    page.get_by_role("link", name="Try again").click()
    page.get_by_role("button", name="Alice Adams").click()
    expect(page).to_have_url(demo.url + "/company/")


def test_a_public_page_needs_nobody_and_offers_to_sign_in(demo, page):
    response = page.goto(demo.url + "/press/")
    assert response.status == 200
    link = page.locator("#Site-account").get_by_role("link", name="Sign in")
    link.click()
    page.get_by_role("button", name="Bob Brown").click()
    expect(page).to_have_url(demo.url + "/press/")


def test_every_link_of_the_demo_site_leads_somewhere(demo, page):
    sign_in(page, demo.url + "/", "Alice Adams")
    expect(page).to_have_url(demo.url + "/")
    seen, waiting = set(), ["/", "/company/hr/"]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        response = page.request.get(demo.url + path)
        assert response.status == 200, path
        for link in re.findall(r'href="(/[^"#?]*)', response.text()):
            if not link.startswith(("/auth/", "/_theme/")):
                waiting.append(link)
    assert len(seen) >= 20


def test_a_script_that_lies_beside_a_page_is_not_run(demo, chromium):
    """Whoever slips an element into a page cannot point it at a file that an author has put on the site."""
    file = demo.folder / "public/current/site/press/slipped.js"
    file.write_text("window.slipped = true")
    context = chromium.new_context()
    try:
        page = context.new_page()
        for address in ["/_theme/..%2fpress/slipped.js", "/press/slipped.js", "/%5ftheme/..%2Fpress/slipped.js"]:
            page.goto(demo.url + "/press/")
            outcome = page.evaluate(
                """address => new Promise(resolve => {
                    const script = document.createElement("script");
                    script.src = address;
                    script.onload = () => resolve("loaded");
                    script.onerror = () => resolve("refused");
                    document.head.append(script);
                })""",
                address,
            )
            assert outcome == "refused" and page.evaluate("window.slipped") is None
    finally:
        context.close()
        file.unlink()
