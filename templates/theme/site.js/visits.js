// What a reader opens most, for a search without words. It stays in the browser, as its history does, and goes when
// somebody else signs in, or nobody.
async function noteVisit() {
  const me = await reader();
  if (me === undefined) return;
  let visits = keptValue("visits");
  try { if (visits?.reader !== me?.object_id) for (const name of ["visits", "tabs", "ticks"]) delete localStorage[name]; } catch {}
  if (!me?.object_id) return;
  if (visits?.reader !== me.object_id) visits = { reader: me.object_id, pages: {} };
  const title = all("main article h1")[0]?.textContent.replace(/#$/, "").trim();
  const pages = visits.pages;
  // '//host/' would be another site's address.
  if (title && path !== "/" && !path.startsWith("//")) pages[path] = [(pages[path]?.[0] ?? 0) + 1, title, all(".crumbs")[0]?.innerText];
  const most = Object.entries(pages).sort(([, one], [, other]) => other[0] - one[0]).slice(0, 200);
  keep("visits", JSON.stringify({ ...visits, pages: Object.fromEntries(most) }));
}
noteVisit();
