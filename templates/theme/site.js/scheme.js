// Light, dark, or as in the system; the browser stores the choice if it allows that.
const root = document.documentElement;
const schemes = make("select", { ariaLabel: text("Colours") },
  new Option(text("System"), ""), new Option(text("Light"), "light"), new Option(text("Dark"), "dark"),
  new Option(text("High contrast"), "contrast"));
schemes.onchange = () => keep("scheme", root.dataset.scheme = schemes.value);
root.dataset.scheme = schemes.value = kept("scheme") ?? (matchMedia("(prefers-contrast: more)").matches ? "contrast" : "");
// On small screens it stands in the drawer, so that the header has room for the title.
const schemeLabel = make("label", { className: "scheme" }, schemes), narrow = matchMedia("(width < 60rem)");
(narrow.onchange = () => narrow.matches && side?.popover ? side.prepend(schemeLabel) : all("#Site-account")[0]?.before(schemeLabel))();
