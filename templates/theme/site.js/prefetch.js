// Fetches the page that a reader points at: in lists alone, since a text may lead to what they may not open.
const prefetched = new Set([location.pathname]);
function prefetch({ target }) {
  const path = target.closest?.(".side a, .crumbs a, .neighbours a, .entries a, .tags a")?.pathname;
  if (!path || prefetched.has(path)) return;
  prefetched.add(path);
  document.head.append(make("link", { rel: "prefetch", href: path }));
}
if (!navigator.connection?.saveData) {
  for (const type of ["mouseover", "focusin", "touchstart"]) addEventListener(type, prefetch, { passive: true });
}
