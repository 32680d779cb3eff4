// What the interface says in the site's language, by its English words; sitegen writes the constant 'texts'.
function text(english, values = {}) {
  const found = texts[english] ?? english;
  const form = found.other ? found[new Intl.PluralRules(root.lang).select(values.count)] ?? found.other : found;
  return form.replace(/{{(\w+)}}/g, (_, name) => values[name]);
}

function all(selector, within = document) {
  return [...within.querySelectorAll(selector)];
}

// What the browser keeps for later pages, if it allows that.
function kept(name) {
  try { return localStorage[name]; } catch {}
}
function keep(name, value) {
  try { localStorage[name] = value; } catch {}
}

// Creates elements; strings become text, never HTML.
function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
