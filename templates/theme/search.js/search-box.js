// The pages that this reader opens most: their paths and titles.
async function visitedMost(count) {
  const me = await reader(), visits = keptValue("visits");
  if (!me?.object_id || visits?.reader !== me.object_id) return [];
  return Object.entries(visits.pages).filter(([path]) => path !== location.pathname)
    .sort(([, one], [, other]) => other[0] - one[0]).slice(0, count).map(([path, [, title]]) => [path, title]);
}

let searchIndexes;
function openIndexes() {
    return searchIndexes ??= readersFiles().then((files) => {
        // Once the session has ended, siteauth answers in place of the files of signed-in readers.
        if (!files.every((file) => file.search)) throw { status: 401 };
        return Promise.all([...new Set(files.flatMap((file) => file.search))].map((folder) => new SearchIndex(folder).open()));
    });
}

// A field with results below it, in the dialog and on the page /search/.
class SearchBox {
    constructor(input, most) {
        Object.assign(input, { role: "combobox", autocomplete: "off", spellcheck: false, ariaAutoComplete: "list", ariaExpanded: "false" });
        input.setAttribute("aria-controls", "Site-search-list");
        this.input = input;
        this.most = most;
        this.list = make("div", { id: "Site-search-list", role: "listbox", ariaLabel: text("Pages") });
        this.status = make("p", { className: "search-status", role: "status" });
        input.addEventListener("input", (event) => event.isComposing || this.later());
        input.addEventListener("compositionend", () => this.later());
        input.addEventListener("keydown", (event) => event.isComposing || this.press(event));
    }

    later() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.ask());
    }

    press(event) {
        const options = [...this.list.children], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        let at = options.findIndex((option) => option.ariaSelected === "true");
        if (step && options.length) {
            options[at]?.setAttribute("aria-selected", "false");
            at = at < 0 && step < 0 ? options.length - 1 : (at + step + options.length) % options.length;
            options[at].ariaSelected = "true";
            options[at].scrollIntoView({ block: "nearest" });
            this.input.setAttribute("aria-activedescendant", options[at].id);
        } else if (event.key === "Enter" && options.length) {
            const { ctrlKey, metaKey, shiftKey } = event;
            options[Math.max(at, 0)].dispatchEvent(new MouseEvent("click", { ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true }));
        } else return;
        event.preventDefault();
    }

    show(status, options = []) {
        this.status.textContent = status;
        this.list.replaceChildren(...options);
        this.input.ariaExpanded = String(options.length > 0);
        this.input.removeAttribute("aria-activedescendant");
    }

    showEnd() {
        this.show(text("Your session has ended"));
        this.status.append(" ", signInLink());
    }

    // Results of an older query are dropped.
    async ask(isAgain) {
        this.asked?.abort();
        const { signal } = this.asked = new AbortController();
        const question = this.input.value;
        if (!wordsOf(question).length) return this.showVisits(question, signal);
        searchMoved = 0;
        try {
            const query = await new SearchQuery(await openIndexes(), question).run();
            const pages = await query.records(this.most);
            if (signal.aborted) return;
            const count = query.results.length;
            this.show(count ? text("{{count}} pages found", { count }) : `${text("No pages found")}\n${text("Try fewer or other words, or browse the sections.")}`, pages.map((page, index) => this.option(page, index, query)));
            if (!count) this.status.append(" ", make("a", { href: "/search/" }, text("Pages")), ...await reader() === null ? [" ", signInLink()] : []);
            await this.passages(pages, query, signal);
        } catch (error) {
            if (signal.aborted) return;
            searchIndexes = readersFiles.answer = undefined;
            if (error.status === 401) return this.showEnd();
            // The index of an older release is gone: start again with the new one.
            if (error.status === 404 && !isAgain) return this.ask(true);
            this.show(text("The search did not answer; try again."));
        }
    }

    async showVisits(question, signal) {
        const pages = question.trim() ? [] : await visitedMost(8);
        if (signal.aborted) return;
        this.show(pages.length ? text("Pages you visit most") : "", pages.map(([path, title], index) =>
            make("a", { href: path, id: `Site-search-${index}`, role: "option", tabIndex: -1, ariaSelected: "false" },
                make("span", { className: "search-title" }, title), make("span", { className: "search-place" }, path))));
    }

    option(page, index, query) {
        const nodes = (words) => marked(words, hitsIn(words, query));
        page.snippet = make("span", { className: "search-snippet" }, ...nodes(page.description));
        const place = [page.section, page.readers && `${text("Readers")}: ${page.readers}`, page.missing.length && text("Without: {{words}}", { words: page.missing.join(", ") })];
        // Until the passage is there: the heading that has most of what was asked.
        const heading = page.headings.reduce((one, other) => other.cover > (one?.cover ?? 0.4) ? other : one, undefined);
        return page.link = make("a", { href: page.url + (heading ? "#" + heading.id : ""), id: `Site-search-${index}`, role: "option", tabIndex: -1, ariaSelected: "false" },
            make("span", { className: "search-title" }, ...nodes(page.title)),
            make("span", { className: "search-place" }, place.filter(Boolean).join(" · ")), page.snippet);
    }

    // Loads passages of at most eight pages and 100 KB for a query. A page that the reader may no longer open is removed from the results.
    async passages(pages, query, signal) {
        const shown = pages.slice(0, 8).filter((page) => page.size);
        let bytes = Math.max(0, 98000 - searchMoved - 800 * shown.length);
        await Promise.all(shown.map(async (page, index) => {
            const part = Math.min(page.size, Math.floor(bytes / (shown.length - index)));
            bytes -= part;
            try {
                if (part < Math.min(page.size, 500)) return;
                const found = await passage(page, query, part, signal);
                if (!found || signal.aborted) return;
                page.snippet.replaceChildren(...found.nodes);
                if (found.heading + found.mark) page.link.hash = found.heading + found.mark;
            } catch (error) {
                if (signal.aborted) return;
                if (error.status === 401) this.showEnd();
                else if (error.status > 400 && error.status < 405) page.link.remove();
            }
        }));
    }
}

// Called by site.js/search.js with a field, and the element for the results.
function startSearch(input, place, most) {
    const box = new SearchBox(input, most);
    place.append(box.status, box.list);
    openIndexes().catch(() => searchIndexes = undefined);
    box.ask();
}
