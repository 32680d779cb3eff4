// What a reader may read, and the list does not name since some readers of the page may not.
async function addSections() {
  if (!await reader()) return;
  const known = new Set(Array.from(side.querySelectorAll("a"), (link) => link.pathname));
  const items = (await readersFiles()).flatMap((file) => file.sections ?? []).flatMap(({ url, label }) => {
    const link = make("a", { href: url }, label);
    if (link.origin !== location.origin || known.has(link.pathname)) return [];
    known.add(link.pathname);
    return make("li", {}, link);
  });
  if (items.length) side.append(make("p", { id: "your-sections" }, "Your sections"), make("ul", { ariaLabel: "Your sections" }, ...items));
}
if (side) addSections();
