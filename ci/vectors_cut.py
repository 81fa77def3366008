"""Cuts a pack (docs/formats/vectors.md) down to a size: the cases that cost most are left out, but none of a known
choice, none that was written for the pack, and none that is the last one of a rule.

What is left are the same bytes that make_vectors writes for these cases alone: sides in the order in which cases first
name them.
"""
import struct
import zlib


def blocks(data, at):
    while at < len(data):
        kind, size, _ = struct.unpack_from("<4sII", data, at)
        yield kind, data[at + 12:at + 12 + size], data[at:at + 12 + size]
        at += 12 + size


def block(kind, payload):
    return kind + struct.pack("<II", len(payload), zlib.crc32(payload)) + payload


ALWAYS = ("splits/", "written/")


class Side:
    """Recorded results: what is before all cases, the blocks of each case, the last block."""

    def __init__(self, payload):
        size, = struct.unpack_from("<I", payload)
        self.name, recording = payload[:4 + size], payload[4 + size:]
        self.before, self.cases, self.last, case = recording[:8], {}, b"", None
        for kind, inner, whole in blocks(recording, 8):
            if kind == b"CASE":
                case = inner.decode()
                self.cases[case] = whole
            elif kind == b"LAST":
                self.last = whole
            elif case is None:
                self.before += whole
            else:
                self.cases[case] += whole


class Case:
    """Its payload, its name, and where in the payload the numbers of sides stand."""

    def __init__(self, payload):
        self.payload, self.places, at = payload, [], 12
        at += 4 + 4 * self.word(at)  # what is not compared
        self.name = payload[at + 4:at + 4 + self.word(at)].decode()
        for _ in range(3):  # name, area, rules
            text, at = payload[at + 4:at + 4 + self.word(at)].decode(), at + 4 + self.word(at)
        self.rules = text.split()
        at += 4 + 32 * self.word(at)  # surfaces
        at += 4 + 12 * self.word(at)  # digests
        count, at = self.word(at), at + 4
        for _ in range(count):
            self.places.append((at, self.word(at)))
            at += 8 + 12 * self.word(at + 4)

    def word(self, at):
        return struct.unpack_from("<I", self.payload, at)[0]

    def cost(self, sides):
        return len(self.payload) + 12 + sum(len(sides[side].cases[self.name])
                                            for side in [0] + [side for _, side in self.places])


def first_of_rules(cases):
    """For each rule the first case that names it."""
    seen, names = set(), set()
    for case in cases:
        if not seen.issuperset(case.rules):
            names.add(case.name)
            seen.update(case.rules)
    return names


def cheapest(cases, sides, most):
    """Those that fit into `most` bytes together, in their order. Each rule keeps a case."""
    kept, total = set(), 0
    by_cost = sorted(cases, key=lambda case: case.cost(sides))
    always = first_of_rules(by_cost)
    for case in sorted(by_cost, key=lambda case: not (case.name.startswith(ALWAYS) or case.name in always)):
        if total + case.cost(sides) <= most:
            total += case.cost(sides)
            kept.add(case.name)
    return [case for case in cases if case.name in kept]


def write(head, sides, cases):
    order, out = [0], b""
    for case in cases:
        payload = bytearray(case.payload)
        for at, side in case.places:
            if side not in order:
                order.append(side)
            struct.pack_into("<I", payload, at, order.index(side))
        out += block(b"CASE", bytes(payload))
    head = bytearray(head)
    struct.pack_into("<II", head, 8, len(cases), len(order))
    file = b"PICAVEC1" + block(b"HEAD", bytes(head))
    for number in order:
        side = sides[number]
        names = [case.name for case in cases if number == 0 or number in [at[1] for at in case.places]]
        file += block(b"SIDE", side.name + side.before + b"".join(side.cases[name] for name in names) + side.last)
    return file + out + block(b"LAST", b"")


def cut(path, most):
    """Returns how many cases there were, and how many are left."""
    head, sides, cases = b"", [], []
    with open(path, "rb") as file:
        data = file.read()
    for kind, payload, _ in blocks(data, 8):
        if kind == b"HEAD":
            head = payload
        elif kind == b"SIDE":
            sides.append(Side(payload))
        elif kind == b"CASE":
            cases.append(Case(payload))
    kept = cheapest(cases, sides, most)
    with open(path, "wb") as file:
        file.write(write(head, sides, kept))
    return len(cases), len(kept)
