"""Random documents, biased to the syntax of GitHub Flavored Markdown's extensions.

Three modes: `grammar` composes constructs and then damages some documents a little, `soup` strings
tokens together, `splice` cuts and joins examples of a specification. `mixed` takes them in turn.
The same seed gives the same documents.
"""

import random
from collections.abc import Callable, Iterator

from grammar import Grammar
from specification import read_examples
from vocabulary import BREAKS, PREFIXES, SOUP, SPACES, TASKS, words

MODES = ("mixed", "grammar", "soup", "splice")


class Generator:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.grammar = Grammar(self.random)
        self.topics = [words(line) for line in SOUP]
        self.tokens = [token for line in SOUP for token in words(line)]
        self.weights = [weight for line, weight in SOUP.items() for _ in words(line)]
        examples = [example for example in read_examples() if example.markdown]
        # An extension's examples are few, so they come up more often.
        self.extensions = [example.markdown for example in examples if example.extensions]
        self.examples = [example.markdown for example in examples]

    def modes(self, mode: str) -> list[Callable[[], str]]:
        every = {"grammar": self.grammatical, "soup": self.soup, "splice": self.splice}
        return list(every.values()) if mode == "mixed" else [every[mode]]

    def grammatical(self) -> str:
        text = self.grammar.document()
        return self.damaged(text) if self.random.random() < 0.35 else text

    def soup(self) -> str:
        choice, chance = self.random.choice, self.random.random
        few = self.random.choices(self.tokens, self.weights, k=self.random.randint(2, 9))
        if chance() < 0.4:
            few = choice(self.topics) + few[:2]
        parts: list[str] = [choice(TASKS)] if chance() < 0.1 else []
        for _ in range(self.random.randint(2, 24)):
            # A few tokens again and again meet more often than many once.
            parts.append(choice(few))
            step = chance()
            if step < 0.2:
                parts.append(choice(BREAKS))
            elif step < 0.5:
                parts.append(choice(SPACES))
        if chance() < 0.3:
            parts.append("\n\n[a]: /u\n")
        if chance() < 0.3:
            parts.append("\n\n[^a]: b\n")
        return "".join(parts)

    def splice(self) -> str:
        chance = self.random.random
        pieces = []
        for _ in range(self.random.randint(1, 3)):
            source = self.extensions if chance() < 0.4 else self.examples
            lines = self.random.choice(source).splitlines(keepends=True)
            start = self.random.randrange(len(lines) + 1)
            piece = "".join(lines[start:] if chance() < 0.5 else lines)
            if chance() < 0.4:
                prefix = self.random.choice(PREFIXES)
                piece = prefix + piece.replace("\n", "\n" + self.random.choice(["> ", "  ", ""]))
            pieces.append(piece)
        text = self.random.choice(["", "\n", "\n\n"]).join(pieces)
        return self.damaged(text) if chance() < 0.7 else text

    def damaged(self, text: str) -> str:
        for _ in range(self.random.randint(1, 4)):
            place = self.random.randrange(len(text) + 1)
            length = self.random.randint(1, 3)
            token = self.random.choices(self.tokens, self.weights)[0]
            change = self.random.randrange(5)
            if change == 0:
                text = text[:place] + text[place + length :]
            elif change == 1:
                text = text[:place] + token + text[place:]
            elif change == 2:
                text = text[:place] + token + text[place + length :]
            elif change == 3:
                text = text[:place] + self.random.choice(BREAKS) + text[place:]
            else:
                other = self.random.randrange(len(text) + 1)
                text = text[:place] + text[other : other + 8] + text[place:]
        return text


def documents(mode: str, seed: int, count: int) -> Iterator[str]:
    """That many documents; none is empty or holds NUL."""
    makers = Generator(seed).modes(mode)
    for number in range(count):
        yield makers[number % len(makers)]() or "a"
