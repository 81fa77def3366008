/* Writes recorded results. A step holds the pages and words that changed since the step before. */
#include "harness/case/little.h"
#include "harness/case/state.h"
#include "harness/case/text.h"
#include "harness/run/history.h"
#include "harness/run/image.h"
#include "harness/run/recording.h"
#include "harness/run/recording_format.h"
#include "oracles/scope.h"
#include "oracles/screens.h"
#include "pica/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct harness_recorder {
    FILE *file;
    char *path;
    struct harness_history history;
    const struct pica_setup *setup;
    uint8_t *image; /* of the step before */
    size_t image_size;
    struct pica_state state; /* the same */
    bool keeps_some;         /* of memory the pages that meet these: */
    struct pica_window *kept;
    uint32_t kept_count;
    bool has_screens;
    uint32_t shown;                   /* of the step before: bit enum oracle_screen */
    uint8_t *screens[ORACLE_SCREENS]; /* the same; NULL until there was one */
    struct harness_text raw, block;
};

static enum harness_status write_failed(const char *path, struct harness_error *error)
{
    return harness_fail(error, HARNESS_HOST, "%s: cannot be written: %s", path, strerror(errno));
}

static enum harness_status write_block(FILE *file, const char *path, enum recording_kind kind,
                                       const struct harness_text *payload, struct harness_error *error)
{
    struct harness_text block = { 0 };
    harness_put_block(&block, (uint32_t)kind, payload);
    const enum harness_status status = block.failed ? harness_fail_memory(error)
                                       : fwrite(block.data, 1, block.size, file) == block.size
                                           ? HARNESS_OK
                                           : write_failed(path, error);
    harness_text_free(&block);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- head */

static void put_scope(struct harness_text *out, const struct oracle_scope *scope)
{
    uint32_t parts = scope->parts & ~(uint32_t)PICA_PART_SCREENS; /* of which the version tells */
    for (uint32_t line = 0; line < PICA_STATE_PARTS; line++)
        if ((scope->lines >> line & 1u) == 0) /* there is no room for halves */
            parts &= ~(uint32_t)oracle_scope_part_of(line);
    harness_text_word(out, parts);
    for (size_t i = 0; i < sizeof scope->registers / sizeof scope->registers[0]; i++)
        harness_put64(out, scope->registers[i]);
    for (size_t i = 0; i < sizeof scope->engines / sizeof scope->engines[0]; i++)
        harness_put64(out, scope->engines[i]);
    harness_put64(out, scope->lcd_fill);
}

static uint32_t version_of(const struct harness_recording_head *head)
{
    if (head->has_screens)
        return head->scope.some_pages ? RECORDING_BOTH : RECORDING_SCREENS;
    if (head->scope.some_pages)
        return RECORDING_SOME_PAGES;
    return head->facts[0] != '\0' || head->has_absences ? 2 : 1;
}

enum harness_status harness_recording_head(const char *path, const struct harness_recording_head *head,
                                           struct harness_error *error)
{
    struct harness_text payload = { 0 };
    FILE *const file = fopen(path, "wb");
    if (file == NULL)
        return write_failed(path, error);
    harness_text_word(&payload, version_of(head));
    harness_text_word(&payload, head->budgets);
    harness_text_word(&payload, head->float24);
    put_scope(&payload, &head->scope);
    harness_put_text(&payload, head->backend);
    harness_put_text(&payload, head->program);
    harness_put_text(&payload, head->date);
    enum harness_status status = fwrite(recording_magic, 1, RECORDING_MAGIC, file) == RECORDING_MAGIC
                                     ? write_block(file, path, RECORDING_HEAD, &payload, error)
                                     : write_failed(path, error);
    harness_text_clear(&payload);
    harness_text_add(&payload, head->facts);
    if (status == HARNESS_OK && payload.size != 0)
        status = write_block(file, path, RECORDING_FACT, &payload, error);
    harness_text_free(&payload);
    if (fclose(file) != 0 && status == HARNESS_OK)
        status = write_failed(path, error);
    return status;
}

enum harness_status harness_recording_end(const char *path, struct harness_error *error)
{
    const struct harness_text nothing = { 0 };
    FILE *const file = fopen(path, "ab");
    if (file == NULL)
        return write_failed(path, error);
    enum harness_status status = write_block(file, path, RECORDING_LAST, &nothing, error);
    if (status == HARNESS_OK && (fflush(file) != 0 || fsync(fileno(file)) != 0))
        status = write_failed(path, error);
    if (fclose(file) != 0 && status == HARNESS_OK)
        status = write_failed(path, error);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ steps */

/* Of the head that the file has; 0: it cannot be read. */
static uint32_t version_at(const char *path)
{
    uint8_t bytes[RECORDING_MAGIC + HARNESS_BLOCK_HEAD + 4] = { 0 };
    FILE *const file = fopen(path, "rb");
    const bool good = file != NULL && fread(bytes, 1, sizeof bytes, file) == sizeof bytes;
    if (file != NULL)
        (void)fclose(file);
    return good ? harness_load32(bytes + RECORDING_MAGIC + HARNESS_BLOCK_HEAD) : 0;
}

enum harness_status harness_recorder_open(const char *path, struct harness_recorder **out, struct harness_error *error)
{
    *out = NULL;
    struct harness_recorder *const recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL)
        return harness_fail_memory(error);
    recorder->path = strdup(path);
    recorder->has_screens = version_at(path) >= RECORDING_SCREENS;
    recorder->file = fopen(path, "ab");
    const enum harness_status status = recorder->path == NULL   ? harness_fail_memory(error)
                                       : recorder->file == NULL ? write_failed(path, error)
                                                                : HARNESS_OK;
    if (status == HARNESS_OK)
        *out = recorder;
    else
        harness_recorder_close(recorder);
    return status;
}

void harness_recorder_close(struct harness_recorder *recorder)
{
    if (recorder == NULL)
        return;
    if (recorder->file != NULL)
        (void)fclose(recorder->file);
    harness_text_free(&recorder->raw);
    harness_text_free(&recorder->block);
    free(recorder->image);
    free(recorder->kept);
    for (size_t i = 0; i < ORACLE_SCREENS; i++)
        free(recorder->screens[i]);
    free(recorder->path);
    free(recorder);
}

enum harness_status harness_recorder_keep(struct harness_recorder *recorder, const struct pica_window *ranges,
                                          uint32_t count, struct harness_error *error)
{
    struct pica_window *const kept = malloc((count + 1) * sizeof *kept);
    if (kept == NULL)
        return harness_fail_memory(error);
    if (count != 0) /* `ranges` may be NULL then */
        memcpy(kept, ranges, count * sizeof *kept);
    free(recorder->kept);
    recorder->kept = kept;
    recorder->kept_count = count;
    recorder->keeps_some = true;
    return HARNESS_OK;
}

static bool is_kept(const struct harness_recorder *recorder, uint32_t address)
{
    bool meets = !recorder->keeps_some;
    for (uint32_t i = 0; !meets && i < recorder->kept_count; i++)
        meets = recording_range_meets(&recorder->kept[i], address);
    return meets;
}

/* Calls for each page that changed; the image keeps up. `bytes` NULL: count alone. */
static uint32_t take_pages(struct harness_recorder *recorder, const struct oracle_run *run, struct harness_text *at,
                           struct harness_text *bytes)
{
    uint32_t count = 0;
    uint8_t *image = recorder->image;
    for (uint32_t i = 0; i < run->window_count; i++) {
        for (size_t page = 0; page < run->windows[i].size / PICA_PAGE_SIZE; page++) {
            uint8_t *const before = image + page * PICA_PAGE_SIZE;
            const uint8_t *const now = run->memory[i] + page * PICA_PAGE_SIZE;
            const uint32_t address = run->windows[i].address + (uint32_t)(page * PICA_PAGE_SIZE);
            const bool may_differ = run->touched[i] == NULL || harness_has_page(run->touched[i], page);
            if (!may_differ || !is_kept(recorder, address) || memcmp(before, now, PICA_PAGE_SIZE) == 0)
                continue;
            harness_text_word(at, address);
            harness_text_bytes(bytes, now, PICA_PAGE_SIZE);
            memcpy(before, now, PICA_PAGE_SIZE);
            count++;
        }
        image += run->windows[i].size;
    }
    return count;
}

static void put_pages(struct harness_recorder *recorder, const struct oracle_run *run)
{
    struct harness_text at = { 0 }, bytes = { 0 };
    harness_text_word(&recorder->raw, take_pages(recorder, run, &at, &bytes));
    harness_text_bytes(&recorder->raw, at.data, at.size);
    harness_text_bytes(&recorder->raw, bytes.data, bytes.size);
    recorder->raw.failed = recorder->raw.failed || at.failed || bytes.failed;
    harness_text_free(&at);
    harness_text_free(&bytes);
}

static void put_words(struct harness_recorder *recorder, const struct pica_state *state)
{
    uint32_t count = 0;
    const size_t place = recorder->raw.size;
    harness_text_word(&recorder->raw, 0);
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++) {
            const uint32_t now = harness_part_get(state, part, i);
            if (now == harness_part_get(&recorder->state, part, i))
                continue;
            harness_text_word(&recorder->raw, part);
            harness_text_word(&recorder->raw, i);
            harness_text_word(&recorder->raw, now);
            count++;
        }
    recorder->state = *state;
    if (!recorder->raw.failed)
        (void)harness_store32((uint8_t *)recorder->raw.data + place, count);
}

static void put_kept(struct harness_recorder *recorder)
{
    harness_text_word(&recorder->raw, recorder->kept_count);
    for (uint32_t i = 0; i < recorder->kept_count; i++) {
        harness_text_word(&recorder->raw, recorder->kept[i].address);
        harness_text_word(&recorder->raw, recorder->kept[i].size);
    }
}

/* Takes a picture over; false if it is as it was in the step before. */
static bool take_screen(struct harness_recorder *recorder, uint32_t screen, const uint8_t *rgb)
{
    const size_t size = oracle_screen_bytes((enum oracle_screen)screen);
    uint8_t **const before = &recorder->screens[screen];
    if (*before == NULL)
        *before = calloc(1, size);
    if (*before == NULL) {
        recorder->raw.failed = true;
        return false;
    }
    const bool changed = (recorder->shown >> screen & 1u) == 0 || memcmp(*before, rgb, size) != 0;
    memcpy(*before, rgb, size);
    return changed;
}

/* Which screens are shown, and of them those that changed. */
static void put_screens(struct harness_recorder *recorder, const struct oracle_run *run)
{
    uint32_t shown = 0, changed = 0;
    for (uint32_t i = 0; i < ORACLE_SCREENS; i++) {
        if (run->screens[i] == NULL)
            continue;
        shown |= 1u << i;
        if (take_screen(recorder, i, run->screens[i]))
            changed |= 1u << i;
    }
    recorder->shown = shown;
    harness_text_word(&recorder->raw, shown | changed << 8);
    for (uint32_t i = 0; i < ORACLE_SCREENS; i++)
        if ((changed >> i & 1u) != 0)
            harness_text_bytes(&recorder->raw, recorder->screens[i], oracle_screen_bytes((enum oracle_screen)i));
}

/* The block of a step from its raw form. */
static enum harness_status write_step(struct harness_recorder *recorder, struct harness_error *error)
{
    struct harness_text *const raw = &recorder->raw, *const block = &recorder->block;
    if (raw->size > RECORDING_MOST_RAW)
        return harness_fail_memory(error);
    harness_text_clear(block);
    harness_put64(block, recorder->history.low);
    harness_put64(block, recorder->history.high);
    harness_text_word(block, (uint32_t)raw->size);
    harness_put_deflated(block, raw, 6);
    return write_block(recorder->file, recorder->path, RECORDING_DATA, block, error);
}

static enum harness_status record(struct harness_recorder *recorder, const struct oracle_run *run,
                                  struct harness_error *error)
{
    harness_text_clear(&recorder->raw);
    put_pages(recorder, run);
    put_words(recorder, run->state);
    for (size_t i = 0; i < sizeof run->events.words / sizeof run->events.words[0]; i++)
        harness_put64(&recorder->raw, run->events.words[i]);
    if (recorder->keeps_some)
        put_kept(recorder);
    if (recorder->has_screens)
        put_screens(recorder, run);
    return write_step(recorder, error);
}

static enum harness_status collect(struct harness_runner *runner, struct oracle_run *out, struct harness_error *error)
{
    const enum pica_status collected = harness_runner_collect(runner, out);
    return collected == PICA_OK ? HARNESS_OK : harness_runner_fail(runner, "reading results", collected, error);
}

static enum harness_status write_name(struct harness_recorder *recorder, const char *name, struct harness_error *error)
{
    harness_text_clear(&recorder->block);
    harness_text_add(&recorder->block, name);
    return write_block(recorder->file, recorder->path, RECORDING_CASE, &recorder->block, error);
}

enum harness_status harness_recorder_begin_with(struct harness_recorder *recorder, const char *name,
                                                const struct pica_setup *setup, const struct oracle_run *run,
                                                struct harness_error *error)
{
    recorder->setup = setup;
    recorder->shown = 0;
    const size_t size = harness_image_size(setup);
    if (recorder->image_size < size) {
        free(recorder->image);
        recorder->image = malloc(size);
        recorder->image_size = recorder->image != NULL ? size : 0;
    }
    if (recorder->image == NULL || !harness_history_begin(setup, &recorder->history))
        return harness_fail_memory(error);
    harness_image_begin(setup, recorder->image);
    harness_state_reset(&recorder->state);
    if (setup->initial_state != NULL)
        recorder->state = *setup->initial_state;
    const enum harness_status status = write_name(recorder, name, error);
    return status == HARNESS_OK ? record(recorder, run, error) : status;
}

enum harness_status harness_recorder_begin(struct harness_recorder *recorder, const char *name,
                                           const struct pica_setup *setup, struct harness_runner *runner,
                                           struct harness_error *error)
{
    struct oracle_run run;
    const enum harness_status status = collect(runner, &run, error);
    return status == HARNESS_OK ? harness_recorder_begin_with(recorder, name, setup, &run, error) : status;
}

enum harness_status harness_recorder_step_with(struct harness_recorder *recorder,
                                               const struct pica_operation *operation, const struct oracle_run *run,
                                               struct harness_error *error)
{
    if (!harness_history_add(&recorder->history, operation))
        return harness_fail_memory(error);
    if (operation->kind != PICA_OPERATION_LOAD_MEMORY)
        return record(recorder, run, error);
    harness_image_load(recorder->setup, recorder->image, operation->address, operation->data, operation->size);
    return HARNESS_OK;
}

enum harness_status harness_recorder_step(struct harness_recorder *recorder, const struct pica_operation *operation,
                                          struct harness_runner *runner, struct harness_error *error)
{
    struct oracle_run run = { .backend = NULL };
    const enum harness_status status =
        operation->kind != PICA_OPERATION_LOAD_MEMORY ? collect(runner, &run, error) : HARNESS_OK;
    return status == HARNESS_OK ? harness_recorder_step_with(recorder, operation, &run, error) : status;
}

static enum harness_status write_absence(struct harness_recorder *recorder, uint32_t why, struct harness_error *error)
{
    harness_text_clear(&recorder->block);
    harness_put64(&recorder->block, recorder->history.low);
    harness_put64(&recorder->block, recorder->history.high);
    harness_text_word(&recorder->block, why);
    return write_block(recorder->file, recorder->path, RECORDING_NONE, &recorder->block, error);
}

enum harness_status harness_recorder_absent(struct harness_recorder *recorder, const struct pica_operation *operation,
                                            enum harness_absence why, uint32_t code, struct harness_error *error)
{
    return harness_history_add(&recorder->history, operation)
               ? write_absence(recorder, (uint32_t)why | code << RECORDING_CODE_SHIFT, error)
               : harness_fail_memory(error);
}

enum harness_status harness_recorder_refused(struct harness_recorder *recorder, const char *name,
                                             const struct pica_setup *setup, struct harness_error *error)
{
    if (!harness_history_begin(setup, &recorder->history))
        return harness_fail_memory(error);
    const enum harness_status status = write_name(recorder, name, error);
    return status == HARNESS_OK ? write_absence(recorder, HARNESS_ABSENCE_UNSUPPORTED, error) : status;
}

enum harness_status harness_recorder_end(struct harness_recorder *recorder, struct harness_error *error)
{
    const struct harness_text nothing = { 0 };
    const enum harness_status status = write_block(recorder->file, recorder->path, RECORDING_DONE, &nothing, error);
    if (status == HARNESS_OK && fflush(recorder->file) != 0)
        return write_failed(recorder->path, error);
    return status;
}
