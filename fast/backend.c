/* Connects the backend interface to the machine: lifetimes, cases, operations, dumps. */
#include <stdlib.h>

#include "fast/command/engine.h"
#include "fast/command/list.h"
#include "fast/command/state.h"
#include "fast/command/state_dump.h"
#include "fast/draw/draw_state.h"
#include "fast/fast.h"
#include "fast/gpu.h"
#include "fast/kernels.h"
#include "fast/pipeline.h"
#include "fast/reserve.h"
#include "fast/simd/environment.h"
#include "fast/trace.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/fetch.h"
#include "fast/vertex/fetch_slices.h"
#include "fast/vertex/geometry.h"
#include "pica/regs.h"

/* -------------------------------------------------------------------------------------------------------- lifetimes */

/* Zeroed memory, aligned for vectors; the size of an aligned struct is a multiple of its alignment. */
static void *allocate_aligned(size_t size)
{
    void *const memory = aligned_alloc(64u, (size + 63u) / 64u * 64u);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

static void destroy(void *instance)
{
    struct fast_gpu *const gpu = instance;
    if (gpu == NULL)
        return;
    fast_slices_destroy(gpu->slices);
    fast_renderer_destroy(gpu->renderer);
    fast_shading_destroy(gpu->shading);
    if (gpu->vertices != NULL)
        fast_program_cache_free(&gpu->vertices->programs);
    if (gpu->geometry != NULL)
        fast_program_cache_free(&gpu->geometry->programs);
    free(gpu->vertices);
    free(gpu->geometry);
    free(gpu->primitives);
    free(gpu->tracer);
    free(gpu->kernels);
    free(gpu->draw);
    fast_unreserve(gpu->memory.arena, FAST_ARENA_BYTES);
    free(gpu);
}

/* Rows of the register file that never change. */
static void init_constant_rows(struct fast_register_file *file)
{
    for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
        file->row[FAST_ROW_ONE][lane] = 1.0f;
}

static enum pica_status create_parts(struct fast_gpu *gpu, const struct pica_options *options)
{
    gpu->memory.arena = fast_reserve(FAST_ARENA_BYTES);
    gpu->draw = allocate_aligned(sizeof *gpu->draw);
    gpu->kernels = allocate_aligned(sizeof *gpu->kernels);
    gpu->primitives = allocate_aligned(sizeof *gpu->primitives);
    gpu->geometry = allocate_aligned(sizeof *gpu->geometry);
    gpu->vertices = allocate_aligned(sizeof *gpu->vertices);
    gpu->tracer = calloc(1u, sizeof *gpu->tracer);
    if (gpu->memory.arena == NULL || gpu->draw == NULL || gpu->kernels == NULL || gpu->primitives == NULL ||
        gpu->geometry == NULL || gpu->vertices == NULL || gpu->tracer == NULL)
        return PICA_NO_MEMORY;
    fast_kernels_select(gpu->kernels, fast_cpu_detect() & options->instruction_sets);
    fast_kernels_select_traced(&gpu->tracer->kernels, fast_cpu_detect() & options->instruction_sets);
    fast_registers_init(gpu);
    gpu->vertices->gather.primitives = gpu->primitives;
    init_constant_rows(&gpu->vertices->file);
    init_constant_rows(&gpu->geometry->file);
    enum pica_status status = fast_program_cache_init(&gpu->vertices->programs, 512u);
    if (status == PICA_OK)
        status = fast_program_cache_init(&gpu->geometry->programs, PICA_CODE_WORDS);
    gpu->vertices->programs.used_slots = gpu->geometry->programs.used_slots = gpu->capacity.programs;
    if (status == PICA_OK)
        status = fast_shading_create(&gpu->shading);
    if (status == PICA_OK)
        status = fast_renderer_create(gpu, options->threads, &gpu->renderer);
    if (status == PICA_OK)
        status = fast_slices_create(gpu, options->threads, &gpu->slices);
    return status;
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    *instance = NULL;
    if ((options->flags & ~(uint32_t)PICA_OPTION_CAPACITY) != 0u)
        return PICA_NOT_SUPPORTED;
    struct fast_gpu *const gpu = calloc(1u, sizeof *gpu);
    if (gpu == NULL)
        return PICA_NO_MEMORY;
    gpu->capacity = fast_capacity_of((options->flags & PICA_OPTION_CAPACITY) != 0u ? options->capacity : 0u);
    const enum pica_status status = create_parts(gpu, options);
    if (status != PICA_OK) {
        destroy(gpu);
        return status;
    }
    *instance = gpu;
    return PICA_OK;
}

/* ------------------------------------------------------------------------------------------------------------ cases */

/* MEM-01. */
static bool window_is_legal(const struct pica_window *window)
{
    const uint32_t in_vram = window->address - PICA_VRAM_ADDRESS;
    const uint32_t in_fcram = window->address - PICA_FCRAM_ADDRESS;
    if (window->size == 0u || window->address % PICA_PAGE_SIZE != 0u || window->size % PICA_PAGE_SIZE != 0u)
        return false;
    return (in_vram < PICA_VRAM_SIZE && window->size <= PICA_VRAM_SIZE - in_vram) ||
           (in_fcram < PICA_FCRAM_SIZE && window->size <= PICA_FCRAM_SIZE - in_fcram);
}

static bool windows_are_legal(const struct pica_window *windows, uint32_t count)
{
    if (count < 1u || count > PICA_MAX_WINDOWS)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!window_is_legal(&windows[i]))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (windows[i].address - windows[k].address < windows[k].size ||
                windows[k].address - windows[i].address < windows[i].size)
                return false;
    }
    return true;
}

/* CMD-20. */
static bool limit_is_legal(uint32_t limit)
{
    return limit >= 1u && limit <= 0x10000000u;
}

/* CMD-23: 0 means no limit. */
static bool work_is_legal(uint32_t work)
{
    return work <= 0x10000000u;
}

static bool setup_is_legal(const struct pica_setup *setup)
{
    const struct pica_limits *const limits = &setup->limits;
    return windows_are_legal(setup->windows, setup->window_count) && limit_is_legal(limits->commands) &&
           limit_is_legal(limits->vertices) && limit_is_legal(limits->instructions) && limit_is_legal(limits->emits) &&
           limit_is_legal(limits->pixels) && work_is_legal(setup->work) &&
           (setup->profile == PICA_PROFILE_F32 || setup->profile == PICA_PROFILE_F24);
}

/* Inserts the window by address. */
static void add_range(struct fast_memory *memory, const struct pica_window *window)
{
    uint32_t i = memory->range_count;
    for (; i > 0u && memory->ranges[i - 1u].address > window->address; i--)
        memory->ranges[i] = memory->ranges[i - 1u];
    memory->ranges[i] = (struct fast_memory_range){ .address = window->address, .size = window->size };
    memory->range_count += 1u;
}

/* Makes one range of ranges that touch. VRAM and FCRAM never touch. */
static void join_ranges(struct fast_memory *memory)
{
    uint32_t kept = 0u;
    for (uint32_t i = 1u; i < memory->range_count; i++) {
        struct fast_memory_range *const last = &memory->ranges[kept];
        if (last->address + last->size == memory->ranges[i].address) {
            last->size += memory->ranges[i].size;
        } else {
            kept += 1u;
            memory->ranges[kept] = memory->ranges[i];
        }
    }
    memory->range_count = kept + 1u;
}

static void place_ranges(struct fast_memory *memory)
{
    uint32_t offset = FAST_ARENA_SLACK;
    for (uint32_t i = 0; i < memory->range_count; i++) {
        memory->ranges[i].offset = offset;
        offset += memory->ranges[i].size + FAST_ARENA_SLACK;
    }
}

static void set_windows(struct fast_memory *memory, const struct pica_setup *setup)
{
    fast_memory_clear(memory);
    memset(memory->texture_pages, 0, sizeof memory->texture_pages);
    memory->range_count = 0u;
    memory->window_count = setup->window_count;
    for (uint32_t i = 0; i < setup->window_count; i++) {
        memory->windows[i] = setup->windows[i];
        add_range(memory, &setup->windows[i]);
    }
    join_ranges(memory);
    place_ranges(memory);
}

/* Of the first byte of a window. */
static uint32_t window_offset(const struct fast_gpu *gpu, uint32_t window)
{
    return fast_memory_offset(gpu, gpu->memory.windows[window].address, gpu->memory.windows[window].size);
}

/*
 * Makes every case start with empty program caches. Otherwise the path of a case through this code would depend on the
 * cases before it, and a fuzzing engine that measures coverage would see the same input behave differently each time.
 */
static void forget_programs(struct fast_gpu *gpu)
{
    fast_program_cache_reset(&gpu->vertices->programs);
    fast_program_cache_reset(&gpu->geometry->programs);
    for (uint32_t i = 0; i < FAST_PROGRAM_SLOTS; i++)
        gpu->vertices->plans[i].valid = false;
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    struct fast_gpu *const gpu = instance;
    if (!setup_is_legal(setup))
        return PICA_BAD_ARGUMENT;
    set_windows(&gpu->memory, setup);
    fast_shading_reset(gpu->shading);
    fast_renderer_reset(gpu->renderer);
    forget_programs(gpu);
    gpu->draw->decoded = false;
    gpu->limits = setup->limits;
    gpu->work = (struct fast_work){ .limit = setup->work != 0u ? setup->work : UINT64_MAX };
    gpu->profile = setup->profile;
    gpu->tracer->draw = 0u;
    memset(&gpu->events, 0, sizeof gpu->events);
    if (setup->initial_state != NULL)
        fast_state_import(gpu, setup->initial_state);
    else
        fast_state_reset(gpu);
    for (uint32_t i = 0; i < setup->chunk_count; i++)
        fast_write_bytes(gpu, setup->chunks[i].address, setup->chunks[i].data, setup->chunks[i].size);
    return PICA_OK;
}

/* ------------------------------------------------------------------------------------------------------- operations */

static void write_internal(struct fast_gpu *gpu, uint32_t id, uint32_t value)
{
    fast_cpu_write(gpu, PICA_INTERNAL_ADDRESS + 4u * id, value);
}

/* EXT-CMD-14. */
static void submit_list(struct fast_gpu *gpu, uint32_t address, uint32_t size)
{
    write_internal(gpu, PICA_REG_CMDBUF_SIZE0, size >> 3);
    write_internal(gpu, PICA_REG_CMDBUF_ADDR0, address >> 3);
    write_internal(gpu, PICA_REG_CMDBUF_JUMP0, 1u);
}

static void fill_memory(struct fast_gpu *gpu, uint32_t unit, const uint32_t words[4])
{
    for (uint32_t i = 0; i < 4u; i++)
        fast_cpu_write(gpu, PICA_EXTERNAL_ADDRESS + 0x10u + 0x10u * unit + 4u * i, words[i]);
}

static void transfer(struct fast_gpu *gpu, const uint32_t words[9])
{
    static const uint32_t offsets[9] = { 0xc00u, 0xc04u, 0xc08u, 0xc0cu, 0xc10u, 0xc14u, 0xc20u, 0xc24u, 0xc28u };
    for (uint32_t i = 0; i < 9u; i++)
        fast_cpu_write(gpu, PICA_EXTERNAL_ADDRESS + offsets[i], words[i]);
    fast_cpu_write(gpu, PICA_EXTERNAL_ADDRESS + 0xc18u, 1u);
}

static enum pica_status run_operation(struct fast_gpu *gpu, const struct pica_operation *operation)
{
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY: /* MEM-08 */
        fast_write_bytes(gpu, operation->address, operation->data, operation->size);
        return PICA_OK;
    case PICA_OPERATION_SUBMIT_LIST: submit_list(gpu, operation->address, operation->size); return PICA_OK;
    case PICA_OPERATION_WRITE_REGISTER: fast_cpu_write(gpu, operation->address, operation->words[0]); return PICA_OK;
    case PICA_OPERATION_MEMORY_FILL: fill_memory(gpu, operation->unit, operation->words); return PICA_OK;
    case PICA_OPERATION_DISPLAY_TRANSFER: transfer(gpu, operation->words); return PICA_OK;
    case PICA_OPERATION_VERTICAL_BLANK: gpu->interrupts[2u + operation->unit] += 1u; return PICA_OK; /* EXT-CMD-11 */
    }
    return PICA_BAD_ARGUMENT;
}

/*
 * The caller's floating-point environment may be anything, in an emulator for instance that of its guest's processor.
 * Only operations do floating-point arithmetic; all other calls just move bits.
 */
static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    if (operation->unit > 1u)
        return PICA_BAD_ARGUMENT;
    const struct fast_environment callers = fast_environment_enter();
    const enum pica_status status = run_operation(instance, operation);
    fast_environment_leave(&callers);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ dumps */

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    fast_read_bytes(instance, address, out, size);
    return PICA_OK;
}

static enum pica_status read_state(void *instance, struct pica_state *out)
{
    struct pica_state_blocks zeros = { { 0 } };
    fast_state_export(instance, out, &zeros);
    return PICA_OK;
}

enum pica_status fast_view_state(void *instance, const struct pica_state **state, struct pica_state_blocks *zeros)
{
    struct fast_gpu *const gpu = instance;
    fast_state_export(gpu, &gpu->dump, &gpu->dump_zeros);
    *state = &gpu->dump;
    *zeros = gpu->dump_zeros;
    return PICA_OK;
}

static enum pica_status read_events(void *instance, struct pica_events *out)
{
    const struct fast_gpu *const gpu = instance;
    *out = gpu->events;
    return PICA_OK;
}

static enum pica_status view_memory(void *instance, uint32_t window, const uint8_t **bytes)
{
    const struct fast_gpu *const gpu = instance;
    if (window >= gpu->memory.window_count)
        return PICA_BAD_ARGUMENT;
    *bytes = gpu->memory.arena + window_offset(gpu, window);
    return PICA_OK;
}

static enum pica_status touched_pages(void *instance, uint32_t window, int which, uint64_t *bitmap, size_t words)
{
    const struct fast_gpu *const gpu = instance;
    const struct fast_memory *const memory = &gpu->memory;
    if (which != PICA_PAGES_WRITTEN)
        return PICA_NOT_SUPPORTED;
    if (window >= memory->window_count)
        return PICA_BAD_ARGUMENT;
    const uint32_t first = window_offset(gpu, window) / PICA_PAGE_SIZE;
    const uint32_t count = memory->windows[window].size / PICA_PAGE_SIZE;
    memset(bitmap, 0, words * sizeof bitmap[0]);
    for (uint32_t p = 0; p < count && p / 64u < words; p++) {
        const uint32_t page = first + p;
        bitmap[p / 64u] |= (memory->touched[page / 64u] >> (page % 64u) & 1u) << (p % 64u);
    }
    return PICA_OK;
}

static enum pica_status observe_draws(void *instance, pica_draw_observer observer, void *user)
{
    struct fast_gpu *const gpu = instance;
    gpu->observer = observer;
    gpu->observer_user = user;
    return PICA_OK;
}

static enum pica_status trace(void *instance, const struct pica_trace_request *request, pica_trace_sink sink,
                              void *user)
{
    struct fast_tracer *const tracer = ((const struct fast_gpu *)instance)->tracer;
    tracer->armed = false;
    if (request == NULL || sink == NULL)
        return PICA_OK;
    if (request->subject < PICA_TRACE_PIXEL || request->subject > PICA_TRACE_VERTICES)
        return PICA_BAD_ARGUMENT;
    tracer->armed = true;
    tracer->request = *request;
    tracer->sink = sink;
    tracer->user = user;
    return PICA_OK;
}

/* -------------------------------------------------------------------------------------------------------- snapshots */

/* A snapshot: the canonical state, the events, and the touched pages. All other pages are zero. */
struct snapshot {
    struct pica_state state;
    struct pica_events events;
    struct fast_work work;
    uint32_t draw; /* draws since load */
    uint64_t touched[FAST_PAGE_WORDS];
    uint8_t pages[]; /* PICA_PAGE_SIZE bytes for each touched page, in order */
};

static bool page_is_touched(const uint64_t *touched, uint32_t page)
{
    return (touched[page / 64u] >> (page % 64u) & 1u) != 0u;
}

static enum pica_status save(void *instance, void **result)
{
    struct fast_gpu *const gpu = instance;
    size_t count = 0u;
    for (uint32_t page = 0; page < FAST_ARENA_PAGES; page++)
        count += page_is_touched(gpu->memory.touched, page) ? 1u : 0u;
    struct snapshot *const snapshot = malloc(sizeof *snapshot + count * PICA_PAGE_SIZE);
    *result = snapshot;
    if (snapshot == NULL)
        return PICA_NO_MEMORY;
    (void)read_state(gpu, &snapshot->state);
    snapshot->events = gpu->events;
    snapshot->work = gpu->work;
    snapshot->draw = gpu->tracer->draw;
    memcpy(snapshot->touched, gpu->memory.touched, sizeof snapshot->touched);
    uint8_t *bytes = snapshot->pages;
    for (uint32_t page = 0; page < FAST_ARENA_PAGES; page++)
        if (page_is_touched(snapshot->touched, page)) {
            memcpy(bytes, gpu->memory.arena + (size_t)page * PICA_PAGE_SIZE, PICA_PAGE_SIZE);
            bytes += PICA_PAGE_SIZE;
        }
    return PICA_OK;
}

static enum pica_status restore(void *instance, const void *saved)
{
    struct fast_gpu *const gpu = instance;
    const struct snapshot *const snapshot = saved;
    fast_memory_clear(&gpu->memory);
    memset(gpu->memory.texture_pages, 0, sizeof gpu->memory.texture_pages);
    fast_shading_reset(gpu->shading);
    fast_renderer_reset(gpu->renderer);
    gpu->draw->decoded = false;
    fast_state_import(gpu, &snapshot->state);
    gpu->events = snapshot->events;
    gpu->work = snapshot->work;
    gpu->tracer->draw = snapshot->draw;
    memcpy(gpu->memory.touched, snapshot->touched, sizeof snapshot->touched);
    const uint8_t *bytes = snapshot->pages;
    for (uint32_t page = 0; page < FAST_ARENA_PAGES; page++)
        if (page_is_touched(snapshot->touched, page)) {
            memcpy(gpu->memory.arena + (size_t)page * PICA_PAGE_SIZE, bytes, PICA_PAGE_SIZE);
            bytes += PICA_PAGE_SIZE;
        }
    return PICA_OK;
}

static void discard(void *instance, void *snapshot)
{
    (void)instance;
    free(snapshot);
}

/* PDC-01: a picture whose size is not that of the screen is an error of the caller. */
static enum pica_status scan_out(void *instance, uint32_t screen, int right_eye, uint8_t *rgb, size_t size)
{
    const size_t columns = screen == 0 ? PICA_TOP_COLUMNS : PICA_BOTTOM_COLUMNS;
    if (screen > 1 || size != 3 * columns * PICA_SCREEN_LINES)
        return PICA_BAD_ARGUMENT;
    fast_scan_out(instance, screen, right_eye != 0, rgb);
    return PICA_OK;
}

/* ---------------------------------------------------------------------------------------------------- for emulators */

uint8_t *fast_share_memory(void *instance, uint32_t address, uint32_t size)
{
    return fast_memory_bytes(instance, address, size);
}

void fast_memory_changed(void *instance, uint32_t address, uint32_t size)
{
    fast_memory_written(instance, address, size);
}

/* -------------------------------------------------------------------------------------------------------- the table */

uint32_t fast_host_instruction_sets(void)
{
    return fast_cpu_detect();
}

const struct pica_backend *fast_backend(void)
{
    static const struct pica_models models = {
        .size = sizeof models,
        .parts = PICA_PARTS_ALL,
        .budgets = PICA_BUDGETS_ALL,
        .float24 = 1,
    };
    static const struct pica_backend backend = {
        .abi = PICA_BACKEND_ABI,
        .name = "fast",
        .summary = "SIMD, tiles and threads; bit-exact",
        .create = create,
        .destroy = destroy,
        .load = load,
        .run = run,
        .read_memory = read_memory,
        .read_state = read_state,
        .read_events = read_events,
        .view_memory = view_memory,
        .touched_pages = touched_pages,
        .observe_draws = observe_draws,
        .trace = trace,
        .save = save,
        .restore = restore,
        .discard = discard,
        .scan_out = scan_out,
        .size = sizeof(struct pica_backend),
        .models = &models,
    };
    return &backend;
}
