// The signed-in reader; null if nobody is signed in, undefined without an answer.
function reader() {
  return reader.answer ??= askForReader();
}
function askForReader() {
  return fetch("/auth/me")
    // An unread body would keep its connection open.
    .then((answer) => answer.ok ? answer.json() : answer.text().then(() => answer.status === 401 ? null : undefined))
    .catch(() => {});
}

// The manifests of everybody, of signed-in readers, and of the reader's groups.
function readersFiles() {
  return readersFiles.answer ??= reader().then(async (me) => {
    const groups = (me?.groups ?? []).map((group) => "group/" + group);
    const files = ["public", ...(me ? ["signed-in", ...groups] : [])].map((name) =>
      fetch(`/_reader/${name}.json`).then((answer) => answer.json()).catch(() => {}));
    return (await Promise.all(files)).filter(Boolean);
  });
}
