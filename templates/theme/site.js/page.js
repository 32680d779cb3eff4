// Greets the reader where signed in, offers to sign in where not. Nothing else needs a script.
"use strict";

const account = document.getElementById("account");

function link(href, text) {
    const element = document.createElement("a");
    element.href = href;
    element.textContent = text;
    return element;
}

function signOutButton() {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/auth/sign-out";
    const button = document.createElement("button");
    button.textContent = "Sign out";
    form.append(button);
    return form;
}

async function greet() {
    const response = await fetch("/auth/me", { headers: { Accept: "application/json" } });
    if (response.status === 401) {
        const here = location.pathname + location.search;
        account.replaceChildren(link("/auth/sign-in?return=" + encodeURIComponent(here), "Sign in"));
        return;
    }
    if (!response.ok) return;
    const reader = await response.json();
    account.replaceChildren(link("/auth/account", reader.name), signOutButton());
}

// Without an answer the link to the account page stays, which does the same.
if (account) greet().catch(() => {});

// What stands behind '#' reaches no server. Where a page asks to sign in first, the link takes it along.
const fragment = location.hash.slice(1);
for (const start of fragment ? document.querySelectorAll("main a[href^='/auth/sign-in?return=']") : []) {
    const url = new URL(start.href);
    url.searchParams.set("return", url.searchParams.get("return") + "#" + fragment);
    start.href = url.pathname + url.search;
}

// A page that the Back button brings out of the browser's memory asks again who reads it.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// The list of pages is open where there is room for it.
const drawer = document.querySelector(".drawer");
const wide = matchMedia("(min-width: 60rem)");
function arrange() { if (drawer) drawer.open = wide.matches; }
wide.addEventListener("change", arrange);
arrange();
