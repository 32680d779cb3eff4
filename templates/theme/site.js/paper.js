// Paper says where it is from, and of which day.
onbeforeprint = () => {
  for (const place of all(".address")) place.textContent = document.URL + " · " + new Date().toLocaleDateString("sv");
};
