// Adds what the lists of a page cannot name: the reader's sections, and on the home page what the reader has to review.
async function addSections() {
  const me = await reader();
  if (!me) return;
  const files = await readersFiles(), home = all(".is-home")[0], known = all("a", side).map((link) => link.pathname);
  const link = (href) => make("a", { href }), isKnown = ({ url }) => known.includes(link(url).pathname);
  // A page for two groups is in the files of both.
  const unique = (pages) => [...new Map(pages.map((page) => [page.url, page])).values()].filter(({ url }) => link(url).origin === location.origin);
  const entry = ({ url, label, about = "" }) => make("li", {}, make("a", { href: url }, label), ...about && [make("p", {}, about)]);
  // Those of the reader's groups stay where they are, also on pages whose list has them.
  const sections = unique(files.flatMap(({ isGroup, sections = [] }) => sections.filter((page) => isGroup || !isKnown(page))));
  if (sections.length) side.append(make("ul", { id: "Site-your-sections", ariaLabel: text("Your sections") }, ...sections.map(({ url, label }) => entry({ url, label }))));
  if (!home) return;
  all(".entries", home)[0]?.append(...sections.filter((page) => !isKnown(page)).map(entry));
  const due = unique(files.flatMap(({ reviews = [] }) => reviews)).filter(({ owners }) => owners.includes(me.name.toLowerCase()));
  if (due.length) home.after(make("section", { className: "recent" }, make("h2", {}, text("To review")), make("ul", { className: "entries" }, ...due.map(entry))));
}
if (side) addSections();
