"""Makes requests for the blocks that serve all lanes of a warp, and their expected answers."""

ROW_BITS = 10
LANES = 32


def packed(values, width):
    """Returns a number with `width` bits of each value, the first value lowest."""
    return sum(value << i * width for i, value in enumerate(values))


class PassRequests:
    """Asks pass_arbiter for one pass per evaluation; with `words`, the crossbar behind it."""

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
        """Asks for random words; with `stream`, for one word after another."""
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
            "bank": packed(banks, self.bank_bits),
            "row": packed(rows, ROW_BITS),
        }
        if self.words:
            ports["bank_word"] = random.getrandbits(self.banks * 32)
        opened = {}
        for bank, row in zip(banks, rows):
            opened.setdefault(bank, row)
        served = [opened[bank] == row for bank, row in zip(banks, rows)]
        return ports, (banks, served)

    def answers(self, before, ports):
        """Returns the outputs behind the edge that took the request `before`."""
        banks, served = before
        answers = {"served": packed(served, 1)}
        if self.words:
            words = ports["bank_word"]
            answers["lane_word"] = packed(
                [(words >> 32 * b & 0xFFFFFFFF) if s else 0 for b, s in zip(banks, served)], 32
            )
        return answers


class LockRequests:
    """Asks for a lock in each lane, and gives it back with the next request."""

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
            "number": packed(numbers, self.bits),
        }
        return ports, got

    def answers(self, before, _):
        return {"got": packed(before, 1)}
