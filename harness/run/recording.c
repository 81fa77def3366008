/* Reads recorded results. Everything is checked when the file is opened, but for what a step unpacks to. */
#include "harness/run/recording.h"

#include "harness/case/formats.h"
#include "harness/run/recording_format.h"
#include "harness/run/recording_parts.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Walks over the blocks. */
struct cursor {
    const char *name;
    const uint8_t *bytes;
    size_t size, at;
    struct harness_error *error;
};

struct block {
    enum recording_kind kind;
    const uint8_t *payload;
    uint32_t size;
    size_t offset; /* in the file */
};

static enum harness_status bad(const struct cursor *cursor, size_t offset, const char *what)
{
    return harness_fail(cursor->error, HARNESS_BAD_INPUT, "%s: offset %zu: %s", cursor->name, offset, what);
}

static enum harness_status next_block(struct cursor *cursor, struct block *out)
{
    const size_t left = cursor->size - cursor->at;
    const uint8_t *const head = cursor->bytes + cursor->at;
    if (left < RECORDING_BLOCK)
        return bad(cursor, cursor->at, "the file is cut: a block begins here or the block LAST is missing");
    *out = (struct block){ (enum recording_kind)recording_get32(head), head + RECORDING_BLOCK,
                           recording_get32(head + 4), cursor->at };
    if (out->size > left - RECORDING_BLOCK)
        return bad(cursor, cursor->at, "the file is cut: this block goes beyond its end");
    if (crc32(0, out->payload, out->size) != recording_get32(head + 8))
        return bad(cursor, cursor->at, "this block is damaged: its CRC-32 does not match");
    cursor->at += RECORDING_BLOCK + out->size;
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------------- head */

/* Takes `size` bytes of a block, or NULL. */
static const uint8_t *take(struct block *block, size_t size)
{
    if (block->size < size)
        return NULL;
    const uint8_t *const bytes = block->payload;
    block->payload += size;
    block->size -= (uint32_t)size;
    return bytes;
}

static bool take32(struct block *block, uint32_t *out)
{
    const uint8_t *const bytes = take(block, 4);
    if (bytes != NULL)
        *out = recording_get32(bytes);
    return bytes != NULL;
}

static bool take64(struct block *block, uint64_t *out)
{
    const uint8_t *const bytes = take(block, 8);
    if (bytes != NULL)
        *out = recording_get64(bytes);
    return bytes != NULL;
}

static bool take_all64(struct block *block, uint64_t *out, size_t count)
{
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = take64(block, &out[i]);
    return good;
}

static bool take_text(struct block *block, char out[HARNESS_RECORDING_TEXT])
{
    uint32_t size = 0;
    if (!take32(block, &size) || size >= HARNESS_RECORDING_TEXT)
        return false;
    const uint8_t *const bytes = take(block, size);
    if (bytes == NULL || memchr(bytes, 0, size) != NULL)
        return false;
    memcpy(out, bytes, size);
    out[size] = '\0';
    return true;
}

static bool take_scope(struct block *block, struct oracle_scope *out)
{
    out->some_pages = false;
    out->lines = UINT64_MAX; /* not in the file: no backend declares less */
    return take32(block, &out->parts) && (out->parts & ~(uint32_t)PICA_PARTS_ALL) == 0 &&
           take_all64(block, out->registers, sizeof out->registers / sizeof out->registers[0]) &&
           take_all64(block, out->engines, sizeof out->engines / sizeof out->engines[0]) &&
           take64(block, &out->lcd_fill);
}

static enum harness_status read_head(struct harness_recording *recording, struct cursor *cursor)
{
    struct harness_recording_head *const head = &recording->head;
    struct block block;
    uint32_t version = 0;
    if (cursor->size < RECORDING_MAGIC || memcmp(cursor->bytes, recording_magic, RECORDING_MAGIC) != 0)
        return bad(cursor, 0, "no recorded results: they begin with PICARES1");
    cursor->at = RECORDING_MAGIC;
    const enum harness_status status = next_block(cursor, &block);
    if (status != HARNESS_OK)
        return status;
    if (block.kind != RECORDING_HEAD || !take32(&block, &version))
        return bad(cursor, block.offset, "the first block is not HEAD");
    if (version < 1 || version > HARNESS_RECORDING_VERSION)
        return harness_fail(cursor->error, HARNESS_BAD_INPUT,
                            "%s: offset %zu: version %u; this program reads versions 1 to %d: record it again",
                            cursor->name, block.offset + RECORDING_BLOCK, (unsigned)version, HARNESS_RECORDING_VERSION);
    if (!take32(&block, &head->budgets) || !take32(&block, &head->float24) || head->float24 > 1 ||
        !take_scope(&block, &head->scope) || !take_text(&block, head->backend) || !take_text(&block, head->program) ||
        !take_text(&block, head->date) || block.size != 0)
        return bad(cursor, block.offset, "HEAD does not hold what its version says");
    head->scope.some_pages = version == RECORDING_SOME_PAGES || version == RECORDING_BOTH;
    head->has_screens = version >= RECORDING_SCREENS;
    return HARNESS_OK;
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

static bool grow(void **items, size_t count, size_t size)
{
    if (count != 0 && (count & (count - 1)) != 0)
        return true; /* room up to the next power of two */
    void *const more = realloc(*items, (count == 0 ? 1 : 2 * count) * size);
    if (more != NULL)
        *items = more;
    return more != NULL;
}

static enum harness_status begin_case(struct harness_recording *recording, const struct cursor *cursor,
                                      const struct block *block)
{
    if (memchr(block->payload, 0, block->size) != NULL)
        return bad(cursor, block->offset, "the name in CASE holds a 0 byte");
    recording->cases_begun++;
    return HARNESS_OK;
}

/* FACT, once, before all cases. */
static enum harness_status read_facts(struct harness_recording *recording, const struct cursor *cursor,
                                      const struct block *block)
{
    if (recording->cases_begun != 0 || recording->has_facts || block->size == 0 ||
        block->size >= HARNESS_RECORDING_FACTS || memchr(block->payload, 0, block->size) != NULL)
        return bad(cursor, block->offset, "FACT is not text, too long, or not where it belongs");
    recording->has_facts = true;
    return HARNESS_OK;
}

/* DATA or NONE. */
static enum harness_status read_data(struct harness_recording *recording, const struct cursor *cursor,
                                     const struct block *block)
{
    const bool is_none = block->kind == RECORDING_NONE;
    if (block->size < RECORDING_STEP || (is_none && block->size != RECORDING_STEP))
        return bad(cursor, block->offset, is_none ? "NONE is not 20 bytes" : "DATA is too short");
    struct recording_step step = { .history = { recording_get64(block->payload), recording_get64(block->payload + 8) },
                                   .raw = recording_get32(block->payload + 16),
                                   .deflated = block->payload + RECORDING_STEP,
                                   .size = block->size - RECORDING_STEP,
                                   .offset = block->offset };
    if (is_none) {
        step.absence = (enum harness_absence)step.raw;
        if (step.raw < HARNESS_ABSENCE_HANG || step.raw > HARNESS_ABSENCE_UNSUPPORTED)
            return bad(cursor, block->offset + RECORDING_BLOCK + RECORDING_STEP - 4, "NONE without a known reason");
    }
    if (step.raw > RECORDING_MOST_RAW)
        return bad(cursor, block->offset, "DATA unpacks to more than 256 MiB");
    void *steps = recording->steps;
    const bool good = grow(&steps, recording->step_count, sizeof *recording->steps);
    recording->steps = steps;
    if (!good)
        return harness_fail_memory(cursor->error);
    recording->steps[recording->step_count++] = step;
    return HARNESS_OK;
}

/* Cases lie one after the other: CASE, DATA ..., DONE. One that is not done died on the way: its next CASE is in the
 * same place. */
static enum harness_status read_blocks(struct harness_recording *recording, struct cursor *cursor)
{
    struct block block = { .kind = RECORDING_DONE };
    bool open = false;
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && block.kind != RECORDING_LAST) {
        status = next_block(cursor, &block);
        if (status != HARNESS_OK)
            return status;
        const bool is_step = block.kind == RECORDING_DATA || block.kind == RECORDING_NONE;
        if ((is_step || block.kind == RECORDING_DONE) && !open)
            return bad(cursor, block.offset, "DATA, NONE or DONE before a CASE");
        if (block.kind == RECORDING_CASE)
            status = begin_case(recording, cursor, &block);
        else if (block.kind == RECORDING_FACT)
            status = read_facts(recording, cursor, &block);
        else if (is_step)
            status = read_data(recording, cursor, &block);
        else if (block.kind == RECORDING_DONE)
            recording->cases_done++;
        else if (block.kind != RECORDING_LAST)
            return bad(cursor, block.offset, "a block of unknown kind");
        open = block.kind == RECORDING_CASE || is_step;
    }
    return status == HARNESS_OK && cursor->at != cursor->size ? bad(cursor, cursor->at, "bytes after the block LAST")
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
    struct cursor cursor = { name, bytes, size, 0, error };
    struct harness_recording *const recording = calloc(1, sizeof *recording);
    if (recording == NULL)
        return harness_fail_memory(error);
    enum harness_status status = read_head(recording, &cursor);
    if (status == HARNESS_OK)
        status = read_blocks(recording, &cursor);
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
