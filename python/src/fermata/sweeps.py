"""Sweeps: every combination of axes, as a DataFrame."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _figures, _job, _program, errors
from .kernel import Launch, Workload
from .platform import Platform

if TYPE_CHECKING:
    import pandas

    from .run import Run


def sweep(
    axes: Mapping[str, Any] | None = None,
    *,
    dir: str | os.PathLike[str] | None = None,  # noqa: A002
    base: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    progress: bool = False,
    **more: Any,
) -> pandas.DataFrame:
    """Runs every combination of axes and returns one row per point.

    An axis is `workload`, `platform`, `mapping`, `seed`, `prices`, `param.NAME` or the path of a
    parameter of a platform; its values are a sequence. A single value goes to every point.
    `dir`: folder of the sweep; given again, it goes on where it stopped. `jobs`: points at a time.

    >>> df = sweep(workload=["transpose"], mapping=["mod 32", "ami 33"], platform="gtx480",
    ...            **{"param.tile": 32, "scratchpad.latency": range(20, 25, 4)})
    >>> df.pivot_table(index="mapping", columns="scratchpad.latency", values="cycles").shape
    (2, 2)
    """
    given = {**(axes or {}), **more}
    with _program.scratch(dir) as folder:
        study = _study(given, dict(base or {}), folder)
        path = folder / "sweep.toml"
        if not path.is_file() or path.read_text(encoding="utf-8") != study:
            if path.is_file():
                raise errors.BadInput(
                    f"'{folder}' is the folder of another sweep",
                    expected="the same axes, or another folder",
                )
            path.write_text(study, encoding="utf-8")
        points = folder / "points"
        words = ["sweep", "run", str(path), str(points)]
        if (points / "plan.csv").is_file():
            words = ["sweep", "run", str(points)]
        if jobs is not None:
            words += ["-j", str(jobs)]
        with _watch(points, progress):
            _program.call(*words, allowed=(0, 1))
        if not (points / "merged" / "runs.csv").is_file():
            raise errors.FermataError("the sweep was not merged: points are missing")
        frame = frame_of_sweep(points)
    failed = len(frame.attrs["failed"])
    if failed:
        warnings.warn(
            f"{failed} of {failed + len(frame)} points cannot be run: attrs['failed'] says why",
            errors.FermataWarning,
            stacklevel=2,
        )
    return frame


def frame_of_sweep(folder: Path) -> pandas.DataFrame:
    """Returns the table of a merged sweep. attrs["failed"] has the points that cannot be run."""
    merged = folder / "merged"
    schema = _figures.read_schema((merged / "schema.csv").read_text(encoding="utf-8"))
    types = {key[1]: column for key, column in schema.items()}
    text = (merged / "runs.csv").read_text(encoding="utf-8")
    rows = _figures.rows_of(text)
    header = next(iter(_csv_header(text)))
    units = {name: types[name].unit for name in header if name in types}
    guessed = _figures.guessed_frame(text)
    typed = _figures.frame_of(rows, header, types)
    for name in header:
        if name not in types or types[name].type == "text" and name not in _TEXTS:
            typed[name] = guessed[name]
    typed = typed.dropna(axis="columns", how="all")
    typed.attrs["units"] = units
    failed = merged / "failed.csv"
    typed.attrs["failed"] = _figures.guessed_frame(
        failed.read_text(encoding="utf-8") if failed.is_file() else ""
    )
    _accessor()
    return typed


_TEXTS = ("workload", "platform", "mapping", "indexer", "parameters", "changes")


def _csv_header(text: str) -> Iterator[list[str]]:
    import csv
    import io

    yield next(csv.reader(io.StringIO(text)))


def _study(axes: Mapping[str, Any], base: dict[str, Any], folder: Path) -> str:
    lists: dict[str, list[Any]] = {}
    for name, values in axes.items():
        several = isinstance(values, Iterable) and not isinstance(
            values, (str, os.PathLike, Platform, _job.Job)
        )
        if several:
            lists[name] = list(values)
        else:
            base[name] = values
    if "workload" not in lists and "workload" not in base:
        raise TypeError("expected workload=")
    if not lists:
        lists["workload"] = [base.pop("workload")]
    if "platform" not in lists and "platform" not in base:
        base["platform"] = "sm_80"
    for platform in [base.get("platform")]:
        if isinstance(platform, Platform):
            base["platform"] = _platform_file(platform, folder)
    lines = [f"order = {json.dumps(list(lists))}", "[base]"]
    for name, value in base.items():
        lines.append(f"{_key(name)} = {_value(name, value, folder)}")
    lines.append("[axes]")
    for name, values in lists.items():
        cells = ", ".join(_value(name, value, folder) for value in values)
        lines.append(f"{_key(name)} = [{cells}]")
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if name.replace(".", "").replace("_", "").isalnum() else json.dumps(name)


def _platform_file(platform: Platform, folder: Path) -> str:
    path = folder / "inputs" / f"{Path(platform.name).stem}.toml"
    path.parent.mkdir(exist_ok=True)
    if platform.changes:
        platform.save(path)
        return str(path)
    return platform.name


def _value(name: str, value: Any, folder: Path) -> str:
    if value is None:
        raise TypeError(f"axis '{name}' has the value None; expected a number or a text")
    if name == "workload":
        job = _job.job_of(value)
        if isinstance(job, Launch):
            value = str(job.save(folder / "inputs" / job.name))
        elif isinstance(job, Workload):
            if job.params:
                raise TypeError(f"{job.name} has parameters; expected axes 'param.NAME'")
            if len(job.words(folder)) > 1:
                raise TypeError(f"{job.name} has options; expected a trace without")
            value = str(job.path or job.source)
    elif isinstance(value, Platform):
        value = _platform_file(value, folder)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)) or hasattr(value, "item"):
        return str(value)
    return json.dumps(str(value))


@contextlib.contextmanager
def _watch(points: Path, progress: bool) -> Iterator[None]:
    """Shows how many points are done, by tqdm."""
    if not progress:
        yield
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise errors.missing("tqdm", "progress=True") from None
    ended = threading.Event()

    def count() -> int:
        return sum(
            len(files) for kind in ("results", "failed") for _, _, files in os.walk(points / kind)
        )

    def total() -> int | None:
        with contextlib.suppress(OSError):
            lines = (points / "plan.csv").read_text(encoding="utf-8").splitlines()
            return max(len([line for line in lines if line[:1].isdigit()]), 0) or None
        return None

    def show() -> None:
        with tqdm(total=total(), unit="point") as bar:
            while not ended.wait(0.2):
                bar.total = bar.total or total()
                bar.update(count() - bar.n)
            bar.update(count() - bar.n)

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def run_all(
    work: Sequence[Any],
    platform: Platform | str | os.PathLike[str] | None = None,
    *,
    jobs: int | None = None,
    progress: bool = False,
    **options: Any,
) -> list[Run]:
    """Runs launches or workloads, several at a time, and returns their runs in order.

    Each source is compiled once. Options are those of Launch.run().

    >>> [run.cycles for run in run_all(["stride", "stride"], "gtx480", jobs=2)]  # doctest: +ELLIPSIS
    [...]
    """
    todo = [_job.job_of(one) for one in work]
    call: Callable[[_job.Job], Run] = lambda job: job.run(platform, **options)  # noqa: E731
    first = [call(job) for job in todo[:1]]  # compiles before others ask for the same source
    threads: list[int] = []
    pool = ThreadPoolExecutor(
        jobs or len(os.sched_getaffinity(0)),
        initializer=lambda: threads.append(threading.get_ident()),
    )
    runs = [pool.submit(call, job) for job in todo[1:]]
    try:
        rest: Iterable[Run] = (run.result() for run in runs)
        if progress:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                raise errors.missing("tqdm", "progress=True") from None
            rest = tqdm(rest, total=len(todo), initial=len(first), unit="run")
        return first + list(rest)
    except BaseException:
        # An error of one run, or Ctrl-C: no other run goes on unseen.
        pool.shutdown(wait=False, cancel_futures=True)
        while any(run.running() for run in runs):
            _program.interrupt(threads)
            time.sleep(0.1)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _accessor() -> None:
    """Registers df.fermata, once."""
    from . import plot

    plot.register()
