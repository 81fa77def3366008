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
    last = [0] * 127 + [1000 << 13 | 400]
    for name, words in (("depth_rows", FOG_RAMP), ("last_rows", last)):
        for i, (depth, flip, rgb) in enumerate(table(file, name)):
            got = fogged(COLOR, FOG_COLOR, words, from_bits(depth), bool(flip))
            report.compare_all(file, "%s %d" % (name, i), got[:3], rgb)
    for i, (value, color, fog_color, mixed) in enumerate(table(file, "mix_rows")):
        got = fogged((color, 0, 0, 0), (fog_color, 0, 0), [value << 13] * 128, from_bits(0))
        report.compare(file, "mix_rows %d" % i, got[0], mixed)
