"""The examples of the docstrings, the types, and that nothing of the package is not typed."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import SOURCE

import fermata

NAMES = [name for _, name, _ in pkgutil.iter_modules(fermata.__path__, "fermata.")]


@pytest.mark.parametrize("name", ["fermata", *NAMES])
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, extraglobs={"np": np})
    assert failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = [
        test
        for name in ["fermata", *NAMES]
        for test in finder.find(importlib.import_module(name))
        if test.examples
    ]
    assert len(found) >= 15


def test_types() -> None:
    python = SOURCE / "python"
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "/dev/null", "-p", "fermata",
         "--config-file", str(python / "pyproject.toml")],
        cwd=python, capture_output=True, text=True,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout


def test_public_names_are_documented() -> None:
    for name in fermata.__all__:
        thing = getattr(fermata, name)
        assert thing.__doc__ or name in ("Figure",), name
