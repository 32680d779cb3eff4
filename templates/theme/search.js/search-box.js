// The pages that this reader opens most: their paths, titles and the titles above them.
async function visitedMost(count) {
  const me = await reader(), visits = keptValue("visits");
  if (!me?.object_id || visits?.reader !== me.object_id) return [];
  return Object.entries(visits.pages).filter(([path]) => path !== location.pathname)
    .sort(([, one], [, other]) => other[0] - one[0]).slice(0, count).map(([path, [, title, place]]) => [path, title, place]);
}

let searchIndexes;
function openIndexes() {
    return searchIndexes ??= readersFiles().then((files) => {
        // Once the session has ended, siteauth answers in place of the files of signed-in readers. It refuses those of a
        // group that demands a confirmation.
        if (!files.every((file) => file.search || file.error === "forbidden")) throw { status: 401 };
        return Promise.all([...new Set(files.flatMap((file) => file.search ?? []))].map((folder) => new SearchIndex(folder).open()));
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
        this.more = make("p", { className: "search-more" });
        input.addEventListener("input", (event) => event.isComposing || this.later());
        input.addEventListener("compositionend", () => this.later());
        input.addEventListener("keydown", (event) => event.isComposing || this.press(event));
    }

    // Who types on is not asked for; what the finished words need is read meanwhile.
    later() {
        // What is read while somebody types belongs to the question.
        if (!this.timer) searchMoved = 0;
        clearTimeout(this.timer);
        this.asked?.abort();
        this.timer = setTimeout(() => {
            this.timer = 0;
            this.ask();
        }, 150);
        const done = this.input.value.match(/^.*\s/)?.[0] ?? "";
        if (done === this.done) return;
        this.done = done;
        openIndexes().then((indexes) => new SearchQuery(indexes, done)).then((query) => query.words.map((word) => query.match(word).catch(() => {}))).catch(() => {});
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
        this.more.replaceChildren();
        this.input.ariaExpanded = String(options.length > 0);
        this.input.removeAttribute("aria-activedescendant");
    }

    // The way to the pages that are not shown: those of the dialog are on a page of their own.
    rest(count) {
        const href = "/search/?q=" + encodeURIComponent(this.input.value);
        return make("a", { href, onclick: (event) => {
            if (!this.input.form) return;
            event.preventDefault();
            this.most += 25;
            searchMoved = 0;
            this.ask();
        } }, text("{{count}} more", { count }));
    }

    showEnd() {
        this.show(text("Your session has ended"));
        this.status.append("\n", signInLink());
    }

    // Results of an older query are dropped.
    async ask(isAgain) {
        this.asked?.abort();
        const { signal } = this.asked = new AbortController();
        const question = this.input.value;
        if (!wordsOf(question).length) return this.showVisits(question, signal);
        try {
            const query = await new SearchQuery(await openIndexes(), question, signal).run();
            const pages = await query.records(this.most);
            if (signal.aborted) return;
            const count = query.results.length;
            this.show(count ? text("{{count}} pages found", { count }) : `${text("No pages found")}\n${text("Try fewer or other words, or browse the sections.")}`, pages.map((page, index) => this.option(page, index, query)));
            if (count > pages.length) this.more.append(this.rest(count - pages.length));
            if (!count) this.status.append("\n", make("a", { href: "/search/" }, text("All pages")), ...await reader() === null ? [signInLink()] : []);
            this.passages(pages, query, signal);
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
        this.show(pages.length ? text("Pages you visit most") : "", pages.map(([path, title, place], index) =>
            make("a", { href: path, id: `Site-search-${index}`, role: "option", tabIndex: -1, ariaSelected: "false" },
                make("span", { className: "search-title" }, title), make("span", { className: "search-place" }, place?.replace(/^.*\n\s*/, "").replace(/\s*\n\s*/g, " › ") || path))));
    }

    option(page, index, query) {
        const nodes = (words) => marked(words, hitsIn(words, query));
        page.snippet = make("span", { className: "search-snippet" }, ...nodes(page.description));
        // A title that has all that was asked leads to the top.
        page.isAbout = query.coverOf(page.title).isWhole;
        const place = [page.section, page.missing.length && text("Without: {{words}}", { words: page.missing.join(", ") })].filter(Boolean).join(" · ");
        const readers = page.readers ? [make("span", { className: "search-readers" }, make("span", {}, text("Readers") + ": "), page.readers)] : [];
        // Until the passage is there: the heading that has most of what was asked.
        const heading = page.isAbout ? undefined : page.headings.reduce((one, other) => other.cover > (one?.cover ?? 0.4) ? other : one, undefined);
        page.heading = make("span", { className: "search-heading" }, ...nodes(heading?.text ?? ""));
        page.others = make("span", { className: "search-others" });
        return page.link = make("a", { href: page.url + (heading ? "#" + heading.id : ""), id: `Site-search-${index}`, role: "option", tabIndex: -1, ariaSelected: "false" },
            make("span", { className: "search-title" }, ...nodes(page.title)), page.heading,
            make("span", { className: "search-place" }, ...readers, place), page.snippet, page.others);
    }

    // Loads the passages of the pages that are seen, in at most 60 KB for a query, and those of others when they are scrolled to. A page that
    // the reader may no longer open is removed from the results.
    passages(pages, query, signal) {
        const watch = new IntersectionObserver((seen) => {
            const shown = seen.filter((entry) => entry.isIntersecting).map(({ target }) => pages.find((page) => page.link === target));
            for (const page of shown) watch.unobserve(page.link);
            if (!signal.aborted) this.load(shown, query, signal);
        });
        for (const page of pages) if (page.size) watch.observe(page.link);
        signal.addEventListener("abort", () => watch.disconnect());
    }

    async load(shown, query, signal) {
        const others = shown.filter((page) => !page.passage).length;
        let bytes = Math.max(2500 * others, 58000 - searchMoved - 800 * others), left = others;
        await Promise.all(shown.map(async (page) => {
            const part = page.passage ? 0 : Math.min(page.size, Math.floor(bytes / left--));
            bytes -= part;
            try {
                const found = page.passage ?? await passage(page, query, part, signal);
                if (!found || signal.aborted) return;
                page.snippet.replaceChildren(...found.nodes);
                if (found.count) page.others.textContent = `${text("On this page")}: ${text("{{count}} more", { count: found.count })}`;
                if (page.isAbout) return;
                page.heading.replaceChildren(...marked(found.title, hitsIn(found.title, query)));
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
    const box = new SearchBox(input, most), { style: href, styleIntegrity: integrity } = searchLink.dataset;
    const keys = input.form ? [] : [make("p", { className: "search-keys", ariaHidden: "true" }, ...["↑", "↓", "↵", "Esc"].map((key) => make("kbd", {}, key)))];
    // Nothing is shown before its style sheet is there, which comes while the index is read.
    const show = () => place.append(box.status, box.list, box.more, ...keys);
    if (href) document.head.append(make("link", { rel: "stylesheet", href, integrity, onload: show, onerror: show }));
    else show();
    openIndexes().catch(() => searchIndexes = undefined);
    box.ask();
}
