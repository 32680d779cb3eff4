"""Random targets for one configuration, and the violations among their answers."""

import random
from collections import Counter

from shrink import shrink
from targets.guarded_site import READERS
from targets.request import Request
from targets.service import GuardedService
from targets.spellings import Spellings

BATCH = 500
# A session may read files for an hour after it began.
TARGETS_OF_A_SESSION = 100_000


def kind(sentence: str) -> str:
    return sentence.split(":")[0]


class Search:
    """Random targets for one configuration, and those that violate a property: the shortest of each kind."""

    def __init__(self, service: GuardedService, seed: str) -> None:
        self.service = service
        self.spellings = Spellings(seed)
        self.readers = random.Random(f"readers {seed}")
        self.found: dict[str, tuple[Request, str]] = {}
        self.violations: Counter[str] = Counter()

    def judge(self, requests: list[Request], readers: list[str] | None = None) -> None:
        def reader_of(_: Request) -> list[str]:
            return readers or [self.readers.choice(list(READERS))]

        for request, sentences in self.service.judge(requests, reader_of):
            for sentence in sentences:
                self.violations[kind(sentence)] += 1
                shortest = self.found.get(kind(sentence))
                if shortest is None or len(request.target) < len(shortest[0].target):
                    self.found[kind(sentence)] = (request, sentence)

    def run(self, count: int, until: str | None = None) -> int:
        """Returns how many targets were judged.

        - `until`: the kind of violation that ends the search.
        """
        usual = list(self.spellings.usual())
        self.judge(usual, list(READERS))
        done = len(usual)
        while done < count and until not in self.found:
            if done // TARGETS_OF_A_SESSION != (done - BATCH) // TARGETS_OF_A_SESSION:
                self.service.sign_in()
            size = min(BATCH, count - done)
            self.judge([self.spellings.request() for _ in range(size)])
            done += size
        return done

    def smallest(self) -> list[tuple[Request, str]]:
        """Of each kind the smallest target that still violates it."""
        results = []
        for name, (request, sentence) in self.found.items():
            def holds(targets: list[str], name: str = name, request: Request = request) -> list[bool]:
                requests = [request.with_target(target.encode("latin-1")) for target in targets]
                judged = self.service.judge(requests, lambda _: list(READERS))
                return [any(kind(each) == name for each in sentences) for _, sentences in judged]

            target = request.target.decode("latin-1")
            if holds([target]) == [True]:
                request = request.with_target(shrink([target], holds)[0].encode("latin-1"))
                sentences = next(self.service.judge([request], lambda _: list(READERS)))[1]
                sentence = next((each for each in sentences if kind(each) == name), sentence)
            results.append((request, sentence))
        return results
