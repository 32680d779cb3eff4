// Adds buttons that copy code, without its prompts.
function addCopy(pre) {
  const button = make("button", { className: "copy", ariaLive: "polite" }, "Copy");
  button.onclick = async () => {
    const code = pre.cloneNode(true);
    for (const prompt of code.querySelectorAll(".gp")) prompt.remove();
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    setTimeout(() => button.textContent = "Copy", 2000);
  };
  pre.after(button);
}
if (navigator.clipboard) document.querySelectorAll(".code > pre").forEach(addCopy);

// Boxes that scroll sideways can be focused by the keyboard.
const scrollers = new ResizeObserver((entries) => {
  for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});
for (const box of document.querySelectorAll(".code > pre, .table")) {
  box.role = "group";
  box.ariaLabel = box.className ? "Table" : box.parentNode.dataset.language ?? "Code";
  scrollers.observe(box);
}
