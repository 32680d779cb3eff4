"""Makes documents smaller as long as something holds: by lines, then by characters."""

from collections.abc import Callable, Generator

# Yields candidates, is sent which of them still hold, returns the smallest.
Shrinking = Generator[list[str], list[bool], str]


def shrinking(document: str) -> Shrinking:
    document = yield from without(document.splitlines(keepends=True))
    return (yield from without(list(document)))


def without(parts: list[str]) -> Shrinking:
    """Leaves out ever smaller runs of parts."""
    size = max(1, len(parts) // 2)
    while len(parts) > 1:
        starts = range(0, len(parts), size)
        candidates = [parts[:start] + parts[start + size :] for start in starts]
        candidates = [candidate for candidate in candidates if candidate]
        holds = yield ["".join(candidate) for candidate in candidates]
        kept = [candidate for candidate, held in zip(candidates, holds, strict=True) if held]
        if kept:
            parts = min(kept, key=len)
        elif size == 1:
            break
        size = max(1, min(size if kept else size // 2, len(parts) // 2))
    return "".join(parts)


def shrink(documents: list[str], holds: Callable[[list[str]], list[bool]]) -> list[str]:
    """All documents step by step together, so that each step is one question."""
    smallest = list(documents)
    running: dict[int, tuple[Shrinking, list[str]]] = {}

    def advance(index: int, shrinker: Shrinking, answers: list[bool] | None) -> None:
        try:
            question = next(shrinker) if answers is None else shrinker.send(answers)
            running[index] = (shrinker, question)
        except StopIteration as finished:
            running.pop(index, None)
            smallest[index] = finished.value

    for index, document in enumerate(documents):
        advance(index, shrinking(document), None)
    while running:
        asked = [(index, *running[index]) for index in running]
        verdicts = iter(holds([text for _, _, question in asked for text in question]))
        for index, shrinker, question in asked:
            advance(index, shrinker, [next(verdicts) for _ in question])
    return smallest
