"""Arguments of kernels: which arrays go in, which come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Way = Literal["in", "out", "inout"]

_TYPES = {
    "uint8": "u8", "int8": "s8", "uint16": "u16", "int16": "s16", "uint32": "u32",
    "int32": "s32", "uint64": "u64", "int64": "s64", "float16": "f16", "float32": "f32",
    "float64": "f64", "bool": "u8",
}  # fmt: skip
_BITS = {1: "uint8", 2: "uint16"}


@dataclass(frozen=True, eq=False)
class In:
    """An array that the kernel reads. It is never written back.

    >>> In(np.zeros(4, "f4")).array.nbytes
    16
    """

    array: Array


@dataclass(frozen=True, eq=False)
class Out:
    """An array that the kernel writes. What it held before is unknown to the kernel.

    >>> Out(np.empty((8, 8), "i4")).array.shape
    (8, 8)
    """

    array: Array


@dataclass(frozen=True, eq=False)
class InOut:
    """An array that the kernel reads and writes."""

    array: Array


Argument = Any  # an array, In, Out, InOut, or a scalar of numpy


@dataclass(frozen=True, eq=False)
class Bound:
    """An argument as it is handed to the program."""

    name: str
    way: Way | None  # None: a scalar
    type: str
    array: Array | None = None  # contiguous and little-endian
    home: Array | None = None  # the caller's array
    text: str = ""  # value of a scalar

    def word(self, folder: Path) -> str:
        """Returns the value of --arg. Writes the array into `folder`."""
        if self.array is None:
            return f"{self.name}={self.type}:{self.text}"
        if self.way == "out":
            sizes = ",".join(str(size) for size in self.array.shape or (1,))
            return f"{self.name}=out:{self.type}[{sizes}]"
        path = folder / f"{self.name}.in.npy"
        np.save(path, self.array, allow_pickle=False)
        return f"{self.name}={self.way}:{path}"

    def take_back(self, folder: Path) -> None:
        """Copies what the kernel wrote into the caller's array."""
        if self.home is None or self.array is None or self.way == "in":
            return
        made = np.load(folder / f"{self.name}.npy", allow_pickle=False)
        values = made.view(self.array.dtype)
        if self.home.dtype.kind == "V":  # bits of a type that numpy lacks
            values = values.view(self.home.dtype)
        self.home[...] = values.reshape(self.home.shape)


def bind(arguments: Sequence[Argument]) -> tuple[Bound, ...]:
    """Checks arguments and prepares them. Raises TypeError or ValueError that names the argument.

    >>> [one.way for one in bind((In(np.zeros(2, "f4")), np.zeros(2, "f4"), np.int32(2)))]
    ['in', 'inout', None]
    >>> bind((3,))
    Traceback (most recent call last):
    TypeError: argument 0 is int 3, which has no width; expected numpy.int32(3) or another type
    """
    if not isinstance(arguments, (tuple, list)):
        raise TypeError(
            f"arguments are {type(arguments).__name__}; expected a tuple of them, such as (x,)"
        )
    bound = tuple(_bound(number, argument) for number, argument in enumerate(arguments))
    arrays = [(number, one.home) for number, one in enumerate(bound) if one.home is not None]
    for place, (number, array) in enumerate(arrays):
        for other, second in arrays[:place]:
            if np.may_share_memory(array, second) and np.shares_memory(array, second):
                raise ValueError(
                    f"arguments {other} and {number} share memory; expected arrays apart, as each "
                    "becomes a buffer of its own"
                )
    return bound


def _bound(number: int, argument: Argument) -> Bound:
    name = f"arg{number}"
    way: Way
    if isinstance(argument, In):
        way, array = "in", argument.array
    elif isinstance(argument, Out):
        way, array = "out", argument.array
    elif isinstance(argument, InOut):
        way, array = "inout", argument.array
    elif isinstance(argument, np.ndarray):
        array = argument
        way = "inout" if array.flags.writeable else "in"
    elif isinstance(argument, np.generic):
        return _scalar(name, number, argument)
    elif isinstance(argument, (bool, int, float)):
        kind = "float32" if isinstance(argument, float) else "int32"
        raise TypeError(
            f"argument {number} is {type(argument).__name__} {argument}, which has no width; "
            f"expected numpy.{kind}({argument}) or another type"
        )
    else:
        raise TypeError(
            f"argument {number} is {type(argument).__name__}; expected an array or a scalar of numpy"
        )
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"argument {number} wraps {type(array).__name__}; expected an array of numpy"
        )
    if array.size == 0:
        raise ValueError(f"argument {number} has no elements; expected one or more")
    if way != "in" and not array.flags.writeable:
        raise ValueError(f"argument {number} comes back but is read-only; expected In(array)")
    type_name, bits = _type_of(number, array.dtype)
    plain = np.ascontiguousarray(array).reshape(array.shape)
    if plain.dtype.byteorder == ">":
        plain = plain.astype(plain.dtype.newbyteorder("<"))
    return Bound(name, way, type_name, plain.view(bits) if bits else plain, array)


def _type_of(number: int, dtype: np.dtype[Any]) -> tuple[str, str | None]:
    """Returns the type of the program, and the dtype of bits for a type that numpy lacks."""
    if dtype.name in _TYPES:
        return _TYPES[dtype.name], None
    if dtype.kind == "V" and dtype.names is None and dtype.name.startswith(("bfloat", "float8")):
        bits = _BITS[dtype.itemsize]
        return _TYPES[bits], bits
    raise TypeError(
        f"argument {number} has the dtype {dtype}; expected bool, int8 to int64, uint8 to uint64, "
        "float16 to float64, or the bits of another type as a view: array.view('u4')"
    )


def _scalar(name: str, number: int, value: np.generic) -> Bound:
    type_name, bits = _type_of(number, value.dtype)
    if bits:
        value = value.view(bits)
    if isinstance(value, np.floating):
        text = repr(float(value))
    else:
        text = str(int(value))  # type: ignore[call-overload]
    return Bound(name, None, type_name, text=text)
