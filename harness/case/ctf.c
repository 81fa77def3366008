/* CiTrace recordings (spec 90, first half) -> cases. */
#include "harness/case/formats.h"
#include "harness/case/import.h"
#include "harness/case/little.h"
#include "harness/case/numbers.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <stdio.h>
#include <string.h>

enum {
    HEADER_SIZE = 100,
    BLOBS = 10,
    ELEMENT_SIZE = 20,
    ELEMENT_FRAME = 0xE1,
    ELEMENT_LOAD = 0xE2,
    ELEMENT_WRITE = 0xE3,
    VERSION = 1,
    MOST_SHADER_WORDS = 4096 /* CAP-05 */
};

enum blob {
    BLOB_GPU_REGISTERS = 0,
    BLOB_LCD_REGISTERS = 1,
    BLOB_PICA_REGISTERS = 2,
    BLOB_DEFAULT_ATTRIBUTES = 3,
    BLOB_VS_PROGRAM = 4,
    BLOB_VS_SWIZZLE = 5,
    BLOB_VS_UNIFORMS = 6,
    BLOB_GS_PROGRAM = 7,
    BLOB_GS_SWIZZLE = 8,
    BLOB_GS_UNIFORMS = 9
};

/* Words that must be there if any are; 0 = any number. */
static const struct {
    const char *name;
    uint32_t expected;
} blob_table[BLOBS] = { { "gpu_registers", 0x1000 },      { "lcd_registers", 0 },     { "pica_registers", 0x300 },
                        { "default_attributes", 16 * 4 }, { "vs_program_binary", 0 }, { "vs_swizzle_data", 0 },
                        { "vs_float_uniforms", 96 * 4 },  { "gs_program_binary", 0 }, { "gs_swizzle_data", 0 },
                        { "gs_float_uniforms", 96 * 4 } };

struct blob_view {
    const uint8_t *bytes;
    uint32_t words; /* 0: not recorded */
};

/* CAP-05, CAP-07: inside the file, and empty or at least as long as expected. */
static enum harness_status find_blob(const struct harness_import *import, enum blob blob, struct blob_view *view)
{
    const uint64_t place = 12 + 8 * (uint64_t)blob;
    const uint32_t offset = harness_load32(import->bytes + place);
    const uint32_t words = harness_load32(import->bytes + place + 4);
    char what[96];
    *view = (struct blob_view){ NULL, 0 };
    if (words == 0)
        return HARNESS_OK;
    (void)snprintf(what, sizeof what, "%s inside the file", blob_table[blob].name);
    if ((uint64_t)offset + 4 * (uint64_t)words > import->size)
        return harness_import_fail(import, place, what, "offset 0x%X and 0x%X words in 0x%llX bytes", offset, words,
                                   (unsigned long long)import->size);
    (void)snprintf(what, sizeof what, "%s of 0 or at least 0x%X words", blob_table[blob].name,
                   blob_table[blob].expected);
    if (words < blob_table[blob].expected)
        return harness_import_fail(import, place + 4, what, "0x%X", words);
    *view = (struct blob_view){ import->bytes + offset, words };
    return HARNESS_OK;
}

/* CAP-08: elements of the part that the blob lacks keep their reset values. */
static void give_words(struct harness_state *state, enum pica_state_part part, const struct blob_view *view,
                       uint32_t most)
{
    if (view->words == 0)
        return;
    state->given |= (uint64_t)1 << part;
    for (uint32_t i = 0; i < harness_parts[part].count && i < view->words && i < most; i++)
        harness_part_set(&state->values, part, i, harness_load32(view->bytes + 4 * (size_t)i));
}

/* CAP-04: vectors of float24 words; w was never written by the recorder. */
static void give_vectors(struct harness_state *state, enum pica_state_part part, const struct blob_view *view)
{
    const uint32_t one = harness_float_raw(HARNESS_FLOAT32, 1.0);
    if (view->words == 0)
        return;
    state->given |= (uint64_t)1 << part;
    for (uint32_t i = 0; i < harness_parts[part].count; i++) {
        const uint32_t raw = harness_load32(view->bytes + 4 * (size_t)i) & 0xFFFFFFu;
        harness_part_set(&state->values, part, i, i % 4 == 3 ? one : harness_float24_to_f32(raw));
    }
}

/* CAP-02: the two words of PDC-07, if the file has them. */
static void give_lcd(struct harness_state *state, const struct blob_view *view)
{
    static const uint32_t lcd_base = 0x10202000;
    const uint32_t words[2] = { (PICA_LCD_FILL_TOP_ADDRESS - lcd_base) / 4,
                                (PICA_LCD_FILL_BOTTOM_ADDRESS - lcd_base) / 4 };
    for (uint32_t i = 0; i < 2; i++)
        if (words[i] < view->words) {
            state->given |= (uint64_t)1 << PICA_STATE_LCD_FILL;
            state->values.lcd_fill[i] = harness_load32(view->bytes + 4 * (size_t)words[i]);
        }
}

/* CAP-03, CAP-06, CAP-08 */
static enum harness_status read_state(struct harness_import *import)
{
    struct blob_view views[BLOBS];
    bool recorded = false;
    for (uint32_t i = 0; i < BLOBS; i++) {
        const enum harness_status status = find_blob(import, (enum blob)i, &views[i]);
        if (status != HARNESS_OK)
            return status;
        recorded = recorded || views[i].words != 0;
    }
    if (!recorded)
        return HARNESS_OK;
    struct harness_state *const state = harness_case_state(import->test_case);
    if (state == NULL)
        return harness_fail_memory(import->error);
    give_words(state, PICA_STATE_EXTERNAL, &views[BLOB_GPU_REGISTERS], PICA_EXTERNAL_WORDS);
    give_lcd(state, &views[BLOB_LCD_REGISTERS]);
    give_words(state, PICA_STATE_REGISTERS, &views[BLOB_PICA_REGISTERS], PICA_REGISTERS);
    give_vectors(state, PICA_STATE_FIXED, &views[BLOB_DEFAULT_ATTRIBUTES]);
    give_words(state, PICA_STATE_VERTEX_CODE, &views[BLOB_VS_PROGRAM], MOST_SHADER_WORDS);
    give_words(state, PICA_STATE_VERTEX_OPDESCS, &views[BLOB_VS_SWIZZLE], MOST_SHADER_WORDS);
    give_vectors(state, PICA_STATE_VERTEX_UNIFORMS, &views[BLOB_VS_UNIFORMS]);
    give_words(state, PICA_STATE_GEOMETRY_CODE, &views[BLOB_GS_PROGRAM], MOST_SHADER_WORDS);
    give_words(state, PICA_STATE_GEOMETRY_OPDESCS, &views[BLOB_GS_SWIZZLE], MOST_SHADER_WORDS);
    give_vectors(state, PICA_STATE_GEOMETRY_UNIFORMS, &views[BLOB_GS_UNIFORMS]);
    harness_state_normalise(state);
    return HARNESS_OK;
}

/* --------------------------------------------------------------------------------------------------------- stream */

/* CAP-01, CAP-07 */
static enum harness_status read_load(struct harness_import *import, uint64_t place)
{
    const uint8_t *const element = import->bytes + place;
    const uint32_t offset = harness_load32(element + 4);
    const uint32_t size = harness_load32(element + 8);
    if ((uint64_t)offset + size > import->size)
        return harness_import_fail(import, place + 4, "a memory load inside the file",
                                   "offset 0x%X and size 0x%X in 0x%llX bytes", offset, size,
                                   (unsigned long long)import->size);
    return harness_import_load(import, harness_load32(element + 12), import->bytes + offset, size);
}

/* The value of the write `back` operations before the end, if it goes to that internal register. */
static bool written(const struct harness_case *test_case, uint32_t back, enum pica_reg reg, uint32_t *value)
{
    if (test_case->operation_count < back)
        return false;
    const struct harness_operation *const write = &test_case->operations[test_case->operation_count - back];
    *value = write->words[0];
    return write->kind == HARNESS_WRITE && write->address == PICA_INTERNAL_ADDRESS + 4u * (uint32_t)reg;
}

/* EXT-CMD-14: size, address and start of channel 0, in this order, are one submit. */
static bool is_submit(const struct harness_case *test_case, uint32_t address, uint32_t value, uint32_t *list,
                      uint32_t *size)
{
    uint32_t raw_size;
    uint32_t raw_address;
    if (address != PICA_INTERNAL_ADDRESS + 4u * (uint32_t)PICA_REG_CMDBUF_JUMP0 || value != 1 ||
        !written(test_case, 2, PICA_REG_CMDBUF_SIZE0, &raw_size) ||
        !written(test_case, 1, PICA_REG_CMDBUF_ADDR0, &raw_address) || (raw_size | raw_address) >= 0x20000000u)
        return false;
    *list = raw_address << 3;
    *size = raw_size << 3;
    return true;
}

static bool is_known(uint32_t address)
{
    return (address >= PICA_EXTERNAL_ADDRESS && address < PICA_INTERNAL_ADDRESS + 0x1000) ||
           address == PICA_LCD_FILL_TOP_ADDRESS || address == PICA_LCD_FILL_BOTTOM_ADDRESS;
}

/* CAP-02 */
static enum harness_status read_write(struct harness_import *import, uint64_t place)
{
    const uint32_t address = harness_load32(import->bytes + place + 4);
    const uint32_t value = harness_load32(import->bytes + place + 8);
    struct harness_case *const test_case = import->test_case;
    uint32_t list;
    uint32_t size;
    if (!is_known(address))
        return HARNESS_OK;
    if (is_submit(test_case, address, value, &list, &size)) {
        /* Removes the two writes; the loads before them belong to the list's group again. */
        harness_case_remove(test_case, test_case->operation_count - 2, 2);
        import->group = test_case->operation_count;
        while (import->group > 0 && test_case->operations[import->group - 1].kind == HARNESS_LOAD)
            import->group--;
        return harness_import_submit(import, list, size);
    }
    const struct harness_operation write = { .kind = HARNESS_WRITE, .address = address, .words = { value } };
    return harness_import_add(import, &write);
}

static enum harness_status read_stream(struct harness_import *import)
{
    const uint64_t offset = harness_load32(import->bytes + 92);
    const uint64_t count = harness_load32(import->bytes + 96);
    if (offset + count * ELEMENT_SIZE > import->size)
        return harness_import_fail(import, 92, "a stream inside the file", "offset 0x%llX and %llu elements",
                                   (unsigned long long)offset, (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t place = offset + i * ELEMENT_SIZE;
        const uint32_t type = harness_load32(import->bytes + place);
        enum harness_status status;
        if (type == ELEMENT_FRAME)
            status = harness_import_note(import, "frame");
        else if (type == ELEMENT_LOAD)
            status = read_load(import, place);
        else if (type == ELEMENT_WRITE)
            status = read_write(import, place);
        else
            status = harness_import_fail(import, place, "element type 0xE1, 0xE2 or 0xE3", "0x%X", type);
        if (status != HARNESS_OK)
            return status;
    }
    return HARNESS_OK;
}

static enum harness_status read_file(struct harness_import *import)
{
    if (import->size < HEADER_SIZE)
        return harness_import_fail(import, 0, "a header of 100 bytes", "a file of %llu bytes",
                                   (unsigned long long)import->size);
    if (memcmp(import->bytes, "CiTr", 4) != 0)
        return harness_import_fail(import, 0, "the magic CiTr", "other bytes");
    const uint32_t version = harness_load32(import->bytes + 4);
    const uint32_t header = harness_load32(import->bytes + 8);
    if (version != VERSION)
        return harness_import_fail(import, 4, "version 1", "%u", version);
    if (header < HEADER_SIZE || header > import->size)
        return harness_import_fail(import, 8, "a header size from 100 to the size of the file", "%u", header);
    enum harness_status status = read_state(import);
    if (status == HARNESS_OK)
        status = read_stream(import);
    return status == HARNESS_OK ? harness_import_finish(import) : status;
}

enum harness_status harness_ctf_read(struct harness_case *out, const uint8_t *bytes, size_t size, const char *name,
                                     struct harness_text *warnings, struct harness_error *error)
{
    struct harness_import import = { .bytes = bytes, .size = size, .name = name, .error = error, .warnings = warnings };
    harness_import_start(&import, out);
    const enum harness_status status = read_file(&import);
    if (status != HARNESS_OK)
        harness_case_reset(out);
    return status;
}
