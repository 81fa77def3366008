"""50-fragment-shading.md section 3 (FOG)."""
from f32 import CLAMP, F32, SX, U8, floor


def fogged(color, fog_color, table, depth, flip=False):
    """FOG-03 to FOG-05: color is r, g, b, a; fog_color r, g, b."""
    x = (1.0 - depth) * 128.0 if flip else depth * 128.0
    i = CLAMP(floor(x), 0.0, 127.0)
    f = x - i
    word = table[int(i)]
    value, difference = word >> 13 & 0x7FF, SX(13, word)
    k = (F32(value) / 2047.0) + ((F32(difference) / 2047.0) * f)
    k = CLAMP(k, 0.0, 1.0)
    return [U8((k * F32(c)) + ((1.0 - k) * F32(g))) for c, g in zip(color, fog_color)] + [color[3]]
