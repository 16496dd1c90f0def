"""The package as pip takes it, and its version, which python/VERSION alone states."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest
from conftest import SOURCE

import fermata as fm

VERSION = (SOURCE / "python" / "VERSION").read_text().strip()


def test_one_version() -> None:
    assert fm.version() == VERSION
    citation = (SOURCE / "CITATION.cff").read_text()
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [VERSION]


def test_the_wheel_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wheel")
    backend = pytest.importorskip("setuptools.build_meta")
    place = tmp_path / "python"
    shutil.copytree(SOURCE / "python", place, ignore=shutil.ignore_patterns("*.egg-info", "build"))
    monkeypatch.chdir(place)
    name = backend.build_wheel(str(tmp_path))
    assert name == f"fermata-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(tmp_path / name) as wheel:
        facts = wheel.read(f"fermata-{VERSION}.dist-info/METADATA").decode()
        points = wheel.read(f"fermata-{VERSION}.dist-info/entry_points.txt").decode()
        inside = {path.removeprefix("fermata/") for path in wheel.namelist()}
    assert "Requires-Dist: numpy" in facts and "Requires-Python: >=3.11" in facts
    assert "fermata = fermata.pytest_plugin" in points
    package = SOURCE / "python" / "src" / "fermata"
    sources = {path.name for path in package.iterdir() if path.is_file()}
    assert sources <= inside and "py.typed" in sources
