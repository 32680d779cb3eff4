// On small screens the navigation is a drawer: a popover, closed by Esc or by a touch beside it.
const side = document.getElementById("Site-pages");
if (side?.showPopover) {
  for (const link of document.querySelectorAll("[href='#Site-pages'], .side-close")) {
    link.replaceWith(make("button", { className: link.className, popoverTargetElement: side }, link.textContent));
  }
  side.popover = "auto";
  // The browser gives it the focus when the drawer opens, before any key is pressed.
  (side.querySelector("[aria-current]") ?? side.querySelector("a, button")).autofocus = true;
  side.addEventListener("focusout", ({ relatedTarget: next }) => {
    if (next && !side.contains(next) && side.matches(":popover-open")) side.hidePopover();
  });
}

// Scrolls the current page into view, however long the list is.
const currentPage = side?.querySelector("[aria-current]");
if (currentPage) side.scrollTop += currentPage.getBoundingClientRect().top - side.getBoundingClientRect().top - side.clientHeight / 2;
