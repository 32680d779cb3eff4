// On small screens the list of pages is a drawer: a popover, closed by Esc and by a touch beside it.
const side = document.getElementById("pages");
if (side?.showPopover) {
  for (const link of document.querySelectorAll("[href='#pages'], .side-close")) {
    link.replaceWith(make("button", { className: link.className, popoverTargetElement: side }, link.textContent));
  }
  side.popover = "auto";
  side.ontoggle = ({ newState }) => {
    if (newState === "open") side.querySelector("[aria-current], a").focus();
  };
  side.addEventListener("focusout", ({ relatedTarget: next }) => {
    if (next && !side.contains(next) && side.matches(":popover-open")) side.hidePopover();
  });
}

// However long the list is, the current page is in sight.
const currentPage = side?.querySelector("[aria-current]");
if (currentPage) side.scrollTop = currentPage.offsetTop - side.clientHeight / 2;
