#define _POSIX_C_SOURCE 200809L

#include "tests/console_host/bench.h"

#include "harness/case/formats.h"
#include "harness/console/program.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const char bench_fill[] = "pcase 1\n"
                          "window 0x18000000 size 0x2000\n"
                          "fill 0 {\n"
                          "    FILL0_START { address = 0x18000000 }\n"
                          "    FILL0_END { address = 0x18001000 }\n"
                          "    FILL0_VALUE = 0x44332211\n"
                          "    FILL0_CTRL { start = 1, width = 32-bit }\n"
                          "}\n"
                          "fill 1 {\n"
                          "    FILL1_START { address = 0x18001000 }\n"
                          "    FILL1_END { address = 0x18002000 }\n"
                          "    FILL1_VALUE = 1\n"
                          "    FILL1_CTRL { start = 1, width = 32-bit }\n"
                          "}\n";

const char bench_triangle[] =
    "pcase 1\n"
    "window 0x18000000 size 0x4000\n"
    "memory 0x18002000 table f32*2 {\n    -1 -1\n    1 -1\n    -1 1\n}\n"
    "run 0x18003000 {\n"
    "    COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
    "    COLORBUFFER_LOC { address = 0x18000000 }\n"
    "    FRAMEBUFFER_DIM { width = 16, height_minus_1 = 15, top_row_first = 1 }\n"
    "    COLORBUFFER_WRITE { enable = 0xF }\n"
    "    VIEWPORT_WIDTH { half_size = 8.0 }\n"
    "    VIEWPORT_HEIGHT { half_size = 8.0 }\n"
    "    LOGIC_OP { operation = copy }\n"
    "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
    "    ATTRIBBUFFERS_LOC { base = 0x18002000 }\n"
    "    ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 1 }\n"
    "    ATTRIBBUFFERS_FORMAT_HIGH = 0\n"
    "    ATTRIBBUFFER0_CONFIG1 { component0 = attribute0 }\n"
    "    ATTRIBBUFFER0_CONFIG2 { stride = 8, count = 1 }\n"
    "    VSH_INPUTBUFFER_CONFIG { unit_use = 0xA0 }\n"
    "    VSH_OUTMAP_MASK { outputs = 0x1 }\n"
    "    SH_OUTMAP_TOTAL { total = 1 }\n"
    "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
    "    shader vertex {\n        mov o0, v0\n        end\n    }\n"
    "    TEXENV5_SOURCE { rgb_source0 = constant, alpha_source0 = constant }\n"
    "    TEXENV5_COLOR { red = 255, alpha = 255 }\n"
    "    START_DRAW_FUNC0 { mode = draw }\n"
    "    NUMVERTICES { count = 3 }\n"
    "    DRAWARRAYS = 1\n"
    "    FINALIZE = 0x12345678\n"
    "}\n";

struct harness_case *bench_case(const char *text)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_not_null(test_case);
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "text", &error), HARNESS_OK, "%s", error.message);
    return test_case;
}

static struct console_answer ask(struct console_export *export, const char *name, const char *text)
{
    struct harness_error error = { "" };
    struct console_answer answer;
    struct harness_case *const test_case = bench_case(text);
    cr_assert_eq(console_export_ask(export, name, test_case, &answer, &error), HARNESS_OK, "%s", error.message);
    harness_case_destroy(test_case);
    return answer;
}

char *bench_ask(const char *text, bool may_hang, const char **suspect)
{
    struct harness_error error = { "" };
    struct console_export *export = NULL;
    cr_assert_eq(console_export_create("bench", may_hang, &export, &error), HARNESS_OK, "%s", error.message);
    struct console_answer answer = ask(export, "case", text);
    char *const reasons = strdup(harness_text_string(&answer.reasons));
    cr_assert_eq(answer.taken, reasons[0] == '\0');
    if (suspect != NULL)
        *suspect = answer.suspect;
    harness_text_free(&answer.reasons);
    console_export_destroy(export);
    return reasons;
}

/* ------------------------------------------------------------------------------------------------------------ file */

static void put32(struct harness_text *out, uint32_t value)
{
    const uint8_t bytes[4] = { (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24) };
    harness_text_bytes(out, bytes, sizeof bytes);
}

/* Code 0x1000 bytes of image, rodata 0x1000, so data begins at 0x2000. Data words 0 and 2-3 are relocated. */
void bench_program(struct harness_text *out)
{
    static const uint32_t words[] = {
        0x58534433, 0x00080020, 0,      0,      8, 4, 20, 4, /* header: code 8, rodata 4, data 20 of which 4 bss */
        0,          0,          0,      0,      2, 0,        /* relocations: data has 2 absolute entries */
        0xEAFFFFFE, 0xE1A00000,                              /* code */
        0xDEADBEEF,                                          /* rodata */
        0x1000,     0x2000,     0x2004, 0x0004, /* data: rodata; a number that looks like an address; itself; code */
        0x00010000, 0x00020001,                 /* skip 0 patch 1; skip 1 patch 2 */
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        put32(out, words[i]);
}

void bench_open(struct bench *bench)
{
    struct harness_error error = { "" };
    struct console_export *export = NULL;
    struct harness_text program = { 0 };
    const uint8_t *payload = NULL;
    size_t size = 0;
    bench->file = (struct harness_text){ 0 };
    bench_program(&program);
    cr_assert_eq(console_export_create("bench", false, &export, &error), HARNESS_OK, "%s", error.message);
    cr_assert(ask(export, "fill", bench_fill).taken);
    cr_assert(ask(export, "triangle", bench_triangle).taken);
    cr_assert_eq(console_export_make(export, (const uint8_t *)program.data, program.size, &bench->file, &error),
                 HARNESS_OK, "%s", error.message);
    cr_assert_eq(
        console_program_payload("file", (const uint8_t *)bench->file.data, bench->file.size, &payload, &size, &error),
        HARNESS_OK, "%s", error.message);
    cr_assert_eq(console_view_open("file", payload, size, &bench->view, &error), HARNESS_OK, "%s", error.message);
    console_export_destroy(export);
    harness_text_free(&program);
}

void bench_close(struct bench *bench)
{
    harness_text_free(&bench->file);
}

/* --------------------------------------------------------------------------------------------------------- results */

void bench_record(struct bench_results *results, uint32_t kind, const void *payload, size_t size)
{
    const uint32_t head[3] = { kind, results->sequence++, (uint32_t)size };
    const uLong crc = crc32(crc32(0, (const Bytef *)head, sizeof head), payload, (uInt)size);
    put32(&results->bytes, CONSOLE_RECORD_MAGIC);
    for (size_t i = 0; i < 3; i++)
        put32(&results->bytes, head[i]);
    put32(&results->bytes, (uint32_t)crc);
    harness_text_bytes(&results->bytes, payload, size);
}

void bench_about(struct bench_results *results, const struct bench *bench)
{
    const struct console_about about = { .version = CONSOLE_RESULTS_VERSION,
                                         .id = { bench->view.head.id[0], bench->view.head.id[1] },
                                         .hardware = 4,
                                         .luma_version = 0x0D040000,
                                         .name = "bench" };
    bench_record(results, CONSOLE_RECORD_ABOUT, &about, sizeof about);
}

void bench_stranger(struct bench_results *results, const struct bench *bench)
{
    const struct console_about about = { .version = CONSOLE_RESULTS_VERSION,
                                         .id = { bench->view.head.id[0], bench->view.head.id[1] },
                                         .flags = CONSOLE_ABOUT_NO_REGISTERS,
                                         .name = "bench" };
    bench_record(results, CONSOLE_RECORD_ABOUT, &about, sizeof about);
}

void bench_way(struct bench_results *results, uint32_t missing)
{
    const struct console_way_choice choice = { CONSOLE_READ_COPY, CONSOLE_CASE_CAPABILITIES & ~missing, missing, 2 };
    bench_record(results, CONSOLE_RECORD_WAY, &choice, sizeof choice);
}

void bench_unread(struct bench_results *results, uint32_t run, uint32_t step, uint32_t address)
{
    const struct console_step_result result = { run, step, 0, 0, 1, { address, address + CONSOLE_PAGE } };
    bench_record(results, CONSOLE_RECORD_STEP, &result, sizeof result);
}

void bench_step(struct bench_results *results, uint32_t run, uint32_t step, uint32_t pages, uint8_t byte, bool is_first)
{
    struct console_page page = { run, step, 0x18000000, { 0 } };
    struct console_step_result result = { run, step, pages, 0, 0, { 0, 0 } };
    memset(page.bytes, byte, sizeof page.bytes);
    for (uint32_t i = 0; i < pages; i++, page.address += CONSOLE_PAGE) {
        const uLong crc = crc32(result.crc, (const Bytef *)&page.address, 4);
        result.crc = (uint32_t)crc32(crc, (const Bytef *)page.bytes, sizeof page.bytes);
        if (is_first)
            bench_record(results, CONSOLE_RECORD_PAGE, &page, sizeof page);
    }
    bench_record(results, CONSOLE_RECORD_STEP, &result, sizeof result);
}

void bench_over(struct bench_results *results, uint32_t run, uint32_t status)
{
    const struct console_run_result result = { .run = run, .status = status };
    bench_record(results, CONSOLE_RECORD_RUN, &result, sizeof result);
}
