// The index of the query's word that a word of the text matches; -1 for none.
function wordAsked(text, query) {
    const word = fold(text);
    return query.marks.findIndex((marks, index) => marks.some((mark) => mark === word || (isSign.test(word)
        ? mark.includes(word) : word.includes(mark) && (mark.length > 3 || query.words[index] === query.open && word.startsWith(mark)))));
}

function hitsIn(text, query) {
    return [...text.matchAll(wordOrSign)]
        .map((match) => ({ at: match.index, end: match.index + match[0].length, word: wordAsked(match[0], query) })).filter((hit) => hit.word >= 0);
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

// The best passage of a page.
async function passage(page, query, bytes, signal) {
    const article = await articleOf(page, bytes, signal);
    let heading = "", best = { words: 0 };
    for (const block of article.querySelectorAll("h2, h3, h4, h5, h6, p, li, td, dd, pre")) {
        if (/^H/.test(block.tagName)) heading = block.id;
        const text = block.textContent.replace(/\s+/g, " ").trim(), hits = hitsIn(text, query);
        const words = new Set(hits.map((hit) => hit.word)).size;
        if (words > best.words) best = { words, text, hits, heading };
    }
    if (!best.words) return null;
    const from = best.hits[0].at < 90 ? 0 : best.text.indexOf(" ", best.hits[0].at - 60) + 1 || best.hits[0].at;
    const to = from + 200 < best.text.length ? best.text.lastIndexOf(" ", from + 200) : best.text.length;
    const end = to > from ? to : from + 200;
    return { heading: best.heading, nodes: [from ? "… " : "", ...marked(best.text, best.hits, from, end), end < best.text.length ? " …" : ""] };
}
