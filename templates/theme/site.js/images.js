// An image that is shown smaller than it is leads to itself.
function makeZoom(image) {
  if (image.naturalWidth < image.width * 1.2 || image.closest("a")) return;
  const link = make("a", { className: "zoom", href: image.currentSrc, ariaLabel: `${text("Enlarge the image")}: ${image.alt}` });
  image.replaceWith(link);
  link.append(image);
}
for (const image of document.querySelectorAll("article img")) {
  if (image.complete) makeZoom(image);
  else image.onload = () => makeZoom(image);
}
