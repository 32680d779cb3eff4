// Goes back to the application when all others were told, or have had time enough.
const link = document.querySelector("a.onward");
const frames = [...document.querySelectorAll("iframe")];
const told = frames.map(
  (frame) => new Promise((done) => frame.addEventListener("load", done, { once: true }))
);
const enough = new Promise((done) => setTimeout(done, 3000));
Promise.race([Promise.all(told), enough]).then(() => {
  document.querySelector(".state").textContent = "All applications were told.";
  if (link) location.replace(link.href);
});
