// A closed folder opens where it stands: its list is taken from its own page, which the server guards as always.
function makeFolder(item) {
  const link = item.querySelector(":scope > a");
  if (!link) return;
  const summary = make("summary", { ariaLabel: link.textContent }), details = make("details", {}, summary);
  summary.onclick = async (event) => {
    if (summary.nextSibling) return;
    event.preventDefault();
    const list = await listBelow(link).catch(() => {});
    if (!list) return location.assign(link.href);
    details.append(list);
    details.open = true;
  };
  item.classList.remove("folder");
  item.append(details);
}

async function listBelow(link) {
  const answer = await fetch(link.href);
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const own = all("#Site-pages li > a", page).find((other) => other.href === link.href);
  const list = own?.parentNode.querySelector(":scope > details > ul");
  list?.querySelectorAll("li.folder").forEach(makeFolder);
  return list;
}
all("#Site-pages li.folder").forEach(makeFolder);
