"""PTX of other tools. Triton 3.6, Numba (CUDA 13) and CuPy 14 made all samples but triton_add, from kernels of
this project; what describes it for debuggers was taken out. triton_add is written by hand: it has scratch memory."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import fermata as fm

SAMPLES = Path(__file__).parent / "ptx"


def test_triton_with_its_json(tmp_path: Path) -> None:
    module = fm.Module(ptx=SAMPLES / "triton_add.ptx")
    assert module.metadata.shared == 1024 and module.metadata.threads == 128
    kernel = module.get_function()
    assert kernel.name == "add_kernel"
    x, y = np.random.rand(512).astype("f4"), np.random.rand(512).astype("f4")
    out = np.empty_like(x)
    # The grid is the user's; the block is num_warps * 32; two scratch pointers are appended.
    run = kernel[4, None](fm.In(x), fm.In(y), fm.Out(out), np.int32(500), platform="sm_80")
    assert np.allclose(out[:500], (x + y)[:500]) and run.cycles > 0
    assert run.lines.iloc[0]["file"] == "add.py"
    with pytest.raises(fm.BadInput, match="gets 5 arguments; expected 6"):
        kernel[4, None](fm.In(x), fm.In(y), fm.Out(out))


def test_triton_scratch_memory() -> None:
    facts = fm.Metadata("add_kernel", 1024, 128, (16, 0))
    module = fm.Module(ptx=(SAMPLES / "triton_add.ptx").read_text(), metadata=facts)
    x = np.ones(512, "f4")
    out = np.empty_like(x)
    module.get_function()[4, None](x, x.copy(), out, np.int32(512))
    assert (out == 2).all()


def test_json_is_read_as_triton_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_text(json.dumps({"name": "k", "shared": 0, "num_warps": 8, "warp_size": 32}))
    facts = fm.Metadata.read(path)
    assert (facts.name, facts.threads, facts.scratch) == ("k", 256, ())


def test_triton_transpose() -> None:
    kernel = fm.Module(ptx=SAMPLES / "triton_transpose.ptx").get_function()
    x = np.random.rand(64, 64).astype("f4")
    out = np.empty_like(x)
    run = kernel[(2, 2), None](fm.In(x), fm.Out(out), np.int32(64), platform="sm_80")
    assert (out == x.T).all()
    # Triton's own swizzle leaves no conflict. Each of 4 warps stores and loads 4 x 4 bytes a lane.
    assert run["bank_conflict_cycles"] == 0
    assert set(run.lines["file"]) == {"tk.py"}


def test_triton_matmul() -> None:
    module = fm.Module(ptx=SAMPLES / "triton_matmul.ptx")
    assert module.metadata.shared == 16384
    a = np.random.rand(128, 64).astype("f2")
    b = np.random.rand(64, 128).astype("f2")
    c = np.empty((128, 128), "f4")
    sizes = [np.int32(n) for n in (128, 128, 64)]
    module.get_function()[(2, 2), None](fm.In(a), fm.In(b), fm.Out(c), *sizes, platform="sm_80")
    assert np.allclose(c, a.astype("f4") @ b.astype("f4"), rtol=1e-3)


def test_numba() -> None:
    # An array of Numba is seven arguments: meminfo, parent, items, bytes per item, data, shape,
    # strides; _numba_array() of the page makes them.
    module = fm.Module(ptx=SAMPLES / "numba_total.ptx")
    (name,) = [line.split()[2].rstrip("(") for line in module.text.splitlines()
               if line.startswith(".visible .entry")]  # fmt: skip
    x = np.arange(256, dtype="f4")
    total = np.zeros(1, "f4")
    zero, width = np.uint64(0), np.int64(4)

    def array(values: object, items: int) -> tuple[object, ...]:
        return (zero, zero, np.int64(items), width, values, np.int64(items), width)

    run = module.get_function(name)(
        2, 128, (*array(fm.In(x), 256), *array(total, 1)), platform="sm_80"
    )
    assert total[0] == x.sum() and run.cycles > 0


def test_cupy() -> None:
    module = fm.Module(ptx=SAMPLES / "cupy_transpose.ptx")
    x = np.random.rand(64, 64).astype("f4")
    out = np.empty_like(x)
    run = module.get_function("transpose")((2, 2), (32, 8), (fm.In(x), fm.Out(out), np.int32(64)))
    assert (out == x.T).all()
    assert run["bank_conflict_cycles"] > 0  # a tile of 32 columns, without padding
