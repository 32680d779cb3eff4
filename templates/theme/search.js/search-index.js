// The bytes that a query has loaded so far, including an estimate for header fields.
let searchMoved = 0;

// Loads a range of a file, or the whole file if the server does not support ranges. Nothing is cached on disk.
async function rangeOf(url, from, to, signal) {
    return rangesOf(url, `${from}-${to - 1}`, signal);
}

async function rangesOf(url, ranges, signal) {
    const answer = await fetch(url, { headers: { Range: "bytes=" + ranges }, cache: "no-store", signal });
    if (!answer.ok) throw answer;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    searchMoved += bytes.length + 800;
    return [bytes, answer.status === 206, answer.headers.get("Content-Type")?.startsWith("multipart/")];
}

const decoder = new TextDecoder();
const emptyLine = [13, 10, 13, 10];

class Cursor {
    constructor(bytes, at = 0) { Object.assign(this, { bytes, at }); }
    get more() { return this.at < this.bytes.length; }
    number() {
        for (let number = 0, unit = 1; ; unit *= 128) {
            const byte = this.bytes[this.at++];
            number += (byte & 127) * unit;
            if (!(byte & 128)) return number;
        }
    }
    take(count = this.number()) { return this.bytes.subarray(this.at, this.at += count); }
    text(bytes = this.take()) { return decoder.decode(bytes); }
    // A text that shares its beginning with the text before.
    next(last) {
        const shared = this.number(), rest = this.take(), text = new Uint8Array(shared + rest.length);
        text.set(last.subarray(0, shared));
        text.set(rest, shared);
        return text;
    }
    list(read) { return Array.from({ length: this.number() }, read); }
}

// One index; Search/SearchFile.swift describes the format of the file.
class SearchIndex {
    constructor(folder) { this.url = folder + "index.bin"; this.known = []; }

    async bytes(from, to) {
        if (to <= this.known.length) return this.known.subarray(from, to);
        const [bytes, isPart] = await rangeOf(this.url, from, to);
        if (!isPart || !from) this.known = bytes;
        return isPart ? bytes : bytes.subarray(from, to);
    }

    // Several ranges in one response (RFC 9110, section 14.6): each follows an empty line, which ends the header fields before it, in the
    // order of the request. The piece before may have any bytes.
    async pieces(places) {
        const isKnown = places.every(({ end }) => end <= this.known.length);
        if (places.length > 1 && !isKnown) {
            const [bytes, isPart, isMany] = await rangesOf(this.url, places.map(({ at, end }) => `${at}-${end - 1}`).join());
            if (!isPart) this.known = bytes;
            let start = 0;
            if (isMany) return places.map(({ at, end }) => {
                while (start < bytes.length && !emptyLine.every((byte, index) => bytes[start + index] === byte)) start++;
                return bytes.subarray(start += 4, start += end - at);
            });
        }
        return Promise.all(places.map(({ at, end }) => this.bytes(at, end)));
    }

    async open() {
        let head = await this.bytes(0, 4096);
        const [size, words, lists, pages] = new Uint32Array(head.slice(4, 20).buffer), all = size + words + lists + pages;
        // A small index is read at once.
        if (size > head.length || all <= 32768) head = await this.bytes(0, all <= 32768 ? all : size);
        const cursor = new Cursor(head, 20);
        let at = size;
        this.count = cursor.number();
        this.readers = cursor.text();
        this.blocks = cursor.list(() => ({ first: cursor.text(), at, end: at += cursor.number() }));
        this.lists = size + words;
        this.chunkSize = cursor.number();
        at = this.lists + lists;
        this.chunks = cursor.list(() => ({ at, end: at += cursor.number() }));
        this.endings = cursor.list(() => ({ word: cursor.text(), stem: cursor.text() }));
        return this;
    }

    // The words with a prefix, from at most this number of blocks.
    async words(prefix, most) {
        const first = this.blocks.findLastIndex((block) => block.first <= prefix);
        const blocks = this.blocks.slice(Math.max(first, 0)).filter((block) => block.first <= prefix + "\uffff").slice(0, most);
        const words = await Promise.all(blocks.map((block) => block.words ??= this.read(block)));
        return words.flat().filter((entry) => entry.word.startsWith(prefix));
    }

    async read(block) {
        const cursor = new Cursor(await this.bytes(block.at, block.end)), words = [];
        let at = this.lists + cursor.number(), last = new Uint8Array();
        while (cursor.more) {
            const word = cursor.text(last = cursor.next(last)), change = cursor.number();
            const stem = cursor.text(last.subarray(0, last.length - (change >> 1))) + (change & 1 ? cursor.text() : "");
            const count = cursor.number(), size = cursor.number();
            words.push({ index: this, word, stem, count, ...(size > 8 ? { at, end: at += size } : { list: cursor.take(size) }) });
        }
        return words;
    }

    // Loads the postings of words; adjacent ones in one request.
    async load(words) {
        const pieces = [];
        for (const word of words.filter((word) => !word.list).sort((one, other) => one.at - other.at)) {
            if (word.at - pieces.at(-1)?.end < 512) Object.assign(pieces.at(-1), { end: word.end }).words.push(word);
            else pieces.push({ at: word.at, end: word.end, words: [word] });
        }
        (await this.pieces(pieces)).forEach((bytes, index) => {
            const { at, words } = pieces[index];
            for (const word of words) word.list = bytes.subarray(word.at - at, word.end - at);
        });
    }

    // Loads the chunks with these pages.
    async loadPages(numbers) {
        const chunks = [...new Set(numbers.map((number) => this.chunkOf(number)))].filter((chunk) => !chunk.pages).sort((one, other) => one.at - other.at);
        (await this.pieces(chunks)).forEach((bytes, index) => {
            const cursor = new Cursor(bytes), pages = chunks[index].pages = [];
            for (let url = new Uint8Array(), above = url; cursor.more;) {
                pages.push({
                    url: cursor.text(url = cursor.next(url)), title: cursor.text(), section: cursor.text(above = cursor.next(above)),
                    description: cursor.text(), headings: cursor.list(() => ({ id: cursor.text(), text: cursor.text() })), from: cursor.number(), size: cursor.number(), readers: this.readers,
                });
            }
        });
    }

    chunkOf(number) { return this.chunks[Math.floor(number / this.chunkSize)]; }
    page(number) { return { ...this.chunkOf(number).pages[number % this.chunkSize] }; }
}
