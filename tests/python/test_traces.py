"""Traces: those of runs here, and of real GPUs."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

import fermata as fm

#: A kernel of one warp whose 20 loads read one bank with all lanes.
MACHINE = """\
-kernel name = _Z1kv
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 8192
-nregs = 32
-binary version = 80
-cuda stream id = 0
-shmem base_addr = 0x00007f0000000000
-local mem base_addr = 0x00007e0000000000
-nvbit version = 1.7
-accelsim tracer version = 5

#traces format = prose

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 21
{rows}0020 ffffffff 0 EXIT 0 0

#END_TB

"""
ROW = "0010 ffffffff 1 R1 LDS 1 R2 4 1 0x0 128 \n"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A trace of machine code."""
    path = tmp_path / "kernel-1.traceg"
    path.write_text(MACHINE.format(rows=20 * ROW))
    return path


def test_traces_of_runs(tmp_path: Path, tile: Path) -> None:
    kernel = fm.Module(path=tile, arch="sm_80").get_function("transpose")
    a = np.zeros((64, 64), "f4")
    run = kernel((2, 2), (32, 8), (a, fm.Out(a.copy()), np.int32(64)))
    path = run.record(tmp_path / "t.csv.zst")
    trace = fm.read_trace(path)
    assert fm.load(path) == trace and not trace.is_machine_code
    replayed = trace.run("sm_80")
    assert (replayed.cycles, replayed.conflict_cycles) == (run.cycles, run.conflict_cycles)
    assert (trace.instructions["line"] == 7).any()
    run.save(tmp_path / "run.zip")
    with pytest.raises(fm.BadInput, match="cannot run again"):
        fm.Run.load(tmp_path / "run.zip").record(tmp_path / "u.csv")
    (tmp_path / "no.csv").write_text("a,b\n")
    with pytest.raises(fm.BadInput, match="no trace"):
        fm.read_trace(tmp_path / "no.csv")
    with pytest.raises(fm.BadInput, match="expected a .csv"):
        fm.read_trace(tile)


def test_traces_of_machine_code(machine: Path) -> None:
    trace = fm.read_trace(machine)
    assert trace.is_machine_code and trace.text.startswith("-kernel name")
    run = trace.run()
    assert (run["platform"], run.conflict_cycles) == ("sm_80", 20 * 31)
    assert run.lines.iloc[0]["opcode"] == "/*0010*/ LDS" and run.lines.iloc[0]["max_degree"] == 32
    for same in (fm.Workload(machine), fm.load(machine)):
        assert same.run() == run and same.name == "kernel-1"
    packed = machine.with_suffix(".traceg.xz")
    packed.write_bytes(lzma.compress(machine.read_bytes()))
    assert fm.read_trace(packed).text == trace.text
    assert fm.read_trace(packed).run().cycles == run.cycles and trace.name == "kernel-1"
    raw = machine.with_suffix(".trace")
    raw.write_text(_raw(machine.read_text()))
    assert fm.load(raw).run().conflict_cycles == 20 * 31


def test_lists_of_machine_code(machine: Path, tmp_path: Path) -> None:
    path = tmp_path / "kernelslist.g"
    path.write_text("MemcpyHtoD,0x00007f6233c00000,512\nkernel-1.traceg\n")
    program = fm.load(path)
    run = program.run(cache=tmp_path / "kept")
    assert (run.workload, run.conflict_cycles) == ("kernelslist.g", 620) and program.name == run.workload
    assert program.run(cache=tmp_path / "kept") == run
    # A change of the kernel beside the list is another result.
    machine.write_text(MACHINE.format(rows=20 * ROW.replace("128", "4")))
    assert program.run(cache=tmp_path / "kept").conflict_cycles == 0


def test_commands_take_machine_code(machine: Path, tmp_path: Path) -> None:
    (found,) = fm.check(fm.read_trace(machine))
    assert (found.opcode, found.degree) == ("/*0010*/ LDS", 32)
    assert fm.explain(machine)["conflict_cycles"].iloc[0] == 620
    assert fm.search(machine, classes=["ami"], platform="sm_80").best.conflicts_after == 0
    df = fm.sweep(workload=[machine], mapping=["mod 32", "ami 33"], dir=tmp_path / "study")
    assert list(df["wavefronts_excessive"]) == [620, 0]
    assert len(fm.run_all([fm.read_trace(machine)] * 2)) == 2


def test_options_of_machine_code(machine: Path) -> None:
    text = machine.read_text()
    machine.write_text(text.replace("LDS", "NONSENSE", 1))
    with pytest.raises(fm.BadInput, match="NONSENSE") as caught:
        fm.read_trace(machine).run()
    assert caught.value.line == 22
    with pytest.warns(fm.FermataWarning, match="count as class integer: NONSENSE"):
        run = fm.read_trace(machine, unknown_opcodes="integer").run()
    assert run.conflict_cycles == 19 * 31
    machine.write_text(text)
    with pytest.raises(fm.BadInput, match="shared address"):
        fm.read_trace(machine, shared=64).run()
    assert fm.read_trace(machine, shared=8192, registers=16).run().conflict_cycles == 620
    with pytest.raises(TypeError, match="has options"):
        fm.sweep(workload=fm.read_trace(machine, shared=64), mapping=["mod 32"])
    with pytest.raises(fm.BadInput, match="lists no instructions"):
        fm.read_trace(machine).instructions
    with pytest.raises(FileNotFoundError, match="expected a trace"):
        fm.read_trace("kernelslist.g")


def _raw(grouped: str) -> str:
    """Returns the trace as the tracer writes it, block and warp before each row."""
    head, _, body = grouped.partition("#BEGIN_TB")
    rows = [line for line in body.splitlines() if " ffffffff " in line]
    return head + "".join(f"0 0 0 0 {row}\n" for row in rows)
