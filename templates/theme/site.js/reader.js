// Who reads, and which lists of the site are theirs: asked once a page.
let asked;
function reader() {
    asked ??= fetch("/auth/me", { headers: { Accept: "application/json" } }).then((answer) => answer.ok ? answer.json() : null).catch(() => null);
    return asked;
}
async function readersFiles() {
    const someone = await reader();
    const names = ["public", ...(someone ? ["signed-in", ...(someone.groups ?? []).map((group) => "group/" + group)] : [])];
    const answers = await Promise.all(names.map((name) => fetch("/_reader/" + name + ".json").catch(() => null)));
    return Promise.all(answers.filter((answer) => answer?.ok).map((answer) => answer.json()));
}
