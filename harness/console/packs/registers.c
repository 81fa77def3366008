#include "harness/console/packs/registers.h"

#include "harness/case/formats.h"
#include "harness/console/walk.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ID = 0x040, /* below: interrupts, never written */
    BLOCK_IDS = 0x40
};

/* Zeros, ones, and two that tell neighbours apart. */
static const uint32_t patterns[CONSOLE_REGISTER_PATTERNS] = { 0, UINT32_MAX, 0x55555555, 0xAAAAAAAA };

/* ---------------------------------------------------------------------------------------------------------- export */

/* Ids that have no register of their own and may mirror RESTART_PRIMITIVE (REG-06). */
static bool may_restart(uint32_t id)
{
    static const uint16_t ranges[][2] = { { 0x070, 0x07F }, { 0x0FE, 0x0FF }, { 0x127, 0x12F },
                                          { 0x1E0, 0x1FF }, { 0x240, 0x241 }, { 0x246, 0x249 },
                                          { 0x24B, 0x24F }, { 0x258, 0x25D }, { 0x260, 0x27F } };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (id >= ranges[i][0] && id <= ranges[i][1])
            return true;
    return false;
}

const char *console_register_left_out(uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    if (id < FIRST_ID)
        return "interrupts are never written";
    if (id == 0x06C)
        return "reading it hangs (REG-07)";
    if (id == PICA_REG_UNUSED_058)
        return "event reg-0058";
    if (id == PICA_REG_START_DRAW_FUNC0 || id == PICA_REG_GEOSTAGE_CONFIG2)
        return "decides what a list may write (REG-43, REG-44)";
    if (may_restart(id))
        return "event mirror-restart";
    if (console_upper_half(id, 0, 0xF) || id == PICA_REG_DEPTHBUFFER_FORMAT)
        return "some values hang (area HNG)";
    switch (info->reg_class) {
    case PICA_REG_CLASS_CONFIG:
    case PICA_REG_CLASS_INDEX:
    case PICA_REG_CLASS_STORAGE: return NULL;
    case PICA_REG_CLASS_PORT: return "a port: takes a stream of words";
    case PICA_REG_CLASS_TRIGGER:
    case PICA_REG_CLASS_CONFIG_TRIGGER: return "a write starts something";
    case PICA_REG_CLASS_IRQ_REQUEST:
    case PICA_REG_CLASS_CPU_ONLY: break;
    }
    return "interrupts are never written";
}

uint32_t console_register_documented(uint32_t id)
{
    size_t count = 0;
    uint32_t mask = 0;
    const struct pica_field_info *const fields = pica_layout_fields(pica_reg_info(id)->layout, &count);
    for (size_t i = 0; i < count; i++)
        mask |= pica_field_set(&fields[i], 0, UINT32_MAX);
    return mask;
}

static void write_text(uint32_t first, uint32_t pattern, struct harness_text *out)
{
    harness_text_add(out, "pcase 1\nwindow 0x18000000 size 0x2000\nrun 0x18001000 {\n");
    for (uint32_t id = first; id < first + BLOCK_IDS; id++)
        if (console_register_left_out(id) == NULL)
            harness_text_format(out, "    %s = 0x%08" PRIX32 "\n", pica_reg_info(id)->name, pattern);
    harness_text_add(out, "    FINALIZE = 0x12345678\n}\n");
}

static enum harness_status add_case(struct console_export *export, uint32_t first, uint32_t pattern,
                                    struct harness_case *test_case, struct console_answer *answer, char name[32],
                                    struct harness_error *error)
{
    struct harness_text text = { 0 };
    (void)snprintf(name, 32, "registers-%03" PRIX32 "-%08" PRIX32, first, pattern);
    write_text(first, pattern, &text);
    enum harness_status status =
        text.failed ? harness_fail_memory(error)
                    : harness_pcase_read(test_case, harness_text_string(&text), text.size, name, error);
    if (status == HARNESS_OK)
        status = console_export_ask_registers(export, name, test_case, first, BLOCK_IDS, answer, error);
    harness_text_free(&text);
    return status;
}

enum harness_status console_registers_add(struct console_asking *asking, struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(error) : HARNESS_OK;
    for (uint32_t first = FIRST_ID; first < PICA_REG_TOTAL; first += BLOCK_IDS)
        for (size_t i = 0; status == HARNESS_OK && i < CONSOLE_REGISTER_PATTERNS; i++) {
            struct console_answer answer = { .taken = false };
            char name[32];
            status = add_case(asking->export, first, patterns[i], test_case, &answer, name, error);
            if (status == HARNESS_OK)
                console_asking_note(asking, name, &answer);
        }
    harness_case_destroy(test_case);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- results */

/* Which pattern a case wrote; false: it is of no such pack. */
static bool pattern_of(const struct console_view *view, uint32_t case_index, size_t *out)
{
    uint32_t first = 0, pattern = 0;
    if (sscanf(console_view_case_name(view, case_index), "registers-%3" SCNx32 "-%8" SCNx32, &first, &pattern) != 2)
        return false;
    for (*out = 0; *out < CONSOLE_REGISTER_PATTERNS; ++*out)
        if (patterns[*out] == pattern)
            return true;
    return false;
}

static void take_word(struct console_register_row *row, size_t pattern, uint32_t word)
{
    row->is_unstable = row->is_unstable || (row->seen[pattern] && row->words[pattern] != word);
    row->seen[pattern] = true;
    row->words[pattern] = word;
}

/* A block whose words the console really gave: CON-31's canaries are none. */
static void take_block(const struct console_record_place *record, size_t pattern, struct console_register_row *rows)
{
    struct console_register_block block;
    memcpy(&block, record->payload, sizeof block);
    const uint32_t count = (record->bytes - (uint32_t)sizeof block) / 4;
    const uint32_t first = (block.offset - CONSOLE_INTERNAL_REGISTERS) / 4;
    if ((block.result & 0x80000000u) != 0 || block.offset < CONSOLE_INTERNAL_REGISTERS)
        return;
    for (uint32_t i = 0; i < count && first + i < PICA_REG_TOTAL; i++) {
        uint32_t word;
        memcpy(&word, record->payload + sizeof block + 4 * (size_t)i, 4);
        if (word != CONSOLE_CANARY)
            take_word(&rows[first + i], pattern, word);
    }
}

/* A case that ended in a hang: all ids of its block. */
static void take_hang(const struct console_view *view, uint32_t run, struct console_register_row *rows)
{
    uint32_t first = 0;
    const char *const name = console_view_case_name(view, console_view_run(view, run).case_index);
    if (sscanf(name, "registers-%3" SCNx32, &first) != 1)
        return;
    for (uint32_t id = first; id < first + BLOCK_IDS && id < PICA_REG_TOTAL; id++)
        rows[id].hung = true;
}

static void take_results(const struct console_view *view, const struct console_results *results,
                         struct console_register_row *rows)
{
    for (uint32_t run = 0; run < results->run_count; run++) {
        const struct console_run_records *const records = &results->runs[run];
        size_t pattern = 0;
        if (!pattern_of(view, console_view_run(view, run).case_index, &pattern))
            continue;
        if (records->is_over &&
            (records->result.status == CONSOLE_RUN_HANG || records->result.status == CONSOLE_RUN_POWER))
            take_hang(view, run, rows);
        for (size_t i = records->first; i < records->end; i++)
            if (results->records[i].kind == CONSOLE_RECORD_REGISTERS)
                take_block(&results->records[i], pattern, rows);
    }
}

static void judge_words(uint32_t id, struct console_register_row *row)
{
    row->kept = row->ones = UINT32_MAX;
    for (size_t i = 0; i < CONSOLE_REGISTER_PATTERNS; i++) {
        row->kept &= ~(row->words[i] ^ patterns[i]);
        row->ones &= row->words[i];
    }
    row->verdict = row->kept == UINT32_MAX ? CONSOLE_CONFIRMED : CONSOLE_CONTRADICTED;
    const bool is_documented = row->kept == console_register_documented(id) && row->ones == 0;
    (void)snprintf(row->remark, sizeof row->remark, "%s",
                   row->kept == UINT32_MAX ? "all bits are stored"
                   : is_documented         ? "the documented bits are stored, the others are 0"
                                           : "neither all bits nor the documented ones");
}

static void judge_row(uint32_t id, struct console_register_row *row)
{
    const char *const why = console_register_left_out(id);
    bool whole = true;
    for (size_t i = 0; i < CONSOLE_REGISTER_PATTERNS; i++)
        whole = whole && row->seen[i];
    if (why == NULL && whole && !row->is_unstable) {
        judge_words(id, row);
        return;
    }
    row->verdict = why != NULL        ? CONSOLE_NOT_COVERED
                   : row->is_unstable ? CONSOLE_UNSTABLE
                   : row->hung        ? CONSOLE_HUNG
                                      : CONSOLE_NOT_COVERED;
    (void)snprintf(row->remark, sizeof row->remark, "%s",
                   why != NULL        ? why
                   : row->is_unstable ? "two results"
                   : row->hung        ? "a case of its block hung"
                                      : "did not come back for every pattern");
}

enum harness_status console_registers_judge(const struct console_view *view, const struct console_results *results,
                                            size_t count, struct console_registers_table *out,
                                            struct harness_error *error)
{
    size_t pattern = 0;
    *out = (struct console_registers_table){ .rows = calloc(PICA_REG_TOTAL, sizeof *out->rows) };
    if (out->rows == NULL)
        return harness_fail_memory(error);
    for (uint32_t i = view->head.self_test_count; i < view->head.case_count; i++)
        out->cases += pattern_of(view, i, &pattern);
    for (size_t i = 0; i < count; i++)
        take_results(view, &results[i], out->rows);
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        judge_row(id, &out->rows[id]);
    return HARNESS_OK;
}

void console_registers_free(struct console_registers_table *table)
{
    free(table->rows);
    table->rows = NULL;
}
