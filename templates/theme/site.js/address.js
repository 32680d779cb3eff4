// Links to the sign-in keep the fragment of the current URL.
for (const link of location.hash ? document.querySelectorAll("main a[href^='/auth/sign-in?return=']") : []) {
  const url = new URL(link.href);
  url.searchParams.set("return", url.searchParams.get("return") + location.hash);
  link.href = url.pathname + url.search;
}
