"""Traces: recorded runs that replay without their kernel."""

from __future__ import annotations

import lzma
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from . import _figures, _job, errors
from .kernel import Workload

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Trace(Workload):
    """A trace as a workload: run(), check() and search() take it."""

    unknown_opcodes: str | None = None  # class of opcodes that are not known: "integer"
    shared: int | None = None  # bytes of shared memory per block, in the place of the header's
    registers: int | None = None  # of a thread, in the place of the header's

    @property
    def is_machine_code(self) -> bool:
        """True for a trace of a GPU's machine code (SASS), by Accel-Sim's tracer."""
        return _job.is_machine_trace(Path(self.source).name)

    @property
    def text(self) -> str:
        """The lines of the trace."""
        path = Path(self.source)
        if ".tracez" in path.suffixes:
            raise errors.BadInput(f"'{path.name}' is in frames of zstd", expected="a .traceg file")
        data = path.read_bytes()
        if path.suffix == ".zst":
            data = _unpacked(data)
        elif path.suffix == ".xz":
            data = lzma.decompress(data)
        return data.decode()

    def words(self, folder: Path) -> list[str]:
        words = super().words(folder)
        if self.unknown_opcodes is not None:
            words += ["--unknown-opcodes", self.unknown_opcodes]
        if self.shared is not None:
            words += ["--trace-shared", str(self.shared)]
        if self.registers is not None:
            words += ["--trace-registers", str(self.registers)]
        return words

    def identity(self) -> list[bytes]:
        return [*super().identity(), *(word.encode() for word in self.words(Path())[1:])]

    @property
    def instructions(self) -> pandas.DataFrame:
        """Instructions of its kernels: program, pc, opcode, file and line."""
        if self.is_machine_code:
            raise errors.BadInput(
                "a trace of machine code lists no instructions",
                expected="those of a run: trace.run().table('instructions')",
            )
        rows = []
        for line in self.text.splitlines():
            if line.startswith("text,"):
                rows.append(dict(part.split("=", 1) for part in line.split(",")[1:] if "=" in part))
        frame = _figures.pandas_module().DataFrame(rows)
        for name in ("program", "pc", "line"):
            if name in frame:
                frame[name] = frame[name].astype("Int64")
        return cast("pandas.DataFrame", frame)


def is_trace_name(name: str) -> bool:
    """Returns whether a file name is that of a trace."""
    return name.endswith((".csv", ".csv.zst")) or _job.is_machine_trace(name)


def read_trace(
    path: str | os.PathLike[str],
    *,
    unknown_opcodes: str | None = None,
    shared: int | None = None,
    registers: int | None = None,
) -> Trace:
    """Opens a trace: .csv or .csv.zst of `--record`, or one of Accel-Sim's tracer.

    Accel-Sim's are kernels (.traceg, .trace, .tracez, each also with .xz) and lists of kernels
    (kernelslist.g). They alone take options. `unknown_opcodes="integer"`: the class of opcodes that
    are not known. `shared`, `registers`: bytes per block and registers per thread, in the place of
    the header's.
    """
    place = Path(path)
    if not place.is_file():
        raise FileNotFoundError(f"'{place}' is no file; expected a trace")
    if not is_trace_name(place.name):
        raise errors.BadInput(
            f"'{place.name}' is no trace",
            expected="a .csv, .csv.zst, .traceg, .trace or .tracez file, or kernelslist.g",
        )
    trace = Trace(place, {}, unknown_opcodes, shared, registers)
    if trace.is_machine_code:
        return trace
    first = trace.text.partition("\n")[0]
    if not first.startswith("fermata-trace,"):
        raise errors.BadInput(
            "this is no trace", file=str(place), line=1, expected="'fermata-trace,1' first"
        )
    return trace


def _unpacked(data: bytes) -> bytes:
    try:
        import zstandard
    except ImportError:
        pass
    else:
        unpacked: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(data)
        return unpacked
    try:
        return subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise errors.missing("zstandard", "a compressed trace") from None
