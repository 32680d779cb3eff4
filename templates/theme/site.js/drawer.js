// On small screens the navigation is a drawer: a popover, closed by Esc or by a touch beside it.
const side = document.getElementById("Site-pages");
if (side?.showPopover) {
  for (const link of document.querySelectorAll("[href='#Site-pages'], .side-close")) {
    link.replaceWith(make("button", { className: link.className, popoverTargetElement: side }, link.textContent));
  }
  side.popover = "auto";
  side.ontoggle = ({ newState }) => {
    if (newState === "open") (currentPage ?? side.querySelector("a")).focus();
  };
  side.addEventListener("focusout", ({ relatedTarget: next }) => {
    if (next && !side.contains(next) && side.matches(":popover-open")) side.hidePopover();
  });
}

// Scrolls the current page into view, however long the list is.
const currentPage = side?.querySelector("[aria-current]");
if (currentPage) side.scrollTop = currentPage.offsetTop - side.clientHeight / 2;
