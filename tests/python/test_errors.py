"""Wrong input is an exception that says where and what."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import fermata as fm

SCALE = 'extern "C" __global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }'


def kernel(code: str = SCALE) -> fm.Kernel:
    return fm.Module(code, arch="sm_80").get_function("k")


def test_compile_error_has_the_compilers_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.cu"
    path.write_text('extern "C" __global__ void k() {\n  int x = undefined_name;\n  nonsense();\n}\n')
    with pytest.raises(fm.CompileError) as caught:
        fm.Module(path=path, arch="sm_80").get_function("k")(1, 32, ())
    error = caught.value
    assert error.file is not None and error.file.endswith("bad.cu")
    assert (error.line, error.column) == (2, 11)
    assert "undefined_name" in error.message
    assert any("nonsense" in note for note in error.notes)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, type(again)) == (str(error), 2, fm.CompileError)


def test_stray_access_has_address_lane_and_line() -> None:
    stray = kernel('extern "C" __global__ void k(float* x) {\n  x[threadIdx.x] = 1;\n}')
    with pytest.raises(fm.LaunchError) as caught:
        stray(1, 32, (np.zeros(8, "f4"),))
    error = caught.value
    assert (error.file, error.line) == ("kernel.cu", 2)
    assert error.lane == 8 and error.cta == (0, 0, 0)
    assert error.address is not None and error.address % 4 == 0


def test_platform_errors(tmp_path: Path) -> None:
    with pytest.raises(fm.PlatformError, match="unknown platform 'nonsense'"):
        kernel()(1, 32, (np.zeros(32, "f4"), np.int32(1)), platform="nonsense")
    path = tmp_path / "mine.toml"
    path.write_text('base = "sm_80"\n[scratchpad]\nlatenzy = 3\n')
    with pytest.raises(fm.PlatformError) as caught:
        fm.Platform.load(path)
    assert (caught.value.file, caught.value.line) == (str(path), 3)
    with pytest.raises(fm.PlatformError, match="scratchpad.latency"):
        fm.Platform("sm_80").change({"scratchpad.latency": -1}).text()


def test_bad_input() -> None:
    with pytest.raises(fm.BadInput, match="no kernel|no entry|missing"):
        fm.Module(SCALE, arch="sm_80").get_function("missing")(1, 32, ())
    with pytest.raises(fm.BadInput, match="gets 1 arguments; expected 2|gets 1 arguments"):
        kernel()(1, 32, (np.zeros(32, "f4"),))
    with pytest.raises(fm.BadInput, match="no workload 'nosuch'"):
        fm.Workload("nosuch").run("sm_80")
    with pytest.raises(fm.FermataError, match="--max-degree"):
        fm.check("transpose", platform="gtx480", max_degree=99)


def test_mistakes_of_a_notebook(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="scratchpad.latency"):
        fm.Platform("sm_80")["scratchpad.latenzy"]
    run = fm.Workload("stride").run("sm_80")
    with pytest.raises(ValueError, match="expected one of line, bank, figure"):
        fm.compare(run, run, by="lines")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="str is no run"):
        fm.compare("a", run)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the value None"):
        fm.sweep(workload="stride", mapping=[None])
    assert not fm.check("transpose", platform="gtx480", params={"tile": 32}, allow="transpose.cu:20")
    with pytest.warns(fm.FermataWarning, match="1 of 2 points cannot be run"):
        df = fm.sweep(workload="stride", mapping=["mod 32"], **{"scratchpad.bytes": [49152, 1024]})
    assert len(df) == 1 and len(df.attrs["failed"]) == 1


def test_messages_name_no_temporary_folder() -> None:
    bad = fm.Module('extern "C" __global__ void k() {\n  nonsense();\n}', arch="sm_80")
    for work in (
        lambda: bad["k"](1, 32, ()),
        lambda: bad["l"](1, 32, ()),
        lambda: fm.check(bad["k"].bind(1, 32, ())),
        lambda: kernel()(1, 32, (np.zeros(32, "f4"),)),
        lambda: fm.sweep(workload="stride", **{"scratchpad.latenzy": [1, 2]}),
    ):
        with pytest.raises(fm.FermataError) as caught:
            work()
        assert "fermata-py-" not in str(caught.value)


@pytest.mark.parametrize(
    ("argument", "error", "text"),
    [
        (3, TypeError, "argument 0 is int 3"),
        (2.5, TypeError, r"numpy.float32\(2.5\)"),
        ("x", TypeError, "argument 0 is str"),
        (np.zeros(4, "c8"), TypeError, "complex64"),
        (np.zeros(4, "O"), TypeError, "object"),
        (np.zeros(4, [("a", "f4")]), TypeError, "argument 0 has the dtype"),
        (np.zeros(0, "f4"), ValueError, "no elements"),
        (fm.In([1, 2]), TypeError, "wraps list"),  # type: ignore[arg-type]
    ],
)
def test_arguments_are_refused(argument: object, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        kernel()(1, 32, (argument, np.int32(1)))


def test_shared_memory_is_refused() -> None:
    x = np.zeros(32, "f4")
    with pytest.raises(ValueError, match="arguments 0 and 1 share memory"):
        kernel('extern "C" __global__ void k(float* a, float* b) {}')(1, 32, (x, x[4:]))
    with pytest.raises(ValueError, match="read-only"):
        y = np.zeros(4, "f4")
        y.flags.writeable = False
        kernel()(1, 32, (fm.Out(y), np.int32(1)))


def test_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="grid is"):
        kernel()((1, 2, 3, 4), 32, (np.zeros(32, "f4"), np.int32(1)))
    with pytest.raises(fm.BadInput, match="block is 2048; expected 1 to 1024"):
        kernel()(1, 2048, (np.zeros(32, "f4"), np.int32(1)))
    for grid in (1.5, "1", None, (1, 2.0)):
        with pytest.raises(TypeError, match="grid is .*expected one to three"):
            kernel()(grid, 32, (np.zeros(32, "f4"), np.int32(1)))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a tuple"):
        kernel()(1, 32, np.zeros(32, "f4"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        kernel()[1](np.zeros(32, "f4"))  # type: ignore[index]
    with pytest.raises(TypeError, match="one of code"):
        fm.Module()
    with pytest.raises(FileNotFoundError):
        fm.Module(path="/nonexistent.cu")
    with pytest.raises(FileNotFoundError):
        fm.Kernel("/nonexistent.toml")
    with pytest.raises(TypeError, match="path='tile.cu'"):
        fm.Module("tile.cu")
    with pytest.raises(TypeError, match="ptx is bytes"):
        fm.Module(ptx=b".version 8.0\n")  # type: ignore[arg-type]
    with pytest.raises(fm.BadInput, match="no JSON"):
        fm.Metadata.read(__file__)
    with pytest.raises(ValueError, match="no run"):
        fm.Run.load(__file__)


def test_missing_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FERMATA", "/nonexistent/fermata")
    with pytest.raises(fm.ProgramMissing, match="FERMATA is"):
        fm.version()


def test_full_disk(tmp_path: Path) -> None:
    with pytest.raises(fm.FermataError):
        fm.Workload("stride").run("sm_80", record="/dev/full/t.csv")


#: Does a piece of work where no file may exceed 2,000 bytes, and says what it raises.
FULL = """
import resource, sys, numpy as np, fermata as fm
fm.version()
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
twice = fm.Module('extern "C" __global__ void k(float* x) {{ }}', arch="sm_80").get_function("k")
try:
    {work}
except fm.FermataError as error:
    print("raised", error)
"""


@pytest.mark.parametrize(
    "work",
    [
        "twice(1, 32, (np.zeros(8192, 'f4'),))",  # numpy writes too much
        "fm.Workload('stride').run('sm_80')",  # the program does
        "fm.sweep(workload='stride', mapping=['mod 32', 'ami 33'])",
        "fm.Platform('sm_80').save(sys.argv[1] + '/p.toml')",
    ],
)
def test_full_disk_leaves_nothing(work: str, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", FULL.format(work=work), str(tmp_path)],
        env=dict(os.environ, TMPDIR=str(tmp_path)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.stdout.startswith("raised"), result.stderr
    assert list(tmp_path.iterdir()) == []


def test_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    """A saved run is replaced whole or not at all."""
    work = (
        "run = fm.Run({'runs.csv': 'a\\n1\\n'}, stdout=np.random.bytes(90_000).hex()); "
        "run.save(sys.argv[1] + '/run.zip')"
    )
    (tmp_path / "run.zip").write_bytes(b"before")
    result = subprocess.run(
        [sys.executable, "-c", FULL.format(work=work), str(tmp_path)],
        env=dict(os.environ, TMPDIR=str(tmp_path)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.stdout.startswith("raised"), result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["run.zip"]
    assert (tmp_path / "run.zip").read_bytes() == b"before"


SLOW = """
import os, sys, fermata as fm
print("begun", flush=True)
slow = fm.Workload("matmul", {"n": 1024})
try:
    WORK
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def children_of(pid: int) -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rpartition(")")[2].split()[1]) == pid:
                        found.append(int(name))
            except OSError:
                pass
    return found


def started(work: str = "slow.run('sm_80')") -> tuple[subprocess.Popen[bytes], int]:
    code = SLOW.replace("WORK", work)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"begun\n"
    deadline = time.monotonic() + 30
    while not (children := children_of(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)  # it has passed its first instructions
    return process, (children_of(process.pid) or children)[0]


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def left_of(pid: int) -> list[str]:
    return [
        name for place in ("/dev/shm", "/tmp") for name in os.listdir(place)
        if name.startswith(f"fermata-py-{pid}-")
    ]  # fmt: skip


@pytest.mark.parametrize(
    "work",
    [
        "slow.run('sm_80')",
        "fm.run_all(['stride', slow, slow, slow], 'sm_80', jobs=2)",
        "fm.sweep(workload='matmul', mapping=['mod 32', 'ami 33'], **{'param.n': 1024})",
    ],
)
def test_interrupt_ends_the_program(work: str) -> None:
    process, child = started(work)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == b"interrupted\n" and process.returncode == 0
    assert gone(child) and left_of(process.pid) == []


def test_the_program_dies_with_its_caller() -> None:
    process, child = started()
    process.kill()
    process.communicate()
    assert gone(child)
    fm.Workload("stride").run("sm_80")  # the next interpreter removes what was left
    subprocess.run(
        [sys.executable, "-c", "import fermata as fm; fm.Workload('stride').run('sm_80')"],
        check=True,
    )
    assert left_of(process.pid) == []


def test_a_dead_program_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    dying = tmp_path / "fermata"
    dying.write_text("#!/bin/sh\nkill -9 $$\n")
    dying.chmod(0o755)
    monkeypatch.setenv("FERMATA", str(dying))
    with pytest.raises(fm.FermataError, match="SIGKILL"):
        fm.check("transpose", platform="gtx480")


def test_errors_in_threads_stay_apart() -> None:
    caught = []

    def work(name: str) -> None:
        try:
            fm.Workload(name).run("sm_80")
        except fm.BadInput as error:
            caught.append(name in error.message)

    threads = [threading.Thread(target=work, args=(f"nosuch{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert caught == [True] * 4
