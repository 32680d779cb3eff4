// Reloads the page when the site has changed, and shows the errors in it.
"use strict";

const { generation } = document.currentScript.dataset;
let source;
let overlay;
let told = "";

function show(errors, title = "") {
    if (!errors) {
        overlay?.remove();
        overlay = undefined;
        return;
    }
    if (!overlay) {
        overlay = document.createElement("sitegen-preview");
        // A shadow tree, which the site's style sheet does not affect.
        const root = overlay.attachShadow({ mode: "open" });
        const style = document.createElement("link");
        style.rel = "stylesheet";
        style.href = "/_preview/preview.css";
        const panel = document.createElement("section");
        panel.setAttribute("role", "alert");
        panel.setAttribute("aria-label", "Errors in the site");
        const heading = document.createElement("h2");
        const hide = document.createElement("button");
        hide.textContent = "Hide";
        hide.addEventListener("click", () => show(""));
        panel.append(hide, heading, document.createElement("pre"));
        root.append(style, panel);
        document.documentElement.append(overlay);
    }
    overlay.shadowRoot.querySelector("h2").textContent = title;
    overlay.shadowRoot.querySelector("pre").textContent = errors;
}

function listen() {
    source = new EventSource("/_preview/events");
    source.addEventListener("message", (event) => {
        const state = JSON.parse(event.data);
        if (state.generation !== generation) {
            location.reload();
        } else if (state.errors !== told) {
            // Errors that the author hid stay hidden until they change.
            told = state.errors;
            show(told, state.title);
        }
    });
}

// The menu of readers. Without one, the author has chosen with '--as'.
async function showReaders() {
    const answer = await fetch("/_preview/readers").catch(() => undefined);
    const { cookie, chosen, options } = answer?.ok ? await answer.json() : {};
    if (!options) return;
    const place = document.createElement("sitegen-preview-readers");
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = "/_preview/preview.css";
    const label = document.createElement("label");
    const menu = document.createElement("select");
    menu.append(...options.map(({ label, value }) => new Option(label, value, false, value === chosen)));
    menu.addEventListener("change", () => {
        document.cookie = `${cookie}=${menu.value}; Path=/; SameSite=Strict`;
        location.reload();
    });
    label.append("View as ", menu);
    place.attachShadow({ mode: "open" }).append(style, label);
    document.body.append(place);
}
showReaders();

// Browsers allow six connections to one server, so hidden tabs close theirs. A tab that becomes
// visible connects again, and receives the newest state at once.
function arrange() {
    if (document.hidden) source?.close();
    else if (!source || source.readyState === EventSource.CLOSED) listen();
}
document.addEventListener("visibilitychange", arrange);
addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", arrange);
arrange();
