#include "harness/console/import.h"

#include "harness/case/formats.h"
#include "harness/case/little.h"
#include "harness/case/state.h"
#include "harness/console/move.h"
#include "harness/console/shown.h"
#include "harness/run/image.h"
#include "harness/run/recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The case at hand. */
struct importing {
    const struct console_import *import;
    struct harness_recorder *recorder;
    struct harness_case *test_case;
    struct harness_program *program;
    struct pica_state state; /* nothing is known of it: what the case began with */
    uint8_t *image;
    struct harness_program *moved; /* what ran, if the case was moved; then with images of that, before and after */
    uint8_t *before, *now;
    bool is_moved;
    uint32_t case_index;
    bool is_double;      /* the case at hand: two screenshots say different things */
    bool pictures_count; /* a self-test that draws was seen as it draws */
    struct console_imported imported;
};

/* A run of a case in one of the files. */
struct place {
    const struct console_results *results;
    uint32_t run;
};

const char *console_outcome_name(enum console_outcome outcome)
{
    switch (outcome) {
    case CONSOLE_OUTCOME_OK: return "ok";
    case CONSOLE_OUTCOME_ONCE: return "ok, run once";
    case CONSOLE_OUTCOME_UNSTABLE: return "unstable";
    case CONSOLE_OUTCOME_HANG: return "hang";
    case CONSOLE_OUTCOME_NOT_HELD: return "not held";
    case CONSOLE_OUTCOME_NOT_RUN: return "not run";
    case CONSOLE_OUTCOME_NOT_TESTED: return "not tested";
    case CONSOLE_OUTCOME_CRASH: return "crash";
    case CONSOLE_OUTCOME_SHOWN: return "seen on the screen";
    case CONSOLE_OUTCOMES: break;
    }
    return "unknown";
}

uint32_t console_outcome_results(const uint32_t outcomes[CONSOLE_OUTCOMES])
{
    return outcomes[CONSOLE_OUTCOME_OK] + outcomes[CONSOLE_OUTCOME_ONCE] + outcomes[CONSOLE_OUTCOME_UNSTABLE] +
           outcomes[CONSOLE_OUTCOME_HANG] + outcomes[CONSOLE_OUTCOME_CRASH] + outcomes[CONSOLE_OUTCOME_SHOWN];
}

/* ------------------------------------------------------------------------------------------------------------ head */

static void say_facts(const struct console_import *import, char *out, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < import->count && at < size; i++) {
        const struct console_about *const about = &import->results[i].about;
        const int added =
            snprintf(out + at, size - at,
                     "model: %s\nhardware: 0x%08" PRIX32 "\nkernel: 0x%08" PRIX32 "\nfirmware: 0x%08" PRIX32
                     "\nluma: 0x%08" PRIX32 "\nlinear memory: 0x%08" PRIX32 "\nruntime: %" PRIu32 "\n",
                     console_model(about), about->hardware, about->kernel_version, about->firmware_version,
                     about->luma_version, about->linear_physical, about->runtime);
        at += added > 0 ? (size_t)added : 0;
    }
}

/* "console:new:luma13.4"; a machine that says nothing of itself is no console that we know. */
static void name_machine(const struct console_import *import, char *out, size_t size)
{
    const struct console_about *const about = &import->results[0].about;
    const char *const model = (about->hardware & 4u) != 0 ? "new" : "old";
    const char *const others = import->count > 1 ? " and others" : "";
    const unsigned luma = about->luma_version >> 16;
    if (import->machine != NULL)
        (void)snprintf(out, size, "%s", import->machine);
    else if (luma != 0)
        (void)snprintf(out, size, "console:%s:luma%u.%u%s", about->hardware == 0 ? "unknown" : model, luma >> 8,
                       luma & 0xFFu, others);
    else if (about->hardware != 0)
        (void)snprintf(out, size, "console:%s%s", model, others);
    else
        (void)snprintf(out, size, "unnamed machine%s", others);
}

static uint32_t missing(const struct console_import *import)
{
    uint32_t out = 0;
    for (size_t i = 0; i < import->count; i++)
        out |= import->results[i].missing;
    return out;
}

static enum harness_status write_head(const struct console_import *import, struct harness_error *error)
{
    struct harness_recording_head *const head = calloc(1, sizeof *head);
    if (head == NULL)
        return harness_fail_memory(error);
    name_machine(import, head->backend, sizeof head->backend);
    (void)snprintf(head->program, sizeof head->program, "%s", import->program);
    (void)snprintf(head->date, sizeof head->date, "%s", import->date);
    head->float24 = 1;
    head->scope.parts = PICA_PART_MEMORY;
    head->scope.some_pages = (missing(import) & CONSOLE_CASE_DEPTH) != 0 || import->screenshots != NULL;
    say_facts(import, head->facts, sizeof head->facts);
    const enum harness_status status = harness_recording_head(import->path, head, error);
    free(head);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ runs */

/* Run number `number` of the case over all files: both passes of the first, then of the second. */
static bool find_run(const struct importing *importing, size_t number, struct place *out)
{
    const struct console_view *const view = importing->import->view;
    const struct console_results *const results = &importing->import->results[number / 2];
    for (uint32_t i = 0; i < view->head.run_count; i++) {
        const struct console_run run = console_view_run(view, i);
        if (run.case_index == importing->case_index && run.pass == number % 2) {
            *out = (struct place){ results, i };
            return results->runs[i].is_over || results->runs[i].end != 0;
        }
    }
    return false;
}

/* Do all runs that came to this step agree about it? *base: the first of pass 0, the one with pages. */
static bool look_at_step(const struct importing *importing, uint32_t step, struct place *base, size_t *runs)
{
    struct console_step_result first = { 0 }, other;
    bool same = true;
    *runs = 0;
    base->results = NULL;
    for (size_t number = 0; number < 2 * importing->import->count; number++) {
        struct place place;
        if (!find_run(importing, number, &place) || !console_results_step(place.results, place.run, step, &other))
            continue;
        if ((*runs)++ == 0)
            first = other;
        same = same && other.crc == first.crc && other.pages == first.pages && other.unread == first.unread &&
               memcmp(other.unread_range, first.unread_range, sizeof first.unread_range) == 0;
        if (base->results == NULL && number % 2 == 0)
            *base = place;
    }
    return same;
}

/* Did all pages of the step come back, but for depth where that is not compared? */
static bool is_all_there(const struct importing *importing, const struct console_step_result *said)
{
    const struct console_case entry = console_view_case(importing->import->view, importing->case_index);
    return said->unread == 0 || (importing->imported.is_partial && said->unread_range[0] >= entry.depth &&
                                 said->unread_range[1] <= entry.depth + entry.depth_bytes);
}

/* The pages of a step into the image. False if they are not those that the STEP record counted. */
static bool apply_step(struct importing *importing, const struct place *base, uint32_t step)
{
    struct console_step_result said;
    uint32_t address = 0, pages = 0;
    uint32_t crc = 0;
    size_t at = base->results->runs[base->run].first;
    const uint8_t *bytes = NULL;
    while ((bytes = console_results_page(base->results, base->run, step, &at, &address)) != NULL) {
        uint8_t place[4];
        (void)harness_store32(place, address);
        crc = (uint32_t)crc32(crc32(crc, place, sizeof place), bytes, CONSOLE_PAGE);
        if (importing->is_moved)
            harness_image_load(&importing->moved->setup, importing->now, address, bytes, CONSOLE_PAGE);
        else
            harness_image_load(&importing->program->setup, importing->image, address, bytes, CONSOLE_PAGE);
        pages++;
    }
    if (importing->is_moved)
        console_move_back(importing->image, importing->before, importing->now,
                          harness_image_size(&importing->program->setup));
    return console_results_step(base->results, base->run, step, &said) && said.pages == pages && said.crc == crc &&
           is_all_there(importing, &said);
}

/* The outcome of a run that hung, or after which the journal had a START without DONE. */
static void say_hang(struct importing *importing, const struct console_run_result *result)
{
    struct console_imported *const imported = &importing->imported;
    const uint32_t power = result->detail & ((1u << CONSOLE_POWER_CODE_SHIFT) - 1u);
    imported->outcome = CONSOLE_OUTCOME_HANG;
    if (result->status == CONSOLE_RUN_HANG) {
        imported->is_verdict = importing->import->is_emulator;
        return;
    }
    imported->is_verdict = power == CONSOLE_POWER_HUNG;
    if (power == CONSOLE_POWER_CRASHED) {
        imported->outcome = CONSOLE_OUTCOME_CRASH;
        imported->code = result->detail >> CONSOLE_POWER_CODE_SHIFT;
    }
}

/* Why no run came to this step. */
static void say_stop(struct importing *importing)
{
    struct console_imported *const imported = &importing->imported;
    imported->outcome = CONSOLE_OUTCOME_NOT_RUN;
    for (size_t number = 0; number < 2 * importing->import->count; number++) {
        struct place place;
        if (!find_run(importing, number, &place) || !place.results->runs[place.run].is_over)
            continue;
        imported->status = place.results->runs[place.run].result.status;
        imported->outcome = CONSOLE_OUTCOME_NOT_HELD;
        if (imported->status == CONSOLE_RUN_HANG || imported->status == CONSOLE_RUN_POWER)
            say_hang(importing, &place.results->runs[place.run].result);
        return;
    }
}

/* ----------------------------------------------------------------------------------------------------------- a case */

static void make_run(const struct importing *importing, struct oracle_run *out)
{
    const struct pica_setup *const setup = &importing->program->setup;
    const uint8_t *image = importing->image;
    *out = (struct oracle_run){ .state = &importing->state,
                                .window_count = setup->window_count,
                                .windows = setup->windows };
    for (uint32_t w = 0; w < setup->window_count; image += setup->windows[w].size, w++)
        out->memory[w] = image;
}

static enum harness_absence absence_of(const struct console_imported *imported)
{
    if (imported->outcome == CONSOLE_OUTCOME_CRASH)
        return HARNESS_ABSENCE_CRASH;
    if (imported->outcome == CONSOLE_OUTCOME_HANG)
        return imported->is_verdict ? HARNESS_ABSENCE_HUNG : HARNESS_ABSENCE_HANG;
    if (imported->outcome == CONSOLE_OUTCOME_NOT_TESTED)
        return HARNESS_ABSENCE_UNSUPPORTED;
    return imported->outcome == CONSOLE_OUTCOME_UNSTABLE ? HARNESS_ABSENCE_UNSTABLE : HARNESS_ABSENCE_NOT_HELD;
}

/* Records, by the outcome, why there is nothing after this operation. */
static enum harness_status record_absence(const struct importing *importing, const struct pica_operation *operation,
                                          struct harness_error *error)
{
    const enum harness_absence why = absence_of(&importing->imported);
    const uint32_t code = why == HARNESS_ABSENCE_CRASH ? importing->imported.code : 0;
    return harness_recorder_absent(importing->recorder, operation, why, code, error);
}

/* An operation of the GPU. *goes_on: its results are there, and those of later ones may be. */
static enum harness_status import_step(struct importing *importing, uint32_t index, uint32_t step, bool *goes_on,
                                       struct harness_error *error)
{
    const struct pica_operation *const operation = &importing->program->operations[index];
    struct console_imported *const imported = &importing->imported;
    struct oracle_run run;
    struct console_step_result said;
    struct place base = { NULL, 0 };
    size_t runs = 0;
    const bool same = look_at_step(importing, step, &base, &runs);
    make_run(importing, &run);
    *goes_on = same && base.results != NULL && apply_step(importing, &base, step);
    if (*goes_on) {
        if (runs == 1)
            imported->outcome = CONSOLE_OUTCOME_ONCE;
        return harness_recorder_step_with(importing->recorder, operation, &run, error);
    }
    imported->operation = index;
    if (same)
        say_stop(importing);
    else
        imported->outcome = CONSOLE_OUTCOME_UNSTABLE;
    if (same && base.results != NULL && console_results_step(base.results, base.run, step, &said) && said.unread != 0)
        imported->outcome = CONSOLE_OUTCOME_NOT_TESTED;
    return record_absence(importing, operation, error);
}

/* A case of which nothing comes back: its outcome says only whether it ended. */
static enum harness_status import_end(struct importing *importing, uint32_t index, struct harness_error *error)
{
    struct console_imported *const imported = &importing->imported;
    say_stop(importing);
    if (imported->outcome == CONSOLE_OUTCOME_NOT_HELD && imported->status == CONSOLE_RUN_OK)
        imported->outcome = CONSOLE_OUTCOME_NOT_TESTED;
    if (importing->is_double)
        imported->outcome = CONSOLE_OUTCOME_UNSTABLE;
    imported->operation = index;
    return record_absence(importing, &importing->program->operations[index], error);
}

/* The windows without what depth and stencil change. */
static enum harness_status keep_colors(const struct importing *importing, const struct console_case *entry,
                                       struct harness_error *error)
{
    const struct pica_setup *const setup = &importing->program->setup;
    struct pica_window ranges[2 * PICA_MAX_WINDOWS];
    uint32_t count = 0;
    for (uint32_t w = 0; w < setup->window_count; w++) {
        const uint32_t first = setup->windows[w].address, end = first + setup->windows[w].size;
        const uint32_t back = importing->is_moved ? first - importing->moved->setup.windows[w].address : 0;
        const uint32_t depth = entry->depth + back, depth_end = depth + entry->depth_bytes;
        if (depth_end <= first || depth >= end) {
            ranges[count++] = setup->windows[w];
            continue;
        }
        if (depth > first)
            ranges[count++] = (struct pica_window){ first, depth - first };
        if (depth_end < end)
            ranges[count++] = (struct pica_window){ depth_end, end - depth_end };
    }
    return harness_recorder_keep(importing->recorder, ranges, count, error);
}

/* What the processor loads. */
static void load(struct importing *importing, uint32_t index)
{
    const struct pica_operation *const operation = &importing->program->operations[index];
    harness_image_load(&importing->program->setup, importing->image, operation->address, operation->data,
                       operation->size);
    if (!importing->is_moved)
        return;
    const struct pica_operation *const there = &importing->moved->operations[index];
    harness_image_load(&importing->moved->setup, importing->before, there->address, there->data, there->size);
    harness_image_load(&importing->moved->setup, importing->now, there->address, there->data, there->size);
}

static enum harness_status import_operations(struct importing *importing, struct harness_error *error)
{
    const struct harness_program *const program = importing->program;
    const bool is_told = importing->imported.missing == 0;
    struct oracle_run run;
    make_run(importing, &run);
    enum harness_status status =
        harness_recorder_begin_with(importing->recorder, importing->imported.name, &program->setup, &run, error);
    uint32_t step = 0;
    bool goes_on = true;
    for (uint32_t i = 0; status == HARNESS_OK && goes_on && i < program->count; i++) {
        const struct pica_operation *const operation = &program->operations[i];
        if (operation->kind == PICA_OPERATION_LOAD_MEMORY) {
            load(importing, i);
            status = harness_recorder_step_with(importing->recorder, operation, &run, error);
        } else if (is_told) {
            status = import_step(importing, i, step++, &goes_on, error);
        } else {
            status = import_end(importing, i, error);
            goes_on = false;
        }
    }
    return status == HARNESS_OK ? harness_recorder_end(importing->recorder, error) : status;
}

/* The case as it was exported. */
static enum harness_status read_case(struct importing *importing, struct harness_error *error)
{
    const struct console_view *const view = importing->import->view;
    struct harness_text text = { 0 };
    importing->imported = (struct console_imported){ .name = console_view_case_name(view, importing->case_index) };
    enum harness_status status = console_view_source(view, importing->case_index, &text, error);
    if (status == HARNESS_OK)
        status = harness_pcase_read(importing->test_case, harness_text_string(&text), text.size,
                                    importing->imported.name, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(importing->test_case, importing->program, error);
    harness_text_free(&text);
    if (status != HARNESS_OK)
        return status;
    const struct pica_setup *const setup = &importing->program->setup;
    const size_t size = harness_image_size(setup);
    free(importing->image);
    importing->image = malloc(3 * size);
    if (importing->image == NULL)
        return harness_fail_memory(error);
    harness_image_begin(setup, importing->image);
    importing->before = importing->image + size;
    importing->now = importing->before + size;
    importing->is_moved = (console_view_case(view, importing->case_index).flags & CONSOLE_CASE_MOVED) != 0;
    if (importing->is_moved)
        status = console_move(importing->program, importing->moved, &importing->is_moved, error);
    if (status != HARNESS_OK)
        return status;
    if (importing->is_moved) {
        harness_image_begin(&importing->moved->setup, importing->before);
        memcpy(importing->now, importing->before, size);
    }
    if (setup->initial_state != NULL)
        importing->state = *setup->initial_state;
    else
        harness_state_reset(&importing->state);
    return HARNESS_OK;
}

static bool was_run(const struct importing *importing)
{
    struct place place;
    for (size_t number = 0; number < 2 * importing->import->count; number++)
        if (find_run(importing, number, &place))
            return true;
    return false;
}

/* What the case needs and did not come back. If that is depth alone, the rest is compared. Registers do not count: no
 * recording holds them. */
static enum harness_status note_missing(struct importing *importing, struct harness_error *error)
{
    const struct console_case entry = console_view_case(importing->import->view, importing->case_index);
    const uint32_t capabilities = CONSOLE_CASE_CAPABILITIES & ~(uint32_t)CONSOLE_CASE_REGISTERS;
    const uint32_t lost = entry.flags & missing(importing->import) & capabilities;
    const bool is_rest = (entry.flags & capabilities & ~(uint32_t)(CONSOLE_CASE_DEPTH | CONSOLE_CASE_LOADED)) != 0;
    importing->imported.is_partial = lost == CONSOLE_CASE_DEPTH && is_rest;
    importing->imported.missing = importing->imported.is_partial ? 0 : lost;
    if ((missing(importing->import) & CONSOLE_CASE_DEPTH) == 0 && importing->import->screenshots == NULL)
        return HARNESS_OK;
    const struct console_case whole = { .depth = 0 };
    return keep_colors(importing, importing->imported.is_partial ? &entry : &whole, error);
}

/* Index of the last operation that the GPU does. */
static uint32_t last_step(const struct harness_program *program)
{
    uint32_t last = program->count - 1;
    while (last > 0 && program->operations[last].kind == PICA_OPERATION_LOAD_MEMORY)
        last--;
    return last;
}

/* Nothing but what the screen shows is recorded, at its end. */
static enum harness_status import_shown(struct importing *importing, const struct console_shown *shown,
                                        struct harness_error *error)
{
    const struct harness_program *const program = importing->program;
    const uint32_t last = last_step(program);
    struct harness_recorder *const recorder = importing->recorder;
    struct oracle_run run;
    make_run(importing, &run);
    enum harness_status status = harness_recorder_keep(recorder, NULL, 0, error);
    if (status == HARNESS_OK)
        status = harness_recorder_begin_with(recorder, importing->imported.name, &program->setup, &run, error);
    for (uint32_t i = 0; status == HARNESS_OK && i < program->count; i++) {
        const struct pica_operation *const operation = &program->operations[i];
        if (operation->kind == PICA_OPERATION_LOAD_MEMORY)
            load(importing, i);
        if (i == last) {
            memcpy(importing->image, shown->image, harness_image_size(&program->setup));
            status = harness_recorder_keep(recorder, &shown->range, 1, error);
        }
        if (status == HARNESS_OK)
            status = harness_recorder_step_with(recorder, operation, &run, error);
    }
    importing->imported.outcome = CONSOLE_OUTCOME_SHOWN;
    return status == HARNESS_OK ? harness_recorder_end(recorder, error) : status;
}

static enum harness_status take_pictures(const struct importing *importing, struct console_shown *out,
                                         struct harness_error *error)
{
    return console_shown_take(importing->import->screenshots, importing->case_index, importing->imported.name,
                              importing->program, importing->is_moved ? importing->moved : NULL, out, error);
}

/* A case that ran and of which nothing comes back: is it on screenshots? *done: then it is recorded. */
static enum harness_status import_pictures(struct importing *importing, bool *done, struct harness_error *error)
{
    struct console_imported *const imported = &importing->imported;
    struct console_shown shown;
    *done = importing->is_double = false;
    if (!importing->pictures_count || imported->missing == 0)
        return HARNESS_OK;
    say_stop(importing);
    if (imported->outcome != CONSOLE_OUTCOME_NOT_HELD || imported->status != CONSOLE_RUN_OK)
        return HARNESS_OK;
    enum harness_status status = take_pictures(importing, &shown, error);
    importing->is_double = shown.kind == CONSOLE_SHOWN_UNSTABLE;
    if (status == HARNESS_OK && shown.kind == CONSOLE_SHOWN_COLORS) {
        *done = true;
        status = import_shown(importing, &shown, error);
    }
    free(shown.image);
    return status;
}

static enum harness_status import_case(struct importing *importing, struct harness_error *error)
{
    enum harness_status status = read_case(importing, error);
    if (status != HARNESS_OK)
        return status;
    if (was_run(importing))
        status = note_missing(importing, error);
    bool is_done = false;
    if (status == HARNESS_OK && was_run(importing))
        status = import_pictures(importing, &is_done, error);
    if (status == HARNESS_OK && was_run(importing) && !is_done)
        status = import_operations(importing, error);
    else if (!is_done)
        importing->imported.outcome = CONSOLE_OUTCOME_NOT_RUN;
    if (status == HARNESS_OK && importing->import->observer != NULL)
        importing->import->observer(importing->import->user, &importing->imported);
    return status;
}

/* Do the emulator's screenshots show what it draws? The self-tests tell, as they do for the other ways to read
 * results. */
static enum harness_status try_pictures(struct importing *importing, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    const struct console_payload *const head = &importing->import->view->head;
    for (uint32_t i = 0; status == HARNESS_OK && i < head->self_test_count && !importing->pictures_count; i++) {
        struct console_shown shown;
        importing->case_index = i;
        status = read_case(importing, error);
        if (status == HARNESS_OK)
            status = take_pictures(importing, &shown, error);
        if (status != HARNESS_OK)
            break;
        importing->pictures_count = shown.kind == CONSOLE_SHOWN_COLORS && shown.is_drawn;
        free(shown.image);
    }
    return status;
}

static enum harness_status import_all(struct importing *importing, struct harness_error *error)
{
    const struct console_payload *const head = &importing->import->view->head;
    importing->test_case = harness_case_create();
    importing->program = harness_program_create();
    importing->moved = harness_program_create();
    if (importing->test_case == NULL || importing->program == NULL || importing->moved == NULL)
        return harness_fail_memory(error);
    enum harness_status status = harness_recorder_open(importing->import->path, &importing->recorder, error);
    if (status == HARNESS_OK && importing->import->screenshots != NULL)
        status = try_pictures(importing, error);
    for (uint32_t i = head->self_test_count; status == HARNESS_OK && i < head->case_count; i++) {
        importing->case_index = i;
        status = import_case(importing, error);
    }
    return status;
}

enum harness_status console_import_write(const struct console_import *import, struct harness_error *error)
{
    enum harness_status status = write_head(import, error);
    struct importing *const importing = calloc(1, sizeof *importing);
    if (status == HARNESS_OK && importing == NULL)
        status = harness_fail_memory(error);
    if (status != HARNESS_OK) {
        free(importing);
        return status;
    }
    importing->import = import;
    status = import_all(importing, error);
    harness_recorder_close(importing->recorder);
    harness_program_destroy(importing->program);
    harness_program_destroy(importing->moved);
    harness_case_destroy(importing->test_case);
    free(importing->image);
    free(importing);
    return status == HARNESS_OK ? harness_recording_end(import->path, error) : status;
}
