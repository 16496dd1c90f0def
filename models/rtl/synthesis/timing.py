"""Computes the longest paths through gates from their cells' tables of delay and transition."""

from netlist import OUTPUT_LOAD

INPUT_TRANSITION = 0.06  # ns, about that of a flip-flop's output

EDGES = {  # edges of an input that cause an edge of the output
    "positive_unate": {"rise": ("rise",), "fall": ("fall",)},
    "negative_unate": {"rise": ("fall",), "fall": ("rise",)},
    "non_unate": {"rise": ("rise", "fall"), "fall": ("rise", "fall")},
}


def loads(netlist, library):
    """Returns the pF on each net: of the pins it drives and of an output's load, without wires."""
    load = [0.0] * netlist.nets
    for instance in netlist.gates + netlist.registers:
        for pin, net in instance.inputs.items():
            load[net] += library.cells[instance.kind].capacitance[pin]
    for nets in netlist.outputs.values():
        for net in nets:
            load[net] += OUTPUT_LOAD
    return load


class Timing:
    """Arrival times; if `fixed`, registers hold a configuration, which no address changes."""

    def __init__(self, netlist, library, load, fixed):
        self.arrival = {}  # per net that can change: {edge: ns}
        self.transition = {0: {}, 1: {}}
        for name, nets in netlist.inputs.items():
            if name in ("clk", "config_we", "config_data", "reset"):
                continue
            for net in nets:
                self.arrival[net] = {"rise": 0.0, "fall": 0.0}
        for register in netlist.registers:
            cell = library.cells[register.kind]
            for pin, net in register.outputs.items():
                arc = cell.arcs[pin][cell.clock.lstrip("!")]
                if not fixed:
                    self.arrival[net] = {
                        e: arc.delay[e].at(load[net], INPUT_TRANSITION) for e in ("rise", "fall")
                    }
                self.transition[net] = {
                    e: arc.transition[e].at(load[net], INPUT_TRANSITION) for e in ("rise", "fall")
                }
        for gate in netlist.gates:
            for pin, net in gate.outputs.items():
                self._drive(library.cells[gate.kind].arcs[pin], gate, net, load[net])
        ends = {net for nets in netlist.outputs.values() for net in nets}
        for register in netlist.registers:
            if not fixed:
                ends.add(register.inputs[library.cells[register.kind].data])
        self.longest = max((t for n in ends for t in self.arrival.get(n, {}).values()), default=0.0)

    def transition_of(self, net, edge):
        return self.transition.get(net, {}).get(edge, INPUT_TRANSITION)

    def _drive(self, arcs, gate, net, load):
        arrival, transition = {}, {}
        for edge in ("rise", "fall"):
            for pin, arc in arcs.items():
                source = gate.inputs[pin]
                for cause in EDGES[arc.sense][edge]:
                    slope = self.transition_of(source, cause)
                    transition[edge] = max(
                        transition.get(edge, 0.0), arc.transition[edge].at(load, slope)
                    )
                    if cause in self.arrival.get(source, {}):
                        time = self.arrival[source][cause] + arc.delay[edge].at(load, slope)
                        arrival[edge] = max(arrival.get(edge, 0.0), time)
        if arrival:
            self.arrival[net] = arrival
        self.transition[net] = transition
