"""Runs gates on many streams of inputs at once, one bit of an integer per stream, and sums the
energy of their edges."""

import re

from timing import EDGES, INPUT_TRANSITION


class Simulation:
    def __init__(self, netlist, library, streams):
        self.netlist, self.all = netlist, (1 << streams) - 1
        self.value = [0] * netlist.nets
        self.value[1] = self.all
        self._steps = [
            self._compiled(netlist.gates[i : i + 4000], library)
            for i in range(0, len(netlist.gates), 4000)
        ]
        self._data = [
            (register.inputs[library.cells[register.kind].data], net)
            for register in netlist.registers
            for net in register.outputs.values()
        ]

    @staticmethod
    def _compiled(gates, library):
        lines = ["def step(v, w, M):"]
        for gate in gates:
            for pin, net in gate.outputs.items():
                text = library.cells[gate.kind].functions[pin]
                names = {name: f"v[{source}]" for name, source in gate.inputs.items()}
                words = re.sub(
                    r"[A-Za-z]\w*", lambda m: names.get(m.group(), m.group()), text
                )
                lines.append(f" w[{net}] = {words}")
        scope = {}
        exec("\n".join(lines + [" return"]), scope)
        return scope["step"]

    def edge(self, energy=None):
        """Gives a rising edge of the clock."""
        before = list(self.value)
        for source, net in self._data:
            self.value[net] = before[source]
        if energy:
            energy.add(before, self.value)

    def settle(self, inputs, energy=None, glitches=False):
        """Sets the inputs: a list per port, with an integer for each bit. The gates follow at once;
        with `glitches`, each follows its inputs by one unit of time."""
        before = list(self.value)
        for name, nets in self.netlist.inputs.items():
            for net, value in zip(nets, inputs.get(name, [0] * len(nets))):
                self.value[net] = value
        while glitches:
            after = list(self.value)
            for step in self._steps:
                step(self.value, after, self.all)
            if energy:
                energy.add(before, after)
            if after == self.value:
                return
            before, self.value = after, list(after)
        for step in self._steps:
            step(self.value, self.value, self.all)
        if energy:
            energy.add(before, self.value)

    def port(self, name):
        return [self.value[net] for net in self.netlist.outputs[name]]


class Energy:
    """Sums the energy of edges of nets, for the loads that they charge and inside the cells."""

    def __init__(self, netlist, library, load, timing):
        self._prices = {}  # per net: pJ of a rise, pJ of a fall
        half = 0.5 * library.voltage**2
        for nets in netlist.inputs.values():
            for net in nets:
                self._prices[net] = (load[net] * half, load[net] * half)
        for instance in netlist.gates + netlist.registers:
            cell = library.cells[instance.kind]
            for pin, net in instance.outputs.items():
                prices = []
                for edge in ("rise", "fall"):
                    inside = [
                        self._inside(arc, edge, load[net], timing, instance.inputs.get(source))
                        for source, arc in cell.arcs[pin].items()
                        if edge in arc.energy
                    ]
                    prices.append(load[net] * half + (sum(inside) / len(inside) if inside else 0.0))
                self._prices[net] = tuple(prices)
        for register in netlist.registers:  # energy of the data pin alone
            cell = library.cells[register.kind]
            net, alone = register.inputs[cell.data], cell.pin_energy.get(cell.data)
            if alone and net in self._prices:
                more = [alone[e].at(0, timing.transition_of(net, e)) for e in ("rise", "fall")]
                self._prices[net] = tuple(a + b for a, b in zip(self._prices[net], more))
        self._total = 0.0

    @staticmethod
    def _inside(arc, edge, load, timing, source):
        causes = EDGES[arc.sense or "non_unate"][edge]
        found = [arc.energy[edge].at(load, timing.transition_of(source, one)) for one in causes]
        return sum(found) / len(found)

    def add(self, before, after):
        for net, (rise, fall) in self._prices.items():
            old, new = before[net], after[net]
            if old != new:
                self._total += rise * (new & ~old).bit_count() + fall * (old & ~new).bit_count()

    def femtojoules(self, evaluations):
        """Returns the energy of one of the evaluations."""
        return 1000 * self._total / evaluations


def clock_femtojoules(netlist, library):
    """Returns the energy of a cycle, in which the clock pins of all registers rise and fall."""
    total = 0.0
    for register in netlist.registers:
        cell = library.cells[register.kind]
        pin = cell.clock.lstrip("!")
        total += cell.capacitance[pin] * library.voltage**2
        for table in cell.pin_energy.get(pin, {}).values():
            total += table.at(0, INPUT_TRANSITION)
    return 1000 * total
