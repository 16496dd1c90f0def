"""What a run did: figures with units, and tables by line, bank and access."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _figures, _program, errors
from ._figures import Column, Figure

if TYPE_CHECKING:
    import pandas

    from .plot import RunPlots

_RUNS = "runs.csv"
_FACTS = "fermata.json"
#: Other names of figures.
_SYNONYMS = {"bank_conflict_cycles": "wavefronts_excessive"}
_LINE_COLUMNS = {
    "file": Column("text", "", "source file, without its folder"),
    "line": Column("integer", "", "line in the source file"),
    "opcode": Column("text", "", "instruction with its modifiers"),
    "accesses": Column("integer", "accesses", "warp-wide accesses to shared memory"),
    "wavefronts": Column("integer", "passes", "passes of the shared accesses"),
    "ideal": Column("integer", "passes", "passes without any conflict"),
    "excessive": Column("integer", "passes", "wavefronts - ideal"),
    "conflict_cycles": Column("integer", "cycles", "cycles that conflicts hold the banks"),
    "max_degree": Column("integer", "words/bank", "most words that one bank had to deliver"),
    "source": Column("text", "", "text of the line"),
}


@dataclass(frozen=True, eq=False)
class Run(Mapping[str, Figure]):
    """A run: a mapping from the columns of runs.csv to figures.

    >>> from fermata import Workload
    >>> run = Workload("transpose", {"tile": 32}).run("gtx480")
    >>> run.cycles, run["cycles"].unit
    (24763, 'cycles')
    >>> list(run.lines.head(1)[["file", "line", "excessive"]].iloc[0])  # passes
    ['transpose.cu', 20, 15872]
    """

    tables: Mapping[str, str]  # CSV by file name
    command: str = ""  # shell command that does the same
    stdout: str = ""  # what kernels printed
    sources: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    arrays: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict, repr=False)
    again: Any = field(default=None, repr=False)

    @staticmethod
    def read(folder: Path, **facts: Any) -> Run:
        """Reads the tables of a folder of `fermata run --out`."""
        if not (folder / _RUNS).is_file():
            raise errors.BadInput(
                f"'{folder}' has no runs.csv", expected="a folder of 'fermata run --out'"
            )
        tables = {
            path.name: path.read_bytes().decode() for path in sorted(folder.glob("*.csv"))
        }
        named = {row["source_file"] for row in _figures.rows_of(tables.get("sources.csv", ""))}
        known = facts.get("sources", {})
        facts["sources"] = {name: known[name] for name in sorted(named) if name in known}
        run = Run(tables, **facts)
        if len(run._rows(_RUNS)) != 1:
            raise errors.BadInput(
                f"'{folder}' has {len(run._rows(_RUNS))} runs", expected="one run; load() takes several"
            )
        return run

    # Figures.

    def _rows(self, file: str) -> list[dict[str, str]]:
        return _figures.rows_of(self.tables.get(file, ""))

    @property
    def _schema(self) -> dict[tuple[str, str], Column]:
        return _figures.read_schema(self.tables["schema.csv"])

    def _row(self) -> dict[str, str]:
        # Parsed once: frozen objects keep it beside their fields.
        known = self.__dict__.get("_parsed")
        if known is None:
            known = self._rows(_RUNS)[0]
            object.__setattr__(self, "_parsed", known)
        return cast("dict[str, str]", known)

    def __getitem__(self, name: str) -> Figure:
        name = _SYNONYMS.get(name, name)
        row = self._row()
        if name not in row:
            raise KeyError(f"no figure '{name}'; expected one of {', '.join(row)}")
        return _figures.figure_of(row[name], self._schema.get((_RUNS, name), Column()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._row())

    def __len__(self) -> int:
        return len(self._row())

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._row())

    @property
    def cycles(self) -> int:
        """SM cycles from the first launch to the end of the last."""
        return int(self["cycles"])

    @property
    def conflict_cycles(self) -> int:
        """Cycles that bank conflicts hold the banks."""
        return int(self["wavefronts_excessive"])

    @property
    def workload(self) -> str:
        """Name of the workload."""
        return str(self["workload"])

    @property
    def bound(self) -> str:
        """What bounds the run, in words."""
        rows = self._rows("bound.csv")
        return rows[0]["explanation"] if rows else ""

    # Tables.

    def table(self, name: str) -> pandas.DataFrame:
        """Returns a table with the types of the schema: "instructions", "banks", "accesses"..."""
        file = name if name.endswith(".csv") else f"{name}.csv"
        if file not in self.tables:
            raise KeyError(f"no table '{name}'; expected one of {', '.join(self.tables)}")
        types = {key[1]: column for key, column in self._schema.items() if key[0] == file}
        header = self.tables[file].splitlines()[0].split(",")
        columns = [one for one in header if one not in _SAME or file == _RUNS]
        return _figures.frame_of(self._rows(file), columns, types)

    def _lines(self) -> list[dict[str, Any]]:
        """Returns the lines with shared accesses, worst first."""
        degrees: dict[tuple[str, str], int] = {}
        for row in self._rows("accesses.csv"):
            place = row["kernel"], row["pc"]
            degrees[place] = max(degrees.get(place, 1), int(row["degree"] or 1))
        lines: dict[tuple[str, str, str], dict[str, Any]] = {}
        for row in self._rows("instructions.csv"):
            wavefronts = int(row["wavefronts"] or 0)
            if wavefronts == 0:
                continue
            key = row["source_file"], row["line"], row["opcode"]
            line = lines.setdefault(
                key, {"file": key[0], "line": key[1], "opcode": key[2], "max_degree": 1}
            )
            pairs = [pair.split(":") for pair in row["passes_histogram"].split(";") if pair]
            for name, more in (
                ("accesses", sum(int(count) for _, count in pairs)),
                ("wavefronts", wavefronts),
                ("ideal", int(row["wavefronts_ideal"])),
                ("excessive", int(row["wavefronts_excessive"])),
                ("conflict_cycles", int(row["wavefronts_excessive"])),
            ):
                line[name] = line.get(name, 0) + more
            degree = degrees.get((row["kernel"], row["pc"]), 1)
            line["max_degree"] = max(line["max_degree"], degree)
        for line in lines.values():
            line["source"] = self.source_line(line["file"], line["line"])
        return sorted(
            lines.values(),
            key=lambda one: (-one["excessive"], one["file"], int(one["line"] or 0), one["opcode"]),
        )

    def source_line(self, file: str, line: int | str) -> str:
        """Returns the text of a source line; empty: it is not known."""
        text = self.sources.get(file, "").splitlines()
        number = int(line or 0)
        return text[number - 1].strip() if 0 < number <= len(text) else ""

    @property
    def lines(self) -> pandas.DataFrame:
        """Lines with shared accesses, the most excessive wavefronts first."""
        rows = [{key: str(value) for key, value in line.items()} for line in self._lines()]
        return _figures.frame_of(rows, _LINE_COLUMNS, _LINE_COLUMNS)

    @property
    def banks(self) -> pandas.DataFrame:
        """Words read, written and updated by bank, the busiest bank first."""
        frame = self.table("banks")
        return _sorted(frame, ["accesses"], [False])

    @property
    def accesses(self) -> pandas.DataFrame:
        """The worst access of each conflicting instruction, by lane and word, worst first."""
        frame = self.table("accesses")
        return _sorted(frame, ["degree", "pc", "lane_group", "lane", "part"], [False] + [True] * 4)

    # Pictures and pages.

    @property
    def plot(self) -> RunPlots:
        """Pictures: plot.banks(), plot.lanes(line=7), plot.stalls(), plot.lines()."""
        from .plot import RunPlots

        return RunPlots(self)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page of `fermata report`, which needs no network. Returns its path."""
        target = Path(path).absolute()
        with _program.scratch() as folder:
            self._write_tables(folder)
            sources = folder / "sources"
            sources.mkdir()
            for name, text in self.sources.items():
                (sources / name).write_text(text, encoding="utf-8")
            words = ["--source", str(sources)] if self.sources else []
            _program.call("report", folder, "-o", target, *words)
        return target

    def _repr_html_(self) -> str:
        from . import _html

        return _html.of_run(self)

    def __repr__(self) -> str:
        return (
            f"<Run of {self.workload} on {self['platform']}: {self.cycles:,} cycles, "
            f"{self.conflict_cycles:,} of them conflicts>"
        )

    # Files.

    def _write_tables(self, folder: Path) -> None:
        for name, text in self.tables.items():
            (folder / name).write_bytes(text.encode())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the run as a zip, which load() reads. Equal runs give equal bytes."""
        facts = {
            "command": self.command, "stdout": self.stdout, "sources": dict(self.sources),
            "notes": list(self.notes),
        }  # fmt: skip
        target = Path(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with _program.writing(target), zipfile.ZipFile(
                temporary, "w", zipfile.ZIP_DEFLATED
            ) as file:
                entries: dict[str, bytes] = {
                    name: text.encode() for name, text in sorted(self.tables.items())
                }
                entries[_FACTS] = json.dumps(facts, sort_keys=True).encode()
                for name, array in sorted(self.arrays.items()):
                    buffer = io.BytesIO()
                    np.save(buffer, array, allow_pickle=False)
                    entries[name] = buffer.getvalue()
                for name, data in entries.items():
                    file.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Run:
        """Reads a zip of save(), or a folder of `fermata run --out`."""
        place = Path(path)
        if place.is_dir():
            return Run.read(place)
        try:
            with zipfile.ZipFile(place) as file:
                names = file.namelist()
                if _FACTS not in names or _RUNS not in names:
                    raise ValueError(f"'{place}' is no run; expected a file of Run.save()")
                facts = json.loads(file.read(_FACTS))
                tables = {name: file.read(name).decode() for name in names if name.endswith(".csv")}
                arrays = {
                    name: np.load(io.BytesIO(file.read(name)), allow_pickle=False)
                    for name in names
                    if name.endswith(".npy")
                }
        except zipfile.BadZipFile:
            raise ValueError(f"'{place}' is no run; expected a file of Run.save()") from None
        return Run(
            tables, facts["command"], facts["stdout"], facts["sources"], tuple(facts["notes"]), arrays
        )

    def with_arrays(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Run:
        """Returns the run with arrays that are saved beside it."""
        return replace(self, arrays=dict(arrays))

    def record(self, path: str | os.PathLike[str]) -> Path:
        """Runs again and writes a trace (.csv or .csv.zst). Returns its path."""
        if self.again is None:
            raise errors.BadInput(
                "a loaded run cannot run again", expected="record= of the call that runs"
            )
        job, platform, options = self.again
        target = Path(path).absolute()
        with _program.scratch(need=2 * job.array_bytes) as folder:
            where = [] if platform is None else platform.words()
            _program.call(
                "run", *job.words(folder), *where, *options, "--quiet", "--record", target,
                cwd=folder,
            )  # fmt: skip
        return target

    # Runs are values.

    def _content(self) -> tuple[Any, ...]:
        return tuple(sorted(self.tables.items())), self.stdout

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Run):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())


_SAME = ("workload", "parameters", "platform", "changes")


def _sorted(
    frame: pandas.DataFrame, columns: Sequence[str], ascending: Sequence[bool]
) -> pandas.DataFrame:
    attrs = dict(frame.attrs)
    frame = frame.sort_values(list(columns), ascending=list(ascending), kind="stable")
    frame = frame.reset_index(drop=True)
    frame.attrs.update(attrs)
    return frame


def load(path: str | os.PathLike[str]) -> Any:
    """Reads what a command or save() has written.

    A folder of one run or a zip: a Run. A folder of several runs: a list of Run.
    A folder of a sweep: its DataFrame. A trace: a Trace.
    """
    place = Path(path)
    from .traces import is_trace_name, read_trace

    if is_trace_name(place.name) and not place.is_dir():
        return read_trace(place)
    if (place / "merged" / _RUNS).is_file():
        from .sweeps import frame_of_sweep

        return frame_of_sweep(place)
    if not place.is_dir() or not (place / _RUNS).is_file():
        return Run.load(place)
    tables = {one.name: one.read_bytes().decode() for one in sorted(place.glob("*.csv"))}
    runs = _figures.rows_of(tables[_RUNS])
    if len(runs) == 1:
        return Run(tables)
    return [Run(_only(tables, row)) for row in runs]


def _only(tables: Mapping[str, str], run: Mapping[str, str]) -> dict[str, str]:
    """Returns the rows of one run of several."""
    import csv

    parts = {}
    for name, text in tables.items():
        if name == "schema.csv":
            parts[name] = text
            continue
        rows = [row for row in _figures.rows_of(text) if all(row[key] == run[key] for key in _SAME)]
        out = io.StringIO()
        header = next(csv.reader(io.StringIO(text)))
        writer = csv.DictWriter(out, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        parts[name] = out.getvalue()
    return parts
