"""Arrays in and out: types, shapes, layouts, and who writes."""

from __future__ import annotations

import numpy as np
import pytest

import fermata as fm

TYPES = {
    "i1": "signed char", "u1": "unsigned char", "i2": "short", "u2": "unsigned short",
    "i4": "int", "u4": "unsigned", "i8": "long long", "u8": "unsigned long long",
    "f4": "float", "f8": "double",
}  # fmt: skip


def twice(c_type: str) -> fm.Kernel:
    code = (
        f'extern "C" __global__ void twice(const {c_type}* in, {c_type}* out, int n, {c_type} a) {{'
        " int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] + in[i] + a; }"
    )
    return fm.Module(code, arch="sm_80").get_function("twice")


@pytest.mark.parametrize("dtype", TYPES)
def test_types(dtype: str) -> None:
    a = np.arange(48, dtype=dtype)
    b = np.zeros_like(a)
    twice(TYPES[dtype])[2, 32](a, b, np.int32(48), np.dtype(dtype).type(3))
    assert (b == 2 * a + 3).all() and b.dtype == a.dtype


def test_large_and_negative_scalars() -> None:
    b = np.zeros(1, "u8")
    twice("unsigned long long")[1, 1](np.zeros(1, "u8"), b, np.int32(1), np.uint64(2**64 - 5))
    assert b[0] == 2**64 - 5
    c = np.zeros(1, "f8")
    twice("double")[1, 1](np.zeros(1), c, np.int32(1), np.float64(-1e-300))
    assert c[0] == -1e-300


def test_halves_and_bool() -> None:
    copy = fm.Module(
        'extern "C" __global__ void copy(const unsigned short* in, unsigned short* out) '
        "{ out[threadIdx.x] = in[threadIdx.x]; }",
        arch="sm_80",
    ).get_function("copy")
    a = np.linspace(-1, 1, 32).astype("f2")
    b = np.empty_like(a)
    copy(1, 32, (fm.In(a), fm.Out(b)))
    assert (a == b).all()
    flip = fm.Module(
        'extern "C" __global__ void flip(unsigned char* x) { x[threadIdx.x] ^= 1; }', arch="sm_80"
    ).get_function("flip")
    c = np.array([True, False] * 16)
    flip(1, 32, (c,))
    assert (c == [False, True] * 16).all() and c.dtype == bool


def test_views_big_endian_and_read_only() -> None:
    whole = np.zeros((8, 8), "f4")
    whole[:, ::2] = 1
    view = whole[:, 1::2]
    twice("float")[1, 32](np.ones((8, 4), "f4"), view, np.int32(32), np.float32(0))
    assert (whole[:, 1::2] == 2).all() and (whole[:, ::2] == 1).all()
    big = np.arange(4, dtype=">i4")
    out = np.zeros(4, ">i4")
    twice("int")[1, 32](fm.In(big), fm.Out(out), np.int32(4), np.int32(0))
    assert list(out) == [0, 2, 4, 6]
    columns = np.asfortranarray(np.arange(12, dtype="i4").reshape(3, 4))
    out2 = np.zeros((3, 4), "i4", order="F")
    twice("int")[1, 32](columns, out2, np.int32(12), np.int32(0))
    assert (out2 == 2 * columns).all()
    fixed = np.ones(4, "f4")
    fixed.flags.writeable = False
    twice("float")[1, 32](fixed, np.zeros(4, "f4"), np.int32(4), np.float32(0))


def test_in_is_never_written() -> None:
    touch = fm.Module(
        'extern "C" __global__ void touch(int* x) { x[threadIdx.x] = 7; }', arch="sm_80"
    ).get_function("touch")
    x = np.zeros(32, "i4")
    touch(1, 32, (fm.In(x),))
    assert (x == 0).all()
    touch(1, 32, (fm.InOut(x),))
    assert (x == 7).all()


def test_out_is_uninitialised() -> None:
    read = twice("float")
    x, y = np.ones(4, "f4"), np.zeros(4, "f4")
    with pytest.raises(fm.LaunchError, match="never written"):
        read(
            1, 32, (fm.Out(x), fm.Out(y), np.int32(4), np.float32(0)), check_uninitialised=True
        )


def test_printf_and_dynamic_shared() -> None:
    kernel = fm.Module(
        'extern "C" __global__ void k(int* out) { extern __shared__ int s[];'
        " s[threadIdx.x] = threadIdx.x; __syncthreads(); out[threadIdx.x] = s[31 - threadIdx.x];"
        ' if (threadIdx.x == 3) printf("lane %d\\n", threadIdx.x); }',
        arch="sm_80",
    ).get_function("k")
    out = np.zeros(32, "i4")
    run = kernel(1, 32, (fm.Out(out),), shared_mem=128)
    assert list(out) == list(range(31, -1, -1))
    assert run.stdout == "lane 3\n"
    assert (kernel[1, 32, 0, 128](fm.Out(out))) == run


def test_numpy_scalars_of_zero_dimensions() -> None:
    store = fm.Module(
        'extern "C" __global__ void store(float* x) { *x = 2.5f; }', arch="sm_80"
    ).get_function("store")
    x = np.array(0, "f4")
    store(1, 1, (fm.Out(x),))
    assert x == 2.5
