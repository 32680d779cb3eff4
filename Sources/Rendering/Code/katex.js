// Sets formulas with KaTeX, one after the other.
//
// Says first `katex VERSION PATH` and a zero byte. Then, until standard input ends, for each formula
//
//     reads    LANGUAGE SP LENGTH LF, and that many bytes of UTF-8: TeX between its dollar signs
//     writes   `html ` and MathML, or `mistake LINE COLUMN MESSAGE`, and a zero byte
//
// Lines and columns are counted from 1, in bytes, dollar signs included.
//
// KaTeX writes MathML 3. Browsers know MathML Core, which has neither `menclose` nor alphabets in
// attributes nor alignment of columns: letters and classes stand for those.
"use strict";
const fs = require("fs");

// Where KaTeX may be.
const PATHS = process.argv.slice(1);
// Of what KaTeX refuses to do, it shows the command in this colour.
const REFUSED = "#010203";

const BOLD = [0x1d400, 0x1d41a, 0x1d7ce];
const ALPHABETS = {
    bold: BOLD,
    italic: [0x1d434, 0x1d44e],
    "bold-italic": [0x1d468, 0x1d482],
    script: [0x1d49c, 0x1d4b6],
    "bold-script": [0x1d4d0, 0x1d4ea],
    fraktur: [0x1d504, 0x1d51e],
    "double-struck": [0x1d538, 0x1d552, 0x1d7d8],
    "bold-fraktur": [0x1d56c, 0x1d586],
    "sans-serif": [0x1d5a0, 0x1d5ba, 0x1d7e2],
    "bold-sans-serif": [0x1d5d4, 0x1d5ee, 0x1d7ec],
    "sans-serif-italic": [0x1d608, 0x1d622],
    "sans-serif-bold-italic": [0x1d63c, 0x1d656],
    monospace: [0x1d670, 0x1d68a, 0x1d7f6],
};
// Letters that Unicode had before these alphabets.
const EXCEPTIONS = {
    italic: { h: "ℎ" },
    script: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
    fraktur: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" },
    "double-struck": { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
};
const GREEK = { bold: [0x1d6a8, 0x1d6c2], "bold-italic": [0x1d71c, 0x1d736] };

const ENCLOSURES = {
    box: "is-boxed",
    horizontalstrike: "is-struck",
    updiagonalstrike: "is-struck-up",
    downdiagonalstrike: "is-struck-down",
    "updiagonalstrike downdiagonalstrike": "is-crossed",
};

function letter(character, alphabet) {
    const exception = (EXCEPTIONS[alphabet] || {})[character];
    if (exception) return exception;
    const code = character.codePointAt(0);
    const [capitals, smalls, digits] = ALPHABETS[alphabet];
    const ranges = [[0x41, 26, capitals], [0x61, 26, smalls], [0x30, 10, digits]];
    const greek = GREEK[alphabet];
    if (greek) ranges.push([0x391, 25, greek[0]], [0x3b1, 25, greek[1]]);
    for (const [first, count, start] of ranges) {
        if (start && code >= first && code < first + count) {
            return String.fromCodePoint(start + code - first);
        }
    }
    return character;
}

// KaTeX's own markup as a tree. It has '<mspace width="1em"/>' and '<mpadded class ="vcenter">' too.
function parsed(markup) {
    const root = { name: "", attributes: {}, children: [] };
    const open = [root];
    const tokens = /<(\/?)([a-z]+)((?: [a-zA-Z:]+ ?="[^"]*")*)(\/?)>|([^<]+)/g;
    for (const [, end, name, attributes, isEmpty, text] of markup.matchAll(tokens)) {
        if (text !== undefined) {
            open[open.length - 1].children.push(text);
        } else if (end) {
            open.pop();
        } else {
            const node = { name, attributes: {}, children: [] };
            for (const [, key, value] of attributes.matchAll(/ ([a-zA-Z:]+) ?="([^"]*)"/g)) {
                node.attributes[key] = value;
            }
            open[open.length - 1].children.push(node);
            if (!isEmpty) open.push(node);
        }
    }
    return root;
}

const elements = (node) => node.children.filter((child) => child.name);

function addClass(node, name) {
    const { attributes } = node;
    attributes.class = attributes.class ? `${attributes.class} ${name}` : name;
}

// What MathML Core has no attributes for, as letters and classes.
function simplify(node) {
    const { attributes } = node;
    delete attributes.style;
    const alphabet = attributes.mathvariant;
    if (alphabet && alphabet !== "normal") {
        delete attributes.mathvariant;
        if (node.name === "mtext") {
            for (const part of ["bold", "italic", "sans-serif", "monospace"]) {
                if (alphabet.includes(part)) addClass(node, `is-${part}`);
            }
        } else if (ALPHABETS[alphabet]) {
            node.children = node.children.map((text) =>
                text.replace(/&[a-z0-9#]+;|./gu, (part) => (part[1] ? part : letter(part, alphabet))));
        }
    }
    if (node.name === "menclose") {
        node.name = "mrow";
        node.attributes = {};
        const name = ENCLOSURES[attributes.notation];
        if (name) node.attributes.class = name;
    }
    if (node.name === "mtable") simplifyTable(node);
    // Browsers end MathML at an element in a token.
    if (["mi", "mn", "mo", "mtext"].includes(node.name) && elements(node).length > 0) {
        node.name = "mrow";
        node.attributes = {};
    }
    node.children.forEach((child) => child.name && simplify(child));
}

function simplifyTable(table) {
    const { columnalign, columnspacing, columnlines, rowlines, width } = table.attributes;
    const words = (list) => (list || "").split(" ");
    const [aligned, spaced] = [words(columnalign), words(columnspacing)];
    const [columns, rows] = [words(columnlines), words(rowlines)];
    table.attributes = width ? { class: "is-wide" } : {};
    // A formula with a number at its side is a table, in which formulas are small.
    if (width) table.attributes.displaystyle = "true";
    elements(table).forEach((row, number) => {
        elements(row).forEach((cell, index) => {
            if (cell.attributes.width) addClass(cell, "is-half");
            delete cell.attributes.width;
            const side = aligned[Math.min(index, aligned.length - 1)];
            if (side === "left" || side === "right") addClass(cell, `is-${side}`);
            if (columnspacing && parseFloat(spaced[Math.min(index, spaced.length - 1)]) === 0) {
                addClass(cell, "is-tight");
            }
            if (columns[index] === "solid" || columns[index] === "dashed") addClass(cell, "is-ruled");
            if (rows[number] === "solid" || rows[number] === "dashed") addClass(cell, "is-underlined");
        });
    });
}

function written(node) {
    if (!node.name) return node;
    const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${value}"`);
    return `<${node.name}${attributes.join("")}>${node.children.map(written).join("")}</${node.name}>`;
}

function find(node, name) {
    if (node.name === name) return node;
    for (const child of elements(node)) {
        const found = find(child, name);
        if (found) return found;
    }
    return null;
}

function mistake(source, offset, message) {
    const lines = Buffer.from(source.slice(0, offset)).toString("latin1").split("\n");
    return `mistake ${lines.length} ${lines[lines.length - 1].length + 1} ${message}`;
}

function answer(katex, source) {
    const mark = /^(\$\$|\$`|\$)/.exec(source)[0];
    const tex = source.slice(mark.length, source.length - mark.length);
    const displayMode = mark === "$$";
    try {
        const markup = katex.renderToString(tex, {
            output: "mathml", displayMode, errorColor: REFUSED,
            strict: false, trust: false, maxSize: 50, maxExpand: 1000,
        });
        const refused = new RegExp(`mathcolor="${REFUSED}"><mtext>([^<]*)`).exec(markup);
        if (refused) {
            return mistake(source, Math.max(0, source.indexOf(refused[1])), `${refused[1]} is not allowed`);
        }
        const content = elements(find(parsed(markup), "semantics"))[0];
        const root = { name: "math", attributes: {}, children: [content] };
        if (displayMode) root.attributes.display = "block";
        simplify(root);
        return `html ${written(root)}`;
    } catch (error) {
        const message = String(error.message)
            .replace(/^KaTeX parse error: /, "").replace(/ at (position \d+|end of input):[^]*$/, "")
            .replace(/'EOF'/g, "the end").replace(/\s+/g, " ");
        return mistake(source, mark.length + (error.position || 0), message);
    }
}

function main() {
    // \message and \show would write between the answers.
    console.log = console.error = () => {};
    const path = PATHS.find((path) => fs.existsSync(path));
    if (!path) process.exit(3);
    const katex = require(path);
    fs.writeSync(1, `katex ${katex.version} ${path}\0`);
    let bytes = Buffer.alloc(0);
    const chunk = Buffer.alloc(1 << 16);
    function more() {
        const count = fs.readSync(0, chunk);
        bytes = Buffer.concat([bytes, chunk.subarray(0, count)]);
        return count > 0;
    }
    function write(text) {
        let rest = Buffer.from(text);
        while (rest.length > 0) rest = rest.subarray(fs.writeSync(1, rest));
    }
    for (;;) {
        while (!bytes.includes(10)) if (!more()) return;
        const end = bytes.indexOf(10);
        const length = Number(bytes.subarray(0, end).toString().split(" ").pop());
        while (bytes.length < end + 1 + length) if (!more()) return;
        const source = bytes.subarray(end + 1, end + 1 + length).toString();
        bytes = bytes.subarray(end + 1 + length);
        write(`${answer(katex, source)}\0`);
    }
}

main();
