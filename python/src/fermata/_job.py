"""Work for the program: what launches and workloads have in common."""

from __future__ import annotations

import abc
import functools
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _cache, _program
from .platform import Platform, Value, platform_of

if TYPE_CHECKING:
    from .run import Run

_SOURCES = (".cu", ".cuh", ".h", ".hh", ".hpp", ".inc", ".ptx")


class Job(abc.ABC):
    """Something that runs on a platform."""

    @property
    @abc.abstractmethod
    def default_platform(self) -> str | None:
        """Name of the platform of a call without one; None: the program chooses it."""

    @property
    @abc.abstractmethod
    def array_bytes(self) -> int:
        """Bytes of its arrays."""

    @abc.abstractmethod
    def words(self, folder: Path) -> list[str]:
        """Returns the words of the command line. Writes files that they name into `folder`."""

    @abc.abstractmethod
    def take_back(self, folder: Path) -> None:
        """Copies arrays from `folder` to the caller."""

    @abc.abstractmethod
    def sources(self) -> dict[str, str]:
        """Returns the text of sources by file name."""

    @abc.abstractmethod
    def identity(self) -> list[bytes]:
        """Returns all that results depend on, besides platform and program."""

    def run(
        self,
        platform: Platform | str | os.PathLike[str] | None = None,
        *,
        mapping: object = None,
        set: Mapping[str, Value] | None = None,  # noqa: A002
        params: Mapping[str, Value] | None = None,
        record: str | os.PathLike[str] | None = None,
        software_hash: object = None,
        check_uninitialised: bool = False,
        allow_stray_reads: bool = False,
        budget: int | None = None,
        power: str | None = None,
        keep: str | os.PathLike[str] | None = None,
        cache: str | os.PathLike[str] | None = None,
    ) -> Run:
        """Runs on a platform and returns what happened.

        `mapping`: bank mapping, such as "ami 33" or an answer of search().
        `set`: parameters of the platform. `params`: parameters of a workload.
        `record`: file of a trace (.csv or .csv.zst). `budget`: most warp instructions.
        `power`: name of a price table (`fermata prices`); energies are in picojoules.
        `keep`: folder for the tables and the program's files, which otherwise vanish.
        `cache`: folder of results; equal inputs and an equal program are not run again.
        """
        from .run import Run

        options: list[str] = []
        if record is not None:
            options += ["--record", os.fspath(Path(record).absolute())]
        if software_hash is not None:
            options += ["--software-hash", str(software_hash)]
        if check_uninitialised:
            options.append("--check-uninitialised")
        if allow_stray_reads:
            options.append("--allow-stray-reads")
        if budget is not None:
            options += ["--budget", str(budget)]
        if power is not None:
            options += ["--power", power]
        for name, value in (params or {}).items():
            options += ["--param", f"{name}={value}"]
        place = platform_of(platform, self.default_platform, mapping, set)
        where = [] if place is None else place.words()
        store: _cache.Store | None = None
        if cache is not None and record is None and keep is None:
            store = _cache.Store(cache, [*self.identity(), *_identity_of(place), *options])
            found = store.find(self)
            if found is not None:
                return found
        with _program.scratch(keep, 2 * self.array_bytes) as folder:
            tables = folder / "tables"
            tables.mkdir(exist_ok=True)
            outcome = _program.call(
                "run", *self.words(folder), *where, *options, "--out", tables,
                shown={f"{tables}": "OUT", f"{folder}/": ""},
            )  # fmt: skip
            self.take_back(tables)
            stdout = _own_output(outcome.stdout)
            run = Run.read(
                tables, command=outcome.command, stdout=stdout, sources=self.sources(),
                notes=outcome.notes, again=(self, place, tuple(options)),
            )  # fmt: skip
            if store is not None:
                store.keep(run, self, tables)
        return run

    @contextmanager
    def files(self) -> Iterator[list[str]]:
        """Yields the words of a command line whose files exist meanwhile."""
        with _program.scratch(need=2 * self.array_bytes) as folder:
            yield self.words(folder)


def _identity_of(platform: Platform | None) -> list[str]:
    if platform is None or not platform.name:
        return [repr(platform)]
    return [_text_of(platform)]


@functools.lru_cache(maxsize=256)
def _text_of(platform: Platform) -> str:
    return platform.text()


def _own_output(stdout: bytes) -> str:
    """Returns what kernels print: the program's output without its table and its last lines."""
    lines = stdout.decode("utf-8", "replace").splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith("workload ") and number + 1 < len(lines):
            if set(lines[number + 1].strip()) <= {"-", " "}:
                return "".join(lines[:number])
    return "".join(lines)


def headers(folders: Sequence[str]) -> dict[str, str]:
    """Returns the text of sources in folders by name."""
    texts: dict[str, str] = {}
    for folder in folders:
        for path in sorted(Path(folder).iterdir()) if Path(folder).is_dir() else ():
            small = path.suffix in _SOURCES and path.is_file() and path.stat().st_size < 1 << 20
            if small and path.name not in texts:
                texts[path.name] = path.read_text(encoding="utf-8", errors="replace")
    return texts


def is_machine_trace(name: str) -> bool:
    """Returns whether a file name is that of a trace of machine code, or of a list of them."""
    return name.startswith("kernelslist") or without_machine_suffix(name) != name


def without_machine_suffix(name: str) -> str:
    """Returns the name without the endings of a trace of machine code."""
    bare = name.removesuffix(".xz")
    for ending in (".traceg", ".tracez", ".trace"):
        if bare.endswith(ending):
            return bare.removesuffix(ending)
    return name


def contents(path: Path) -> list[bytes]:
    """Returns what identifies a file; of one that names others, also those beside it.

    A large file beside it is known by its size and the time of its last change.
    """
    files = [path]
    if path.suffix == ".toml" or path.name.startswith("kernelslist"):
        files += sorted(one for one in path.parent.iterdir() if one.is_file() and one != path)
    parts = []
    for one in files:
        facts = one.stat()
        if facts.st_size < 1 << 26 or one == path:
            parts += [one.name.encode(), hashlib.sha256(one.read_bytes()).digest()]
        else:
            parts += [one.name.encode(), f"{facts.st_size} {facts.st_mtime_ns}".encode()]
    return parts


def job_of(work: Any) -> Job:
    """Returns the work of an argument: a launch, a workload, a kernel of a launch file, a name."""
    from .kernel import Kernel, Workload

    if isinstance(work, Job):
        return work
    if isinstance(work, Kernel):
        if work.workload is None:
            raise TypeError(f"{work} has no arguments; expected kernel.bind(grid, block, args)")
        return work.workload
    if isinstance(work, (str, os.PathLike)):
        return Workload(work)
    raise TypeError(
        f"{type(work).__name__} does not run; expected a Launch, a Workload, or its name or path"
    )
