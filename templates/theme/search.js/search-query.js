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

// Words that say how somebody asks, and not what about: in English, German, French and Spanish.
const asking = new Set(("a am an and any are as at be been by can could did do does for from had has have how i if in into is it its let me my no of on or our should so than "
    + "that the their them then there these they this those to want "
    + "was we were what when where whether which while who why will with would you your aber als auf aus bei bin das dem den der des die ein eine einen einer er es fur habe hat ich "
    + "im ist kann man mein mich mir mit nach nicht oder sich sie sind so und uns vom von vor wann warum was welche wenn wer wie wir wird wo zu zum zur au aux "
    + "avec ce ces cette comment dans de des du elle est et il je la le les ma mes mon ne nous on ou par pas pour puis que quel quelle qui sa se ses son sur "
    + "un une vous al como con cual cuando del donde el en es esta este hay lo los las mi mis para pero por puedo que quien se si sin su sus tu una y").split(" "));

// The scores of the levels in an index (Search/SearchScore.swift).
const levels = Array.from({ length: 16 }, (_, level) => 1.34 ** level);
// What a match is worth, beside the word itself.
const worth = { form: 0.85, start: 0.5, parts: 0.2 };

// What Arabic and Hebrew write before a word without a space: the article, and some small words.
const attached = [
    { letters: /^[\u0620-\u064a]{3,}$/, before: ["ال", "وال", "بال", "لل", "و", "ب", "ل"] },
    { letters: /^[\u05d0-\u05ea]{3,}$/, before: ["ה", "וה", "ב", "ל", "מ", "ו", "ש"] },
];

// The words of a text, and pairs of the characters of scripts without spaces, in their order.
const sequenceOf = (text) => wordsOf(text).flatMap((word) => word.whole ?? word.parts);

class SearchQuery {
    // With a signal, a question that nobody asks any more reads nothing more.
    constructor(indexes, text, signal) {
        Object.assign(this, { indexes, signal, passages: new Map() });
        this.words = wordsOf(text);
        // The last word of a query may be the beginning of a word.
        this.open = /[\p{Alpha}\p{M}\p{Nd}]$/u.test(text) && this.words.at(-1);
        // Words in quotation marks, which have to follow each other.
        this.phrases = [...text.matchAll(/["“”„«»]([^"“”„«»]+)["“”„«»]/g)].map((match) => sequenceOf(match[1]))
            .filter((words) => words.length > 1);
        this.total = indexes.reduce((sum, index) => (index.base = sum) + index.count, 0);
    }

    async entries(prefix, most) {
        this.signal?.throwIfAborted();
        return (await Promise.all(this.indexes.map((index) => index.words(prefix, most)))).flat();
    }

    // The other forms of a word: those with its stem. A word that no page has gets a stem by an ending that other words have.
    async forms(word, known) {
        if (word.length < 4) return [];
        if (known.length) {
            const stems = [...new Set(known.map((entry) => entry.stem))];
            return (await Promise.all(stems.map(async (stem) => {
                let shared = 0;
                while (word[shared] === stem[shared] && shared < stem.length) shared++;
                return (await this.entries(stem.slice(0, Math.max(shared, 3)), 3)).filter((entry) => entry.stem === stem);
            }))).flat().filter((entry) => entry.word !== word);
        }
        const endings = [{ word: "", stem: "" }, ...this.indexes.flatMap((index) => index.endings)];
        const stems = new Map(endings.filter((ending) => word.endsWith(ending.word) && word.length - ending.word.length > 2 && 2 * (word.length - ending.word.length) >= word.length)
            .map((ending) => [word.slice(0, word.length - ending.word.length) + ending.stem, word.length - ending.word.length]));
        for (const [stem, shared] of [...stems].sort((one, other) => other[0].length - one[0].length).slice(0, 8)) {
            const found = (await this.entries(stem.slice(0, shared), 2)).filter((entry) => entry.stem === stem);
            if (found.length) return found;
        }
        return [];
    }

    // A word with articles and small words before it, and without them. One letter may belong to a word, so it is taken away only if that is unknown.
    async withAttached(word, known) {
        const before = attached.find(({ letters }) => letters.test(word))?.before ?? [];
        const bare = before.filter((start) => word.startsWith(start) && word.length - start.length > 2 && (start.length > 1 || !known.length))
            .map((start) => word.slice(start.length));
        const forms = [word, ...bare].flatMap((word) => ["", ...before].map((start) => start + word)).filter((form) => before.length && form !== word);
        return (await Promise.all(forms.map(async (form) => (await this.entries(form, 1)).filter((entry) => entry.word === form)))).flat();
    }

    // A word, its other forms and, for the last one, the words that begin with it: the most frequent ones, at most 16 KB of postings. A single
    // character of a script without spaces may be a word, which is found in each of its pairs.
    async find(word, isOpen, isPair) {
        const isAlone = !isPair && isSign.test(word);
        isOpen ||= isAlone;
        const entries = await this.entries(word, isOpen ? 3 : 1), known = entries.filter((entry) => entry.word === word);
        let bytes = 16384;
        const longer = isOpen ? entries.filter((entry) => entry.word !== word).sort((one, other) => other.count - one.count)
            .filter((entry, index) => index < (isAlone ? 400 : 40) && (bytes -= entry.end - entry.at || 0) > 0) : [];
        const forms = [...await this.forms(word, known), ...await this.withAttached(word, known)];
        return this.pages([...longer.map((entry) => [entry, worth.start]), ...forms.map((entry) => [entry, worth.form]), ...known.map((entry) => [entry, 1])]);
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
        // A form of a word that is known by its beginning alone.
        for (let end = word.length - 2; !near.length && end > 4 && end > word.length - 7; end--) {
            const start = word.slice(0, end);
            near = (await this.entries(start, 1)).filter((entry) => entry.word.startsWith(start)).slice(0, 20).map((entry) => [entry, 1]);
        }
        const pages = await this.pages(near.map(([entry, count]) => [entry, 0.4 / (1 + count)]));
        pages.isDoubtful = near[0]?.[1] > 1.5;
        return pages;
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
        this.signal?.throwIfAborted();
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

    both(all, common = [...all[0].keys()].filter((page) => all.every((other) => other.has(page)))) {
        const pages = new Map(common.map((page) => [page, all.reduce((sum, other) => sum + (other.get(page) ?? 0), 0) / all.length]));
        pages.words = all.flatMap((other) => other.words);
        return pages;
    }

    // The pages with most of the words.
    most(all) {
        const counts = new Map();
        for (const pages of all) for (const page of pages.keys()) counts.set(page, (counts.get(page) ?? 0) + 1);
        return this.both(all, [...counts.keys()].filter((page) => counts.get(page) > all.length / 2));
    }

    async match(word) {
        const isOpen = word === this.open;
        let pages = word.whole ? await this.find(word.whole, isOpen) : new Map();
        if (word.parts.length) {
            const all = await Promise.all(word.parts.map((part) => this.find(part, isOpen && part === word.parts.at(-1), true)));
            let parts = this.both(all);
            // Several words without spaces between them need not follow each other in a page.
            if (!parts.size && isSign.test(word.text)) parts = this.most(all);
            // Who writes 'auth_request' means that, if it is anywhere.
            const value = pages.size ? worth.parts : 0.8;
            if (pages.size) pages.whole = pages.words;
            const most = 0.9 * Math.min(...pages.values());
            for (const [page, score] of parts) if (!pages.has(page)) pages.set(page, Math.min(score * value, most));
            pages.words = [...(pages.words ?? []), ...parts.words];
        }
        // Who has no umlauts writes 'Raeume'; in other languages, where 'does' is no 'dös', other forms are looked for if the word is unknown.
        const plain = word.whole?.replace(/([ao])e|(^|[^aeq])ue/g, (letters) => letters.slice(0, -1));
        if (plain !== word.whole) {
            const isLikely = !pages.size || document.documentElement.lang.startsWith("de");
            const others = isLikely ? await this.find(plain, isOpen) : await this.pages((await this.entries(plain, 1)).filter((entry) => entry.word === plain).map((entry) => [entry, 1]));
            for (const [page, score] of others) pages.set(page, Math.max(pages.get(page) ?? 0, score * (isLikely ? worth.form : worth.start)));
            pages.words = [...pages.words ?? [], ...others.words];
        }
        if (!pages.size && word.whole?.length > 7) pages = await this.split(word.whole);
        if (!pages.size && word.whole) pages = await this.guess(word.whole, isOpen);
        return pages;
    }

    // The pages with all words, or nearly: rare words count for more, and those that are everywhere for nothing.
    async run() {
        const found = await Promise.all(this.words.map((word) => this.match(word)));
        this.marks = found.map((pages) => pages.words ?? []);
        this.wanted = found.map((pages) => pages.whole ?? pages.words ?? []);
        this.isAsking = this.words.map((word) => asking.has(word.whole));
        if (!this.isAsking.includes(false)) this.isAsking.fill(false);
        this.rarity = found.map((pages, index) => pages.size
            && (Math.log(1 + (this.total - pages.size + 0.5) / (pages.size + 0.5)) + 0.01) ** 0.8 * (this.isAsking[index] ? 0.02 : 1));
        // A word with two mistakes may well be another one: 'maternity' is not 'maturity'. It counts for less than what is known, however rare it is.
        const known = Math.max(0, ...this.rarity.filter((_, index) => !found[index].isDoubtful));
        found.forEach((pages, index) => { if (pages.isDoubtful) this.rarity[index] = Math.min(this.rarity[index] / 2, known || Infinity); });
        const all = this.rarity.reduce((sum, rarity) => sum + rarity, 0);
        const scores = new Float64Array(this.total), covered = new Float64Array(this.total);
        found.forEach((pages, index) => {
            for (const [page, worth] of pages) {
                scores[page] += this.rarity[index] * worth;
                covered[page] += this.rarity[index] / all;
            }
        });
        const most = covered.reduce((one, other) => Math.max(one, other), 0);
        this.scores = scores.map((score, page) => score * covered[page]);
        this.results = most ? [...scores.keys()].filter((page) => covered[page] > 0.4 * most)
            .sort((one, other) => this.scores[other] - this.scores[one] || one - other) : [];
        const least = Math.max(...this.rarity) / 4;
        this.missing = (page) => this.words.filter((word, index) => !found[index].has(page) && (this.rarity[index] > least || !found[index].size))
            .map((word) => word.whole ?? word.text);
        if (this.phrases.length) await this.keepPhrases();
        else {
            await this.lookAtHeadings();
            await this.lookAtPassages();
        }
        return this;
    }

    // How much of the query a heading has, by the rarity of its words, and whether it has all that was asked.
    coverOf(text) {
        const words = new Set(wordsOf(text).flatMap((word) => [word.whole, ...word.parts, ...word.names ?? []]).filter(Boolean));
        let rarity = 0, all = 0, count = 0, isWhole = true;
        this.wanted.forEach((wanted, index) => {
            all += this.rarity[index];
            const { whole, parts } = this.words[index], known = wanted.filter((mark) => words.has(mark));
            const isThere = whole ? known.length : parts.every((part) => known.some((mark) => mark.startsWith(part)));
            if (isThere) rarity += this.rarity[index], count += whole ? 1 : parts.length;
            else if (!this.isAsking[index]) isWhole = false;
        });
        return { isWhole, worth: (rarity / all) ** 2 * (0.1 + 0.9 * count / Math.max(count, words.size, 1)) * (isWhole ? 2 : 1) };
    }
    covers(text) { return this.coverOf(text).worth; }

    // Among the best pages, those come first that have a heading about all that was asked.
    async lookAtHeadings() {
        const best = this.results.slice(0, 14), pages = await this.records(14);
        pages.forEach((page, index) => {
            const heading = Math.max(0, ...page.headings.map((heading) => heading.cover = this.covers(heading.text || heading.id.replaceAll("-", " "))));
            this.scores[best[index]] *= 1 + 0.8 * heading + 0.8 * this.covers(page.title);
        });
        this.results.splice(0, best.length, ...best.sort((one, other) => this.scores[other] - this.scores[one]));
    }

    // Among the first three, if they are close to each other, those come first that have what was asked in one place. Their passages are shown later.
    async lookAtPassages() {
        const best = this.results.slice(0, 3).filter((page) => this.scores[page] > this.scores[this.results[0]] / 2);
        const bytes = Math.floor((58000 - searchMoved) / 5);
        if (best.length < 2 || bytes < 2500 || this.isAsking.filter((isAsking) => !isAsking).length < 2) return;
        await Promise.all((await this.records(best.length)).map(async (page, index) => {
            const found = page.size && await passage(page, this, Math.min(page.size, bytes), this.signal).catch(() => null);
            if (!found) return;
            this.passages.set(best[index], found);
            this.scores[best[index]] *= 1 + found.share ** 2;
        }));
        this.results.splice(0, best.length, ...best.sort((one, other) => this.scores[other] - this.scores[one]));
    }

    // Of the best pages, keeps those with the words in quotation marks one after the other. Indexes do not have the order of words, so the
    // pages themselves are asked, until some have them.
    async keepPhrases() {
        const kept = [];
        for (let from = 0; from < Math.min(this.results.length, 72) && !kept.length; from += 8) {
            const places = this.results.slice(from, from + 8), pages = await this.records(8, from);
            const counts = await Promise.all(pages.map((page) => this.countPhrases(page)));
            kept.push(...places.map((page, index) => ({ page, count: counts[index] })).filter(({ count }) => count));
        }
        if (kept.length) this.results = kept.sort((one, other) => other.count - one.count).map(({ page }) => page);
    }

    // How often a page has the phrases; zero if it lacks one.
    async countPhrases(page) {
        const text = page.size ? await textOf(page, Math.min(page.size, 200000)).catch(() => "") : "";
        const words = [page.title, text].flatMap((text) => [...sequenceOf(text), ""]);
        const counts = this.phrases.map((phrase) => words.filter((_, at) => phrase.every((word, index) => words[at + index] === word)).length);
        return counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count);
    }

    async records(most, from = 0) {
        this.signal?.throwIfAborted();
        const shown = this.results.slice(from, from + most).map((page) => {
            const index = this.indexes.findLast((index) => index.base <= page);
            return { index, number: page - index.base, missing: this.missing(page), passage: this.passages.get(page) };
        });
        await Promise.all(this.indexes.map((index) => index.loadPages(shown.filter((page) => page.index === index).map((page) => page.number))));
        return shown.map(({ index, number, ...more }) => ({ ...index.page(number), ...more }));
    }
}
