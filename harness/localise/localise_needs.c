/*
 * What the difference of one command needs, by experiment: the command runs alone, from a copy of the state before it.
 * Does it show the difference then, or does it need more of what came before than the state? If it draws: does it with
 * other fields, tables, texels, too? Those that it can do without become what programs usually send, and stay so for
 * the experiments that come after; the rule is named by those that are left.
 */
#include "harness/case/pcase_names.h"
#include "harness/case/usual.h"
#include "harness/localise/broken_rule.h"
#include "harness/localise/broken_rule_match.h"
#include "harness/localise/localise_parts.h"
#include "harness/run/checkpoint.h"
#include "harness/run/compare.h"
#include "oracles/pixels.h"
#include "oracles/texture.h"
#include "pica/extregs.h"
#include "pica/fields.h"
#include "pica/stages.h"
#include "pica/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CONTENTS = 6, /* of an experiment: the faces of a cube */
    LIST_BYTES = 2048, /* of one command: at most a header, 256 parameters and padding, in multiples of 16 (SUB-02) */
    MOST_CHANGES = 64  /* of registers between draws that are taken back, one at a time: each runs the case again */
};

/* A command alone. */
struct harness_alone {
    struct harness_localise *search;
    uint32_t number; /* of the command, from 1 */
    enum harness_localise_part part;
    bool ran, differs;  /* with nothing changed, in that part; and then: */
    bool both_write;    /* both change memory */
    uint32_t own_parts; /* bit enum harness_localise_part: differs */
    struct pica_events events[2];
    struct harness_checkpoint *checkpoint;         /* a side that shows its state, before the command */
    struct pica_state state;                       /* what the runs begin from */
    struct pica_operation contents[MOST_CONTENTS]; /* loaded before the list */
    uint32_t content_count;
    struct pica_operation load, submit;
    uint8_t bytes[LIST_BYTES];
};

/* A list that holds the command alone, at the end of a window, where a case seldom has anything. False if it does not
 * fit. */
static bool make_list(const struct pica_setup *setup, const struct harness_command *command, uint8_t *bytes,
                      struct pica_operation *load, struct pica_operation *submit)
{
    const struct harness_list list = { .commands = command, .count = 1 };
    struct harness_data data = { .kind = HARNESS_DATA_LIST, .list = list };
    const uint64_t size = harness_data_size(&data, true);
    const struct pica_window *const window = &setup->windows[setup->window_count - 1u];
    if (setup->window_count == 0 || size > LIST_BYTES || size > window->size)
        return false;
    harness_data_write(&data, true, bytes);
    const uint32_t address = window->address + window->size - (uint32_t)size;
    *load = (struct pica_operation){
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = address, .size = (uint32_t)size, .data = bytes
    };
    *submit = (struct pica_operation){ .kind = PICA_OPERATION_SUBMIT_LIST, .address = address, .size = (uint32_t)size };
    return true;
}

static bool take_state(struct harness_alone *alone, uint32_t commands)
{
    struct harness_localise *const search = alone->search;
    const int side = harness_localise_shares_state(search->runners[0]) ? 0 : 1;
    if (harness_localise_load(search, side, commands != 0 ? commands : 1) != PICA_OK ||
        ((commands != 0 || search->replays) && harness_localise_run(search, side, commands) != PICA_OK) ||
        harness_checkpoint_take(alone->checkpoint, search->runners[side], &search->program->setup) != PICA_OK)
        return false;
    alone->state = *harness_checkpoint_setup(alone->checkpoint)->initial_state;
    return true;
}

/* Runs it on both sides. *ran: that was possible. */
static bool shows(struct harness_alone *alone, bool *ran)
{
    struct harness_localise *const search = alone->search;
    struct pica_setup *const setup = harness_checkpoint_setup(alone->checkpoint);
    struct harness_error error = { "" };
    setup->initial_state = &alone->state;
    *ran = true;
    for (int side = 0; side < 2 && *ran; side++) {
        struct harness_runner *const runner = search->runners[side];
        *ran = harness_runner_load(runner, setup) == PICA_OK &&
               harness_runner_run(runner, alone->contents, alone->content_count) == PICA_OK &&
               harness_runner_step(runner, &alone->load) == PICA_OK &&
               harness_runner_step(runner, &alone->submit) == PICA_OK;
    }
    *ran = *ran && harness_localise_collect(search, &error) == HARNESS_OK;
    return *ran && harness_localise_differs(search, search->part);
}

/* What a change does to the difference. */
enum answer {
    ANSWER_NONE, /* nobody knows */
    ANSWER_STAYS,
    ANSWER_GONE
};

/* Has a side changed memory? */
static bool wrote(const struct harness_alone *alone, int side)
{
    struct pica_operation loads[MOST_CONTENTS + 1];
    struct oracle_run run = alone->search->runs[side];
    memcpy(loads, alone->contents, alone->content_count * sizeof loads[0]);
    loads[alone->content_count] = alone->load;
    if (harness_runner_add_loaded(alone->search->runners[side], loads, alone->content_count + 1u, &run) != PICA_OK)
        return true;
    for (uint32_t i = 0; i < run.window_count; i++)
        if (run.loaded[i] == NULL || memcmp(run.loaded[i], run.memory[i], run.windows[i].size) != 0)
            return true;
    return false;
}

/* Runs it with something changed. There is no answer if it is undefined now in a way in which it was not, or draws
 * nothing any more where both sides drew. */
static enum answer ask(struct harness_alone *alone)
{
    const struct harness_localise *const search = alone->search;
    bool ran = false;
    const bool differs = shows(alone, &ran);
    for (int side = 0; side < 2 && ran; side++)
        ran = harness_events_within(&search->runs[side].events, &alone->events[side]);
    if (!ran || (!differs && alone->both_write && !wrote(alone, 0)))
        return ANSWER_NONE;
    return differs ? ANSWER_STAYS : ANSWER_GONE;
}

/* ----------------------------------------------------------------------------------------------------------- fields */

static const char *text_of(enum pica_stage_word word)
{
    return pica_stage_word_info(word)->text;
}

static bool is_triangle(const char *stage)
{
    return harness_localise_is_between(stage, PICA_STAGE_WORD_ASSEMBLY, PICA_STAGE_WORD_SCISSOR);
}

static bool reads_buffers(const char *stage)
{
    return harness_localise_is_between(stage, PICA_STAGE_WORD_STENCIL_TEST, PICA_STAGE_WORD_SHADOW);
}

/* Does the stage look at the field? Stages of a triangle show as one another; what tests and blending make shows as
 * what is written. */
static bool is_read(uint32_t id, const struct pica_field_info *field, const char *stage)
{
    const struct pica_stage_info *const info = broken_rule_stage_of(pica_reg_info(id)->name);
    const struct pica_stage_word_info *const word = broken_rule_field_stage(id, field);
    const char *const own = word != NULL ? word->text : "";
    return strcmp(own, stage) == 0 || (info != NULL && strcmp(text_of(info->word), stage) == 0) ||
           (is_triangle(own) && is_triangle(stage)) ||
           (strcmp(own, text_of(PICA_STAGE_WORD_FRAMEBUFFER)) == 0 && reads_buffers(stage)) ||
           (strcmp(stage, text_of(PICA_STAGE_WORD_FRAMEBUFFER)) == 0 && reads_buffers(own));
}

static void try_register(struct harness_alone *alone, uint32_t id, const char *stage)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    uint32_t *const word = &alone->state.registers[id], *const needed = &alone->search->needed[id];
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t before = *word;
        const uint32_t usual = harness_usual_value(&fields[i], pica_field_get(&fields[i], info->reset));
        if (pica_field_get(&fields[i], before) == usual || !is_read(id, &fields[i], stage))
            continue;
        *word = pica_field_set(&fields[i], before, usual);
        const enum answer answer = ask(alone);
        if (answer != ANSWER_STAYS)
            *word = before;
        if (answer != ANSWER_GONE)
            *needed = pica_field_set(&fields[i], *needed, usual);
    }
}

/* ----------------------------------------------------------------------------------------------------------- tables */

static uint32_t *tables_of(struct pica_tables *tables, const char *stage, size_t *count, uint32_t *slopes)
{
    const bool is_fog = strcmp(stage, text_of(PICA_STAGE_WORD_FOG)) == 0;
    if (!is_fog && strcmp(stage, text_of(PICA_STAGE_WORD_LIGHTING)) != 0)
        return NULL;
    *count = (is_fog ? sizeof tables->fog : sizeof tables->lighting) / sizeof(uint32_t);
    *slopes = is_fog ? 0x1FFFu : 0xFFF000u; /* FOG-03, LIT-17 */
    return is_fog ? tables->fog : tables->lighting[0];
}

/* Without differences between entries: what is left has them if it needs them. */
static void try_slopes(struct harness_alone *alone, const char *stage)
{
    size_t count = 0;
    uint32_t slopes = 0;
    struct pica_tables *const before = malloc(sizeof *before);
    uint32_t *const words = tables_of(&alone->state.tables, stage, &count, &slopes);
    bool changed = false;
    if (before != NULL && words != NULL) {
        *before = alone->state.tables;
        for (size_t i = 0; i < count; i++) {
            changed = changed || (words[i] & slopes) != 0;
            words[i] &= ~slopes;
        }
        const enum answer answer = changed ? ask(alone) : ANSWER_NONE;
        alone->search->needs_slopes = answer == ANSWER_GONE;
        if (answer != ANSWER_STAYS)
            alone->state.tables = *before;
    }
    free(before);
}

bool harness_localise_has_slopes(const struct pica_tables *tables, enum pica_stage_word stage)
{
    struct pica_tables *const copy = malloc(sizeof *copy);
    size_t count = 0;
    uint32_t slopes = 0, any = 0;
    if (copy == NULL)
        return false;
    *copy = *tables;
    const uint32_t *const words = tables_of(copy, text_of(stage), &count, &slopes);
    for (size_t i = 0; words != NULL && i < count; i++)
        any |= words[i] & slopes;
    free(copy);
    return any != 0;
}

/* No experiment: any difference between entries may be what it needs. */
static void guess_slopes(struct harness_localise *search, const char *stage)
{
    search->needs_slopes = (search->has_fog_slopes && strcmp(stage, text_of(PICA_STAGE_WORD_FOG)) == 0) ||
                           (search->has_light_slopes && strcmp(stage, text_of(PICA_STAGE_WORD_LIGHTING)) == 0);
}

/* FOG-05: fog of the colour that it is mixed with. Then it does not matter how much of it there is. */
static void try_fog(struct harness_alone *alone)
{
    const struct harness_recorded *const recorded = &alone->search->recorded[0];
    const struct pica_trace_info *const color = pica_trace_info(PICA_TRACE_ID_COMBINER_RESULT);
    uint32_t *const word = &alone->state.registers[PICA_REG_FOG_COLOR];
    const uint32_t before = *word;
    for (size_t i = 0; i < recorded->count; i++)
        if (strcmp(recorded->steps[i].stage, color->stage) == 0 && strcmp(recorded->steps[i].name, color->name) == 0)
            *word =
                recorded->steps[i].values[0] | recorded->steps[i].values[1] << 8 | recorded->steps[i].values[2] << 16;
    alone->search->needs_share = *word != before && ask(alone) == ANSWER_GONE;
    *word = before;
}

/* --------------------------------------------------------------------------------------------------------- textures */

/* Has memory hold `bytes` from `address` on, as far as they lie in the window that holds it. */
static void put(struct harness_alone *alone, uint32_t address, uint64_t size, const uint8_t *bytes)
{
    const struct pica_setup *const setup = harness_checkpoint_setup(alone->checkpoint);
    for (uint32_t i = 0; i < setup->window_count && alone->content_count < MOST_CONTENTS; i++) {
        const struct pica_window *const window = &setup->windows[i];
        if (address < window->address || address - window->address >= window->size)
            continue;
        const uint32_t room = window->size - (address - window->address);
        alone->contents[alone->content_count++] = (struct pica_operation){ .kind = PICA_OPERATION_LOAD_MEMORY,
                                                                           .address = address,
                                                                           .size = size < room ? (uint32_t)size : room,
                                                                           .data = bytes };
        return;
    }
}

/* All texels of a texture alike: whole pixels of 1 to 4 bytes, or blocks. */
static void try_texels(struct harness_alone *alone, uint32_t unit)
{
    static const uint8_t texel[8] = { 0x6B, 0xA4, 0x1D, 0xE2, 0x36, 0xC9, 0x52, 0x8F };
    const uint32_t *const registers = alone->state.registers;
    if (unit > 2 || !oracle_texture_is_live(registers, unit))
        return;
    const uint64_t size = oracle_texture_size(registers, unit);
    const uint32_t period = oracle_texture_period(registers, unit);
    uint8_t *const bytes = malloc(size);
    if (bytes == NULL)
        return;
    for (uint64_t at = 0; at < size; at++)
        bytes[at] = period == 0 ? 0x66 : texel[at % period];
    for (uint32_t face = 0; face < oracle_texture_faces(registers, unit); face++)
        put(alone, oracle_texture_address(registers, unit, face), size, bytes);
    const enum answer answer = ask(alone);
    alone->search->differs_alike = answer == ANSWER_STAYS;
    alone->search->needs_texels = answer == ANSWER_GONE;
    alone->content_count = 0;
    free(bytes);
}

/* A triangle that one side does not draw: does it, if the scissor test lets all pixels through (SCS-01)? */
static void try_scissor(struct harness_alone *alone)
{
    uint32_t *const registers = &alone->state.registers[PICA_REG_SCISSORTEST_MODE];
    const uint32_t before[3] = { registers[0], registers[1], registers[2] };
    registers[0] = PICA_SCISSOR_MODE_INSIDE;
    registers[1] = 0;
    registers[2] = UINT32_MAX; /* SCS-02: the rectangle of all pixels */
    alone->search->needs_no_scissor = ask(alone) == ANSWER_GONE;
    memcpy(registers, before, sizeof before);
}

/* Is the difference gone however S and T are wrapped alike? Then it is about which is which, and not about a mode. */
static void try_wraps(struct harness_alone *alone, uint32_t unit)
{
    uint32_t *const word = &alone->state.registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_PARAM)];
    const uint32_t before = *word, s = pica_texunit_param_wrap_s(before), t = pica_texunit_param_wrap_t(before);
    if (s == t)
        return;
    *word = pica_texunit_param_set_wrap_s(before, t);
    alone->search->needs_wraps = ask(alone) == ANSWER_GONE;
    *word = pica_texunit_param_set_wrap_t(before, s);
    alone->search->needs_wraps = alone->search->needs_wraps && ask(alone) == ANSWER_GONE;
    *word = before;
}

/* ----------------------------------------------------------------------------------------------------------- pixels */

static const uint8_t *memory_at(const struct oracle_run *run, uint64_t address, uint32_t size)
{
    for (uint32_t i = 0; i < run->window_count; i++)
        if (address >= run->windows[i].address &&
            address + size <= (uint64_t)run->windows[i].address + run->windows[i].size)
            return run->memory[i] + (address - run->windows[i].address);
    return NULL;
}

/* No traced value differs. With another buffer there before: does one side draw fewer of its pixels? Where both draw
 * as many, they lie elsewhere. */
static void try_pixel(struct harness_alone *alone, const struct oracle_surface *surface)
{
    const uint32_t size = (uint32_t)oracle_surface_bytes(surface), pixel = oracle_bytes_per_pixel(surface->format);
    uint8_t *const odd = malloc(size);
    uint32_t drawn[2] = { 0, 0 };
    bool ran = false;
    if (odd == NULL)
        return;
    for (uint32_t at = 0; at < size; at++)
        odd[at] = (uint8_t)(0x5B + 0x4B * (at % 4));
    put(alone, surface->address, size, odd);
    const bool differs = shows(alone, &ran);
    alone->content_count = 0;
    for (int side = 0; side < 2 && differs; side++) {
        const uint8_t *const bytes = memory_at(&alone->search->runs[side], surface->address, size);
        for (uint32_t at = 0; at + pixel <= size && bytes != NULL; at += pixel)
            drawn[side] += memcmp(bytes + at, odd + at, pixel) != 0;
    }
    alone->search->one_draws = drawn[0] != drawn[1];
    free(odd);
}

/* --------------------------------------------------------------------------------------------------------- together */

/* Bit enum harness_localise_part: differs between the runs. */
static uint32_t differing_parts(const struct harness_localise *search)
{
    uint32_t parts = 0;
    for (int part = HARNESS_LOCALISE_MEMORY; part <= HARNESS_LOCALISE_STATE; part++)
        parts |= harness_localise_differs(search, (enum harness_localise_part)part) ? 1u << part : 0;
    return parts;
}

/* The parts that differ although nothing runs: a side never has them right. */
static uint32_t idle_parts(struct harness_alone *alone)
{
    struct harness_localise *const search = alone->search;
    struct pica_setup *const setup = harness_checkpoint_setup(alone->checkpoint);
    struct harness_error error = { "" };
    setup->initial_state = &alone->state;
    for (int side = 0; side < 2; side++)
        if (harness_runner_load(search->runners[side], setup) != PICA_OK)
            return UINT32_MAX;
    return harness_localise_collect(search, &error) == HARNESS_OK ? differing_parts(search) : UINT32_MAX;
}

uint32_t harness_localise_own_parts(struct harness_localise *search)
{
    struct harness_alone *const alone = search->alone;
    return alone != NULL && alone->differs && alone->own_parts != 0 ? alone->own_parts & ~idle_parts(alone) : 0;
}

/* Runs the command alone, with nothing changed. */
static void begin(struct harness_alone *alone, struct harness_localise *search, const struct harness_command *command)
{
    const bool shared =
        harness_localise_shares_state(search->runners[0]) || harness_localise_shares_state(search->runners[1]);
    if (!shared || (search->replays && !search->stateless) ||
        !make_list(&search->program->setup, command, alone->bytes, &alone->load, &alone->submit))
        return;
    if (alone->checkpoint == NULL)
        alone->checkpoint = harness_checkpoint_create();
    if (alone->checkpoint != NULL && take_state(alone, alone->number - 1u))
        alone->differs = shows(alone, &alone->ran);
    alone->own_parts = alone->ran ? differing_parts(search) : 0;
    alone->both_write = alone->ran;
    for (int side = 0; side < 2 && alone->ran; side++) {
        alone->events[side] = search->runs[side].events;
        alone->both_write = alone->both_write && wrote(alone, side);
    }
}

bool harness_localise_shows_alone(struct harness_localise *search, const struct harness_command *command,
                                  uint32_t number, bool *ran)
{
    if (search->alone == NULL)
        search->alone = calloc(1, sizeof *search->alone);
    struct harness_alone *const alone = search->alone;
    *ran = false;
    if (alone == NULL)
        return false;
    if (alone->number != number || alone->part != search->part) {
        alone->search = search;
        alone->number = number;
        alone->part = search->part;
        alone->ran = alone->differs = false;
        begin(alone, search, command);
    }
    *ran = alone->ran;
    return alone->differs;
}

void harness_localise_alone_free(struct harness_alone *alone)
{
    if (alone != NULL)
        harness_checkpoint_destroy(alone->checkpoint);
    free(alone);
}

void harness_localise_needs(struct harness_localise *search, const struct harness_location *location)
{
    struct harness_alone *const alone = search->alone;
    search->is_tried = alone != NULL && alone->differs && alone->number == location->command;
    if (!search->is_tried) {
        guess_slopes(search, location->stage);
        return;
    }
    memcpy(search->needed, alone->state.registers, sizeof search->needed);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        try_register(alone, id, location->stage);
    try_slopes(alone, location->stage);
    if (strcmp(location->stage, text_of(PICA_STAGE_WORD_FOG)) == 0)
        try_fog(alone);
    if (location->has_step && strcmp(location->stage, text_of(PICA_STAGE_WORD_TEXTURE)) == 0) {
        try_texels(alone, broken_rule_instance(location));
        if (broken_rule_instance(location) < 3)
            try_wraps(alone, broken_rule_instance(location));
    }
    if (location->whole_part &&
        pica_scissortest_mode_mode(alone->state.registers[PICA_REG_SCISSORTEST_MODE]) != PICA_SCISSOR_MODE_INSIDE)
        try_scissor(alone);
    if (location->has_pixel && !location->has_step && !location->inferred)
        try_pixel(alone, &location->pixel.surface);
}

/* ---------------------------------------------------------------------------------------------------------- engines */

/* Does memory differ with these words, too? */
static bool differs_with(struct harness_localise *search, const struct pica_operation *operation)
{
    struct harness_error error = { "" };
    for (int side = 0; side < 2; side++)
        if (harness_runner_load(search->runners[side], &search->program->setup) != PICA_OK ||
            harness_runner_run(search->runners[side], search->program->operations, search->index) != PICA_OK ||
            harness_runner_step(search->runners[side], operation) != PICA_OK)
            return false;
    return harness_localise_collect(search, &error) == HARNESS_OK &&
           harness_localise_differs(search, HARNESS_LOCALISE_MEMORY);
}

void harness_localise_needs_words(struct harness_localise *search)
{
    struct pica_operation operation = *search->operation;
    const bool is_fill = operation.kind == PICA_OPERATION_MEMORY_FILL;
    const uint32_t *const registers = is_fill ? harness_fill_registers[0] : harness_transfer_registers;
    for (uint32_t word = 0; word < (is_fill ? 4u : 9u) && !search->same_memory; word++) {
        const struct pica_extreg_info *const info = pica_extreg_info(registers[word]);
        size_t count = 0;
        const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
        for (size_t i = 0; i < count; i++) {
            const uint32_t before = operation.words[word];
            const uint32_t usual = harness_usual_value(&fields[i], pica_field_get(&fields[i], info->reset));
            const bool is_choice = fields[i].type == PICA_FIELD_FLAG || fields[i].type == PICA_FIELD_ENUM;
            if (!is_choice || pica_field_get(&fields[i], before) == usual)
                continue;
            operation.words[word] = pica_field_set(&fields[i], before, usual);
            if (!differs_with(search, &operation))
                operation.words[word] = before;
        }
    }
    memcpy(search->needed_words, operation.words, sizeof search->needed_words);
}

/* ------------------------------------------------------------------------------------------------------------- kept */

static uint32_t register_of(const struct harness_localise *search, uint32_t command)
{
    return pica_command_header_id(search->words[search->starts[command - 1u] + 1u]);
}

/* Is the command a draw, or a part of one: its number of vertices, an immediate vertex (VTX-41)? *immediate: whether
 * that is where fixed attributes go. */
static bool draws(const struct harness_localise *search, uint32_t command, bool *immediate)
{
    const uint32_t id = register_of(search, command);
    if (id == PICA_REG_FIXEDATTRIB_INDEX)
        *immediate = pica_fixedattrib_index_index(search->words[search->starts[command - 1u]]) == 15;
    return id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS || id == PICA_REG_NUMVERTICES ||
           (*immediate && id >= PICA_REG_FIXEDATTRIB_INDEX && id <= PICA_REG_FIXEDATTRIB_DATA2);
}

static uint64_t sum_bytes(const void *bytes, size_t size, uint64_t place)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += ((const uint8_t *)bytes)[i] * ((place + i) * 0x9E3779B97F4A7C15u | 1u);
    return sum;
}

/* A number for the header of a command as the run has it in memory at its end, part of `made`. */
static uint64_t sum_header(const struct harness_localise *search, int side, uint32_t command)
{
    const uint32_t word = search->operation->address + 4u * (search->starts[command - 1u] + 1u);
    const uint8_t *const bytes = memory_at(&search->runs[side], word, 4);
    return bytes != NULL ? sum_bytes(bytes, 4, word) : 0;
}

/* A number for what draws have made of a side: memory, and assembled vertices. */
static uint64_t made(const struct harness_localise *search, int side)
{
    const struct oracle_run *const run = &search->runs[side];
    uint64_t sum = run->state == NULL ? 0 : sum_bytes(&run->state->assembler, sizeof run->state->assembler, 0);
    for (uint32_t i = 0; i < run->window_count; i++)
        sum += sum_bytes(run->memory[i], run->windows[i].size, run->windows[i].address);
    return sum;
}

/* The commands that may be what one side does not see: they write a register after a draw and before the last one. */
struct changes {
    uint32_t count;
    uint64_t made[2]; /* with all of them */
    struct change {
        uint32_t command;
        uint64_t header[2]; /* sum_header with all of them */
    } items[];
};

static struct changes *find_changes(const struct harness_localise *search, uint32_t end)
{
    struct changes *const changes = calloc(1, sizeof *changes + end * sizeof changes->items[0]);
    bool drawn = false, immediate = false;
    for (uint32_t command = 1; command < end && changes != NULL; command++) {
        const bool is_draw = draws(search, command, &immediate);
        if (drawn && !is_draw && register_of(search, command) < PICA_REGISTERS)
            changes->items[changes->count++].command = command;
        drawn = drawn || is_draw;
    }
    return changes;
}

/* Runs the case to the end of command `last` with command `skipped` writing nothing; 0: with all. */
static bool runs_without(struct harness_localise *search, uint32_t skipped, uint32_t last, bool *differ)
{
    struct harness_error error = { "" };
    search->skipped = skipped;
    const bool ran = harness_localise_run_commands(search, last, differ, &error) == HARNESS_OK;
    search->skipped = 0;
    return ran;
}

static bool take_made(struct harness_localise *search, struct changes *changes, uint32_t last)
{
    bool differ = false;
    if (!runs_without(search, 0, last, &differ) || !differ)
        return false;
    for (int side = 0; side < 2; side++) {
        changes->made[side] = made(search, side);
        for (uint32_t i = 0; i < changes->count; i++)
            changes->items[i].header[side] = sum_header(search, side, changes->items[i].command);
    }
    return true;
}

/* If the command writes nothing, so that the draw sees what an earlier one saw: does one side do what it has done
 * before, for it did not see the change, and the other one the same? */
static bool is_unseen(struct harness_localise *search, const struct changes *changes, const struct change *change,
                      uint32_t last)
{
    bool differ = false;
    if (!runs_without(search, change->command, last, &differ) || differ)
        return false;
    for (int side = 0; side < 2; side++)
        if (made(search, side) - sum_header(search, side, change->command) ==
            changes->made[side] - change->header[side])
            return true;
    return false;
}

static const struct pica_stage_word_info *word_of(const char *register_name)
{
    const struct pica_stage_info *const info = broken_rule_stage_of(register_name);
    return info != NULL ? pica_stage_word_info(info->word) : NULL;
}

/* What is kept is of the stage that looks at the register, unless a traced value differs before that. */
static void name_kept(struct harness_location *out)
{
    const struct pica_stage_word_info *const own = word_of(out->changed), *const now =
                                                                              harness_localise_word(out->stage);
    if (own == NULL || own == now || own < pica_stage_word_info(PICA_STAGE_WORD_FETCH) ||
        (out->has_step && (now == NULL || now < own)))
        return;
    out->stage = own->text;
    out->rule = "";
    out->inferred = true;
    out->has_step = out->whole_part = false;
    (void)snprintf(out->experiment, sizeof out->experiment, "%s stays as an earlier draw had it", out->changed);
}

/* The change that one side has not seen, the last before the draw first: of the location's stage, or of others. */
static const char *find_unseen(struct harness_localise *search, const struct changes *changes,
                               const struct harness_location *location, bool own, uint32_t *budget)
{
    for (uint32_t i = changes->count; i > 0 && *budget > 0; i--) {
        const struct change *const change = &changes->items[i - 1];
        const char *const name = pica_reg_info(register_of(search, change->command))->name;
        const struct pica_stage_word_info *const word = word_of(name);
        if ((word != NULL && strcmp(word->text, location->stage) == 0) != own)
            continue;
        --*budget;
        if (is_unseen(search, changes, change, location->command))
            return name;
    }
    return NULL;
}

void harness_localise_kept(struct harness_localise *search, struct harness_location *location)
{
    uint32_t budget = MOST_CHANGES;
    if (search->words == NULL || location->command > search->start_count)
        return;
    struct changes *const changes = find_changes(search, location->command);
    if (changes != NULL && changes->count != 0 && take_made(search, changes, location->command)) {
        location->changed = find_unseen(search, changes, location, true, &budget);
        if (location->changed == NULL)
            location->changed = find_unseen(search, changes, location, false, &budget);
    }
    free(changes);
    if (location->changed != NULL)
        name_kept(location);
}
