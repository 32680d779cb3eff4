// Links to the sign-in keep the fragment of the current URL.
for (const link of location.hash ? all("main a[href^='/auth/sign-in?return=']") : []) {
  link.href = link.href.replace(/return=[^&]*/, "$&" + encodeURIComponent(location.hash));
}

// The answer of a provider holds a code, which is for nobody else.
if (path === "/auth/callback") history.replaceState(null, "", "callback");
// Whom to ask stands beside what to tell them; a mail names page and number.
for (const contact of all(".contact")) all(".actions")[0]?.before(contact);
for (const link of all(".contact [href^=mailto]")) {
  const number = all(".reference code")[0]?.textContent ?? "";
  link.href += "?subject=" + encodeURIComponent(document.title + " " + number) + "&body=" + encodeURIComponent(document.URL);
}
// The field of the page "not found" has the words of the address.
if (searchForm) {
  try { searchForm.elements.q.value = decodeURIComponent(path).replace(/[^\p{L}\p{N}]+/gu, " ").trim(); } catch {}
}
