"""Exceptions. Each names the place in the user's input, if there is one."""

from __future__ import annotations

from typing import Any


class FermataWarning(UserWarning):
    """A run tolerated something that its user should know."""


class FermataError(Exception):
    """A command failed.

    >>> error = FermataError("no such key", file="my.toml", line=3, column=1, expected="latency")
    >>> print(error)
    my.toml:3:1: no such key; expected latency
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        expected: str | None = None,
        notes: tuple[str, ...] = (),
        **details: Any,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.expected = expected
        #: Further messages of the compiler, each with its place.
        self.notes = notes
        #: Further members of the message.
        self.details = details

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        text = f"{place}: {self.message}" if place else self.message
        if self.expected:
            text += f"; expected {self.expected}"
        return "\n".join((text, *self.notes))

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.message, self.__dict__.copy())


def _again(kind: type[FermataError], message: str, state: dict[str, Any]) -> FermataError:
    error = kind(message)
    error.__dict__.update(state)
    return error


class BadInput(FermataError):
    """An input is wrong: a launch, a launch file, a trace, an option."""


class CompileError(FermataError):
    """The compiler refuses the source. `file`, `line` and `column` are the compiler's own."""


class PlatformError(FermataError):
    """A platform file, or a change of a platform, is wrong."""


class LaunchError(FermataError):
    """The kernel did what it must not, such as a load outside of every array."""

    @property
    def address(self) -> int | None:
        """Address of the access."""
        text = self.details.get("address")
        return None if text is None else int(text, 16)

    @property
    def lane(self) -> int | None:
        """Lane of the warp; None: the whole warp."""
        return self.details.get("lane")

    @property
    def cta(self) -> tuple[int, int, int] | None:
        """Index of the block in the grid."""
        if "cta_x" not in self.details:
            return None
        return self.details["cta_x"], self.details["cta_y"], self.details["cta_z"]


class WrongResult(FermataError):
    """A buffer differs from the reference that a launch file names."""


class ProgramMissing(FermataError):
    """The program `fermata` cannot be found or started."""


class ConflictsFound(FermataError, AssertionError):
    """Lines conflict more than a limit allows. The text has one line per finding."""


def missing(package: str, use: str) -> ImportError:
    """Returns the error for a package that is imported only when it is asked for."""
    return ImportError(
        f"{use} needs {package}; expected it for this interpreter "
        f"(Debian: apt-get install python3-{package})",
        name=package,
    )
