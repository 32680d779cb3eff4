function signInLink() {
  const href = "/auth/sign-in?return=" + encodeURIComponent(path + location.search);
  return make("a", { className: "button primary", href }, text("Sign in"));
}

// Shows the reader's name with a menu, or a link to sign in; without an answer of siteauth the plain link stays.
async function showAccount(place) {
  const me = await reader();
  if (me === undefined) return;
  if (!me) return place.replaceChildren(signInLink());
  const initials = me.name.replace(/^(.).* (.).*/u, "$1$2").slice(0, 2);
  const menu = make("div", { className: "account-menu", popover: "auto" },
    make("p", {}, me.name),
    make("a", { href: "/auth/account" }, text("Your account")),
    make("form", { method: "post", action: "/auth/sign-out" }, make("button", {}, text("Sign out"))));
  const button = make("button", { className: "account-button", popoverTargetElement: menu },
    make("span", { className: "avatar", ariaHidden: "true" }, initials),
    make("span", {}, me.name || text("Account")));
  if (!menu.showPopover) button.onclick = () => menu.toggleAttribute("hidden"), menu.hidden = true;
  place.replaceChildren(button, menu);
}
all("#Site-account").forEach(showAccount);

// A page from the browser's back/forward cache asks again, and shows nothing before.
onpagehide = ({ persisted }) => persisted && (root.style.visibility = "hidden");
onpageshow = ({ persisted }) => persisted && location.reload();

// Signing out in one tab ends the session of all: the others load again once the server says so. A server that does not
// answer says nothing, and a check that is due without a sign-out is left to the next click.
addEventListener("submit", ({ target }) => target.matches("[action='/auth/sign-out']") && keep("signedOut", Date.now()));
async function leave(wait = 250) {
  if (!(kept("signedOut") > performance.timeOrigin)) return;
  const before = await reader(), now = await askReader();
  if (before && now !== undefined && now?.object_id !== before.object_id) location.reload();
  else if (wait < 3e4) setTimeout(leave, wait, 2 * wait);
}
onstorage = () => leave();
document.onvisibilitychange = () => document.hidden || leave(3e4);
