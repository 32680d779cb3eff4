// Panels one below the other become tabs.
function makeTabs(group) {
  const list = make("div", { className: "tab-list", role: "tablist" });
  for (const details of [...group.children]) {
    const label = details.firstElementChild.textContent;
    details.firstElementChild.remove();
    const show = () => showTab(label);
    list.append(make("button", { role: "tab", onclick: show }, label));
    // A search in the page, or an address with '#', may lead into a hidden panel.
    details.replaceWith(make("div", { className: "tab-panel", role: "tabpanel", ariaLabel: label, onbeforematch: show }, ...details.childNodes));
  }
  list.onkeydown = ({ key, target }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key] * (root.dir === "rtl" ? -1 : 1);
    const tabs = [...list.children];
    const next = tabs.at((tabs.indexOf(target) + step) % tabs.length);
    if (step) { next.focus(); next.click(); }
  };
  group.prepend(list);
  list.firstChild.click();
}

// Who reads of one system wants to read of it in all groups.
function showTab(label) {
  for (const list of document.querySelectorAll(".tab-list")) {
    const tabs = [...list.children];
    if (!tabs.some((tab) => tab.textContent === label)) continue;
    tabs.forEach((tab, index) => {
      const isShown = tab.textContent === label;
      tab.ariaSelected = isShown;
      tab.tabIndex = isShown ? 0 : -1;
      list.parentNode.children[index + 1].hidden = isShown ? false : "until-found";
    });
  }
}
document.querySelectorAll(".tabs").forEach(makeTabs);
