// Splits a text into words as the index does; Search/WordScanner.swift is tested with the same examples, Search/LetterRanges.swift has the same
// ranges. Regular expressions look ahead only, because older browsers do not load a script with one that looks behind.
const signs = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u1950-\\u1aaf\\u1b00-\\u1b7f\\u3005-\\u31ff\\u3400-\\ua4cf"
    + "\\ua960-\\ua9ff\\uaa60-\\uaadf\\uac00-\\ud7ff\\uf900-\\ufaff\\uff66-\\uffdc\\u{1b000}-\\u{1b16f}\\u{20000}-\\u{3ffff}";
const syllables = "\\u1160-\\u11ff\\ud7b0-\\ud7ff";
const dropped = "\\xb7\\u02b9-\\u02bf\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1-\\u05c2\\u05c4-\\u05c5\\u05c7\\u0610-\\u061a"
    + "\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7-\\u06e8\\u06ea-\\u06ed\\u0711\\u0730-\\u074a\\u0897-\\u089f\\u08ca-\\u08e1"
    + "\\u08e3-\\u08ff\\u093c\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20f0\\ufe20-\\ufe2f";
const joints = "-_./\\xb7\\u0387\\u058a\\u05be\\u200c\\u2010-\\u2011";
const marks = `[\\p{M}\\p{DI}${syllables}]`, sign = `(?!${marks})(?=\\p{Alpha})[${signs}]`;
const letters = `(?:[0-9A-Za-z]|(?!${sign}|[\\0-\\x7f\\u02bc\\u200c])[\\p{Alpha}\\p{M}\\p{Nd}\\p{DI}])+`;
const runs = new RegExp(`(?:${sign}(?:${sign}|${marks})*|-{0,3}${letters}(?:[${joints}]${letters})*)-*`, "gu");
const units = new RegExp(`.${marks}*`, "gsu"), isSign = new RegExp(`^${sign}`, "u");
// As a page has them: the marks of half the width, and the vowels of Thai and Lao that are taken apart, are signs by themselves.
const wordOrSign = new RegExp(`${sign}(?:\\p{DI}*[\\p{M}${syllables}\\u0e33\\u0eb3\\uff9e-\\uff9f])*|${letters}`, "gu");
const joint = new RegExp(`[${joints}]`), isASCII = /^[\0-\x7f]*$/;
const humps = /[\p{Ll}\p{Nd}]\p{M}*(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu;
const folded = {
    ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ŧ: "t", ı: "i", ς: "σ", ٱ: "ا", ى: "ي", ی: "ي", ة: "ه", ہ: "ه",
    ە: "ه", ۃ: "ه", ک: "ك", װ: "וו", ױ: "וי", ײ: "יי", "ँ": "ं",
};
const accents = new RegExp(`(?![\\u0306\\u0654])[${dropped}\\p{DI}]`, "gu");
const others = new RegExp(`[${Object.keys(folded).join("")}]|(?![0-9])\\p{Nd}`, "gu");

// The digits of a script follow each other, and begin behind a character that is none.
function digit(letter) {
    let before = letter.codePointAt();
    while (/\p{Nd}/u.test(String.fromCodePoint(before - 1))) before--;
    return (letter.codePointAt() - before) % 10;
}

// й, ؤ and ئ are letters of their own, and not others with an accent.
function fold(text) {
    if (isASCII.test(text)) return text.toLowerCase();
    return text.normalize("NFKD").toLowerCase().replace(accents, "").replace(/(и\u0306|[وي]\u0654)|[\u0306\u0654]/g, "$1").normalize("NFC").replace(others, (letter) => folded[letter] ?? digit(letter));
}

// Each word as a whole and in parts: 'getUserName' is also 'get', 'user' and 'name', '--as' is also 'as', and 東京都 is 東京 and 京都. A dotted word
// such as 'DBConfig.getDBDriver' has the names between its dots, too.
function wordsOf(text) {
    return (text.normalize("NFC").match(runs) ?? []).map((run) => {
        const text = run.replace(/^-+|-+$/g, "");
        if (isSign.test(text)) {
            const all = fold(text).match(units);
            return all.length > 1 ? { text, parts: all.slice(1).map((sign, index) => all[index] + sign) } : { whole: all[0], parts: [] };
        }
        const partsOf = (text) => text.replace(humps, "$&-").split(joint).map(fold).filter(Boolean);
        const plain = text.replace(/(?!\u200c)\p{DI}/gu, ""), parts = partsOf(plain), whole = parts.join(""), dotted = plain.split(/[./]/);
        const names = dotted.length > 1 ? dotted.map(partsOf).filter((parts) => parts.length > 1).map((parts) => parts.join("")).filter((name) => !/^\d+$/.test(name)) : [];
        if (/^--[a-z]/.test(run)) return { whole: "--" + whole, parts: [whole, ...parts.length > 1 ? parts.filter((part) => part.length > 1) : []], names };
        return parts.length > 1 && /^\d+$/.test(whole) ? { text, parts } : { whole, parts: parts.length > 1 ? parts.filter((part) => part.length > 1) : [], names };
    }).filter(({ whole, parts }) => whole || parts.length);
}
