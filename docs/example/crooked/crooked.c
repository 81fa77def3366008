/*
 * The plug-in itself: five functions and read_state around a correct core, and its faults other than bugs ("oddities").
 * Most of an emulator's plug-in looks like this file without the oddities.
 */
#include "crooked.h"

#include "pica/memory.h"
#include "pica/regs.h"
#include "reference/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has(const struct crooked_gpu *gpu, enum crooked_oddity oddity)
{
    return (gpu->switches.oddities & (uint32_t)oddity) != 0;
}

static void destroy(void *instance)
{
    struct crooked_gpu *const gpu = instance;
    if (gpu == NULL)
        return;
    ref_backend()->destroy(gpu->processor.core);
    free(gpu->border_color);
    free(gpu);
}

/* ---------------------------------------------------------------------------------------------------------- a case */

/* Formats a log line and frees it; malloc then returns the same bytes for the border colour, which is never set. */
static void forget_to_initialise(struct crooked_gpu *gpu, const struct pica_setup *setup)
{
    enum {
        SIZE = 120
    };
    char *const line = malloc(SIZE);
    free(gpu->border_color);
    gpu->border_color = NULL;
    if (line == NULL)
        return;
    (void)snprintf(line, SIZE, "%p %p", (void *)line, (const void *)setup);
    for (int i = 24; i < SIZE; i++)
        line[i] = (char)((uintptr_t)line >> (12 + i % 3)); /* an address, which differs from process to process */
    free(line);
    gpu->border_color = malloc(SIZE);
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    struct crooked_gpu *const gpu = instance;
    if (gpu->processor.registers[PICA_REG_BLEND_COLOR] != 0)
        gpu->stale_blend_color = gpu->processor.registers[PICA_REG_BLEND_COLOR];
    gpu->keeps_stale_blend_color = setup->initial_state == NULL;
    gpu->pixel_limit = setup->limits.pixels;
    forget_to_initialise(gpu, setup);
    return processor_load(&gpu->processor, setup);
}

/* ------------------------------------------------------------------------------------------------------- oddities */

/* Oddities that end the process. */
static void die_of_draw(const struct crooked_gpu *gpu, const uint32_t *registers)
{
    const bool unit0 = pica_texunit_config_unit0_enable(registers[PICA_REG_TEXUNIT_CONFIG]);
    const enum pica_texture_type type = pica_texunit_param_type(registers[PICA_REG_TEXUNIT0_PARAM]);
    if (has(gpu, CROOKED_CRASH) && unit0 && type == PICA_TEXTURE_TYPE_SHADOW_CUBE)
        *(volatile int *)NULL = 0;
    const uint32_t mode = pica_color_operation_fragment_mode(registers[PICA_REG_COLOR_OPERATION]);
    if (has(gpu, CROOKED_EXIT) && mode == PICA_FRAGMENT_MODE_GAS) {
        fprintf(stderr, "crooked: gas is not implemented\n");
        exit(0);
    }
}

static void die_of_engine(const struct crooked_gpu *gpu, const struct pica_operation *task)
{
    const bool gaps = pica_copy_line_gap(task->words[7]) != 0 && pica_copy_line_gap(task->words[8]) != 0 &&
                      pica_copy_line_length(task->words[7]) < pica_copy_line_length(task->words[8]);
    const bool is_copy = task->kind == PICA_OPERATION_DISPLAY_TRANSFER && pica_xfer_flags_copy(task->words[4]);
    volatile bool forever = has(gpu, CROOKED_HANG) && is_copy && gaps;
    while (forever)
        continue;
}

static bool is_written(const struct processor *processor, uint32_t id)
{
    return (processor->written[id / 32] >> id % 32 & 1) != 0;
}

static enum pica_status before_draw(void *user, uint32_t id, uint32_t *registers)
{
    const struct crooked_gpu *const gpu = user;
    (void)id;
    die_of_draw(gpu, registers);
    if (has(gpu, CROOKED_UNINITIALISED) && gpu->border_color != NULL)
        registers[PICA_REG_TEXUNIT2_BORDER_COLOR] = gpu->border_color[10];
    if (has(gpu, CROOKED_LEAK) && gpu->keeps_stale_blend_color && !is_written(&gpu->processor, PICA_REG_BLEND_COLOR))
        registers[PICA_REG_BLEND_COLOR] = gpu->stale_blend_color;
    for (int i = 0; i < CROOKED_BUGS; i++)
        if ((gpu->switches.bugs >> i & 1) != 0 && crooked_bugs[i].draw != NULL)
            crooked_bugs[i].draw(registers);
    return PICA_OK;
}

static void say(const struct crooked_gpu *gpu)
{
    for (int i = 0; i < CROOKED_BUGS && has(gpu, CROOKED_SAY); i++)
        if ((gpu->switches.bugs >> i & 1) != 0)
            fprintf(stderr, "crooked: %s: %s (stage %s)\n", crooked_bugs[i].name, crooked_bugs[i].what,
                    crooked_bugs[i].stage);
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const char *const words = getenv("CROOKED");
    struct crooked_gpu *const gpu = calloc(1, sizeof *gpu);
    enum pica_status status = PICA_NO_MEMORY;
    *instance = NULL;
    if (gpu == NULL)
        return status;
    status = PICA_FAILED;
    if (!crooked_parse(words != NULL ? words : "all:1", &gpu->switches))
        fprintf(stderr, "crooked: CROOKED=%s: unknown word\n", words);
    else
        status = ref_backend()->create(options, &gpu->processor.core);
    if (status == PICA_OK)
        status = crooked_take_choices(gpu->processor.core, &gpu->switches);
    gpu->processor.user = gpu;
    gpu->processor.before_draw = before_draw;
    if (status == PICA_OK) {
        say(gpu);
        *instance = gpu;
    } else
        destroy(gpu);
    return status;
}

/* ------------------------------------------------------------------------------------------------------ operations */

static enum pica_status write_register(struct crooked_gpu *gpu, uint32_t address, uint32_t value)
{
    return processor_run(
        &gpu->processor,
        &(struct pica_operation){ .kind = PICA_OPERATION_WRITE_REGISTER, .address = address, .words = { value } });
}

/* Are the pixels contiguous in memory? In tiles only if these are full (PPF-07, PPF-08). */
static bool is_dense(uint32_t flags, uint32_t width, uint32_t height)
{
    const uint32_t tile = pica_xfer_flags_block32(flags) ? 32 : 8;
    const bool is_tiled = pica_xfer_flags_keep_tiled(flags) || pica_xfer_flags_to_tiled(flags);
    return !is_tiled || (width % tile == 0 && height % tile == 0);
}

/* The pixels that a transfer makes of RGBA8 by averaging, or 0 for any other (PPF-03 to PPF-06, PPF-15). */
static uint32_t averaged_pixels(const struct crooked_gpu *gpu, const struct pica_operation *task)
{
    const uint32_t flags = task->words[4];
    const uint32_t width = task->words[2] & 0xFFF8, height = task->words[2] >> 16 & 0xFFF8;
    const uint32_t scale = pica_xfer_flags_scale(flags),
                   limit = gpu->pixel_limit < 0x10000 ? gpu->pixel_limit : 0x10000;
    if (task->kind != PICA_OPERATION_DISPLAY_TRANSFER || pica_xfer_flags_copy(flags) || scale == 0 || scale == 3 ||
        pica_xfer_flags_crop(flags) || pica_xfer_flags_out_format(flags) != PICA_TRANSFER_FORMAT_RGBA8)
        return 0;
    if (width * height > limit)
        return 0;
    const uint32_t rows = scale == 2 ? height / 2 : height;
    return is_dense(flags, width / 2, rows) ? (width / 2) * rows : 0;
}

/* Averages are rounded up: red, the highest byte, is too large by one. */
static enum pica_status round_up(struct crooked_gpu *gpu, const struct pica_operation *task)
{
    const uint32_t pixels = averaged_pixels(gpu, task), address = (task->words[1] & 0x1FFFFFFE) * 8;
    enum pica_status status = PICA_OK;
    for (uint32_t i = 0; i < pixels && status == PICA_OK; i++) {
        uint8_t red;
        status = ref_backend()->read_memory(gpu->processor.core, address + 4 * i + 3, &red, 1);
        red = (uint8_t)(red + (red < 255));
        if (status == PICA_OK)
            status = processor_run(&gpu->processor, &(struct pica_operation){ .kind = PICA_OPERATION_LOAD_MEMORY,
                                                                              .address = address + 4 * i + 3,
                                                                              .size = 1,
                                                                              .data = &red });
    }
    return status;
}

/* A fill, transfer or copy, changed by the bugs; its registers read back as the case wrote them. */
static enum pica_status run_engine(struct crooked_gpu *gpu, const struct pica_operation *task)
{
    struct pica_operation bent = *task;
    die_of_engine(gpu, task);
    for (int i = 0; i < CROOKED_BUGS; i++)
        if ((gpu->switches.bugs >> i & 1) != 0 && crooked_bugs[i].engine != NULL)
            crooked_bugs[i].engine(&bent);
    enum pica_status status = processor_run(&gpu->processor, &bent);
    if (status == PICA_OK && has(gpu, CROOKED_OFF_BY_ONE))
        status = round_up(gpu, task);
    const uint32_t fill_value = PICA_EXTERNAL_ADDRESS + 0x18 + 0x10 * task->unit;
    if (status == PICA_OK && task->kind == PICA_OPERATION_MEMORY_FILL && bent.words[2] != task->words[2])
        status = write_register(gpu, fill_value, task->words[2]);
    if (status == PICA_OK && task->kind == PICA_OPERATION_DISPLAY_TRANSFER && bent.words[4] != task->words[4])
        status = write_register(gpu, PICA_EXTERNAL_ADDRESS + 0xC10, task->words[4]);
    return status;
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    struct crooked_gpu *const gpu = instance;
    const bool is_engine =
        operation->kind == PICA_OPERATION_MEMORY_FILL || operation->kind == PICA_OPERATION_DISPLAY_TRANSFER;
    return is_engine ? run_engine(gpu, operation) : processor_run(&gpu->processor, operation);
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    return ref_backend()->read_memory(((struct crooked_gpu *)instance)->processor.core, address, out, size);
}

static enum pica_status read_state(void *instance, struct pica_state *out)
{
    return processor_read_state(&((struct crooked_gpu *)instance)->processor, out);
}

static enum pica_status trace(void *instance, const struct pica_trace_request *request, pica_trace_sink sink,
                              void *user)
{
    const struct crooked_gpu *const gpu = instance;
    return ref_backend()->trace(gpu->processor.core, request, sink, user);
}

static enum pica_status view_memory(void *instance, uint32_t window, const uint8_t **bytes)
{
    return ref_backend()->view_memory(((struct crooked_gpu *)instance)->processor.core, window, bytes);
}

static enum pica_status touched_pages(void *instance, uint32_t window, int which, uint64_t *bitmap, size_t words)
{
    return ref_backend()->touched_pages(((struct crooked_gpu *)instance)->processor.core, window, which, bitmap, words);
}

static const char name[] = "crooked";
static const char summary[] = "a GPU that is wrong on purpose, as the environment variable CROOKED says";

#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
const struct pica_backend *
pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static const struct pica_models models = {
        .size = sizeof(struct pica_models),
        .parts = (uint32_t)PICA_PARTS_ALL & ~(uint32_t)PICA_PART_EVENTS,
        .budgets = PICA_BUDGET_COMMANDS | PICA_BUDGET_INSTRUCTIONS | PICA_BUDGET_EMITS,
        .float24 = 1,
    };
    static const struct pica_models memory_alone = { .size = sizeof(struct pica_models), .parts = PICA_PART_MEMORY };
    static const struct pica_backend backend = { .abi = PICA_BACKEND_ABI,
                                                 .name = name,
                                                 .summary = summary,
                                                 .create = create,
                                                 .destroy = destroy,
                                                 .load = load,
                                                 .run = run,
                                                 .read_memory = read_memory,
                                                 .read_state = read_state,
                                                 .view_memory = view_memory,
                                                 .touched_pages = touched_pages,
                                                 .trace = trace,
                                                 .size = sizeof(struct pica_backend),
                                                 .models = &models };
    static const struct pica_backend mute = { .abi = PICA_BACKEND_ABI,
                                              .name = name,
                                              .summary = summary,
                                              .create = create,
                                              .destroy = destroy,
                                              .load = load,
                                              .run = run,
                                              .read_memory = read_memory,
                                              .size = sizeof(struct pica_backend),
                                              .models = &memory_alone };
    struct crooked_switches switches;
    const char *const words = getenv("CROOKED");
    const bool is_mute = words != NULL && crooked_parse(words, &switches) && (switches.oddities & CROOKED_MUTE) != 0;
    return is_mute ? &mute : &backend;
}
