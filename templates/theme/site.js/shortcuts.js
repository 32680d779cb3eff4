// Keys for readers who like them. Whoever dictates or types with a switch can turn single keys off (WCAG 2.2, 2.1.4).
const shortcuts = {
  ...searchLink && { "/": [text("Open the search"), openSearch] },
  p: [text("Go to the previous page"), () => all(".neighbours [rel=prev]")[0]?.click()],
  n: [text("Go to the next page"), () => all(".neighbours [rel=next]")[0]?.click()],
  h: [text("Go to the home page"), () => location.assign("/")],
  "?": [text("Show this list"), showShortcuts],
};
let shortcutList;

function showShortcuts() {
  if (!shortcutList) {
    const box = make("input", { type: "checkbox", role: "switch", checked: kept("keys") !== "off", onchange: () => keep("keys", box.checked ? "" : "off") });
    const rows = Object.entries(shortcuts).map(([key, [name]]) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, name)));
    if (searchLink) rows[0].firstChild.append(" ", make("kbd", {}, "Ctrl+K"));
    const title = text("Keyboard shortcuts");
    shortcutList = makeDialog("shortcuts", title, make("form", { method: "dialog" }, make("h2", {}, title), make("table", {}, ...rows),
      make("label", {}, box, text("Single-key shortcuts")), make("button", { className: "button" }, text("Close"))));
  }
  shortcutList.showModal();
}

addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
  if (searchLink && key === "k" && (ctrlKey || metaKey)) {
    event.preventDefault();
    return openSearch();
  }
  const types = target.closest?.("input, textarea, select, [contenteditable], dialog");
  if (types || isComposing || ctrlKey || metaKey || altKey || !shortcuts[key] || kept("keys") === "off") return;
  event.preventDefault();
  shortcuts[key][1]();
});
all(".bottom-inner")[0]?.append(make("button", { className: "shortcuts-open", onclick: showShortcuts }, text("Keyboard shortcuts")));
