/** Who reads: null where nobody is signed in, undefined without an answer. */
function reader() {
  return reader.answer ??= fetch("/auth/me")
    .then((answer) => answer.ok ? answer.json() : answer.status === 401 ? null : undefined)
    .catch(() => {});
}

/** What the site keeps for everybody, and for all that the reader is. */
function readersFiles() {
  return readersFiles.answer ??= reader().then(async (me) => {
    const groups = (me?.groups ?? []).map((group) => "group/" + group);
    // What is left unread stays open.
    const files = ["public", ...(me ? ["signed-in", ...groups] : [])].map((name) =>
      fetch(`/_reader/${name}.json`).then((answer) => answer.json()).catch(() => {}));
    return (await Promise.all(files)).filter(Boolean);
  });
}
