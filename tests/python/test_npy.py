"""Damaged arrays and words of the command line are refused by name, with exit code 2."""

from __future__ import annotations

import io
import os
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest


def saved(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def written(header: str, data: bytes = bytes(128)) -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def described(descr: str = "'<f4'", order: str = "False", shape: str = "(32,)") -> bytes:
    return written(f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")


GOOD = saved(np.zeros(32, "f4"))
FILES = {
    "empty": (b"", "is no array of NumPy"),
    "cut in the magic": (GOOD[:4], "is no array of NumPy"),
    "cut in the length": (GOOD[:9], "header"),
    "cut in the header": (GOOD[:40], "ends in its header"),
    "cut in the elements": (GOOD[:-1], "127 bytes of elements"),
    "too long": (GOOD + b"x", "129 bytes of elements"),
    "another version": (b"\x93NUMPY\x09\x00" + GOOD[8:], "version 9"),
    "wrong shape": (described(shape="(64,)"), "expected 64 elements"),
    "no size": (described(shape="(99999999999999999999,)"), "header"),
    "huge shape": (described(shape="(4294967296, 4294967296)"), "too large"),
    "negative shape": (described(shape="(-1,)"), "header"),
    "no elements": (saved(np.zeros(0, "f4")), "at least 1"),
    "no shape": (written("{'descr': '<f4', 'fortran_order': False}"), "header"),
    "unclosed": (written("{'descr': '<f4', 'fortran_order': False, 'shape': (32,"), "header"),
    "nested": (described(shape="(" * 5000), "header"),
    "zeros": (written("\0" * 100), "header"),
    "endless header": (b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + bytes(50), "header"),
    "objects": (described("'|O'"), "elements of type '|O'"),
    "complex": (described("'<c8'", shape="(16,)"), "elements of type '<c8'"),
    "records": (described("[('a', '<f4')]"), "holds records"),
    "Fortran order": (saved(np.asfortranarray(np.zeros((8, 4), "f4"))), "Fortran order"),
    "big-endian": (described("'>f4'"), "big-endian"),
}
WORDS = {
    "x": "no '='",
    "=": "cannot be a name",
    "x=": "no value",
    "x=.": "no such value",
    "x=in:": "cannot be read",
    "x=none.npy": "cannot be read",
    "x=wat:3": "no type 'wat'",
    "x=out:float32": "no shape",
    "x=out:float32[": "no shape",
    "x=out:float32[]": "no size",
    "x=out:float32[-1]": "no size",
    "x=out:float32[99999999999999]": "too large",
    "x=out:float32[8]more": "no shape",
    "x=int32:abc": "no number",
    "x=int32:99999999999": "does not fit s32",
    "x=float32:1e999": "no number",
}
BUFFERS = {
    "x": "no '='",
    "x=": "no value",
    "x=none.npy": "cannot be read",
    "x=.": "is a folder",
    "y=good.npy": "expected one of x",
    "x=short.npy": "x=short.npy",
}
LAUNCH = """\
kernel = "k.cu"
arch = "sm_80"
[buffers]
x = { type = "f32", count = 32 }
[[launch]]
entry = "k"
grid = 1
block = 32
arguments = [{ buffer = "x" }]
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "k.cu").write_text('extern "C" __global__ void k(float* x) { x[threadIdx.x] += 1; }')
    (folder / "good.npy").write_bytes(GOOD)
    command = [os.environ["FERMATA"], "run", *words, "--platform", "sm_80"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def run_kernel(folder: Path, word: str) -> subprocess.CompletedProcess[str]:
    sizes = ("--grid", "1", "--block", "32", "--arch", "sm_80")
    return run(folder, "k.cu", "--entry", "k", *sizes, "--arg", word)


def test_a_good_one_is_taken(tmp_path: Path) -> None:
    assert run_kernel(tmp_path, "x=in:good.npy").returncode == 0
    (tmp_path / "l.toml").write_text(LAUNCH)
    assert run(tmp_path, "l.toml", "--buffer", "x=good.npy").returncode == 0


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, tmp_path: Path) -> None:
    data, text = FILES[name]
    (tmp_path / "bad.npy").write_bytes(data)
    result = run_kernel(tmp_path, "x=in:bad.npy")
    assert result.returncode == 2 and "--arg x=in:bad.npy: " in result.stderr, result.stderr
    assert text in result.stderr and "expected" in result.stderr


@pytest.mark.parametrize("word", WORDS)
def test_arguments(word: str, tmp_path: Path) -> None:
    result = run_kernel(tmp_path, word)
    assert result.returncode == 2 and f"--arg {word}: " in result.stderr, result.stderr
    assert WORDS[word] in result.stderr and "expected" in result.stderr


@pytest.mark.parametrize("word", BUFFERS)
def test_buffers(word: str, tmp_path: Path) -> None:
    (tmp_path / "l.toml").write_text(LAUNCH)
    (tmp_path / "short.npy").write_bytes(saved(np.zeros(8, "f4")))
    result = run(tmp_path, "l.toml", "--buffer", word)
    assert result.returncode == 2 and f"--buffer {word}" in result.stderr, result.stderr
    assert BUFFERS[word] in result.stderr and "expected" in result.stderr
