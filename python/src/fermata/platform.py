"""Platforms: the machines that kernels run on."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _program

Value = str | int | float | bool


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@dataclass(frozen=True)
class Platform(Mapping[str, Any]):
    """A platform by name or file, with changed parameters. A mapping of all parameters.

    >>> sm = Platform("sm_80").change({"scratchpad.latency": 20}, mapping="ami 33")
    >>> sm["scratchpad.latency"], sm["scratchpad.banks"]
    (20, 33)
    >>> Platform("sm_80")["scratchpad.banks"]  # banks
    32
    """

    name: str = "sm_80"
    changes: tuple[tuple[str, str], ...] = field(default=())

    @staticmethod
    def load(name: str | os.PathLike[str]) -> Platform:
        """Opens a platform: a name of `fermata platforms`, or the path of a platform file.

        >>> Platform.load("gtx480")["scratchpad.latency"]  # cycles
        24
        """
        platform = Platform(os.fspath(name))
        platform.text()  # checks it
        return platform

    def change(
        self, changes: Mapping[str, Value] | None = None, *, mapping: str | None = None
    ) -> Platform:
        """Returns a platform with other values, checked when it is used.

        `mapping`: the bank mapping (scratchpad.indexer).
        """
        new = dict(self.changes)
        for path, value in (changes or {}).items():
            new[path] = _text(value)
        if mapping is not None:
            new["scratchpad.indexer"] = str(mapping)
        return Platform(self.name, tuple(new.items()))

    def words(self) -> list[str]:
        """Returns the options that name the platform on the command line."""
        name = self.name
        if name.endswith(".toml") or os.sep in name:
            name = os.path.abspath(name)
        words = ["--platform", name] if name else []
        for path, value in self.changes:
            words += ["--set", f"{path}={value}"]
        return words

    def text(self) -> str:
        """Returns the platform file, with every parameter, its unit and source."""
        return _program.call("show", *self.words()).stdout.decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a platform file that `load` and the command line take."""
        target = Path(path)
        with _program.scratch() as folder:
            (folder / "platform.toml").write_text(self.text())
            data = (folder / "platform.toml").read_bytes()
        temporary = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with _program.writing(target):
                temporary.write_bytes(data)
                os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)

    def _parameters(self) -> dict[str, Any]:
        return _flat(tomllib.loads(self.text()))

    def __getitem__(self, path: str) -> Any:
        known = self._parameters()
        if path not in known:
            near = difflib.get_close_matches(path, known, 3)
            raise KeyError(
                f"no parameter '{path}' of {self.name}; expected "
                + (" or ".join(near) if near else "one of list(platform)")
            )
        return known[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters())

    def __len__(self) -> int:
        return len(self._parameters())

    def __hash__(self) -> int:
        return hash((self.name, self.changes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Platform):
            return NotImplemented
        return (self.name, self.changes) == (other.name, other.changes)

    def __repr__(self) -> str:
        changes = "".join(f", {path}={value!r}" for path, value in self.changes)
        return f"Platform({self.name!r}{changes})"


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict) and "value" in value:
            flat[prefix + key] = value["value"]
        elif isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def platform_of(
    platform: Platform | str | os.PathLike[str] | None,
    default: str | None,
    mapping: object = None,
    set: Mapping[str, Value] | None = None,  # noqa: A002
) -> Platform | None:
    """Returns the platform of a call; None: the program chooses it by the launch file."""
    if platform is None:
        if default is None and mapping is None and not set:
            return None
        platform = default or ""  # the program chooses it
    if not isinstance(platform, Platform):
        platform = Platform(os.fspath(platform))
    if mapping is not None or set:
        platform = platform.change(set, mapping=None if mapping is None else str(mapping))
    return platform
