// Marks the current section in the contents.
function followHeadings(contents) {
  const links = all("a", contents);
  const headings = links.map(targetOf);
  const passed = new Set();
  const details = contents.querySelector("details"), here = make("span");
  details.firstElementChild.append(here);
  const mark = () => {
    // The last sections may be too short to come up to the line.
    const isAtEnd = innerHeight + scrollY > root.scrollHeight - 2 && scrollY;
    const current = headings.findLastIndex((heading) => heading && (isAtEnd || passed.has(heading)));
    links.forEach((link, index) => link.ariaCurrent = index === current ? "true" : null);
    here.textContent = links[current]?.textContent ?? "";
    if (current >= 0) contents.scrollTop = links[current].offsetTop - contents.clientHeight * 0.5;
  };
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) passed[entry.isIntersecting ? "add" : "delete"](entry.target);
    mark();
    // All above a line.
  }, { rootMargin: "99999px 0px -66%" });
  for (const heading of headings) if (heading) observer.observe(heading);
  addEventListener("scrollend", mark);
  const wide = matchMedia("(width >= 80rem)");
  const fold = wide.onchange = () => details.open = wide.matches;
  // On small screens it lies over the page: a touch beside it, a choice or Escape closes it.
  addEventListener("click", ({ target }) => (target.href || !contents.contains(target)) && fold());
  contents.onkeydown = ({ key }) => key !== "Escape" || fold();
  fold();
}
all(".contents").forEach(followHeadings);

// There, the bars go away while somebody reads on, and come back on the way up.
let lastTop = 0;
onscroll = () => {
  if (Math.abs(scrollY - lastTop) < 16) return;
  root.toggleAttribute("data-down", scrollY > lastTop && scrollY > 120);
  lastTop = scrollY;
};
