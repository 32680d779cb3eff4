from contextlib import closing

import pytest

from handbook_machine import Image
from told_by_programs import BuiltInEmulator


@pytest.fixture(scope="session")
def provider(tmp_path_factory):
    with closing(BuiltInEmulator(tmp_path_factory.mktemp("provider"))) as emulator:
        yield emulator


@pytest.fixture(scope="session")
def image(tmp_path_factory):
    return Image(tmp_path_factory.mktemp("image"))
