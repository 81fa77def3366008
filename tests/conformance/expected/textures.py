"""40-textures.md sections 3 to 9: one image texture unit over a fragment. Formats I8 and RGBA8."""
from dataclasses import dataclass

from f32 import F32, FLOOR, SAT, TRUNC, bits

TWO_30 = 2.0 ** 30
I8, RGBA8 = 7, 0
FLAT, CUBE, SHADOW, PROJECTION = 0, 1, 2, 3


@dataclass
class Texture:
    """The fields of struct texture (fragment_probe.h); `memory` begins at the address, `faces` are offsets in it."""
    memory: bytes
    format: int = I8
    type: int = FLAT
    width: int = 8
    height: int = 8
    wrap_s: int = 0
    wrap_t: int = 0
    mag: int = 0
    min: int = 0
    mip: int = 0
    min_level: int = 0
    max_level: int = 0
    bias: int = 0
    border: int = 0
    shadow: int = 0
    faces: tuple = (0,)

    @property
    def bits_per_texel(self):
        return 8 if self.format == I8 else 32

    @property
    def last_level(self):
        """MIP-02."""
        return min(self.max_level, min(self.width, self.height).bit_length() - 1)

    def level_base(self, level, face):
        """MIP-01."""
        return self.faces[face] + sum(((self.width >> k) * (self.height >> k) * self.bits_per_texel) >> 3
                                      for k in range(level))

    def border_color(self):
        return [self.border >> shift & 0xFF for shift in (0, 8, 16, 24)]

    def texel(self, i, j, level, face):
        """WRP, TEX-21 to TEX-23."""
        wl, hl = self.width >> level, self.height >> level
        col, t = wrap(i, wl, self.wrap_s), wrap(j, hl, self.wrap_t)
        if col is None or t is None:
            return self.border_color()
        row = hl - 1 - t
        n = ((row >> 3) * (wl >> 3) + (col >> 3)) * 64 + morton(col & 7, row & 7)
        at = self.level_base(level, face) + n * self.bits_per_texel // 8
        if self.format == I8:
            b = self.memory[at]
            return [b, b, b, 255]
        a, b, g, r = self.memory[at:at + 4]
        return [r, g, b, a]


def morton(x, y):
    return sum((x >> k & 1) << (2 * k) | (y >> k & 1) << (2 * k + 1) for k in range(3))


def wrap(i, n, mode):
    """WRP-00 to WRP-06; None is the border."""
    repeated = (i & 0xFFFFFFFF) % n
    if mode == 0:
        return min(max(i, 0), n - 1)
    if mode == 1:
        return i if 0 <= i < n else None
    if mode == 3:
        m = (i & 0xFFFFFFFF) % (2 * n)
        return m if m < n else 2 * n - 1 - m
    if mode == 4:
        return repeated if i < 0 else min(i, n - 1)
    if mode == 5:
        return repeated if i < 0 else i if i < n else None
    return repeated


def fixed_point(s, size):
    """TEX-27."""
    return FLOOR(SAT((s * F32(size)) * 256.0, -TWO_30, TWO_30))


def blend_4(c, fs, ft):
    """The formula of MIP-12 for one channel of four texels 00, 10, 01, 11."""
    top = c[0] * (256 - fs) + c[1] * fs
    bottom = c[2] * (256 - fs) + c[3] * fs
    return (top * (256 - ft) + bottom * ft + 32768) >> 16


def sample(texture, s, t, level, face, linear, see=lambda texel: texel):
    """MIP-11, MIP-12; `see` turns a texel into what is filtered (SDW-06)."""
    u, v = fixed_point(s, texture.width >> level), fixed_point(t, texture.height >> level)
    if not linear:
        return see(texture.texel(u >> 8, v >> 8, level, face))
    u, v = u - 128, v - 128
    i, j = u >> 8, v >> 8
    texels = [see(texture.texel(i + di, j + dj, level, face)) for dj in (0, 1) for di in (0, 1)]
    return [blend_4([texel[c] for texel in texels], u & 255, v & 255) for c in range(4)]


def greater(p, q):
    """g of MIP-05."""
    return p if p > q else q


def log2_fixed(rho):
    """MIP-06."""
    return ((bits(rho) & 0x7FFFFFFF) >> 15) - 32512


def biased_lod(texture, derivatives):
    """MIP-05 to MIP-07; derivatives: (S_x, S_y, T_x, T_y)."""
    a, b = (abs(d * F32(texture.width)) for d in derivatives[:2])
    c, e = (abs(d * F32(texture.height)) for d in derivatives[2:])
    return log2_fixed(greater(greater(a, b), greater(c, e))) + texture.bias


def clamped_lod(texture, lod):
    """MIP-09."""
    return max(min(max(lod, texture.min_level * 256), texture.last_level * 256), 0)


def with_mipmaps(texture, s, t, face, derivatives):
    """MIP-08, MIP-10."""
    lod = biased_lod(texture, derivatives)
    linear = bool(texture.min if lod > 0 else texture.mag)
    lod = clamped_lod(texture, lod)
    if not texture.mip:
        return sample(texture, s, t, (lod + 128) >> 8, face, linear)
    l0, f = lod >> 8, lod & 255
    p = sample(texture, s, t, l0, face, linear)
    q = sample(texture, s, t, min(l0 + 1, texture.last_level), face, linear)
    return [(x * (256 - f) + y * f + 128) >> 8 for x, y in zip(p, q)]


# CUB-01: face number and, for X, Y, Z, which of u, v, w with which sign.
FACES = {"+X": (0, (2, -1), (1, -1), (0, 1)), "-X": (1, (2, -1), (1, 1), (0, 1)), "+Y": (2, (0, 1), (2, 1), (1, 1)),
         "-Y": (3, (0, -1), (2, 1), (1, 1)), "+Z": (4, (0, 1), (1, -1), (2, 1)), "-Z": (5, (0, 1), (1, 1), (2, 1))}


def cube_face(u, v, w):
    au, av, aw = abs(u), abs(v), abs(w)
    if au > av and au > aw:
        return FACES["+X" if u > 0 else "-X"]
    if av > aw:
        return FACES["+Y" if v > 0 else "-Y"]
    return FACES["+Z" if w > 0 else "-Z"]


def pick(values, source):
    return values[source[0]] if source[1] > 0 else -values[source[0]]


def cube(uvw, uvw_x, uvw_y):
    """CUB-01, CUB-02, CUB-05: S, T, the face's number, the derivatives (S_x, S_y, T_x, T_y)."""
    face, *sources = cube_face(*uvw)
    x, y, z = (pick(uvw, s) for s in sources)
    s, t = ((x / z) * 0.5) + 0.5, ((y / z) * 0.5) + 0.5
    derivatives = []
    for numerator, source in ((x, sources[0]), (y, sources[1])):
        for d in (uvw_x, uvw_y):
            derivatives.append(((pick(d, source) - ((numerator / z) * pick(d, sources[2]))) / z) * 0.5)
    return s, t, face, derivatives


def shadow_map(texture, u, v, w):
    """SDW-01, SDW-03 to SDW-06, SDW-08 for type 2."""
    s, t = (u, v) if texture.shadow & 1 else (u / w, v / w)
    zi = TRUNC(SAT(abs(w), 0.0, 1.0) * 16777215.0) - (texture.shadow & 0xFFFFFE)

    def see(texel):
        density = texel[0] if texel[3] << 16 | texel[2] << 8 | texel[1] >= zi else 0
        return [density] * 4

    return sample(texture, s, t, 0, 0, bool(texture.mag), see)


def coordinates(texture, fragment):
    """TEX-12, TEX-17, TEX-26, MIP-04: S, T, face and derivatives of unit 0; not for shadow types."""
    u, v = fragment.get("texcoord0")
    (w,) = fragment.get("texcoord0_w")
    (u_x, u_y), (v_x, v_y) = fragment.derivatives("texcoord0")
    ((w_x, w_y),) = fragment.derivatives("texcoord0_w")
    if texture.type == CUBE:
        return cube((u, v, w), (u_x, v_x, w_x), (u_y, v_y, w_y))
    if texture.type == PROJECTION:
        s, t = u / w, v / w
        by_w = lambda d, value, dw: (d - (value * dw)) / w
        return s, t, 0, (by_w(u_x, s, w_x), by_w(u_y, s, w_y), by_w(v_x, t, w_x), by_w(v_y, t, w_y))
    return u, v, 0, (u_x, u_y, v_x, v_y)


def unit_0(texture, fragment):
    """What unit 0 gives for a fragment."""
    if texture.type == SHADOW:
        return shadow_map(texture, *fragment.get("texcoord0"), *fragment.get("texcoord0_w"))
    return with_mipmaps(texture, *coordinates(texture, fragment))
