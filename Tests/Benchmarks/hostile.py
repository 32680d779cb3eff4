"""Prints how long `sitegen markdown` takes for what an attacker would write, from 10 KB to 10 MB.

    python Tests/Benchmarks/hostile.py
    python Tests/Benchmarks/hostile.py "nested brackets" "table cells"

In each column the seconds and how many times the text the HTML has, or `refused`. A family whose
time has passed four seconds is not made longer.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

SITEGEN = Path(__file__).parents[2] / ".build/release/sitegen"
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
SECONDS = 20


def backticks(size: int) -> str:
    """Runs of every length, none of which is closed."""
    return "".join("e" + "`" * count for count in range(1, int((2 * size) ** 0.5)))


FAMILIES: dict[str, Callable[[int], str]] = {
    'nested brackets':lambda n: '['*(n//2)+']'*(n//2),
    'open brackets ~':lambda n: '~'+'['*n,
    'images':lambda n: '![[]()'*(n//6),
    'images lines':lambda n: ('![[]()'*80+'\n\n')*(n//482),
    'emph runs':lambda n: '*a_ '*(n//4),
    'emph ~':lambda n: '*a_ ~b~~ '*(n//9),
    'emph open ~':lambda n: '~'+'a**b'+'c* '*(n//3),
    'stars ~':lambda n: '~*'*(n//2),
    'nest emph ~':lambda n: '~x '+'*a **a '*(n//14)+'b** b*'*(n//12),
    'backticks':backticks,
    'backticks ~':lambda n: "~" + backticks(n),
    '[a](<b':lambda n: '[a](<b'*(n//6),
    '[a](<b ~':lambda n: '~'+'[a](<b'*(n//6),
    '[a](b ~':lambda n: '~'+'[a](b'*(n//5),
    '[a](b " ~':lambda n: '~'+'[a](b "'*(n//7),
    'tags ~':lambda n: '~'+'<a x="'*(n//6),
    'comments ~':lambda n: '~'+'<!--a'*(n//5),
    'tag left out':lambda n: '~'+'a<form><br>'*(n//11),
    'safe tags':lambda n: '~'+'<b>'*(n//3),
    'safe blocks':lambda n: '<div>\n\n'*(n//7),
    'safe tables':lambda n: '<table>'+'<tr><td>a<table>'*(n//16),
    'safe links':lambda n: '~'+'<a href=x>*[b](c)*'*(n//18),
    'safe ids':lambda n: ''.join(f'<a id={i}></a> ' for i in range(n//16)),
    'safe attributes':lambda n: '<div '+''.join(f'a{i}=b ' for i in range(n//10))+'>',
    'unknown tags':lambda n: ''.join(f'<u{i}> ' for i in range(n//10)),
    'html lines':lambda n: '<div>\n'+'<a id=b href=c>\n'*(n//16),
    'html entities':lambda n: '<div>'+'&amp;'*(n//5),
    'srcset':lambda n: '<img srcset="'+'a 1x, '*(n//6)+'">',
    'pi ~':lambda n: '~'+'<?a'*(n//3),
    'decl ~':lambda n: '~'+'<!A a'*(n//5),
    'table cells':lambda n: '|a|b|\n|-|-|\n'+'|x|y|\n'*(n//6),
    'table columns':lambda n: '|a'*(n//4)+'|\n'+'|-'*(n//4)+'|\n',
    'table sparse':lambda n: '|a'*900+'|\n'+'|-'*900+'|\n'+'a\n'*(n//2),
    'many tables':lambda n: '|a|\n|-|\n\n'*(n//9),
    'tables tight':lambda n: '|a|\n|-|\n2. |a|\n   |-|\n'*(n//20),
    'tables html':lambda n: '|a|\n|-|\n'+'<b>\n|a|\n|-|\n'*(n//12),
    'tables num':lambda n: '|a|\n|-|\n'+'2 | a\n'*(n//6),
    'quotes':lambda n: '> '*(n//2)+'a\n',
    'lists':lambda n: '- '*(n//2)+'a\n',
    'lists nl':lambda n: '- '*(n//4)+'a\n'+'\n'*(n//2),
    'lists 90 nl':lambda n: '- '*90+'a\n'+'\n'*n,
    'nested lists indent':lambda n: ''.join('  '*i+'- a\n' for i in range(int(n**.5))),
    'footnotes refs':lambda n: '[^1]: x\n\n'+'[^1] '*(n//5),
    'footnotes defs':lambda n: ''.join(f'[^{i}]: [^{i+1}]\n\n' for i in range(n//22)),
    'footnote nest':lambda n: '[^1]: '*(n//6),
    'refs':lambda n: '[a]: /'+'u'*(n//2)+'\n\n'+'[a]'*(n//6),
    'refs many':lambda n: ''.join(f'[a{i}]: /u\n' for i in range(n//20))+'\n'+''.join(f'[a{i}] ~' for i in range(n//20)),
    'autolink':lambda n: 'http://a_'*(n//9),
    'www':lambda n: 'www._'*(n//5),
    'email':lambda n: 'a@'*(n//2),
    'email2':lambda n: 'a@b.c '*(n//6),
    'entities':lambda n: '~'+'&amp;'*(n//5),
    'amp':lambda n: '~'+'&'*n,
    'headings':lambda n: '# a\n'*(n//4),
    'bs':lambda n: '~'+'\\'*n,
    'closers':lambda n: '~'+']'*n,
    'brackets open close':lambda n: '~'+'[]'*(n//2),
    'tildes':lambda n: '~'*n,
    'long line':lambda n: 'a '*(n//2)+'~',
    'setext':lambda n: 'a\n'*(n//2)+'=\n',
    'alerts':lambda n: '> [!NOTE]\n> x\n\n'*(n//15),
    'quote lazy table':lambda n: '> a\n'+'b | c\n'*(n//6)+'-|-\n',
    'comments closed ~':lambda n: 'x ~ '+'<!--a'*(n//5)+' -->',
    'braces':lambda n: '{.ab'*(n//4),
    'second h1':lambda n: '## a\n'*(n//9)+'# a\n'*(n//9),
    'contents':lambda n: '## a\n'*(n//10)+'[[TOC]]\n\n'*(n//18),
    'contents few':lambda n: '## a\n'*(n//6)+'[TOC]\n\n'*8,
    'tildes stars':lambda n: '~~x '+'*a '*(n//6)+'b~ '*(n//6),
    'links stars ~':lambda n: '~ '+'[*a *a](b) '*(n//22)+'b* '*(n//6),
    'images escaped':lambda n: '![\\]'*(n//8)+'[]()'*(n//8),
    'images ] in links':lambda n: '![[a](])'*(n//8),
    'sizes':lambda n: '![a]('+'b =1x1)'*(n//7),
    'definition list':lambda n: ': a\n'*(n//4),
    'includes':lambda n: '```\n'+'{{#include a}}\n'*(n//15),
    'alert titles':lambda n: '> [!note] a\n> b\n\n'*(n//17),
    'ids':lambda n: '# a {#a}\n'*(n//9),
    'numbered headings':lambda n: ''.join(f'# a-{i}\n' for i in range(n//16))+'# a\n'*(n//8),
}


def measured(text: bytes) -> tuple[float, str]:
    started = time.monotonic()
    try:
        finished = subprocess.run(
            [SITEGEN, "markdown"], input=text, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return SECONDS, "not done"
    seconds = time.monotonic() - started
    if finished.returncode != 0:
        return seconds, f"{seconds:.2f} s refused"
    return seconds, f"{seconds:.2f} s ×{len(finished.stdout) / len(text):.1f}"


def main() -> None:
    print(f"{'':22}" + "".join(f"{size // 1000:>12,} KB" for size in SIZES))
    for name, make in FAMILIES.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        print(f"{name:22}", end="", flush=True)
        for size in SIZES:
            seconds, cell = measured(make(size).encode())
            print(f"{cell:>15}", end="", flush=True)
            if seconds > 4:
                break
        print()


if __name__ == "__main__":
    main()
