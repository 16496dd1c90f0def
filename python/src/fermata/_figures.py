"""Figures with units, and tables of CSV with their types."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import errors

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Column:
    """A column of a table: its type ("integer", "real" or "text"), unit and description."""

    type: str = "text"
    unit: str = ""
    description: str = ""


Schema = Mapping[tuple[str, str], Column]


class _Described:
    """Unit and description of a figure."""

    unit: str = ""
    description: str = ""


class IntFigure(int, _Described):
    """A whole number with its unit.

    >>> figure_of("24763", Column("integer", "cycles")).unit
    'cycles'
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _figure, (IntFigure, int(self), self.unit, self.description)


class FloatFigure(float, _Described):
    """A number with its unit; NaN: the figure is not defined."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _figure, (FloatFigure, float(self), self.unit, self.description)


class TextFigure(str, _Described):
    """A text, such as the name of a mapping."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _figure, (TextFigure, str(self), self.unit, self.description)


Figure = IntFigure | FloatFigure | TextFigure


def _figure(kind: type[Any], value: Any, unit: str, description: str) -> Any:
    figure = kind(value)
    figure.unit = unit
    figure.description = description
    return figure


def figure_of(cell: str, column: Column) -> Figure:
    """Returns the value of a cell."""
    kind: type[Any] = TextFigure
    value: Any = cell
    if column.type in ("integer", "real"):
        kind, value = FloatFigure, float(cell or "nan")
        if column.type == "integer" and cell:
            kind, value = IntFigure, int(cell)
    figure: Figure = _figure(kind, value, column.unit, column.description)
    return figure


def read_schema(text: str) -> dict[tuple[str, str], Column]:
    """Returns the columns of schema.csv by file and name."""
    schema = {}
    for row in csv.DictReader(io.StringIO(text)):
        schema[row["file"], row["column"]] = Column(row["type"], row["unit"], row["description"])
    return schema


def rows_of(text: str) -> list[dict[str, str]]:
    """Returns the rows of a CSV."""
    return list(csv.DictReader(io.StringIO(text)))


def pandas_module() -> Any:
    """Imports pandas when it is first needed."""
    try:
        import pandas
    except ImportError:
        raise errors.missing("pandas", "a table") from None
    return pandas


def frame_of(
    rows: Iterable[Mapping[str, str]],
    columns: Iterable[str],
    types: Mapping[str, Column],
) -> pandas.DataFrame:
    """Returns a DataFrame whose columns have the types of the schema; an empty cell is NA."""
    pandas = pandas_module()
    names = list(columns)
    cells = list(rows)
    series = {}
    for name in names:
        values = [row.get(name) or "" for row in cells]
        column = types.get(name, Column())
        if column.type == "integer":
            numbers = [int(value) if value else None for value in values]
            if None not in numbers:
                series[name] = pandas.Series(numbers, dtype="int64")
            else:
                series[name] = pandas.Series(numbers, dtype="Int64")
        elif column.type == "real":
            series[name] = pandas.Series(
                [float(value) if value else float("nan") for value in values], dtype="float64"
            )
        else:
            series[name] = pandas.Series(values, dtype="object")
    frame = pandas.DataFrame(series, columns=names)
    frame.attrs["units"] = {name: types[name].unit for name in names if name in types}
    return frame


def guessed_frame(text: str) -> pandas.DataFrame:
    """Returns the DataFrame of a CSV without a schema: columns of numbers are numbers."""
    rows = rows_of(text)
    header: list[str] = next(csv.reader(io.StringIO(text)), [])
    types = {}
    for name in header:
        values = [row[name] for row in rows if row[name]]
        kind = "text"
        for candidate, convert in (("integer", int), ("real", float)):
            try:
                for value in values:
                    convert(value)
            except ValueError:
                continue
            kind = candidate
            break
        types[name] = Column(kind if values else "text")
    return frame_of(rows, header, types)
