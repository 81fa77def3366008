#!/usr/bin/env python3
"""Makes a .3dsx of the program that runner.ld links (docs/console-facts.md, CON-01 to CON-06).

Usage: elf_to_3dsx.py runner.elf runtime.3dsx

Knows 32-bit little-endian ARM ELF files with relocations (--emit-relocs). A word that holds an address becomes an
absolute relocation (R_ARM_ABS32); branches inside the code need none; anything else is refused.
"""
import struct
import sys

R_ARM_ABS32 = 2
RELATIVE_INSIDE = {28, 29}  # R_ARM_CALL, R_ARM_JUMP24
NO_SYMBOL = {0, 40}  # R_ARM_NONE, R_ARM_V4BX
PAGE = 0x1000
SECTION_RELOCATIONS, SECTION_RELA, SECTION_SYMBOLS = 9, 4, 2


def fail(why):
    sys.exit(f"elf_to_3dsx.py: {why}")


class Elf:
    def __init__(self, data):
        if data[:7] != b"\x7fELF\x01\x01\x01" or struct.unpack_from("<H", data, 18)[0] != 40:
            fail("not a little-endian ARM ELF file")
        self.data = data
        offset, = struct.unpack_from("<I", data, 32)
        size, count, _ = struct.unpack_from("<HHH", data, 46)
        self.sections = [struct.unpack_from("<10I", data, offset + i * size) for i in range(count)]

    def contents(self, section):
        return self.data[section[4]:section[4] + section[5]]

    def symbols(self):
        """Name -> value."""
        found = {}
        for section in self.sections:
            if section[1] != SECTION_SYMBOLS:
                continue
            strings = self.contents(self.sections[section[6]])
            for name, value, _, _, _, _ in struct.iter_unpack("<IIIBBH", self.contents(section)):
                found[strings[name:strings.index(b"\0", name)].decode()] = value
        return found

    def image(self, start, end):
        """The bytes of the loaded sections between two addresses."""
        out = bytearray(end - start)
        for _, kind, flags, address, _, size, *_ in (s for s in self.sections):
            if flags & 2 and kind == 1 and address < end and address + size > start:
                section = next(s for s in self.sections if s[3] == address and s[1] == 1 and s[5] == size)
                out[address - start:address - start + size] = self.contents(section)
        return out

    def absolute_words(self):
        """Addresses of all words that hold an address."""
        words = set()
        for section in self.sections:
            if section[1] == SECTION_RELA:
                fail("relocations with addends")
            target = self.sections[section[7]] if section[1] == SECTION_RELOCATIONS else None
            if target is None or not target[2] & 2:
                continue
            for offset, info in struct.iter_unpack("<II", self.contents(section)):
                kind = info & 0xFF
                if kind == R_ARM_ABS32:
                    words.add(offset)
                elif kind not in RELATIVE_INSIDE | NO_SYMBOL:
                    fail(f"relocation type {kind} at {offset:#x}")
        return words


def table(words, start, end):
    """The relocation entries of a segment: u16 words to skip, u16 words to patch."""
    entries, at = [], start
    inside = sorted(word for word in words if start <= word < end)
    while inside:
        count = 1
        while count < len(inside) and inside[count] == inside[0] + 4 * count and count < 0xFFFF:
            count += 1
        skip = (inside[0] - at) // 4
        while skip > 0xFFFF:
            entries.append((0xFFFF, 0))
            skip -= 0xFFFF
        entries.append((skip, count))
        at = inside[0] + 4 * count
        inside = inside[count:]
    return entries


def main():
    if len(sys.argv) != 3:
        fail("usage: elf_to_3dsx.py runner.elf runtime.3dsx")
    with open(sys.argv[1], "rb") as file:
        elf = Elf(file.read())
    symbols = elf.symbols()
    code, payload, data = symbols["code_end"], symbols["payload"], symbols["data_start"]
    if symbols["code_start"] != 0 or payload % PAGE or data != payload + PAGE or payload < code:
        fail("not laid out as runner.ld does")
    words = elf.absolute_words()
    segments = [(0, code), (payload, symbols["payload_end"]), (data, symbols["data_end"])]
    bss = symbols["bss_end"] - symbols["data_end"]
    tables = [table(words, *segment) for segment in segments]
    if sum(count for entries in tables for _, count in entries) != len(words) or any(word % 4 for word in words):
        fail("a relocated word lies outside the segments")
    sizes = [end - start for start, end in segments]
    out = struct.pack("<4sHHIIIIII", b"3DSX", 32, 8, 0, 0, sizes[0], sizes[1], sizes[2] + bss, bss)
    out += b"".join(struct.pack("<II", len(entries), 0) for entries in tables)
    out += b"".join(bytes(elf.image(*segment)) for segment in segments)
    out += b"".join(struct.pack("<HH", *entry) for entries in tables for entry in entries)
    with open(sys.argv[2], "wb") as file:
        file.write(out)
    print(f"{sys.argv[2]}: {len(out)} bytes, {sizes[0]} of code, {len(words)} relocations")


main()
