"""Pictures by matplotlib, in colours that colour-blind readers tell apart (Okabe and Ito)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _figures, errors

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from .run import Run

BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PINK, YELLOW, GREY = "#56B4E9", "#CC79A7", "#F0E442", "#999999"
COLOURS = (BLUE, ORANGE, GREEN, VERMILION, SKY, PINK, YELLOW, GREY)

#: What takes issue slots, with its colour. Conflicts are vermilion in every picture.
SLOTS = {
    "slots_issue": ("issue", GREEN),
    "slots_scratchpad": ("scratchpad", VERMILION),
    "slots_global": ("global memory", BLUE),
    "slots_arithmetic": ("arithmetic", ORANGE),
    "slots_barriers": ("barriers", PINK),
    "slots_units": ("units", YELLOW),
    "slots_no_warp": ("no warp", GREY),
}


def _axes(ax: Axes | None, width: float = 6.4, height: float = 3.2) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise errors.missing("matplotlib", "a picture") from None
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


class RunPlots:
    """Pictures of a run. Each takes axes and returns them."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __call__(self, ax: Axes | None = None) -> Axes:
        """Draws the banks."""
        return self.banks(ax)

    def banks(self, ax: Axes | None = None) -> Axes:
        """Draws words read, written and updated, by bank."""
        ax = _axes(ax)
        banks = self._run.banks.sort_values("bank")
        bottom = banks["reads"] * 0
        for name, colour in (("reads", BLUE), ("writes", ORANGE), ("atomics", GREEN)):
            ax.bar(banks["bank"], banks[name], bottom=bottom, color=colour, label=name)
            bottom = bottom + banks[name]
        ax.set(xlabel="bank", ylabel="words", title=f"{self._run.workload}: words by bank")
        ax.legend(frameon=False)
        return ax

    def lines(self, ax: Axes | None = None, most: int = 10) -> Axes:
        """Draws wavefronts by source line, ideal and excessive, worst first."""
        ax = _axes(ax)
        lines = self._run.lines.head(most)[::-1]
        names = [
            f"{row.file}:{row.line} {row.opcode}" for row in lines.itertuples(index=False)
        ]
        ax.barh(names, lines["ideal"], color=BLUE, label="ideal")
        ax.barh(
            names, lines["excessive"], left=lines["ideal"], color=VERMILION, label="excessive"
        )
        ax.set(xlabel="wavefronts (passes)")
        ax.legend(frameon=False)
        return ax

    def lanes(self, line: int | None = None, ax: Axes | None = None) -> Axes:
        """Draws lanes by banks of the worst access of a line: None: of the worst line."""
        accesses = self._run.accesses
        if line is not None:
            accesses = accesses[accesses["line"] == line]
        if accesses.empty:
            where = "no line conflicts" if line is None else f"line {line} has no conflict"
            raise ValueError(f"{where}; expected one of run.accesses")
        first = accesses.iloc[0]
        rows = accesses[(accesses["pc"] == first["pc"]) & (accesses["kernel"] == first["kernel"])]
        ax = _axes(ax, 5.2, 4.6)
        ax.scatter(rows["bank"], rows["lane"], marker="s", s=18, color=VERMILION)
        banks = int(first["banks"])
        ax.set(
            xlim=(-1, banks), ylim=(32, -1), xlabel="bank", ylabel="lane",
            title=f"{first['source_file']}:{first['line']} {first['opcode']}, "
            f"degree {first['degree']}",
        )  # fmt: skip
        return ax

    def stalls(self, ax: Axes | None = None) -> Axes:
        """Draws what takes the issue slots, in percent."""
        ax = _axes(ax, 6.4, 1.6)
        left = 0.0
        for name, share, colour in slots_of(self._run):
            ax.barh([0], [100 * share], left=left, color=colour, label=name)
            left += 100 * share
        ax.set(xlabel="issue slots (percent)", yticks=[], xlim=(0, 100))
        ax.legend(ncols=4, frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1.7))
        return ax


def slots_of(run: Run) -> list[tuple[str, float, str]]:
    """Returns name, share and colour of what takes issue slots."""
    rows = _figures.rows_of(run.tables.get("bound.csv", ""))
    if not rows:
        return []
    counts = [(name, int(rows[0][key] or 0), colour) for key, (name, colour) in SLOTS.items()]
    whole = sum(count for _, count, _ in counts) or 1
    return [(name, count / whole, colour) for name, count, colour in counts if count]


class SweepPlots:
    """df.fermata of a sweep's DataFrame."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def heatmap(
        self, x: str, y: str, values: str = "cycles", ax: Axes | None = None, cmap: str = "cividis"
    ) -> Axes:
        """Draws a figure by two axes; where others differ, the mean."""
        table = self._frame.pivot_table(index=y, columns=x, values=values)
        ax = _axes(ax, 6.4, 0.6 * len(table) + 1.6)
        picture = ax.imshow(table.to_numpy(dtype=float), aspect="auto", cmap=cmap)
        ax.set_xticks(range(len(table.columns)), [str(one) for one in table.columns])
        ax.set_yticks(range(len(table.index)), [str(one) for one in table.index])
        units = self._frame.attrs.get("units", {})
        label = f"{values} ({units[values]})" if units.get(values, values) != values else values
        ax.figure.colorbar(picture, ax=ax, label=label)
        ax.set(xlabel=x, ylabel=y)
        return ax

    def line(self, x: str, by: str, values: str = "cycles", ax: Axes | None = None) -> Axes:
        """Draws a figure along an axis, one line per value of another."""
        ax = _axes(ax)
        for number, (name, rows) in enumerate(self._frame.groupby(by, sort=True)):
            mean = rows.groupby(x)[values].mean()
            marker = "osD^v<>P"[number % 8]
            ax.plot(
                mean.index, mean.to_numpy(dtype=float), marker=marker,
                color=COLOURS[number % len(COLOURS)], label=str(name),
            )  # fmt: skip
        ax.set(xlabel=x, ylabel=values)
        ax.legend(title=by, frameon=False)
        return ax

    def best(self, values: str = "cycles") -> Any:
        """Returns the row with the least value."""
        return self._frame.loc[self._frame[values].idxmin()]

    def worst(self, values: str = "cycles") -> Any:
        """Returns the row with the greatest value."""
        return self._frame.loc[self._frame[values].idxmax()]

    def _repr_html_(self) -> str:
        from . import _html

        return _html.of_sweep(self._frame)


_registered = False


def register() -> None:
    """Makes df.fermata known to pandas."""
    global _registered
    if not _registered:
        pandas = _figures.pandas_module()
        pandas.api.extensions.register_dataframe_accessor("fermata")(SweepPlots)
        _registered = True
