/* Reads recorded results. Everything is checked when the file is opened, but for what a step unpacks to. */
#include "harness/run/recording.h"

#include "harness/case/formats.h"
#include "harness/case/grow.h"
#include "harness/case/little.h"
#include "harness/run/recording_format.h"
#include "harness/run/recording_parts.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------------- head */

static bool take_all64(struct harness_blocks *blocks, uint64_t *out, size_t count)
{
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = harness_take64(blocks, &out[i]);
    return good;
}

static bool take_scope(struct harness_blocks *blocks, struct oracle_scope *out)
{
    out->some_pages = false;
    out->lines = UINT64_MAX; /* not in the file: no backend declares less */
    return harness_take32(blocks, &out->parts) && (out->parts & ~(uint32_t)PICA_PARTS_ALL) == 0 &&
           take_all64(blocks, out->registers, sizeof out->registers / sizeof out->registers[0]) &&
           take_all64(blocks, out->engines, sizeof out->engines / sizeof out->engines[0]) &&
           harness_take64(blocks, &out->lcd_fill);
}

static enum harness_status read_head(struct harness_recording *recording, struct harness_blocks *blocks)
{
    struct harness_recording_head *const head = &recording->head;
    uint32_t kind = 0, version = 0;
    if (blocks->size < RECORDING_MAGIC || memcmp(blocks->bytes, recording_magic, RECORDING_MAGIC) != 0)
        return harness_blocks_bad(blocks, 0, "no recorded results: they begin with PICARES1");
    blocks->at = RECORDING_MAGIC;
    const enum harness_status status = harness_blocks_next(blocks, &kind);
    if (status != HARNESS_OK)
        return status;
    if (kind != RECORDING_HEAD || !harness_take32(blocks, &version))
        return harness_blocks_bad(blocks, RECORDING_MAGIC, "the first block is not HEAD");
    if (version < 1 || version > HARNESS_RECORDING_VERSION)
        return harness_fail(blocks->error, HARNESS_BAD_INPUT,
                            "%s: offset %zu: version %u; this program reads versions 1 to %d: record it again",
                            blocks->name, blocks->at - 4, (unsigned)version, HARNESS_RECORDING_VERSION);
    if (!harness_take32(blocks, &head->budgets) || !harness_take32(blocks, &head->float24) || head->float24 > 1 ||
        !take_scope(blocks, &head->scope) || !harness_take_text(blocks, head->backend) ||
        !harness_take_text(blocks, head->program) || !harness_take_text(blocks, head->date) ||
        blocks->at != blocks->end)
        return harness_blocks_bad(blocks, RECORDING_MAGIC, "HEAD does not hold what its version says");
    head->scope.some_pages = version == RECORDING_SOME_PAGES || version == RECORDING_BOTH;
    head->has_screens = version >= RECORDING_SCREENS;
    return HARNESS_OK;
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

/* The rest of the block. */
static const uint8_t *take_rest(struct harness_blocks *blocks, size_t *size)
{
    *size = blocks->end - blocks->at;
    return harness_take(blocks, *size);
}

static enum harness_status begin_case(struct harness_recording *recording, struct harness_blocks *blocks, size_t offset)
{
    size_t size = 0;
    const uint8_t *const name = take_rest(blocks, &size);
    if (memchr(name, 0, size) != NULL)
        return harness_blocks_bad(blocks, offset, "the name in CASE holds a 0 byte");
    recording->cases_begun++;
    return HARNESS_OK;
}

/* FACT, once, before all cases. */
static enum harness_status read_facts(struct harness_recording *recording, struct harness_blocks *blocks, size_t offset)
{
    size_t size = 0;
    const uint8_t *const facts = take_rest(blocks, &size);
    if (recording->cases_begun != 0 || recording->has_facts || size == 0 || size >= HARNESS_RECORDING_FACTS ||
        memchr(facts, 0, size) != NULL)
        return harness_blocks_bad(blocks, offset, "FACT is not text, too long, or not where it belongs");
    recording->has_facts = true;
    return HARNESS_OK;
}

/* DATA or NONE. */
static enum harness_status read_data(struct harness_recording *recording, struct harness_blocks *blocks, size_t offset,
                                     bool is_none)
{
    size_t size = 0;
    const uint8_t *const payload = take_rest(blocks, &size);
    if (size < RECORDING_STEP || (is_none && size != RECORDING_STEP))
        return harness_blocks_bad(blocks, offset, is_none ? "NONE is not 20 bytes" : "DATA is too short");
    struct recording_step step = { .history = { harness_load64(payload), harness_load64(payload + 8) },
                                   .raw = harness_load32(payload + 16),
                                   .deflated = payload + RECORDING_STEP,
                                   .size = (uint32_t)size - RECORDING_STEP,
                                   .offset = offset };
    if (is_none) {
        const uint32_t why = step.raw & ((1u << RECORDING_CODE_SHIFT) - 1u);
        step.absence = (enum harness_absence)why;
        step.code = step.raw >> RECORDING_CODE_SHIFT;
        if (why < HARNESS_ABSENCE_HANG || why > HARNESS_ABSENCE_HUNG ||
            (step.code != 0 && why != HARNESS_ABSENCE_CRASH))
            return harness_blocks_bad(blocks, blocks->end - 4, "NONE without a known reason");
    }
    if (step.raw > RECORDING_MOST_RAW)
        return harness_blocks_bad(blocks, offset, "DATA unpacks to more than 256 MiB");
    struct recording_step *const steps = harness_grow(recording->steps, recording->step_count, sizeof *steps);
    if (steps == NULL)
        return harness_fail_memory(blocks->error);
    recording->steps = steps;
    recording->steps[recording->step_count++] = step;
    return HARNESS_OK;
}

/* Cases lie one after the other: CASE, DATA ..., DONE. One that is not done died on the way: its next CASE is in the
 * same place. What DONE and LAST hold is nothing, or left for later versions. */
static enum harness_status read_blocks(struct harness_recording *recording, struct harness_blocks *blocks)
{
    uint32_t kind = RECORDING_DONE;
    bool open = false;
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && kind != RECORDING_LAST) {
        const size_t offset = blocks->at;
        status = harness_blocks_next(blocks, &kind);
        if (status != HARNESS_OK)
            return status;
        const bool is_step = kind == RECORDING_DATA || kind == RECORDING_NONE;
        if ((is_step || kind == RECORDING_DONE) && !open)
            return harness_blocks_bad(blocks, offset, "DATA, NONE or DONE before a CASE");
        if (kind == RECORDING_CASE)
            status = begin_case(recording, blocks, offset);
        else if (kind == RECORDING_FACT)
            status = read_facts(recording, blocks, offset);
        else if (is_step)
            status = read_data(recording, blocks, offset, kind == RECORDING_NONE);
        else if (kind == RECORDING_DONE)
            recording->cases_done++;
        else if (kind != RECORDING_LAST)
            return harness_blocks_bad(blocks, offset, "a block of unknown kind");
        blocks->at = blocks->end;
        open = kind == RECORDING_CASE || is_step;
    }
    return status == HARNESS_OK && blocks->at != blocks->size
               ? harness_blocks_bad(blocks, blocks->at, "bytes after the block LAST")
               : status;
}

static int order_steps(const void *a, const void *b)
{
    const struct recording_step *const first = a, *const second = b;
    return harness_history_order(&first->history, &second->history);
}

enum harness_status harness_recording_parse(const char *name, const uint8_t *bytes, size_t size,
                                            struct harness_recording **out, struct harness_error *error)
{
    *out = NULL;
    struct harness_blocks blocks = { .name = name, .bytes = bytes, .size = size, .error = error, .advice = "" };
    struct harness_recording *const recording = calloc(1, sizeof *recording);
    if (recording == NULL)
        return harness_fail_memory(error);
    enum harness_status status = read_head(recording, &blocks);
    if (status == HARNESS_OK)
        status = read_blocks(recording, &blocks);
    if (status != HARNESS_OK) {
        harness_recording_close(recording);
        return status;
    }
    if (recording->step_count != 0)
        qsort(recording->steps, recording->step_count, sizeof *recording->steps, order_steps);
    recording_make_backend(recording);
    *out = recording;
    return HARNESS_OK;
}

enum harness_status harness_recording_open(const char *path, struct harness_recording **out,
                                           struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    *out = NULL;
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status == HARNESS_OK)
        status = harness_recording_parse(path, bytes, size, out, error);
    if (status == HARNESS_OK)
        (*out)->file = bytes;
    else
        free(bytes);
    return status;
}

void harness_recording_close(struct harness_recording *recording)
{
    if (recording == NULL)
        return;
    free(recording->steps);
    free(recording->file);
    free(recording);
}

size_t harness_recording_cases(const struct pica_backend *backend)
{
    return ((const struct harness_recording *)backend)->cases_done;
}

const struct recording_step *recording_find(const struct harness_recording *recording,
                                            const struct harness_history *history)
{
    const struct recording_step key = { .history = *history };
    return recording->step_count == 0
               ? NULL
               : bsearch(&key, recording->steps, recording->step_count, sizeof *recording->steps, order_steps);
}
