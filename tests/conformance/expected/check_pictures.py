"""Pictures of triangles: test_assembly.c, test_clip.c, test_cull.c, test_interpolation.c, test_*_whole.c."""
from c_tables import table, table_in
from check_lighting import Studio
from fog import fogged
from lighting import Lighting
from proctex import Proctex, unit_3
from rasterizer import View, vertex
from report import rgba
from scenes import FOG_RAMP, RAMPS_AND_METER, pattern, perspective, picture, whole
from textures import CUBE, PROJECTION, RGBA8, SHADOW, Texture, unit_0


def primary(fragment):
    return rgba(fragment.primary_color())


def compare_pixels(report, file, test, triangles, view=None, complete=True, shade=None):
    """A table of {x, y, colour, depth24}; `complete`: no other pixel is covered."""
    stated = table_in(file, test, "want")
    shade = shade or (lambda f: (primary(f), f.depth24()))
    pixels = picture(triangles, shade, view)
    if complete:
        report.compare(file, test + ", pixels", sorted(pixels), sorted((row[0], row[1]) for row in stated))
    for x, y, *values in stated:
        got = pixels.get((x, y), ())
        report.compare_all(file, "%s, pixel %d,%d" % (test, x, y), got, values)


def colored(position, rgb):
    return vertex(position, color=(*rgb, 1))


def check_clip(report):
    file = "test_clip.c"
    green, black = (0, 1, 0), (0, 0, 0)
    compare_pixels(report, file, "CLP_07_first_worked_example",
                   [[colored((0, 0, -0.5, 1), black), colored((2, 0, -0.5, 1), green),
                     colored((0, 0.75, -0.5, 1), black)]])
    compare_pixels(report, file, "CLP_07_second_worked_example",
                   [[colored((0, -0.5, -0.5, 1), (0.1, 0, 0)), colored((0.5, 0.5, 0.2, 1), (0.9, 0, 0)),
                     colored((-0.5, 0.5, -0.5, 1), (0.3, 0, 0))]])
    compare_pixels(report, file, "CLP_06_CLP_11_a_triangle_cut_by_many_planes",
                   [[colored((-3, -2, -1, 1), (1, 0, 0)), colored((4, -1, -0.25, 2), green),
                     colored((0.5, 5, -2.5, 3), (0, 0, 1))]])


def check_cull(report):
    file, test = "test_cull.c", "CUL_04_a_clockwise_triangle_exchanges"
    positions = [(0.1875, 1.359375, -2.3910000324249268, 3), (-0.84375, -0.96875, -0.824999988079071, 1),
                 (-1.171875, 1.2890625, -1.3949999809265137, 1.5)]
    colors = table_in(file, test, "colors")
    compare_pixels(report, file, test, [[colored(p, c) for p, c in zip(positions, colors)]])


def example_triangle(attributes=({}, {}, {})):
    """The worked example of ITP."""
    positions = [(-1, -1, -0.5, 1), (2, -2, -0.5, 2), (-4, 4, -3, 4)]
    colors = [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)]
    return [vertex(p, **{"color": c, **a}) for p, c, a in zip(positions, colors, attributes)]


def light_value(fragment, position):
    """The light of test_interpolation.c: positional, white diffuse, nothing else."""
    registers = {0x1C4: 0xFFFFFFFF, 0x142: 255 << 20 | 255 << 10 | 255, 0x144: position[0], 0x145: position[1]}
    first, _ = Lighting(registers, [[0] * 256] * 24, [[0] * 4] * 4).colors(fragment.get("quaternion"),
                                                                          fragment.get("view"))
    return (first[0],)


def check_interpolation(report):
    file = "test_interpolation.c"
    small = dict(hw=0x400000, hh=0x400000, width=4, height=4)
    compare_pixels(report, file, "z_buffer", [example_triangle()], View(**small))
    compare_pixels(report, file, "ITP_15_worked_example_with_a_w_buffer", [example_triangle()],
                   View(**small, z_buffer=False))
    rgb = [(1, 0, 0.25), (0, 1, 0.5), (0.2, 0.3, 1)]
    compare_pixels(report, file, "ITP_10_weights_beyond_24_bits",
                   [[colored(p, c) for p, c in zip([(-1, -1, -0.1, 1), (1, -1, -0.9, 1), (-1, 1, -0.4, 1)], rgb)]],
                   View(hw=0x490000, hh=0x490000, ox=-300, oy=-200), complete=False)
    large = View(hw=0x48F400, hh=0x48C200, ox=-300, oy=-200, scale=0xBE8000, offset=0x3C0000, z_buffer=False)
    positions = [(-3, -3, -0.1, 3), (5, -5, -0.9, 5), (-1.5, 1.5, -0.4, 1.5)]
    compare_pixels(report, file, "ITP_12_ITP_15_perspective_and_w_buffer",
                   [[colored(p, c) for p, c in zip(positions, rgb)]], large, complete=False)
    check_texels(report, file)
    test = "ITP_12_quaternion_and_view_are_interpolated"
    both = [dict(quaternion=q, view=v)
            for q, v in zip(table_in(file, test, "quaternions"), table_in(file, test, "views"))]
    compare_pixels(report, file, test, [example_triangle(both)],
                   shade=lambda f: light_value(f, (0xB8003C00, 0x4000)))  # (1, -0.5, 2)
    turned = [vertex((-3, 0, -0.5, 1), view=(0, 0, 0)),
              vertex((1, -1, -0.5, 1), view=(0, 0, 0), quaternion=(0.75, 0, 0, 0)),
              vertex((1, 1, -0.5, 1), view=(0, 0, 0), quaternion=(-0.75, 0, 0, 0))]
    compare_pixels(report, file, "CLP_03_clipping_neither_turns", [turned],
                   shade=lambda f: light_value(f, (0x38000000, 0x3C00)))  # (0, 0.5, 1)


def check_texels(report, file):
    """Texel coordinates of a 64x64 texture at pixels of the worked example, half size 2."""
    view = View(hw=0x400000, hh=0x400000)
    at = lambda *coordinates: tuple(int(c * 64.0 // 1.0) for c in coordinates)
    test = "ITP_12_all_texture_coordinates"
    changes = [dict(texcoord0=uv) for uv in table_in(file, test, "uv")]
    compare_pixels(report, file, test, [example_triangle(changes)], view, shade=lambda f: at(*f.get("texcoord0")))
    test = "ITP_12_the_third_texture_coordinate"
    changes = [dict(texcoord0=uvw[:2], texcoord0_w=uvw[2:]) for uvw in table_in(file, test, "uvw")]
    compare_pixels(report, file, test, [example_triangle(changes)], view,
                   shade=lambda f: at(*(c / f.get("texcoord0_w")[0] for c in f.get("texcoord0"))))


def check_lighting_whole(report):
    file, test = "test_lighting_whole.c", "LIT_10_interpolated_quaternions_and_views"
    studio = Studio()
    config0 = 0x8C | 1 << 28 | 1 << 22 | 1 | 3 << 16 | 1 << 19 | 3 << 24
    lighting = studio.lighting({0x1C2: 1, 0x1C3: config0, 0x169: 0xC})
    pixels = whole(perspective(), lambda f: lighting.colors(f.get("quaternion"), f.get("view")))
    report.compare_all(file, test + ", primary", [rgba(p[0]) for p in pixels], table_in(file, test, "primary"))
    report.compare_all(file, test + ", secondary", [rgba(p[1]) for p in pixels], table_in(file, test, "secondary"))
    test = "FOG_04_interpolated_depths"
    foggy = whole(perspective(), lambda f: rgba(fogged((255, 200, 0, 77), (0, 50, 255), FOG_RAMP, f.depth)))
    report.compare_all(file, test, foggy, table_in(file, test, "expected"))


def check_texture_whole(report):
    file = "test_texture_whole.c"

    def compare(test, texture, scene=None, name="expected"):
        pixels = whole(scene or perspective(), lambda f: rgba(unit_0(texture, f)))
        report.compare_all(file, test, pixels, table_in(file, test, name))

    memory = pattern(341)
    base = dict(width=16, height=16, max_level=4, border=0xFF444444)
    linear = dict(base, mag=1, min=1, mip=1)
    compare("MIP_12_trilinear_2D", Texture(memory, **linear, wrap_s=2, wrap_t=3))
    compare("MIP_11_nearest_2D", Texture(memory, **base, wrap_s=2, wrap_t=2, bias=-100))
    compare("MIP_04_projection", Texture(memory, **linear, type=PROJECTION, wrap_s=3, wrap_t=1))
    compare("CUB_01_five_faces", Texture(pattern(6 * 352), **linear, type=CUBE, faces=tuple(range(0, 6 * 352, 352))),
            perspective(texcoord0=lambda a: a["texcoord1"], texcoord0_w=lambda a: a["texcoord2"][:1]))
    shadow = dict(base, type=SHADOW, format=RGBA8, wrap_s=2, wrap_t=2)
    compare("SDW_06_shadow_map", Texture(pattern(1024), **shadow, mag=1, shadow=0x00700001), name="expected_linear")
    compare("SDW_06_shadow_map", Texture(pattern(1024), **shadow, shadow=0x00A00000), name="expected_nearest")
    unit = Proctex(**RAMPS_AND_METER, u_clamp=3, v_clamp=2, rgb_func=9, alpha_func=5, separate_alpha=1,
                   noise_enable=1, u_shift=1, v_shift=2, bias=0x2C00, u_amplitude=1500, v_amplitude=0xF800,
                   u_phase=0x3800, v_phase=0xB400, u_frequency=0x4100, v_frequency=0x3E00, filter=5, max_lod=7,
                   width=255, offsets=0xC0804000)
    test = "PTX_24_everything_of_the_procedural_unit"
    pixels = whole(perspective(), lambda f: rgba(unit_3(unit, *f.get("texcoord0"), *f.derivatives("texcoord0"))))
    report.compare_all(file, test, pixels, table_in(file, test, "expected"))


def check_assembly(report):
    """Row 0 of the triangle (0,0) (8,0) (0,8): red of the pixels 0, 3, 6 under one white directional light."""
    file = "test_assembly.c"

    def compare(test, first, others, xy, z):
        triangle = [vertex((x, y, -0.5, 1), quaternion=q)
                    for x, y, q in ((-1, -1, first), (1, -1, others), (-1, 1, others))]
        registers = {0x1C4: 0xFFFFFFFF, 0x142: 255 << 20 | 255 << 10 | 255, 0x144: xy, 0x145: z, 0x149: 1}
        lighting = Lighting(registers, [[0] * 256] * 24, [[0] * 4] * 4)
        reds = picture([triangle], lambda f: lighting.colors(f.get("quaternion"), f.get("view"))[0][0])
        report.compare_all(file, test, [reds[x, 0] for x in (0, 3, 6)], table_in(file, test, "reds"))

    for k in range(4):
        for sign in (1, -1):
            first, others = [0] * 4, [0] * 4
            first[k], others[k], others[(k + 2) % 4] = 1, sign * 0.6, sign * 0.8
            compare("PRM_08_each_of_the_four_products", first, others, 0x3C00, 0)
    compare("PRM_08_the_products_are_added_in_order", (4096, 1, 4096, 1), (4096, 1, -4096, -0.5), 0x3C003C00, 0x3C00)


def check(report):
    check_assembly(report)
    check_clip(report)
    check_cull(report)
    check_interpolation(report)
    check_lighting_whole(report)
    check_texture_whole(report)
