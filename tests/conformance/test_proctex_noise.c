/* PTX-09, PTX-15 to PTX-18: noise. Read as in test_proctex.c through the meter: x = c * 254; tables by ci/expected. */
#include "tests/conformance/fragment_probe.h"

enum noise_table {
    NOISE_ZERO, /* every entry 0: tx = ty = 0, noise = g0 = N(xi, yi) * s */
    NOISE_ONE,  /* every entry 1: tx = ty = 1, noise = g3 = N(xi + 1, yi + 1) * (s - 2) */
    NOISE_RAMP
};

static void draw_noise(struct machine *m, const struct proctex *proctex, enum noise_table table, struct dots *dots)
{
    struct list list = probe_list();
    list_proctex_ramps(&list);
    list_proctex_meter(&list);
    uint32_t words[128];
    for (uint32_t i = 0; i < 128u; i++)
        words[i] = table == NOISE_ZERO ? 0 : table == NOISE_ONE ? 0xFFF : proctex_ramp(i);
    list_proctex_table(&list, PICA_PROCTEX_TABLE_NOISE, words, 128);
    struct proctex p = *proctex;
    p.u_clamp = p.v_clamp = 1;
    p.noise_enable = 1;
    p.filter = 1;
    p.width = 255;
    proctex_bind(&list, &p);
    dots_draw(m, &list, dots);
}

/* ------------------------------------------------------------------------------------------ lattice (PTX-15, 16) */

/* x + 0.25 and y + 0.5 in ninths, frequencies 1: s = 0.75; amplitude 2048 of u. Row y, column x. */
static const uint32_t lattice[64] = {
    0xC23EC11E, 0x8822DD3B, 0x0313EC7E, 0x5355AA55, 0xCABD421A, 0x50CD3257, 0x40F6095F, 0x6A936C4A,
    0xDF4CB30F, 0xD215EA15, 0x4D06F958, 0x9E48B730, 0xAC976829, 0x06DA257C, 0x00FE0180, 0xB5867924,
    0x580DF253, 0x1F09F670, 0xBE9E6120, 0x8FA15E37, 0x8D718E38, 0x414EB15F, 0xD5DC2314, 0xA7DF202B,
    0x7633CC44, 0x7403FC45, 0xCC45BA18, 0xDA946B11, 0x6F4BB447, 0xF45AA504, 0xE4837C0D, 0xF1D22D06,
    0xEE0BF407, 0xCE758A17, 0xAE1FE027, 0x8022DD3F, 0x5125DA56, 0x7D9A6540, 0xC65DA21C, 0x00FE0180,
    0x774BB443, 0x84827D3D, 0x642CD34D, 0xCA15EA19, 0x7FCA353F, 0x32A75866, 0x7B6A9541, 0x00FE0180,
    0x2B40BF69, 0xF03BC406, 0x4506F95C, 0xBC6E9121, 0x61A45B4E, 0xB9E61922, 0x00FE0180, 0xD3AC5315,
    0x4A66995A, 0x3D2FD061, 0xA078872F, 0x09629D7B, 0x437E815E, 0x6FF30C48, 0xB7B64923, 0x20A05F6F,
};

EACH_MACHINE(proctex, PTX_16_the_lattice_of_8_by_8_points)
{
    struct dots dots = { .count = 0 };
    for (uint32_t i = 0; i < 64u; i++)
        dots_add_texcoord(&dots, ((float)(i % 8u) + 0.25f) / 9.0f, ((float)(i / 8u) + 0.5f) / 9.0f);
    draw_noise(m, &(struct proctex){ .u_frequency = 0x3C00, .v_frequency = 0x3C00, .u_amplitude = 2048 }, NOISE_ZERO,
               &dots);
    for (uint32_t i = 0; i < 64u; i++) {
        machine_case(m, "x %u, y %u", (unsigned)(i % 8u), (unsigned)(i / 8u));
        EXPECT_EQ(m, "PTX-16, PTX-18", dot_pixel(m, i), lattice[i]);
    }
}

/* N(x, 0), x = 0..191 (beyond the period 144 of R1): u = (x + 0.5) / 9; frequency 0 of v; v = 0.5 + n * 1500 / 4095. */
static const uint32_t along_x[192] = {
    0xD65CA313, 0xD65CA313, 0xA256A92D, 0xDC7B8411, 0x17A15E74, 0xE19A650E, 0x17A15E74, 0x0C639C79, 0x17A15E74,
    0x17A15E74, 0x798E7142, 0x17A15E74, 0x0C639C79, 0xD65CA313, 0x746F9045, 0xA256A92D, 0xDC7B8411, 0x12827D76,
    0xA256A92D, 0x746F9045, 0xD65CA313, 0xE19A650E, 0x17A15E74, 0xDC7B8411, 0x17A15E74, 0x746F9045, 0x4069965F,
    0x17A15E74, 0x746F9045, 0x4069965F, 0x4069965F, 0x12827D76, 0x798E7142, 0x798E7142, 0x746F9045, 0xD65CA313,
    0x17A15E74, 0x798E7142, 0x17A15E74, 0x0C639C79, 0xD65CA313, 0x746F9045, 0xA256A92D, 0xDC7B8411, 0x12827D76,
    0xDC7B8411, 0x798E7142, 0xE19A650E, 0xD65CA313, 0x0C639C79, 0xA256A92D, 0x746F9045, 0x17A15E74, 0x4069965F,
    0x746F9045, 0x17A15E74, 0x0C639C79, 0x17A15E74, 0xE19A650E, 0x17A15E74, 0xDC7B8411, 0xA256A92D, 0xD65CA313,
    0x12827D76, 0xE19A650E, 0x798E7142, 0x746F9045, 0x17A15E74, 0xD65CA313, 0x4069965F, 0x4069965F, 0x17A15E74,
    0x746F9045, 0xA256A92D, 0xD65CA313, 0x12827D76, 0x4069965F, 0x798E7142, 0x798E7142, 0x17A15E74, 0x0C639C79,
    0xD65CA313, 0xD65CA313, 0x746F9045, 0x798E7142, 0x798E7142, 0x12827D76, 0x4069965F, 0x4069965F, 0x746F9045,
    0x0C639C79, 0x4069965F, 0x746F9045, 0x17A15E74, 0xDC7B8411, 0x17A15E74, 0xE19A650E, 0xD65CA313, 0x746F9045,
    0x17A15E74, 0x4069965F, 0x17A15E74, 0x746F9045, 0xA256A92D, 0x0C639C79, 0xD65CA313, 0xE19A650E, 0x798E7142,
    0x798E7142, 0x17A15E74, 0x4069965F, 0x4069965F, 0xD65CA313, 0x17A15E74, 0x746F9045, 0x798E7142, 0xE19A650E,
    0xD65CA313, 0xD65CA313, 0x746F9045, 0x798E7142, 0x798E7142, 0x12827D76, 0x4069965F, 0x4069965F, 0x746F9045,
    0x4069965F, 0x0C639C79, 0x17A15E74, 0x798E7142, 0x798E7142, 0x4069965F, 0x12827D76, 0xD65CA313, 0xA256A92D,
    0x798E7142, 0x17A15E74, 0x4069965F, 0x4069965F, 0xD65CA313, 0x17A15E74, 0x746F9045, 0x798E7142, 0xE19A650E,
    0xD65CA313, 0xD65CA313, 0xA256A92D, 0xDC7B8411, 0x17A15E74, 0xE19A650E, 0x17A15E74, 0x0C639C79, 0x17A15E74,
    0x17A15E74, 0x798E7142, 0x17A15E74, 0x0C639C79, 0xD65CA313, 0x746F9045, 0xA256A92D, 0xDC7B8411, 0x12827D76,
    0xA256A92D, 0x746F9045, 0xD65CA313, 0xE19A650E, 0x17A15E74, 0xDC7B8411, 0x17A15E74, 0x746F9045, 0x4069965F,
    0x17A15E74, 0x746F9045, 0x4069965F, 0x4069965F, 0x12827D76, 0x798E7142, 0x798E7142, 0x746F9045, 0xD65CA313,
    0x17A15E74, 0x798E7142, 0x17A15E74, 0x0C639C79, 0xD65CA313, 0x746F9045, 0xA256A92D, 0xDC7B8411, 0x12827D76,
    0xDC7B8411, 0x798E7142, 0xE19A650E,
};

/* N(0, y), read in u. */
static const uint32_t along_y[192] = {
    0xD65CA313, 0x17A15E74, 0x12827D76, 0xAD946B28, 0xA8758A2B, 0xA256A92D, 0xE19A650E, 0x7FAD523F, 0x798E7142,
    0xA8758A2B, 0x4588775C, 0xE19A650E, 0x7FAD523F, 0xD65CA313, 0x746F9045, 0x12827D76, 0xAD946B28, 0x4BA7585A,
    0x12827D76, 0xDC7B8411, 0xD65CA313, 0xA256A92D, 0xE19A650E, 0xAD946B28, 0xA8758A2B, 0x746F9045, 0x6F50AF48,
    0x798E7142, 0x746F9045, 0x6F50AF48, 0x0C639C79, 0x4BA7585A, 0x4588775C, 0x4069965F, 0xDC7B8411, 0xD65CA313,
    0xA8758A2B, 0x4588775C, 0xE19A650E, 0x7FAD523F, 0xD65CA313, 0x746F9045, 0x12827D76, 0xAD946B28, 0x4BA7585A,
    0xAD946B28, 0x4069965F, 0xA256A92D, 0xD65CA313, 0x7FAD523F, 0x12827D76, 0x746F9045, 0xA8758A2B, 0x0C639C79,
    0x746F9045, 0x798E7142, 0x7FAD523F, 0xE19A650E, 0xA256A92D, 0xA8758A2B, 0xAD946B28, 0x12827D76, 0x17A15E74,
    0x4BA7585A, 0xA256A92D, 0x4069965F, 0xDC7B8411, 0x798E7142, 0x17A15E74, 0x6F50AF48, 0x0C639C79, 0xA8758A2B,
    0xDC7B8411, 0x12827D76, 0x17A15E74, 0x4BA7585A, 0x0C639C79, 0x4069965F, 0x4588775C, 0x798E7142, 0x7FAD523F,
    0x17A15E74, 0xD65CA313, 0xDC7B8411, 0x4069965F, 0x4588775C, 0x4BA7585A, 0x0C639C79, 0x6F50AF48, 0x746F9045,
    0x7FAD523F, 0x6F50AF48, 0x746F9045, 0xA8758A2B, 0xAD946B28, 0xE19A650E, 0xA256A92D, 0xD65CA313, 0xDC7B8411,
    0xE19A650E, 0x0C639C79, 0xA8758A2B, 0x746F9045, 0x12827D76, 0x7FAD523F, 0xD65CA313, 0xA256A92D, 0x4069965F,
    0x4588775C, 0xA8758A2B, 0x0C639C79, 0x6F50AF48, 0x17A15E74, 0x798E7142, 0xDC7B8411, 0x4069965F, 0xA256A92D,
    0x17A15E74, 0xD65CA313, 0xDC7B8411, 0x4069965F, 0x4588775C, 0x4BA7585A, 0x0C639C79, 0x6F50AF48, 0x746F9045,
    0x6F50AF48, 0x7FAD523F, 0x798E7142, 0x4588775C, 0x4069965F, 0x0C639C79, 0x4BA7585A, 0x17A15E74, 0x12827D76,
    0x4588775C, 0xA8758A2B, 0x0C639C79, 0x6F50AF48, 0x17A15E74, 0x798E7142, 0xDC7B8411, 0x4069965F, 0xA256A92D,
    0xD65CA313, 0x17A15E74, 0x12827D76, 0xAD946B28, 0xA8758A2B, 0xA256A92D, 0xE19A650E, 0x7FAD523F, 0x798E7142,
    0xA8758A2B, 0x4588775C, 0xE19A650E, 0x7FAD523F, 0xD65CA313, 0x746F9045, 0x12827D76, 0xAD946B28, 0x4BA7585A,
    0x12827D76, 0xDC7B8411, 0xD65CA313, 0xA256A92D, 0xE19A650E, 0xAD946B28, 0xA8758A2B, 0x746F9045, 0x6F50AF48,
    0x798E7142, 0x746F9045, 0x6F50AF48, 0x0C639C79, 0x4BA7585A, 0x4588775C, 0x4069965F, 0xDC7B8411, 0xD65CA313,
    0xA8758A2B, 0x4588775C, 0xE19A650E, 0x7FAD523F, 0xD65CA313, 0x746F9045, 0x12827D76, 0xAD946B28, 0x4BA7585A,
    0xAD946B28, 0x4069965F, 0xA256A92D,
};

static void long_rows(struct machine *m, bool vertical)
{
    for (uint32_t start = 0; start < 192u; start += 64u) {
        struct dots dots = { .count = 0 };
        for (uint32_t i = 0; i < 64u; i++) {
            const float c = ((float)(start + i) + 0.5f) / 9.0f;
            dots_add_texcoord(&dots, vertical ? 0.5f : c, vertical ? c : 0.5f);
        }
        const struct proctex x = { .u_frequency = 0x3C00, .v_amplitude = 1500, .rgb_func = PICA_PROCTEX_FUNC_V };
        const struct proctex y = { .v_frequency = 0x3C00, .u_amplitude = 1500, .rgb_func = PICA_PROCTEX_FUNC_U };
        draw_noise(m, vertical ? &y : &x, NOISE_ZERO, &dots);
        for (uint32_t i = 0; i < 64u; i++) {
            machine_case(m, "%c = %u", vertical ? 'y' : 'x', (unsigned)(start + i));
            EXPECT_EQ(m, "PTX-15", dot_pixel(m, i), vertical ? along_y[start + i] : along_x[start + i]);
        }
    }
}

EACH_MACHINE(proctex, PTX_15_along_x)
{
    long_rows(m, false);
}

EACH_MACHINE(proctex, PTX_15_along_y)
{
    long_rows(m, true);
}

/* --------------------------------------------------------------------------------------- the whole sum (PTX-09, 17) */

static const struct {
    uint32_t u_bits, v_bits;
    uint32_t u_amplitude, v_amplitude; /* s16 */
    uint32_t u_frequency, v_frequency, u_phase, v_phase;
    uint32_t rgb_func, rgba;
} noise_rows[] = {
    { 0x3E99999A, 0x3F333333, 0x0FFF, 0x0000, 0x3C00, 0x3C00, 0x0000, 0x0000, 0,
      0x9128D736 }, /* noise BE0F69D5, at 2, 6 */
    { 0x3E99999A, 0x3F333333, 0x0000, 0x0FFF, 0x3C00, 0x3C00, 0x0000, 0x0000, 2,
      0x328E7166 }, /* noise BE0F69D5, at 2, 6 */
    { 0x3E99999A, 0x3F333333, 0xF001, 0x0000, 0x3C00, 0x3C00, 0x0000, 0x0000, 0,
      0xBB6F9021 }, /* noise BE0F69D5, at 2, 6 */
    { 0x3E99999A, 0x3F333333, 0x7FFF, 0x0000, 0x3C00, 0x3C00, 0x0000, 0x0000, 0,
      0x6ED02F48 }, /* noise BE0F69D5, at 2, 6 */
    { 0x3E99999A, 0x3F333333, 0x8000, 0x0000, 0x3C00, 0x3C00, 0x0000, 0x0000, 0,
      0x00FE0180 }, /* noise BE0F69D5, at 2, 6 */
    { 0x3E99999A, 0x3F333333, 0x0FFF, 0x0FFF, 0x3C00, 0x3C00, 0x0000, 0x0000, 4,
      0x625BA44E }, /* noise BE0F69D5, at 2, 6 */
    { 0x3E99999A, 0x3F333333, 0x0FFF, 0x03E8, 0x4200, 0x3800, 0x3800, 0xB400, 4,
      0x6054AB4F }, /* noise BE89F6A1, at 21, 2 */
    { 0x3F666666, 0x3DCCCCCD, 0x07D0, 0x0000, 0x4D00, 0x2E66, 0x4100, 0x0001, 0,
      0xA9E8172A }, /* noise 3D067DDF, at 612, 0 */
    { 0x3F666666, 0x3DCCCCCD, 0x07D0, 0x0000, 0xBC00, 0x3C00, 0x0000, 0x0000, 0,
      0x36D42B64 }, /* noise BE072EC2, at 0, 0 */
    { 0x3F666666, 0x3DCCCCCD, 0x07D0, 0x0000, 0xBC00, 0xBC00, 0x0000, 0x0000, 0,
      0x96E41B33 }, /* noise 00000000, at 0, 0 */
    { 0x3E4CCCCD, 0x3E4CCCCD, 0x07D0, 0x0000, 0x0000, 0x0000, 0x3C00, 0x3C00, 0,
      0xBE32CD1F }, /* noise 00000000, at 0, 0 */
    { 0x3EE66666, 0x3F19999A, 0x07D0, 0x0000, 0x3C00, 0x3C00, 0xB733, 0xB8CD, 0,
      0x1B728D72 }, /* noise BAA7561E, at 0, 0 */
    { 0x3EE66666, 0x3F19999A, 0x07D0, 0x0000, 0x3C00, 0x3C00, 0xC500, 0xC900, 0,
      0xA2AA552D }, /* noise 3EE89E05, at 40, 84 */
    { 0x3EE66666, 0x3F19999A, 0x07D0, 0x0000, 0x7BFF, 0x7BFF, 0x7BFF, 0x7BFF, 0,
      0x43728D5D }, /* noise 00000000, at 1073741824, 1073741824 */
    { 0x3EE66666, 0x3F19999A, 0x07D0, 0x0000, 0x7C00, 0x3C00, 0x0000, 0x0000, 0,
      0x6B5EA149 }, /* noise BE23BFFF, at 1073741824, 5 */
    { 0x00000000, 0x3F19999A, 0x07D0, 0x0000, 0x7C00, 0x3C00, 0x0000, 0x0000, 0,
      0x9C2BD431 }, /* noise BEB43918, at 0, 5 */
    { 0x3EE66666, 0x3F19999A, 0x07D0, 0x0000, 0x7E00, 0x3C00, 0x0000, 0x0000, 0,
      0x9546B934 }, /* noise BEB43918, at 0, 5 */
    { 0x3EE66666, 0x3F19999A, 0x07D0, 0x0000, 0x3C00, 0x3C00, 0x7E00, 0x0000, 0,
      0x9546B934 }, /* noise BEB43918, at 0, 5 */
    { 0x3EE66666, 0x3F19999A, 0x07D0, 0x0000, 0x3C00, 0x3C00, 0x7C00, 0xFC00, 0,
      0x43728D5D }, /* noise 00000000, at 1073741824, 1073741824 */
    { 0x3EE66666, 0x3F19999A, 0x07D0, 0x0000, 0x0001, 0x03FF, 0x0000, 0x0000, 0,
      0x34728D65 }, /* noise B9F93036, at 0, 0 */
    { 0x447A0000, 0x3F19999A, 0x07D0, 0x07D0, 0x3C00, 0x3C00, 0x0000, 0x0000, 2,
      0x38AC5363 }, /* noise 3E23CA3F, at 9000, 5 */
    { 0x4B000000, 0x4B000000, 0x0000, 0x8000, 0x3C00, 0x3C00, 0x0000, 0x0000, 2,
      0x00FE0180 }, /* noise 00000000, at 75497472, 75497472 */
    { 0x3E000000, 0x3F200000, 0x0BB8, 0x07D0, 0x3C00, 0x4000, 0x3A00, 0x2C00, 5,
      0xB91BE422 }, /* noise BEBD5166, at 7, 12 */
    { 0x3D4CCCCD, 0x3ECCCCCD, 0x9000, 0x3000, 0x4900, 0x4600, 0x3000, 0xB000, 8,
      0x19748B73 }, /* noise 3C9C350A, at 15, 14 */
    /* X and Y so large that the order of the two products shows in their fraction. */
    { 0x48110FD4, 0x3F19999A, 0x0000, 0x07D0, 0x4233, 0x3C00, 0x3000, 0x0000, 2, 0xCA708F19 },
    { 0x3F19999A, 0x470374D4, 0x07D0, 0x0000, 0x3C00, 0x41AA, 0x0000, 0x3000, 0, 0x2198676F },
};

/* The first row is the example of PTX-18. Products may be infinite or NaN; SAT takes them to 2^30 and 0. */
EACH_MACHINE(proctex, PTX_17_noise_of_frequencies_phases_and_amplitudes)
{
    for (size_t i = 0; i < sizeof noise_rows / sizeof noise_rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        struct dots dots = dots_at(f32_from_bits(noise_rows[i].u_bits), f32_from_bits(noise_rows[i].v_bits));
        draw_noise(m,
                   &(struct proctex){ .u_amplitude = noise_rows[i].u_amplitude,
                                      .v_amplitude = noise_rows[i].v_amplitude,
                                      .u_frequency = noise_rows[i].u_frequency,
                                      .v_frequency = noise_rows[i].v_frequency,
                                      .u_phase = noise_rows[i].u_phase,
                                      .v_phase = noise_rows[i].v_phase,
                                      .rgb_func = noise_rows[i].rgb_func },
                   NOISE_RAMP, &dots);
        EXPECT_EQ(m, "PTX-17, PTX-18, PTX-09, TEX-04", dot_pixel(m, 0), noise_rows[i].rgba);
    }
}

EACH_MACHINE(proctex, PTX_17_the_noise_table_blends_the_corners)
{
    /* NOISE_ONE: x + 0.25, y + 0.5: noise = N(xi + 1, yi + 1) * (0.75 - 2). */
    static const uint32_t expected[16] = {
        0x4A66995A, 0xB1976826, 0x375FA063, 0xBB26D921, 0x1D51AE71, 0x797B8442, 0xE334CB0D, 0x4466995D,
        0xEE3BC407, 0xA118E72E, 0xB61FE023, 0xCBA55A19, 0x86827D3C, 0x2A58A76A, 0xBE9E6120, 0x54E51A55,
    };
    struct dots dots = { .count = 0 };
    for (uint32_t i = 0; i < 16u; i++)
        dots_add_texcoord(&dots, ((float)(i % 4u) + 0.25f) / 9.0f, ((float)(i / 4u) + 0.5f) / 9.0f);
    draw_noise(m, &(struct proctex){ .u_frequency = 0x3C00, .v_frequency = 0x3C00, .u_amplitude = 2048 }, NOISE_ONE,
               &dots);
    for (uint32_t i = 0; i < 16u; i++) {
        machine_case(m, "x %u, y %u", (unsigned)(i % 4u), (unsigned)(i / 4u));
        EXPECT_EQ(m, "PTX-17", dot_pixel(m, i), expected[i]);
    }
}

EACH_MACHINE(proctex, PTX_09_no_noise_unless_enabled)
{
    struct dots dots = dots_at(0.25f, 0.75f);
    struct list list = probe_list();
    list_proctex_ramps(&list);
    list_proctex_meter(&list);
    proctex_bind(&list, &(struct proctex){ .u_clamp = 1,
                                           .v_clamp = 1,
                                           .filter = 1,
                                           .width = 255,
                                           .u_amplitude = 0x7FFF,
                                           .u_frequency = 0x3C00,
                                           .v_frequency = 0x3C00 });
    dots_draw(m, &list, &dots);
    EXPECT_DOT(m, "PTX-09", 0, 0x73, 0x3F, 0xC0, 0x45); /* as without amplitude: PTX-11 in test_proctex.c */
}

EACH_MACHINE(proctex, PTX_08_shifts_are_computed_before_the_noise)
{
    /* u = 0.3, odd shift of u by v, amplitude of v alone: noise moves v to or from another integer, the shift stays. */
    static const struct {
        uint32_t v_bits, v_amplitude, rgba;
    } rows[] = {
        { 0x3FFD70A4, 0x7FFF, 0x274CB36B }, /* 1.98 becomes 2.11 */
        { 0x4000A3D7, 0x8001, 0x2FCB3467 }, /* 2.01 becomes 0.44 */
        { 0x400147AE, 0x8001, 0x2FCB3467 }, /* 2.02 becomes -0.46 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        struct dots dots = dots_at(0.3f, f32_from_bits(rows[i].v_bits));
        struct list list = probe_list();
        list_proctex_ramps(&list);
        list_proctex_meter(&list);
        proctex_bind(&list, &(struct proctex){ .u_clamp = 2,
                                               .v_clamp = 2,
                                               .u_shift = PICA_PROCTEX_SHIFT_ODD,
                                               .noise_enable = 1,
                                               .v_amplitude = rows[i].v_amplitude,
                                               .u_frequency = 0x3C00,
                                               .v_frequency = 0x3C00,
                                               .filter = 1,
                                               .width = 255 });
        dots_draw(m, &list, &dots);
        EXPECT_EQ(m, "PTX-08, PTX-09, PTX-10", dot_pixel(m, 0), rows[i].rgba);
    }
}

EACH_MACHINE(proctex, PTX_09_the_range_is_checked_again_after_the_noise)
{
    /* The noise at (2^23, 0.75) is about -0.075: times 32767 / 4095 it leaves or enters the range. */
    static const struct {
        uint32_t u_bits, amplitude;
        bool fires;
    } rows[] = {
        { 0x3F000000, 0x7FFF, false },
        { 0x4B000000, 0x7FFF, false },
        { 0x4B000000, 0x8001, true },
        { 0x4B000000, 0x0000, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        struct dots dots = dots_at(f32_from_bits(rows[i].u_bits), 0.75f);
        draw_noise(m,
                   &(struct proctex){ .u_amplitude = rows[i].amplitude, .u_frequency = 0x3C00, .v_frequency = 0x3C00 },
                   NOISE_RAMP, &dots);
        cr_expect(machine_event_is(m, "PTX-09, PTX-07", PICA_EVENT_PROCTEX_RANGE, rows[i].fires), "%s", m->message);
    }
}
