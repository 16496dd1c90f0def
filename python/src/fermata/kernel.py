"""Modules, kernels and launches."""

from __future__ import annotations

import json
import operator
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from . import _job, _program, arrays, errors
from .platform import Platform, Value
from .run import Run

Sizes = int | Sequence[int]
Where = Platform | str | os.PathLike[str] | None


@dataclass(frozen=True)
class Metadata:
    """How a compiled kernel is launched, as Triton's JSON beside its PTX says."""

    name: str | None = None
    shared: int = 0  # bytes of dynamic shared memory
    threads: int | None = None  # of a block
    #: Bytes of scratch buffers that the compiler appends to the arguments, per block of the grid.
    scratch: tuple[int, ...] = ()

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Metadata:
        """Reads Triton's JSON."""
        try:
            facts = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise errors.BadInput(
                "this is no JSON", file=os.fspath(path), line=getattr(error, "lineno", None),
                expected="the file that Triton writes beside a PTX",
            ) from None  # fmt: skip
        warps = facts.get("num_warps")
        size = facts.get("warp_size", facts.get("threads_per_warp", 32))
        return Metadata(
            facts.get("name"),
            int(facts.get("shared") or 0),
            None if warps is None else int(warps) * int(size),
            tuple(
                int(facts.get(key) or 0)
                for key in ("global_scratch_size", "profile_scratch_size")
                if key in facts
            ),
        )


class Module:
    """Kernels of one source file.

    Module(path="tile.cu", arch="sm_80"): a file of CUDA, or of PTX.
    Module("extern \\"C\\" __global__ void k() {}"): the text itself, CUDA.
    Module(ptx=...): PTX, as text or as the path of a file. Triton's JSON beside it is read.

    >>> Module('extern "C" __global__ void k() {}', arch="sm_80").get_function("k")
    Kernel('k')
    """

    def __init__(
        self,
        code: str | None = None,
        *,
        path: str | os.PathLike[str] | None = None,
        ptx: str | os.PathLike[str] | None = None,
        arch: str | None = None,
        include: Sequence[str | os.PathLike[str]] = (),
        define: Sequence[str] | Mapping[str, object] = (),
        metadata: str | os.PathLike[str] | Metadata | None = None,
    ) -> None:
        if sum(given is not None for given in (code, path, ptx)) != 1:
            raise TypeError("expected one of code, path= and ptx=")
        if code is not None and not isinstance(code, str):
            raise TypeError(f"code is {type(code).__name__}; expected text of CUDA")
        if code is not None and code.endswith((".cu", ".ptx")):
            raise TypeError(f"'{code}' is no code; expected path={code!r}")
        self.name = "kernel.cu"
        self.path: str | None = None
        self.code: str | None = code
        if ptx is not None:
            self._take_ptx(ptx)
        elif path is not None:
            self.path = os.fspath(path)
            if not Path(self.path).is_file():
                raise FileNotFoundError(f"'{self.path}' is no file; expected a .cu or .ptx file")
        if self.path is not None:
            self.path = str(Path(self.path).absolute())
            self.name = Path(self.path).name
        self.arch = arch
        self.include = tuple(str(Path(folder).absolute()) for folder in include)
        if isinstance(define, Mapping):
            define = [f"{name}={value}" for name, value in define.items()]
        self.define = tuple(define)
        self.metadata = self._metadata(metadata)

    def _take_ptx(self, ptx: str | os.PathLike[str]) -> None:
        self.name = "kernel.ptx"
        if not isinstance(ptx, (str, os.PathLike)):
            raise TypeError(f"ptx is {type(ptx).__name__}; expected text, or the path of a file")
        text = os.fspath(ptx)
        if "\n" in text:
            self.code = text
        elif not Path(text).is_file():
            raise FileNotFoundError(f"'{text}' is no file; expected PTX, or the path of a .ptx file")
        else:
            self.path = text

    def _metadata(self, given: str | os.PathLike[str] | Metadata | None) -> Metadata:
        if isinstance(given, Metadata):
            return given
        if given is not None:
            return Metadata.read(given)
        if self.path is not None and self.is_ptx:
            beside = Path(self.path).with_suffix(".json")
            if beside.is_file():
                return Metadata.read(beside)
        return Metadata()

    @property
    def is_ptx(self) -> bool:
        """True for a module of PTX."""
        return self.name.endswith(".ptx")

    @property
    def text(self) -> str:
        """Source of the module."""
        if self.code is not None:
            return self.code
        assert self.path is not None
        return Path(self.path).read_text(encoding="utf-8", errors="replace")

    @property
    def target(self) -> str | None:
        """Architecture of the code: that of a PTX, or what CUDA is compiled for."""
        if not self.is_ptx:
            return self.arch
        found = re.search(r"^\s*\.target\s+(sm_\d+)", self.text, re.MULTILINE)
        return found.group(1) if found else self.arch

    def get_function(self, name: str | None = None) -> Kernel:
        """Returns a kernel by its name in C++; None: the one that Triton's JSON names."""
        if name is None:
            name = self.metadata.name
        if name is None:
            raise TypeError("expected the kernel's name: no JSON beside the PTX has it")
        return Kernel(self, name)

    def __getitem__(self, name: str) -> Kernel:
        return self.get_function(name)

    def __repr__(self) -> str:
        return f"Module({self.name!r})"


class Kernel:
    """A kernel of a module, or a launch file.

    Call it as CuPy does, `kernel(grid, block, args)`, or as Numba does,
    `kernel[grid, block](*args)`. Both return a Run.

    >>> scale = Module('''extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= 2; }''',
    ...                arch="sm_80").get_function("scale")
    >>> x = np.arange(32, dtype="f4")
    >>> run = scale(1, 32, (x,), platform="sm_80")
    >>> float(x[3]), run.cycles > 0, run["cycles"].unit
    (6.0, True, 'cycles')
    """

    def __init__(self, module: Module | str | os.PathLike[str], name: str | None = None) -> None:
        self.workload: Workload | None = None
        self.module: Module | None = None
        if isinstance(module, Module):
            if name is None:
                raise TypeError("expected Kernel(module, name)")
            self.module = module
            self.name = name
            return
        if name is not None or Path(module).suffix != ".toml":
            raise TypeError("expected a module and a name, or the path of a launch file (.toml)")
        if not Path(module).is_file():
            raise FileNotFoundError(f"'{module}' is no file; expected a launch file (.toml)")
        self.workload = Workload(module)
        self.name = Path(module).stem

    def __getitem__(self, shape: tuple[Any, ...]) -> Launcher:
        """Returns what takes the arguments: kernel[grid, block] or [grid, block, 0, shared]."""
        if not isinstance(shape, tuple) or not 2 <= len(shape) <= 4:
            raise TypeError("expected kernel[grid, block], or kernel[grid, block, stream, shared]")
        shared = int(shape[3]) if len(shape) == 4 else 0
        return Launcher(self, shape[0], shape[1], shared)

    def bind(
        self, grid: Sizes, block: Sizes | None, args: Sequence[arrays.Argument], shared_mem: int = 0
    ) -> Launch:
        """Returns a launch that has not run: for search, check, explain and sweep."""
        if self.module is None:
            raise TypeError("a launch file says grid, block and arguments itself; expected run()")
        facts = self.module.metadata
        if block is None:
            block = facts.threads
        if block is None:
            raise TypeError("expected the sizes of a block: no JSON beside the PTX has them")
        sizes = _sizes("grid", grid)
        bound = arrays.bind(args)
        if facts.scratch:
            bound += _scratch_arguments(len(bound), sizes, facts.scratch)
        return Launch(
            self.module, self.name, sizes, _sizes("block", block), bound,
            int(shared_mem) or facts.shared,
        )  # fmt: skip

    def __call__(
        self,
        grid: Sizes,
        block: Sizes | None,
        args: Sequence[arrays.Argument],
        *,
        shared_mem: int = 0,
        platform: Where = None,
        **options: Any,
    ) -> Run:
        """Launches the kernel, copies arrays back, and returns what it did.

        `shared_mem`: bytes of dynamic shared memory. Further options are those of Launch.run().
        """
        return self.bind(grid, block, args, shared_mem).run(platform, **options)

    def run(self, *launch: Any, platform: Where = None, shared_mem: int = 0, **options: Any) -> Run:
        """Launches the kernel as a call does; of a launch file, takes parameters by `params=`."""
        if self.workload is not None:
            if launch:
                raise TypeError("a launch file says grid, block and arguments itself")
            return self.workload.run(platform, **options)
        return self(*launch, shared_mem=shared_mem, platform=platform, **options)

    def __repr__(self) -> str:
        return f"Kernel({self.name!r})"


@dataclass(frozen=True)
class Launcher:
    """A kernel with its grid and block: call it with the kernel's arguments."""

    kernel: Kernel
    grid: Sizes
    block: Sizes | None
    shared_mem: int = 0

    def __call__(self, *args: arrays.Argument, platform: Where = None, **options: Any) -> Run:
        return self.bind(*args).run(platform, **options)

    def bind(self, *args: arrays.Argument) -> Launch:
        """Returns a launch that has not run."""
        return self.kernel.bind(self.grid, self.block, args, self.shared_mem)


@dataclass(frozen=True, eq=False)
class Launch(_job.Job):
    """A launch with all its arguments."""

    module: Module
    name: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[arrays.Bound, ...]
    shared_mem: int = 0

    @property
    def default_platform(self) -> str | None:
        # As the program chooses: the platform named as the architecture.
        return self.module.target or ("sm_80" if not self.module.is_ptx else None)

    @property
    def array_bytes(self) -> int:
        return sum(one.array.nbytes for one in self.arguments if one.array is not None)

    def words(self, folder: Path) -> list[str]:
        module = self.module
        source = module.path
        if source is None:
            source = str(folder / module.name)
            (folder / module.name).write_text(module.text, encoding="utf-8")
        words = [source, "--entry", self.name, "--grid", _join(self.grid)]
        words += ["--block", _join(self.block)]
        if self.shared_mem:
            words += ["--shared", str(self.shared_mem)]
        if module.arch and not module.is_ptx:
            words += ["--arch", module.arch]
        elif not module.is_ptx:
            words += ["--arch", "sm_80"]
        for include in module.include:
            words += ["--include", include]
        for define in module.define:
            words += ["--define", define]
        for argument in self.arguments:
            words += ["--arg", argument.word(folder)]
        return words

    def take_back(self, folder: Path) -> None:
        for argument in self.arguments:
            argument.take_back(folder)

    def sources(self) -> dict[str, str]:
        folders = [*self.module.include]
        if self.module.path is not None:
            folders.insert(0, str(Path(self.module.path).parent))
        return {self.module.name: self.module.text, **_job.headers(folders)}

    def identity(self) -> list[bytes]:
        parts = [
            repr((self.name, self.grid, self.block, self.shared_mem)).encode(),
            repr((self.module.arch, self.module.define, self.module.metadata)).encode(),
        ]
        for name, text in sorted(self.sources().items()):
            parts += [name.encode(), text.encode()]
        for one in self.arguments:
            parts.append(repr((one.name, one.way, one.type, one.text)).encode())
            if one.array is not None:
                parts.append(repr(one.array.shape).encode())
                parts.append(b"" if one.way == "out" else one.array.tobytes())
        return parts

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Writes a launch file with its source and arrays. Returns its path."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        module = self.module
        source = place / module.name
        source.write_text(module.text, encoding="utf-8")
        arch = module.arch or "sm_80"
        lines = [f"kernel = {json.dumps(module.name)}"]
        if not module.is_ptx:
            lines.append(f"arch = {json.dumps(arch)}")
            if module.path is not None or module.include:
                folders = [*module.include]
                if module.path is not None:
                    folders.insert(0, str(Path(module.path).parent))
                lines.append(f"include = {json.dumps([_braces(one) for one in folders])}")
            if module.define:
                lines.append(f"define = {json.dumps([_braces(one) for one in module.define])}")
        given = []
        for one in self.arguments:
            if one.array is None:
                value = one.text if re.fullmatch(r"-?\d+", one.text) else repr(float(one.text))
                given.append(f"{{ {one.type} = {value} }}")
                continue
            given.append(f'{{ buffer = "{one.name}" }}')
            sizes = ", ".join(str(size) for size in one.array.shape or (1,))
            text = f'[buffers.{one.name}]\ntype = "{one.type}"\nshape = [{sizes}]'
            if one.way != "out":
                np.save(place / f"{one.name}.npy", one.array, allow_pickle=False)
                text += f'\nfill = {{ file = "{one.name}.npy" }}'
                if not one.array.shape:
                    text = text.replace("shape = [1]", "count = 1")
            lines.append(text)
        lines.append(
            f"[[launch]]\nentry = {json.dumps(_braces(self.name))}\n"
            f"grid = [{_join(self.grid)}]\nblock = [{_join(self.block)}]\n"
            f"shared = {self.shared_mem}\narguments = [{', '.join(given)}]"
        )
        path = place / f"{_plain(self.name)}.toml"
        path.write_text("\n\n".join(lines) + "\n", encoding="utf-8")
        return path

    def __repr__(self) -> str:
        return f"Launch({self.name!r}, grid={self.grid}, block={self.block})"


@dataclass(frozen=True)
class Workload(_job.Job):
    """A workload by name (`fermata workloads`), a launch file, or a trace.

    Traces are those of `--record` (.csv, .csv.zst) and Accel-Sim's (.traceg, .trace, .tracez, each
    also with .xz, and kernelslist.g).

    >>> run = Workload("transpose", {"tile": 32}).run("gtx480")
    >>> run.cycles, run["wavefronts_excessive"].unit  # cycles; passes beyond the ideal ones
    (24763, 'passes')
    """

    source: str | os.PathLike[str]
    params: Mapping[str, Value] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name in tables."""
        name = Path(self.source).name
        if _job.is_machine_trace(name):
            return _job.without_machine_suffix(name)
        return name.removesuffix(".zst").removesuffix(".csv").removesuffix(".toml")

    @property
    def path(self) -> Path | None:
        """The file; None: a workload that comes with Fermata."""
        path = Path(self.source)
        is_file = path.suffix in (".toml", ".csv", ".zst") or _job.is_machine_trace(path.name)
        return path.absolute() if is_file else None

    @property
    def default_platform(self) -> str | None:
        return None

    @property
    def array_bytes(self) -> int:
        return 0

    def change(self, **params: Value) -> Workload:
        """Returns the workload with other parameters."""
        return replace(self, params={**self.params, **params})

    def words(self, folder: Path) -> list[str]:
        words = [str(self.path or self.source)]
        for name, value in self.params.items():
            words += ["--param", f"{name}={value}"]
        return words

    def take_back(self, folder: Path) -> None:
        """A workload has no arrays of the caller."""

    def sources(self) -> dict[str, str]:
        if self.path is None:
            return _job.headers(_program.kernel_folders())
        return _job.headers([str(self.path.parent)])

    def identity(self) -> list[bytes]:
        parts = [str(self.source).encode(), repr(sorted(self.params.items())).encode()]
        if self.path is not None:
            parts += _job.contents(self.path)
        return parts


def _sizes(what: str, sizes: Sizes) -> tuple[int, ...]:
    expected = "expected one to three whole numbers above 0"
    try:
        given = tuple(sizes) if isinstance(sizes, (Sequence, np.ndarray)) else (sizes,)
        numbers = tuple(operator.index(number) for number in given)
    except TypeError:
        raise TypeError(f"{what} is {sizes!r}; {expected}") from None
    if not 1 <= len(numbers) <= 3 or any(number < 1 for number in numbers):
        raise ValueError(f"{what} is {sizes}; {expected}")
    return numbers


def _scratch_arguments(
    first: int, grid: tuple[int, ...], sizes: tuple[int, ...]
) -> tuple[arrays.Bound, ...]:
    """Returns the pointers that Triton appends: to scratch memory, or null."""
    blocks = int(np.prod(grid))
    made = []
    for number, size in enumerate(sizes):
        name = f"arg{first + number}"
        if size == 0:
            made.append(arrays.Bound(name, None, "u64", text="0"))
        else:
            zeros = np.zeros(size * blocks, "u1")
            made.append(arrays.Bound(name, "in", "u8", zeros, zeros))
    return tuple(made)


def _join(sizes: Sequence[int]) -> str:
    return ",".join(str(size) for size in sizes)


def _braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_") or "kernel"
