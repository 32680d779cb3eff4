// Opens the search by the link in the header; the search script is loaded at the first use.
const searchLink = all("a.search-open")[0];
const searchPage = all("#Site-search-results")[0];
let searchDialog;

function startSearchIn(input, place, most) {
    const { script: src, integrity } = searchLink.dataset;
    const onerror = () => place.textContent = text("The search did not answer; try again.");
    // A browser that does not know all of the script's syntax loads it and runs nothing.
    const onload = () => { try { startSearch(input, place, most); } catch { onerror(); } };
    document.head.append(make("script", { src, integrity, onload, onerror }));
}

function openSearch() {
    if (searchPage) return searchForm.elements.q.select();
    if (!searchDialog) {
        const label = text("Search"), input = make("input", { placeholder: label, ariaLabel: label, enterKeyHint: "search" });
        const answers = make("div");
        searchDialog = makeDialog("search", label,
            input, make("button", { className: "button", onclick: () => searchDialog.close() }, text("Close")), answers);
        startSearchIn(input, answers, 10);
    }
    if (!searchDialog.open) searchDialog.showModal();
    searchDialog.querySelector("input").select();
}

if (searchLink) searchLink.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openSearch();
};

const searchForm = all("main form[role=search]")[0];
if (searchForm) searchForm.hidden = false;

// On the page /search/, results appear below the field, and the URL contains the query.
if (searchLink && searchPage) {
    const input = searchForm.elements.q;
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    searchForm.onsubmit = () => false;
    input.oninput = () => history.replaceState(null, "", input.value ? "?q=" + encodeURIComponent(input.value) : path);
    input.focus();
    startSearchIn(input, searchPage, 25);
}
