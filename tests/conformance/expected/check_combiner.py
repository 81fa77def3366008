"""test_combiner.c: the dot product (TEV-10) and the primary colour (TEV-03); and what the rules give of the dot products
that a console gave (corpus/hardware, H01)."""
import os
import sys

from c_tables import DIRECTORY, table_in
from combiner import dot3
from f32 import from_bits
from rasterizer import color_byte

ROOT = os.path.join(DIRECTORY, "..", "..")
sys.path.append(os.path.join(ROOT, "ci"))
from hardware_table import read_table


def operand(cell, i):
    return [i if part == "i" else int(part, 16) for part in cell.split(",")]


def check(report):
    file = "test_combiner.c"
    for row in table_in(file, "TEV_10", "rows"):
        report.compare(file, "%s . %s" % (row[0], row[1]), dot3(row[0], row[1]), row[2])
    for bits, byte in table_in(file, "TEV_03", "rows"):
        report.compare(file, "TEV-03, %08X" % bits, color_byte(from_bits(bits)), byte)
    console = read_table(os.path.join(ROOT, "corpus", "hardware", "H01-dot3.table"))
    for row in console.rows:
        for n, value in enumerate(row.bytes("console", 16)):
            i = int(row["first"], 16) + n
            report.compare("H01-dot3.table", "%s . %s, i = %02X" % (row["a"], row["b"], i),
                           dot3(operand(row["a"], i), operand(row["b"], i)), value)
