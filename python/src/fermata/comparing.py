"""Two runs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from . import _figures, errors
from .run import Run

if TYPE_CHECKING:
    import pandas

_KEYS = {"line": ["file", "line", "opcode"], "bank": ["bank"], "figure": ["figure"]}


def compare(
    before: Run,
    after: Run,
    by: Literal["line", "bank", "figure"] = "line",
    *,
    force: bool = False,
) -> pandas.DataFrame:
    """Returns before, after, their difference and ratio, the greatest difference first.

    By line: wavefronts of each source line. By bank: its accesses. By figure: all that differ.
    Runs of different workloads are refused unless `force`.

    >>> from fermata import Workload
    >>> kernel = Workload("transpose", {"tile": 32})
    >>> df = compare(kernel.run("gtx480"), kernel.run("gtx480", mapping="ami 33"))
    >>> df[["line", "before", "after"]].values.tolist()[0]  # passes
    [20, 16384, 512]
    """
    pd = _figures.pandas_module()
    for run in (before, after):
        if not isinstance(run, Run):
            raise TypeError(f"{type(run).__name__} is no run; expected what a launch or load() returns")
    if by not in _KEYS:
        raise ValueError(f"by={by!r}; expected one of {', '.join(_KEYS)}")
    if before.workload != after.workload and not force:
        raise errors.BadInput(
            f"the workloads are '{before.workload}' and '{after.workload}'",
            expected="runs of one workload, or force=True",
        )
    keys = _KEYS[by]
    if by == "figure":
        rows = []
        for name in before:
            if name not in after:
                continue
            one, two = before[name], after[name]
            if isinstance(one, (int, float)) and isinstance(two, (int, float)) and one != two:
                if one == one or two == two:  # not both undefined
                    rows.append({"figure": name, "unit": one.unit, "before": one, "after": two})
        joined = pd.DataFrame(rows, columns=["figure", "unit", "before", "after"])
    else:
        value = "wavefronts" if by == "line" else "accesses"
        tables = [
            (run.lines if by == "line" else run.banks)[[*keys, value]].rename(columns={value: name})
            for run, name in ((before, "before"), (after, "after"))
        ]
        joined = tables[0].merge(tables[1], on=keys, how="outer")
        joined[["before", "after"]] = joined[["before", "after"]].fillna(0).astype("int64")
    joined["difference"] = joined["after"] - joined["before"]
    joined["ratio"] = joined["after"] / joined["before"].where(joined["before"] != 0)
    order = joined["difference"].abs().sort_values(ascending=False, kind="stable").index
    return cast("pandas.DataFrame", joined.loc[order].reset_index(drop=True))


diff = compare
