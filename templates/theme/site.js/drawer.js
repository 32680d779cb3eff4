// On small screens the navigation is a drawer: a popover, closed by Esc or by a touch beside it.
const side = all("#Site-pages")[0];
if (side?.showPopover) {
  for (const link of all("[href='#Site-pages'], .side-close"))
    link.replaceWith(make("button", { className: link.className, popoverTargetElement: side }, link.textContent));
  side.popover = "auto";
  // The browser gives it the focus when the drawer opens, before any key is pressed.
  (side.querySelector("[aria-current]") ?? side.querySelector("a, button")).autofocus = true;
  side.addEventListener("focusout", ({ relatedTarget: next }) => {
    if (next && !side.contains(next) && side.matches(":popover-open")) side.hidePopover();
  });
}

// The list stays where it was on the page before, unless the current page would be out of view, however long the list is.
const currentPage = side?.querySelector("[aria-current]");
if (currentPage) {
  try { side.scrollTop = sessionStorage.side ?? 0; } catch {}
  const top = currentPage.getBoundingClientRect().top - side.getBoundingClientRect().top;
  if (top < 0 || top > side.clientHeight - 40) side.scrollTop += top - side.clientHeight * 0.5;
  addEventListener("pagehide", () => { try { sessionStorage.side = side.scrollTop; } catch {} });
}
