"use strict";

// Shows the reader's name with a menu, or a link to sign in; without an answer of siteauth the plain link stays.
async function showAccount(place) {
  const me = await reader();
  if (me === undefined) return;
  if (!me) {
    const href = "/auth/sign-in?return=" + encodeURIComponent(location.pathname + location.search);
    return place.replaceChildren(make("a", { className: "button primary", href }, "Sign in"));
  }
  const initials = me.name.replace(/^(.).* (.).*/u, "$1$2").slice(0, 2);
  const menu = make("div", { className: "account-menu", popover: "auto" },
    make("p", {}, me.name),
    make("a", { href: "/auth/account" }, "Your account"),
    make("form", { method: "post", action: "/auth/sign-out" }, make("button", {}, "Sign out")));
  place.replaceChildren(
    make("button", { className: "account-button", popoverTargetElement: menu },
      make("span", { className: "avatar", ariaHidden: "true" }, initials),
      make("span", {}, me.name || "Account")),
    menu);
}
document.querySelectorAll("#Site-account").forEach(showAccount);

// A page from the browser's back/forward cache asks again.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
