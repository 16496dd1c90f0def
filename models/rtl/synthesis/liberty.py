"""Reads areas, capacitances, functions, delays and energies from a Liberty file."""

import bisect
import re
from dataclasses import dataclass, field


@dataclass
class Group:
    """Holds `name (arguments) { attributes and groups }`."""

    name: str
    arguments: str
    values: dict = field(default_factory=dict)
    groups: list = field(default_factory=list)

    def all(self, name):
        return [group for group in self.groups if group.name == name]

    def first(self, name):
        return next((group for group in self.groups if group.name == name), None)


_TOKEN = re.compile(
    r'/\*.*?\*/|\\\n|"(?:[^"\\]|\\.)*"|[{}();:,]|[^\s{}();:,"]+', re.DOTALL
)


def parse(text):
    """Returns the outermost group."""
    tokens = [t for t in _TOKEN.findall(text) if not t.startswith(("/*", "\\"))]
    at = 0

    def read_group(name, arguments):
        nonlocal at
        group = Group(name, arguments)
        while tokens[at] != "}":
            key = tokens[at]
            at += 1
            if key == ";":
                continue
            if tokens[at] == ":":
                end = at + 1
                while tokens[end] != ";":
                    end += 1
                group.values[key] = " ".join(tokens[at + 1 : end]).strip('"')
                at = end + 1
            elif tokens[at] == "(":
                end = tokens.index(")", at)
                inside = " ".join(t.strip('"') for t in tokens[at + 1 : end] if t != ",")
                at = end + 1
                if at < len(tokens) and tokens[at] == "{":
                    at += 1
                    group.groups.append(read_group(key, inside))
                else:
                    group.values[key] = inside
            else:
                raise ValueError(f"liberty: unexpected '{tokens[at]}' after '{key}'")
        at += 1
        return group

    at = tokens.index("{") + 1
    return read_group(tokens[0], "")


def _numbers(text):
    return [float(number) for number in re.findall(r"[-+0-9.eE]+", text.replace("\\", " "))]


class Lookup:
    """Interpolates a table over output load and input transition, also beyond its points."""

    def __init__(self, group):
        self.loads = _numbers(group.values["index_1"])
        self.transitions = _numbers(group.values["index_2"]) if "index_2" in group.values else [0.0]
        values = _numbers(group.values["values"])
        if "index_2" not in group.values:  # over the transition alone
            self.loads, self.transitions = [0.0], self.loads
        width = len(self.transitions)
        self.rows = [values[i : i + width] for i in range(0, len(values), width)]

    @staticmethod
    def _place(points, value):
        if len(points) == 1:
            return 0, 0, 0.0
        low = min(max(bisect.bisect_right(points, value) - 1, 0), len(points) - 2)
        return low, low + 1, (value - points[low]) / (points[low + 1] - points[low])

    def at(self, load, transition):
        a, b, x = self._place(self.loads, load)
        c, d, y = self._place(self.transitions, transition)
        upper = self.rows[a][c] * (1 - y) + self.rows[a][d] * y
        lower = self.rows[b][c] * (1 - y) + self.rows[b][d] * y
        return upper * (1 - x) + lower * x


@dataclass
class Arc:
    """Delay (ns) and energy inside the cell (pJ) from a pin to an output."""

    sense: str = ""
    delay: dict = field(default_factory=dict)  # "rise", "fall": Lookup
    transition: dict = field(default_factory=dict)
    energy: dict = field(default_factory=dict)


@dataclass
class Cell:
    name: str
    area: float
    capacitance: dict  # per input pin, pF
    functions: dict  # per output pin: a Python expression of pins
    arcs: dict  # per output pin: {input pin: Arc}
    clock: str = ""  # pin of a flip-flop
    data: str = ""
    pin_energy: dict = field(default_factory=dict)  # per input alone: {pin: {"rise": Lookup}}


def _expression(function):
    """Returns the function in Python's operators; a blank means "and", `M` is all ones."""
    text = re.sub(r"([A-Za-z0-9_)'])\s+(?=[A-Za-z0-9_(!])", r"\1 & ", function)
    text = re.sub(r"!(\w+)", r"(M^\1)", text.replace("+", "|"))
    return text.replace("!(", "M^(")


def _tables(group, names):
    return {edge: Lookup(group.first(name)) for edge, name in names.items() if group.first(name)}


def _cell(group):
    state = group.first("ff")
    cell = Cell(group.arguments, float(group.values["area"]), {}, {}, {})
    if state:
        cell.clock = state.values["clocked_on"].strip("()")
        cell.data = state.values["next_state"]
    for pin in group.all("pin"):
        name = pin.arguments
        if pin.values["direction"] == "input":
            cell.capacitance[name] = float(pin.values["capacitance"])
            alone = pin.first("internal_power")
            if alone:
                cell.pin_energy[name] = _tables(alone, {"rise": "rise_power", "fall": "fall_power"})
            continue
        if "function" not in pin.values:
            continue
        cell.functions[name] = _expression(pin.values["function"])
        arcs = cell.arcs.setdefault(name, {})
        for timing in pin.all("timing"):
            arc = arcs.setdefault(timing.values["related_pin"], Arc())
            arc.sense = timing.values.get("timing_sense", "non_unate")
            arc.delay = _tables(timing, {"rise": "cell_rise", "fall": "cell_fall"})
            arc.transition = _tables(timing, {"rise": "rise_transition", "fall": "fall_transition"})
        for power in pin.all("internal_power"):
            arcs.setdefault(power.values["related_pin"], Arc()).energy = _tables(
                power, {"rise": "rise_power", "fall": "fall_power"}
            )
    return cell


class Library:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            top = parse(file.read())
        units = (top.values["time_unit"], top.values["voltage_unit"], top.values["capacitive_load_unit"])
        if units != ("1ns", "1V", "1 pf"):
            raise ValueError(f"{path}: units {units}; expected 1ns, 1V, 1 pf")
        self.voltage = float(top.values["nom_voltage"])
        self.cells = {cell.arguments: _cell(cell) for cell in top.all("cell")}
