#!/usr/bin/env python3
"""Counts instructions, shared accesses and their passes in traces of machine code, from the text alone.

Written apart from the program, for its tests: 32 banks of 4 bytes; a warp's lanes are offered to the banks together for
accesses of up to 4 bytes, in halves for 8, in quarters for 16 bytes and for matrices.

    count_trace.py FILE...    prints "instructions shared_accesses passes" of all files together
"""
import lzma
import re
import sys

HEX8 = re.compile(r"[0-9a-fA-F]{8}$")
SHARED = {"LDS", "STS", "LDSM", "STSM", "ATOMS"}


def lines_of(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt") as text:
        yield from text


def mask_position(words):
    """The mask is the 8 digits that a number, so many registers and an opcode follow."""
    for at in range(1, len(words) - 2):
        if HEX8.match(words[at]) and words[at + 1].isdigit():
            opcode = at + 2 + int(words[at + 1])
            if opcode < len(words) and words[opcode][:1].isalpha() and words[opcode][:1].isupper():
                if all(re.match(r"U?[RP]", w) for w in words[at + 2:opcode]):
                    return at
    return None


def width_of(opcode):
    for token in opcode.split(".")[1:]:
        if token == "F16x2":
            return 4
        found = re.fullmatch(r"[USFB]?(8|16|32|64|128)", token)
        if found:
            return int(found.group(1)) // 8
    return 4


def addresses_of(words, lanes):
    mode, rest = words[0], words[1:]
    if mode == "0":
        return [int(w, 16) for w in rest[:len(lanes)]]
    base = int(rest[0], 16)
    if mode == "1":
        return [base + int(rest[1]) * (lane - lanes[0]) for lane in lanes]
    assert mode == "2", mode
    values = [base]
    for step in rest[1:len(lanes)]:
        values.append(values[-1] + int(step))
    return values


def passes_of(lanes, width):
    """`lanes`: pairs of lane and address."""
    together = {8: 16, 16: 8}.get(width, 32)
    total = 0
    for first in range(0, 32, together):
        words = {}
        for lane, address in lanes:
            if first <= lane < first + together:
                for word in range(address // 4, (address + width - 1) // 4 + 1):
                    words.setdefault(word % 32, set()).add(word)
        if words:
            total += max(len(rows) for rows in words.values())
    return total


def count(path, totals):
    shared_base = 0
    copies = {}  # rows of LDGSTS that came, by warp and PC
    place = ()
    for line in lines_of(path):
        words = line.split()
        if line.startswith("-shmem base_addr"):
            shared_base = int(words[-1], 16)
        if line.startswith("thread block") or line.startswith("warp ="):
            place = (place if line.startswith("warp") else ()) + (line,)
        if not words or line[0] in "-#" or "=" in line:
            continue
        at = mask_position(words)
        assert at is not None, line
        mask = int(words[at], 16)
        opcode_at = at + 2 + int(words[at + 1])
        opcode = words[opcode_at]
        bare = opcode.split(".")[0]
        width_at = opcode_at + 2 + int(words[opcode_at + 1])
        lanes = [lane for lane in range(32) if mask >> lane & 1]
        addressed = width_at < len(words) and words[width_at] != "0" and lanes
        addresses = addresses_of(words[width_at + 1:], lanes) if addressed else []
        if bare == "LDGSTS" and addressed and max(addresses) < 1 << 24:  # the shared one of two rows
            copies[place + tuple(words[:at])] = True
            totals[1] += 1
            totals[2] += passes_of(list(zip(lanes, addresses)), width_of(opcode))
            continue
        totals[0] += 1
        pairs = list(zip(lanes, addresses))
        if bare in ("LD", "ST", "ATOM"):
            pairs = [(lane, a - shared_base) for lane, a in pairs if shared_base and 0 <= a - shared_base < 1 << 24]
        elif bare not in SHARED:
            pairs = []
        width = width_of(opcode)
        if bare in ("LDSM", "STSM"):
            width = 16
            last = opcode.split(".")[-1]
            pairs = [(lane, a) for lane, a in pairs if lane < 8 * int(last if last in ("2", "4") else 1)]
        if pairs:
            totals[1] += 1
            totals[2] += passes_of(pairs, width)


def main():
    totals = [0, 0, 0]
    for path in sys.argv[1:]:
        count(path, totals)
    print(*totals)


main()
