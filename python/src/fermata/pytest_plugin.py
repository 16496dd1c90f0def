"""A plugin of pytest: the fixture `fermata`, and the markers `fermata_platform` and `fermata_slow`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fermata as _fermata

from . import checks, errors


class Fermata:
    """The fixture: runs and checks on the platform of the test.

    The platform is that of the marker `fermata_platform("name")`, else `fermata_platform` of the
    ini file, else the one that the launch states.
    """

    def __init__(self, platform: str | None, folder: Path) -> None:
        self.platform = platform
        self.folder = folder  # for files of the test

    def _given(self, options: dict[str, Any]) -> dict[str, Any]:
        if self.platform is not None:
            options.setdefault("platform", self.platform)
        return options

    def check(self, work: Any, **options: Any) -> None:
        """Fails the test if a line conflicts. Options are those of fermata.check()."""
        __tracebackhide__ = True
        checks.assert_no_conflicts(work, **self._given(options))

    assert_no_conflicts = check

    def run(self, work: Any, **options: Any) -> _fermata.Run:
        """Runs a launch or a workload."""
        from ._job import job_of

        return job_of(work).run(**self._given(options))


@pytest.fixture
def fermata(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Fermata]:
    """Runs and checks kernels: fermata.check("my.toml", max_degree=1)."""
    marker = request.node.get_closest_marker("fermata_platform")
    platform = marker.args[0] if marker else request.config.getini("fermata_platform") or None
    yield Fermata(platform, tmp_path)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("fermata_platform", "platform of the fixture fermata", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fermata_platform(name): platform of the fixture fermata")
    config.addinivalue_line("markers", "fermata_gate: a test of bank conflicts, for -m")


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Shows findings without the traceback of the plugin."""
    outcome = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, errors.ConflictsFound):
        report = outcome.get_result()
        report.longrepr = f"{item.nodeid}\n{call.excinfo.value}"
