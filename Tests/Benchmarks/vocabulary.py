"""Words of a made-up language, the n-th as common as 1/n (Zipf): real text is a few words that come
again and again and thousands that hardly ever do."""

import itertools
import random

SYLLABLES = "ta re mi no la ver kon sul ing der pra tex fi ber gal os tri mun da len ster po qui han eb rou ".split()


class Vocabulary:
    def __init__(self, count=20_000):
        chance = random.Random(2)
        words = {}
        while len(words) < count:
            # Common words are short.
            length = 1 + (len(words) > 30) + (len(words) > 500) + (chance.random() < 0.4) + (chance.random() < 0.2)
            words.setdefault("".join(chance.choice(SYLLABLES) for _ in range(length)) + chance.choice(["", "", "s", "e", "n"]))
        self.words = list(words)
        self.sums = list(itertools.accumulate(1 / rank for rank in range(2, count + 2)))

    def text(self, chance, words):
        return " ".join(chance.choices(self.words, cum_weights=self.sums, k=words))
