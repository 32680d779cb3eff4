// The signed-in reader; null if nobody is signed in, undefined without an answer.
function reader() {
  return reader.answer ??= askReader();
}
function askReader() {
  return fetch("/auth/me").then(async (answer) => {
    // An unread body would keep its connection open.
    const body = await answer.text();
    return answer.ok ? JSON.parse(body) : answer.status === 401 ? null : undefined;
  }).catch(() => {});
}

// The manifests of everybody, of signed-in readers, and of the reader's groups.
function readersFiles() {
  return readersFiles.answer ??= reader().then(async (me) => {
    const groups = (me?.groups ?? []).map((group) => "group/" + group);
    const files = ["public", ...me ? ["signed-in", ...groups] : []].map((name) =>
      fetch("/_reader/" + name + ".json").then((answer) => answer.json()).catch(() => {}));
    return (await Promise.all(files)).filter(Boolean);
  });
}
