#include "harness/console/gate.h"

#include "harness/case/little.h"
#include "harness/case/state.h"
#include "harness/console/footprint.h"
#include "harness/console/hangs.h"
#include "harness/console/payload.h"
#include "harness/console/prologue.h"
#include "harness/console/walk.h"
#include "harness/run/backends.h"
#include "harness/run/image.h"
#include "harness/run/runner.h"
#include "oracles/pixels.h"
#include "pica/events.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LIST_ADDRESS = 0x18000000, /* of the prologue, when `reference` runs it */
    MOST_DRAWS = 1 << 16,
    MOST_DEPTHS = 16,   /* depth buffers of one operation; of more, the last ones count as colours */
    MOST_REASONS = 4096 /* bytes; more says nothing new */
};

struct console_gates {
    bool may_hang, any_hang;
    const struct pica_backend *reference;
    struct harness_runner *wanted; /* from the state that the case wants */
    struct harness_runner *found;  /* from noise and the prologue */
    struct pica_state noise;
    struct pica_state reset; /* found once, by find_reset */
    bool knows_reset;
    /* Of the case at hand. */
    const struct harness_program *program;
    struct console_plan *plan;
    struct pica_setup wanted_setup, found_setup; /* borrowed by the runners */
    struct pica_state want, start;
    struct pica_events events;
    uint8_t *image;                   /* of all windows, before the operation at hand */
    struct console_draw_place *draws; /* of the operation at hand */
    size_t draw_count;
    uint32_t draws_so_far;
    uint32_t depths[MOST_DEPTHS][2]; /* depth buffers of the operation at hand: first byte, end */
    uint32_t depth_count;
    bool geometry_drawn; /* with a geometry shader */
    bool geometry_then_none, unit1_4_bit;
};

void console_plan_free(struct console_plan *plan)
{
    for (uint32_t i = 0; i < plan->step_count; i++)
        free(plan->steps[i].list);
    free(plan->steps);
    harness_text_free(&plan->reasons);
    memset(plan, 0, sizeof *plan);
}

void console_wanted_state(const struct pica_setup *setup, struct pica_state *out)
{
    if (setup->initial_state != NULL)
        *out = *setup->initial_state;
    else
        harness_state_reset(out);
}

/* ------------------------------------------------------------------------------------------------------------ life */

/* A state full of noise, always the same. Interrupts are left to the system (CON-54). The queues of uniforms are empty:
 * no write can empty one whose length is not known, and check_end refuses cases that leave something in one. */
static void make_noise(struct pica_state *out)
{
    struct harness_state state;
    harness_state_init(&state);
    uint32_t seed = 0x2545F491;
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++) {
            seed = seed * 1664525u + 1013904223u;
            const uint32_t most = harness_parts[part].maximum;
            harness_part_set(&state.values, part, i, most == UINT32_MAX ? seed : (seed >> 8) % (most + 1));
        }
    state.given = UINT64_MAX >> (64 - harness_part_count);
    for (uint32_t unit = 0; unit < 2; unit++)
        state.values.units[unit].queue_length = 0;
    struct pica_state reset;
    harness_state_reset(&reset);
    memcpy(state.values.registers, reset.registers, PICA_REG_FACECULLING_CONFIG * sizeof(uint32_t));
    memcpy(state.values.external, reset.external, sizeof reset.external);
    harness_state_normalise(&state);
    *out = state.values;
}

enum harness_status console_gates_create(bool may_hang, struct console_gates **out, struct harness_error *error)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    *out = NULL;
    struct console_gates *const gates = calloc(1, sizeof *gates);
    if (gates == NULL)
        return harness_fail_memory(error);
    gates->may_hang = may_hang;
    gates->reference = harness_linked_backend(HARNESS_REFERENCE);
    gates->draws = calloc(MOST_DRAWS, sizeof *gates->draws);
    make_noise(&gates->noise);
    if (gates->draws == NULL || harness_runner_create(gates->reference, &options, &gates->wanted) != PICA_OK ||
        harness_runner_create(gates->reference, &options, &gates->found) != PICA_OK) {
        console_gates_destroy(gates);
        return harness_fail_memory(error);
    }
    harness_runner_hide_screens(gates->wanted, true); /* noise lights them, and nobody looks */
    harness_runner_hide_screens(gates->found, true);
    *out = gates;
    return HARNESS_OK;
}

void console_gates_allow_hangs(struct console_gates *gates)
{
    gates->may_hang = gates->any_hang = true;
}

void console_gates_destroy(struct console_gates *gates)
{
    if (gates == NULL)
        return;
    harness_runner_destroy(gates->wanted);
    harness_runner_destroy(gates->found);
    free(gates->draws);
    free(gates->image);
    free(gates);
}

/* --------------------------------------------------------------------------------------------------------- reasons */

static void refuse(struct console_gates *gates, const char *format, uint32_t number, const char *text)
{
    harness_text_format(&gates->plan->reasons, format, number, text);
}

/*
 * Never run: events that say where the case would read or write, or that it does not end by itself; and sizes with
 * which our rules do nothing, but a console that takes them for large ones writes beyond the windows (CON-55).
 */
static bool is_wild(enum pica_event event)
{
    static const enum pica_event wild[] = {
        PICA_EVENT_MEM_OOB,
        PICA_EVENT_CMDLIST_OOB,
        PICA_EVENT_PARAMS_PAST_END,
        PICA_EVENT_TEX_OOB,
        PICA_EVENT_INDEX_OOB,
        PICA_EVENT_FB_UNMAPPED,
        PICA_EVENT_OUTSIDE_FRAMEBUFFER,
        PICA_EVENT_CPU_ONLY_REG,
        PICA_EVENT_REG_ID_RANGE,
        PICA_EVENT_BUDGET_CMDS,
        PICA_EVENT_BUDGET_VERTS,
        PICA_EVENT_BUDGET_INSTR,
        PICA_EVENT_BUDGET_EMIT,
        PICA_EVENT_BUDGET_PIXELS,
        PICA_EVENT_BUDGET_WORK,
        PICA_EVENT_CMDBUF_HIGH_BITS,
        PICA_EVENT_FILL_EMPTY,
        PICA_EVENT_FILL_INVERTED,
        PICA_EVENT_XFER_ZERO_SIZE,
        PICA_EVENT_XFER_TOO_LARGE,
        PICA_EVENT_COPY_TOO_LARGE,
    };
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++)
        if (wild[i] == event)
            return true;
    return false;
}

/* A suspected hang: one may pass with --may-hang, a second one not. */
static void suspect(struct console_gates *gates, uint32_t operation, const char *name)
{
    struct console_plan *const plan = gates->plan;
    const char *const rule = console_hang_rule(name);
    if (plan->suspect != NULL && strcmp(plan->suspect, name) == 0)
        return;
    if (!gates->may_hang && rule != NULL)
        harness_text_format(&plan->reasons, "operation %" PRIu32 ": event %s (hangs a console, %s)\n", operation, name,
                            rule);
    else if (!gates->may_hang)
        refuse(gates, "operation %" PRIu32 ": event %s (undefined, may hang)\n", operation, name);
    else if (plan->suspect != NULL && !gates->any_hang)
        refuse(gates, "operation %" PRIu32 ": a second event, %s\n", operation, name);
    plan->suspect = plan->suspect == NULL ? name : plan->suspect;
}

/* Events that the operation added. */
static void check_events(struct console_gates *gates, uint32_t operation)
{
    struct pica_events now;
    if (harness_runner_events(gates->wanted, &now) != PICA_OK)
        return;
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++) {
        if (!pica_events_has(&now, (enum pica_event)event) || pica_events_has(&gates->events, (enum pica_event)event))
            continue;
        const char *const name = console_hang_name((enum pica_event)event);
        if (is_wild((enum pica_event)event))
            refuse(gates, "operation %" PRIu32 ": event %s: leaves its windows, or does not end\n", operation, name);
        else if (pica_event_only_hints((enum pica_event)event))
            gates->plan->open = name;
        else
            suspect(gates, operation, name);
    }
    gates->events = now;
}

/* HNG-05 to HNG-07, but for those in lists. */
static void check_hangs(struct console_gates *gates, uint32_t index)
{
    const struct pica_operation *const operation = &gates->program->operations[index];
    if (gates->geometry_then_none)
        suspect(gates, index, CONSOLE_HANG_GEOMETRY);
    if (gates->unit1_4_bit)
        suspect(gates, index, CONSOLE_HANG_UNIT1);
    if (operation->kind == PICA_OPERATION_WRITE_REGISTER &&
        console_upper_half((operation->address - PICA_INTERNAL_ADDRESS) / 4, operation->words[0], 0xF))
        suspect(gates, index, CONSOLE_HANG_UPPER_HALF);
    gates->geometry_then_none = gates->unit1_4_bit = false;
}

/* ---------------------------------------------------------------------------------------------------- two machines */

/* HNG-05, HNG-06: what a draw sees in registers. */
static void note_hangs(struct console_gates *gates, const uint32_t *registers)
{
    const uint32_t format = pica_texunit_type_format(registers[PICA_REG_TEXUNIT1_TYPE]);
    const bool is_4_bit =
        format == PICA_TEXTURE_FORMAT_I4 || format == PICA_TEXTURE_FORMAT_A4 || format == PICA_TEXTURE_FORMAT_ETC1;
    const uint32_t address = pica_texunit_addr_address(registers[PICA_REG_TEXUNIT1_ADDR]) << 3;
    const bool geometry = pica_geostage_config_mode(registers[PICA_REG_GEOSTAGE_CONFIG]) != PICA_GEOSTAGE_MODE_OFF;
    if (is_4_bit && pica_texunit_config_unit_enable_at(registers[PICA_REG_TEXUNIT_CONFIG], 1) != 0 &&
        console_range_in(address, 1, PICA_VRAM_ADDRESS, PICA_VRAM_SIZE))
        gates->unit1_4_bit = true;
    gates->geometry_then_none = gates->geometry_then_none || (gates->geometry_drawn && !geometry);
    gates->geometry_drawn = gates->geometry_drawn || geometry;
}

/* HNG-01: one of no vertices leaves nothing to flush. */
static bool takes_vertices(const struct pica_draw *draw)
{
    return (draw->trigger != PICA_REG_DRAWARRAYS && draw->trigger != PICA_REG_DRAWELEMENTS) ||
           pica_numvertices_count(draw->registers[PICA_REG_NUMVERTICES]) != 0;
}

static void note_depth(struct console_gates *gates, const uint32_t *registers)
{
    struct oracle_surface surface;
    if ((registers[PICA_REG_DEPTHBUFFER_WRITE] & 3u) == 0 || !oracle_depth_surface(registers, NULL, &surface))
        return;
    if (gates->depth_count == MOST_DEPTHS) { /* too many: all memory counts as depth, the safe side */
        gates->depths[0][0] = 0;
        gates->depths[0][1] = UINT32_MAX;
        return;
    }
    const uint64_t end = surface.address + oracle_surface_bytes(&surface);
    for (uint32_t i = 0; i < gates->depth_count; i++)
        if (gates->depths[i][0] == surface.address && gates->depths[i][1] == end)
            return;
    gates->depths[gates->depth_count][0] = surface.address;
    gates->depths[gates->depth_count++][1] = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
}

static void note_target(struct console_plan *plan, const uint32_t *registers)
{
    struct oracle_surface surface;
    if ((registers[PICA_REG_COLORBUFFER_WRITE] & 0xFu) == 0 || !oracle_color_surface(registers, NULL, &surface))
        return;
    plan->has_target = true;
    plan->target = surface;
}

static void take_draw(void *user, const struct pica_draw *draw)
{
    struct console_gates *const gates = user;
    note_hangs(gates, draw->registers);
    note_depth(gates, draw->registers);
    note_target(gates->plan, draw->registers);
    if (takes_vertices(draw) && gates->draw_count < MOST_DRAWS)
        gates->draws[gates->draw_count++] = (struct console_draw_place){ draw->list_address, draw->list_word };
    if (gates->plan->reasons.size < MOST_REASONS)
        console_check_draw(&gates->program->setup, draw, gates->draws_so_far, &gates->plan->reasons);
    gates->draws_so_far++;
}

/* Runs a prologue from a state; what it leaves is *out. */
static enum pica_status run_prologue(struct console_gates *gates, const struct console_words *list,
                                     const struct pica_state *from, struct pica_state *out)
{
    const struct pica_window window = { LIST_ADDRESS, 0x100000 };
    const uint32_t bytes = (uint32_t)(list->count * sizeof(uint32_t));
    const struct pica_setup setup = {
        .windows = &window, .window_count = 1, .initial_state = from, .limits = harness_limits_default()
    };
    const struct pica_operation operations[2] = {
        { .kind = PICA_OPERATION_LOAD_MEMORY,
          .address = LIST_ADDRESS,
          .size = bytes,
          .data = (const uint8_t *)list->items },
        { .kind = PICA_OPERATION_SUBMIT_LIST, .address = LIST_ADDRESS, .size = bytes },
    };
    enum pica_status status = harness_runner_load(gates->found, &setup);
    for (size_t i = 0; status == PICA_OK && i < 2; i++)
        status = harness_runner_step(gates->found, &operations[i]);
    struct oracle_run run;
    if (status == PICA_OK)
        status = harness_runner_collect(gates->found, &run);
    if (status == PICA_OK)
        *out = *run.state;
    return status;
}

/* The state that the prologue for the reset state makes of noise. It is the same for all cases, so it is found once. */
static enum pica_status find_reset(struct console_gates *gates)
{
    struct console_words list = { .items = NULL };
    struct pica_state reset;
    if (gates->knows_reset)
        return PICA_OK;
    harness_state_reset(&reset);
    console_prologue(&list, NULL, &reset);
    const enum pica_status status =
        list.failed ? PICA_NO_MEMORY : run_prologue(gates, &list, &gates->noise, &gates->reset);
    gates->knows_reset = status == PICA_OK;
    console_words_free(&list);
    return status;
}

/* The state in which a console begins the case: what the prologue for the state that the case wants makes of that. */
static enum pica_status find_start(struct console_gates *gates)
{
    struct console_words list = { .items = NULL };
    struct pica_state reset;
    harness_state_reset(&reset);
    console_prologue(&list, &reset, &gates->want);
    enum pica_status status = list.failed ? PICA_NO_MEMORY : find_reset(gates);
    gates->start = gates->reset;
    if (status == PICA_OK && list.count != 0)
        status = run_prologue(gates, &list, &gates->reset, &gates->start);
    console_words_free(&list);
    return status;
}

static enum pica_status load_both(struct console_gates *gates)
{
    gates->wanted_setup = gates->found_setup = gates->program->setup;
    gates->wanted_setup.initial_state = &gates->want;
    gates->found_setup.initial_state = &gates->start;
    enum pica_status status = harness_runner_load(gates->wanted, &gates->wanted_setup);
    if (status == PICA_OK)
        status = harness_runner_load(gates->found, &gates->found_setup);
    if (status == PICA_OK && gates->reference->observe_draws != NULL)
        status = gates->reference->observe_draws(harness_runner_instance(gates->wanted), take_draw, gates);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- memory */

static uint32_t add_to_crc(uint32_t crc, uint32_t address, const uint8_t *page)
{
    uint8_t bytes[4];
    (void)harness_store32(bytes, address);
    return (uint32_t)crc32(crc32(crc, bytes, sizeof bytes), page, CONSOLE_PAGE);
}

static bool is_depth(const struct console_gates *gates, uint32_t page)
{
    for (uint32_t i = 0; i < gates->depth_count; i++)
        if (page < gates->depths[i][1] && (uint64_t)page + CONSOLE_PAGE > gates->depths[i][0])
            return true;
    return false;
}

/* What a page that the operation changed needs to come back. */
static void note_need(struct console_gates *gates, const struct pica_operation *operation, uint32_t page)
{
    struct console_plan *const plan = gates->plan;
    if (operation->kind == PICA_OPERATION_MEMORY_FILL) {
        plan->needs |= CONSOLE_CASE_FILLED;
    } else if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER) {
        plan->needs |= (operation->words[4] & 8u) != 0 ? CONSOLE_CASE_COPIED : CONSOLE_CASE_TRANSFERRED;
    } else if (operation->kind == PICA_OPERATION_SUBMIT_LIST && !is_depth(gates, page)) {
        plan->needs |= CONSOLE_CASE_COLOR;
    } else if (operation->kind == PICA_OPERATION_SUBMIT_LIST) {
        plan->needs |= CONSOLE_CASE_DEPTH;
        if (plan->depth[1] == 0 || page < plan->depth[0])
            plan->depth[0] = page;
        if (page + CONSOLE_PAGE > plan->depth[1])
            plan->depth[1] = page + CONSOLE_PAGE;
    }
}

/* Notes by page what operation `index` changed against the image, and brings the image up to date. */
static void note_changes(struct console_gates *gates, const struct oracle_run *run, uint32_t index)
{
    struct console_step_plan *const step = &gates->plan->steps[index];
    uint8_t *image = gates->image;
    for (uint32_t w = 0; w < run->window_count; w++)
        for (uint32_t at = 0; at < run->windows[w].size; at += CONSOLE_PAGE, image += CONSOLE_PAGE) {
            const uint8_t *const now = run->memory[w] + at;
            if (memcmp(image, now, CONSOLE_PAGE) == 0)
                continue;
            memcpy(image, now, CONSOLE_PAGE);
            note_need(gates, &gates->program->operations[index], run->windows[w].address + at);
            step->crc = add_to_crc(step->crc, run->windows[w].address + at, now);
            step->pages++;
        }
}

static bool same_memory(const struct oracle_run *a, const struct oracle_run *b)
{
    for (uint32_t w = 0; w < a->window_count; w++)
        if (memcmp(a->memory[w], b->memory[w], a->windows[w].size) != 0)
            return false;
    return true;
}

/* --------------------------------------------------------------------------------------------------------- one list */

static const uint8_t *in_image(const struct console_gates *gates, uint32_t address, uint32_t bytes)
{
    return bytes != 0 ? harness_image_at(&gates->program->setup, gates->image, address, bytes) : NULL;
}

static void walk_list(struct console_gates *gates, const struct pica_operation *operation,
                      const uint32_t registers[PICA_REGISTERS], struct console_walk *walk)
{
    const uint8_t *bytes[PICA_MAX_WINDOWS];
    const struct pica_setup *const setup = &gates->program->setup;
    const uint8_t *image = gates->image;
    for (uint32_t w = 0; w < setup->window_count; image += setup->windows[w].size, w++)
        bytes[w] = image;
    *walk = (struct console_walk){ .windows = setup->windows,
                                   .bytes = bytes,
                                   .window_count = setup->window_count,
                                   .draws = gates->draws,
                                   .draw_count = gates->draw_count };
    memcpy(walk->cmdbuf, registers + PICA_REG_CMDBUF_SIZE0, sizeof walk->cmdbuf);
    console_walk_list(walk, operation->address, operation->size);
}

/* The words up to FINALIZE, as the list stood before it ran: the copy that runs in linear memory. */
static bool copy_list(struct console_gates *gates, const struct pica_operation *operation,
                      const struct console_walk *walk, struct console_step_plan *step)
{
    const uint32_t bytes = walk->finalize_address - operation->address;
    const uint8_t *const from = in_image(gates, operation->address, bytes == 0 ? 4 : bytes);
    step->list_words = bytes / 4;
    step->finalize_value = walk->finalize_value;
    step->list = calloc((size_t)bytes / 4 + 1, sizeof *step->list);
    if (step->list != NULL && from != NULL)
        memcpy(step->list, from, bytes);
    return step->list != NULL && from != NULL;
}

/* How the list of an operation is to run. `run` is after the operation, the image still before it. False: no memory. */
static bool plan_list(struct console_gates *gates, uint32_t index, const struct pica_operation *operation,
                      const uint32_t registers[PICA_REGISTERS], const struct oracle_run *run)
{
    struct console_step_plan *const step = &gates->plan->steps[index];
    struct console_walk walk;
    walk_list(gates, operation, registers, &walk);
    step->is_list = true;
    if (!walk.finalizes) {
        refuse(gates, "operation %" PRIu32 ": its list has no command of its own for FINALIZE%s\n", index, "");
        return true;
    }
    if (walk.masked_finalize)
        refuse(gates, "operation %" PRIu32 ": FINALIZE keeps bytes of what was there%s\n", index, "");
    if (walk.unaligned)
        refuse(gates, "operation %" PRIu32 ": the size of a list is no multiple of 16 bytes (%s)\n", index, "HNG-04");
    if (walk.flush_without_draw)
        suspect(gates, index, CONSOLE_HANG_FLUSH);
    if (walk.upper_half)
        suspect(gates, index, CONSOLE_HANG_UPPER_HALF);
    const uint8_t *const before = in_image(gates, operation->address, operation->size);
    bool overwritten = before == NULL;
    for (uint32_t w = 0; w < run->window_count && !overwritten; w++)
        if (console_range_in(operation->address, operation->size, run->windows[w].address, run->windows[w].size))
            overwritten =
                memcmp(before, run->memory[w] + (operation->address - run->windows[w].address), operation->size) != 0;
    step->from_vram = walk.jumps || overwritten;
    step->add_flush = walk.unflushed;
    if (step->from_vram && walk.unflushed)
        refuse(gates, "operation %" PRIu32 ": draws are not flushed, and its list must run where it is%s\n", index, "");
    return step->from_vram || copy_list(gates, operation, &walk, step);
}

/* ----------------------------------------------------------------------------------------------------------- a case */

/* State that the prologue could not set, for people. */
static void name_state(struct console_gates *gates, struct harness_text *out)
{
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++)
            if (harness_part_get(&gates->want, part, i) != harness_part_get(&gates->start, part, i) &&
                part != PICA_STATE_REGISTERS && part != PICA_STATE_INTERRUPTS) {
                harness_text_format(out, " %s", harness_parts[part].name);
                break;
            }
}

static void refuse_state(struct console_gates *gates, uint32_t operation)
{
    struct harness_text names = { 0 };
    name_state(gates, &names);
    refuse(gates, "operation %" PRIu32 ": depends on state that no register can set, among:%s\n", operation,
           harness_text_string(&names));
    harness_text_free(&names);
}

/* One operation on both machines. *same: they left the same memory. */
static enum pica_status step_both(struct console_gates *gates, uint32_t index, bool *same)
{
    const struct pica_operation *const operation = &gates->program->operations[index];
    struct oracle_run before, wanted, found;
    uint32_t registers[PICA_REGISTERS];
    const bool is_list = operation->kind == PICA_OPERATION_SUBMIT_LIST;
    enum pica_status status = is_list ? harness_runner_collect(gates->wanted, &before) : PICA_OK;
    if (status == PICA_OK && is_list)
        memcpy(registers, before.state->registers, sizeof registers);
    gates->draw_count = gates->depth_count = 0;
    if (status == PICA_OK)
        status = harness_runner_step(gates->wanted, operation);
    if (status == PICA_OK)
        status = harness_runner_step(gates->found, operation);
    if (status == PICA_OK)
        status = harness_runner_collect(gates->wanted, &wanted);
    if (status == PICA_OK)
        status = harness_runner_collect(gates->found, &found);
    if (status != PICA_OK)
        return status;
    if (is_list && !plan_list(gates, index, operation, registers, &wanted))
        return PICA_NO_MEMORY;
    note_changes(gates, &wanted, index);
    *same = same_memory(&wanted, &found);
    return PICA_OK;
}

/* The next case must not find half a uniform: nothing can take it out again. */
static void check_end(struct console_gates *gates)
{
    struct oracle_run run;
    if (harness_runner_collect(gates->wanted, &run) != PICA_OK)
        return;
    for (uint32_t unit = 0; unit < 2; unit++)
        if (run.state->units[unit].queue_length != 0)
            refuse(gates, "leaves %" PRIu32 " words in the queue of uniforms of the %s shader\n",
                   run.state->units[unit].queue_length, unit == PICA_UNIT_VERTEX ? "vertex" : "geometry");
}

static void check_start(struct console_gates *gates)
{
    struct pica_state reset;
    harness_state_reset(&reset);
    for (uint32_t id = 0; id < PICA_REG_FACECULLING_CONFIG; id++)
        if (gates->want.registers[id] != reset.registers[id] && id != PICA_REG_FINALIZE)
            refuse(gates, "begins with interrupt register 0x%03" PRIX32 " changed%s\n", id, "");
    for (uint32_t unit = 0; unit < 2; unit++)
        if (gates->want.units[unit].queue_length != 0)
            refuse(gates, "begins with %" PRIu32 " words in the queue of uniforms of the %s shader\n",
                   gates->want.units[unit].queue_length, unit == PICA_UNIT_VERTEX ? "vertex" : "geometry");
}

/* The image before the first operation. */
static bool take_image(struct console_gates *gates)
{
    struct oracle_run run;
    if (harness_runner_collect(gates->wanted, &run) != PICA_OK)
        return false;
    free(gates->image);
    gates->image = malloc(harness_image_size(&gates->program->setup));
    if (gates->image != NULL)
        harness_image_take(&run, gates->image);
    return gates->image != NULL;
}

static enum harness_status run_case(struct console_gates *gates, struct harness_error *error)
{
    if (find_start(gates) != PICA_OK || load_both(gates) != PICA_OK || !take_image(gates))
        return harness_fail_memory(error);
    bool same = true;
    for (uint32_t i = 0; i < gates->program->count && same; i++) {
        const enum pica_status status = step_both(gates, i, &same);
        if (status != PICA_OK)
            return harness_runner_fail(gates->wanted, "an operation", status, error);
        check_events(gates, i);
        check_hangs(gates, i);
        if (!same)
            refuse_state(gates, i);
    }
    check_end(gates);
    return HARNESS_OK;
}

enum harness_status console_gates_ask(struct console_gates *gates, const struct harness_program *program,
                                      struct console_plan *plan, struct harness_error *error)
{
    console_plan_free(plan);
    gates->program = program;
    gates->plan = plan;
    gates->events = (struct pica_events){ { 0 } };
    gates->draws_so_far = 0;
    gates->geometry_drawn = gates->geometry_then_none = gates->unit1_4_bit = false;
    console_wanted_state(&program->setup, &gates->want);
    plan->steps = calloc((size_t)program->count + 1, sizeof *plan->steps);
    if (plan->steps == NULL)
        return harness_fail_memory(error);
    plan->step_count = program->count;
    plan->needs = CONSOLE_CASE_LOADED;
    console_check_windows(&program->setup, &plan->reasons);
    for (uint32_t i = 0; i < program->count && plan->reasons.size < MOST_REASONS; i++)
        console_check_operation(&program->operations[i], i, &plan->reasons);
    check_start(gates);
    const enum harness_status status = run_case(gates, error);
    return status == HARNESS_OK && plan->reasons.failed ? harness_fail_memory(error) : status;
}
