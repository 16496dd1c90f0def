#!/usr/bin/env python3
"""Writes gates, area, delay and energy of the blocks of models/rtl, by default to
results/published/rtl_costs.csv.

Needs yosys, abc (berkeley-abc) and the cells of qflow-tech-osu018. The same tools give the same
bytes. results/published/README.md describes the columns.
"""

import argparse
import csv
import io
import os
import random
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import activity  # noqa: E402
import blocks  # noqa: E402
import netlist  # noqa: E402
import timing  # noqa: E402
from liberty import Library  # noqa: E402

LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
TABLE = Path(__file__).resolve().parents[3] / "results" / "published" / "rtl_costs.csv"
COLUMNS = (
    "block,setting,gives,address_bits,lanes,cells,gate_equivalents,register_equivalents,area_um2,"
    "delay_ns,energy_random_fj,energy_stream_fj,energy_glitches_fj,"
    "energy_clock_fj"
).split(",")
SEED = 2014
EVALUATIONS = 2048  # for one lane; a quarter for a block for all lanes
STEPS = 9
STRIDE = 32  # words between successive accesses of a lane, in a warp that reads on


class Stream(random.Random):
    """Random numbers of one stream; its addresses start at `first`."""

    def __init__(self, number):
        super().__init__(SEED * 1000003 + number)
        self.number = number
        self.first = self.randrange(1 << 20) * STRIDE


def expect(found, answers, streams, what):
    for port, values in answers.items():
        got = blocks.values_of(found.port(port), streams)
        if got != values:
            wrong = next(i for i, pair in enumerate(zip(got, values)) if pair[0] != pair[1])
            raise AssertionError(f"{what}: {port} is {got[wrong]}; expected {values[wrong]}")


def run_lane(block, simulation, energy, streams, in_order, glitches):
    sources = [Stream(i) for i in range(streams)]
    width = 64 if block.two_operands else block.address_bits
    inputs, chosen = {}, None
    if block.configure:
        settings = [block.configure(source) for source in sources]
        chosen = [meaning for _, meaning in settings]
        inputs["config_data"] = blocks.bits_of([n for n, _ in settings], block.config_bits)
        simulation.settle({**inputs, "config_we": [simulation.all]})
        simulation.edge()
    for step in range(STEPS):
        words = [
            (s.first + step * STRIDE if in_order else s.getrandbits(width)) % (1 << width)
            for s in sources
        ]
        bits = blocks.bits_of(words, width)
        ports = {"a": bits[:32], "b": bits[32:]} if block.two_operands else {"word": bits}
        simulation.settle({**inputs, **ports}, energy if step else None, glitches)
        if block.expected:
            expect(simulation, block.expected(words, chosen), streams, block.setting)


def run_warp(block, simulation, energy, streams, in_order, glitches):
    sources = [Stream(i) for i in range(streams)]
    widths, before = block.warp.widths(), None
    for step in range(STEPS):
        asked = [block.warp.request(source, step, in_order) for source in sources]
        simulation.settle(
            {port: blocks.bits_of([p[port] for p, _ in asked], w) for port, w in widths.items()},
            energy if step else None,
            glitches,
        )
        if before:
            answers = [block.warp.answers(b, p) for b, (p, _) in zip(before, asked)]
            together = {port: [one[port] for one in answers] for port in answers[0]}
            expect(simulation, together, streams, block.setting)
        simulation.edge(energy if step else None)
        before = [meaning for _, meaning in asked]


def measured(block, library, liberty):
    gates = netlist.synthesise(block.module, block.parameters, block.unused, library, liberty)
    load = timing.loads(gates, library)
    fixed = block.configure is not None
    times = timing.Timing(gates, library, load, fixed)
    streams = (EVALUATIONS if block.warp is None else EVALUATIONS // 4) // (STEPS - 1)
    joules = []
    for in_order, glitches in ((False, False), (True, False), (False, True)):
        if in_order and block.two_operands or glitches and block.warp:
            joules.append("")
            continue
        simulation = activity.Simulation(gates, library, streams)
        energy = activity.Energy(gates, library, load, times)
        run = run_warp if block.warp else run_lane
        run(block, simulation, energy, streams, in_order, glitches)
        joules.append(f"{energy.femtojoules(streams * (STEPS - 1)):.1f}")
    instances = gates.gates + gates.registers
    area = sum(library.cells[one.kind].area for one in instances)
    registers = gates.registers
    if fixed:  # and the gates that write them
        working = {id(gate) for gate in gates.feeding_outputs()}
        registers = registers + [gate for gate in gates.gates if id(gate) not in working]
    kept = sum(library.cells[one.kind].area for one in registers)
    unit = library.cells["NAND2X1"].area
    return [
        block.block, block.setting, block.gives, block.address_bits or "", block.lanes,
        len(instances), f"{area / unit:.1f}", f"{kept / unit:.1f}", f"{area:.0f}",
        f"{times.longest:.3f}", *joules, f"{activity.clock_femtojoules(gates, library):.1f}",
    ]  # fmt: skip


def row_text(row):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(row)
    return out.getvalue()


def row_of(number, liberty):
    """Runs in a process of its own, which finds its block by number: functions cannot be sent."""
    begin = time.monotonic()
    block = blocks.all_blocks()[number]
    row = measured(block, Library(liberty), liberty)
    print(f"{block} {time.monotonic() - begin:.1f} s", file=sys.stderr, flush=True)
    return row_text(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="blocks whose name and setting contain this")
    parser.add_argument("--out", default=str(TABLE), help="- : standard output")
    parser.add_argument("--liberty", default=LIBERTY)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    arguments = parser.parse_args()
    if arguments.only and arguments.out == str(TABLE):
        parser.error("--only gives a part of the table; expected --out with it")
    for tool in ("yosys", "berkeley-abc"):
        if not shutil.which(tool):
            parser.error(f"no {tool}; expected the Debian package of this name")
    if not Path(arguments.liberty).is_file():
        parser.error(f"no {arguments.liberty}; expected the Debian package qflow-tech-osu018")
    chosen = [i for i, block in enumerate(blocks.all_blocks()) if arguments.only in str(block)]
    if not chosen:
        parser.error(f"no block contains '{arguments.only}'")
    text = row_text(COLUMNS)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for row in pool.map(partial(row_of, liberty=arguments.liberty), chosen):
            text += row
            if arguments.out != "-":
                Path(arguments.out + ".part").write_text(text, encoding="utf-8")
    if arguments.out == "-":
        sys.stdout.write(text)
    else:
        os.replace(arguments.out + ".part", arguments.out)


if __name__ == "__main__":
    main()
