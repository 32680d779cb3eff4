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

// A page from the browser's back/forward cache asks again, and shows nothing before.
addEventListener("pagehide", ({ persisted }) => { if (persisted) root.style.visibility = "hidden"; });
addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });

// Signing out in one tab ends the session of all: the others load again once the server says so. A server that does not
// answer says nothing, and a check that is due without a sign-out is left to the next click.
const opened = Date.now(), readerAtFirst = reader();
document.addEventListener("submit", ({ target }) => {
  try { if (target.matches("[action='/auth/sign-out']")) localStorage.signedOut = Date.now(); } catch {}
});
async function leaveIfSignedOut(wait = 250) {
  try { if (!(localStorage.signedOut > opened)) return; } catch { return; }
  const [before, now] = [await readerAtFirst, await askForReader()];
  if (before && now !== undefined && now?.object_id !== before.object_id) return location.reload();
  if (wait < 30000) setTimeout(leaveIfSignedOut, wait, 2 * wait);
}
addEventListener("storage", ({ key }) => { if (key === "signedOut") leaveIfSignedOut(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) leaveIfSignedOut(30000); });

// The points of time on siteauth's account page, in the reader's time zone, with days as on all pages.
for (const time of document.querySelectorAll("main.card dd > time[data-months]")) {
  const date = new Date(time.dateTime), language = time.closest("[lang]").lang, { format, months } = time.dataset;
  const parts = { day: date.getDate(), month: months.split("|")[date.getMonth()], year: date.getFullYear() };
  if (!isNaN(date)) time.textContent = format.replace(/{{(\w+)}}/g, (_, name) => parts[name]) +
    ", " + date.toLocaleTimeString(language, { timeStyle: "short" });
}
