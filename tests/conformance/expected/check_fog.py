"""test_fog.c: rows by depth."""
from c_tables import table
from f32 import from_bits
from fog import fogged
from scenes import FOG_RAMP

COLOR, FOG_COLOR = (255, 200, 0, 77), (0, 50, 255)


def check(report):
    file = "test_fog.c"
    for i, (word, depth, red) in enumerate(table(file, "entry_rows")):
        words = [0] * 128
        words[64] = word
        report.compare(file, "entry_rows %d" % i, fogged(COLOR, FOG_COLOR, words, from_bits(depth))[0], red)
    for i, (depth, flip, rgb) in enumerate(table(file, "depth_rows")):
        got = fogged(COLOR, FOG_COLOR, FOG_RAMP, from_bits(depth), bool(flip))
        report.compare_all(file, "depth_rows %d" % i, got[:3], rgb)
