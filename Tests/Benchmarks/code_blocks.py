"""Blocks of code, no two alike: a highlighter is asked once for a text that it has seen."""

LINES = {
    "python": ["def {a}_{n}({b}, {c}={m}):", "    {a} = {b}.{c}(\"{d} {e}\")  # {d}", "    if {b} > {m} and not {c}:",
               "        return [{a} for {a} in range({n})]", "    raise ValueError(f\"{a}: {{{b}}}\")", "class {A}({B}):"],
    "bash": ["{a}=\"$(cat {b}.txt | grep -c '{c}')\"", "for {a} in {b} {c} {d}; do", "  echo \"${a} {n}\" >> /tmp/{c}.log", "done",
             "if [[ -f \"{a}/{b}\" ]]; then", "  cp -r {a} {b}-{n}", "fi  # {d}"],
    "json": ["{{\"{a}\": {{\"{b}\": {n},", "  \"{c}\": [\"{d}\", \"{e}\", {m}],", "  \"{d}_{n}\": null, \"{e}\": true,", "  \"x\": \"{a} {b}\"}}}}"],
    "yaml": ["{a}:", "  {b}: {n}", "  {c}: \"{d} {e}\"", "  - {d}: {m}", "    {e}: [{a}, {b}]  # {c}"],
    "sql": ["SELECT {a}.{b}, count(*) AS {c}_{n}", "FROM {a} JOIN {d} ON {a}.id = {d}.{e}_id", "WHERE {b} > {m} AND {c} = '{e}'",
            "GROUP BY {a}.{b} ORDER BY 2 DESC;"],
    "javascript": ["const {a} = await {b}({{ {c}: {n} }});", "export function {d}({e}) {{ return {e} ?? \"{a}\"; }}",
                   "// {b} {c}", "{a}.{b}.forEach(({c}) => {{ {d}({c}, {m}); }});", "if ({a} === {n}) throw new Error(`{b} ${{{c}}}`);"],
    "java": ["public final class {A} extends {B} {{", "    private final int {a} = {n};", "    @Override public String {b}(int {c}) {{",
             "        return \"{d}\" + {c} * {m}; // {e}", "    }}", "}}"],
    "ini": ["[{a}.{b}]", "{c} = {n}", "; {d} {e}", "{d}_{e} = \"{a}\""],
}
LANGUAGES = list(LINES)


def block(chance, vocabulary, lines=12):
    """A fenced block in one of the languages."""
    language = chance.choice(LANGUAGES)
    code = []
    for _ in range(lines):
        names = dict(zip("abcde", chance.choices(vocabulary.words, k=5)))
        names |= {"A": names["a"].capitalize(), "B": names["b"].capitalize()}
        code.append(chance.choice(LINES[language]).format(n=chance.randrange(100_000), m=chance.randrange(100), **names))
    return f"```{language}\n" + "\n".join(code) + "\n```\n"
