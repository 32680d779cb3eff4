// Returns to the application when all frames have loaded, or after three seconds.
const link = document.querySelector("a.onward");
// The frames may have loaded before this script runs; the window's own event comes after the last frame's.
const loaded = new Promise((done) => addEventListener("load", done, { once: true }));
const timeout = new Promise((done) => setTimeout(done, 3000));
Promise.race([loaded, timeout]).then(() => {
  document.querySelector(".state").textContent = "The applications have been notified.";
  if (link) location.replace(link.href);
});
