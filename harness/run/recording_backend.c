/* The backend that answers from recorded results. It computes nothing: what was not recorded it does not know. */
#include "harness/case/little.h"
#include "harness/case/state.h"
#include "harness/run/image.h"
#include "harness/run/recording_format.h"
#include "harness/run/recording_parts.h"
#include "oracles/screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct instance {
    const struct harness_recording *recording;
    struct pica_window windows[PICA_MAX_WINDOWS];
    struct pica_setup setup; /* its windows alone are valid */
    uint8_t *image;
    struct harness_history history;
    struct pica_state state;
    struct pica_events events;
    enum harness_absence absence; /* of what was refused last */
    struct harness_death death;   /* if that is a crash or a hang */
    uint8_t *held;                /* ranges of pages that were recorded, as the last step has them: 8 bytes each */
    uint32_t held_count;
    uint32_t shown; /* screens whose picture is known, bit enum oracle_screen */
    uint8_t *screens[ORACLE_SCREENS];
    size_t fault; /* offset of the step that could not be applied; 0: none */
};

/* ------------------------------------------------------------------------------------------------------------ steps */

/* An unpacked step that is being applied. */
struct raw {
    const uint8_t *bytes;
    size_t left;
};

static const uint8_t *take(struct raw *raw, size_t size)
{
    if (raw->left < size)
        return NULL;
    const uint8_t *const bytes = raw->bytes;
    raw->bytes += size;
    raw->left -= size;
    return bytes;
}

static bool apply_pages(struct instance *instance, struct raw *raw)
{
    const uint8_t *const count = take(raw, 4);
    if (count == NULL || harness_load32(count) > raw->left / PICA_PAGE_SIZE)
        return false;
    const uint32_t pages = harness_load32(count);
    const uint8_t *const addresses = take(raw, (size_t)4 * pages);
    for (uint32_t i = 0; addresses != NULL && i < pages; i++) {
        const uint8_t *const page = take(raw, PICA_PAGE_SIZE);
        if (page == NULL)
            return false;
        harness_image_load(&instance->setup, instance->image, harness_load32(addresses + (size_t)4 * i), page,
                           PICA_PAGE_SIZE);
    }
    return addresses != NULL;
}

static bool apply_words(struct instance *instance, struct raw *raw)
{
    const uint8_t *const count = take(raw, 4);
    if (count == NULL)
        return false;
    for (uint32_t i = harness_load32(count); i > 0; i--) {
        const uint8_t *const word = take(raw, 12);
        if (word == NULL || harness_load32(word) >= harness_part_count ||
            harness_load32(word + 4) >= harness_parts[harness_load32(word)].count)
            return false;
        harness_part_set(&instance->state, harness_load32(word), harness_load32(word + 4), harness_load32(word + 8));
    }
    return true;
}

static bool apply_events(struct instance *instance, struct raw *raw)
{
    const size_t words = sizeof instance->events.words / sizeof instance->events.words[0];
    const uint8_t *const bytes = take(raw, 8 * words);
    for (size_t i = 0; bytes != NULL && i < words; i++)
        instance->events.words[i] = harness_load64(bytes + 8 * i);
    return bytes != NULL;
}

/* Version 3. */
static bool apply_held(struct instance *instance, struct raw *raw)
{
    const uint8_t *const count = take(raw, 4);
    if (count == NULL || harness_load32(count) > raw->left / 8)
        return false;
    const size_t size = (size_t)8 * harness_load32(count);
    uint8_t *const held = realloc(instance->held, size != 0 ? size : 1);
    if (held == NULL)
        return false;
    memcpy(held, take(raw, size), size);
    instance->held = held;
    instance->held_count = harness_load32(count);
    return true;
}

static bool apply_screen(struct instance *instance, uint32_t screen, struct raw *raw)
{
    const size_t size = oracle_screen_bytes((enum oracle_screen)screen);
    const uint8_t *const rgb = take(raw, size);
    if (rgb != NULL && instance->screens[screen] == NULL)
        instance->screens[screen] = malloc(size);
    if (rgb == NULL || instance->screens[screen] == NULL)
        return false;
    memcpy(instance->screens[screen], rgb, size);
    return true;
}

/* Versions 4 and 5. What is shown and does not come anew is as it was shown in the step before. */
static bool apply_screens(struct instance *instance, struct raw *raw)
{
    const uint8_t *const word = take(raw, 4);
    const uint32_t bits = word != NULL ? harness_load32(word) : UINT32_MAX;
    const uint32_t all = (1u << ORACLE_SCREENS) - 1u, shown = bits & all, changed = bits >> 8;
    if ((bits & ~(all | all << 8)) != 0 || (changed & ~shown) != 0 || (shown & ~changed & ~instance->shown) != 0)
        return false;
    for (uint32_t i = 0; i < ORACLE_SCREENS; i++)
        if ((changed >> i & 1u) != 0 && !apply_screen(instance, i, raw))
            return false;
    instance->shown = shown;
    return true;
}

static void held(const void *opaque, uint32_t window, uint64_t *bitmap)
{
    const struct instance *const instance = opaque;
    const struct pica_window *const place = &instance->windows[window];
    const uint32_t pages = place->size / PICA_PAGE_SIZE;
    memset(bitmap, 0, harness_page_words(place->size) * sizeof *bitmap);
    for (uint32_t i = 0; i < instance->held_count; i++) {
        const uint8_t *const bytes = instance->held + (size_t)8 * i;
        const struct pica_window range = { harness_load32(bytes), harness_load32(bytes + 4) };
        for (uint32_t page = 0; page < pages; page++)
            if (recording_range_meets(&range, place->address + page * PICA_PAGE_SIZE))
                bitmap[page / 64] |= UINT64_C(1) << page % 64;
    }
}

static enum pica_status apply(struct instance *instance, const struct recording_step *step)
{
    uLongf size = step->raw;
    uint8_t *const bytes = malloc(size != 0 ? size : 1);
    if (bytes == NULL)
        return PICA_NO_MEMORY;
    struct raw raw = { bytes, step->raw };
    const bool good = uncompress(bytes, &size, step->deflated, step->size) == Z_OK && size == step->raw &&
                      apply_pages(instance, &raw) && apply_words(instance, &raw) && apply_events(instance, &raw) &&
                      (!instance->recording->head.scope.some_pages || apply_held(instance, &raw)) &&
                      (!instance->recording->head.has_screens || apply_screens(instance, &raw)) && raw.left == 0;
    free(bytes);
    instance->fault = good ? 0 : step->offset;
    return good ? PICA_OK : PICA_FAILED;
}

/* Offset in the file of the step that does not unpack to what it should, if that made the last call fail; else 0. */
static size_t fault(const void *opaque)
{
    return ((const struct instance *)opaque)->fault;
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static void recorded_destroy(void *opaque)
{
    struct instance *const instance = opaque;
    if (instance == NULL)
        return;
    free(instance->image);
    free(instance->held);
    for (size_t i = 0; i < ORACLE_SCREENS; i++)
        free(instance->screens[i]);
    free(instance);
}

static enum pica_status begin(struct instance *instance, const struct pica_setup *setup)
{
    const size_t size = harness_image_size(setup);
    uint8_t *const image = realloc(instance->image, size);
    if (image == NULL)
        return PICA_NO_MEMORY;
    instance->image = image;
    memcpy(instance->windows, setup->windows, setup->window_count * sizeof *setup->windows);
    instance->setup = (struct pica_setup){ .windows = instance->windows, .window_count = setup->window_count };
    harness_image_begin(setup, image);
    instance->held_count = 0;
    instance->shown = 0;
    harness_state_reset(&instance->state);
    if (setup->initial_state != NULL)
        instance->state = *setup->initial_state;
    return PICA_OK;
}

static bool is_there(struct instance *instance, const struct recording_step *step)
{
    instance->absence = step != NULL ? step->absence : HARNESS_ABSENCE_NONE;
    return step != NULL && step->absence == HARNESS_ABSENCE_NONE;
}

/* What is not there: what died in it is a failure, as of a process that does. */
static enum pica_status refuse(struct instance *instance, const struct recording_step *step)
{
    const bool hung = instance->absence == HARNESS_ABSENCE_HUNG;
    if (!hung && instance->absence != HARNESS_ABSENCE_CRASH)
        return PICA_NOT_SUPPORTED;
    instance->death =
        (struct harness_death){ .kind = hung ? HARNESS_DEATH_HANG : HARNESS_DEATH_CRASH, .code = (int)step->code };
    if (hung)
        (void)snprintf(instance->death.text, sizeof instance->death.text, "hung when it was recorded");
    else
        (void)snprintf(instance->death.text, sizeof instance->death.text, "crashed when it was recorded: %s %u",
                       step->code < 256 ? "signal" : "exit code",
                       (unsigned)(step->code < 256 ? step->code : step->code - 256));
    return PICA_FAILED;
}

static const struct harness_death *death(const void *opaque)
{
    const struct instance *const instance = opaque;
    return instance->death.kind != HARNESS_DEATH_NONE ? &instance->death : NULL;
}

/* Why the file has nothing for the last load or run. */
static const char *refusal(const void *opaque, bool loads)
{
    const struct instance *const instance = opaque;
    switch (instance->absence) {
    case HARNESS_ABSENCE_NONE: break;
    case HARNESS_ABSENCE_HANG: return "the machine hung in this operation";
    case HARNESS_ABSENCE_UNSTABLE: return "this operation gave two results when it was run twice";
    case HARNESS_ABSENCE_NOT_HELD: return "this operation was interrupted or not begun";
    case HARNESS_ABSENCE_CRASH:
    case HARNESS_ABSENCE_HUNG: break; /* see refuse */
    case HARNESS_ABSENCE_UNSUPPORTED: return "recorded as not tested: the backend did not support it";
    }
    return loads ? "this case is not recorded" : "what comes after this operation is not recorded";
}

static enum pica_status recorded_load(void *opaque, const struct pica_setup *setup)
{
    struct instance *const instance = opaque;
    if (!harness_history_begin(setup, &instance->history))
        return PICA_NO_MEMORY;
    const struct recording_step *const step = recording_find(instance->recording, &instance->history);
    instance->death.kind = HARNESS_DEATH_NONE;
    if (!is_there(instance, step))
        return PICA_NOT_SUPPORTED;
    const enum pica_status status = begin(instance, setup);
    return status == PICA_OK ? apply(instance, step) : status;
}

static enum pica_status recorded_run(void *opaque, const struct pica_operation *operation)
{
    struct instance *const instance = opaque;
    struct harness_history history = instance->history;
    if (!harness_history_add(&history, operation))
        return PICA_NO_MEMORY;
    const struct recording_step *const step = recording_find(instance->recording, &history);
    if (operation->kind != PICA_OPERATION_LOAD_MEMORY && !is_there(instance, step))
        return refuse(instance, step);
    instance->history = history;
    if (operation->kind != PICA_OPERATION_LOAD_MEMORY)
        return apply(instance, step);
    harness_image_load(&instance->setup, instance->image, operation->address, operation->data, operation->size);
    return PICA_OK;
}

static enum pica_status recorded_read_memory(void *opaque, uint32_t address, uint8_t *out, size_t size)
{
    const struct instance *const instance = opaque;
    harness_image_read(&instance->setup, instance->image, address, out, size);
    return PICA_OK;
}

static enum pica_status recorded_read_state(void *opaque, struct pica_state *out)
{
    const struct instance *const instance = opaque;
    *out = instance->state;
    return PICA_OK;
}

static enum pica_status recorded_read_events(void *opaque, struct pica_events *out)
{
    const struct instance *const instance = opaque;
    *out = instance->events;
    return PICA_OK;
}

/* What was not lit, or not known, when it was recorded is not known here. */
static enum pica_status recorded_scan_out(void *opaque, uint32_t screen, int right_eye, uint8_t *rgb, size_t size)
{
    const struct instance *const instance = opaque;
    const enum oracle_screen which = screen != 0      ? ORACLE_SCREEN_BOTTOM
                                     : right_eye != 0 ? ORACLE_SCREEN_RIGHT_EYE
                                                      : ORACLE_SCREEN_TOP;
    if (size != oracle_screen_bytes(which))
        return PICA_BAD_ARGUMENT;
    if ((instance->shown >> (uint32_t)which & 1u) == 0)
        return PICA_NOT_SUPPORTED;
    memcpy(rgb, instance->screens[which], size);
    return PICA_OK;
}

/* ---------------------------------------------------------------------------------------------------------- backend */

static enum pica_status create(const struct pica_backend *backend, const struct pica_options *options, void **out)
{
    (void)options;
    struct instance *const instance = calloc(1, sizeof *instance);
    if (instance != NULL)
        instance->recording = (const struct harness_recording *)backend;
    *out = instance;
    return instance != NULL ? PICA_OK : PICA_NO_MEMORY;
}

const struct pica_backend *harness_recording_backend(const struct harness_recording *recording)
{
    return &recording->special.backend;
}

/* The lists of what is kept, from the bits of the scope. */
static void declare(struct harness_recording *recording)
{
    const struct oracle_scope *const scope = &recording->head.scope;
    uint16_t missing[PICA_REGISTERS];
    uint32_t kept[PICA_EXTERNAL_WORDS + 2];
    struct pica_models models = { .size = sizeof models,
                                  .parts = scope->parts,
                                  .budgets = recording->head.budgets,
                                  .float24 = recording->head.float24,
                                  .registers_not_kept = missing,
                                  .engine_registers = kept };
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if ((scope->registers[id / 64] >> id % 64 & 1u) == 0)
            missing[models.registers_not_kept_count++] = (uint16_t)id;
    for (uint32_t word = 0; word < PICA_EXTERNAL_WORDS; word++)
        if ((scope->engines[word / 64] >> word % 64 & 1u) != 0)
            kept[models.engine_registers_count++] = 0x10400000u + 4 * word;
    for (uint32_t screen = 0; screen < 2; screen++)
        if ((scope->lcd_fill >> screen & 1u) != 0)
            kept[models.engine_registers_count++] = screen == 0 ? 0x10202204u : 0x10202A04u;
    harness_declaration_take(&recording->declaration, &models);
}

static void close_recording(void *special)
{
    harness_recording_close(special);
}

static const struct harness_kind recording_kind = {
    .create = create, .close = close_recording, .death = death, .refusal = refusal, .fault = fault, .held = held
};

void recording_make_backend(struct harness_recording *recording)
{
    const struct harness_recording_head *const head = &recording->head;
    declare(recording);
    (void)snprintf(recording->name, sizeof recording->name, "recorded %s", head->backend);
    (void)snprintf(recording->summary, sizeof recording->summary, "results of %s, recorded %s by %s", head->backend,
                   head->date, head->program);
    recording->special.kind = &recording_kind;
    recording->special.some_pages = head->scope.some_pages;
    recording->special.backend = (struct pica_backend){
        .abi = PICA_BACKEND_ABI,
        .name = recording->name,
        .summary = recording->summary,
        .create = harness_special_create,
        .destroy = recorded_destroy,
        .load = recorded_load,
        .run = recorded_run,
        .read_memory = recorded_read_memory,
        .read_state = recorded_read_state,
        .read_events = recorded_read_events,
        .scan_out = head->has_screens ? recorded_scan_out : NULL,
        .size = sizeof recording->special.backend,
        .models = &recording->declaration.models,
    };
}
