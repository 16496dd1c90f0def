"""PTX of other tools: forms of Triton, Numba and CuPy, written by hand."""

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


def test_numba() -> None:
    # An array of Numba is seven arguments: meminfo, parent, items, bytes per item, data, shape,
    # strides; _numba_array() of the page makes them.
    module = fm.Module(ptx=SAMPLES / "numba_scale.ptx")
    (name,) = [line.split()[2].rstrip("(") for line in module.text.splitlines()
               if line.startswith(".visible .entry")]  # fmt: skip
    x = np.arange(64, dtype="f4")
    zero = np.uint64(0)
    run = module.get_function(name)(
        2, 32, (zero, zero, np.int64(64), np.int64(4), x, np.int64(64), np.int64(4),
                np.float32(3)), platform="sm_80",
    )  # fmt: skip
    assert (x == 3 * np.arange(64)).all() and run.cycles > 0


def test_cupy() -> None:
    module = fm.Module(ptx=SAMPLES / "cupy_axpy.ptx")
    x, y = np.arange(64, dtype="f4"), np.ones(64, "f4")
    module.get_function("axpy")((2,), (32,), (fm.In(x), y, np.float32(2), np.int32(60)))
    assert (y[:60] == 2 * x[:60] + 1).all() and (y[60:] == 1).all()
