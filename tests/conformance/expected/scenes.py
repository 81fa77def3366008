"""The scenes and tables that several tests share: fragment_probe.c and test_fog.c, in Python."""
from c_tables import table
from f32 import F32
from rasterizer import fragments, vertex


def perspective(**changes):
    """probe_perspective: the two triangles; `changes` are functions from a corner's attributes to other ones."""
    corners = []
    for position, quaternion, color, tc0, tc1, tc0_w, _, tc2, view, _ in table("fragment_probe.c", "corners"):
        attributes = dict(quaternion=quaternion, color=color, texcoord0=tc0, texcoord1=tc1, texcoord0_w=(tc0_w,),
                          texcoord2=tc2, view=view)
        for name, change in changes.items():
            attributes[name] = change(attributes)
        corners.append(vertex(position, **attributes))
    return [corners[0:3], [corners[2], corners[1], corners[3]]]


def dot(attributes, k=0):
    """The three vertices of dot k (fragment_probe.h) with these attributes, and its only fragment."""
    x, y = (F32(16 * n + 8) / 64.0 - 1.0 for n in (k % 8, k // 8))
    corners = [vertex(p, **a) for p, a in zip(((x, y, -0.5, 1), (x + 2.0 / 64.0, y, -0.5, 1),
                                               (x, y + 1.0 / 64.0, -0.5, 1)), attributes)]
    (fragment,) = fragments(corners)
    return fragment


def picture(triangles, shade, view=None):
    """(x, y) -> what `shade` makes of the last fragment there."""
    result = {}
    for triangle in triangles:
        for fragment in fragments(triangle, view) if view else fragments(triangle):
            result[fragment.x, fragment.y] = shade(fragment)
    return result


def whole(triangles, shade):
    """The 64 pixels of expect_perspective."""
    pixels = picture(triangles, shade)
    return [pixels[i % 8, i // 8] for i in range(64)]


def pattern(n, step=37, start=11):
    """load_pattern."""
    return bytes((i * step + start) & 255 for i in range(n))


def proctex_ramp(i):
    value = 4095 * i // 128
    return value | (4095 * (i + 1) // 128 - value) << 12


RAMP = [proctex_ramp(i) for i in range(128)]
METER = dict(colors=[k << 8 | (255 - k) << 16 | 128 << 24 for k in range(256)], differences=[127 | 192 << 24] * 256)
RAMPS_AND_METER = dict(METER, noise=RAMP, color_map=RAMP, alpha_map=RAMP)

FOG_RAMP = [(2047 - 16 * i) << 13 | 0x1FF0 for i in range(128)]

