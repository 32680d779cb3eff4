// Turns panels below each other into tabs.
function makeTabs(group) {
  const list = make("div", { className: "tab-list", role: "tablist" });
  for (const details of [...group.children]) {
    const label = details.firstElementChild.textContent;
    details.firstElementChild.remove();
    const show = () => showTab(label);
    const panel = make("div", { className: "tab-panel", role: "tabpanel", ariaLabel: label, onbeforematch: show }, ...details.childNodes);
    details.replaceWith(panel);
    list.append(make("button", { role: "tab", panel, onclick() { show(); keepTab(label); } }, label));
  }
  list.onkeydown = ({ key, target }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key] * (root.dir === "rtl" ? -1 : 1);
    const tabs = [...list.children];
    const next = tabs.at((tabs.indexOf(target) + step) % tabs.length);
    if (step) { next.focus(); next.click(); }
  };
  group.prepend(list);
  showTab(list.firstChild.textContent);
}

// Selects the tab of the same name in all groups.
function showTab(label) {
  for (const tab of all("[role=tab]")) {
    if ([...tab.parentNode.children].every((other) => other.textContent !== label)) continue;
    const isShown = tab.textContent === label;
    tab.ariaSelected = isShown;
    tab.tabIndex = isShown ? 0 : -1;
    tab.panel.hidden = !isShown && "until-found";
  }
}
all(".tabs").forEach(makeTabs);

// The tabs that were chosen, the last one first, for all pages; they go with the visits of the reader.
const chosenTabs = () => keptValue("tabs") ?? [];
function keepTab(label) {
  keep("tabs", JSON.stringify([label, ...chosenTabs().filter((other) => other !== label)].slice(0, 20)));
}
chosenTabs().reverse().forEach(showTab);
