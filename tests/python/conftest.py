"""What the tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

SOURCE = Path(os.environ["FERMATA_SOURCE"])

TILE = """\
extern "C" __global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
"""


@pytest.fixture
def tile(tmp_path: Path) -> Path:
    """A kernel whose line 7 conflicts."""
    path = tmp_path / "tile.cu"
    path.write_text(TILE)
    return path


@pytest.fixture(autouse=True)
def nothing_left() -> object:
    """Fails a test that leaves a temporary folder."""
    yield
    for place in ("/dev/shm", "/tmp"):
        left = [name for name in os.listdir(place) if name.startswith(f"fermata-py-{os.getpid()}-")]
        assert left == []
