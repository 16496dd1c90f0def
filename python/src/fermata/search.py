"""Layouts that cure conflicts: padding, swizzles, hashes."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from . import _figures, _job, _program, errors
from ._figures import Column
from .platform import Platform, platform_of

if TYPE_CHECKING:
    import pandas

_COLUMNS = {
    "class": Column("text", "", "mappings searched"),
    "mapping": Column("text", "", "mapping found, as mapping= takes it"),
    "conflicts_before": Column("integer", "passes", "conflicts of word mod banks"),
    "conflicts_after": Column("integer", "passes", "conflicts of the mapping"),
    "rank": Column("integer", "bits", "independent bank bits"),
    "proof": Column("text", "", "conflict-free, optimal, bound=N or heuristic"),
    "where": Column("text", "", "in the kernel or in hardware"),
}


@dataclass(frozen=True)
class Answer:
    """A mapping that a search has found. As text it is what `mapping=` takes.

    >>> best = search(layout="(8,4):(64,8)", atom="ldmatrix.x4", element=2, vector=16)
    >>> str(best["swizzle"]), best["swizzle"].proof
    ('swizzle b=3 m=4 s=3', 'conflict-free')
    >>> best["swizzle"].cute(), best["swizzle"].c()
    ('cute::Swizzle<3,3,3>', 'i ^ ((i >> 3) & 0x38)')
    """

    mapping: str
    kind: str  # class of mappings: "swizzle", "padding", "ami"...
    method: str
    conflicts_before: int  # passes
    conflicts_after: int  # passes
    proof: str  # "conflict-free", "optimal", "bound=N" or "heuristic"
    where: str  # "in the kernel" or "in hardware"
    rank: int | None = None  # bits
    best: bool = False
    element: int = 4  # bytes
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.mapping

    def notations(self) -> dict[str, str]:
        """Returns how libraries write the mapping, by "CuTe", "Triton", "TMA", "C" and "bank"."""
        text = _program.call(
            "map", self.mapping, "--notations", "--element", str(self.element), "--json",
            *self.options,
        ).stdout  # fmt: skip
        return {row["notation"]: row["text"] for row in json.loads(text)}

    def cute(self) -> str:
        """Returns the layout in CuTe's notation."""
        return self._notation("CuTe")

    def triton(self) -> str:
        """Returns the layout in Triton's (Gluon's) notation."""
        return self._notation("Triton")

    def c(self) -> str:
        """Returns the index in C, for an index i of elements."""
        return self._notation("C")

    def bank(self) -> str:
        """Returns the bank of a word w in C."""
        return self._notation("bank")

    def _notation(self, name: str) -> str:
        known = self.notations()
        if name not in known:
            raise errors.BadInput(
                f"'{self.mapping}' has no form in {name}", expected=f"one of {', '.join(known)}"
            )
        return known[name]


@dataclass(frozen=True)
class Answers(Sequence[Answer]):
    """What a search has found: answers by class ("swizzle"), or by place, the best one first."""

    rows: tuple[Answer, ...]
    text: str = ""  # the command's report
    command: str = ""
    left_out: tuple[tuple[str, str], ...] = ()  # class and reason
    layout: tuple[str, ...] = field(default=(), repr=False)  # options that draw it

    @property
    def best(self) -> Answer:
        """The answer that leaves the fewest conflicts; one in the kernel before hardware."""
        return self.rows[0]

    @property
    def proof(self) -> str:
        """What is proven of the best answer."""
        return self.best.proof

    @property
    def table(self) -> pandas.DataFrame:
        """One row per answer, the best one first."""
        rows = [
            {
                "class": one.kind, "mapping": one.mapping, "proof": one.proof, "where": one.where,
                "conflicts_before": str(one.conflicts_before),
                "conflicts_after": str(one.conflicts_after),
                "rank": "" if one.rank is None else str(one.rank),
            }
            for one in self.rows
        ]  # fmt: skip
        return _figures.frame_of(rows, _COLUMNS, _COLUMNS)

    @overload
    def __getitem__(self, key: int | str) -> Answer: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Answer, ...]: ...
    def __getitem__(self, key: int | str | slice) -> Answer | tuple[Answer, ...]:
        if not isinstance(key, str):
            return self.rows[key]
        for one in self.rows:
            if one.kind == key:
                return one
        reasons = [reason for kind, reason in self.left_out if kind == key]
        known = ", ".join(sorted({one.kind for one in self.rows}))
        raise KeyError(f"no answer of class '{key}'" + "".join(f": {one}" for one in reasons)
                       + f"; expected one of {known}")  # fmt: skip

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def page(self) -> str:
        """Returns lanes by banks before and after, as a page of HTML: of a layout or access."""
        if not self.layout:
            raise errors.BadInput("a search of workloads has no page", expected="layout= or access=")
        with _program.scratch() as folder:
            _program.call("search", *self.layout, "--html", folder / "page.html")
            return (folder / "page.html").read_text(encoding="utf-8")

    def _repr_html_(self) -> str:
        from . import _html

        return _html.of_answers(self)


def search(
    *work: Any,
    layout: str | Sequence[str] = (),
    access: str | Sequence[str] = (),
    atom: str | Sequence[str] = (),
    element: int = 4,
    vector: int | None = None,
    classes: Sequence[str] = (),
    platform: Platform | str | os.PathLike[str] | None = None,
    weights: Sequence[int] = (),
    regions: int | None = None,
    keep_occupancy: bool = False,
    seed: int | None = None,
) -> Answers:
    """Finds the mapping that suits accesses to shared memory.

    `work`: launches, workloads or paths. `layout`: accesses as CuTe writes them, shape:stride in
    elements; `atom`: the instruction; `element`: bytes of an element; `vector`: bytes that stay
    together. `classes`: such as "swizzle", "padding", "ami" or "all".

    >>> best = search("transpose", classes=["padding", "ami"], platform="gtx480")
    >>> best["ami"].conflicts_after  # passes
    0
    """
    layouts = [layout] if isinstance(layout, str) else list(layout)
    accesses = [access] if isinstance(access, str) else list(access)
    atoms = [atom] if isinstance(atom, str) else list(atom)
    options = []
    for name, values in (("--layout", layouts), ("--access", accesses), ("--atom", atoms)):
        for value in values:
            options += [name, value]
    if element != 4 or layouts:
        options += ["--element", str(element)]
    if vector is not None:
        options += ["--vector", str(vector)]
    if classes:
        options += ["--class", ",".join([classes] if isinstance(classes, str) else classes)]
    if weights:
        options += ["--weights", ",".join(str(one) for one in weights)]
    if regions is not None:
        options += ["--regions", str(regions)]
    if keep_occupancy:
        options.append("--keep-occupancy")
    if seed is not None:
        options += ["--seed", str(seed)]
    jobs = [_job.job_of(one) for one in work]
    if len(jobs) > 1 and any(job.array_bytes for job in jobs):
        raise TypeError("expected one launch, or workloads only")
    default = jobs[0].default_platform if jobs else "sm_80"
    place = platform_of(platform, default)
    where = [] if place is None else place.words()
    with _program.scratch(need=sum(2 * job.array_bytes for job in jobs)) as folder:
        words = [word for job in jobs for word in job.words(folder)]
        rows = _program.call("search", *words, *options, *where, "--no-apply", "--csv")
        text = _program.call(
            "search", *words, *options, *where, "--no-apply", shown={f"{folder}/": ""}
        )
    return _answers(
        rows.stdout.decode(), text, element, tuple([*options, *where]) if not jobs else ()
    )


def _answers(
    rows: str, text: _program.Outcome, element: int, layout: tuple[str, ...]
) -> Answers:
    found = []
    left_out = []
    for row in csv.DictReader(io.StringIO(rows)):
        if row["left_out"]:
            left_out.append((row["class"], row["left_out"]))
            continue
        found.append(
            Answer(
                row["mapping"], row["class"], row["method"], int(row["conflicts_before"]),
                int(row["conflicts_after"]), row["proof"], row["where"],
                int(row["rank"]) if row["rank"] else None, row["best"] == "1", element,
            )
        )  # fmt: skip
    if not found:
        reasons = "; ".join(f"{kind}: {reason}" for kind, reason in left_out)
        raise errors.BadInput(f"no class was searched: {reasons}")
    found.sort(
        key=lambda one: (one.conflicts_after, one.where != "in the kernel", not one.best)
    )
    return Answers(
        tuple(found), text.stdout.decode(), text.command, tuple(left_out), layout
    )
