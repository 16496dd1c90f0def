"""Fermata in Python: arrays in, lines and cycles out.

>>> import fermata as fm, numpy as np
>>> k = fm.Module('''
... extern "C" __global__ void column(const float* in, float* out) {
...   __shared__ float tile[32][32];
...   for (int i = 0; i < 32; ++i) tile[i][threadIdx.x] = in[i * 32 + threadIdx.x];
...   __syncthreads();
...   for (int i = 0; i < 32; ++i) out[i * 32 + threadIdx.x] = tile[threadIdx.x][i];
... }''', arch="sm_80").get_function("column")
>>> a = np.arange(1024, dtype="f4").reshape(32, 32); b = np.empty_like(a)
>>> run = k(1, 32, (fm.In(a), fm.Out(b)), platform="sm_80")
>>> bool((b == a.T).all()), run.conflict_cycles > 0
(True, True)
"""

from __future__ import annotations

from . import testing
from ._figures import Column, Figure
from ._program import program, version
from .arrays import In, InOut, Out
from .checks import Finding, Findings, assert_no_conflicts, check, explain
from .comparing import compare, diff
from .errors import (
    BadInput,
    CompileError,
    ConflictsFound,
    FermataError,
    FermataWarning,
    LaunchError,
    PlatformError,
    ProgramMissing,
    WrongResult,
)
from .kernel import Kernel, Launch, Launcher, Metadata, Module, Workload
from .platform import Platform
from .run import Run, load
from .search import Answer, Answers, search
from .sweeps import run_all, sweep
from .traces import Trace, read_trace

__all__ = [
    "Answer", "Answers", "BadInput", "Column", "CompileError", "ConflictsFound", "FermataError",
    "FermataWarning", "Figure", "Finding", "Findings", "In", "InOut", "Kernel", "Launch",
    "LaunchError", "Launcher", "Metadata", "Module", "Out", "Platform", "PlatformError",
    "ProgramMissing", "Run", "Trace", "Workload", "WrongResult", "assert_no_conflicts", "check",
    "compare", "diff", "explain", "load", "program", "read_trace", "run_all", "search", "sweep",
    "testing", "version",
]  # fmt: skip
