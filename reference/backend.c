/*
 * The glue between the machine (gpu.h) and the interface of pica/backend.h: life of an instance, loading of a case,
 * operations, dumps, snapshots.
 *
 * Most operations are nothing but CPU writes to registers: a list is started by three of them (EXT-CMD-14), a fill by
 * four, a transfer by ten. A dump shows what a later operation could observe and nothing else, so that two equal
 * machines have equal dumps (REG-04): the unused rest of a queue is 0, and every NaN is 0x7FC00000 (GEN-02). A run
 * depends on nothing but the case (GEN-10): loading sets the whole machine again, and clears the pages that the case
 * before has written.
 *
 * Worked number: "submit the list at 0x18001000 of 0x40 bytes" is 0x238 = 8, 0x23A = 0x03000200, 0x23C = 1.
 */
#include "reference/reference.h"

#include "reference/display.h"
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/port.h"
#include "reference/visits.h"

#include "pica/extregs.h"

#ifdef __x86_64__
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- state */

#define AT_ITS_PLACE(member) offsetof(struct ref_gpu, member) == offsetof(struct pica_state, member)
_Static_assert(offsetof(struct ref_gpu, regs) == 0 && AT_ITS_PLACE(external) && AT_ITS_PLACE(lcd_fill) &&
                   AT_ITS_PLACE(interrupts) && AT_ITS_PLACE(tables) && AT_ITS_PLACE(units) && AT_ITS_PLACE(fixed) &&
                   AT_ITS_PLACE(fixed_queue) && AT_ITS_PLACE(fixed_queue_length) && AT_ITS_PLACE(immediate_count) &&
                   AT_ITS_PLACE(reset_armed) && AT_ITS_PLACE(reserved) && AT_ITS_PLACE(immediate) &&
                   AT_ITS_PLACE(geometry) && AT_ITS_PLACE(assembler),
               "the machine begins with a struct pica_state");

static void set_state(struct ref_gpu *gpu, const struct pica_state *state)
{
    static const uint8_t zeros[PICA_STATE_BLOCK];
    ref_state_clear(gpu);
    for (uint32_t block = 0; block < PICA_STATE_BLOCKS; block++) {
        const size_t offset = (size_t)block * PICA_STATE_BLOCK, size = pica_state_block_bytes(block);
        const uint8_t *const from = (const uint8_t *)state + offset;
        if (memcmp(from, zeros, size) == 0)
            continue;
        memcpy((uint8_t *)gpu + offset, from, size);
        pica_state_blocks_remove(&gpu->zeros, block);
    }
}

/* REG-02 */
static const uint32_t reset_registers[PICA_REGISTERS] = {
#define REG(id, NAME, layout, reset, CLASS, rule) [id] = (reset),
#include "pica/regs.def"
};

/* REG-02, REG-15, VTX-40: the parts of the reset state about which sources differ. */
static void reset_sides(struct ref_gpu *gpu)
{
    ref_clear_fixed_words(gpu);
    gpu->reset_armed = ref_takes(gpu, PICA_SIDE_RESET_ARMED_YES);
    if (ref_takes(gpu, PICA_SIDE_RESET_IRQ_MASK_ZERO))
        gpu->regs[PICA_REG_IRQ_MASK_HIGH] = 0;
    if (ref_takes(gpu, PICA_SIDE_RESET_243_HEX_37))
        gpu->regs[PICA_REG_UNUSED_243] = 0x37u;
    if (ref_takes(gpu, PICA_SIDE_RESET_289_ZERO))
        gpu->regs[PICA_REG_GSH_INPUTBUFFER_CONFIG] = 0;
}

/* REG-02, REG-04: the state after a reset. */
static void reset_state(struct ref_gpu *gpu)
{
    ref_state_clear(gpu);
    memcpy(gpu->regs, reset_registers, sizeof gpu->regs);
    reset_sides(gpu);
}

static bool is_flag(uint32_t value)
{
    return value <= 1;
}

/* The ranges that pica/backend.h and REG-04 state for the members that count or choose something. */
static bool is_valid_geometry(const struct pica_geometry_state *state)
{
    return is_flag(state->compare[0]) && is_flag(state->compare[1]) && is_flag(state->bank) &&
           state->emit_vertex <= 3 && is_flag(state->emit_primitive) && is_flag(state->emit_winding) &&
           is_flag(state->in_use) && state->mode <= 3 && state->vectors_per_vertex <= 16 &&
           state->input_vectors <= 16 && state->fixed_vertices <= 16 && is_flag(state->want_count) &&
           state->buffer_length < 16 && (!state->in_use || state->vectors_per_vertex > 0) &&
           (!state->in_use || state->input_vectors > 0);
}

static bool is_valid_state(const struct pica_state *state)
{
    const struct pica_assembler_state *assembler = &state->assembler;
    return state->units[0].queue_length <= 3 && state->units[1].queue_length <= 3 && state->fixed_queue_length <= 2 &&
           state->immediate_count <= 15 && is_flag(state->reset_armed) && is_valid_geometry(&state->geometry) &&
           assembler->topology <= 3 && assembler->count <= 2 && is_flag(assembler->ready) &&
           is_flag(assembler->winding);
}

/* REG-45: sets the initial state of a case; none of its words triggers anything. */
static void place_state(struct ref_gpu *gpu, const struct pica_state *state)
{
    if (state == NULL) {
        reset_state(gpu);
        return;
    }
    set_state(gpu, state);
    gpu->reserved = 0;
    ref_clear_fixed_words(gpu);
    ref_clear_lost_bits(gpu);
    ref_port_clear_code(gpu);
}

/* GEN-02, FLT-02. */
static void canonical_vectors(struct pica_vector *vectors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            vectors[i].bits[k] = ref_canonical_bits(vectors[i].bits[k]);
}

static void canonical_unit(struct pica_shader_unit *unit)
{
    canonical_vectors(unit->uniforms, PICA_FLOAT_UNIFORMS);
    for (uint32_t i = unit->queue_length; i < 4; i++)
        unit->queue[i] = 0;
}

static void canonical_geometry(struct pica_geometry_state *state)
{
    canonical_vectors(state->temporaries, 16);
    canonical_vectors(state->inputs, 16);
    canonical_vectors(state->outputs[0], 16);
    canonical_vectors(state->outputs[1], 16);
    for (int slot = 0; slot < 4; slot++)
        canonical_vectors(state->slots[slot], 16);
    canonical_vectors(state->buffer, 16);
    memset(&state->buffer[state->buffer_length], 0, (16u - state->buffer_length) * sizeof state->buffer[0]);
    state->main_left = 0;
    state->left = 0;
}

static void canonical_assembler(struct pica_assembler_state *assembler)
{
    for (uint32_t i = 0; i < 2; i++)
        for (int slot = 0; slot < 24; slot++) {
            uint32_t *bits = &assembler->buffer[i].slots[slot];
            *bits = i < assembler->count || assembler->ready ? ref_canonical_bits(*bits) : 0;
        }
}

/* REG-03, REG-04, PSC-13, EXT-CMD-06: the dump. `zeros` as for ref_state_copy. */
static void dump_state(const struct ref_gpu *gpu, struct pica_state *state, struct pica_state_blocks *zeros)
{
    ref_state_copy(gpu, state, zeros);
    state->external[PICA_EXTREG_STATUS / 4u] = ref_external_read(gpu, PICA_EXTREG_STATUS);
    canonical_unit(&state->units[PICA_UNIT_VERTEX]);
    canonical_unit(&state->units[PICA_UNIT_GEOMETRY]);
    canonical_vectors(state->fixed, 16);
    canonical_vectors(state->immediate, 16);
    for (uint32_t i = state->fixed_queue_length; i < 3; i++)
        state->fixed_queue[i] = 0;
    canonical_geometry(&state->geometry);
    canonical_assembler(&state->assembler);
}

/* ----------------------------------------------------------------------------------------------- life of instances */

static void destroy(void *instance)
{
    struct ref_gpu *gpu = instance;
    if (gpu == NULL)
        return;
    ref_batch_destroy(gpu->batch);
    ref_programs_destroy(gpu->programs);
    ref_memory_destroy(gpu);
    ref_history_destroy(gpu->trace.history);
    free(gpu);
}

void ref_set_shortcuts(void *instance, bool on)
{
    struct ref_gpu *gpu = instance;
    gpu->shortcuts = on;
}

enum pica_status ref_set_choices(void *instance, const struct pica_choices *choices)
{
    static const struct pica_choices normative;
    struct ref_gpu *gpu = instance;
    if (choices != NULL && !pica_choices_valid(choices))
        return PICA_BAD_ARGUMENT;
    gpu->choices = choices != NULL ? *choices : normative;
    return PICA_OK;
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const bool track_reads = options != NULL && (options->flags & PICA_OPTION_TRACK_READS) != 0;
    struct ref_gpu *gpu = calloc(1, sizeof *gpu);
    *instance = NULL;
    if (gpu == NULL)
        return PICA_NO_MEMORY;
    gpu->batch = ref_batch_create();
    gpu->programs = ref_programs_create();
    if (gpu->batch == NULL || gpu->programs == NULL || ref_memory_create(gpu, track_reads) != PICA_OK) {
        destroy(gpu);
        return PICA_NO_MEMORY;
    }
    gpu->shortcuts = true;
    reset_state(gpu);
    *instance = gpu;
    return PICA_OK;
}

/* CMD-20. */
static bool is_valid_limit(uint32_t limit)
{
    return limit >= 1 && limit <= 0x10000000u;
}

static bool is_valid_setup(const struct pica_setup *setup)
{
    const struct pica_limits *limits = &setup->limits;
    return is_valid_limit(limits->commands) && is_valid_limit(limits->vertices) &&
           is_valid_limit(limits->instructions) && is_valid_limit(limits->emits) && is_valid_limit(limits->pixels) &&
           (setup->work == 0 || is_valid_limit(setup->work)) &&
           (setup->profile == PICA_PROFILE_F32 || setup->profile == PICA_PROFILE_F24) &&
           (setup->initial_state == NULL || is_valid_state(setup->initial_state));
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    struct ref_gpu *gpu = instance;
    if (!is_valid_setup(setup))
        return PICA_BAD_ARGUMENT;
    const enum pica_status status = ref_memory_load(gpu, setup->windows, setup->window_count);
    if (status != PICA_OK)
        return status;

    for (uint32_t i = 0; i < setup->chunk_count; i++)
        ref_write_bytes(gpu, setup->chunks[i].address, setup->chunks[i].data, setup->chunks[i].size);
    place_state(gpu, setup->initial_state);
    gpu->limits = setup->limits;
    gpu->profile = setup->profile;
    gpu->budget = (struct ref_budget){ 0 };
    gpu->work = (struct ref_work){ .limit = setup->work != 0 ? setup->work : UINT64_MAX };
    gpu->position = (struct ref_position){ 0 };
    gpu->events = (struct pica_events){ { 0 } };
    gpu->code_open[PICA_UNIT_VERTEX] = false;
    gpu->code_open[PICA_UNIT_GEOMETRY] = false;
    gpu->list_stopped = false;
    gpu->list_jumped = false;
    gpu->in_draw = false;
    gpu->loads += 1u;
    gpu->features_stamp += 1u;
    gpu->pixels = 0;
    gpu->trace.draws = 0;
    gpu->trace.is_active = false;
    return PICA_OK;
}

/* ------------------------------------------------------------------------------------------------------ operations */

/* PSC-12, EXT-CMD-01: a CPU write reaches the engines, the internal registers, or nothing. */
static void cpu_write(struct ref_gpu *gpu, uint32_t address, uint32_t value)
{
    const uint32_t internal = (address & ~3u) - PICA_INTERNAL_ADDRESS;
    if (internal < 0x1000u)
        ref_internal_write(gpu, internal / 4u, value);
    else
        ref_external_write(gpu, address, value);
}

/* EXT-CMD-14. */
static void submit_list(struct ref_gpu *gpu, uint32_t address, uint32_t size)
{
    ref_internal_write(gpu, PICA_REG_CMDBUF_SIZE0, size / 8u);
    ref_internal_write(gpu, PICA_REG_CMDBUF_ADDR0, address / 8u);
    ref_internal_write(gpu, PICA_REG_CMDBUF_JUMP0, 1);
}

static void fill(struct ref_gpu *gpu, uint32_t unit, const uint32_t words[9])
{
    for (uint32_t i = 0; i < 4; i++)
        cpu_write(gpu, PICA_EXTERNAL_ADDRESS + pica_extreg_fill(unit, PICA_EXTREG_FILL0_START) + 4u * i, words[i]);
}

/* The registers of a display transfer or texture copy, in the order of the operation's words. */
static const enum pica_extreg transfer_registers[9] = {
    PICA_EXTREG_XFER_IN,    PICA_EXTREG_XFER_OUT,  PICA_EXTREG_XFER_DIM, PICA_EXTREG_XFER_INDIM, PICA_EXTREG_XFER_FLAGS,
    PICA_EXTREG_XFER_UNK14, PICA_EXTREG_COPY_SIZE, PICA_EXTREG_COPY_IN,  PICA_EXTREG_COPY_OUT,
};

static void transfer(struct ref_gpu *gpu, const uint32_t words[9])
{
    for (uint32_t i = 0; i < 9; i++)
        cpu_write(gpu, PICA_EXTERNAL_ADDRESS + (uint32_t)transfer_registers[i], words[i]);
    cpu_write(gpu, PICA_EXTERNAL_ADDRESS + (uint32_t)PICA_EXTREG_XFER_START, 1);
}

static enum pica_status operate(struct ref_gpu *gpu, const struct pica_operation *operation)
{
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
        ref_write_bytes(gpu, operation->address, operation->data, operation->size);
        return PICA_OK;
    case PICA_OPERATION_SUBMIT_LIST: submit_list(gpu, operation->address, operation->size); return PICA_OK;
    case PICA_OPERATION_WRITE_REGISTER: cpu_write(gpu, operation->address, operation->words[0]); return PICA_OK;
    case PICA_OPERATION_MEMORY_FILL:
        if (operation->unit > 1)
            return PICA_BAD_ARGUMENT;
        fill(gpu, operation->unit, operation->words);
        return PICA_OK;
    case PICA_OPERATION_DISPLAY_TRANSFER: transfer(gpu, operation->words); return PICA_OK;
    case PICA_OPERATION_VERTICAL_BLANK: /* EXT-CMD-11 */
        if (operation->unit > 1)
            return PICA_BAD_ARGUMENT;
        ref_interrupt(gpu, 2u + operation->unit);
        return PICA_OK;
    }
    return PICA_BAD_ARGUMENT;
}

/* Whether an operation can reach the internal registers, and so draw. The others compute with integers alone, so they
 * do not depend on the floating-point modes below. */
static bool may_draw(enum pica_operation_kind kind)
{
    return kind == PICA_OPERATION_SUBMIT_LIST || kind == PICA_OPERATION_WRITE_REGISTER;
}

/*
 * GEN-01, FLT-01: round to nearest, keep subnormals, do not trap. The caller's thread may have other modes (an emulator
 * sets those of its guest), so they are saved and restored. On x86-64 floats are computed by SSE, so its control
 * register is enough; the functions of C would also exchange the state of the x87 unit, which takes as long as the
 * setup of a small triangle.
 */
static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    if (!may_draw(operation->kind))
        return operate(instance, operation);
#ifdef __x86_64__
    const unsigned callers = _mm_getcsr();
    _mm_setcsr(0x1F80); /* what a program starts with */
    const enum pica_status status = operate(instance, operation);
    _mm_setcsr(callers);
#else
    fenv_t callers;
    (void)fegetenv(&callers);
    (void)fesetenv(FE_DFL_ENV);
    const enum pica_status status = operate(instance, operation);
    (void)fesetenv(&callers);
#endif
    return status;
}

/* --------------------------------------------------------------------------------------------------------- results */

/* Reads by the caller are not reads by the GPU, so they do not mark pages as read. */
static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    struct ref_gpu *gpu = instance;
    uint64_t *const tracked = gpu->read;
    gpu->read = NULL;
    ref_read_bytes(gpu, address, out, size);
    gpu->read = tracked;
    return PICA_OK;
}

static enum pica_status read_state(void *instance, struct pica_state *out)
{
    struct pica_state_blocks zeros = { { 0 } };
    dump_state(instance, out, &zeros);
    return PICA_OK;
}

enum pica_status ref_view_state(void *instance, const struct pica_state **state, struct pica_state_blocks *zeros)
{
    struct ref_gpu *gpu = instance;
    dump_state(gpu, &gpu->dump, &gpu->dump_zeros);
    *state = &gpu->dump;
    *zeros = gpu->dump_zeros;
    return PICA_OK;
}

static enum pica_status read_events(void *instance, struct pica_events *out)
{
    const struct ref_gpu *gpu = instance;
    *out = gpu->events;
    return PICA_OK;
}

static enum pica_status view_memory(void *instance, uint32_t window, const uint8_t **bytes)
{
    const struct ref_gpu *gpu = instance;
    if (window >= gpu->window_count)
        return PICA_BAD_ARGUMENT;
    *bytes = gpu->arena + (size_t)gpu->windows[window].first_page * PICA_PAGE_SIZE;
    return PICA_OK;
}

static bool is_marked(const uint64_t *bitmap, uint32_t page)
{
    return (bitmap[page / 64u] >> (page % 64u) & 1u) != 0;
}

static enum pica_status touched_pages(void *instance, uint32_t window, int which, uint64_t *bitmap, size_t words)
{
    const struct ref_gpu *gpu = instance;
    if (window >= gpu->window_count || (which != PICA_PAGES_WRITTEN && which != PICA_PAGES_READ))
        return PICA_BAD_ARGUMENT;
    const uint64_t *const source = which == PICA_PAGES_WRITTEN ? gpu->written : gpu->read;
    const uint32_t pages = gpu->windows[window].size / PICA_PAGE_SIZE;
    if (source == NULL)
        return PICA_NOT_SUPPORTED;
    if (words < (pages + 63u) / 64u)
        return PICA_BAD_ARGUMENT;
    for (uint32_t page = 0; page < pages; page++)
        if (is_marked(source, gpu->windows[window].first_page + page))
            bitmap[page / 64u] |= UINT64_C(1) << (page % 64u);
    return PICA_OK;
}

static enum pica_status observe_draws(void *instance, pica_draw_observer observer, void *user)
{
    struct ref_gpu *gpu = instance;
    gpu->draw_observer = observer;
    gpu->draw_user = user;
    return PICA_OK;
}

static void note_watchers(struct ref_gpu *gpu)
{
    gpu->is_watched = gpu->features != NULL || gpu->trace.sink != NULL;
}

static enum pica_status observe_features(void *instance, uint8_t *counters, size_t size)
{
    struct ref_gpu *gpu = instance;
    if (counters != NULL && size < PICA_FEATURE_TOTAL)
        return PICA_BAD_ARGUMENT;
    gpu->features = counters;
    gpu->features_stamp += 1u;
    note_watchers(gpu);
    return PICA_OK;
}

enum pica_status ref_observe_visits(void *instance, const struct pica_visits *visits)
{
    const enum pica_status status = ref_history_set(instance, visits);
    note_watchers(instance);
    return status;
}

static enum pica_status trace(void *instance, const struct pica_trace_request *request, pica_trace_sink sink,
                              void *user)
{
    struct ref_gpu *gpu = instance;
    ref_forget_watcher(gpu);
    if (request != NULL && sink != NULL) {
        gpu->trace.request = *request;
        gpu->trace.sink = sink;
        gpu->trace.user = user;
    }
    note_watchers(gpu);
    return PICA_OK;
}

/* ------------------------------------------------------------------------------------------------------- snapshots */

/* The machine between two operations, and the pages that were written so far, in ascending order. */
struct snapshot {
    struct pica_state state;
    struct pica_events events;
    bool code_open[2];
    uint32_t draws; /* since load; trace requests count draws so */
    struct ref_work work;
    uint64_t written[REF_BITMAP_WORDS];
    uint8_t *pages;
};

static void discard(void *instance, void *snapshot)
{
    struct snapshot *saved = snapshot;
    (void)instance;
    if (saved != NULL)
        free(saved->pages);
    free(saved);
}

static size_t count_marked(const uint64_t *bitmap, uint32_t pages)
{
    size_t count = 0;
    for (uint32_t page = 0; page < pages; page++)
        count += is_marked(bitmap, page);
    return count;
}

static enum pica_status save(void *instance, void **snapshot)
{
    const struct ref_gpu *gpu = instance;
    const size_t marked = count_marked(gpu->written, gpu->arena_pages);
    struct snapshot *saved = calloc(1, sizeof *saved);
    *snapshot = NULL;
    if (saved == NULL)
        return PICA_NO_MEMORY;
    saved->pages = malloc(marked * PICA_PAGE_SIZE + 1u);
    if (saved->pages == NULL) {
        discard(instance, saved);
        return PICA_NO_MEMORY;
    }
    struct pica_state_blocks zeros = { { 0 } };
    ref_state_copy(gpu, &saved->state, &zeros);
    saved->events = gpu->events;
    saved->work = gpu->work;
    saved->draws = gpu->trace.draws;
    memcpy(saved->code_open, gpu->code_open, sizeof saved->code_open);
    memcpy(saved->written, gpu->written, sizeof saved->written);
    uint8_t *out = saved->pages;
    for (uint32_t page = 0; page < gpu->arena_pages; page++)
        if (is_marked(gpu->written, page)) {
            memcpy(out, gpu->arena + (size_t)page * PICA_PAGE_SIZE, PICA_PAGE_SIZE);
            out += PICA_PAGE_SIZE;
        }
    *snapshot = saved;
    return PICA_OK;
}

/* Pages that were first written after the snapshot become 0 again. They stay marked as written, which touched_pages
 * allows. */
static enum pica_status restore(void *instance, const void *snapshot)
{
    struct ref_gpu *gpu = instance;
    const struct snapshot *saved = snapshot;
    const uint8_t *in = saved->pages;
    for (uint32_t page = 0; page < gpu->arena_pages; page++) {
        uint8_t *const bytes = gpu->arena + (size_t)page * PICA_PAGE_SIZE;
        if (is_marked(saved->written, page)) {
            memcpy(bytes, in, PICA_PAGE_SIZE);
            in += PICA_PAGE_SIZE;
        } else if (is_marked(gpu->written, page)) {
            memset(bytes, 0, PICA_PAGE_SIZE);
        }
    }
    for (size_t i = 0; i < REF_BITMAP_WORDS; i++)
        gpu->written[i] |= saved->written[i];
    set_state(gpu, &saved->state);
    gpu->events = saved->events;
    gpu->work = saved->work;
    gpu->trace.draws = saved->draws;
    memcpy(gpu->code_open, saved->code_open, sizeof gpu->code_open);
    return PICA_OK;
}

/* PDC-01, PDC-05. */
static enum pica_status scan_out(void *instance, uint32_t screen, int right_eye, uint8_t *rgb, size_t size)
{
    const enum ref_screen shown = screen == 0u ? REF_SCREEN_TOP : REF_SCREEN_BOTTOM;
    if (screen > 1u || size != (size_t)ref_screen_columns(shown) * REF_SCREEN_LINES * 3u)
        return PICA_BAD_ARGUMENT;
    ref_scan_out(instance, shown, right_eye ? REF_EYE_RIGHT : REF_EYE_LEFT, rgb);
    return PICA_OK;
}

static const struct pica_models models = {
    .size = sizeof models,
    .parts = PICA_PARTS_ALL,
    .budgets = PICA_BUDGETS_ALL,
    .float24 = 1,
};

static const struct pica_backend backend = {
    .abi = PICA_BACKEND_ABI,
    .name = "reference",
    .summary = "clear scalar implementation of the specification",
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
    .observe_features = observe_features,
    .size = sizeof(struct pica_backend),
    .models = &models,
};

const struct pica_backend *ref_backend(void)
{
    return &backend;
}
