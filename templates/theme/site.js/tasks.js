// Readers tick tasks for themselves: this browser keeps which differ from the page, by a number made of path and words.
const ticks = new Set(keptValue("ticks"));
for (const box of all(".task > input")) {
  const task = box.parentNode.textContent.trim();
  const key = [...path + task].reduce((sum, letter) => (31 * sum + letter.codePointAt()) | 0, 0);
  const onchange = () => {
    if (!ticks.delete(key)) ticks.add(key);
    keep("ticks", JSON.stringify([...ticks]));
  };
  Object.assign(box, { disabled: false, checked: box.checked !== ticks.has(key), ariaLabel: task.split("\n")[0], onchange });
}
