// An announcement that a reader has closed stays closed until its words change.
const announcement = all("#Site-announcement")[0];
if (announcement) {
  const words = announcement.textContent;
  announcement.hidden = kept("announcement") === words;
  const onclick = () => {
    announcement.hidden = true;
    keep("announcement", words);
  };
  announcement.append(make("button", { ariaLabel: text("Close"), onclick }, "×"));
}
