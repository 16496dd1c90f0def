"""Synthesises a module with yosys and abc, and reads the resulting gates."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

RTL = Path(__file__).resolve().parent.parent
HERE = Path(__file__).resolve().parent

# The passes that yosys gives abc with a library, but with a limit on what its proofs of equality
# may take: without one, adders of 60 bits on top of each other (modulo 61) take hours.
ABC_SCRIPT = """strash
ifraig -C 100
scorr -C 100 -L 200
dc2
strash
&get -n
&nf
&put
buffer
upsize
dnsize
stime -p
"""
DRIVER = "BUFX4"  # driver of an input, for abc's sizes
OUTPUT_LOAD = 0.0088  # pF on an output: the data pin of a flip-flop


@dataclass
class Instance:
    kind: str
    inputs: dict  # pin: net
    outputs: dict


class Netlist:
    """Gates and registers between numbered nets; nets 0 and 1 are the constants."""

    def __init__(self, module, library):
        self.inputs, self.outputs = {}, {}
        for name, port in module["ports"].items():
            nets = [self._net(bit) for bit in port["bits"]]
            (self.inputs if port["direction"] == "input" else self.outputs)[name] = nets
        gates, self.registers = [], []
        for cell in module["cells"].values():
            kind = library.cells[cell["type"]]
            pins = {pin: self._net(bits[0]) for pin, bits in cell["connections"].items() if bits}
            instance = Instance(
                cell["type"],
                {pin: net for pin, net in pins.items() if pin in kind.capacitance},
                {pin: net for pin, net in pins.items() if pin in kind.functions},
            )
            (self.registers if kind.clock else gates).append(instance)
        self.gates = self._ordered(gates)
        self.nets = 2 + max(
            [1] + [n for i in gates + self.registers for n in (*i.inputs.values(), *i.outputs.values())]
            + [n for nets in (*self.inputs.values(), *self.outputs.values()) for n in nets]
        )

    @staticmethod
    def _net(bit):
        return bit if isinstance(bit, int) else int(bit == "1")

    @staticmethod
    def _ordered(gates):
        """Returns the gates, each behind those that drive it."""
        driver = {net: gate for gate in gates for net in gate.outputs.values()}
        ordered, state = [], {}
        for root in gates:
            stack = [root]
            while stack:
                gate = stack[-1]
                if state.get(id(gate)) == 2:
                    stack.pop()
                    continue
                state[id(gate)] = 1
                waits = [driver[n] for n in gate.inputs.values() if n in driver]
                waits = [one for one in waits if state.get(id(one)) != 2]
                if any(state.get(id(one)) == 1 for one in waits):
                    raise ValueError("the netlist has a loop without a register")
                if waits:
                    stack.extend(waits)
                else:
                    state[id(gate)] = 2
                    ordered.append(gate)
                    stack.pop()
        return ordered

    def feeding_outputs(self):
        """Returns the gates that an output depends on within an evaluation."""
        needed = {net for nets in self.outputs.values() for net in nets}
        kept = []
        for gate in reversed(self.gates):
            if needed.intersection(gate.outputs.values()):
                needed.update(gate.inputs.values())
                kept.append(gate)
        return kept


def _run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:2])}: {done.stderr.strip() or done.stdout[-500:]}")
    return done.stdout


def synthesise(top, parameters, unused, library, liberty):
    """Returns the gates of the module, with the outputs `unused` left open."""
    sources = sorted(str(path) for path in (*RTL.glob("*.sv"), *HERE.glob("*.sv")))
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "abc").write_text(ABC_SCRIPT)
        (folder / "constraints").write_text(f"set_driving_cell {DRIVER}\nset_load {OUTPUT_LOAD}\n")
        lines = [f"read_verilog -sv -defer {' '.join(sources)}"]
        if parameters:
            settings = " ".join(f"-set {name} {value}" for name, value in parameters.items())
            lines.append(f"chparam {settings} {top}")
        lines += [f"hierarchy -check -top {top}", "proc", "flatten"]
        lines += [f"delete -port {top}/{port}" for port in unused]
        lines += [
            f"synth -flatten -noabc -top {top}",
            f"dfflibmap -liberty {liberty}",
            f"abc -liberty {liberty} -constr {folder}/constraints -script {folder}/abc",
            "opt_clean -purge",
            f"write_json {folder}/gates.json",
        ]
        (folder / "run.ys").write_text("\n".join(lines) + "\n")
        _run(["yosys", "-q", "-s", str(folder / "run.ys")])
        modules = json.loads((folder / "gates.json").read_text())["modules"]
    tops = [m for m in modules.values() if int(m["attributes"].get("top", "0"), 2)]
    return Netlist(tops[0], library)
