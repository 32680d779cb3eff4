// Shows the reader's name with a menu, or a link to sign in; without an answer of siteauth the plain link stays.
async function showAccount(place) {
  const me = await reader();
  if (me === undefined) return;
  if (!me) {
    const href = "/auth/sign-in?return=" + encodeURIComponent(location.pathname + location.search);
    return place.replaceChildren(make("a", { className: "button primary", href }, text("Sign in")));
  }
  const initials = me.name.replace(/^(.).* (.).*/u, "$1$2").slice(0, 2);
  const menu = make("div", { className: "account-menu", popover: "auto" },
    make("p", {}, me.name),
    make("a", { href: "/auth/account" }, text("Your account")),
    make("form", { method: "post", action: "/auth/sign-out" }, make("button", {}, text("Sign out"))));
  place.replaceChildren(
    make("button", { className: "account-button", popoverTargetElement: menu },
      make("span", { className: "avatar", ariaHidden: "true" }, initials),
      make("span", {}, me.name || text("Account"))),
    menu);
}
document.querySelectorAll("#Site-account").forEach(showAccount);

// A page from the browser's back/forward cache asks again.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// The points of time on siteauth's account page, in the reader's time zone, with days as on all pages.
for (const time of document.querySelectorAll("main.card dd > time[data-months]")) {
  const date = new Date(time.dateTime), language = time.closest("[lang]").lang, { format, months } = time.dataset;
  const parts = { day: date.getDate(), month: months.split("|")[date.getMonth()], year: date.getFullYear() };
  if (!isNaN(date)) time.textContent = format.replace(/{{(\w+)}}/g, (_, name) => parts[name]) +
    ", " + date.toLocaleTimeString(language, { timeStyle: "short" });
}
