"""test_lighting*.c and tables/lighting.txt: rows that change the registers of the studio (lighting_probe.c)."""
import re

from c_tables import rows_of, source, table, table_in
from f32 import CLAMP, F32, bits, from_bits
from lighting import TABLES, Light, Lighting, Vectors, look_up
from report import rgba

WORDS = {"STUDIO_CONFIG0": 0x8C, "STUDIO_SELECT": 0x532410}
TEXUNIT_CONFIG, PROCTEX_BIT = 0x080, 10
ADDRESS = (0x085, 0x095, 0x09D)


class Studio:
    def __init__(self):
        self.registers = dict(table("lighting_probe.c", "studio_registers", **WORDS))
        self.texels = [[word >> shift & 0xFF for shift in (24, 16, 8, 0)]
                       for word in table("lighting_probe.h", "STUDIO_TEXELS")]
        vectors = lambda name: [[F32(x) for x in v] for v in table("lighting_probe.c", name, STUDIO_DOTS=4)]
        self.quaternions, self.views = vectors("quaternions"), vectors("views")
        self.tables = [[(0x600 + 8 * k + 16 * t) | (3 * k + t) % 0x800 << 12 | k % 2 << 23 for k in range(256)]
                       for t in range(24)]

    def texels_after(self, changes):
        """TEX-16 and PTX-25: a unit that a row disables or takes the address from."""
        enabled = changes.get(TEXUNIT_CONFIG, 0x407)
        texels = [list(t) for t in self.texels]
        for unit in range(4):
            if not enabled >> (PROCTEX_BIT if unit == 3 else unit) & 1:
                texels[unit] = [0, 0, 0, 0]
            elif unit < 3 and changes.get(ADDRESS[unit], 1) & 0x0FFFFFFF == 0:
                texels[unit] = [0, 0, 0, 255]
        return texels

    def lighting(self, changes):
        return Lighting({**self.registers, **changes}, self.tables, self.texels_after(changes))


def check_rows(report, studio):
    file = "tables/lighting.txt"
    for name, label, (writes, *stated) in rows_of(file):
        lighting = studio.lighting(dict(zip(writes[::2], writes[1::2])))
        for i in range(4):
            computed = lighting.colors(studio.quaternions[i], studio.views[i])
            for color, of, colors in zip(computed, ("primary", "secondary"), stated):
                report.compare(file, "%s, %s, fragment %d, %s" % (name, label, i, of), rgba(color), colors[i])


def check_vectors(report, studio):
    file = "test_lighting.c"
    lighting = studio.lighting({})
    for name in ("quaternion_rows", "view_rows"):
        for i, (words, primary, secondary) in enumerate(table(file, name)):
            vector = [from_bits(word) for word in words]
            quaternion = vector if name == "quaternion_rows" else studio.quaternions[0]
            view = vector if name == "view_rows" else studio.views[0]
            first, second = lighting.colors(quaternion, view)
            report.compare(file, "%s %d, primary" % (name, i), rgba(first), primary)
            report.compare(file, "%s %d, secondary" % (name, i), rgba(second), secondary)


def example_40(studio):
    """LIT-40: lighting, its light, and the vectors of its fragment."""
    registers = dict(table_in("test_lighting.c", "list_example_40", "writes"))
    tables = [[((k * 16 + t) & 0xFFF) | ((k * 3 + t) & 0x7FF) << 12 | (k & 1) << 23 for k in range(256)]
              for t in range(24)]
    lighting = Lighting(registers, tables, studio.texels)
    light = Light(lighting.slots[0], registers)
    normal, tangent = lighting.frame(studio.quaternions[0])
    return lighting, light, Vectors(normal, tangent, studio.views[0], light)


def check_example_40(report, studio):
    file = "test_lighting.c"
    both = example_40(studio)[0].colors(studio.quaternions[0], studio.views[0])
    report.compare_all(file, "LIT-40", [rgba(c) for c in both], table_in(file, "LIT_40_full_example", "expected"))


def check_trace_40(report, studio):
    """The lookups of LIT-40 that a trace shows, in the order D0 D1 SP FR RB RG RR, and distance attenuation."""
    file = "../reference/test_trace_shading.c"
    lighting, light, v = example_40(studio)
    looked_up = [lighting.value(name, light, v) for name in TABLES]
    x = CLAMP((light.scale * v.distance) + light.bias, 0.0, 1.0)
    looked_up.append(look_up(lighting.tables[16 + light.number], x, 256.0, 0.0, 255.0))
    stated = re.findall(r"EXPECT_STEP\(&tracer, LIGHT_LOOKUP, \d, (0x\w+)\)", source(file))
    report.compare_all(file, "LIT-40, lookups", [bits(value) for value in looked_up], [int(s, 16) for s in stated])
    distance = re.search(r"values\[3\], (0x\w+)\); /\* dist", source(file)).group(1)
    report.compare(file, "LIT-40, distance", bits(v.distance), int(distance, 16))


def check_exact_inputs(report):
    """test_lighting_table.c: one light (0, 0, 1), view (0, 0, 1), no rotation (list_simple there)."""
    file = "test_lighting_table.c"
    simple = {0x1C3: 0x80, 0x149: 1, 0x145: 0x3C00}
    quaternion, view = [F32(x) for x in (0, 0, 0, 1)], [F32(x) for x in (0, 0, 1)]
    black = [[0, 0, 0, 0]] * 4
    for i, (entry, bias, byte) in enumerate(table(file, "entry_rows")):
        registers = {**simple, 0x1C4: 0x00FFFFFF, 0x143: 255 << 20, 0x14A: bias, 0x14B: 0}
        primary, _ = Lighting(registers, [[entry] * 256] * 24, black).colors(quaternion, view)
        report.compare(file, "entry_rows %d" % i, primary[0], byte)
    words = [16 * k | 4 << 12 | k % 2 << 23 for k in range(256)]
    for z, stated in table(file, "index_rows"):
        for column in range(4):
            registers = {**simple, 0x1C4: 0xFF7AFFFF & ~0x10000, 0x149: 1 | column % 2 << 1, 0x140: 255 << 20,
                         0x147: z & 0x1FFF, 0x1D1: 4, 0x1D0: column // 2 << 1}
            _, secondary = Lighting(registers, [words] * 24, black).colors(quaternion, view)
            report.compare(file, "index_rows, z %d, column %d" % (z, column), secondary[0], stated[column])


def check(report):
    studio = Studio()
    check_rows(report, studio)
    check_vectors(report, studio)
    check_example_40(report, studio)
    check_trace_40(report, studio)
    check_exact_inputs(report)
