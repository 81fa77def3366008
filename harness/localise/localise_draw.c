/* From the guilty command to one value of one pixel or vertex. */
#include "harness/case/shader_asm.h"
#include "harness/case/grow.h"
#include "harness/localise/localise_parts.h"
#include "harness/localise/pattern.h"
#include "oracles/equal.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_STEPS = 1 << 20,  /* of one trace */
    MAX_DRAWS_TRACED = 64 /* of one command: a port that takes vertices word by word draws many times */
};

/* ---------------------------------------------------------------------------------------------------------- tracing */

/* A step as a plug-in reports it, made fit for use: it may hold anything. */
static struct pica_trace_step tame(const struct pica_trace_step *step)
{
    const uint32_t most = sizeof step->values / sizeof step->values[0];
    struct pica_trace_step tamed = *step;
    if (tamed.count > most)
        tamed.count = most;
    if (tamed.stage == NULL)
        tamed.stage = "(no stage)";
    if (tamed.name == NULL)
        tamed.name = "(no name)";
    return tamed;
}

static void record(void *user, const struct pica_trace_step *step)
{
    struct harness_recorded *const recorded = user;
    struct pica_trace_step *const steps =
        recorded->count == MAX_STEPS ? NULL : harness_grow(recorded->steps, recorded->count, sizeof *steps);
    recorded->failed = recorded->failed || steps == NULL;
    if (steps == NULL)
        return;
    recorded->steps = steps;
    recorded->steps[recorded->count++] = tame(step);
}

/* Runs the guilty operation up to the guilty command on one side, with a trace. *traced: the backend can. One that
 * fails or dies only when it is traced still differs: not knowing where is no reason to lose the rest. */
static enum harness_status run_traced(struct harness_localise *search, int side, uint32_t commands,
                                      const struct pica_trace_request *request, pica_trace_sink sink, void *user,
                                      bool *traced, struct harness_error *error)
{
    struct harness_runner *const runner = search->runners[side];
    const struct pica_backend *const backend = harness_runner_backend(runner);
    const struct pica_trace_request from_load = { search->draws_before + request->draw, request->subject, request->x,
                                                  request->y };
    *traced = false;
    if (backend->trace == NULL)
        return HARNESS_OK;
    if (harness_localise_load(search, side, commands) != PICA_OK)
        return harness_localise_fail(search, "loading", error);
    enum pica_status status = backend->trace(harness_runner_instance(runner), &from_load, sink, user);
    if (status == PICA_NOT_SUPPORTED)
        return HARNESS_OK;
    if (status == PICA_OK)
        status = harness_localise_run(search, side, commands);
    (void)backend->trace(harness_runner_instance(runner), NULL, NULL, NULL);
    *traced = status == PICA_OK;
    return HARNESS_OK;
}

bool harness_localise_trace(struct harness_localise *search, int side, uint32_t commands,
                            const struct pica_trace_request *request, pica_trace_sink sink, void *user)
{
    struct harness_error error = { "" };
    bool traced = false;
    return run_traced(search, side, commands, request, sink, user, &traced, &error) == HARNESS_OK && traced;
}

/* Records the same trace on both sides. */
static enum harness_status record_both(struct harness_localise *search, struct harness_location *out,
                                       const struct pica_trace_request *request, bool *traced,
                                       struct harness_error *error)
{
    for (int side = 0; side < 2; side++) {
        struct harness_recorded *const recorded = &search->recorded[side];
        recorded->count = 0;
        recorded->failed = false;
        const enum harness_status status =
            run_traced(search, side, out->command, request, record, recorded, traced, error);
        if (status != HARNESS_OK)
            return status;
        if (!*traced) {
            const bool died = harness_runner_death(search->runners[side]) != NULL;
            harness_localise_note(out, "backend %s %s a %s", harness_runner_backend(search->runners[side])->name,
                                  died ? "dies when it is to trace" : "cannot trace",
                                  request->subject == PICA_TRACE_PIXEL ? "pixel" : "vertex");
            return HARNESS_OK;
        }
    }
    return HARNESS_OK;
}

static void compare_recorded(const struct harness_localise *search, struct oracle_trace_difference *difference)
{
    const struct oracle_trace a = { search->recorded[0].steps, search->recorded[0].count };
    const struct oracle_trace b = { search->recorded[1].steps, search->recorded[1].count };
    oracle_trace_compare(&a, &b, search->tolerance, difference);
}

/* For a pixel that differs in memory although the traces agree. */
static void compare_recorded_writes(const struct harness_localise *search, struct oracle_trace_difference *difference)
{
    const struct oracle_trace a = { search->recorded[0].steps, search->recorded[0].count };
    const struct oracle_trace b = { search->recorded[1].steps, search->recorded[1].count };
    oracle_trace_compare_writes(&a, &b, difference);
}

/* What a stage reads from a buffer differs: where that lies and how it is read, not what the stage makes of it. The
 * rule that says so; NULL: something else. */
static const char *rule_of_reading(const struct pica_trace_step *a, const struct pica_trace_step *b)
{
    const struct pica_trace_info *const info = pica_trace_info_by_name(a->stage, a->name);
    if (b == NULL || pica_trace_info_by_name(b->stage, b->name) != info || info == NULL)
        return NULL;
    const bool same_head = a->values[0] == b->values[0];
    if (info == pica_trace_info(PICA_TRACE_ID_BLEND_DEST) || info == pica_trace_info(PICA_TRACE_ID_LOGIC_OP_DEST))
        return "FBF-10";
    return (info == pica_trace_info(PICA_TRACE_ID_STENCIL_TEST) && !same_head) ||
                   (info == pica_trace_info(PICA_TRACE_ID_DEPTH_TEST) && same_head && a->values[1] != b->values[1])
               ? "FBF-14"
               : NULL;
}

/* The rule whose id the step bears (pica/trace.def), or NULL. */
static const char *rule_of_step(const struct pica_trace_step *step)
{
    return pica_stage_word_of_rule(step->name) != NULL ? step->name : NULL;
}

/* Has a side, in one vertex or visit, up to `end` or all of it, a step of the stage that bears the id of a rule? */
static bool tells_rules(const struct harness_recorded *recorded, size_t part, const char *stage,
                        const struct pica_trace_step *end)
{
    const struct oracle_trace trace = { recorded->steps, recorded->count };
    const size_t behind = oracle_trace_part(&trace, part + 1);
    for (size_t i = oracle_trace_part(&trace, part); i < behind; i++) {
        if (rule_of_step(&trace.steps[i]) != NULL && strcmp(trace.steps[i].stage, stage) == 0)
            return true;
        if (&trace.steps[i] == end)
            return false;
    }
    return false;
}

/* Do both sides tell what rules give up to the step? Then what differs first is what a rule gives, or what leads from
 * there to the step. */
static bool is_by_rules(const struct harness_localise *search, const struct oracle_trace_difference *difference)
{
    const struct pica_trace_step *const step = difference->first != NULL ? difference->first : difference->second;
    return tells_rules(&search->recorded[0], difference->part, step->stage, difference->first) &&
           tells_rules(&search->recorded[1], difference->part, step->stage, difference->second);
}

/* The step of pica/trace.def that a step with the id of a rule leads to, or NULL. */
static const struct pica_trace_info *leads_to(const struct harness_localise *search,
                                              const struct oracle_trace_difference *difference)
{
    const struct harness_recorded *const recorded = &search->recorded[difference->first != NULL ? 0 : 1];
    const struct pica_trace_step *const begin = difference->first != NULL ? difference->first : difference->second;
    for (const struct pica_trace_step *step = begin; step < recorded->steps + recorded->count; step++) {
        const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
        if (info != NULL)
            return strcmp(info->stage, begin->stage) == 0 ? info : NULL;
    }
    return NULL;
}

/* A vertex goes on differently. Does one side go on like the other, behind steps of a later stage that only it has?
 * Then these are the difference. */
static void find_inserted(const struct harness_localise *search, struct oracle_trace_difference *difference)
{
    if (difference->relation != ORACLE_TRACE_PATH)
        return;
    const struct pica_stage_word_info *const words[2] = { harness_localise_word(difference->first->stage),
                                                          harness_localise_word(difference->second->stage) };
    const int side = words[0] > words[1] ? 0 : 1;
    const struct pica_trace_step *const other = side == 0 ? difference->second : difference->first;
    const struct pica_trace_step *step = side == 0 ? difference->first : difference->second;
    const struct harness_recorded *const recorded = &search->recorded[side];
    const struct pica_trace_step *const end = recorded->steps + recorded->count;
    if (words[0] == NULL || words[1] == NULL || words[0] == words[1])
        return;
    while (step < end && harness_localise_word(step->stage) > words[1 - side])
        step++;
    if (step == end || !oracle_trace_same_key(step, other) ||
        memcmp(step->values, other->values, sizeof step->values) != 0)
        return;
    difference->relation = side == 0 ? ORACLE_TRACE_ONLY_FIRST : ORACLE_TRACE_ONLY_SECOND;
    *(side == 0 ? &difference->second : &difference->first) = NULL;
}

/* The rule that the differing step bears; of two of one stage, where the two go on differently, either. */
static const char *given_rule(const struct oracle_trace_difference *difference)
{
    const struct pica_trace_step *const a = difference->first, *const b = difference->second;
    const char *const rule = rule_of_step(a != NULL ? a : b);
    return rule == NULL && a != NULL && b != NULL && strcmp(a->stage, b->stage) == 0 ? rule_of_step(b) : rule;
}

/* Copies the first differing step. */
static void keep_step(struct harness_localise *search, const struct oracle_trace_difference *difference,
                      struct harness_location *out)
{
    const struct pica_trace_step *const step = difference->first != NULL ? difference->first : difference->second;
    const struct pica_trace_info *const value = leads_to(search, difference);
    const bool is_triangle =
        difference->whole_part ||
        (value == NULL && harness_localise_is_between(step->stage, PICA_STAGE_WORD_ASSEMBLY, PICA_STAGE_WORD_SCISSOR));
    search->given_rule = difference->whole_part ? NULL : given_rule(difference);
    out->has_step = true;
    out->relation = difference->relation;
    out->whole_part = difference->whole_part;
    out->has_first = difference->first != NULL;
    out->has_second = difference->second != NULL;
    if (out->has_first)
        out->step_first = *difference->first;
    if (out->has_second)
        out->step_second = *difference->second;
    out->stage = difference->whole_part ? pica_stage_word_info(PICA_STAGE_WORD_RASTER)->text : step->stage;
    out->value = is_triangle ? "triangle" : value != NULL ? value->name : step->name;
    out->rule = value != NULL && !is_triangle ? value->rule
                : search->given_rule != NULL  ? search->given_rule
                : is_triangle                 ? "RST-04"
                                              : "";
    const char *const reading = out->has_first ? rule_of_reading(&out->step_first, difference->second) : NULL;
    search->by_rules = reading == NULL && !difference->whole_part && is_by_rules(search, difference);
    if (reading != NULL && !difference->whole_part) {
        out->stage = pica_stage_word_info(PICA_STAGE_WORD_FRAMEBUFFER)->text;
        out->rule = reading;
    }
}

/* What the address registers hold at a step of a vertex: what was written last, in this vertex. */
static void keep_address(const struct harness_recorded *recorded, const struct pica_trace_step *step,
                         struct harness_location *out)
{
    const char *const written = pica_trace_info(PICA_TRACE_ID_SHADER_ADDRESS)->name;
    const char *const begin = pica_trace_info(PICA_TRACE_ID_VERTEX_NUMBER)->name;
    while (step > recorded->steps && strcmp(step->name, written) != 0 && strcmp(step->name, begin) != 0)
        step--;
    out->has_address = strcmp(step->name, written) == 0;
    for (int i = 0; i < 2 && out->has_address; i++)
        out->address[i] = (int32_t)step->values[i];
}

/* The instruction before the one at `step`, in this vertex and program. */
static void keep_previous(const struct harness_recorded *recorded, const struct pica_trace_step *step,
                          struct harness_location *out)
{
    const char *const instruction = pica_trace_info(PICA_TRACE_ID_SHADER_INSTRUCTION)->name;
    const char *const begin = pica_trace_info(PICA_TRACE_ID_VERTEX_NUMBER)->name, *const stage = step->stage;
    while (step > recorded->steps && strcmp((--step)->name, instruction) != 0)
        if (strcmp(step->name, begin) == 0)
            return;
    out->has_previous = strcmp(step->name, instruction) == 0 && strcmp(step->stage, stage) == 0;
    out->previous_opcode = (uint32_t)pica_opcode_of(step->values[0]);
}

/* The shader instruction that a step of a vertex trace belongs to: the step itself, or the last one before it. */
static void keep_instruction(const struct harness_localise *search, const struct oracle_trace_difference *difference,
                             struct harness_location *out)
{
    const int side = difference->first != NULL ? 0 : 1;
    const struct pica_trace_step *const first = search->recorded[side].steps;
    const struct pica_trace_step *step = difference->first != NULL ? difference->first : difference->second;
    const char *const instruction = pica_trace_info(PICA_TRACE_ID_SHADER_INSTRUCTION)->name;
    const char *const vertex_shader = pica_trace_info(PICA_TRACE_ID_SHADER_INSTRUCTION)->stage;
    const char *const geometry_shader = pica_trace_info(PICA_TRACE_ID_GEOMETRY_INSTRUCTION)->stage;
    if (strcmp(step->stage, vertex_shader) != 0 && strcmp(step->stage, geometry_shader) != 0)
        return;
    keep_address(&search->recorded[side], step, out);
    if (strcmp(out->value, instruction) == 0)
        keep_previous(&search->recorded[side], step, out);
    while (step > first && strcmp(step->name, instruction) != 0)
        step--;
    if (strcmp(step->name, instruction) != 0)
        return;
    const uint32_t unit = strcmp(step->stage, geometry_shader) == 0 ? PICA_UNIT_GEOMETRY : PICA_UNIT_VERTEX;
    struct harness_descriptors descriptors;
    struct harness_text text = { 0 };
    memcpy(descriptors.words, search->runs[side].state->units[unit].opdesc, sizeof descriptors.words);
    memset(descriptors.known, 0xFF, sizeof descriptors.known);
    harness_shader_print(step->values[0], &descriptors, NULL, &text);
    out->has_instruction = true;
    out->instruction_address = step->index;
    (void)snprintf(out->instruction, sizeof out->instruction, "%s", harness_text_string(&text));
    harness_text_free(&text);
    const struct pica_opcode_info *const opcode = pica_opcode_info((uint32_t)pica_opcode_of(step->values[0]));
    if (opcode != NULL)
        out->rule = opcode->rule;
}

static void keep_corners(struct harness_localise *search, const struct oracle_trace_difference *difference,
                         struct harness_location *out)
{
    const int side = difference->relation == ORACLE_TRACE_ONLY_SECOND ? 1 : 0;
    const struct oracle_trace trace = { search->recorded[side].steps, search->recorded[side].count };
    const size_t end = oracle_trace_part(&trace, difference->part + 1);
    const char *const name = pica_trace_info(PICA_TRACE_ID_SCREEN_POSITION)->name;
    const char *const clip = pica_trace_info(PICA_TRACE_ID_CLIP_POSITION)->name;
    search->clip_mask = 0;
    for (size_t i = oracle_trace_part(&trace, difference->part); i < end; i++) {
        const struct pica_trace_step *const step = &trace.steps[i];
        if (strcmp(step->name, clip) == 0 && step->index <= 2) {
            memcpy(search->clip[step->index], step->values, sizeof search->clip[0]);
            search->clip_mask |= 1u << step->index;
        }
        if (strcmp(step->name, name) != 0 || step->index > 2)
            continue;
        out->has_triangle = true;
        out->corners[step->index][0] = (int32_t)step->values[0];
        out->corners[step->index][1] = (int32_t)step->values[1];
    }
    out->triangle = (uint32_t)difference->part;
}

/* --------------------------------------------------------------------------------------------------------- vertices */

enum {
    EARLIER_DRAWS = 8 /* vertices searched for the other corners */
};

/* A hash for each vertex of a draw, of what every backend reports about it. */
struct digests {
    uint64_t *items;
    size_t count;
    bool failed;
};

static uint64_t mix(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * 0x9E3779B97F4A7C15u;
    return digest ^ (digest >> 29);
}

static void digest_step(void *user, const struct pica_trace_step *reported)
{
    struct digests *const digests = user;
    const struct pica_trace_step tamed = tame(reported), *const step = &tamed;
    const struct pica_trace_info *const info = pica_trace_info_by_name(step->stage, step->name);
    if (info == NULL || info->need != PICA_TRACE_ALWAYS)
        return;
    if (info == pica_trace_info(PICA_TRACE_ID_VERTEX_NUMBER)) {
        uint64_t *const items = harness_grow(digests->items, digests->count, sizeof *items);
        digests->failed = digests->failed || items == NULL;
        if (items == NULL)
            return;
        digests->items = items;
        digests->items[digests->count++] = 1;
    }
    if (digests->count == 0 || digests->failed)
        return;
    uint64_t *const digest = &digests->items[digests->count - 1];
    *digest = mix(*digest, step->index);
    for (uint32_t i = 0; i < step->count; i++)
        *digest = mix(*digest, step->values[i]);
}

/* Index of the first vertex of the draw that differs, or UINT32_MAX. */
static enum harness_status find_vertex(struct harness_localise *search, const struct harness_location *out,
                                       uint32_t draw, uint32_t *vertex, struct harness_error *error)
{
    struct digests digests[2] = { { 0 }, { 0 } };
    const struct pica_trace_request request = { draw, PICA_TRACE_VERTICES, 0, 0 };
    enum harness_status status = HARNESS_OK;
    bool traced = true;
    *vertex = UINT32_MAX;
    for (int side = 0; side < 2 && status == HARNESS_OK && traced; side++)
        status = run_traced(search, side, out->command, &request, digest_step, &digests[side], &traced, error);
    const size_t both = digests[0].count < digests[1].count ? digests[0].count : digests[1].count;
    const bool usable = status == HARNESS_OK && traced && !digests[0].failed && !digests[1].failed;
    for (size_t i = 0; usable && i < both && *vertex == UINT32_MAX; i++)
        if (digests[0].items[i] != digests[1].items[i])
            *vertex = (uint32_t)i;
    if (usable && *vertex == UINT32_MAX && digests[0].count != digests[1].count)
        *vertex = (uint32_t)both;
    free(digests[0].items);
    free(digests[1].items);
    return status;
}

/* Traces on both sides as `request` says, and compares. *traced: both can, and all of it was recorded. */
static enum harness_status compare_traces(struct harness_localise *search, struct harness_location *out,
                                          const struct pica_trace_request *request,
                                          struct oracle_trace_difference *difference, bool *traced,
                                          struct harness_error *error)
{
    memset(difference, 0, sizeof *difference);
    const enum harness_status status = record_both(search, out, request, traced, error);
    *traced = *traced && !search->recorded[0].failed && !search->recorded[1].failed;
    if (status == HARNESS_OK && *traced)
        compare_recorded(search, difference);
    return status;
}

/* Looks for the number of an earlier vertex. */
struct number {
    uint32_t wanted, vertex, at;
    bool found;
};

static void look_for_number(void *user, const struct pica_trace_step *reported)
{
    struct number *const number = user;
    const struct pica_trace_step tamed = tame(reported);
    if (pica_trace_info_by_name(tamed.stage, tamed.name) != pica_trace_info(PICA_TRACE_ID_VERTEX_NUMBER))
        return;
    number->found = number->found || (number->at < number->vertex && tamed.values[0] == number->wanted);
    number->at++;
}

/* Where the numbers of a vertex differ: does one side, and not the other, have that of an earlier vertex (VTX-24)? */
static void look_for_reuse(struct harness_localise *search, uint32_t draw, uint32_t vertex,
                           const struct harness_location *out)
{
    const struct pica_trace_request request = { draw, PICA_TRACE_VERTICES, 0, 0 };
    struct number numbers[2] = { { .wanted = out->step_first.values[0], .vertex = vertex },
                                 { .wanted = out->step_second.values[0], .vertex = vertex } };
    if (!out->has_first || !out->has_second ||
        strcmp(out->step_first.name, pica_trace_info(PICA_TRACE_ID_VERTEX_NUMBER)->name) != 0)
        return;
    for (int side = 0; side < 2; side++)
        if (!harness_localise_trace(search, side, out->command, &request, look_for_number, &numbers[side]))
            return;
    search->reused_number = numbers[0].found != numbers[1].found;
}

static bool tells_of_clipping(const struct harness_recorded *recorded)
{
    for (size_t i = 0; i < recorded->count; i++)
        if (pica_stage_word_of_rule(recorded->steps[i].name) == pica_stage_word_info(PICA_STAGE_WORD_CLIP))
            return true;
    return false;
}

/*
 * The first vertex in which the two differ. The steps that every backend reports tell which one, and only that one is
 * traced; with `all`, if that finds nothing, all steps of all vertices are compared: a step that only some backends
 * report may be wrong without consequences, and a geometry stage that takes some indices as counts (GSH-20) numbers
 * vertices otherwise. *found: whether they differ.
 */
static enum harness_status explain_vertex_of(struct harness_localise *search, uint32_t draw, bool all,
                                             struct harness_location *out, bool *found, struct harness_error *error)
{
    struct oracle_trace_difference difference = { 0 };
    uint32_t vertex = UINT32_MAX;
    bool traced = true;
    enum harness_status status = find_vertex(search, out, draw, &vertex, error);
    if (status == HARNESS_OK && vertex != UINT32_MAX) {
        const struct pica_trace_request request = { draw, PICA_TRACE_VERTEX, vertex, 0 };
        status = compare_traces(search, out, &request, &difference, &traced, error);
    }
    if (status == HARNESS_OK && traced && all && difference.relation == ORACLE_TRACE_SAME) {
        const struct pica_trace_request request = { draw, PICA_TRACE_VERTICES, 0, 0 };
        status = compare_traces(search, out, &request, &difference, &traced, error);
        vertex = (uint32_t)difference.part;
        search->clip_agrees =
            search->clip_agrees || (difference.relation == ORACLE_TRACE_SAME &&
                                    tells_of_clipping(&search->recorded[0]) && tells_of_clipping(&search->recorded[1]));
    }
    *found = status == HARNESS_OK && traced && difference.relation != ORACLE_TRACE_SAME;
    if (!*found)
        return status;
    out->has_vertex = draw == out->draw;
    out->vertex = vertex;
    const bool is_lost = difference.whole_part;
    difference.whole_part = false; /* that is about triangles: of a vertex its number is the first step */
    find_inserted(search, &difference);
    keep_step(search, &difference, out);
    if (is_lost)
        harness_localise_name_lost(search, out);
    keep_instruction(search, &difference, out);
    look_for_reuse(search, draw, vertex, out);
    return HARNESS_OK;
}

/* VTX-41: an immediate vertex is a draw of its own; the other corners of the triangle that it completes came before. */
static enum harness_status explain_vertex(struct harness_localise *search, struct harness_location *out,
                                          struct harness_error *error)
{
    const uint32_t earlier = out->draw < EARLIER_DRAWS ? out->draw : EARLIER_DRAWS;
    const uint32_t draws = harness_localise_is_immediate(out->trigger) ? 1u + earlier : 1u;
    enum harness_status status = HARNESS_OK;
    bool found = false;
    for (uint32_t i = 0; i < 2 * draws && !found && status == HARNESS_OK && out->note[0] == '\0'; i++)
        status = explain_vertex_of(search, out->draw - i % draws, i >= draws, out, &found, error);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- pixels */

/* What was there before anything was drawn: what the runners were loaded with, and what the CPU loads after that. */
static void find_pattern(const struct harness_localise *search, const struct oracle_surface *surface,
                         struct harness_location *out)
{
    struct oracle_run first = search->runs[0];
    const size_t operations = search->replays ? search->index : 0;
    if (harness_runner_add_loaded(search->runners[0], search->program->operations, operations, &first) != PICA_OK)
        memset(first.loaded, 0, sizeof first.loaded);
    harness_pattern(&first, &search->runs[1], surface, out->pixel.pattern, sizeof out->pixel.pattern);
}

static bool find_pixel_in(const struct harness_localise *search, const struct oracle_surface *surface,
                          const char *origin, struct harness_location *out)
{
    struct oracle_pixels_difference difference;
    oracle_pixels_compare(&search->runs[0], &search->runs[1], surface, &difference);
    if (difference.pixels == 0)
        return false;
    out->has_pixel = true;
    out->pixel = (struct harness_location_pixel){ .x = difference.x,
                                                  .y = difference.y,
                                                  .surface = *surface,
                                                  .origin = origin,
                                                  .first = difference.a,
                                                  .second = difference.b,
                                                  .differing = difference.pixels };
    find_pattern(search, surface, out);
    return true;
}

void harness_localise_find_pixel(const struct harness_localise *search, const uint32_t *registers,
                                 struct harness_location *out)
{
    struct oracle_surface surface;
    if (oracle_color_surface(registers, &search->choices, &surface) &&
        find_pixel_in(search, &surface, "colour buffer", out))
        return;
    if (oracle_depth_surface(registers, &search->choices, &surface))
        (void)find_pixel_in(search, &surface, "depth buffer", out);
}

static enum harness_status explain_pixel(struct harness_localise *search, struct harness_location *out,
                                         struct harness_error *error)
{
    const struct pica_trace_request request = { out->draw, PICA_TRACE_PIXEL, out->pixel.x, out->pixel.y };
    struct oracle_trace_difference difference;
    bool traced = false;
    const enum harness_status status = compare_traces(search, out, &request, &difference, &traced, error);
    if (status != HARNESS_OK)
        return status;
    if (!traced)
        return explain_vertex(search, out, error);
    if (difference.relation == ORACLE_TRACE_SAME)
        compare_recorded_writes(search, &difference);
    if (difference.relation == ORACLE_TRACE_SAME)
        return HARNESS_OK;
    keep_step(search, &difference, out);
    keep_corners(search, &difference, out);
    const enum harness_status vertices =
        harness_localise_comes_from_vertices(out) ? explain_vertex(search, out, error) : HARNESS_OK;
    if (vertices == HARNESS_OK && out->whole_part && out->has_triangle && !out->has_vertex) {
        harness_localise_elsewhere(search, out);
        harness_localise_name_lost(search, out);
    }
    return vertices;
}

/* After the last draw was traced: does memory still differ? Then what the traces say is what was done. */
static bool differs_traced(struct harness_localise *search, const struct harness_location *out)
{
    struct harness_error error = { "" };
    const bool is_memory = strcmp(out->stage, pica_stage_word_info(PICA_STAGE_WORD_MEMORY)->text) == 0;
    return is_memory && out->has_pixel && harness_localise_collect(search, &error) == HARNESS_OK &&
           harness_localise_differs(search, HARNESS_LOCALISE_MEMORY);
}

/* The first draw in `first` .. `end` - 1 whose trace shows a difference. */
static enum harness_status explain_draws(struct harness_localise *search, uint32_t first, uint32_t end,
                                         struct harness_location *out, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (out->draw = first; status == HARNESS_OK && out->draw < end; out->draw++) {
        status = out->has_pixel ? explain_pixel(search, out, error) : explain_vertex(search, out, error);
        if (status != HARNESS_OK || out->has_step || out->note[0] != '\0')
            return status;
        if (out->draw - first >= MAX_DRAWS_TRACED)
            break;
    }
    out->draw = end - 1;
    search->traces_agree = status == HARNESS_OK && out->note[0] == '\0';
    search->differs_traced = search->traces_agree && differs_traced(search, out);
    if (search->traces_agree)
        harness_localise_note(out, "the traces of both backends agree: the fault is between the values they report");
    return status;
}

enum harness_status harness_localise_draw(struct harness_localise *search, struct harness_location *out,
                                          struct harness_error *error)
{
    struct harness_drawn drawn;
    enum harness_status status = harness_localise_drawn(search, out->command, &drawn, error);
    bool differ = false;
    if (status == HARNESS_OK)
        status = harness_localise_run_commands(search, out->command, &differ, error);
    if (status != HARNESS_OK)
        return status;
    if (!drawn.known)
        harness_localise_note(out, "neither backend reports its draws");
    if (drawn.end <= drawn.first)
        return HARNESS_OK;
    out->has_draw = true;
    out->trigger = drawn.trigger;
    out->list_address = drawn.list_address;
    out->list_word = drawn.list_word;
    harness_localise_find_pixel(search, search->registers, out);
    status = explain_draws(search, drawn.first, drawn.end, out, error);
    if (status == HARNESS_OK && !out->has_step)
        harness_localise_name_drawn(search, out);
    return status;
}
