"""30-rasterizer.md: from three vertices to fragments, and the quaternion signs of PRM-08 before it."""
import math
from dataclasses import dataclass, replace

from f32 import F24, F32, SAT, TRUNC, clamp01, from_bits, rha

# The attributes of a vertex besides its position, in one list: where each begins and how many values it has.
ATTRIBUTES = {"quaternion": (0, 4), "color": (4, 4), "texcoord0": (8, 2), "texcoord1": (10, 2), "texcoord0_w": (12, 1),
              "view": (13, 3), "texcoord2": (16, 2)}
ATTRIBUTE_COUNT = 18


@dataclass
class Vertex:
    """Clip coordinates and attributes; after the viewport (VPT-01) r = 1/w, attributes times r, xs, ys, z."""
    position: list
    attributes: list
    r: F32 = None
    xs: int = 0
    ys: int = 0
    z: F32 = None


def vertex(position, **attributes):
    """The defaults of probe_vertex_at (machine.h); attributes by the names of ATTRIBUTES."""
    x, y = F32(position[0]), F32(position[1])
    u, v = (x + 1.0) / 2.0, (y + 1.0) / 2.0
    values = {"quaternion": (0, 0, 0, 1), "color": (1, 1, 1, 1), "texcoord0": (u, v), "texcoord1": (u, v),
              "texcoord0_w": (1,), "view": (0, 0, 1), "texcoord2": (u, v)}
    values.update(attributes)
    record = [F32(value) for name in ATTRIBUTES for value in values[name]]
    assert len(record) == ATTRIBUTE_COUNT
    first, count = ATTRIBUTES["color"]
    for c in range(first, first + count):  # SHD-81
        record[c] = abs(record[c]) if abs(record[c]) < 1.0 else F32(1.0)
    return Vertex([F32(value) for value in position], record)


def align_quaternions(triangle):
    """PRM-08, on copies."""
    first = triangle[0].attributes[0:4]
    aligned = [triangle[0]]
    for other in triangle[1:]:
        x, y, z, w = (a @ b for a, b in zip(first, other.attributes[0:4]))
        if ((x + y) + z) + w < 0.0:
            other = replace(other, attributes=[-q for q in other.attributes[0:4]] + other.attributes[4:])
        aligned.append(other)
    return aligned


TOLERANCE = from_bits(0x322BCC77)  # CLP-05
PLANE_7 = from_bits(0x3727C5AC)    # CLP-04


def planes():
    """CLP-04: the distances of the seven fixed planes, in order."""
    return [lambda x, y, z, w: w - x, lambda x, y, z, w: w + x, lambda x, y, z, w: w - y, lambda x, y, z, w: w + y,
            lambda x, y, z, w: -z, lambda x, y, z, w: w + z, lambda x, y, z, w: w + PLANE_7]


def cut(current, previous, distance):
    """CLP-07."""
    dc, dp = distance(*current.position), distance(*previous.position)
    t = dp / (dp - dc)
    u = 1.0 - t
    return Vertex([(c @ t) + (p @ u) for c, p in zip(current.position, previous.position)],
                  [(c @ t) + (p @ u) for c, p in zip(current.attributes, previous.attributes)])


def clip(triangle):
    """CLP-02 to CLP-10: the polygon, or nothing."""
    polygon = list(triangle)
    if not all(math.isfinite(p) for v in polygon for p in v.position):
        return []
    for distance in planes():
        inside = lambda v: distance(*v.position) >= -TOLERANCE
        clipped = []
        previous = polygon[-1]
        for current in polygon:  # CLP-06
            if inside(current):
                if not inside(previous):
                    clipped.append(cut(current, previous, distance))
                clipped.append(current)
            elif inside(previous):
                clipped.append(cut(current, previous, distance))
            previous = current
        polygon = clipped
        if len(polygon) < 3:
            return []
    for v in polygon:  # CLP-10
        if not all(math.isfinite(p) for p in v.position) or v.position[3] <= 0.0 or math.isinf(1.0 / v.position[3]):
            return []
    return polygon


@dataclass
class View:
    """VPT: half sizes as raw float24, offsets; ITP-14, ITP-15: depth map; the size of the target."""
    hw: int = 0x410000
    hh: int = 0x410000
    ox: int = 0
    oy: int = 0
    width: int = 8
    height: int = 8
    scale: int = 0xBF0000
    offset: int = 0
    z_buffer: bool = True


def snap(value):
    """VPT-03."""
    scaled = value * 16.0
    if math.isnan(scaled):
        return 0
    return rha(max(-262144.0, min(262143.0, scaled)))


def transform(v, view):
    """VPT-01, VPT-02."""
    x, y, z, w = v.position
    r = 1.0 / w
    sx = (((x @ r) + 1.0) @ F24(view.hw)) + view.ox
    sy = (((y @ r) + 1.0) @ F24(view.hh)) + view.oy
    return Vertex(v.position, [a @ r for a in v.attributes], r, snap(sx), snap(sy), z @ r)


def area(v0, v1, v2):
    """CUL-01."""
    return (v1.xs - v0.xs) * (v2.ys - v0.ys) - (v1.ys - v0.ys) * (v2.xs - v0.xs)


def edge(a, b, px, py):
    """RST-01 and the bias of RST-02."""
    dx, dy = b.xs - a.xs, b.ys - a.ys
    bias = -1 if dy > 0 or (dy == 0 and dx < 0) else 0
    return dx * (py - a.ys) - dy * (px - a.xs) + bias


def weights(corners, ix, iy):
    """RST-03."""
    v0, v1, v2 = corners
    px, py = 16 * ix + 8, 16 * iy + 8
    return [edge(v1, v2, px, py), edge(v2, v0, px, py), edge(v0, v1, px, py)]


@dataclass
class Fragment:
    x: int
    y: int
    corners: list
    attributes: list
    q: F32
    depth: F32

    def get(self, name):
        first, count = ATTRIBUTES[name]
        return self.attributes[first:first + count]

    def derivatives(self, name):
        """MIP-03: for each component of the attribute (d/dx, d/dy)."""
        first, count = ATTRIBUTES[name]
        v0, v1, v2 = self.corners
        pairs = ((v1, v2), (v2, v0), (v0, v1))
        steps = ([F32(-16 * (b.ys - a.ys)) for a, b in pairs], [F32(16 * (b.xs - a.xs)) for a, b in pairs])
        result = []
        for k in range(first, first + count):
            both = []
            for s in steps:
                n = ((v0.attributes[k] * s[0]) + (v1.attributes[k] * s[1])) + (v2.attributes[k] * s[2])
                d = ((v0.r * s[0]) + (v1.r * s[1])) + (v2.r * s[2])
                both.append((n - (self.attributes[k] * d)) * self.q)
            result.append(tuple(both))
        return result

    def primary_color(self):
        return [color_byte(c) for c in self.get("color")]

    def depth24(self):
        """ITP-17."""
        return TRUNC(self.depth * 16777215.0)

    def depth16(self):
        return TRUNC(self.depth * 65535.0)


def color_byte(a):
    """ITP-13: to nearest, a tie goes down."""
    v = SAT(a * 255.0, 0.0, 255.0)
    t = TRUNC(v)
    return t + 1 if v - t > 0.5 else t


def interpolate(corners, w, ix, iy, view):
    """ITP-10 to ITP-16."""
    v0, v1, v2 = corners
    b0, b1, b2 = (F32(x) for x in w)
    s = F32(sum(w))
    q = 1.0 / (((v0.r @ b0) + (v1.r @ b1)) + (v2.r @ b2))
    attributes = [(((v0.attributes[k] @ b0) + (v1.attributes[k] @ b1)) + (v2.attributes[k] @ b2)) @ q
                  for k in range(ATTRIBUTE_COUNT)]
    zw = (((v0.z * b0) + (v1.z * b1)) + (v2.z * b2)) / s
    depth = (zw * F24(view.scale)) + F24(view.offset)
    if not view.z_buffer:
        depth = depth * (q * s)
    return Fragment(ix, iy, corners, attributes, q, clamp01(depth))


def fragments(triangle, view=View()):
    """All fragments of one triangle, in both orientations (FACECULLING_CONFIG 0)."""
    polygon = [transform(v, view) for v in clip(align_quaternions(triangle))]
    for i in range(len(polygon) - 2):  # CLP-12
        corners = [polygon[0], polygon[i + 1], polygon[i + 2]]
        signed = area(*corners)
        if signed == 0:  # CUL-03
            continue
        if signed < 0:  # CUL-04
            corners = [corners[0], corners[2], corners[1]]
        for iy in range(view.height):
            for ix in range(view.width):
                w = weights(corners, ix, iy)
                if min(w) >= 0 and sum(w) > 0:  # RST-04
                    yield interpolate(corners, w, ix, iy, view)
