"""Gates and costs: which lines conflict, and what each conflict costs."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

from . import _figures, _job, _program, errors
from ._figures import Column
from .kernel import Launch
from .platform import Platform, Value, platform_of

if TYPE_CHECKING:
    import pandas

_INTEGERS = ("degree", "accesses", "wavefronts", "wavefronts_ideal", "wavefronts_excessive")
_COSTS = {
    "line": Column("text", "", "file:line, or all"),
    "opcode": Column("text", "", "instruction with its modifiers"),
    "accesses": Column("integer", "accesses", "warp-wide accesses of the line"),
    "max_degree": Column("integer", "words/bank", "most words that one bank had to deliver"),
    "conflict_cycles": Column("integer", "cycles", "cycles that the conflicts hold the banks"),
    "cycles": Column("integer", "cycles", "cycles of the run"),
    "cycles_without": Column("integer", "cycles", "cycles without the conflicts of the line"),
    "cycles_saved": Column("integer", "cycles", "cycles - cycles_without"),
}


@dataclass(frozen=True)
class Finding:
    """A line with shared accesses, and whether it exceeds a limit."""

    workload: str
    kernel: str
    file: str
    line: int | None
    opcode: str
    degree: int  # words of the fullest bank
    accesses: int
    wavefronts: int  # passes
    wavefronts_ideal: int  # passes
    wavefronts_excessive: int  # passes
    verdict: str  # "found", "allowed", "known" or "passed"
    why: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return (
            f"{place}: {self.opcode} in {self.kernel}: {self.why or self.verdict}: "
            f"{self.wavefronts:,} wavefronts, {self.wavefronts_excessive:,} of them excessive"
        )


@dataclass(frozen=True)
class Findings(Sequence[Finding]):
    """The lines over a limit. True if there are some.

    >>> findings = check("transpose", params={"tile": 32}, platform="gtx480")
    >>> [(one.file, one.line, one.degree) for one in findings]
    [('transpose.cu', 20, 32)]
    """

    lines: tuple[Finding, ...]  # all lines with shared accesses

    @property
    def found(self) -> tuple[Finding, ...]:
        """Lines over a limit."""
        return tuple(one for one in self.lines if one.verdict == "found")

    @property
    def table(self) -> pandas.DataFrame:
        """One row per line with shared accesses."""
        module = _figures.pandas_module()
        return cast("pandas.DataFrame", module.DataFrame([vars(one) for one in self.lines]))

    def raise_if_found(self) -> None:
        """Raises ConflictsFound with one line per finding."""
        if not self.found:
            return
        first = self.found[0]
        raise errors.ConflictsFound(
            f"{len(self.found)} of {len(self.lines)} lines with shared accesses conflict",
            notes=tuple(str(one) for one in self.found),
            place=(first.file, first.line),
        )

    @overload
    def __getitem__(self, key: int) -> Finding: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Finding, ...]: ...
    def __getitem__(self, key: int | slice) -> Finding | tuple[Finding, ...]:
        return self.found[key]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def check(
    work: Any,
    *,
    platform: Platform | str | os.PathLike[str] | None = None,
    max_degree: int | None = None,
    max_excess_percent: float | None = None,
    allow: str | Sequence[str] = (),
    params: Mapping[str, Value] | None = None,
    mapping: object = None,
) -> Findings:
    """Finds lines whose accesses conflict: `fermata check`.

    `max_degree`: most words of one bank (default: 1, no conflict). `max_excess_percent`: most
    excessive wavefronts, in percent of all. `allow`: lines that may conflict, "file:line".
    """
    options: list[str] = []
    if max_degree is not None:
        options += ["--max-degree", str(max_degree)]
    if max_excess_percent is not None:
        options += ["--max-excess-percent", str(max_excess_percent)]
    for line in [allow] if isinstance(allow, str) else allow:
        options += ["--allow", line]
    text = _call("check", work, platform, params, mapping, [*options, "--quiet"], (0, 1))
    lines = []
    for row in csv.DictReader(io.StringIO(text)):
        facts: dict[str, Any] = dict(row)
        for name in _INTEGERS:
            facts[name] = int(facts[name] or 0)
        facts["line"] = int(row["line"]) if row["line"] else None
        lines.append(Finding(**facts))
    return Findings(tuple(lines))


def assert_no_conflicts(work: Any, **options: Any) -> None:
    """Raises ConflictsFound, an AssertionError, if a line conflicts. Options are those of check().

    >>> assert_no_conflicts("transpose", params={"pad": 1, "tile": 32}, platform="gtx480")
    """
    check(work, **options).raise_if_found()


def explain(
    work: Any,
    *,
    platform: Platform | str | os.PathLike[str] | None = None,
    params: Mapping[str, Value] | None = None,
    mapping: object = None,
) -> pandas.DataFrame:
    """Measures what each line's conflicts cost: runs again without them.

    >>> costs = explain("transpose", params={"tile": 32}, platform="gtx480")
    >>> int(costs.cycles_saved[0])  # cycles
    13914
    """
    text = _call("explain", work, platform, params, mapping, [], (0,))
    rows = _figures.rows_of(text)
    return _figures.frame_of(rows, _COSTS, _COSTS)


def _call(
    command: str,
    work: Any,
    platform: Platform | str | os.PathLike[str] | None,
    params: Mapping[str, Value] | None,
    mapping: object,
    options: list[str],
    allowed: tuple[int, ...],
) -> str:
    job = _job.job_of(work)
    place = platform_of(platform, job.default_platform, mapping)
    where = [] if place is None else place.words()
    for name, value in (params or {}).items():
        options += ["--param", f"{name}={value}"]
    with job.files() as words:
        # Lines are named from the source's folder.
        folder = Path(words[0]).parent if isinstance(job, Launch) else None
        outcome = _program.call(
            command, *words, *where, *options, "--csv", allowed=allowed, cwd=folder
        )
    return outcome.stdout.decode()
