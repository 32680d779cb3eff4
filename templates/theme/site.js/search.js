// Opens the search by the link in the header; the search script is loaded at the first use.
const searchLink = all("a.search-open")[0];
const searchPage = all("#Site-search-results")[0];
let searchDialog;

function startSearchIn(input, place, most) {
    const { script: src, integrity } = searchLink.dataset;
    const onerror = () => { place.textContent = text("The search did not answer; try again."); };
    // A browser that does not know all of the script's syntax loads it and runs nothing.
    const onload = () => { try { startSearch(input, place, most); } catch { onerror(); } };
    document.head.append(make("script", { src, integrity, onload, onerror }));
}

function openSearch() {
    if (searchPage) return all("main [name=q]")[0].select();
    if (!searchDialog) {
        const input = make("input", { placeholder: text("Search"), ariaLabel: text("Search"), enterKeyHint: "search" });
        const answers = make("div");
        searchDialog = make("dialog", { className: "search", ariaLabel: text("Search") },
            input, make("button", { onclick: () => searchDialog.close() }, text("Close")), answers);
        // A click beside the dialog closes it, and so does a result, which may be on the same page.
        searchDialog.onclick = ({ target, ctrlKey, metaKey }) => {
            if (target === searchDialog || target.closest("a") && !ctrlKey && !metaKey) searchDialog.close();
        };
        document.body.append(searchDialog);
        startSearchIn(input, answers, 10);
    }
    if (!searchDialog.open) searchDialog.showModal();
    searchDialog.querySelector("input").select();
}

if (searchLink) {
    searchLink.onclick = (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        openSearch();
    };
}

// On the page /search/, results appear below the field, and the URL contains the query.
if (searchLink && searchPage) {
    const form = all("main form[role=search]")[0], input = form.elements.q;
    form.hidden = false;
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    form.onsubmit = () => false;
    input.oninput = () => history.replaceState(null, "", input.value ? "?q=" + encodeURIComponent(input.value) : location.pathname);
    input.focus();
    startSearchIn(input, searchPage, 25);
}
