"""test_proctex.c, test_proctex_noise.c, test_proctex_lod.c: rows read through the meter of fragment_probe.h."""
import re

from c_tables import source, table, table_in
from f32 import F32, from_bits
from proctex import Proctex, clamped_lod, lod, unit_3
from rasterizer import View, vertex
from report import rgba
from scenes import METER, RAMPS_AND_METER, picture

FLAT = (F32(0.0), F32(0.0))  # derivatives of a dot
FUNCTION = {"U": 0, "V": 2}


def color(unit, u, v):
    return rgba(unit_3(unit, F32(u), F32(v), FLAT, FLAT))


def meter(**fields):
    return Proctex(**{**RAMPS_AND_METER, "filter": 1, "width": 255, **fields})


def check_clamps(report, file):
    for c_bits, stated in table(file, "clamp_rows"):
        c = from_bits(c_bits)
        for mode in range(8):
            of_u = color(meter(u_clamp=mode, v_clamp=1, rgb_func=FUNCTION["U"]), c, 0.125)
            of_v = color(meter(u_clamp=1, v_clamp=mode, rgb_func=FUNCTION["V"]), 0.125, c)
            report.compare(file, "clamp_rows %08X, mode %d of u" % (c_bits, mode), of_u, stated[mode])
            report.compare(file, "clamp_rows %08X, mode %d of v" % (c_bits, mode), of_v, stated[mode])


def check_shifts(report, file):
    others = table(file, "shift_from", SHIFT_COLUMNS=12)
    for shift, clamp, stated in table(file, "shift_rows"):
        for k, other in enumerate(others):
            got = color(meter(u_clamp=clamp, v_clamp=2, u_shift=shift, rgb_func=FUNCTION["U"]), 0.3, from_bits(other))
            report.compare(file, "shift_rows %d %d, column %d" % (shift, clamp, k), got, stated[k])


def check_functions(report, file):
    for u_bits, v_bits, stated in table(file, "function_rows"):
        for number in range(16):
            got = color(meter(u_clamp=1, v_clamp=1, rgb_func=number), from_bits(u_bits), from_bits(v_bits))
            report.compare(file, "function_rows %08X %08X, function %d" % (u_bits, v_bits, number), got, stated[number])
    for i, (u_bits, v_bits, rgb_func, alpha_func, *stated) in enumerate(table(file, "alpha_rows")):
        for number in range(2):
            unit = meter(u_clamp=1, v_clamp=1, rgb_func=rgb_func, alpha_func=alpha_func, separate_alpha=1,
                         filter=number)
            report.compare(file, "alpha_rows %d, filter %d" % (i, number),
                           color(unit, from_bits(u_bits), from_bits(v_bits)), stated[number])


def check_entries(report, file):
    rows = [(0, *row) for row in table(file, "entry_rows")]
    for call in re.finditer(r"check_entry\(m, (\d+), (0x\w+), (0x\w+), (0x\w+)\)", source(file)):
        rows.append(tuple(int(text, 0) for text in call.groups()))
    for index, entry, u_bits, stated in rows:
        words = [0] * 128
        words[index] = entry
        unit = Proctex(**METER, color_map=words, u_clamp=1, v_clamp=1, filter=1, width=255)
        report.compare(file, "entry %d = %08X, u %08X" % (index, entry, u_bits), color(unit, from_bits(u_bits), 0.0),
                       stated)


def noisy(table_words, **fields):
    return meter(noise=table_words, u_clamp=1, v_clamp=1, noise_enable=1, **fields)


def check_noise(report, file):
    zero, one = [0] * 128, [0xFFF] * 128
    ninths = lambda whole, part: (F32(whole) + part) / 9.0
    unit = noisy(zero, u_frequency=0x3C00, v_frequency=0x3C00, u_amplitude=2048)
    report.compare_all(file, "lattice", [color(unit, ninths(i % 8, 0.25), ninths(i // 8, 0.5)) for i in range(64)],
                       table(file, "lattice"))
    x = noisy(zero, u_frequency=0x3C00, v_amplitude=1500, rgb_func=FUNCTION["V"])
    y = noisy(zero, v_frequency=0x3C00, u_amplitude=1500, rgb_func=FUNCTION["U"])
    report.compare_all(file, "along_x", [color(x, ninths(i, 0.5), 0.5) for i in range(192)], table(file, "along_x"))
    report.compare_all(file, "along_y", [color(y, 0.5, ninths(i, 0.5)) for i in range(192)], table(file, "along_y"))
    for i, row in enumerate(table(file, "noise_rows")):
        u_bits, v_bits, ua, va, uf, vf, up, vp, rgb_func, stated = row
        unit = noisy(RAMPS_AND_METER["noise"], u_amplitude=ua, v_amplitude=va, u_frequency=uf, v_frequency=vf,
                     u_phase=up, v_phase=vp, rgb_func=rgb_func)
        report.compare(file, "noise_rows %d" % i, color(unit, from_bits(u_bits), from_bits(v_bits)), stated)
    unit = noisy(one, u_frequency=0x3C00, v_frequency=0x3C00, u_amplitude=2048)
    report.compare_all(file, "corners", [color(unit, ninths(i % 4, 0.25), ninths(i // 4, 0.5)) for i in range(16)],
                       table_in(file, "PTX_17_the_noise_table_blends_the_corners", "expected"))
    for i, (v_bits, amplitude, stated) in enumerate(table_in(file, "PTX_08_shifts_are_computed_before", "rows")):
        unit = meter(u_clamp=2, v_clamp=2, u_shift=1, noise_enable=1, v_amplitude=amplitude, u_frequency=0x3C00,
                     v_frequency=0x3C00)
        report.compare(file, "shift before noise %d" % i, color(unit, 0.3, from_bits(v_bits)), stated)


def check_levels(report, file):
    """test_proctex_lod.c: colours at offsets, levels by derivatives, TEX-91."""
    for i, (number, width, offset, value, base, difference, r, g) in enumerate(table(file, "table_rows")):
        unit = Proctex(color_map=[value] * 128, colors=[base | k << 8 for k in range(256)],
                       differences=[difference] * 256, filter=number, width=width, offsets=offset)
        got = unit_3(unit, F32(0.0), F32(0.0), FLAT, FLAT)
        report.compare_all(file, "table_rows %d" % i, got[:2], [r, g])
    for level, max_lod, width, *stated in table(file, "level_rows"):
        unit = meter(u_clamp=1, v_clamp=1, filter=2, min_lod=level, max_lod=max_lod, width=width, offsets=0x42312010)
        got = [unit_3(unit, F32(u), F32(0.0), FLAT, FLAT)[1] for u in (0.0, 1.0)]
        report.compare_all(file, "level_rows, level %d, width %d" % (level, width), got, stated)
    for i, (u_x, u_y, v_x, v_y, bias, width, min_lod, max_lod, stated) in enumerate(table(file, "lod_rows")):
        unit = Proctex(bias=bias, width=width, min_lod=min_lod, max_lod=max_lod)
        level = lod(unit, (F32(u_x), F32(u_y)), (F32(v_x), F32(v_y)))
        report.compare(file, "lod_rows %d" % i, clamped_lod(unit, level), stated)
    test = "PTX_22_TEX_91_all_filters_of_the_worked_pixel"
    triangle = [vertex(p, texcoord0=c) for p, c in zip(((-1, -1, -0.5, 1), (2, -2, -0.5, 2), (-4, 4, -3, 4)),
                                                       ((0, 0.5), (1, 0.5), (0, 0.75)))]
    got = []
    for number in range(8):
        unit = Proctex(**{**RAMPS_AND_METER, "colors": [0x01010101 * k for k in range(256)], "differences": [0] * 256},
                       u_clamp=1, v_clamp=1, rgb_func=FUNCTION["V"], bias=0x3800, filter=number, max_lod=7, width=128,
                       offsets=0xE0C08000)
        shade = lambda f: unit_3(unit, *f.get("texcoord0"), *f.derivatives("texcoord0"))[0]
        got.append(picture([triangle], shade, View(hw=0x400000, hh=0x400000))[0, 0])
    report.compare_all(file, test, got, table_in(file, test, "expected"))


def check(report):
    for part in (check_clamps, check_shifts, check_functions, check_entries):
        part(report, "test_proctex.c")
    check_noise(report, "test_proctex_noise.c")
    check_levels(report, "test_proctex_lod.c")
