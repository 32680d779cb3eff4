// Goes back to the application when all others were told, or have had time enough.
const link = document.querySelector("a.onward");
// Frames may be there before this script is; the window's own event comes after the last of them.
const told = new Promise((done) => addEventListener("load", done, { once: true }));
const enough = new Promise((done) => setTimeout(done, 3000));
Promise.race([told, enough]).then(() => {
  document.querySelector(".state").textContent = "All applications were told.";
  if (link) location.replace(link.href);
});
