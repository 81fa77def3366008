"""50-fragment-shading.md section 1 (LIT): both colours of a lit fragment, from register words."""
import math

from f32 import CLAMP, F16, F20, F32, MAX, MIN, SX, U8, floor, sqrt

TABLES = ("D0", "D1", "SP", "FR", "RB", "RG", "RR")  # the groups of 1D0 to 1D2 (LIT-20)
NUMBER = {"D0": 0, "D1": 1, "FR": 3, "RB": 4, "RG": 5, "RR": 6}  # LIT-05, LIT-22
DISABLE = {"D0": 16, "D1": 17, "FR": 19, "RB": 20, "RG": 21, "RR": 22}  # LIT-07
AVAILABLE = {0: "D0 SP RR", 1: "SP FR RR", 2: "D0 D1 RR", 3: "D0 D1 FR", 4: "D0 D1 SP RR RG RB",
             5: "D0 SP FR RR RG RB", 6: "D0 D1 SP FR RR", 8: "D0 D1 SP FR RR RG RB"}  # LIT-08; others as 6
SCALES = (1.0, 2.0, 4.0, 8.0, 0.0, 0.0, 0.25, 0.5)


def dot(a, b):
    return ((a[0] * b[0]) + (a[1] * b[1])) + (a[2] * b[2])


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def scaled(a, factor):
    return [x * factor for x in a]


def length(a):
    return sqrt(dot(a, a))


def normalised(a):
    n = length(a)
    return [x / n for x in a]


def cross(a, b):
    return [(a[1] * b[2]) - (a[2] * b[1]), (a[2] * b[0]) - (a[0] * b[2]), (a[0] * b[1]) - (a[1] * b[0])]


def color(word):
    """LIT-03: r, g, b."""
    return [F32(word >> shift & 0x3FF) / 255.0 for shift in (20, 10, 0)]


def entry(word, d):
    """LIT-17."""
    s = F32(word >> 12 & 0x7FF) / 2047.0
    if word >> 23 & 1:
        s = -s
    return (F32(word & 0xFFF) / 4095.0) + (s * d)


def look_up(table, x, steps, low, high):
    """LIT-18, LIT-19 without the treatment of the sign: steps 128 or 256."""
    i = CLAMP(floor(x * steps), low, high)
    k = 0 if math.isnan(i) else int(i)
    return entry(table[k & 255], (x * steps) - F32(k))


class Light:
    """The registers of light `number`."""

    def __init__(self, number, registers):
        self.number = number
        word = lambda offset: registers.get(0x140 + 0x10 * number + offset, 0)
        self.s0, self.s1, self.diffuse, self.ambient = (color(word(k)) for k in range(4))
        self.position = [F16(word(4)), F16(word(4) >> 16), F16(word(5))]
        self.spot = [F32(SX(13, word(6))) / 2047.0, F32(SX(13, word(6) >> 16)) / 2047.0, F32(SX(13, word(7))) / 2047.0]
        self.directional, self.two_sided, self.factor0, self.factor1 = (bool(word(9) >> bit & 1) for bit in range(4))
        self.bias, self.scale = F20(word(0xA)), F20(word(0xB))


class Lighting:
    """`registers`: id -> word; `tables`: 24 lists of 256 words; `texels`: bytes r, g, b, a of units 0 to 3."""

    def __init__(self, registers, tables, texels):
        self.registers, self.tables, self.texels = registers, tables, texels
        self.config0, self.config1 = registers.get(0x1C3, 0), registers.get(0x1C4, 0)
        self.raw = self.config0 >> 4 & 15
        self.available = AVAILABLE.get(self.raw, AVAILABLE[6]).split()
        self.slots = [registers.get(0x1D9, 0) >> (4 * i) & 7 for i in range((registers.get(0x1C2, 0) & 7) + 1)]

    def bit(self, n):
        return bool(self.config0 >> n & 1)

    def has(self, name, light):
        off = self.config1 >> (8 + light.number) if name == "SP" else self.config1 >> DISABLE[name]
        return name in self.available and not off & 1

    def frame(self, quaternion):
        """LIT-11 to LIT-14: normal and tangent."""
        x, y, z, w = quaternion
        n = sqrt((((x * x) + (y * y)) + (z * z)) + (w * w))
        qx, qy, qz, qw = x / n, y / n, z / n, w / n

        def rot(v):
            t = add(cross([qx, qy, qz], v), scaled(v, qw))
            return add(v, scaled(cross([qx, qy, qz], t), F32(2.0)))

        zero, one = F32(0.0), F32(1.0)
        normal, tangent = [zero, zero, one], [one, zero, zero]
        p = [(F32(byte) / 127.5) - 1.0 for byte in self.texels[self.config0 >> 22 & 3][:3]]
        mode = self.config0 >> 28 & 3
        if mode == 1:
            normal = p
            if not self.bit(30):
                normal = [p[0], p[1], sqrt(MAX(1.0 - ((p[0] * p[0]) + (p[1] * p[1])), F32(0.0)))]
        elif mode == 2:
            tangent = p
        elif mode == 3:
            normal, tangent = [zero] * 3, [zero] * 3
        return rot(normal), rot(tangent)

    def input(self, select, light, v):
        """LIT-21."""
        if select == 0:
            return dot(v.normal, v.half_n)
        if select == 1:
            return dot(v.view_n, v.half_n)
        if select == 2:
            return dot(v.normal, v.view_n)
        if select == 3:
            return dot(v.light_n, v.normal)
        if select == 4:
            return dot(v.light_n, light.spot)
        if select == 5 and self.raw == 8:
            projected = scaled(v.normal, dot(v.normal, v.half_n))
            return dot([a - b for a, b in zip(v.half_n, projected)], v.tangent)
        return F32(0.0)

    def value(self, name, light, v):
        """LIT-18 to LIT-22: one lookup with its scale."""
        group = 4 * TABLES.index(name)
        field_of = lambda register: self.registers.get(register, 0) >> group
        x = self.input(field_of(0x1D1) & 7, light, v)
        table = self.tables[8 + light.number if name == "SP" else NUMBER[name]]
        if field_of(0x1D0) >> 1 & 1:
            result = look_up(table, x, 128.0, -128.0, 127.0)
        else:
            x = abs(x) if light.two_sided else MAX(x, F32(0.0))
            result = look_up(table, x, 256.0, 0.0, 255.0)
        return F32(SCALES[field_of(0x1D2) & 7]) * result

    def or_one(self, name, light, v):
        return self.value(name, light, v) if self.has(name, light) else F32(1.0)

    def shadow(self):
        """LIT-34: sh, four components."""
        if not self.bit(0):
            return [F32(1.0)] * 4
        sh = [F32(byte) / 255.0 for byte in self.texels[self.config0 >> 24 & 3]]
        return [1.0 - s for s in sh] if self.bit(18) else sh

    def add_light(self, light, v, sh, dif, spc):
        """LIT-25 to LIT-35 without fresnel; the new sums."""
        one = F32(1.0)
        da = one
        if not self.config1 >> (24 + light.number) & 1:
            x = CLAMP((light.scale * v.distance) + light.bias, 0.0, 1.0)
            da = look_up(self.tables[16 + light.number], x, 256.0, 0.0, 255.0)
        sp = self.or_one("SP", light, v)
        d0, d1, rr = (self.or_one(name, light, v) for name in ("D0", "D1", "RR"))
        rg, rb = (self.value(name, light, v) if self.has(name, light) else rr for name in ("RG", "RB"))
        s0 = [d0 * c for c in light.s0]
        s1 = [(d1 * r) * c for r, c in zip((rr, rg, rb), light.s1)]
        nl = dot(v.light_n, v.normal)
        nl = abs(nl) if light.two_sided else MAX(nl, F32(0.0))
        ch = F32(0.0) if self.bit(27) and nl == 0.0 else one
        if light.factor0 or light.factor1:
            h = dot(v.half, v.half)
            g = F32(0.0) if h == 0.0 else MIN(nl / h, one)
            s0 = scaled(s0, g) if light.factor0 else s0
            s1 = scaled(s1, g) if light.factor1 else s1
        shadowed = not self.config1 >> light.number & 1
        shp = sh[:3] if self.bit(16) and shadowed else [one] * 3
        shs = sh[:3] if self.bit(17) and shadowed else [one] * 3
        dif = [d + (((((df * nl) * p) + am) * da) * sp)
               for d, df, p, am in zip(dif, light.diffuse, shp, light.ambient)]
        spc = [s + (((((a + b) * ch) * da) * sp) * k) for s, a, b, k in zip(spc, s0, s1, shs)]
        return dif, spc

    def colors(self, quaternion, view):
        """(primary, secondary): four bytes each."""
        if self.registers.get(0x1C6, 0) & 1:
            return [0] * 4, [0] * 4
        dif, spc, dif_a, spc_a = [F32(0.0)] * 3, [F32(0.0)] * 3, F32(1.0), F32(1.0)
        normal, tangent = self.frame(quaternion)
        sh = self.shadow()
        for i, number in enumerate(self.slots):
            light = Light(number, self.registers)
            v = Vectors(normal, tangent, view, light)
            dif, spc = self.add_light(light, v, sh, dif, spc)
            if i == len(self.slots) - 1 and self.has("FR", light):  # LIT-30
                f = self.value("FR", light, v)
                dif_a = f if self.bit(2) else dif_a
                spc_a = f if self.bit(3) else spc_a
        if self.bit(19):  # LIT-36
            dif_a = dif_a * sh[3] if self.bit(2) else dif_a
            spc_a = spc_a * sh[3] if self.bit(3) else spc_a
        dif = add(dif, color(self.registers.get(0x1C0, 0)))
        byte = lambda x: U8(CLAMP(x, 0.0, 1.0) * 255.0)
        return [byte(x) for x in dif + [dif_a]], [byte(x) for x in spc + [spc_a]]


class Vectors:
    """LIT-15: what depends on the fragment and the light."""

    def __init__(self, normal, tangent, view, light):
        self.normal, self.tangent = normal, tangent
        self.view_n = normalised(view)
        towards = light.position if light.directional else add(light.position, view)
        self.distance = length(towards)
        self.light_n = normalised(towards)
        self.half = add(self.view_n, self.light_n)
        self.half_n = normalised(self.half)
