// Numbers and identifiers, for somebody else.
for (const code of all(".card code")) code.after(copyCode(code.parentNode));

// The points of time on siteauth's account page, in the reader's time zone, with days as on all pages.
for (const time of all("[data-months]")) {
  const date = new Date(time.dateTime), { format, months } = time.dataset;
  const parts = { day: date.getDate(), month: months.split("|")[date.getMonth()], year: date.getFullYear() };
  time.textContent = text(format, parts) + ", " + date.toLocaleTimeString(time.closest("[lang]").lang, { timeStyle: "short" });
}
