// Light, dark, or as in the system; the browser stores the choice if it allows that.
const root = document.documentElement;
const schemes = make("select", { ariaLabel: text("Colours") },
  new Option(text("System"), ""), new Option(text("Light"), "light"), new Option(text("Dark"), "dark"),
  new Option(text("High contrast"), "contrast"));
schemes.onchange = () => keep("scheme", root.dataset.scheme = schemes.value);
root.dataset.scheme = schemes.value = kept("scheme") ?? (matchMedia("(prefers-contrast: more)").matches ? "contrast" : "");
all("#Site-tools > .account")[0]?.before(make("label", { className: "scheme" }, schemes));
