/* 20-geometry.md section 3: events of programs, class R: uninitialised values (SHD-10), hazards (SHD-24). */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

#include <string.h>

static const uint32_t END = 0x88000000;
static const uint32_t NOP = 0x84000000;

static uint32_t mov(uint32_t dest, uint32_t source, uint32_t desc)
{
    return op1(PICA_OPCODE_MOV, dest, source, SRC_V, desc);
}

/* uninit-temp (R): a component that the instruction reads and nothing wrote, by mask and swizzle. */
EACH_MACHINE(shader, SHD_10_uninit_temp_is_decided_by_component)
{
    const uint32_t descriptors[] = { IDENTITY,
                                     descriptor("x", "xyzw", "xyzw", "xyzw"),
                                     descriptor("xyzw", "xxxx", "xyzw", "xyzw"),
                                     descriptor("yzw", "xyzw", "xyzw", "xyzw"),
                                     descriptor("", "xyzw", "xyzw", "xyzw"),
                                     descriptor("xyz", "xyzw", "xyzw", "xyzw") };
    static const struct {
        const char *what;
        uint32_t code[3];
        bool event;
    } rows[] = {
        { "never written", { 0x4C010000, 0x88000000, 0 }, true },                /* MOV o0,r0 */
        { "written", { 0x4E000000, 0x4C010000, 0x88000000 }, false },            /* MOV r0,v0; MOV o0,r0 */
        { "x written, all read", { 0x4E000001, 0x4C010000, 0x88000000 }, true }, /* mask x */
        { "x written, x read by swizzle", { 0x4E000001, 0x4C010002, 0x88000000 }, false },
        { "yzw written, xxxx read", { 0x4E000003, 0x4C010002, 0x88000000 }, true },
        { "another register written", { 0x4E200000, 0x4C010000, 0x88000000 }, true },
        { "x written, x used under the mask", { 0x4E000001, 0x4C010001, 0x88000000 }, false },
        { "yzw written, x used under the mask", { 0x4E000003, 0x4C010001, 0x88000000 }, true },
        { "nothing written, empty mask", { 0x4C010004, 0x88000000, 0 }, false },
        { "x written, dp3 to x uses x, y, z", { 0x4E000001, 0x04010001, 0x88000000 }, true },
        { "xyz written, dp3 to x", { 0x4E000005, 0x04010001, 0x88000000 }, false },
        { "xyz written, dp4 to x", { 0x4E000005, 0x08010001, 0x88000000 }, true },
        { "x written, rcp to all uses x alone", { 0x4E000001, 0x38010000, 0x88000000 }, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        const struct shader_run run = { .code = rows[i].code,
                                        .code_count = 3,
                                        .descriptors = descriptors,
                                        .descriptor_count = sizeof descriptors / sizeof descriptors[0] };
        shader_run(m, &run);
        if (rows[i].event)
            EXPECT_EVENT(m, "SHD-10", PICA_EVENT_UNINIT_TEMP);
        else
            EXPECT_NO_EVENT(m, "SHD-10", PICA_EVENT_UNINIT_TEMP);
    }
}

/* uninit-output (R): components that reach a slot; semantic 0x1F names none; o1 is not counted by 0x04F = 1. */
EACH_MACHINE(shader, SHD_10_uninit_output_looks_at_components_that_reach_a_slot)
{
    const uint32_t descriptors[] = { IDENTITY, descriptor("xyz", "xyzw", "xyzw", "xyzw") };
    static const struct {
        const char *what;
        uint32_t desc, semantics, mask;
        bool event;
    } rows[] = {
        { "all written", 0, 0x03020100, 1, false },
        { "w not written", 1, 0x03020100, 1, true },
        { "w not written and unused", 1, 0x1F020100, 1, false },
        { "second output not mapped", 0, 0x03020100, 3, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        const uint32_t code[2] = { mov(DST_O, SRC_V, rows[i].desc), END };
        struct list setup = { .count = 0 };
        list_write(&setup, PICA_REG_SH_OUTMAP_O0, rows[i].semantics);
        list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, rows[i].mask);
        const struct shader_run run = {
            .code = code, .code_count = 2, .descriptors = descriptors, .descriptor_count = 2, .setup = &setup
        };
        shader_run(m, &run);
        if (rows[i].event)
            EXPECT_EVENT(m, "SHD-10", PICA_EVENT_UNINIT_OUTPUT);
        else
            EXPECT_NO_EVENT(m, "SHD-10", PICA_EVENT_UNINIT_OUTPUT);
    }
}

/* ------------------------------------------------------------------------------------------ SHD-10: by instruction */

/* Components of each source that an instruction uses under a mask: letters of "xyzw". */
struct use_row {
    const char *what;
    uint32_t opcode;
    const char *mask, *first, *second;
};

static bool uses(const char *components, uint32_t c)
{
    return strchr(components, "xyzw"[c]) != NULL;
}

/* The instruction with r1 as source `which` (the other is v0), where all components of r1 but c were written. */
static void run_with_unwritten(struct machine *m, const struct use_row *row, uint32_t which, uint32_t c)
{
    static const char *const others[4] = { "yzw", "xzw", "xyw", "xyz" };
    const uint32_t descriptors[] = { descriptor(row->mask, "xyzw", "xyzw", "xyzw"),
                                     descriptor(others[c], "xyzw", "xyzw", "xyzw") };
    const uint32_t r1 = SRC_R + 1;
    uint32_t word = op1(row->opcode, DST_O, which == 0u ? r1 : SRC_V, which == 0u ? SRC_V : r1, 0);
    if (row->opcode == PICA_OPCODE_CMP)
        word = op_cmp(0, 0, which == 0u ? r1 : SRC_V, which == 0u ? SRC_V : r1, 0);
    const uint32_t code[] = { mov(DST_R + 1, SRC_V, 1), word, END };
    const struct shader_run run = { .code = code, .code_count = 3, .descriptors = descriptors, .descriptor_count = 2 };
    shader_run(m, &run);
}

EACH_MACHINE(shader, SHD_10_uninit_temp_looks_at_what_the_instruction_uses)
{
    static const struct use_row rows[] = {
        { "add", PICA_OPCODE_ADD, "xyzw", "xyzw", "xyzw" }, { "add to y", PICA_OPCODE_ADD, "y", "y", "y" },
        { "mul to xw", PICA_OPCODE_MUL, "xw", "xw", "xw" }, { "max to z", PICA_OPCODE_MAX, "z", "z", "z" },
        { "sge to w", PICA_OPCODE_SGE, "w", "w", "w" },     { "dp3", PICA_OPCODE_DP3, "xyzw", "xyz", "xyz" },
        { "dp3 to w", PICA_OPCODE_DP3, "w", "xyz", "xyz" }, { "dp4 to x", PICA_OPCODE_DP4, "x", "xyzw", "xyzw" },
        { "dph", PICA_OPCODE_DPH, "xyzw", "xyz", "xyzw" },  { "dst", PICA_OPCODE_DST, "xyzw", "yz", "yw" },
        { "dst to z", PICA_OPCODE_DST, "z", "z", "" },      { "dst to w", PICA_OPCODE_DST, "w", "", "w" },
        { "dst to x", PICA_OPCODE_DST, "x", "", "" },       { "ex2", PICA_OPCODE_EX2, "xyzw", "x", "" },
        { "lg2 to w", PICA_OPCODE_LG2, "w", "x", "" },      { "rcp", PICA_OPCODE_RCP, "xyzw", "x", "" },
        { "rsq", PICA_OPCODE_RSQ, "xyzw", "x", "" },        { "flr to zw", PICA_OPCODE_FLR, "zw", "zw", "" },
        { "mov to xy", PICA_OPCODE_MOV, "xy", "xy", "" },   { "mova", PICA_OPCODE_MOVA, "xyzw", "xy", "" },
        { "mova to y", PICA_OPCODE_MOVA, "y", "y", "" },    { "cmp", PICA_OPCODE_CMP, "", "xy", "xy" },
        { "litp", PICA_OPCODE_LITP, "xyzw", "xyw", "" },    { "add to nothing", PICA_OPCODE_ADD, "", "", "" },
        { "litp to z", PICA_OPCODE_LITP, "z", "xw", "" },   { "litp to xy", PICA_OPCODE_LITP, "xy", "xyw", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t which = 0; which < 2; which++)
            for (uint32_t c = 0; c < 4; c++) {
                machine_row(m, "%s, source %u, %c unwritten", rows[i].what, (unsigned)(which + 1), "xyzw"[c]);
                run_with_unwritten(m, &rows[i], which, c);
                if (uses(which == 0u ? rows[i].first : rows[i].second, c))
                    EXPECT_EVENT(m, "SHD-10", PICA_EVENT_UNINIT_TEMP);
                else
                    EXPECT_NO_EVENT(m, "SHD-10", PICA_EVENT_UNINIT_TEMP);
            }
}

/* ----------------------------------------------------------------------------------------------------------- SHD-24 */

EACH_MACHINE(shader, SHD_24_hazards_of_the_console_are_events)
{
    const uint32_t words[] = { IDENTITY, descriptor("x", "xyzw", "xyzw", "xyzw"),
                               descriptor("yzw", "xyzw", "xyzw", "xyzw") };
    const struct {
        const char *what;
        uint32_t code[4];
        enum pica_event event;
        bool fires;
    } rows[] = {
        { "two v registers", { op1(0, DST_O, SRC_V, SRC_V + 1, 0), END }, PICA_EVENT_TWO_INPUTS, true },
        { "the same v register", { op1(0, DST_O, SRC_V, SRC_V, 0), END }, PICA_EVENT_TWO_INPUTS, false },
        { "v and c", { op1(0, DST_O, SRC_C, SRC_V + 1, 0), END }, PICA_EVENT_TWO_INPUTS, false },
        { "MAD with v0, v0, v1", { op_mad(DST_O, SRC_V, SRC_V, SRC_V + 1, 0), END }, PICA_EVENT_TWO_INPUTS, true },
        { "CMP v0, v1", { op_cmp(0, 0, SRC_V, SRC_V + 1, 0), END }, PICA_EVENT_TWO_INPUTS, true },
        { "two MOVA", { op1(0x12, 0, SRC_V, 0, 0), op1(0x12, 0, SRC_V, 0, 0), END }, PICA_EVENT_MOVA_PAIR, true },
        { "MOVA NOP MOVA",
          { op1(0x12, 0, SRC_V, 0, 0), NOP, op1(0x12, 0, SRC_V, 0, 0), END },
          PICA_EVENT_MOVA_PAIR,
          false },
        { "one MOVA", { op1(0x12, 0, SRC_V, 0, 0), END }, PICA_EVENT_MOVA_PAIR, false },
        { "o0 twice", { mov(DST_O, SRC_V, 0), mov(DST_O, SRC_V, 0), END }, PICA_EVENT_OUTPUT_TWICE, true },
        { "o0.x, o0.yzw", { mov(DST_O, SRC_V, 1), mov(DST_O, SRC_V, 2), END }, PICA_EVENT_OUTPUT_TWICE, false },
        { "o0.x, o0.xyzw", { mov(DST_O, SRC_V, 1), mov(DST_O, SRC_V, 0), END }, PICA_EVENT_OUTPUT_TWICE, true },
        { "o0, o1", { mov(DST_O, SRC_V, 0), mov(DST_O + 1, SRC_V, 0), END }, PICA_EVENT_OUTPUT_TWICE, false },
        { "r0 twice", { mov(DST_R, SRC_V, 0), mov(DST_R, SRC_V, 0), END }, PICA_EVENT_OUTPUT_TWICE, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        const struct shader_run run = {
            .code = rows[i].code, .code_count = 4, .descriptors = words, .descriptor_count = 3
        };
        shader_run(m, &run);
        if (rows[i].fires)
            EXPECT_EVENT(m, "SHD-24", rows[i].event);
        else
            EXPECT_NO_EVENT(m, "SHD-24", rows[i].event);
    }
}
