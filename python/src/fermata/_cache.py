"""Results on disk, by the hash of all inputs."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _program

if TYPE_CHECKING:
    from ._job import Job
    from .run import Run


class Store:
    """The place of one result. Files appear whole, so that processes may share the folder."""

    def __init__(self, folder: str | os.PathLike[str], parts: Sequence[Any]) -> None:
        program = Path(_program.program()).resolve()
        facts = program.stat()
        digest = hashlib.sha256(f"1 {_program.version()} {facts.st_size} {facts.st_mtime_ns}".encode())
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode()
            digest.update(str(len(data)).encode() + b":" + data)
        key = digest.hexdigest()
        self.path = Path(folder) / key[:2] / f"{key}.zip"

    def find(self, job: Job) -> Run | None:
        """Returns a stored run and copies its arrays back; None: there is none."""
        from .run import Run

        if not self.path.is_file():
            return None
        try:
            run = Run.load(self.path)
        except (OSError, ValueError, KeyError):
            return None  # damaged: the run replaces it
        with _program.scratch() as folder:
            for name, array in run.arrays.items():
                np.save(folder / name, array, allow_pickle=False)
            job.take_back(folder)
        return run

    def keep(self, run: Run, job: Job, tables: Path) -> None:
        """Stores a run with the arrays that came back. A full disk costs the next run's time."""
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            arrays = {path.name: np.load(path, allow_pickle=False) for path in tables.glob("*.npy")}
            handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=".", suffix=".zip")
            os.close(handle)
            try:
                run.with_arrays(arrays).save(temporary)
                os.replace(temporary, self.path)
            finally:
                Path(temporary).unlink(missing_ok=True)
