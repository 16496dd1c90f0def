"""Requests for the blocks that serve all lanes of a warp, and what these must answer."""

ROW_BITS = 10
LANES = 32


def _packed(values, width):
    return sum(value << i * width for i, value in enumerate(values))


class PassRequests:
    """A pass an evaluation: pass_arbiter, and with `words` the crossbar behind it."""

    def __init__(self, banks, words):
        self.banks, self.words = banks, words
        self.bank_bits = (banks - 1).bit_length()

    def widths(self):
        widths = {
            "request_valid": 1,
            "lanes": LANES,
            "bank": LANES * self.bank_bits,
            "row": LANES * ROW_BITS,
        }
        return {**widths, "bank_word": self.banks * 32} if self.words else widths

    def request(self, random, step, stream):
        """Random words of a memory, or with `stream` a warp that reads on, word by word."""
        if stream:
            start = random.first + step * LANES
            words = [start + lane for lane in range(LANES)]
        else:
            words = [random.randrange(self.banks << ROW_BITS) for _ in range(LANES)]
        banks = [word % self.banks for word in words]
        rows = [word // self.banks % (1 << ROW_BITS) for word in words]
        ports = {
            "request_valid": 1,
            "lanes": (1 << LANES) - 1,
            "bank": _packed(banks, self.bank_bits),
            "row": _packed(rows, ROW_BITS),
        }
        if self.words:
            ports["bank_word"] = random.getrandbits(self.banks * 32)
        opened = {}
        for bank, row in zip(banks, rows):
            opened.setdefault(bank, row)
        served = [opened[bank] == row for bank, row in zip(banks, rows)]
        return ports, (banks, served)

    def answers(self, before, ports):
        """Behind the edge that took the request `before`."""
        banks, served = before
        answers = {"served": _packed([int(one) for one in served], 1)}
        if self.words:
            words = ports["bank_word"]
            answers["lane_word"] = _packed(
                [(words >> 32 * b & 0xFFFFFFFF) if s else 0 for b, s in zip(banks, served)], 32
            )
        return answers


class LockRequests:
    """Every lane asks for a lock, and with the next request gives it back."""

    def __init__(self, count, locks):
        self.count, self.locks = count, locks
        self.bits = (locks - 1).bit_length()
        self._asked = {}

    def widths(self):
        return {
            "request_valid": 1,
            "lock": self.count,
            "unlock": self.count,
            "number": self.count * self.bits,
        }

    def request(self, random, step, stream):
        everyone = (1 << self.count) - 1
        if step % 2 == 0:
            numbers = [
                (random.first + step * self.count + lane) % self.locks
                if stream
                else random.randrange(self.locks)
                for lane in range(self.count)
            ]
            self._asked[random.number] = numbers
        numbers = self._asked[random.number]
        got = [step % 2 == 0 and numbers.index(n) == lane for lane, n in enumerate(numbers)]
        ports = {
            "request_valid": 1,
            "lock": everyone if step % 2 == 0 else 0,
            "unlock": 0 if step % 2 == 0 else everyone,
            "number": _packed(numbers, self.bits),
        }
        return ports, got

    def answers(self, before, _):
        return {"got": _packed([int(one) for one in before], 1)}
