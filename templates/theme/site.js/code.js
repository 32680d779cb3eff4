// Adds buttons that copy code, without its prompts.
function addCopy(pre) {
  const button = make("button", { className: "copy", ariaLive: "polite" }, text("Copy"));
  button.onclick = async () => {
    const code = pre.querySelector("code").cloneNode(true);
    for (const prompt of code.querySelectorAll(".gp")) prompt.remove();
    const isAnnotated = pre.parentNode.classList.contains("is-annotated");
    await navigator.clipboard.writeText(isAnnotated ? code.textContent.replace(/ *[\u24eb-\u24f4\u2776-\u277f]$/gm, "") : code.textContent);
    button.textContent = text("Copied");
    setTimeout(() => button.textContent = text("Copy"), 2000);
  };
  pre.after(button);
}
if (navigator.clipboard) document.querySelectorAll(".code > pre").forEach(addCopy);

// A button for long lines, as long as there are any.
function addWrap(pre) {
  const button = make("button", { className: "wrap", hidden: true, ariaPressed: "false" }, text("Wrap lines"));
  button.onclick = () => { button.ariaPressed = String(pre.parentNode.classList.toggle("is-wrapped")); };
  pre.after(button);
}
document.querySelectorAll(".code > pre").forEach(addWrap);

// Boxes that scroll sideways can be focused by the keyboard.
const scrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isLong = target.scrollWidth > target.clientWidth, button = target.parentNode.querySelector(".wrap");
    target.tabIndex = isLong ? 0 : -1;
    if (button) button.hidden = !isLong && button.ariaPressed === "false";
  }
});
for (const box of document.querySelectorAll(".code > pre, .table")) {
  box.role = "group";
  box.ariaLabel = box.className ? text("Table") : box.parentNode.dataset.language ?? text("Code");
  scrollers.observe(box);
}
