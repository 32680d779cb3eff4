// The edit distance: letters that are wrong, missing, added or swapped.
function mistakes(word, other) {
    let before, last, row = [...Array(other.length + 1).keys()];
    for (let i = 0; i < word.length; i++) {
        [before, last, row] = [last, row, [i + 1]];
        for (let j = 0; j < other.length; j++) {
            row.push(Math.min(last[j] + (word[i] !== other[j]), last[j + 1] + 1, row[j] + 1,
                i && j && word[i] === other[j - 1] && word[i - 1] === other[j] ? before[j - 1] + 1 : 99));
        }
    }
    return row.at(-1);
}

// The scores of the levels in an index (Search/SearchScore.swift).
const levels = Array.from({ length: 16 }, (_, level) => 1.34 ** level);

class SearchQuery {
    constructor(indexes, text) {
        this.indexes = indexes;
        this.words = wordsOf(text);
        // The last word of a query may be the beginning of a word.
        this.open = /[\p{Alpha}\p{M}\p{Nd}]$/u.test(text) && this.words.at(-1);
        this.total = indexes.reduce((sum, index) => (index.base = sum) + index.count, 0);
    }

    async entries(prefix, most) {
        return (await Promise.all(this.indexes.map((index) => index.words(prefix, most)))).flat();
    }

    // A word and, for the last one, the words that begin with it: the most frequent ones, at most 16 KB of postings.
    async find(word, isOpen) {
        const entries = await this.entries(word, isOpen ? 3 : 1);
        let bytes = 16384;
        const longer = isOpen ? entries.filter((entry) => entry.word !== word).sort((one, other) => other.count - one.count)
            .filter((entry, index) => index < 40 && (bytes -= entry.end - entry.at || 0) > 0) : [];
        return this.pages([...entries.filter((entry) => entry.word === word).map((entry) => [entry, 1]), ...longer.map((entry) => [entry, 0.5])]);
    }

    // Assumes that the first letters of a misspelt word are right, or contain a usual mistake.
    async guess(word, isOpen) {
        if (word.length < 4) return new Map();
        const limit = word.length < 8 ? 1 : 2;
        let near = (await this.entries(word.slice(0, 2), 6)).map((entry) => {
            const start = isOpen ? entry.word.slice(0, word.length) : entry.word;
            return [entry, Math.min(mistakes(word, entry.word), mistakes(word, start) + 0.5)];
        });
        const least = Math.min(limit + 0.5, ...near.map(([, count]) => count));
        near = near.filter(([, count]) => count === least).slice(0, 20);
        const [a, b, c] = word;
        for (const other of near.length ? [] : [b + a + word.slice(2), a + c + b + word.slice(3), word.slice(1), a + word.slice(2)]) {
            near.push(...(await this.entries(other, 1)).filter((entry) => entry.word === other).map((entry) => [entry, 1]));
        }
        return this.pages(near.map(([entry, count]) => [entry, 0.4 / (1 + count)]));
    }

    // Splits a word into two known words, the longest first; linking letters may stand between them.
    async split(word) {
        const starts = (await this.entries(word.slice(0, 4), 3)).map((entry) => entry.word)
            .filter((start) => word.startsWith(start) && word.length - start.length > 3).sort((one, other) => other.length - one.length);
        for (const start of starts.slice(0, 3)) {
            for (const rest of [word.slice(start.length), word.slice(start.length).replace(/^(s|es|n|en|er|e)/, "")]) {
                const pages = await this.find(rest, false);
                if (pages.size) return this.both([await this.find(start, false), pages]);
            }
        }
        return new Map();
    }

    // The pages of the words, each with the best score of a word there.
    async pages(entries) {
        await Promise.all(this.indexes.map((index) => index.load(entries.map(([entry]) => entry).filter((entry) => entry.index === index))));
        const pages = new Map();
        pages.words = entries.map(([entry]) => entry.word);
        for (const [entry, worth] of entries) {
            let page = entry.index.base - 1;
            for (const cursor = new Cursor(entry.list); cursor.more;) {
                const number = cursor.number();
                page += Math.floor(number / 16);
                pages.set(page, Math.max(pages.get(page) ?? 0, worth * levels[number % 16]));
            }
        }
        return pages;
    }

    both(all) {
        const pages = new Map([...all[0]].filter(([page]) => all.every((other) => other.has(page)))
            .map(([page]) => [page, all.reduce((sum, other) => sum + other.get(page), 0) / all.length]));
        pages.words = all.flatMap((other) => other.words);
        return pages;
    }

    async match(word) {
        const isOpen = word === this.open;
        let pages = word.whole ? await this.find(word.whole, isOpen) : new Map();
        if (word.parts.length) {
            const parts = this.both(await Promise.all(word.parts.map((part) => this.find(part, isOpen && part === word.parts.at(-1)))));
            for (const [page, worth] of parts) if (!pages.has(page)) pages.set(page, worth * 0.8);
            pages.words = [...(pages.words ?? []), ...parts.words];
        }
        if (!pages.size && word.whole?.length > 7) pages = await this.split(word.whole);
        if (!pages.size && word.whole) pages = await this.guess(word.whole, isOpen);
        return pages;
    }

    // The pages with all words, or with as many words as any page has; rare words score higher.
    async run() {
        const found = await Promise.all(this.words.map((word) => this.match(word)));
        this.marks = found.map((pages) => pages.words ?? []);
        const scores = new Float64Array(this.total), words = new Uint8Array(this.total);
        for (const pages of found) {
            const rarity = Math.log(1 + this.total / pages.size);
            for (const [page, worth] of pages) {
                scores[page] += rarity * worth;
                words[page]++;
            }
        }
        const most = words.reduce((one, other) => Math.max(one, other), 0);
        this.results = most ? [...words.keys()].filter((page) => words[page] === most)
            .sort((one, other) => scores[other] - scores[one] || one - other) : [];
        this.missing = (page) => this.words.filter((word, index) => !found[index].has(page)).map((word) => word.whole ?? word.parts[0]);
        return this;
    }

    async records(most) {
        const shown = this.results.slice(0, most).map((page) => {
            const index = this.indexes.findLast((index) => index.base <= page);
            return { index, number: page - index.base, missing: this.missing(page) };
        });
        await Promise.all(this.indexes.map((index) => index.loadPages(shown.filter((page) => page.index === index).map((page) => page.number))));
        return shown.map(({ index, number, missing }) => ({ ...index.page(number), missing }));
    }
}
