// Shows the faults that match, and carries commands out without leaving the page.
const main = document.querySelector("main");

function showMatches() {
  const words = main.querySelector(".filter").value.toLowerCase().split(/\s+/);
  for (const section of main.querySelectorAll(".faults")) {
    for (const row of section.querySelectorAll("tr")) {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    }
    section.hidden = !section.querySelector("tr:not([hidden])");
  }
}

main.addEventListener("input", ({ target }) => {
  if (target.matches(".filter")) showMatches();
});

main.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { target: form, submitter } = event;
  const top = form.getBoundingClientRect().top, wanted = main.querySelector(".filter").value;
  const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  main.replaceChildren(...page.querySelector("main").childNodes);
  main.querySelector(".filter").hidden = false;
  main.querySelector(".filter").value = wanted;
  showMatches();
  const same = form.id ? document.getElementById(form.id) : undefined;
  if (same) scrollBy({ top: same.getBoundingClientRect().top - top, behavior: "instant" });
  same?.querySelector(`button[value="${submitter.value}"]`)?.focus({ preventScroll: true });
});
main.querySelector(".filter").hidden = false;
