// Keys for readers who like them. Whoever dictates or types with a switch can turn single keys off (WCAG 2.2, 2.1.4).
const shortcuts = {
  ...searchLink && { "/": [text("Open the search"), openSearch] },
  p: [text("Go to the previous page"), () => document.querySelector(".neighbours [rel=prev]")?.click()],
  n: [text("Go to the next page"), () => document.querySelector(".neighbours [rel=next]")?.click()],
  h: [text("Go to the home page"), () => location.assign("/")],
  "?": [text("Show this list"), showShortcuts],
};
let shortcutList;

function usesKeys() {
  try { return localStorage.keys !== "off"; } catch { return true; }
}

function showShortcuts() {
  if (!shortcutList) {
    const box = make("input", { type: "checkbox", checked: usesKeys(), onchange: () => {
      try { localStorage.keys = box.checked ? "" : "off"; } catch {}
    } });
    const rows = Object.entries(shortcuts).map(([key, [name]]) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, name)));
    if (searchLink) rows[0].firstChild.append(" ", make("kbd", {}, "Ctrl+K"));
    shortcutList = make("dialog", { className: "shortcuts", closedBy: "any", ariaLabel: text("Keyboard shortcuts") },
      make("label", {}, box, text("Keyboard shortcuts")), make("table", {}, ...rows),
      make("form", { method: "dialog" }, make("button", { className: "button" }, text("Close"))));
    document.body.append(shortcutList);
  }
  shortcutList.showModal();
}

addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
  const types = target.closest?.("input, textarea, select, [contenteditable], dialog");
  if (types || ctrlKey || metaKey || altKey || isComposing || !shortcuts[key] || !usesKeys()) return;
  event.preventDefault();
  shortcuts[key][1]();
});
document.querySelector(".bottom-inner")?.append(make("button", { className: "shortcuts-open", onclick: showShortcuts }, text("Keyboard shortcuts")));
