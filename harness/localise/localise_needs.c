/*
 * What the difference of one command needs, by experiment: the command runs alone, from a copy of the state before it.
 * Does it show the difference then, or does it need more of what came before than the state? If it draws: does it with
 * other fields, tables, texels, too? Those that it can do without become what programs usually send, and stay so for
 * the experiments that come after; the rule is named by those that are left.
 */
#include "harness/case/usual.h"
#include "harness/localise/broken_rule.h"
#include "harness/localise/broken_rule_match.h"
#include "harness/localise/broken_rule_outcome.h"
#include "harness/localise/localise_parts.h"
#include "harness/run/checkpoint.h"
#include "oracles/pixels.h"
#include "pica/fields.h"
#include "pica/stages.h"
#include "pica/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIST_BYTES = 2048 /* of one command: at most a header, 256 parameters and padding, in multiples of 16 (SUB-02) */
};

/* A command alone. */
struct alone {
    struct harness_localise *search;
    struct harness_checkpoint *checkpoint; /* the first side, before the command */
    struct pica_state state;               /* what the runs begin from */
    struct pica_operation contents;        /* loaded before the list; size 0: nothing */
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

static bool take_state(struct alone *alone, uint32_t commands)
{
    struct harness_localise *const search = alone->search;
    if (harness_localise_load(search, 0, commands != 0 ? commands : 1) != PICA_OK ||
        (commands != 0 && harness_localise_run(search, 0, commands) != PICA_OK) ||
        harness_checkpoint_take(alone->checkpoint, search->runners[0], &search->program->setup) != PICA_OK)
        return false;
    alone->state = *harness_checkpoint_setup(alone->checkpoint)->initial_state;
    return true;
}

/* Runs it on both sides. *ran: that was possible. */
static bool shows(struct alone *alone, bool *ran)
{
    struct harness_localise *const search = alone->search;
    struct pica_setup *const setup = harness_checkpoint_setup(alone->checkpoint);
    struct harness_error error = { "" };
    setup->initial_state = &alone->state;
    *ran = true;
    for (int side = 0; side < 2 && *ran; side++) {
        struct harness_runner *const runner = search->runners[side];
        *ran = harness_runner_load(runner, setup) == PICA_OK &&
               (alone->contents.size == 0 || harness_runner_step(runner, &alone->contents) == PICA_OK) &&
               harness_runner_step(runner, &alone->load) == PICA_OK &&
               harness_runner_step(runner, &alone->submit) == PICA_OK;
    }
    *ran = *ran && harness_localise_collect(search, &error) == HARNESS_OK;
    return *ran && harness_localise_differs(search, search->part);
}

/* ----------------------------------------------------------------------------------------------------------- fields */

static const char *text_of(enum pica_stage_word word)
{
    return pica_stage_word_info(word)->text;
}

static bool is_triangle(const char *stage)
{
    for (enum pica_stage_word word = PICA_STAGE_WORD_ASSEMBLY; word <= PICA_STAGE_WORD_SCISSOR; word++)
        if (strcmp(stage, text_of(word)) == 0)
            return true;
    return false;
}

static bool reads_buffers(const char *stage)
{
    for (enum pica_stage_word word = PICA_STAGE_WORD_STENCIL_TEST; word <= PICA_STAGE_WORD_SHADOW; word++)
        if (strcmp(stage, text_of(word)) == 0)
            return true;
    return false;
}

/* Does the stage look at the register? Stages of a triangle show as one another. */
static bool is_read(const char *register_name, const char *stage)
{
    const struct pica_stage_info *const info = broken_rule_stage_of(register_name);
    const char *const own = info != NULL ? text_of(info->word) : "";
    return strcmp(own, stage) == 0 || (is_triangle(own) && is_triangle(stage)) ||
           (strcmp(own, text_of(PICA_STAGE_WORD_FRAMEBUFFER)) == 0 && reads_buffers(stage));
}

static void try_register(struct alone *alone, uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    uint32_t *const word = &alone->state.registers[id];
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t before = *word;
        const uint32_t usual = harness_usual_value(&fields[i], pica_field_get(&fields[i], info->reset));
        bool ran = false;
        if (pica_field_get(&fields[i], before) == usual)
            continue;
        *word = pica_field_set(&fields[i], before, usual);
        if (!shows(alone, &ran))
            *word = before;
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

/* Without differences between entries. */
static void try_slopes(struct alone *alone, const char *stage)
{
    size_t count = 0;
    uint32_t slopes = 0;
    struct pica_tables *const before = malloc(sizeof *before);
    uint32_t *const words = tables_of(&alone->state.tables, stage, &count, &slopes);
    bool ran = false, changed = false;
    if (before != NULL && words != NULL) {
        *before = alone->state.tables;
        for (size_t i = 0; i < count; i++) {
            changed = changed || (words[i] & slopes) != 0;
            words[i] &= ~slopes;
        }
        alone->search->needs_slopes = changed && !shows(alone, &ran) && ran;
        if (alone->search->needs_slopes)
            alone->state.tables = *before;
    }
    free(before);
}

/* FOG-05: fog of the colour that it is mixed with. Then it does not matter how much of it there is. */
static void try_fog(struct alone *alone)
{
    const struct harness_recorded *const recorded = &alone->search->recorded[0];
    const struct pica_trace_info *const color = pica_trace_info(PICA_TRACE_ID_COMBINER_RESULT);
    uint32_t *const word = &alone->state.registers[PICA_REG_FOG_COLOR];
    const uint32_t before = *word;
    bool ran = false;
    for (size_t i = 0; i < recorded->count; i++)
        if (strcmp(recorded->steps[i].stage, color->stage) == 0 && strcmp(recorded->steps[i].name, color->name) == 0)
            *word =
                recorded->steps[i].values[0] | recorded->steps[i].values[1] << 8 | recorded->steps[i].values[2] << 16;
    alone->search->needs_share = *word != before && !shows(alone, &ran) && ran;
    *word = before;
}

/* --------------------------------------------------------------------------------------------------------- textures */

/* All texels of a texture alike: whole pixels of 1 to 4 bytes, or blocks. */
static void try_texels(struct alone *alone, uint32_t unit)
{
    static const uint8_t texel[8] = { 0x6B, 0xA4, 0x1D, 0xE2, 0x36, 0xC9, 0x52, 0x8F };
    struct broken_rule_texture texture;
    const struct pica_setup *const setup = harness_checkpoint_setup(alone->checkpoint);
    if (!broken_rule_texture_of(alone->state.registers, unit, &texture))
        return;
    for (uint32_t i = 0; i < setup->window_count; i++) {
        const struct pica_window *const window = &setup->windows[i];
        const uint64_t end = (uint64_t)window->address + window->size;
        if (texture.begin < window->address || texture.begin >= end)
            continue;
        const uint32_t size = (uint32_t)((texture.end < end ? texture.end : end) - texture.begin);
        uint8_t *const bytes = malloc(size);
        bool ran = false;
        if (bytes == NULL)
            return;
        for (uint32_t at = 0; at < size; at++)
            bytes[at] = texture.texel_bytes == 0 ? 0x66 : texel[at % texture.texel_bytes];
        alone->contents = (struct pica_operation){
            .kind = PICA_OPERATION_LOAD_MEMORY, .address = (uint32_t)texture.begin, .size = size, .data = bytes
        };
        alone->search->differs_alike = shows(alone, &ran);
        alone->search->needs_texels = ran && !alone->search->differs_alike;
        alone->contents.size = 0;
        free(bytes);
        return;
    }
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

/* No traced value differs. With another buffer there before: does one side write fewer of its bytes? Where both write
 * as many, the pixels lie elsewhere. */
static void try_pixel(struct alone *alone, const struct oracle_surface *surface)
{
    const uint32_t size = (uint32_t)oracle_surface_bytes(surface);
    uint8_t *const odd = malloc(size);
    uint32_t written[2] = { 0, 0 };
    bool ran = false;
    for (uint32_t at = 0; odd != NULL && at < size; at++)
        odd[at] = (uint8_t)(0x5B + 0x4B * (at % 4));
    alone->contents = (struct pica_operation){
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = (uint32_t)surface->address, .size = size, .data = odd
    };
    const bool differs =
        odd != NULL && memory_at(&alone->search->runs[0], surface->address, size) != NULL && shows(alone, &ran);
    alone->contents.size = 0;
    for (int side = 0; side < 2 && differs; side++) {
        const uint8_t *const bytes = memory_at(&alone->search->runs[side], surface->address, size);
        for (uint32_t at = 0; at < size && bytes != NULL; at++)
            written[side] += bytes[at] != odd[at];
    }
    alone->search->one_draws = written[0] != written[1];
    free(odd);
}

/* --------------------------------------------------------------------------------------------------------- together */

/* Does the command show the difference when it runs alone? It is ready for more experiments then. */
static bool begin(struct alone *alone, struct harness_localise *search, const struct harness_command *command,
                  uint32_t number, bool *ran)
{
    *ran = false;
    alone->search = search;
    if (search->replays || !make_list(&search->program->setup, command, alone->bytes, &alone->load, &alone->submit))
        return false;
    alone->checkpoint = harness_checkpoint_create();
    return alone->checkpoint != NULL && take_state(alone, number - 1u) && shows(alone, ran);
}

bool harness_localise_shows_alone(struct harness_localise *search, const struct harness_command *command,
                                  uint32_t number, bool *ran)
{
    struct alone *const alone = calloc(1, sizeof *alone);
    *ran = false;
    const bool differs = alone != NULL && begin(alone, search, command, number, ran);
    harness_checkpoint_destroy(alone != NULL ? alone->checkpoint : NULL);
    free(alone);
    return differs;
}

void harness_localise_needs(struct harness_localise *search, const struct harness_command *command,
                            const struct harness_location *location)
{
    struct alone *const alone = calloc(1, sizeof *alone);
    bool ran = false;
    if (alone != NULL && begin(alone, search, command, location->command, &ran)) {
        for (uint32_t id = 0; id < PICA_REGISTERS; id++)
            if (is_read(pica_reg_info(id)->name, location->stage))
                try_register(alone, id);
        try_slopes(alone, location->stage);
        if (strcmp(location->stage, text_of(PICA_STAGE_WORD_FOG)) == 0)
            try_fog(alone);
        if (location->has_step && strcmp(location->stage, text_of(PICA_STAGE_WORD_TEXTURE)) == 0)
            try_texels(alone, broken_rule_instance(location));
        memcpy(search->needed, alone->state.registers, sizeof search->needed);
        if (location->has_pixel && !location->has_step && !location->inferred)
            try_pixel(alone, &location->pixel.surface);
    }
    harness_checkpoint_destroy(alone != NULL ? alone->checkpoint : NULL);
    free(alone);
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

/* A number for what draws have made of a side: memory but the word of the list that changes, and assembled vertices. */
static uint64_t made(const struct harness_localise *search, int side, uint32_t command)
{
    const struct oracle_run *const run = &search->runs[side];
    const uint32_t word = search->operation->address + 4u * (search->starts[command - 1u] + 1u);
    uint64_t sum = run->state == NULL ? 0 : sum_bytes(&run->state->assembler, sizeof run->state->assembler, 0);
    for (uint32_t i = 0; i < run->window_count; i++) {
        const struct pica_window *const window = &run->windows[i];
        sum += sum_bytes(run->memory[i], window->size, window->address);
        if (word >= window->address && word - window->address < window->size)
            sum -= sum_bytes(run->memory[i] + (word - window->address), 4, word);
    }
    return sum;
}

/* If the command writes nothing, so that the draw sees what an earlier one saw: does one side do what it has done
 * before, for it did not see the change, and the other one the same? */
static bool is_unseen(struct harness_localise *search, uint32_t command, uint32_t last)
{
    struct harness_error error = { "" };
    uint64_t before[2] = { 0 }, after[2] = { 0 };
    bool differ = false;
    for (int skipped = 0; skipped < 2; skipped++) {
        search->skipped = skipped == 0 ? 0 : command;
        const bool ran = harness_localise_run_commands(search, last, &differ, &error) == HARNESS_OK;
        search->skipped = 0;
        for (int side = 0; side < 2 && ran; side++)
            *(skipped == 0 ? &before[side] : &after[side]) = made(search, side, command);
        if (!ran || differ != (skipped == 0))
            return false;
    }
    return before[0] == after[0] || before[1] == after[1];
}

static const struct pica_stage_word_info *word_of(const char *register_name)
{
    const struct pica_stage_info *const info = broken_rule_stage_of(register_name);
    return info != NULL ? pica_stage_word_info(info->word) : NULL;
}

static const struct pica_stage_word_info *word_by_text(const char *text)
{
    for (const struct pica_stage_word_info *word = pica_stage_word_info(PICA_STAGE_WORD_FETCH);
         word <= pica_stage_word_info(PICA_STAGE_WORD_SHADOW); word++)
        if (strcmp(word->text, text) == 0)
            return word;
    return NULL;
}

/* What is kept is of the stage that looks at the register, unless a traced value differs before that. */
static void name_kept(struct harness_location *out)
{
    const struct pica_stage_word_info *const own = word_of(out->changed), *const now = word_by_text(out->stage);
    if (own == NULL || own == now || own < pica_stage_word_info(PICA_STAGE_WORD_FETCH) ||
        (out->has_step && (now == NULL || now < own)))
        return;
    out->stage = own->text;
    out->rule = "";
    out->inferred = true;
    out->has_step = out->whole_part = false;
    (void)snprintf(out->experiment, sizeof out->experiment, "%s stays as an earlier draw had it", out->changed);
}

void harness_localise_kept(struct harness_localise *search, struct harness_location *location)
{
    const uint32_t end = location->command;
    bool drawn = false, found = false, immediate = false;
    if (search->words == NULL || end > search->start_count)
        return;
    for (uint32_t command = 1; command < end && !found; command++) {
        const uint32_t id = register_of(search, command);
        const bool is_draw = draws(search, command, &immediate);
        const bool is_change = drawn && id < PICA_REGISTERS && !is_draw;
        drawn = drawn || is_draw;
        if (!is_change || !is_unseen(search, command, end))
            continue;
        location->changed = pica_reg_info(id)->name;
        const struct pica_stage_word_info *const word = word_of(location->changed);
        found = word != NULL && strcmp(word->text, location->stage) == 0; /* of several, one of the stage */
    }
    if (location->changed != NULL)
        name_kept(location);
}
