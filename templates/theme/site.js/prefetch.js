// In lists alone: a text may lead where the reader may not go.
const prefetched = new Set([location.pathname]);
function prefetch({ target }) {
  const path = target.closest?.(":is(.side, .crumbs, .neighbours, .entries, .tags) a")?.pathname;
  if (!path || prefetched.has(path)) return;
  prefetched.add(path);
  document.head.append(make("link", { rel: "prefetch", href: path }));
}
if (!navigator.connection?.saveData) {
  for (const type of ["mouseover", "focusin", "touchstart"]) addEventListener(type, prefetch);
}
