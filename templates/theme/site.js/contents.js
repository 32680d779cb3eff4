// Marks the current section in the contents.
function followHeadings(contents) {
  const links = [...contents.querySelectorAll("a")];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const passed = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) passed[entry.isIntersecting ? "add" : "delete"](entry.target);
    const current = headings.findLastIndex((heading) => passed.has(heading));
    links.forEach((link, index) => { link.ariaCurrent = index === current ? "true" : null; });
    if (current >= 0) contents.scrollTop = links[current].offsetTop - contents.clientHeight / 2;
    // All above a line.
  }, { rootMargin: "99999px 0px -66%" });
  for (const heading of headings) if (heading) observer.observe(heading);
  const details = contents.querySelector("details");
  const wide = matchMedia("(width >= 80rem)");
  const fold = wide.onchange = () => { details.open = wide.matches; };
  contents.onclick = ({ target }) => { if (target.href) fold(); };
  fold();
}
document.querySelectorAll(".contents").forEach(followHeadings);
