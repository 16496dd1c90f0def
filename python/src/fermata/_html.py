"""What notebooks show. No script and no network: tables and bars of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from .plot import BLUE, VERMILION, slots_of

if TYPE_CHECKING:
    import pandas

    from .run import Run
    from .search import Answers

_MOST_LINES = 5


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    cells = "".join(f"<th style='text-align:left'>{escape(one)}</th>" for one in head)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td style='text-align:{'right' if isinstance(one, (int, float)) else 'left'}'>"
            f"{f'{one:,}' if isinstance(one, (int, float)) else escape(str(one))}</td>"
            for one in row
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _bar(parts: Iterable[tuple[str, float, str]]) -> str:
    shown = list(parts)
    bar = "".join(
        f"<span title='{escape(name)}: {100 * share:.1f}%' style='display:inline-block;height:14px;"
        f"width:{100 * share:.2f}%;background:{colour}'></span>"
        for name, share, colour in shown
    )
    legend = " ".join(
        f"<span style='white-space:nowrap'><span style='color:{colour}'>&#9632;</span> "
        f"{escape(name)} {100 * share:.0f}%</span>"
        for name, share, colour in shown
    )
    return (
        f"<div style='width:40em;max-width:100%;white-space:nowrap;font-size:0'>{bar}</div>"
        f"<div style='font-size:85%'>issue slots: {legend}</div>"
    )


def of_run(run: Run) -> str:
    """Returns headline, bar of issue slots, and the worst lines with their source."""
    conflicts = run.conflict_cycles
    share = 100 * conflicts / run.cycles if run.cycles else 0
    head = (
        f"<b>{escape(run.workload)}</b> on <b>{escape(str(run['platform']))}</b>: "
        f"{run.cycles:,} cycles, {conflicts:,} conflict cycles ({share:.0f}%)"
    )
    text = f"<div>{head}</div>" + _bar(slots_of(run))
    if run.bound:
        text += f"<div>{escape(run.bound)}</div>"
    rows = [
        (
            f"{line['file']}:{line['line']}", line["opcode"], line["wavefronts"],
            line["excessive"], line["max_degree"], line["source"],
        )
        for line in run._lines()[:_MOST_LINES]
    ]  # fmt: skip
    head_row = ("line", "opcode", "wavefronts", "excessive", "worst degree", "source")
    return text + (_table(head_row, rows) if rows else "<div>no shared accesses</div>")


def of_answers(answers: Answers) -> str:
    """Returns the answers, and lanes by banks before and after of a layout."""
    rows = [
        (one.mapping, one.where, one.conflicts_before, one.conflicts_after, one.proof)
        for one in answers.rows
    ]
    head = ("mapping", "where", "conflicts before", "after", "proof")
    text = _table(head, rows)
    if not answers.layout:
        return text
    page = answers.page()
    return text + (
        f"<iframe srcdoc='{escape(page, quote=True)}' sandbox='' "
        "style='width:100%;height:460px;border:0' title='lanes by banks, before and after'></iframe>"
    )


def of_sweep(frame: pandas.DataFrame) -> str:
    """Returns the best and the worst point, and how many failed."""
    axes = [name for name in frame.columns[: list(frame.columns).index("cycles")]]
    varied = [name for name in axes if frame[name].nunique() > 1]
    rows: list[Sequence[Any]] = []
    for word, index, colour in (
        ("best", frame["cycles"].idxmin(), BLUE),
        ("worst", frame["cycles"].idxmax(), VERMILION),
    ):
        row = frame.loc[index]
        rows.append((word, *[str(row[name]) for name in varied], int(row["cycles"])))
        del colour
    failed = len(frame.attrs.get("failed", ()))
    return (
        f"<div><b>{len(frame)} points</b>, {failed} failed</div>"
        + _table(("", *varied, "cycles"), rows)
    )
