/* What was read, written and read again (MEM-05), and what alone changed between two draws. */
#include "harness/coverage/deltas.h"
#include "harness/coverage/rereads.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    TEXTURE = 0x18010000, /* A8, 16 x 8: two tiles of 64 bytes, and a level of 8 x 4 */
    TARGET = 0x18000000
};

struct seen {
    struct harness_reread rereads[64];
    uint32_t count;
};

static void see(void *user, const struct harness_reread *reread, bool effect)
{
    struct seen *const seen = user;
    (void)effect;
    cr_assert_lt(seen->count, 64);
    seen->rereads[seen->count++] = *reread;
}

/* One enabled texture, no depth buffer, immediate vertices. */
static void set_registers(uint32_t *registers)
{
    memset(registers, 0, PICA_REGISTERS * sizeof *registers);
    registers[PICA_REG_TEXUNIT_CONFIG] = 1;
    registers[PICA_REG_TEXUNIT0_DIM] = 16u << 16 | 8u;
    registers[PICA_REG_TEXUNIT0_LOD] = 1u << 16;
    registers[PICA_REG_TEXUNIT0_ADDR1] = TEXTURE >> 3;
    registers[PICA_REG_TEXUNIT0_TYPE] = PICA_TEXTURE_FORMAT_A8;
    registers[PICA_REG_COLORBUFFER_LOC] = TARGET >> 3;
    registers[PICA_REG_COLORBUFFER_WRITE] = 15;
    registers[PICA_REG_FRAMEBUFFER_DIM] = 7u << 12 | 8u;
}

static void draw(struct harness_rereads *rereads, const uint32_t *registers)
{
    const struct pica_draw reported = { .registers = registers, .trigger = PICA_REG_FIXEDATTRIB_DATA0, .pixels = 1 };
    harness_rereads_draw(rereads, &reported, true);
}

static void operate(struct harness_rereads *rereads, enum pica_operation_kind kind, uint32_t address, uint32_t size)
{
    struct pica_operation operation = { .kind = kind, .address = address, .size = size };
    if (kind == PICA_OPERATION_MEMORY_FILL) {
        operation.words[0] = address >> 3;
        operation.words[1] = (address + size) >> 3;
        operation.words[3] = 1;
    } else if (kind == PICA_OPERATION_DISPLAY_TRANSFER) { /* a texture copy from far away */
        operation.words[0] = 0x18020000 >> 3;
        operation.words[1] = address >> 3;
        operation.words[4] = 8;
        operation.words[6] = size;
    }
    harness_rereads_operation(rereads, &operation);
}

/* The only reread so far by that kind of reader. */
static const struct harness_reread *only(const struct seen *seen, enum harness_range_kind reader)
{
    const struct harness_reread *found = NULL;
    for (uint32_t i = 0; i < seen->count; i++)
        if (seen->rereads[i].reader == reader) {
            cr_expect_null(found, "several");
            found = &seen->rereads[i];
        }
    cr_assert_not_null(found, "none");
    return found;
}

Test(rereads, MEM_05_each_writer_of_each_part_is_told_apart)
{
    static const struct {
        enum pica_operation_kind kind;
        enum harness_writer writer;
        uint32_t offset, size;
        enum harness_reread_part part;
    } lines[] = {
        { PICA_OPERATION_LOAD_MEMORY, HARNESS_WRITER_LOAD, 0, 128, HARNESS_PART_ALL },
        { PICA_OPERATION_LOAD_MEMORY, HARNESS_WRITER_LOAD, 127, 1, HARNESS_PART_LAST },
        { PICA_OPERATION_MEMORY_FILL, HARNESS_WRITER_FILL, 0, 16, HARNESS_PART_FIRST },
        { PICA_OPERATION_MEMORY_FILL, HARNESS_WRITER_FILL, 64, 64, HARNESS_PART_LAST },
        { PICA_OPERATION_DISPLAY_TRANSFER, HARNESS_WRITER_COPY, 16, 16, HARNESS_PART_INSIDE },
    };
    static uint32_t registers[PICA_REGISTERS];
    set_registers(registers);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        static struct harness_rereads rereads;
        struct seen seen = { .count = 0 };
        harness_rereads_begin(&rereads, see, &seen);
        draw(&rereads, registers);
        cr_expect_eq(seen.count, 0, "nothing was written yet");
        operate(&rereads, lines[i].kind, TEXTURE + lines[i].offset, lines[i].size);
        draw(&rereads, registers);
        const struct harness_reread *const reread = only(&seen, HARNESS_RANGE_TEXTURE);
        cr_expect(reread->before && reread->first, "line %zu", i);
        cr_expect_eq(reread->writer, lines[i].writer, "line %zu", i);
        cr_expect_eq(reread->part, lines[i].part, "line %zu", i);
        draw(&rereads, registers);
        cr_expect(!seen.rereads[seen.count - 1].first, "line %zu: read since", i);
    }
}

Test(rereads, what_is_beside_a_range_or_was_not_read_before_is_no_second_read)
{
    static uint32_t registers[PICA_REGISTERS];
    static struct harness_rereads rereads;
    struct seen seen = { .count = 0 };
    set_registers(registers);
    harness_rereads_begin(&rereads, see, &seen);
    operate(&rereads, PICA_OPERATION_LOAD_MEMORY, TEXTURE, 4);
    operate(&rereads, PICA_OPERATION_MEMORY_FILL, TEXTURE + 160, 16); /* right behind the smaller level */
    draw(&rereads, registers);
    cr_expect_eq(only(&seen, HARNESS_RANGE_TEXTURE)->writer, HARNESS_WRITER_LOAD);
    cr_expect_not(only(&seen, HARNESS_RANGE_TEXTURE)->before);
    for (uint32_t i = 0; i < seen.count; i++)
        cr_expect_neq(seen.rereads[i].reader, HARNESS_RANGE_LEVEL);
}

Test(rereads, a_target_that_becomes_a_texture_was_written_by_a_draw_and_a_list_by_the_CPU)
{
    static uint32_t registers[PICA_REGISTERS];
    static struct harness_rereads rereads;
    struct seen seen = { .count = 0 };
    set_registers(registers);
    harness_rereads_begin(&rereads, see, &seen);
    draw(&rereads, registers);
    registers[PICA_REG_COLORBUFFER_LOC] = (TEXTURE + 64) >> 3; /* RGBA8, 8 x 8 */
    draw(&rereads, registers);
    cr_expect_eq(seen.count, 0, "the draw does not see what it is about to write (TEX-30)");
    draw(&rereads, registers);
    cr_expect_eq(only(&seen, HARNESS_RANGE_TEXTURE)->writer, HARNESS_WRITER_DRAW);
    cr_expect_eq(only(&seen, HARNESS_RANGE_TEXTURE)->part, HARNESS_PART_LAST);
    cr_expect_eq(only(&seen, HARNESS_RANGE_LEVEL)->part, HARNESS_PART_ALL);
    operate(&rereads, PICA_OPERATION_LOAD_MEMORY, 0x18030000, 64);
    operate(&rereads, PICA_OPERATION_SUBMIT_LIST, 0x18030000, 64);
    cr_expect_eq(only(&seen, HARNESS_RANGE_LIST)->writer, HARNESS_WRITER_LOAD);
}

/* MIP-02, CUB-03: 3 units with 9 levels each, and the 5 other faces of a cube. */
Test(rereads, a_draw_with_a_cube_of_many_levels_reads_all_of_them_and_writes_its_target)
{
    static uint32_t registers[PICA_REGISTERS];
    static struct harness_rereads rereads;
    struct seen seen = { .count = 0 };
    set_registers(registers);
    registers[PICA_REG_TEXUNIT_CONFIG] = 7;
    registers[PICA_REG_TEXUNIT0_PARAM] = pica_texunit_param_set_type(0, PICA_TEXTURE_TYPE_CUBE);
    for (uint32_t unit = 0; unit < 3; unit++) {
        registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)] = 256u << 16 | 256u;
        registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_LOD)] = 8u << 16;
        registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE)] = PICA_TEXTURE_FORMAT_A8;
        registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1)] = (0x18100000 + 0x100000 * unit) >> 3;
    }
    for (uint32_t face = 1; face < 6; face++)
        registers[PICA_REG_TEXUNIT0_ADDR1 + face] = ((0x18100000 + 0x20000 * face) >> 3) & 0x3FFFFF;
    harness_rereads_begin(&rereads, see, &seen);
    draw(&rereads, registers);
    operate(&rereads, PICA_OPERATION_LOAD_MEMORY, 0x18100000, 16);                    /* the first face */
    operate(&rereads, PICA_OPERATION_LOAD_MEMORY, 0x181A0000 + 0x10000 + 0x4000, 16); /* level 2 of the last one */
    draw(&rereads, registers);
    cr_expect(only(&seen, HARNESS_RANGE_TEXTURE)->before);
    cr_expect(only(&seen, HARNESS_RANGE_LEVEL)->before);
    seen.count = 0;
    set_registers(registers);
    registers[PICA_REG_TEXUNIT0_ADDR1] = TARGET >> 3;
    draw(&rereads, registers);
    cr_expect_eq(only(&seen, HARNESS_RANGE_TEXTURE)->writer, HARNESS_WRITER_DRAW);
}

/* ---------------------------------------------------------------------------------------------------------- deltas */

static uint32_t delta(struct harness_deltas *deltas, const uint32_t *registers, uint32_t trigger, uint32_t port)
{
    static uint8_t written[PICA_REGISTERS];
    const struct pica_draw reported = { .registers = registers, .trigger = trigger };
    memset(written, 0, sizeof written);
    if (port < PICA_REGISTERS)
        written[port] = 1;
    return harness_deltas_draw(deltas, &reported, written, true);
}

Test(deltas, what_alone_changed_is_named)
{
    static struct harness_deltas deltas;
    static uint32_t registers[PICA_REGISTERS];
    const uint32_t arrays = PICA_REG_DRAWARRAYS, none = PICA_REGISTERS;
    harness_deltas_init(&deltas);
    set_registers(registers);
    cr_expect_eq(delta(&deltas, registers, arrays, none), HARNESS_DELTA_SEVERAL, "there was no draw before");
    cr_expect_eq(delta(&deltas, registers, arrays, none), HARNESS_DELTA_NONE);
    registers[PICA_REG_BLEND_COLOR] = 1;
    cr_expect_eq(delta(&deltas, registers, arrays, none), PICA_REG_BLEND_COLOR);
    registers[PICA_REG_BLEND_COLOR] = 2;
    registers[PICA_REG_LOGIC_OP] = 2;
    cr_expect_eq(delta(&deltas, registers, arrays, none), HARNESS_DELTA_SEVERAL);
    cr_expect_eq(delta(&deltas, registers, arrays, PICA_REG_FOG_LUT_DATA3), PICA_REG_FOG_LUT_DATA0);
    registers[PICA_REG_BLEND_COLOR] = 3;
    cr_expect_eq(delta(&deltas, registers, arrays, PICA_REG_FOG_LUT_DATA0), HARNESS_DELTA_SEVERAL);
    cr_expect_eq(delta(&deltas, registers, arrays, PICA_REG_FIXEDATTRIB_DATA1), PICA_REG_FIXEDATTRIB_DATA0);
    cr_expect_eq(delta(&deltas, registers, PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_FIXEDATTRIB_DATA1), HARNESS_DELTA_NONE,
                 "words of an immediate vertex");
    registers[PICA_REG_START_DRAW_FUNC0] = 1;
    cr_expect_eq(delta(&deltas, registers, arrays, none), HARNESS_DELTA_NONE, "REG-43: no effect");
}

Test(deltas, draws_without_effect_are_passed_over)
{
    static struct harness_deltas deltas;
    static uint32_t registers[PICA_REGISTERS];
    static uint8_t written[PICA_REGISTERS];
    const struct pica_draw reported = { .registers = registers, .trigger = PICA_REG_DRAWARRAYS };
    harness_deltas_init(&deltas);
    set_registers(registers);
    (void)delta(&deltas, registers, PICA_REG_DRAWARRAYS, PICA_REGISTERS);
    written[PICA_REG_GSH_OPDESCS_DATA0] = 1;
    cr_expect_eq(harness_deltas_draw(&deltas, &reported, written, false), HARNESS_DELTA_SEVERAL);
    cr_expect_eq(delta(&deltas, registers, PICA_REG_DRAWARRAYS, PICA_REGISTERS), PICA_REG_GSH_OPDESCS_DATA0);
}
