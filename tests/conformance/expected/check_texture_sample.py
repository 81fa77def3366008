"""test_texture_sample.c: 180 samples of one level, one filter."""
from c_tables import table
from f32 import from_bits
from scenes import pattern
from textures import Texture, sample


def check(report):
    file = "test_texture_sample.c"
    memory = pattern(0x2000)
    for i, (width, height, wrap_s, wrap_t, linear, level, s, t, stated) in enumerate(table(file, "rows")):
        texture = Texture(memory, width=width, height=height, wrap_s=wrap_s, wrap_t=wrap_t, max_level=level,
                          border=0xFFC0C0C0)
        got = sample(texture, from_bits(s), from_bits(t), min(level, texture.last_level), 0, bool(linear))
        report.compare(file, "row %d" % i, got[0], stated)
