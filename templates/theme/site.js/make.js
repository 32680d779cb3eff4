// What the interface says in the site's language, by its English words; sitegen writes the constant 'texts'.
function text(english, values = {}) {
  const found = texts[english] ?? english;
  const form = found.other ? found[new Intl.PluralRules(root.lang).select(values.count)] ?? found.other : found;
  return form.replace(/{{(\w+)}}/g, (_, name) => values[name]);
}

const path = location.pathname;

// Where a link on this page leads.
function targetOf(link) {
  return document.getElementById(decodeURIComponent(link.hash.slice(1)));
}

function all(selector, within = document) {
  return [...within.querySelectorAll(selector)];
}

// What the browser keeps for later pages, if it allows that.
function kept(name) {
  try { return localStorage[name]; } catch {}
}
function keptValue(name) {
  try { return JSON.parse(kept(name)); } catch {}
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

// A dialog that closes by a click beside it, or on a link in it, which may lead to the same page.
function makeDialog(className, ariaLabel, ...children) {
  const dialog = make("dialog", { className, ariaLabel }, ...children);
  dialog.onclick = ({ target, ctrlKey, metaKey }) => {
    if (target === dialog || target.closest("a") && !ctrlKey && !metaKey) dialog.close();
  };
  document.body.append(dialog);
  return dialog;
}
