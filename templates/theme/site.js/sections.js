// Adds the reader's sections that the navigation of the page does not show.
async function addSections() {
  if (!await reader()) return;
  const known = new Set(all("a", side).map((link) => link.pathname));
  const items = (await readersFiles()).flatMap((file) => file.sections ?? []).flatMap(({ url, label }) => {
    const link = make("a", { href: url }, label);
    if (link.origin !== location.origin || known.has(link.pathname)) return [];
    known.add(link.pathname);
    return make("li", {}, link);
  });
  all(".is-home > .entries")[0]?.append(...items.map((item) => item.cloneNode(true)));
  if (items.length) side.append(make("ul", { id: "Site-your-sections", ariaLabel: text("Your sections") }, ...items));
}
if (side) addSections();
