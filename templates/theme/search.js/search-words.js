// Splits a text into words as the index does; Search/WordScanner.swift is tested with the same examples.
const signs = "\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3134f}";
const letters = `(?:(?![${signs}])[\\p{Alpha}\\p{M}\\p{Nd}\\xad])+`;
const runs = new RegExp(`[${signs}]+|(?:(?<![-\\p{Alpha}\\p{M}\\p{Nd}])--(?=[a-z]))?${letters}(?:[-_./]${letters})*`, "gu");
const wordOrSign = new RegExp(`[${signs}]|${letters}`, "gu");
const isSign = new RegExp(`^[${signs}]`, "u");
const joints = /[-_./]|(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const folded = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ŧ: "t", ı: "i", ς: "σ" };

function fold(text) {
    return text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f\xad]/g, "").normalize("NFC")
        .replace(/[ßæœøłđðþħŧıς]/g, (letter) => folded[letter]);
}

// Each word as a whole and in parts: 'getUserName' is also 'get', 'user' and 'name', '--as' is also 'as', and 東京都 is 東京 and 京都.
function wordsOf(text) {
    return (text.normalize("NFC").match(runs) ?? []).map((run) => {
        if (isSign.test(run)) {
            const all = [...run];
            return all.length > 1 ? { parts: all.slice(1).map((sign, index) => all[index] + sign) } : { whole: run, parts: [] };
        }
        const isOption = run.startsWith("--");
        const parts = run.replace("--", "").split(joints).map(fold), whole = parts.join("");
        if (isOption) return { whole: "--" + whole, parts: [whole, ...parts.length > 1 ? parts.filter((part) => part.length > 1) : []] };
        return parts.length > 1 && /^\d+$/.test(whole) ? { parts } : { whole, parts: parts.length > 1 ? parts.filter((part) => part.length > 1) : [] };
    });
}
