/* 60-framebuffer.md section 7: logic operations. */
#include "tests/conformance/triangle_probe.h"

/* S = C8, D = CE, worked out bit by bit. */
static const uint8_t logic_results[16] = { 0x00, 0xC8, 0x00, 0xC8, 0xFF, 0x37, 0xCE, 0x31,
                                           0x37, 0xCE, 0x31, 0x06, 0xF9, 0x06, 0xF9, 0xFF };
/* S = A5, D = 0F: every pair of bits occurs. */
static const uint8_t logic_results_2[16] = { 0x00, 0x05, 0xA0, 0xA5, 0xFF, 0x5A, 0x0F, 0xF0,
                                             0xFA, 0xAF, 0x50, 0xAA, 0x55, 0x0A, 0xF5, 0x5F };

EACH_MACHINE(logic_op, LOP_01_all_sixteen_operations_on_all_channels)
{
    for (uint32_t operation = 0; operation < 16; operation++)
        for (uint32_t c = 0; c < 4; c++) {
            machine_case(m, "op %u, channel %u", (unsigned)operation, (unsigned)c);
            const uint32_t shift = 24u - 8u * c;
            probe_clear_color(m, 0x0F, 0x0F, 0x0F, 0x0F);
            machine_load_word(m, COLOR_ADDRESS, (0x0F0F0F0Fu & ~(0xFFu << shift)) | 0xCEu << shift);
            DRAW_COLOR(m, (0xA5A5A5A5u & ~(0xFFu << shift)) | 0xC8u << shift,
                       { PICA_REG_LOGIC_OP, 0xFFFFFFF0u | operation }, { PICA_REG_COLOR_OPERATION, 0x00E40000 });
            const uint32_t want = (logic_results_2[operation] * 0x01010101u & ~(0xFFu << shift)) |
                                  (uint32_t)logic_results[operation] << shift;
            EXPECT_EQ(m, "LOP-01", probe_pixel(m, 0, 0), want);
        }
    EXPECT_NO_EVENTS(m, "LOP-01");
}

EACH_MACHINE(logic_op, LOP_01_works_on_expanded_channels)
{
    /* RGBA4: D = 9 reads 99; S = F0: XOR = 69: 6. AND = 90: 9. RGB5A1: D = 10001 reads 10001100; NOT = 01110011:
     * 01110. */
    machine_load_word(m, COLOR_ADDRESS, 0x9999);
    DRAW_COLOR(m, 0xF0F0F0F0, { PICA_REG_COLORBUFFER_FORMAT, 0x00040000 }, { PICA_REG_LOGIC_OP, 11 },
               { PICA_REG_COLOR_OPERATION, 0x00E40000 });
    EXPECT_EQ(m, "LOP-01, FBF-10, FBF-11", machine_word(m, COLOR_ADDRESS) & 0xFFFFu, 0x6666);
    machine_reset(m);
    machine_load_word(m, COLOR_ADDRESS, 17u << 11 | 17u << 6 | 17u << 1 | 1u);
    DRAW_COLOR(m, 0, { PICA_REG_COLORBUFFER_FORMAT, 0x00020000 }, { PICA_REG_LOGIC_OP, 7 },
               { PICA_REG_COLOR_OPERATION, 0x00E40000 });
    EXPECT_EQ(m, "LOP-01, FBF-10, FBF-11", machine_word(m, COLOR_ADDRESS) & 0xFFFFu, 14u << 11 | 14u << 6 | 14u << 1);
}

EACH_MACHINE(logic_op, LOP_02_no_operation_rewrites_the_destination_it_sees)
{
    probe_clear_color(m, 0x12, 0x34, 0x56, 0x78);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_LOGIC_OP, 6 }, { PICA_REG_COLOR_OPERATION, 0x00E40000 });
    EXPECT_EQ(m, "LOP-02", probe_pixel(m, 3, 3), 0x12345678u);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_LOGIC_OP, 6 }, { PICA_REG_COLOR_OPERATION, 0x00E40000 },
               { PICA_REG_COLORBUFFER_READ, 0 }, { PICA_REG_DEPTH_COLOR_MASK, 0x1A00 });
    EXPECT_EQ(m, "LOP-02, FBF-17", probe_pixel(m, 3, 3), 0x12005600u); /* green and alpha become 0 */
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_LOGIC_OP, 6 }, { PICA_REG_COLOR_OPERATION, 0x00E40000 },
               { PICA_REG_COLORBUFFER_READ, 0 });
    EXPECT_EQ(m, "LOP-02", probe_pixel(m, 3, 3), 0);
}

EACH_MACHINE(logic_op, LOP_02_channel_masks_apply)
{
    probe_clear_color(m, 0x0F, 0x0F, 0x0F, 0x0F);
    DRAW_COLOR(m, 0xA5A5A5A5, { PICA_REG_LOGIC_OP, 11 }, { PICA_REG_COLOR_OPERATION, 0x00E40000 },
               { PICA_REG_DEPTH_COLOR_MASK, 0x1500 });
    EXPECT_EQ(m, "LOP-02, FBF-17", probe_pixel(m, 3, 3), 0xAA0FAA0Fu);
}
