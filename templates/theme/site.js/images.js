// An image that is shown smaller than it is leads to itself; of a picture, a link would take away what it chooses from.
async function makeZoom(image) {
  // WebKit takes the shown width of an SVG for its own.
  const original = make("img", { src: image.currentSrc });
  await original.decode().catch(() => {});
  if (original.naturalWidth < image.width * 1.2 || image.closest("a, picture")) return;
  const link = make("a", { className: "zoom", href: image.currentSrc, ariaLabel: text("Enlarge the image") + ": " + image.alt });
  image.replaceWith(link);
  link.append(image);
}
for (const image of all("article img"))
  image.complete ? makeZoom(image) : image.onload = () => makeZoom(image);
