/** Who reads: null where nobody is signed in, undefined without an answer. */
function reader() {
  return reader.answer ??= fetch("/auth/me", { headers: { Accept: "application/json" } })
    .then((response) => response.ok ? response.json() : response.status === 401 ? null : undefined)
    .catch(() => undefined);
}

/** What the site keeps for this reader: for everybody, and for all that the reader is. */
function readersFiles() {
  return readersFiles.answer ??= reader().then(async (me) => {
    const groups = (me?.groups ?? []).map((group) => "group/" + group);
    const files = ["public", ...(me ? ["signed-in", ...groups] : [])].map((name) =>
      fetch(`/_reader/${name}.json`).then((response) => response.json()).catch(() => null));
    return (await Promise.all(files)).filter(Boolean);
  });
}
