// Marks the current section in the contents.
function followHeadings(contents) {
  const links = all("a", contents);
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const passed = new Set();
  const mark = () => {
    // The last sections may be too short to come up to the line.
    const isAtEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 2 && scrollY > 0;
    const current = headings.findLastIndex((heading) => heading && (isAtEnd || passed.has(heading)));
    links.forEach((link, index) => { link.ariaCurrent = index === current ? "true" : null; });
    if (current >= 0) contents.scrollTop = links[current].offsetTop - contents.clientHeight / 2;
  };
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) passed[entry.isIntersecting ? "add" : "delete"](entry.target);
    mark();
    // All above a line.
  }, { rootMargin: "99999px 0px -66%" });
  for (const heading of headings) if (heading) observer.observe(heading);
  addEventListener("scrollend", mark);
  const details = contents.querySelector("details");
  const wide = matchMedia("(width >= 80rem)");
  const fold = wide.onchange = () => { details.open = wide.matches; };
  contents.onclick = ({ target }) => { if (target.href) fold(); };
  fold();
}
all(".contents").forEach(followHeadings);
