"""Runs as values, platforms, caches, traces, checks and many launches."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import fermata as fm

ADD = 'extern "C" __global__ void add(float* x, float a) { x[threadIdx.x] += a; }'


@pytest.fixture(scope="module")
def transpose() -> fm.Run:
    return fm.Workload("transpose", {"tile": 32}).run("gtx480")


def test_a_run_is_a_mapping_and_a_value(transpose: fm.Run, tmp_path: Path) -> None:
    assert transpose.cycles == 24763 == transpose["cycles"]
    assert transpose["cycles"].description and "ipc" in transpose and len(transpose) > 30
    assert transpose["l1_hits"] != transpose["l1_hits"], "an empty cell is NaN"
    assert "cycles" in transpose._ipython_key_completions_()
    with pytest.raises(KeyError, match="no figure 'nonsense'"):
        transpose["nonsense"]
    with pytest.raises(AttributeError):
        transpose.stdout = "x"  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(transpose))
    assert again == transpose and hash(again) == hash(transpose)
    assert pickle.loads(pickle.dumps(transpose["cycles"])).unit == "cycles"
    assert transpose != fm.Workload("transpose", {"tile": 32, "pad": 1}).run("gtx480")
    transpose.save(tmp_path / "a.zip")
    again.save(tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert fm.load(tmp_path / "a.zip") == transpose
    assert "dominates" not in repr(transpose) and "24,763 cycles" in repr(transpose)


def test_tables_have_types(transpose: fm.Run) -> None:
    assert str(transpose.banks["reads"].dtype) == "int64" and len(transpose.banks) == 32
    accesses = transpose.accesses
    assert accesses["degree"].iloc[0] == 32 and list(accesses["lane"].head(3)) == [0, 1, 2]
    instructions = transpose.table("instructions")
    assert str(instructions["l1_hits"].dtype) in ("Int64", "int64")
    assert instructions.attrs["units"]["wavefronts"] == "passes"
    assert transpose.lines.iloc[0]["source"].startswith("out[") or transpose.lines.iloc[0]["source"]
    with pytest.raises(KeyError, match="no table"):
        transpose.table("nonsense")


def test_the_command_does_the_same(tile: Path, tmp_path: Path) -> None:
    kernel = fm.Module(path=tile, arch="sm_80").get_function("transpose")
    a = np.zeros((64, 64), "f4")
    run = kernel((2, 2), (32, 8), (a, fm.Out(a.copy()), np.int32(64)), keep=tmp_path / "kept")
    assert (tmp_path / "kept" / "arg0.in.npy").is_file()
    assert "--entry transpose --grid 2,2 --block 32,8" in run.command
    assert (tmp_path / "kept" / "tables" / "runs.csv").is_file()
    assert fm.load(tmp_path / "kept" / "tables") == run


def test_load_takes_several(tmp_path: Path) -> None:
    from fermata import _program

    _program.call("run", "stride", "nw", "--platform", "sm_80", "--param", "n=64",
                  "--out", tmp_path / "two", allowed=(0, 1, 2))  # fmt: skip
    _program.call("run", "stride", "reduction", "--platform", "sm_80", "--out", tmp_path / "two")
    one, two = fm.load(tmp_path / "two")
    assert (one.workload, two.workload) == ("stride", "reduction")
    assert one.cycles == fm.Workload("stride").run("sm_80").cycles
    with pytest.raises(fm.BadInput, match="no runs.csv"):
        (tmp_path / "empty").mkdir()
        fm.load(tmp_path / "empty")


def test_platforms(tmp_path: Path) -> None:
    mine = fm.Platform("gtx480").change({"scratchpad.latency": 30}, mapping="ami 33")
    mine.save(tmp_path / "mine.toml")
    loaded = fm.Platform.load(tmp_path / "mine.toml")
    assert loaded["scratchpad.latency"] == 30 and loaded["scratchpad.indexer"] == "ami 33"
    work = fm.Workload("transpose", {"tile": 32})
    assert work.run(mine).cycles == work.run(loaded).cycles
    assert len(mine) > 20 and "scratchpad.latency" in set(mine)
    assert work.run("gtx480", set={"scratchpad.latency": 30}, mapping="ami 33") == work.run(mine)


def test_results_are_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add = fm.Module(ADD, arch="sm_80").get_function("add")
    x = np.zeros(32, "f4")
    first = add(1, 32, (x, np.float32(1)), cache=tmp_path)
    assert len(list(tmp_path.rglob("*.zip"))) == 1
    y = np.zeros(32, "f4")
    from fermata import _program

    real = _program.call
    monkeypatch.setattr(
        _program, "call", lambda *words, **kw: pytest.fail("ran") if words[0] == "run"
        else real(*words, **kw),
    )  # fmt: skip
    again = add(1, 32, (y, np.float32(1)), cache=tmp_path)
    assert again == first and (y == 1).all()
    monkeypatch.undo()
    z = np.ones(32, "f4")
    add(1, 32, (z, np.float32(1)), cache=tmp_path)
    assert (z == 2).all() and len(list(tmp_path.rglob("*.zip"))) == 2
    for path in tmp_path.rglob("*.zip"):
        path.write_bytes(b"damaged")
    assert add(1, 32, (np.zeros(32, "f4"), np.float32(1)), cache=tmp_path) == first


def test_checks_and_costs(tile: Path) -> None:
    kernel = fm.Module(path=tile, arch="sm_80").get_function("transpose")
    a = np.zeros((64, 64), "f4")
    launch = kernel.bind((2, 2), (32, 8), (fm.In(a), fm.Out(a.copy()), np.int32(64)))
    findings = fm.check(launch)
    assert [(one.file, one.line, one.degree) for one in findings] == [("tile.cu", 7, 32)]
    assert len(findings.table) == 2 and len(fm.check(launch, allow=["tile.cu:7"])) == 0
    with pytest.raises(AssertionError, match=r"tile.cu:7: ld.shared.f32"):
        fm.assert_no_conflicts(launch)
    fm.assert_no_conflicts(launch, mapping="ami 33")
    costs = fm.explain(launch)
    assert list(costs["line"]) == ["tile.cu:7", "all"] and costs["cycles_saved"].iloc[0] > 0
    found = fm.search(launch, classes=["xor", "padding"])
    assert found["xor"].conflicts_after == 0 and found.best.proof == "conflict-free"
    with pytest.raises(fm.BadInput, match="no page"):
        found.page()


def test_a_launch_becomes_a_file(tile: Path, tmp_path: Path) -> None:
    kernel = fm.Module(path=tile, arch="sm_80", define={"UNUSED": 1}).get_function("transpose")
    a = np.arange(4096, dtype="f4").reshape(64, 64)
    launch = kernel.bind((2, 2), (32, 8), (fm.In(a), fm.Out(np.empty_like(a)), np.int32(64)))
    path = launch.save(tmp_path / "saved")
    assert fm.Kernel(path).run().cycles == launch.run().cycles
    df = fm.sweep(workload=launch, mapping=["mod 32", "ami 33"], jobs=2)
    assert df["cycles"].iloc[1] < df["cycles"].iloc[0] == launch.run().cycles
    with pytest.raises(fm.BadInput, match="another sweep"):
        fm.sweep(workload="stride", mapping=["mod 32"], dir=tmp_path / "s")
        fm.sweep(workload="stride", mapping=["ami 33"], dir=tmp_path / "s")


def test_two_processes_share_a_sweep(tmp_path: Path) -> None:
    code = (
        "import sys, fermata as fm; df = fm.sweep(workload='stride', mapping=['mod 32', 'ami 33'],"
        " dir=sys.argv[1], **{'scratchpad.latency': range(20, 26)}); print(sum(df['cycles']))"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "study")]
    both = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [one.communicate() for one in both]
    ended = [one.returncode for one in both]
    # Whoever comes second shares the work, or is told that another works here.
    assert 0 in ended, said
    assert all(code == 0 or "another" in errors for code, (_, errors) in zip(ended, said)), said
    sums = {out for code, (out, _) in zip(ended, said) if code == 0}
    again = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert sums == {again}


@pytest.mark.filterwarnings("ignore::fermata.FermataWarning")
def test_a_sweep_tells_what_failed() -> None:
    df = fm.sweep(workload="stride", mapping=["mod 32"], **{"scratchpad.bytes": [49152, 64]})
    assert len(df) == 1 and len(df.attrs["failed"]) == 1


def test_many_launches() -> None:
    add = fm.Module(ADD, arch="sm_80").get_function("add")
    arrays = [np.zeros(32, "f4") for _ in range(100)]
    begin = time.monotonic()
    runs = fm.run_all([add.bind(1, 32, (x, np.float32(i))) for i, x in enumerate(arrays)])
    took = time.monotonic() - begin
    assert len(runs) == 100 and all((x == i).all() for i, x in enumerate(arrays))
    print(f"100 launches in {took:.1f} s")
