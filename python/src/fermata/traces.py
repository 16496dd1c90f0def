"""Traces: recorded runs that replay without their kernel."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from . import _figures, errors
from .kernel import Workload

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Trace(Workload):
    """A trace as a workload: run(), check() and search() take it."""

    @property
    def text(self) -> str:
        """The lines of the trace."""
        path = Path(self.source)
        data = path.read_bytes()
        if path.suffix == ".zst":
            data = _unpacked(data)
        return data.decode()

    @property
    def instructions(self) -> pandas.DataFrame:
        """Instructions of its kernels: program, pc, opcode, file and line."""
        rows = []
        for line in self.text.splitlines():
            if line.startswith("text,"):
                rows.append(dict(part.split("=", 1) for part in line.split(",")[1:] if "=" in part))
        frame = _figures.pandas_module().DataFrame(rows)
        for name in ("program", "pc", "line"):
            if name in frame:
                frame[name] = frame[name].astype("Int64")
        return cast("pandas.DataFrame", frame)


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """Opens a trace: .csv or .csv.zst of `--record`."""
    place = Path(path)
    if not place.is_file():
        raise FileNotFoundError(f"'{place}' is no file; expected a trace")
    if not place.name.endswith((".csv", ".csv.zst")):
        raise errors.BadInput(f"'{place.name}' is no trace", expected="a .csv or .csv.zst file")
    trace = Trace(place)
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
