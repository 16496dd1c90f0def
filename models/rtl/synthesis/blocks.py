"""Lists the blocks to synthesise, with their parameters, requests and expected answers."""

from dataclasses import dataclass

import lanes
from lanes import packed

MODULI = [31, *range(33, 64)]
ADDRESS_BITS = (14, 32)  # 48 KiB of words, and all that a lane can name
BANK_BITS = (4, 5, 6)


def bits_of(values, width):
    """Returns an integer for each bit, with that bit of each stream's value."""
    return [sum((v >> bit & 1) << s for s, v in enumerate(values)) for bit in range(width)]


def values_of(bits, streams):
    return [sum((word >> s & 1) << bit for bit, word in enumerate(bits)) for s in range(streams)]


@dataclass
class Block:
    block: str  # name in the table
    setting: str
    module: str
    parameters: dict
    gives: str = ""  # outputs that are kept
    unused: tuple = ()
    address_bits: int = 0
    lanes: int = 1
    expected: object = None  # (streams' words, their configurations) -> {port: values}
    configure: object = None  # random -> (configuration of a stream as a number, its meaning)
    config_bits: int = 0
    two_operands: bool = False
    warp: object = None  # requests of a block for all lanes (lanes.py)

    def __str__(self):
        bits = f"{self.address_bits} " if self.address_bits else ""
        return f"{self.block} {self.setting} {self.gives} {bits}lanes={self.lanes}"


def _ami(modulus, address_bits, form, exact, gives):
    def expected(words, _):
        answers = {"bank": [w % modulus for w in words]}
        if gives == "bank and row":
            answers["row"] = [w // modulus for w in words]
        return answers

    corner = "exact" if exact else "all-ones"
    return Block(
        "ami",
        f"modulus={modulus} form={'fast' if form else 'array'} corner={corner}",
        "ami_divmod",
        {"M": modulus, "W": address_bits, "FORM": form, "EXACT": exact},
        gives,
        ("row",) if gives == "bank" else (),
        address_bits,
        expected=expected if exact else None,
    )


def _moduli():
    for address_bits in ADDRESS_BITS:
        for gives in ("bank and row", "bank"):
            for form in (1, 0):
                for modulus in MODULI:
                    yield _ami(modulus, address_bits, form, 1, gives)
    for gives in ("bank and row", "bank"):  # the uncorrected array of the paper
        for modulus in MODULI:
            yield _ami(modulus, 32, 0, 0, gives)


def picked(word, bits):
    """Returns the bits of the word in the given order, packed."""
    return sum((word >> bit & 1) << i for i, bit in enumerate(bits))


def _field_bits(address_bits):
    return (address_bits - 1).bit_length()


def _perm(n, m):
    return _field_bits(n), lambda r: (k := r.randrange(n - m + 1), k), lambda w, k: w >> k


def _xor(n, m):
    width = _field_bits(n)

    def configure(random):
        k1, k2, mask = random.randrange(n - m + 1), random.randrange(n), random.randrange(1 << m)
        return mask << 2 * width | k2 << width | k1, (k1, k2, mask)

    return m + 2 * width, configure, lambda w, c: (w >> c[0]) ^ (w >> c[1]) & c[2]


def _bits(n, m):
    width = _field_bits(n)

    def configure(random):
        chosen = random.sample(range(n), m)
        return packed(chosen, width), chosen

    return m * width, configure, picked


def _pairs(n, m):
    width = _field_bits(n)

    def configure(random):
        first = [random.randrange(n) for _ in range(m)]
        second = [random.randrange(n) for _ in range(m)]
        pair = random.randrange(1 << m)
        return pair << 2 * m * width | packed(first + second, width), (first, second, pair)

    def bank(word, chosen):
        first, second, pair = chosen
        return picked(word, first) ^ picked(word, second) & pair

    return m * (2 * width + 1), configure, bank


def _row_select(n, m):
    width = _field_bits(n)

    def configure(random):
        dropped = sorted(random.sample(range(n), m))
        return packed(dropped, width), dropped

    def row(word, dropped):
        return picked(word, [bit for bit in range(n) if bit not in dropped])

    return m * width, configure, row


_CLASSES = {
    "perm": ("bit_vector_permutation", _perm, "bank"),
    "xor": ("bit_vector_xor", _xor, "bank"),
    "bits": ("bitwise_permutation", _bits, "bank"),
    "pairs": ("bitwise_xor", _pairs, "bank"),
    "row-select": ("row_select", _row_select, "row"),
}


def _configurable():
    for name, (module, shape, gives) in _CLASSES.items():
        for n in ADDRESS_BITS:
            for m in BANK_BITS:
                width, configure, answer = shape(n, m)
                most = (1 << (m if gives == "bank" else n - m)) - 1
                yield Block(
                    name,
                    f"banks={1 << m}",
                    module,
                    {"N": n, "M": m},
                    gives,
                    (),
                    n,
                    expected=lambda words, chosen, gives=gives, answer=answer, most=most: {
                        gives: [answer(w, c) & most for w, c in zip(words, chosen)]
                    },
                    configure=configure,
                    config_bits=width,
                )


def _fixed():
    for name, module in (("fixed-xor", "fixed_xor"), ("add", "add_hash")):
        for m in BANK_BITS:
            for digit in (d for d in range(1, m + 1) if m % d == 0):

                def expected(words, _, m=m, digit=digit, name=name):
                    above = [w >> digit for w in words]
                    if name == "fixed-xor":
                        banks = [w ^ a for w, a in zip(words, above)]
                    else:
                        part = (1 << digit) - 1
                        banks = [
                            sum(((w >> i) + (a >> i) & part) << i for i in range(0, m, digit))
                            for w, a in zip(words, above)
                        ]
                    return {"bank": [b & (1 << m) - 1 for b in banks], "row": [w >> m for w in words]}

                yield Block(
                    name,
                    f"banks={1 << m} digit={digit}",
                    module,
                    {"N": 14, "M": m, "DIGIT": digit},
                    "bank and row",
                    (),
                    14,
                    expected=expected,
                )


def _references():
    for out in (32, 64):
        yield Block(
            "multiplier", f"bits=32 product={out}", "multiplier", {"OUT": out}, "product",
            expected=lambda words, _, out=out: {
                "product": [(w & 0xFFFFFFFF) * (w >> 32) & (1 << out) - 1 for w in words]
            },
            two_operands=True,
        )
    yield Block(
        "ripple-adder", "bits=32", "ripple_adder", {"W": 32}, "sum",
        expected=lambda words, _: {"sum": [(w & 0xFFFFFFFF) + (w >> 32) for w in words]},
        two_operands=True,
    )
    yield Block(
        "divider", "modulus=33", "divider", {"M": 33}, "bank and row", (), 32,
        expected=lambda words, _: {"bank": [w % 33 for w in words], "row": [w // 33 for w in words]},
    )
    yield Block(
        "parity", "inputs=32", "parity", {"W": 32}, "odd", (), 32,
        expected=lambda words, _: {"odd": [w.bit_count() & 1 for w in words]},
    )


def _warps():
    for name, gives in (("pass-arbiter", "pass"), ("crossbar", "pass and words")):
        for banks in (32, 33, 64):
            yield Block(
                name, f"banks={banks}", name.replace("-", "_"), {"BANKS": banks}, gives, lanes=32,
                warp=lanes.PassRequests(banks, words=name == "crossbar"),
            )
    for count, locks in ((2, 64), (4, 64), (8, 64), (2, 128), (4, 128)):
        yield Block(
            "lock-unit", f"locks={locks}", "lock_unit", {"LANES": count, "LOCKS": locks}, "got",
            lanes=count, warp=lanes.LockRequests(count, locks),
        )


def all_blocks():
    return [*_references(), *_warps(), *_configurable(), *_fixed(), *_moduli()]
