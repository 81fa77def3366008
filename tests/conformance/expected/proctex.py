"""40-textures.md section 10 (PTX): the procedural unit over a fragment."""
from dataclasses import dataclass, field

from f32 import F16, F32, FLOOR, MAX, MIN, SAT, SX, TRUNC, U8, rha, sqrt
from textures import greater, log2_fixed

T1 = (0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11)
T2 = (10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14)
HIGH_OFFSETS = (0xF0, 0xF8, 0xFC, 0xFE)  # PTX-19


@dataclass
class Proctex:
    """The fields of struct proctex (fragment_probe.h) and the five tables as words."""
    u_clamp: int = 0
    v_clamp: int = 0
    rgb_func: int = 0
    alpha_func: int = 0
    separate_alpha: int = 0
    noise_enable: int = 0
    u_shift: int = 0
    v_shift: int = 0
    bias: int = 0
    u_amplitude: int = 0
    v_amplitude: int = 0
    u_phase: int = 0
    v_phase: int = 0
    u_frequency: int = 0
    v_frequency: int = 0
    filter: int = 0
    min_lod: int = 0
    max_lod: int = 0
    width: int = 0
    offsets: int = 0
    noise: list = field(default_factory=lambda: [0] * 128)
    color_map: list = field(default_factory=lambda: [0] * 128)
    alpha_map: list = field(default_factory=lambda: [0] * 128)
    colors: list = field(default_factory=lambda: [0] * 256)
    differences: list = field(default_factory=lambda: [0] * 256)


def look_up(table, c):
    """PTX-06."""
    p = c * 128.0
    i = min(TRUNC(p), 127)
    f = p - F32(i)
    value, difference = table[i] & 0xFFF, SX(12, table[i] >> 12)
    y = (F32(value) / 4095.0) + (f * (F32(difference) / 4095.0))
    return SAT(y, 0.0, 1.0)


def limited(coordinate):
    """PTX-07."""
    return SAT(abs(coordinate), 0.0, 8388608.0)


def shift_offset(other, mode, clamp):
    """PTX-08."""
    n = TRUNC(other)
    h = 1.0 if clamp == 3 else 0.5
    if mode == 1:
        return F32(h * ((n // 2) % 2))
    if mode == 2:
        return F32(h * (((n + 1) // 2) % 2))
    return F32(0.0)


def r1(x):
    """PTX-15."""
    return (((x % 9) + 2) * 3 & 15) ^ T1[x // 9 & 15]


def noise_at(x, y):
    """PTX-16."""
    p, q = r1(x), r1(y)
    if p & 3 == 1:
        q += 4
    q ^= (p & 1) * 6
    q = (q + 10 + p) & 15
    q ^= T2[p]
    return -1.0 + ((F32(q) * 2.0) / 15.0)


def noise(unit, u, v):
    """PTX-17."""
    def cell(coordinate, frequency, phase):
        x = SAT((9.0 * F16(frequency)) * abs(coordinate + F16(phase)), 0.0, 2.0 ** 30)
        return TRUNC(x), x - F32(TRUNC(x))

    xi, xf = cell(u, unit.u_frequency, unit.u_phase)
    yi, yf = cell(v, unit.v_frequency, unit.v_phase)
    s = xf + yf
    g0 = noise_at(xi, yi) * s
    g1 = noise_at(xi + 1, yi) * (s - 1.0)
    g2 = noise_at(xi, yi + 1) * (s - 1.0)
    g3 = noise_at(xi + 1, yi + 1) * (s - 2.0)
    tx, ty = look_up(unit.noise, xf), look_up(unit.noise, yf)
    h0 = (g0 * (1.0 - tx)) + (g1 * tx)
    h1 = (g2 * (1.0 - tx)) + (g3 * tx)
    return (h0 * (1.0 - ty)) + (h1 * ty)


def clamped(c, mode):
    """PTX-11."""
    if mode == 0:
        return F32(0.0) if c > 1.0 else c
    if mode == 2:
        return c - F32(FLOOR(c))
    if mode == 3:
        i = TRUNC(c)
        f = c - F32(i)
        return f if i % 2 == 0 else 1.0 - f
    if mode == 4:
        return F32(0.0) if c <= 0.5 else F32(1.0)
    return F32(1.0) if c > 1.0 else c


def function(number, u, v):
    """PTX-12."""
    one = F32(1.0)
    root = lambda: sqrt((u * u) + (v * v))
    formulas = (lambda: u, lambda: u * u, lambda: v, lambda: v * v, lambda: (u + v) * 0.5,
                lambda: ((u * u) + (v * v)) * 0.5, lambda: MIN(root(), one), lambda: MIN(u, v), lambda: MAX(u, v),
                lambda: MIN((((u + v) * 0.5) + root()) * 0.5, one))
    return formulas[number]() if number < len(formulas) else F32(0.0)


def color_at(unit, level, c):
    """PTX-19 to PTX-21: four bytes."""
    offset = unit.offsets >> (8 * level) & 0xFF if level < 4 else HIGH_OFFSETS[level - 4]
    wl = unit.width >> level
    x = F32(offset) + (c * F32(wl - 1 if wl > 0 else 0))
    if not unit.filter & 1:
        k = rha(x) & 255
        return [unit.colors[k] >> shift & 0xFF for shift in (0, 8, 16, 24)]
    i = TRUNC(x)
    f, k = x - F32(i), i & 255
    return [U8(F32(unit.colors[k] >> shift & 0xFF) + (f * F32(2 * SX(8, unit.differences[k] >> shift))))
            for shift in (0, 8, 16, 24)]


def lod(unit, u_derivatives, v_derivatives):
    """PTX-23."""
    b = F16(unit.bias)
    if b == 0.0:
        return 0
    du = greater(*(abs(d) for d in u_derivatives))
    dv = greater(*(abs(d) for d in v_derivatives))
    return log2_fixed(abs(F32(unit.width) * b) * (du + dv))


def clamped_lod(unit, level_of_detail):
    """PTX-24."""
    return max(min(max(level_of_detail, unit.min_lod * 256), min(unit.max_lod, 7) * 256), 0)


def color_with_levels(unit, c, level_of_detail):
    """PTX-22, PTX-24."""
    mode = unit.filter >> 1 & 3
    if mode == 0:
        return color_at(unit, 0, c)
    lodc = clamped_lod(unit, level_of_detail)
    if mode == 1:
        return color_at(unit, (lodc + 128) >> 8, c)
    l0, f = lodc >> 8, lodc & 255
    p, q = color_at(unit, l0, c), color_at(unit, min(l0 + 1, 7), c)
    return [(x * (256 - f) + y * f + 128) >> 8 for x, y in zip(p, q)]


def unit_3(unit, u_in, v_in, u_derivatives, v_derivatives):
    """The unit's four bytes for coordinates with (d/dx, d/dy) each."""
    u, v = limited(u_in), limited(v_in)
    u_shift = shift_offset(v, unit.u_shift, unit.u_clamp)
    v_shift = shift_offset(u, unit.v_shift, unit.v_clamp)
    if unit.noise_enable:  # PTX-09
        n = noise(unit, u, v)
        u = limited(u + ((n * F32(SX(16, unit.u_amplitude))) / 4095.0))
        v = limited(v + ((n * F32(SX(16, unit.v_amplitude))) / 4095.0))
    u, v = clamped(u + u_shift, unit.u_clamp), clamped(v + v_shift, unit.v_clamp)
    c = look_up(unit.color_map, function(unit.rgb_func, u, v))  # PTX-13
    color = color_with_levels(unit, c, lod(unit, u_derivatives, v_derivatives))
    if unit.separate_alpha:  # PTX-14
        color = color[:3] + [U8(look_up(unit.alpha_map, function(unit.alpha_func, u, v)) * 255.0)]
    return color
