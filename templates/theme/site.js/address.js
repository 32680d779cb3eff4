// Links to the sign-in keep the fragment of the current URL.
for (const link of location.hash ? all("main a[href^='/auth/sign-in?return=']") : []) {
  link.href = link.href.replace(/return=[^&]*/, "$&" + encodeURIComponent(location.hash));
}
