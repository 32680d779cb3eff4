// Light, dark, or as in the system; the browser stores the choice if it allows that.
const root = document.documentElement;
const schemes = make("select", { className: "scheme", ariaLabel: text("Colours") },
  new Option(text("System"), ""), new Option(text("Light"), "light"), new Option(text("Dark"), "dark"));
schemes.onchange = () => keep("scheme", root.dataset.scheme = schemes.value);
root.dataset.scheme = schemes.value = kept("scheme") ?? "";
const schemeLabel = make("label", { className: "scheme" }, schemes), tools = all("#Site-tools")[0];
tools.insertBefore(schemeLabel, tools.querySelector(".account"));
addEventListener("click", ({ isTrusted }) => { if (isTrusted) root.dataset.clicked = ""; }, true);
