/*
 * 20-geometry.md section 1: the shader operations in both profiles. ci/expected recomputes the tables with
 * exact arithmetic (ex2 and lg2: to 80 decimal places) and one rounding by the rule.
 */
#include "tests/conformance/shader_lane_probe.h"
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

#include <string.h>

enum {
    VS = PICA_UNIT_VERTEX
};

/* ---------------------------------------------------------------------------------------- FLT-22 to 31: operations */

enum operation {
    ADD = PICA_OPCODE_ADD,
    MUL = PICA_OPCODE_MUL,
    FLR = PICA_OPCODE_FLR,
    RCP = PICA_OPCODE_RCP,
    RSQ = PICA_OPCODE_RSQ,
    EX2 = PICA_OPCODE_EX2,
    LG2 = PICA_OPCODE_LG2,
    MAX = PICA_OPCODE_MAX,
    MIN = PICA_OPCODE_MIN,
    SGE = PICA_OPCODE_SGE,
    SLT = PICA_OPCODE_SLT
};

struct operation_row {
    enum operation operation;
    uint32_t a, b;     /* binary32 bits; in profile f24 they are rounded when fetched (FLT-20) */
    uint32_t f32, f24; /* result */
};

/* Each row alone, and all rows with the same operation side by side in one draw. */
static void run_alone(struct machine *m, const char *rule, const struct operation_row *row, uint32_t expected)
{
    const uint32_t a = row->a;
    const uint32_t b = row->b;
    const uint32_t code[2] = { op1((uint32_t)row->operation, DST_O, SRC_V, SRC_V + 1, 0), op0(PICA_OPCODE_END) };
    const struct shader_run run = { .code = code, .code_count = 2, .inputs = { { a, a, a, a }, { b, b, b, b } } };
    shader_run(m, &run);
    const struct pica_vector out = shader_output(m, 0);
    EXPECT_VECTOR(m, rule, out, expected, expected, expected, expected);
}

static void run_together(struct machine *m, const char *rule, const struct operation_row *rows, size_t n, bool f24)
{
    for (size_t first = 0, end = 0; first < n; first = end) {
        const uint32_t code[2] = { op1((uint32_t)rows[first].operation, DST_O, SRC_V, SRC_V + 1, 0),
                                   op0(PICA_OPCODE_END) };
        struct lane_run run = { .code = code, .code_count = 2 };
        for (end = first; end < n && rows[end].operation == rows[first].operation; end++)
            for (uint32_t c = 0; c < 4; c++) {
                run.inputs[end - first][0][c] = rows[end].a;
                run.inputs[end - first][1][c] = rows[end].b;
            }
        run.count = (uint32_t)(end - first);
        lane_draw(m, &run);
        for (size_t i = first; i < end; i++) {
            machine_case(m, "f%d, side by side: %08X %08X", f24 ? 24 : 32, (unsigned)rows[i].a, (unsigned)rows[i].b);
            EXPECT_EQ(m, rule, lane_output(m, (uint32_t)(i - first)).bits[2], f24 ? rows[i].f24 : rows[i].f32);
        }
    }
}

static void run_operations(struct machine *m, const char *rule, const struct operation_row *rows, size_t n)
{
    for (int profile = 0; profile < 2; profile++) {
        machine_load_profile(m, profile == 0 ? PICA_PROFILE_F32 : PICA_PROFILE_F24);
        for (size_t i = 0; i < n; i++) {
            machine_case(m, "profile f%d: %s %08X %08X", profile == 0 ? 32 : 24,
                         pica_opcode_info((uint32_t)rows[i].operation)->mnemonic, (unsigned)rows[i].a,
                         (unsigned)rows[i].b);
            run_alone(m, rule, &rows[i], profile == 0 ? rows[i].f32 : rows[i].f24);
        }
        run_together(m, rule, rows, n, profile == 1);
    }
}

static const struct operation_row products[] = {
    { MUL, 0x00000000, 0x7F800000, 0x00000000, 0x00000000 }, { MUL, 0x7F800000, 0x00000000, 0x00000000, 0x00000000 },
    { MUL, 0x80000000, 0x7F800000, 0x00000000, 0x00000000 }, { MUL, 0xFF800000, 0x00000000, 0x00000000, 0x00000000 },
    { MUL, 0x7FC00000, 0x00000000, 0x7FC00000, 0x7FC00000 }, { MUL, 0x00000000, 0x7FC00000, 0x7FC00000, 0x7FC00000 },
    { MUL, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000 }, { MUL, 0x7F800000, 0xFF800000, 0xFF800000, 0xFF800000 },
    { MUL, 0x40000000, 0x40400000, 0x40C00000, 0x40C00000 }, { MUL, 0xC0000000, 0x40400000, 0xC0C00000, 0xC0C00000 },
    { MUL, 0x80000000, 0x3F800000, 0x80000000, 0x00000000 }, { MUL, 0x00000000, 0xBF800000, 0x80000000, 0x00000000 },
    { MUL, 0x00800000, 0x3F000000, 0x00400000, 0x00000000 }, { MUL, 0x80800000, 0x3F000000, 0x80400000, 0x00000000 },
    { MUL, 0x00000001, 0x3F000000, 0x00000000, 0x00000000 }, { MUL, 0x00000003, 0x3F000000, 0x00000002, 0x00000000 },
    { MUL, 0x7F000000, 0x40000000, 0x7F800000, 0x7F800000 }, { MUL, 0x5F000000, 0x40000000, 0x5F800000, 0x7F800000 },
    { MUL, 0xDF000000, 0x40000000, 0xDF800000, 0xFF800000 }, { MUL, 0x20800000, 0x3F000000, 0x20000000, 0x00000000 },
    { MUL, 0x20800000, 0x3F7FFF80, 0x207FFF80, 0x00000000 }, { MUL, 0x3F800080, 0x3F800080, 0x3F800100, 0x3F800100 },
    { MUL, 0x3F801000, 0x3F808000, 0x3F809010, 0x3F809000 }, { MUL, 0x3FC00000, 0x3F800080, 0x3FC000C0, 0x3FC00100 },
    { MUL, 0x5F7FFF80, 0x5F7FFF80, 0x7F7FFF00, 0x7F800000 }, { MUL, 0x20800000, 0x20800000, 0x01800000, 0x00000000 },
    { MUL, 0x7F7FFFFF, 0x3F800001, 0x7F800000, 0x7F800000 }, { MUL, 0x3F800001, 0x3F800001, 0x3F800002, 0x3F800000 },
};

EACH_MACHINE(number, FLT_27_FLT_24_GEN_03_mul_is_the_pica_product)
{
    run_operations(m, "FLT-27", products, sizeof products / sizeof products[0]);
}

static const struct operation_row sums[] = {
    { ADD, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000 }, { ADD, 0xFF800000, 0x7F800000, 0x7FC00000, 0x7FC00000 },
    { ADD, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000 }, { ADD, 0x3F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000 },
    { ADD, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000 }, { ADD, 0x80000000, 0x80000000, 0x80000000, 0x00000000 },
    { ADD, 0x00000000, 0x80000000, 0x00000000, 0x00000000 }, { ADD, 0x3F800000, 0xBF800000, 0x00000000, 0x00000000 },
    { ADD, 0x3F800000, 0x33800000, 0x3F800000, 0x3F800000 }, { ADD, 0x3F800000, 0x33800001, 0x3F800001, 0x3F800000 },
    { ADD, 0x3F800001, 0x33800000, 0x3F800002, 0x3F800000 }, { ADD, 0x3F800000, 0x37000000, 0x3F800040, 0x3F800000 },
    { ADD, 0x3F800000, 0x37000080, 0x3F800040, 0x3F800000 }, { ADD, 0x3F800000, 0x37400000, 0x3F800060, 0x3F800080 },
    { ADD, 0x3F800080, 0x37000000, 0x3F8000C0, 0x3F800100 }, { ADD, 0x7F7FFFFF, 0x73000000, 0x7F800000, 0x7F800000 },
    { ADD, 0x7F7FFFFF, 0x72FFFFFF, 0x7F7FFFFF, 0x7F800000 }, { ADD, 0x5F7FFF80, 0x56800000, 0x5F7FFFC0, 0x7F800000 },
    { ADD, 0x00000001, 0x00000001, 0x00000002, 0x00000000 }, { ADD, 0x20800000, 0xA0FFFF80, 0xA07FFF00, 0x00000000 },
    { ADD, 0x4B800000, 0x3F800000, 0x4B800000, 0x4B800000 }, { ADD, 0xC1200000, 0x40A00000, 0xC0A00000, 0xC0A00000 },
    { ADD, 0x80000001, 0x00000001, 0x00000000, 0x00000000 },
};

EACH_MACHINE(number, FLT_27_FLT_24_GEN_01_add_rounds_to_nearest_even_and_keeps_subnormals)
{
    run_operations(m, "FLT-27", sums, sizeof sums / sizeof sums[0]);
}

static const struct operation_row floors[] = {
    { FLR, 0x00000000, 0x00000000, 0x00000000, 0x00000000 }, { FLR, 0x80000000, 0x00000000, 0x80000000, 0x00000000 },
    { FLR, 0x7F800000, 0x00000000, 0x7F800000, 0x7F800000 }, { FLR, 0xFF800000, 0x00000000, 0xFF800000, 0xFF800000 },
    { FLR, 0x7FC00000, 0x00000000, 0x7FC00000, 0x7FC00000 }, { FLR, 0x3F800000, 0x00000000, 0x3F800000, 0x3F800000 },
    { FLR, 0x3FFFFFFF, 0x00000000, 0x3F800000, 0x40000000 }, { FLR, 0xBF800000, 0x00000000, 0xBF800000, 0xBF800000 },
    { FLR, 0xBF800001, 0x00000000, 0xC0000000, 0xBF800000 }, { FLR, 0xBF000000, 0x00000000, 0xBF800000, 0xBF800000 },
    { FLR, 0x3F000000, 0x00000000, 0x00000000, 0x00000000 }, { FLR, 0xB3800000, 0x00000000, 0xBF800000, 0xBF800000 },
    { FLR, 0x80000001, 0x00000000, 0xBF800000, 0x00000000 }, { FLR, 0x00000001, 0x00000000, 0x00000000, 0x00000000 },
    { FLR, 0x4B000001, 0x00000000, 0x4B000001, 0x4B000000 }, { FLR, 0xCB000001, 0x00000000, 0xCB000001, 0xCB000000 },
    { FLR, 0x4AFFFFFF, 0x00000000, 0x4AFFFFFE, 0x4B000000 }, { FLR, 0xCAFFFFFF, 0x00000000, 0xCB000000, 0xCB000000 },
    { FLR, 0x461C4200, 0x00000000, 0x461C4000, 0x461C4000 }, { FLR, 0xC61C4200, 0x00000000, 0xC61C4400, 0xC61C4400 },
    { FLR, 0x49742408, 0x00000000, 0x49742400, 0x49742400 }, { FLR, 0x7F7FFFFF, 0x00000000, 0x7F7FFFFF, 0x7F800000 },
};

EACH_MACHINE(number, FLT_27_flr_is_the_largest_integer_not_above)
{
    run_operations(m, "FLT-27", floors, sizeof floors / sizeof floors[0]);
}

static const struct operation_row reciprocals[] = {
    { RCP, 0x00000000, 0x00000000, 0x7F800000, 0x7F800000 }, { RCP, 0x80000000, 0x00000000, 0x7F800000, 0x7F800000 },
    { RCP, 0x7F800000, 0x00000000, 0x00000000, 0x00000000 }, { RCP, 0xFF800000, 0x00000000, 0x80000000, 0x00000000 },
    { RCP, 0x7FC00000, 0x00000000, 0x7FC00000, 0x7FC00000 }, { RCP, 0x3F800000, 0x00000000, 0x3F800000, 0x3F800000 },
    { RCP, 0xBF800000, 0x00000000, 0xBF800000, 0xBF800000 }, { RCP, 0x40400000, 0x00000000, 0x3EAAAAAB, 0x3EAAAA80 },
    { RCP, 0x3DCCCCCD, 0x00000000, 0x41200000, 0x41200000 }, { RCP, 0x40000000, 0x00000000, 0x3F000000, 0x3F000000 },
    { RCP, 0x7F000000, 0x00000000, 0x00400000, 0x00000000 }, { RCP, 0x7E800001, 0x00000000, 0x007FFFFF, 0x00000000 },
    { RCP, 0x00400000, 0x00000000, 0x7F000000, 0x7F800000 }, { RCP, 0x00000001, 0x00000000, 0x7F800000, 0x7F800000 },
    { RCP, 0x80000001, 0x00000000, 0xFF800000, 0x7F800000 }, { RCP, 0x20800000, 0x00000000, 0x5E800000, 0x5E800000 },
    { RCP, 0x5F7FFF80, 0x00000000, 0x1F800040, 0x00000000 }, { RCP, 0xC0E00000, 0x00000000, 0xBE124925, 0xBE124900 },
    { RSQ, 0x00000000, 0x00000000, 0x7F800000, 0x7F800000 }, { RSQ, 0x80000000, 0x00000000, 0x7F800000, 0x7F800000 },
    { RSQ, 0x7F800000, 0x00000000, 0x00000000, 0x00000000 }, { RSQ, 0xFF800000, 0x00000000, 0x7FC00000, 0x7FC00000 },
    { RSQ, 0x7FC00000, 0x00000000, 0x7FC00000, 0x7FC00000 }, { RSQ, 0xC0000000, 0x00000000, 0x7FC00000, 0x7FC00000 },
    { RSQ, 0x80000001, 0x00000000, 0x7FC00000, 0x7F800000 }, { RSQ, 0x3F800000, 0x00000000, 0x3F800000, 0x3F800000 },
    { RSQ, 0x40800000, 0x00000000, 0x3F000000, 0x3F000000 }, { RSQ, 0x40000000, 0x00000000, 0x3F3504F3, 0x3F350500 },
    { RSQ, 0x40400000, 0x00000000, 0x3F13CD3A, 0x3F13CD00 }, { RSQ, 0x3E800000, 0x00000000, 0x40000000, 0x40000000 },
    { RSQ, 0x00000001, 0x00000000, 0x64B504F3, 0x7F800000 }, { RSQ, 0x20800000, 0x00000000, 0x4F000000, 0x4F000000 },
    { RSQ, 0x5F7FFF80, 0x00000000, 0x2F800020, 0x2F800000 }, { RSQ, 0x40A00000, 0x00000000, 0x3EE4F92E, 0x3EE4F900 },
    { RSQ, 0x41100000, 0x00000000, 0x3EAAAAAB, 0x3EAAAA80 }, { RSQ, 0x7F7FFFFF, 0x00000000, 0x1F800001, 0x00000000 },
};

EACH_MACHINE(number, FLT_25_FLT_24_FLT_27_rcp_and_rsq)
{
    run_operations(m, "FLT-25", reciprocals, sizeof reciprocals / sizeof reciprocals[0]);
}

static const struct operation_row powers[] = {
    { EX2, 0x00000000, 0x00000000, 0x3F800000, 0x3F800000 }, { EX2, 0x80000000, 0x00000000, 0x3F800000, 0x3F800000 },
    { EX2, 0x7F800000, 0x00000000, 0x7F800000, 0x7F800000 }, { EX2, 0xFF800000, 0x00000000, 0x00000000, 0x00000000 },
    { EX2, 0x7FC00000, 0x00000000, 0x7FC00000, 0x7FC00000 }, { EX2, 0x3F800000, 0x00000000, 0x40000000, 0x40000000 },
    { EX2, 0xBF800000, 0x00000000, 0x3F000000, 0x3F000000 }, { EX2, 0x40C00000, 0x00000000, 0x42800000, 0x42800000 },
    { EX2, 0xC4480000, 0x00000000, 0x00000000, 0x00000000 }, { EX2, 0x44480000, 0x00000000, 0x7F800000, 0x7F800000 },
    { EX2, 0x42FE0000, 0x00000000, 0x7F000000, 0x7F800000 }, { EX2, 0x42FFFFFF, 0x00000000, 0x7F7FFFA7, 0x7F800000 },
    { EX2, 0x43000000, 0x00000000, 0x7F800000, 0x7F800000 }, { EX2, 0xC3150000, 0x00000000, 0x00000001, 0x00000000 },
    { EX2, 0xC3160000, 0x00000000, 0x00000000, 0x00000000 }, { EX2, 0xC315FFFF, 0x00000000, 0x00000001, 0x00000000 },
    { EX2, 0xC3158000, 0x00000000, 0x00000001, 0x00000000 }, { EX2, 0xC3158001, 0x00000000, 0x00000001, 0x00000000 },
    { EX2, 0xC3157FFF, 0x00000000, 0x00000001, 0x00000000 }, { EX2, 0xC3140000, 0x00000000, 0x00000002, 0x00000000 },
    { EX2, 0xC2FC0000, 0x00000000, 0x00800000, 0x00000000 }, { EX2, 0xC2FC0001, 0x00000000, 0x007FFFD4, 0x00000000 },
    { EX2, 0x3F000000, 0x00000000, 0x3FB504F3, 0x3FB50500 }, { EX2, 0xBF000000, 0x00000000, 0x3F3504F3, 0x3F350500 },
    { EX2, 0x3EAAAAAB, 0x00000000, 0x3FA14518, 0x3FA14500 }, { EX2, 0x3B429D37, 0x00000000, 0x3F804385, 0x3F804380 },
    { EX2, 0xBCF3A937, 0x00000000, 0x3F7AC6B1, 0x3F7AC680 }, { EX2, 0x33000000, 0x00000000, 0x3F800000, 0x3F800000 },
    { EX2, 0xB3800001, 0x00000000, 0x3F7FFFFF, 0x3F800000 }, { EX2, 0x00000001, 0x00000000, 0x3F800000, 0x3F800000 },
    { EX2, 0x3DCCCCCD, 0x00000000, 0x3F892FDF, 0x3F893000 }, { EX2, 0x42F70000, 0x00000000, 0x7D3504F3, 0x7F800000 },
    { EX2, 0x427E0000, 0x00000000, 0x5F3504F3, 0x5F350500 }, { EX2, 0x42800000, 0x00000000, 0x5F800000, 0x7F800000 },
    { EX2, 0xC2780000, 0x00000000, 0x20800000, 0x20800000 }, { EX2, 0xC27C0000, 0x00000000, 0x20000000, 0x00000000 },
    { EX2, 0xC2800000, 0x00000000, 0x1F800000, 0x00000000 }, { EX2, 0x40490FDB, 0x00000000, 0x410D331D, 0x410D3380 },
    { EX2, 0xC1234567, 0x00000000, 0x3A5E2CEF, 0x3A5E2C00 },
};

EACH_MACHINE(number, FLT_30_ex2_is_correctly_rounded)
{
    run_operations(m, "FLT-30", powers, sizeof powers / sizeof powers[0]);
}

/* By 60 digits 2^x is less than 10^-5 units from the middle between two f32 numbers: below, above, above, below. */
static const struct operation_row hard_powers[] = {
    { EX2, 0x3EFD2A8A, 0x00000000, 0x3FB45381, 0x3FB45380 },
    { EX2, 0x3EFF0EE0, 0x00000000, 0x3FB4C9E6, 0x3FB4CA00 },
    { EX2, 0x3EFB3CC3, 0x00000000, 0x3FB3DB1F, 0x3FB3DB00 },
    { EX2, 0x3EFC85EE, 0x00000000, 0x3FB42B56, 0x3FB42B80 },
};

EACH_MACHINE(number, FLT_30_ex2_is_correctly_rounded_near_the_middle)
{
    run_operations(m, "FLT-30", hard_powers, sizeof hard_powers / sizeof hard_powers[0]);
}

static const struct operation_row logarithms[] = {
    { LG2, 0x00000000, 0x00000000, 0xFF800000, 0xFF800000 }, { LG2, 0x80000000, 0x00000000, 0xFF800000, 0xFF800000 },
    { LG2, 0x7F800000, 0x00000000, 0x7F800000, 0x7F800000 }, { LG2, 0xFF800000, 0x00000000, 0x7FC00000, 0x7FC00000 },
    { LG2, 0x7FC00000, 0x00000000, 0x7FC00000, 0x7FC00000 }, { LG2, 0x3F800000, 0x00000000, 0x00000000, 0x00000000 },
    { LG2, 0xBF800000, 0x00000000, 0x7FC00000, 0x7FC00000 }, { LG2, 0x40800000, 0x00000000, 0x40000000, 0x40000000 },
    { LG2, 0x42800000, 0x00000000, 0x40C00000, 0x40C00000 }, { LG2, 0x3F000000, 0x00000000, 0xBF800000, 0xBF800000 },
    { LG2, 0x00000001, 0x00000000, 0xC3150000, 0xFF800000 }, { LG2, 0x00000003, 0x00000000, 0xC3136A40, 0xFF800000 },
    { LG2, 0x00800000, 0x00000000, 0xC2FC0000, 0xFF800000 }, { LG2, 0x7F7FFFFF, 0x00000000, 0x43000000, 0x7F800000 },
    { LG2, 0x3F7FFFFF, 0x00000000, 0xB3B8AA3C, 0x00000000 }, { LG2, 0x3F800001, 0x00000000, 0x3438AA3A, 0x00000000 },
    { LG2, 0x40400000, 0x00000000, 0x3FCAE00D, 0x3FCAE000 }, { LG2, 0x3DCCCCCD, 0x00000000, 0xC0549A78, 0xC0549A80 },
    { LG2, 0x41200000, 0x00000000, 0x40549A78, 0x40549A80 }, { LG2, 0x3FB504F3, 0x00000000, 0x3EFFFFFF, 0x3F000000 },
    { LG2, 0x3FB504F4, 0x00000000, 0x3F000002, 0x3F000000 }, { LG2, 0x3FB504F2, 0x00000000, 0x3EFFFFFB, 0x3F000000 },
    { LG2, 0x20800000, 0x00000000, 0xC2780000, 0xC2780000 }, { LG2, 0x5F7FFF80, 0x00000000, 0x427FFFFD, 0x42800000 },
    { LG2, 0x80000001, 0x00000000, 0x7FC00000, 0xFF800000 }, { LG2, 0x40490FDB, 0x00000000, 0x3FD3643A, 0x3FD36480 },
    { LG2, 0x3EAAAAAB, 0x00000000, 0xBFCAE00D, 0xBFCAE000 },
};

EACH_MACHINE(number, FLT_31_lg2_is_correctly_rounded)
{
    run_operations(m, "FLT-31", logarithms, sizeof logarithms / sizeof logarithms[0]);
}

/* max: a > b ? a : b; min: a < b ? a : b; SGE, SLT by IEEE comparison. f24 inputs are all representable. */
static const struct operation_row selections[] = {
    { MAX, 0x00000000, 0x7FC00000, 0x7FC00000, 0x7FC00000 }, /* FLT-24: max(0,NaN) = NaN */
    { MAX, 0x7FC00000, 0x00000000, 0x00000000, 0x00000000 },
    { MIN, 0x00000000, 0x7FC00000, 0x7FC00000, 0x7FC00000 },
    { MIN, 0x7FC00000, 0x00000000, 0x00000000, 0x00000000 },
    { MAX, 0x00000000, 0xFF800000, 0x00000000, 0x00000000 }, /* FLT-26 */
    { MAX, 0xFF800000, 0x00000000, 0x00000000, 0x00000000 },
    { MAX, 0x3F800000, 0x40000000, 0x40000000, 0x40000000 },
    { MAX, 0x40000000, 0x3F800000, 0x40000000, 0x40000000 },
    { MIN, 0x3F800000, 0x40000000, 0x3F800000, 0x3F800000 },
    { MIN, 0xBF800000, 0xC0000000, 0xC0000000, 0xC0000000 },
    { MIN, 0x7F800000, 0x3F800000, 0x3F800000, 0x3F800000 },
    { MAX, 0x00000000, 0x80000000, 0x80000000, 0x00000000 }, /* equal: the second operand */
    { MAX, 0x80000000, 0x00000000, 0x00000000, 0x00000000 },
    { MIN, 0x00000000, 0x80000000, 0x80000000, 0x00000000 },
    { MIN, 0x80000000, 0x00000000, 0x00000000, 0x00000000 },
    { MAX, 0x00000001, 0x00000000, 0x00000001, 0x00000000 },
    { MIN, 0x80000001, 0x00000000, 0x80000001, 0x00000000 },
    { SGE, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000 },
    { SGE, 0x3F800000, 0x40000000, 0x00000000, 0x00000000 },
    { SGE, 0x80000000, 0x00000000, 0x3F800000, 0x3F800000 },
    { SGE, 0x00000000, 0x80000000, 0x3F800000, 0x3F800000 },
    { SGE, 0x7FC00000, 0x7FC00000, 0x00000000, 0x00000000 },
    { SGE, 0x3F800000, 0x7FC00000, 0x00000000, 0x00000000 },
    { SGE, 0x7F800000, 0x7F800000, 0x3F800000, 0x3F800000 },
    { SGE, 0xFF800000, 0x7F800000, 0x00000000, 0x00000000 },
    { SGE, 0x00000000, 0x00000001, 0x00000000, 0x3F800000 },
    { SLT, 0x3F800000, 0x3F800000, 0x00000000, 0x00000000 },
    { SLT, 0x3F800000, 0x3F800001, 0x3F800000, 0x00000000 },
    { SLT, 0x3F800000, 0x3F800080, 0x3F800000, 0x3F800000 },
    { SLT, 0x80000000, 0x00000000, 0x00000000, 0x00000000 },
    { SLT, 0x7FC00000, 0x3F800000, 0x00000000, 0x00000000 },
    { SLT, 0x3F800000, 0x7FC00000, 0x00000000, 0x00000000 },
    { SLT, 0xFF800000, 0x7F800000, 0x3F800000, 0x3F800000 },
    { SLT, 0x00000000, 0x00000001, 0x3F800000, 0x00000000 },
};

EACH_MACHINE(number, FLT_24_FLT_26_FLT_27_max_min_and_comparisons)
{
    run_operations(m, "FLT-24", selections, sizeof selections / sizeof selections[0]);
}

/* FLT-26: MAX compares and selects, also where its second operand is -infinity; that is no event. */
EACH_MACHINE(number, FLT_26_max_of_minus_infinity_is_the_greater_operand_in_each_component)
{
    static const uint32_t others[] = { 0x00000000, 0xFF7FFF80, 0xFF800000, 0x7F800000 };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (uint32_t c = 0; c < 4; c++) {
            machine_row(m, "%08X, component %u", (unsigned)others[i], (unsigned)c);
            /* one input register an instruction: two-inputs is an event of SHD-24 */
            const uint32_t code[3] = { op1(PICA_OPCODE_MOV, DST_R, SRC_V + 1, SRC_V, 0),
                                       op1(MAX, DST_O, SRC_V, SRC_R, 0), op0(PICA_OPCODE_END) };
            struct shader_run run = { .code = code, .code_count = 3 };
            run.inputs[0][c] = others[i];
            run.inputs[1][c] = 0xFF800000;
            shader_run(m, &run);
            EXPECT_EQ(m, "FLT-26", shader_output(m, 0).bits[c], others[i]);
            EXPECT_NO_EVENTS(m, "FLT-26");
        }
}

/* FLT-25, a console too (H02): whichever zero RCP makes of -infinity, RSQ makes +infinity of it and LG2 -infinity. */
EACH_MACHINE(number, FLT_25_no_operation_shows_the_sign_of_a_reciprocal_that_is_zero)
{
    static const struct {
        uint32_t operation, result;
    } rows[] = { { RSQ, 0x7F800000 }, { RCP, 0x7F800000 }, { LG2, 0xFF800000 } };
    for (uint32_t i = 0; i < 6; i++) {
        machine_load_profile(m, i < 3u ? PICA_PROFILE_F32 : PICA_PROFILE_F24);
        machine_case(m, "f%d, opcode %02X", i < 3u ? 32 : 24, (unsigned)rows[i % 3u].operation);
        const uint32_t code[3] = { op1(RCP, DST_R, SRC_V, SRC_V, 0),
                                   op1(rows[i % 3u].operation, DST_O, SRC_R, SRC_V, 0), op0(PICA_OPCODE_END) };
        const uint32_t a = 0xFF800000, result = rows[i % 3u].result;
        const struct shader_run run = { .code = code, .code_count = 3, .inputs = { { a, a, a, a } } };
        shader_run(m, &run);
        const struct pica_vector out = shader_output(m, 0);
        EXPECT_VECTOR(m, "FLT-25", out, result, result, result, result);
    }
}

/*
 * FLT-22, FLT-24, profile f24: c0 = float24 subnormal 0x000001 (f32 18800000), c1 = 0x800001. What flushes and what
 * not.
 */
EACH_MACHINE(number, FLT_22_FLT_24_arithmetic_flushes_subnormals_in_f24_and_moves_do_not)
{
    static const struct {
        const char *what;
        uint32_t opcode, source, expected;
        const char *source_text;
    } rows[] = {
        { "mov", PICA_OPCODE_MOV, SRC_C, 0x18800000, "xyzw" },
        { "mov -", PICA_OPCODE_MOV, SRC_C, 0x98800000, "-xyzw" },
        { "max with 0", MAX, SRC_C, 0x18800000, "xyzw" },
        { "min with 0", MIN, SRC_C + 1, 0x98800000, "xyzw" },
        { "sge -subnormal, 0", SGE, SRC_C + 1, 0x00000000, "xyzw" },
        { "slt -subnormal, 0", SLT, SRC_C + 1, 0x3F800000, "xyzw" },
        { "add 0", ADD, SRC_C, 0x00000000, "xyzw" },
        { "mul 0", MUL, SRC_C, 0x00000000, "xyzw" },
        { "flr", FLR, SRC_C + 1, 0x00000000, "xyzw" },
        { "rcp", RCP, SRC_C, 0x7F800000, "xyzw" },
        { "rcp -", RCP, SRC_C + 1, 0x7F800000, "xyzw" },
        { "rsq", RSQ, SRC_C, 0x7F800000, "xyzw" },
        { "rsq -", RSQ, SRC_C + 1, 0x7F800000, "xyzw" },
        { "ex2", EX2, SRC_C, 0x3F800000, "xyzw" },
        { "lg2", LG2, SRC_C, 0xFF800000, "xyzw" },
    };
    machine_load_profile(m, PICA_PROFILE_F24);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "%s", rows[i].what);
        const uint32_t code[2] = { op1(rows[i].opcode, DST_O, rows[i].source, SRC_V, 0), op0(0x22) };
        const uint32_t descriptors[1] = { descriptor("xyzw", rows[i].source_text, "xyzw", "xyzw") };
        struct list setup = { .count = 0 };
        uint32_t words[3];
        list_write(&setup, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0);
        float24_words(0x000001, 0x000001, 0x000001, 0x000001, words);
        list_write_many(&setup, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, words, 3);
        float24_words(0x800001, 0x800001, 0x800001, 0x800001, words);
        list_write_many(&setup, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, words, 3);
        const struct shader_run run = {
            .code = code, .code_count = 2, .descriptors = descriptors, .descriptor_count = 1, .setup = &setup
        };
        shader_run(m, &run);
        const uint32_t e = rows[i].expected;
        const struct pica_vector out = shader_output(m, 0);
        EXPECT_VECTOR(m, "FLT-22", out, e, e, e, e);
    }
}

/* neg flips bit 31 in both profiles, also of 0 and without R24 afterwards: MOV o0, -v0. */
EACH_MACHINE(number, FLT_27_negation_flips_the_sign_bit_of_zero_too)
{
    const uint32_t code[2] = { op1(PICA_OPCODE_MOV, DST_O, SRC_V, SRC_V, 0), op0(0x22) };
    const uint32_t descriptors[1] = { descriptor("xyzw", "-xyzw", "xyzw", "xyzw") };
    for (int profile = 0; profile < 2; profile++) {
        machine_load_profile(m, profile == 0 ? PICA_PROFILE_F32 : PICA_PROFILE_F24);
        machine_case(m, "profile %d", profile);
        const struct shader_run run = { .code = code,
                                        .code_count = 2,
                                        .descriptors = descriptors,
                                        .descriptor_count = 1,
                                        .inputs = { { 0, 0x7FC00000, 0xFF800000, 0x3F800000 } } };
        shader_run(m, &run);
        const struct pica_vector out = shader_output(m, 0);
        EXPECT_VECTOR(m, "FLT-27", out, 0x80000000, 0x7FC00000, 0x7F800000, 0xBF800000);
    }
}

/*
 * GEN-01: MAD and DP4 are not fused. a = 1 + 2^-12: a*a = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11, so a*a - (1 + 2^-11)
 * is 0 (fused: 2^-24).
 */
EACH_MACHINE(number, GEN_01_each_operator_rounds_there_is_no_fused_multiply_add)
{
    const uint32_t a = 0x3F800800;
    const uint32_t minus = 0xBF801000;
    const uint32_t code[4] = { op_mad(DST_O, SRC_V, SRC_V, SRC_V + 1, 0),
                               op1(PICA_OPCODE_DP4, DST_O + 1, SRC_V + 2, SRC_V + 3, 0),
                               op_madi(DST_O + 2, SRC_V, SRC_V, SRC_V + 1, 0), op0(0x22) };
    const struct shader_run run = {
        .code = code,
        .code_count = 4,
        .outputs = 3,
        .inputs = { { a, a, a, a }, { minus, minus, minus, minus }, { minus, a, 0, 0 }, { 0x3F800000, a, 0, 0 } }
    };
    shader_run(m, &run);
    for (uint32_t k = 0; k < 3; k++) {
        machine_case(m, "output %u", (unsigned)k);
        const struct pica_vector out = shader_output(m, k);
        EXPECT_VECTOR(m, "GEN-01", out, 0, 0, 0, 0);
    }
}

/* MAD, DP3, DP4 and DPH of v0, v1 (, v2) round every product and every sum (FLT-27): in f32 once, in f24 twice. */
EACH_MACHINE(number, FLT_27_FLT_03_compound_operations_round_every_step)
{
    static const uint32_t inputs[3][4] = { { 0x3F800080, 0x3F8A3D80, 0xBF99FF80, 0x41234580 },
                                           { 0x3F800080, 0x40490F80, 0x3EAAAA80, 0xBD4CCD00 },
                                           { 0x37000000, 0x3F800080, 0xC0000080, 0x3C23D700 } };
    static const uint32_t mad[2][4] = { { 0x3F800140, 0x408C92C8, 0xC019AB0F, 0xBF000EC5 },
                                        { 0x3F800100, 0x408C9300, 0xC019AB00, 0xBF000E80 } };
    static const uint32_t dots[2][3] = { { 0x407F7B41, 0x405ED3B9, 0x407C480D },
                                         { 0x407F7B80, 0x405ED400, 0x407C4880 } };
    const uint32_t code[] = { op_mad(DST_O, SRC_V, SRC_V + 1, SRC_V + 2, 0),
                              op1(PICA_OPCODE_DP3, DST_O + 1, SRC_V, SRC_V + 1, 0),
                              op1(PICA_OPCODE_DP4, DST_O + 2, SRC_V, SRC_V + 1, 0),
                              op1(PICA_OPCODE_DPH, DST_O + 3, SRC_V, SRC_V + 1, 0), op0(PICA_OPCODE_END) };
    for (int profile = 0; profile < 2; profile++) {
        machine_load_profile(m, profile == 0 ? PICA_PROFILE_F32 : PICA_PROFILE_F24);
        machine_case(m, "f%d", profile == 0 ? 32 : 24);
        struct shader_run run = { .code = code, .code_count = 5, .outputs = 4 };
        memcpy(run.inputs, inputs, sizeof inputs);
        shader_run(m, &run);
        const struct pica_vector sum = shader_output(m, 0);
        EXPECT_VECTOR(m, "FLT-27", sum, mad[profile][0], mad[profile][1], mad[profile][2], mad[profile][3]);
        for (uint32_t k = 0; k < 3; k++)
            EXPECT_EQ(m, "FLT-27", shader_output(m, 1 + k).bits[1], dots[profile][k]);
    }
}
