// A button that copies code, without its prompts and notes, and without the last line end: a shell would run the command.
function copyButton(pre) {
  const button = make("button", { className: "copy", ariaLive: "polite" }, text("Copy"));
  button.onclick = async () => {
    const code = (pre.querySelector("code") ?? pre).cloneNode(true);
    for (const prompt of all(".gp", code)) prompt.remove();
    const notes = pre.parentNode.matches(".is-annotated") ? / *[\u24eb-\u24f4\u2776-\u277f]$/gm : "";
    await navigator.clipboard.writeText(code.textContent.replace(notes, "").trimEnd());
    button.textContent = text("Copied");
    setTimeout(() => button.textContent = text("Copy"), 2000);
  };
  return button;
}

// A button for long lines, as long as there are any.
function wrapButton(pre) {
  const button = make("button", { className: "wrap", hidden: true, ariaPressed: "false" }, text("Wrap lines"));
  button.onclick = () => button.ariaPressed = pre.parentNode.classList.toggle("is-wrapped");
  return button;
}
// A diagram that is not drawn is code.
for (const pre of all(".code > pre, .drawing")) {
  if (pre.querySelector("svg")) continue;
  pre.parentNode.classList.add("code");
  pre.after(make("div", { className: "code-tools" }, wrapButton(pre), ...navigator.clipboard ? [copyButton(pre)] : []));
}

for (const code of all(".card code")) if (navigator.clipboard) code.after(copyButton(code.parentNode));

// Boxes that scroll sideways can be focused by the keyboard.
const scrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isLong = target.scrollWidth > target.clientWidth, button = target.parentNode.querySelector(".wrap");
    target.tabIndex = isLong ? 0 : -1;
    if (button) button.hidden = !isLong && button.ariaPressed === "false";
  }
});
for (const box of all(".code > pre, .table")) {
  box.role = "group";
  box.ariaLabel = box.className ? text("Table") : box.parentNode.dataset.language ?? text("Code");
  scrollers.observe(box);
}
for (const box of all(".drawing")) scrollers.observe(box);
