"""The six snippets of the proposal, as a user types them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import fermata as fm


def transpose_run(tile: Path, **options: object) -> fm.Run:
    transpose = fm.Module(path=tile, arch="sm_80").get_function("transpose")
    a = np.random.rand(64, 64).astype("f4")
    b = np.empty_like(a)
    run = transpose((2, 2), (32, 8), (fm.In(a), fm.Out(b), np.int32(64)), **options)
    assert (b == a.T).all()
    return run


def test_1_launch_with_arrays(tile: Path) -> None:
    run = transpose_run(tile, platform="sm_80")
    assert run.cycles > 1000
    assert run["bank_conflict_cycles"].unit == "passes"
    assert run["cycles"].unit == "cycles"
    worst = run.lines.iloc[0]
    assert (worst.file, worst.line, worst.max_degree) == ("tile.cu", 7, 32)
    assert worst.wavefronts - worst.ideal == worst.excessive == 3968
    assert "out[(y + j) * n + x]" in worst.source
    assert "out[(y + j)" in run._repr_html_() and "sm_80" in run._repr_html_()
    assert list(run.lines.excessive) == sorted(run.lines.excessive, reverse=True)


def test_1_numba_call_is_the_same(tile: Path) -> None:
    transpose = fm.Module(path=tile, arch="sm_80").get_function("transpose")
    a = np.arange(64 * 64, dtype="f4").reshape(64, 64)
    b, c = np.empty_like(a), np.empty_like(a)
    one = transpose[(2, 2), (32, 8)](fm.In(a), fm.Out(b), np.int32(64))
    two = transpose((2, 2), (32, 8), (fm.In(a), fm.Out(c), np.int32(64)))
    assert one == two and hash(one) == hash(two) and (b == c).all()


def test_2_a_swizzle_for_a_layout(tile: Path) -> None:
    best = fm.search(
        layout="(8,4):(64,8)", atom="ldmatrix.x4", element=2, vector=16, platform="sm_80"
    )
    assert best.proof == "conflict-free"
    assert list(best.table.columns)[:4] == [
        "class", "mapping", "conflicts_before", "conflicts_after"
    ]  # fmt: skip
    assert best["swizzle"].cute() == "cute::Swizzle<3,3,3>"
    assert best["swizzle"].c() == "i ^ ((i >> 3) & 0x38)"
    assert "SwizzledSharedLayout" in best["swizzle"].triton()
    with pytest.raises(KeyError, match="no answer of class 'ami'"):
        best["ami"]
    before = transpose_run(tile)
    after = transpose_run(tile, mapping=fm.search("transpose", classes=["xor"], platform="sm_80")["xor"])
    assert after.conflict_cycles < before.conflict_cycles
    assert "iframe" in best._repr_html_()


def test_3_axes_into_a_dataframe(tile: Path, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(
        'kernel = "tile.cu"\narch = "sm_80"\n[buffers]\n'
        'a = { type = "f32", count = 4096, fill = { iota = {} } }\n'
        'b = { type = "f32", count = 4096 }\n'
        '[[launch]]\nentry = "transpose"\ngrid = [2, 2]\nblock = [32, 8]\n'
        'arguments = [{ buffer = "a" }, { buffer = "b" }, { s32 = 64 }]\n'
    )
    axes = {
        "workload": ["transpose", fm.Kernel(tmp_path / "my.toml")],
        "mapping": ["mod 32", "ami 33"],
        "scratchpad.latency": range(20, 32, 4),
    }
    df = fm.sweep(axes, dir=tmp_path / "study", jobs=2, progress=True)
    assert len(df) == 12
    table = df.pivot_table(index="mapping", columns="scratchpad.latency", values="cycles")
    assert (table.loc["ami 33"] < table.loc["mod 32"]).all()
    assert len(df.attrs["failed"]) == 0
    again = fm.sweep(axes, dir=tmp_path / "study")
    assert again.equals(df)
    assert fm.load(tmp_path / "study" / "points").equals(df)
    ax = df.fermata.heatmap(x="scratchpad.latency", y="mapping")
    assert ax.get_xlabel() == "scratchpad.latency"
    assert "12 points" in df.fermata._repr_html_()
    assert df.fermata.best()["cycles"] == df["cycles"].min()


def test_4_two_runs_side_by_side(tile: Path) -> None:
    run, run2 = transpose_run(tile), transpose_run(tile, mapping="ami 33")
    table = fm.compare(run, run2, by="line")
    first = table.iloc[0]
    assert (first.file, first.line, first.before, first.after) == ("tile.cu", 7, 4096, 128)
    other = fm.Workload("stride").run("sm_80")
    with pytest.raises(fm.BadInput, match="workloads are"):
        fm.compare(run, other)
    assert len(fm.compare(run, other, by="figure", force=True)) > 3
    assert len(fm.diff(run, run2, by="bank")) == 33


def test_5_pictures(tile: Path, tmp_path: Path) -> None:
    run = transpose_run(tile)
    assert run.plot.banks().get_xlabel() == "bank"
    ax = run.plot.lanes(line=7)
    assert "degree 32" in ax.get_title()
    assert run.plot.lines(ax=None) is not None and run.plot.stalls() is not None
    with pytest.raises(ValueError, match="line 3 has no conflict"):
        run.plot.lanes(line=3)
    run.report(tmp_path / "run.html")
    assert "tile.cu" in (tmp_path / "run.html").read_text()


def test_6_a_gate_in_pytest(pytester: pytest.Pytester, tile: Path) -> None:
    pytester.makepyfile(
        f"""
        import numpy as np, pytest, fermata as fm
        def launch():
            k = fm.Module(path={str(tile)!r}, arch="sm_80").get_function("transpose")
            a = np.zeros((64, 64), "f4")
            return k.bind((2, 2), (32, 8), (fm.In(a), fm.Out(a.copy()), np.int32(64)))
        def test_no_conflicts(fermata):
            fermata.check(launch(), max_degree=1, allow=["tile.cu:7"])
        @pytest.mark.fermata_gate
        def test_conflicts(fermata):
            fermata.check(launch(), max_degree=1)
        """
    )
    result = pytester.runpytest_inprocess("-p", "fermata.pytest_plugin")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*tile.cu:7: ld.shared.f32*degree 32*4,096 wavefronts*"])


def test_environment() -> None:
    assert fm.program() == os.environ["FERMATA"]
