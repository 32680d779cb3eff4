// A button that copies a text; nothing without a clipboard.
function copyButton(label, source) {
  const button = make("button", { className: "copy", ariaLive: "polite" }, label);
  button.onclick = async () => {
    await navigator.clipboard.writeText(await source());
    button.textContent = text("Copied");
    setTimeout(() => button.textContent = label, 2e3);
  };
  return navigator.clipboard ? button : "";
}
// Without its prompts and notes, and without the last line end: a shell would run the command.
const copyCode = (pre) => copyButton(text("Copy"), () => {
  const code = (pre.querySelector("code") ?? pre).cloneNode(true);
  for (const prompt of all(".gp", code)) prompt.remove();
  const notes = pre.parentNode.matches(".is-annotated") ? / *[\u24eb-\u24f4\u2776-\u277f]$/gm : "";
  return code.textContent.replace(notes, "").trimEnd();
});
// Otherwise the page as Markdown is a link.
for (const link of all(".about .markdown"))
  link.replaceWith(copyButton(text("Copy as Markdown"), () => fetch(link.href).then((page) => page.ok ? page.text() : Promise.reject())) || link);

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
  pre.before(make("div", { className: "code-tools" }, wrapButton(pre), copyCode(pre)));
}

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
