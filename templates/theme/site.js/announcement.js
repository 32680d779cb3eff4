// An announcement that a reader has closed stays closed until its words change.
const announcement = document.getElementById("Site-announcement");
if (announcement) {
  const words = announcement.textContent;
  try { announcement.hidden = localStorage.announcement === words; } catch {}
  const onclick = () => {
    announcement.hidden = true;
    try { localStorage.announcement = words; } catch {}
  };
  announcement.append(make("button", { ariaLabel: text("Close"), onclick }, "×"));
}
