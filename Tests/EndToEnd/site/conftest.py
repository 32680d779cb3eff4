import importlib.util

import pytest

import theme_site
from demo_site import ROOT


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The site of theme_site.py, which nobody changes."""
    return theme_site.build(tmp_path_factory.mktemp("theme"))


@pytest.fixture
def draw():
    """The program that draws, as a module of its own."""
    specification = importlib.util.spec_from_file_location("draw", ROOT / "Sources/Rendering/Code/draw.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
