// The index of the query's word that a word of the text matches; -1 for none. A character of a script without spaces counts with its neighbours.
function wordAsked({ text, isSign, before = "", after = "" }, query) {
    const isBeside = (mark, at) => at >= 0 && at < before.length + text.length && at + mark.length > before.length;
    return query.marks.findIndex((marks, index) => marks.some((mark) => mark === text || (isSign ? isBeside(mark, (before + text + after).indexOf(mark))
        : text.includes(mark) && (mark.length > 3 || query.words[index] === query.open && text.startsWith(mark)))));
}

function hitsIn(text, query) {
    const words = [...text.matchAll(wordOrSign)].map(({ index: at, 0: word }) => ({ at, end: at + word.length, text: fold(word), isSign: isSign.test(word) }));
    words.forEach((word, index) => {
        const next = words[index + 1];
        word.isJoined = word.isSign && next?.isSign && /^\p{DI}*$/u.test(text.slice(word.end, next.at));
        if (word.isJoined) [word.after, next.before] = [next.text, word.text];
    });
    return words.reduce((hits, { at, end }, index) => {
        const word = wordAsked(words[index], query), last = hits.at(-1), before = words[index - 1];
        // Signs beside each other are one hit, because some are drawn as one.
        if (before?.isJoined && last?.word === word && last.end === before.end) last.end = end;
        else if (word >= 0 && !query.isAsking[word]) hits.push({ at, end, word });
        return hits;
    }, []);
}

// Builds text nodes and <mark> elements: text of pages is never parsed as HTML here.
function marked(text, hits, from = 0, to = text.length) {
    const nodes = [];
    for (const hit of hits.filter((hit) => hit.at >= from && hit.end <= to)) {
        nodes.push(text.slice(from, hit.at), make("mark", {}, text.slice(hit.at, hit.end)));
        from = hit.end;
    }
    return [...nodes, text.slice(from, to)];
}

// The first bytes of a page's article, loaded from the page itself, because indexes do not contain texts.
async function articleOf(page, bytes, signal) {
    const [all, isPart] = await rangeOf(page.url, page.from, page.from + bytes, signal);
    return new DOMParser().parseFromString(decoder.decode(isPart ? all : all.subarray(page.from, page.from + bytes)), "text/html");
}

async function textOf(page, bytes) {
    return (await articleOf(page, bytes)).body.textContent;
}

// What makes the browser mark these words in the page that opens, with the words around them, because the page may have them
// elsewhere too: https://wicg.github.io/scroll-to-text-fragment/#syntax
function textDirective(text, from, to) {
    if (from === to || !("fragmentDirective" in document)) return "";
    // Chromium and WebKit find whole words only, and 'client' is no word of 'client_id'. Scripts without spaces stay as they are.
    const [before60, after60] = [/[!-~\u00a1-\u058f]{0,60}$/.exec(text.slice(0, from))[0], /^[!-~\u00a1-\u058f]{0,60}/.exec(text.slice(to))[0]];
    [from, to] = [from - before60.length, to + after60.length];
    // Whole words of the 60 characters on either side.
    const before = text.slice(Math.max(from - 60, 0), from).split(" ").slice(from > 60 ? 1 : 0).slice(-4).join(" ").trim();
    const after = text.slice(to, to + 60).split(" ").slice(0, to + 60 < text.length ? -1 : undefined).slice(0, 4).join(" ").trim();
    const written = (words) => encodeURIComponent(words).replaceAll("-", "%2D");
    return ":~:text=" + (before && written(before) + "-,") + written(text.slice(from, to)) + (after && ",-" + written(after));
}

// The best passage of a page: the one with the rarest words of the query, in its text or in the heading above it.
async function passage(page, query, bytes, signal) {
    const article = await articleOf(page, bytes, signal);
    const worth = (words) => [...words].reduce((sum, word) => sum + query.rarity[word], 0);
    let heading = "", title = "", above = new Set(), best = { worth: 0 };
    const worths = [];
    for (const block of article.querySelectorAll("h2, h3, h4, h5, h6, p, li, td, dd, pre")) {
        const text = block.textContent.replace(/\s+/g, " ").trim(), hits = hitsIn(text, query), words = new Set(hits.map((hit) => hit.word));
        const isHeading = /^H/.test(block.tagName);
        if (isHeading) [heading, title, above] = [block.id, text.replace(/\s*#$/, ""), words];
        const all = worth(new Set([...words, ...above])), value = isHeading ? 0.8 * all : 0.9 * all + 0.1 * worth(words);
        if (value > best.worth) best = { worth: value, text, hits, heading, title };
        if (!isHeading && hits.length) worths.push(worth(words));
    }
    if (!best.worth) return null;
    const first = best.hits[0] ?? { at: 0, end: 0 };
    // Scripts without spaces may have none before the hit.
    const space = best.text.slice(0, first.at).indexOf(" ", first.at - 60) + 1, from = first.at < 90 ? 0 : space || first.at;
    const to = from + 200 < best.text.length ? best.text.lastIndexOf(" ", from + 200) : best.text.length;
    const end = to >= first.end ? to : from + 200;
    const last = best.hits.findLast((hit) => hit.end < first.end + 40) ?? first;
    // The other places with at least as much of what was asked.
    const count = worths.filter((other) => other >= worth(new Set(best.hits.map((hit) => hit.word)))).length - 1;
    // How much of the query it has.
    const share = best.worth / query.rarity.reduce((sum, rarity) => sum + rarity, 0);
    return { share, heading: best.heading, title: best.title, count: Math.max(count, 0), mark: textDirective(best.text, first.at, last.end),
        nodes: [from ? "… " : "", ...marked(best.text, best.hits, from, end), end < best.text.length ? " …" : ""] };
}
