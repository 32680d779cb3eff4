// Links to the sign-in keep the fragment of the current URL.
for (const link of location.hash ? all("main a[href^='/auth/sign-in?return=']") : []) {
  link.href = link.href.replace(/return=[^&]*/, "$&" + encodeURIComponent(location.hash));
}

// The answer of a provider holds a code, which is for nobody else.
if (location.pathname === "/auth/callback") history.replaceState(null, "", "callback");
// A mail to the people who maintain the site names page and number.
for (const link of all(".contact [href^=mailto]")) {
  const number = all(".reference code")[0]?.textContent ?? "";
  link.href += "?subject=" + encodeURIComponent(document.title + " " + number) + "&body=" + encodeURIComponent(document.URL);
}
