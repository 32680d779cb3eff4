"""A few thousand random documents with us and with cmark-gfm; `Tests/Differential/run` takes more."""

import subprocess
import sys
from pathlib import Path

DIFFERENTIAL = Path(__file__).parents[2] / "Differential"


def test_every_example_of_the_specification() -> None:
    run("gfm_examples.py")


def test_random_documents_are_rendered_as_cmark_gfm_renders_them() -> None:
    run("compare.py", "--count", "3000", "--seed", "3")


def run(program: str, *arguments: str) -> None:
    command = [sys.executable, "-B", str(DIFFERENTIAL / program), *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
