"""test_texture_sample.c, test_texture_mip.c, test_texture_mip_lod.c, test_texture_cube.c: samples and levels."""
from c_tables import table, table_in
from f32 import F32, from_bits
from rasterizer import View, vertex
from scenes import dot, pattern, picture
from textures import CUBE, FLAT, PROJECTION, Texture, biased_lod, clamped_lod, coordinates, sample

METER = dict(width=64, height=64, mip=1, max_level=6)  # lod_meter of fragment_probe.c


def check_samples(report):
    """180 samples of one level, one filter."""
    file = "test_texture_sample.c"
    memory = pattern(0x2000)
    for i, (width, height, wrap_s, wrap_t, linear, level, s, t, stated) in enumerate(table(file, "rows")):
        texture = Texture(memory, width=width, height=height, wrap_s=wrap_s, wrap_t=wrap_t, max_level=level,
                          border=0xFFC0C0C0)
        got = sample(texture, from_bits(s), from_bits(t), min(level, texture.last_level), 0, bool(linear))
        report.compare(file, "row %d" % i, got[0], stated)


def check_levels(report):
    """MIP-16 and its like: five levels, two filters, and blends of levels 0 and 1."""
    file = "test_texture_mip.c"
    texture = Texture(pattern(341), width=16, height=16, wrap_s=2, wrap_t=2, max_level=4)
    at = lambda row, level, linear: sample(texture, F32(row[0]), F32(row[1]), level, 0, linear)[0]
    rows = table(file, "sample_rows")
    for i, row in enumerate(rows):
        for linear in (False, True):
            report.compare_all(file, "sample_rows %d, linear %d" % (i, linear),
                               [at(row, level, linear) for level in range(5)], row[2 + linear])
    for f, *stated in table(file, "mix_rows", SAMPLE_ROWS=len(rows)):
        for linear in (False, True):
            mixed = [(at(row, 0, linear) * (256 - f) + at(row, 1, linear) * f + 128) >> 8 for row in rows]
            report.compare_all(file, "mix_rows %d, linear %d" % (f, linear), mixed, stated[linear])


def lodc(texture, fragment):
    return clamped_lod(texture, biased_lod(texture, coordinates(texture, fragment)[3]))


def check_lods(report):
    """MIP-15 and TEX-91: the worked example of file 30 in three types; then dots on every face of a cube map."""
    file = "test_texture_mip_lod.c"
    rows = table(file, "perspective_rows")
    uvw = table_in(file, "perspective", "coordinates")
    triangle = [vertex(p, texcoord0=c[:2], texcoord0_w=c[2:])
                for p, c in zip(((-1, -1, -0.5, 1), (2, -2, -0.5, 2), (-4, 4, -3, 4)), uvw)]
    view = View(hw=0x400000, hh=0x400000)
    for column, kind in enumerate((FLAT, PROJECTION, CUBE)):
        texture = Texture(b"", type=kind, **METER)
        pixels = picture([triangle], lambda f: lodc(texture, f), view)
        report.compare_all(file, "perspective_rows, type %d" % kind, [pixels[row[0], row[1]] for row in rows],
                           [row[2 + column] for row in rows])
    file = "test_texture_cube.c"
    texture = Texture(b"", type=CUBE, **METER)
    for i, (at, stated) in enumerate(table(file, "derivative_rows")):
        fragment = dot([dict(texcoord0=c[:2], texcoord0_w=c[2:]) for c in at], i)
        report.compare(file, "derivative_rows %d" % i, lodc(texture, fragment), stated)


def check(report):
    check_samples(report)
    check_levels(report)
    check_lods(report)
