"""Readers who ask all the time while something happens to the servers."""

import collections
import threading

from demo_site import wait_for


class Readers:
    """Ask in threads until `finish`; `answers` counts what they got.

    `make` is called by each thread and returns a function that asks once and returns a word for the answer. In place of
    an answer that does not come, there is its error.
    """

    def __init__(self, make, count=4):
        self.answers, self.lock, self.done = collections.Counter(), threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self._read, args=(make,), daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def _read(self, make):
        ask = make()
        while not self.done.is_set():
            try:
                kind = ask()
            except Exception as error:
                kind = repr(error)
            with self.lock:
                self.answers[kind] += 1

    @property
    def count(self):
        with self.lock:
            return self.answers.total()

    def finish(self, count=0):
        """After so many answers."""
        wait_for(lambda: self.count >= count, 600)
        self.done.set()
        for thread in self.threads:
            thread.join()
        return self.answers
