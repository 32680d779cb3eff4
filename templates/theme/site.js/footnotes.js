// A footnote beside the reference that is pointed at or has the focus; Escape closes it.
for (const reference of all(".footnote-ref > a")) {
  const note = targetOf(reference);
  let box, timer;
  const close = () => { box?.remove(); box = null; };
  const open = () => {
    clearTimeout(timer);
    if (box || !note) return;
    box = make("span", { className: "side-note", role: "note" }, ...note.cloneNode(true).childNodes);
    all(".footnote-backref", box).forEach((link) => link.remove());
    all("[id]", box).forEach((part) => part.removeAttribute("id"));
    reference.parentNode.append(box);
  };
  // Time to move the pointer from the reference to the note.
  const closeSoon = () => timer = setTimeout(close, 300);
  // What returns false keeps a key from its use.
  Object.assign(reference.parentNode, { onmouseenter: open, onmouseleave: closeSoon, onkeydown: ({ key }) => key !== "Escape" || close() });
  Object.assign(reference, { onfocus: open, onblur: closeSoon });
}
