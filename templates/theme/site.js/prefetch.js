// Prefetches links of lists only: links in texts may point to pages that the reader may not open. Chromium does; Firefox
// reports each link as a violation of the Content-Security-Policy, and Safari does not prefetch.
const prefetched = new Set([path]);
function prefetch({ target }) {
  const path = target.closest?.(":is(.side, .crumbs, .neighbours, .entries, .tags) a")?.pathname;
  if (!path || prefetched.has(path)) return;
  prefetched.add(path);
  document.head.append(make("link", { rel: "prefetch", href: path }));
}
if (navigator.connection?.saveData === false)
  for (const type of ["mouseover", "focusin", "touchstart"]) addEventListener(type, prefetch);
