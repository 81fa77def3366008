#include "harness/console/results.h"

#include "harness/case/grow.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    MOST_RECORD = 1 << 20 /* bytes of a payload; the largest there is are pages */
};

/* Walks over the file. */
struct cursor {
    const uint8_t *bytes;
    size_t size, at;
    struct harness_error *error;
};

static enum harness_status bad(const struct console_results *results, const struct cursor *cursor, const char *what)
{
    return harness_fail(cursor->error, HARNESS_BAD_INPUT, "%s: offset %zu: %s", results->name, cursor->at, what);
}

const char *console_model(const struct console_about *about)
{
    if (about->hardware == 0)
        return "unknown model";
    return (about->hardware & 4u) != 0 ? "New 3DS or New 2DS" : "Old 3DS or 2DS";
}

const char *console_run_status_name(uint32_t status)
{
    static const char *const names[CONSOLE_RUN_STATUSES] = { [CONSOLE_RUN_OK] = "ok",
                                                             [CONSOLE_RUN_HANG] = "hang",
                                                             [CONSOLE_RUN_INTERRUPTED] = "interrupted",
                                                             [CONSOLE_RUN_POWER] = "power cut",
                                                             [CONSOLE_RUN_SKIPPED] = "skipped",
                                                             [CONSOLE_RUN_REFUSED] = "refused",
                                                             [CONSOLE_RUN_FAILED] = "failed",
                                                             [CONSOLE_RUN_UNREAD] = "nothing came back",
                                                             [CONSOLE_RUN_DIFFERS] = "differs" };
    return status < CONSOLE_RUN_STATUSES ? names[status] : "unknown";
}

const char *console_way_name(uint32_t way)
{
    switch (way % CONSOLE_READ_WAYS) {
    case CONSOLE_READ_DMA: return "DMA";
    case CONSOLE_READ_COPY: return "texture copy";
    case CONSOLE_READ_TRANSFER: return "display transfer";
    default: return "the processor";
    }
}

void console_capabilities_say(uint32_t capabilities, struct harness_text *out)
{
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = { { CONSOLE_CASE_LOADED, "loaded bytes" },
                  { CONSOLE_CASE_FILLED, "fills" },
                  { CONSOLE_CASE_TRANSFERRED, "transfers" },
                  { CONSOLE_CASE_COPIED, "texture copies" },
                  { CONSOLE_CASE_COLOR, "drawn colours" },
                  { CONSOLE_CASE_DEPTH, "drawn depth" },
                  { CONSOLE_CASE_VRAM_LIST, "what lists in VRAM do" },
                  { CONSOLE_CASE_REGISTERS, "registers" } };
    const char *comma = "";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((capabilities & names[i].flag) != 0) {
            harness_text_add(out, comma);
            harness_text_add(out, names[i].name);
            comma = ", ";
        }
}

/* --------------------------------------------------------------------------------------------------------- records */

/* The CRC-32 is over kind, sequence, bytes and the payload. */
static uint32_t crc_of(const struct console_record *record, const uint8_t *payload)
{
    const uint32_t words[3] = { record->kind, record->sequence, record->bytes };
    return (uint32_t)crc32(crc32(0, (const Bytef *)words, sizeof words), payload, record->bytes);
}

/* The record at the cursor, which moves behind it; false if it is not whole, or not the next. */
static bool next_record(struct cursor *cursor, uint32_t sequence, struct console_record_place *out)
{
    struct console_record record;
    const size_t left = cursor->size - cursor->at;
    if (left < sizeof record)
        return false;
    memcpy(&record, cursor->bytes + cursor->at, sizeof record);
    const uint8_t *const payload = cursor->bytes + cursor->at + sizeof record;
    if (record.magic != CONSOLE_RECORD_MAGIC || record.sequence != sequence || record.bytes > MOST_RECORD ||
        record.bytes > left - sizeof record || crc_of(&record, payload) != record.crc)
        return false;
    const size_t padded = sizeof record + (record.bytes + 3u) / 4u * 4u;
    cursor->at += padded < left ? padded : left;
    *out = (struct console_record_place){ record.kind, record.bytes, payload };
    return true;
}

static bool remember(struct console_results *results, const struct console_record_place *record)
{
    struct console_record_place *const records = harness_grow(results->records, results->record_count, sizeof *records);
    if (records == NULL)
        return false;
    results->records = records;
    results->records[results->record_count++] = *record;
    return true;
}

/* ------------------------------------------------------------------------------------------------------ their kinds */

/* Bytes that a record of the kind has at least; UINT32_MAX: unknown. */
static uint32_t least_bytes(uint32_t kind)
{
    switch ((enum console_record_kind)kind) {
    case CONSOLE_RECORD_ABOUT: return sizeof(struct console_about);
    case CONSOLE_RECORD_PAGE: return sizeof(struct console_page);
    case CONSOLE_RECORD_REGISTERS: return sizeof(struct console_register_block);
    case CONSOLE_RECORD_STEP: return sizeof(struct console_step_result);
    case CONSOLE_RECORD_RUN:
    case CONSOLE_RECORD_TEST: return sizeof(struct console_run_result);
    case CONSOLE_RECORD_END: return sizeof(struct console_end);
    case CONSOLE_RECORD_WAY: return sizeof(struct console_way_choice);
    }
    return UINT32_MAX;
}

static enum harness_status take_about(struct console_results *results, const struct console_view *view,
                                      const struct console_record_place *record, const struct cursor *cursor)
{
    struct console_about about;
    memcpy(&about, record->payload, sizeof about);
    if (about.version != CONSOLE_RESULTS_VERSION)
        return bad(results, cursor, "another version of results than this program reads: export and run again");
    if (about.id[0] != view->head.id[0] || about.id[1] != view->head.id[1])
        return bad(results, cursor, "these results are of another export than the .3dsx");
    if (results->starts++ == 0)
        results->about = about;
    return HARNESS_OK;
}

/* RUN: of a run of the table. TEST: of a self-test. */
static enum harness_status take_over(struct console_results *results, const struct console_record_place *record,
                                     const struct cursor *cursor)
{
    struct console_run_result result;
    memcpy(&result, record->payload, sizeof result);
    if (record->kind == CONSOLE_RECORD_TEST) {
        if (result.case_index >= results->test_count || result.pass >= CONSOLE_WAYS)
            return bad(results, cursor, "a TEST record of a self-test or a way that there is not");
        const size_t at = (size_t)result.pass * results->test_count + result.case_index;
        results->tests[at] = result;
        results->tested[at] = true;
        return HARNESS_OK;
    }
    if (result.run >= results->run_count || result.status >= CONSOLE_RUN_STATUSES)
        return bad(results, cursor, "a RUN record of a run or with a status that there is not");
    results->runs[result.run].result = result;
    results->runs[result.run].is_over = true;
    return HARNESS_OK;
}

static enum harness_status take_way(struct console_results *results, const struct console_record_place *record,
                                    const struct cursor *cursor)
{
    memcpy(&results->choice, record->payload, sizeof results->choice);
    if (results->choice.way >= CONSOLE_WAYS)
        return bad(results, cursor, "a WAY record of a way that there is not");
    results->has_choice = true;
    results->missing |= results->choice.missing;
    return HARNESS_OK;
}

/* PAGE, REGISTERS, STEP begin with their run; those of self-tests have the top bit set. */
static void take_run(struct console_results *results, const struct console_record_place *record)
{
    uint32_t run = 0;
    memcpy(&run, record->payload, sizeof run);
    if (run >= results->run_count)
        return;
    struct console_run_records *const records = &results->runs[run];
    if (records->end == 0)
        records->first = results->record_count - 1;
    records->end = results->record_count;
}

static enum harness_status take(struct console_results *results, const struct console_view *view,
                                const struct console_record_place *record, const struct cursor *cursor)
{
    if (record->bytes < least_bytes(record->kind))
        return bad(results, cursor, "a record of unknown kind, or too short for its kind");
    if (results->starts == 0 && record->kind != CONSOLE_RECORD_ABOUT)
        return bad(results, cursor, "the first record is not ABOUT");
    if (!remember(results, record))
        return harness_fail_memory(cursor->error);
    switch ((enum console_record_kind)record->kind) {
    case CONSOLE_RECORD_ABOUT: return take_about(results, view, record, cursor);
    case CONSOLE_RECORD_RUN:
    case CONSOLE_RECORD_TEST: return take_over(results, record, cursor);
    case CONSOLE_RECORD_WAY: return take_way(results, record, cursor);
    case CONSOLE_RECORD_END: results->is_complete = true; break;
    case CONSOLE_RECORD_PAGE:
    case CONSOLE_RECORD_REGISTERS:
    case CONSOLE_RECORD_STEP: take_run(results, record); break;
    }
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------------ file */

static bool make_room(struct console_results *results, const struct console_view *view)
{
    results->run_count = view->head.run_count;
    results->test_count = view->head.self_test_count;
    results->runs = calloc((size_t)results->run_count + 1, sizeof *results->runs);
    results->tests = calloc((size_t)results->test_count * CONSOLE_WAYS + 1, sizeof *results->tests);
    results->tested = calloc((size_t)results->test_count * CONSOLE_WAYS + 1, sizeof *results->tested);
    return results->runs != NULL && results->tests != NULL && results->tested != NULL;
}

enum harness_status console_results_parse(const char *name, const uint8_t *bytes, size_t size,
                                          const struct console_view *view, struct console_results *out,
                                          struct harness_error *error)
{
    struct cursor cursor = { bytes, size, 0, error };
    struct console_record_place record;
    *out = (struct console_results){ .name = name };
    enum harness_status status = make_room(out, view) ? HARNESS_OK : harness_fail_memory(error);
    uint32_t sequence = 0;
    for (; status == HARNESS_OK && next_record(&cursor, sequence, &record); sequence++) {
        status = take(out, view, &record, &cursor);
        out->whole = cursor.at;
    }
    out->is_cut = out->whole != size;
    if (status == HARNESS_OK && sequence == 0)
        status = bad(out, &cursor, "no results of a console: they begin with a record ABOUT");
    if (status != HARNESS_OK)
        console_results_free(out);
    return status;
}

void console_results_free(struct console_results *results)
{
    free(results->records);
    free(results->runs);
    free(results->tests);
    free(results->tested);
    *results = (struct console_results){ .name = results->name };
}

/* ----------------------------------------------------------------------------------------------------------- steps */

bool console_results_step(const struct console_results *results, uint32_t run, uint32_t step,
                          struct console_step_result *out)
{
    const struct console_run_records *const records = &results->runs[run];
    for (size_t i = records->first; i < records->end; i++) {
        if (results->records[i].kind != CONSOLE_RECORD_STEP)
            continue;
        memcpy(out, results->records[i].payload, sizeof *out);
        if (out->run == run && out->step == step)
            return true;
    }
    return false;
}

const uint8_t *console_results_page(const struct console_results *results, uint32_t run, uint32_t step, size_t *at,
                                    uint32_t *address)
{
    for (; *at < results->runs[run].end; (*at)++) {
        const struct console_record_place *const record = &results->records[*at];
        uint32_t head[3];
        if (record->kind != CONSOLE_RECORD_PAGE)
            continue;
        memcpy(head, record->payload, sizeof head);
        if (head[0] != run || head[1] != step)
            continue;
        *address = head[2];
        (*at)++;
        return record->payload + sizeof head;
    }
    return NULL;
}
