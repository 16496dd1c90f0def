"""Finds the program, runs it, and turns its messages into exceptions."""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import errors

_KINDS: dict[str, type[errors.FermataError]] = {
    "compile": errors.CompileError,
    "launch": errors.LaunchError,
    "platform": errors.PlatformError,
    "input": errors.BadInput,
    "usage": errors.BadInput,
    "check": errors.WrongResult,
    "failure": errors.FermataError,
}
_PREFIX = "fermata-py-"
#: A temporary folder in a message. It vanishes, so that messages name its files alone.
_SCRATCH = re.compile(rf"[^\s:'\"(]*/{_PREFIX}\d+-[^/\s]+/")


def program() -> str:
    """Returns the path of the program: FERMATA in the environment, the PATH, or beside the package.

    >>> import os
    >>> os.access(program(), os.X_OK)
    True
    """
    own = os.environ.get("FERMATA")
    if own:
        found = shutil.which(own)
        if found is None:
            raise errors.ProgramMissing(
                f"FERMATA is '{own}', which is no program",
                expected="the path of the program fermata",
            )
        return found
    found = shutil.which("fermata")
    if found is not None:
        return found
    for parent in Path(__file__).resolve().parents:
        for place in ("build/release/bin/fermata", "bin/fermata"):
            if os.access(parent / place, os.X_OK):
                return str(parent / place)
    raise errors.ProgramMissing(
        "the program fermata is not on the PATH",
        expected="it there (apt-get install ./fermata_*.deb), or its path in FERMATA",
    )


def data_folder() -> Path:
    """Returns the folder of the kernels and platforms that come with the program."""
    own = os.environ.get("FERMATA_DATA")
    return Path(own) if own else Path(program()).resolve().parent.parent / "share" / "fermata"


def kernel_folders() -> list[str]:
    """Returns where sources of the kernels that come with the program may be."""
    tree = Path(program()).resolve().parents
    places = [data_folder() / "cuda", *(one / "stimuli" / "cuda" for one in tree[:5])]
    return [str(place) for place in places if place.is_dir()]


def version() -> str:
    """Returns the version of the program.

    >>> version().split(".")[0].isdigit()
    True
    """
    return _version_of(program())


@functools.lru_cache(maxsize=None)
def _version_of(path: str) -> str:
    text = _run_plain([path, "--version"]).stdout.decode().strip()
    return text.split()[-1]


def _run_plain(words: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(words, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise errors.ProgramMissing(f"{words[0]} cannot be started: {error.strerror}") from error


@dataclass(frozen=True)
class Outcome:
    """What a call of the program left."""

    code: int
    stdout: bytes
    notes: tuple[str, ...]
    command: str


def call(
    *words: str | os.PathLike[str],
    allowed: tuple[int, ...] = (0,),
    cwd: str | os.PathLike[str] | None = None,
    shown: Mapping[str, str] | None = None,
    on_message: Callable[[dict[str, Any]], None] | None = None,
) -> Outcome:
    """Runs a command of the program and waits. Raises an exception for its errors.

    `allowed`: exit codes that are no error. `shown`: replacements in Outcome.command.
    """
    command = [program(), *(os.fspath(word) for word in words)]
    wait = [command[0], "--diagnostics", "json", *command[1:]]
    environment = dict(os.environ, FERMATA_PARENT=str(os.getpid()), NO_COLOR="1")
    stdout, messages, code = _communicate(wait, environment, cwd, on_message)
    text = shlex.join(["fermata", *command[1:]])
    for temporary, name in (shown or {}).items():
        text = text.replace(temporary, name)
    notes: list[str] = []
    failures: list[dict[str, Any]] = []
    for message in messages:
        if message["kind"] == "warning" and not failures:
            warnings.warn(_text(message), errors.FermataWarning, stacklevel=3)
        elif message["kind"] in _KINDS:
            failures.append(message)
        else:
            notes.append(_text(message))
    if code not in allowed:
        raise _error_of(code, failures, notes, stdout)
    return Outcome(code, stdout, tuple(notes), text)


#: Programs that run, by the thread that waits for each.
_running: dict[int, subprocess.Popen[bytes]] = {}


def interrupt(threads: Iterable[int]) -> None:
    """Ends the programs that these threads wait for. Each removes what it has written."""
    for thread in threads:
        child = _running.get(thread)
        if child is not None:
            child.send_signal(signal.SIGINT)


def _communicate(
    command: Sequence[str],
    environment: Mapping[str, str],
    cwd: str | os.PathLike[str] | None,
    on_message: Callable[[dict[str, Any]], None] | None,
) -> tuple[bytes, list[dict[str, Any]], int]:
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=cwd,
        )
    except OSError as error:
        raise errors.ProgramMissing(f"{command[0]} cannot be started: {error.strerror}") from error
    _running[threading.get_ident()] = child
    messages: list[dict[str, Any]] = []

    def listen() -> None:
        assert child.stderr is not None
        for line in child.stderr:
            message = _message_of(line)
            messages.append(message)
            if on_message is not None:
                on_message(message)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        assert child.stdout is not None
        stdout = child.stdout.read()
        code = child.wait()
    except BaseException:
        # KeyboardInterrupt: the program removes what it has written, then ends.
        child.send_signal(signal.SIGINT)
        try:
            child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        raise
    finally:
        _running.pop(threading.get_ident(), None)
        listener.join(timeout=10)
        for stream in (child.stdout, child.stderr):
            if stream is not None:
                stream.close()
    return stdout, messages, code


def _message_of(line: bytes) -> dict[str, Any]:
    text = line.decode("utf-8", "replace").rstrip("\n")
    with contextlib.suppress(ValueError):
        message = json.loads(text)
        if isinstance(message, dict) and "kind" in message:
            return {
                name: _SCRATCH.sub("", value) if isinstance(value, str) else value
                for name, value in message.items()
            }
    return {"kind": "note", "message": text}  # what a kernel prints


def _text(message: Mapping[str, Any]) -> str:
    place = ":".join(str(message[key]) for key in ("file", "line", "column") if message.get(key))
    text = str(message["message"])
    if message.get("expected"):
        text += f"; expected {message['expected']}"
    return f"{place}: {text}" if place else text


def _error_of(
    code: int, failures: list[dict[str, Any]], notes: list[str], stdout: bytes
) -> errors.FermataError:
    if not failures:
        if code < 0:
            name = signal.Signals(-code).name
            return errors.FermataError(f"the program was ended by {name}", notes=tuple(notes))
        said = "\n".join(notes) or stdout.decode("utf-8", "replace")[-2000:]
        return errors.FermataError(f"the program ended with exit code {code}\n{said}".rstrip())
    first = failures[0]
    kind = _KINDS[first["kind"]]
    known = {"kind", "file", "line", "column", "message", "expected"}
    return kind(
        first["message"],
        file=first.get("file"),
        line=first.get("line"),
        column=first.get("column"),
        expected=first.get("expected"),
        notes=tuple(_text(other) for other in failures[1:]),
        **{name: value for name, value in first.items() if name not in known},
    )


@contextlib.contextmanager
def writing(place: str | os.PathLike[str]) -> Iterator[None]:
    """Turns the error of a full disk into a FermataError."""
    try:
        yield
    except OSError as error:
        # numpy's own error of a short write has no number.
        if error.errno not in (None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise errors.FermataError(
            f"cannot be written: {error.strerror or error}",
            file=os.fspath(error.filename or place),
            expected="room for it, or another folder in TMPDIR",
        ) from error


@contextlib.contextmanager
def scratch(keep: str | os.PathLike[str] | None = None, need: int = 0) -> Iterator[Path]:
    """Makes a folder that vanishes at the end, in memory if there is room for `need` bytes.

    `keep`: the folder to take instead, which stays.
    """
    if keep is not None:
        folder = Path(keep)
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            yield folder.resolve()
        return
    base = _fast_folder(need)
    _remove_leftovers(base)
    with writing(base or tempfile.gettempdir()), tempfile.TemporaryDirectory(
        prefix=f"{_PREFIX}{os.getpid()}-", dir=base
    ) as path:
        yield Path(path).resolve()


def _fast_folder(need: int) -> str | None:
    memory = "/dev/shm"
    with contextlib.suppress(OSError):
        if (
            "TMPDIR" not in os.environ
            and os.access(memory, os.W_OK)
            and shutil.disk_usage(memory).free > 4 * need + (64 << 20)
        ):
            return memory
    return None


_cleaned: set[str] = set()


def _remove_leftovers(base: str | None) -> None:
    """Removes folders of interpreters that were killed, once per interpreter."""
    place = base or tempfile.gettempdir()
    if place in _cleaned:
        return
    _cleaned.add(place)
    with contextlib.suppress(OSError):
        for entry in os.scandir(place):
            if not entry.name.startswith(_PREFIX) or entry.stat().st_uid != os.getuid():
                continue
            number = entry.name[len(_PREFIX) :].split("-")[0]
            if number.isdigit() and not os.path.exists(f"/proc/{number}"):
                shutil.rmtree(entry.path, ignore_errors=True)
