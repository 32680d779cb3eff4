// Opens the search by Ctrl+K or the link in the header; the search script is loaded at the first use.
const searchLink = document.querySelector("a.search-open");
const searchPage = document.getElementById("Site-search-results");
let searchDialog;

function startSearchIn(input, place, most) {
    const { script: src, integrity } = searchLink.dataset;
    document.head.append(Object.assign(document.createElement("script"), { src, integrity, onload: () => startSearch(input, place, most) }));
}

function openSearch() {
    if (searchPage) return document.querySelector("main [name=q]").select();
    if (!searchDialog) {
        searchDialog = Object.assign(document.createElement("dialog"), { className: "search", ariaLabel: text("Search") });
        const input = Object.assign(document.createElement("input"), { placeholder: text("Search"), ariaLabel: text("Search"), enterKeyHint: "search" });
        const close = Object.assign(document.createElement("button"), { textContent: text("Close"), onclick: () => searchDialog.close() });
        const answers = document.createElement("div");
        searchDialog.append(input, close, answers);
        // A click beside the dialog closes it, and so does a result, which may be on the same page.
        searchDialog.addEventListener("click", (event) => {
            if (event.target === searchDialog || event.target.closest("a") && !event.ctrlKey && !event.metaKey) searchDialog.close();
        });
        document.body.append(searchDialog);
        startSearchIn(input, answers, 10);
    }
    if (!searchDialog.open) searchDialog.showModal();
    searchDialog.querySelector("input").select();
}

if (searchLink) {
    searchLink.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        openSearch();
    });
    addEventListener("keydown", (event) => {
        if (event.isComposing || event.key !== "k" || !event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        openSearch();
    });
}

// On the page /search/, results appear below the field, and the URL contains the query.
if (searchLink && searchPage) {
    const form = document.querySelector("main form[role=search]"), input = form.elements.q;
    form.hidden = false;
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    form.addEventListener("submit", (event) => event.preventDefault());
    input.addEventListener("input", () => {
        history.replaceState(null, "", input.value ? "?q=" + encodeURIComponent(input.value) : location.pathname);
    });
    input.focus();
    startSearchIn(input, searchPage, 25);
}
