#include "harness/reduce/scrub.h"

#include "harness/reduce/reduce_digest.h"
#include "harness/reduce/scrub_parts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ what can be tried */

uint32_t scrub_atom_rank(const struct scrub_plan *plan, uint32_t atom, const struct harness_case *test_case)
{
    const struct scrub_atom *const item = &plan->atoms[atom];
    for (uint32_t image = 0; image < SCRUB_IMAGES; image++) {
        bool same = true;
        for (uint32_t r = item->first_run; r < item->first_run + item->run_count && same; r++) {
            const struct scrub_run *const run = &plan->runs[r];
            const struct scrub_block *const block = &plan->blocks[run->block];
            same = memcmp(scrub_block_bytes(test_case, block) + run->from, block->images[image] + run->from,
                          run->size) == 0;
        }
        if (same)
            return image;
    }
    return SCRUB_KEPT;
}

enum {
    LEAST_PATTERN = 8 /* bytes: shorter contents are more readable written out */
};

static bool piece_has_rest(const struct scrub_plan *plan, const struct scrub_piece *piece,
                           const struct harness_case *test_case)
{
    for (uint32_t a = piece->first_atom; a < piece->first_atom + piece->atom_count; a++)
        if (scrub_atom_rank(plan, a, test_case) != 0)
            return true;
    return false;
}

static bool replace_atom(const struct scrub_plan *plan, uint32_t atom, struct harness_case *test_case, uint32_t image)
{
    const struct scrub_atom *const item = &plan->atoms[atom];
    if (scrub_atom_rank(plan, atom, test_case) <= image)
        return false;
    for (uint32_t r = item->first_run; r < item->first_run + item->run_count; r++) {
        const struct scrub_run *const run = &plan->runs[r];
        const struct scrub_block *const block = &plan->blocks[run->block];
        memcpy(scrub_block_bytes(test_case, block) + run->from, block->images[image] + run->from, run->size);
    }
    return true;
}

/* The things of this pass: pieces and atoms that can still be replaced by something that reveals less. */
static bool replace_pieces(struct harness_case *test_case, struct reduce_walk *walk)
{
    const struct scrub_plan *const plan = walk->what;
    for (uint32_t i = 0; i < plan->piece_count; i++) {
        const struct scrub_piece *const piece = &plan->pieces[i];
        if (!piece_has_rest(plan, piece, test_case) || !harness_reduce_takes(walk))
            continue;
        for (uint32_t a = piece->first_atom; a < piece->first_atom + piece->atom_count; a++)
            walk->changed = replace_atom(plan, a, test_case, walk->variant) || walk->changed;
    }
    return true;
}

static bool replace_atoms(struct harness_case *test_case, struct reduce_walk *walk)
{
    const struct scrub_plan *const plan = walk->what;
    for (uint32_t a = 0; a < plan->atom_count; a++)
        if (scrub_atom_rank(plan, a, test_case) != 0 && harness_reduce_takes(walk))
            walk->changed = replace_atom(plan, a, test_case, walk->variant) || walk->changed;
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- texts */

static uint32_t take_text(const char **text)
{
    const uint32_t taken = *text != NULL && **text != '\0';
    *text = NULL;
    return taken;
}

static uint32_t take_list_texts(struct harness_data *data)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; data->kind == HARNESS_DATA_LIST && i < data->list.count; i++)
        if (data->list.commands[i].comment != NULL)
            taken += take_text(&harness_list_edit(&data->list, i)->comment);
    return taken;
}

/* Removes notes and comments, which may name the game or a person. Returns how many. */
static uint32_t take_texts(struct harness_case *test_case)
{
    uint32_t taken = take_text(&test_case->comment);
    for (uint32_t i = 0; i < test_case->chunk_count; i++) {
        taken += take_text(&test_case->chunks[i].comment);
        taken += take_list_texts(&test_case->chunks[i].data);
    }
    for (uint32_t i = test_case->operation_count; i-- != 0;) {
        taken += take_text(&test_case->operations[i].comment);
        taken += take_list_texts(&test_case->operations[i].data);
        if (test_case->operations[i].kind == HARNESS_NOTE) {
            harness_case_remove(test_case, i, 1);
            taken++;
        }
    }
    return taken;
}

/* --------------------------------------------------------------------------------------------------------- account */

/* The kind of data in a part of the initial state. */
static enum harness_read_kind kind_of_part(const struct harness_part *part)
{
    const size_t tables = offsetof(struct pica_state, tables), end = tables + sizeof(struct pica_tables);
    const size_t sent = offsetof(struct pica_state, fixed);
    if (part->offset >= tables && part->offset < end)
        return HARNESS_READ_TABLE;
    switch (part->type) {
    case HARNESS_PART_CODE:
    case HARNESS_PART_OPDESCS: return HARNESS_READ_CODE;
    case HARNESS_PART_FLOATS: return part->offset < sent ? HARNESS_READ_UNIFORMS : HARNESS_READ_SENT;
    case HARNESS_PART_REGISTERS:
    case HARNESS_PART_WORDS: break;
    }
    return HARNESS_READ_COMMANDS;
}

static void count_state(const struct harness_state *state, struct harness_scrub_row *rows)
{
    for (uint32_t i = 0; i < harness_part_count; i++)
        for (uint32_t e = harness_part_next(&state->values, i, 0); e < harness_parts[i].count;
             e = harness_part_next(&state->values, i, e + 1))
            rows[kind_of_part(&harness_parts[i])].bytes += harness_parts[i].width;
}

/* Counts the bytes of all blocks by kind. A pattern in the original counts as made up. */
static void count_blocks(const struct scrub_plan *plan, struct harness_scrub_row *rows)
{
    for (uint32_t b = 0; b < plan->block_count; b++) {
        const struct scrub_block *const block = &plan->blocks[b];
        for (uint32_t i = 0; i < block->size; i++) {
            struct harness_scrub_row *const row = &rows[plan->pieces[block->pieces[i]].read.kind];
            row->bytes++;
            row->made_up += block->fixed;
        }
    }
}

static bool is_coarse(const struct scrub_plan *plan, const struct scrub_atom *atom, uint32_t rank)
{
    const enum harness_read_kind kind = plan->pieces[atom->piece].read.kind;
    return rank != 0 && rank < SCRUB_KEPT && (kind == HARNESS_READ_VERTICES || kind == HARNESS_READ_SENT);
}

static bool joins(const struct harness_scrub_rest *last, const struct harness_scrub_rest *next)
{
    return last->kind == next->kind && last->coarse == next->coarse && last->block == next->block &&
           last->address + last->size == next->address;
}

static int compare_rests(const void *a, const void *b)
{
    const struct harness_scrub_rest *const left = a, *const right = b;
    if (left->kind != right->kind)
        return left->kind > right->kind ? -1 : 1; /* vertices first */
    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return (left->address > right->address) - (left->address < right->address);
}

static void join_rests(struct harness_scrub_result *result)
{
    size_t count = 0;
    if (result->rest_count != 0)
        qsort(result->rests, result->rest_count, sizeof *result->rests, compare_rests);
    for (size_t i = 0; i < result->rest_count; i++)
        if (count != 0 && joins(&result->rests[count - 1], &result->rests[i]))
            result->rests[count - 1].size += result->rests[i].size;
        else
            result->rests[count++] = result->rests[i];
    result->rest_count = count;
}

static void count_atom(const struct scrub_plan *plan, uint32_t number, uint32_t rank,
                       struct harness_scrub_result *result)
{
    const struct scrub_atom *const atom = &plan->atoms[number];
    const enum harness_read_kind kind = plan->pieces[atom->piece].read.kind;
    const bool coarse = is_coarse(plan, atom, rank);
    const bool rests = coarse || rank == SCRUB_KEPT;
    for (uint32_t r = atom->first_run; r < atom->first_run + atom->run_count; r++) {
        const struct scrub_run *const run = &plan->runs[r];
        const struct scrub_block *const block = &plan->blocks[run->block];
        result->rows[kind].made_up += rests ? 0 : run->size;
        result->rows[kind].coarse += coarse ? run->size : 0;
        if (rests)
            result->rests[result->rest_count++] =
                (struct harness_scrub_rest){ kind, coarse, block->address + run->from, run->size, block->index };
    }
}

static enum harness_status account(const struct scrub_plan *plan, const struct harness_case *test_case,
                                   struct harness_scrub_result *result, struct harness_error *error)
{
    result->rests = calloc(plan->run_count + 1, sizeof *result->rests);
    if (result->rests == NULL)
        return harness_fail_memory(error);
    count_blocks(plan, result->rows);
    if (test_case->state != NULL)
        count_state(test_case->state, result->rows);
    for (uint32_t i = 0; i < plan->atom_count; i++)
        count_atom(plan, i, scrub_atom_rank(plan, i, test_case), result);
    join_rests(result);
    return HARNESS_OK;
}

/* --------------------------------------------------------------------------------------------------- shorter files */

static bool holds(const struct harness_data *data, const struct harness_data *pattern)
{
    uint8_t *const bytes = malloc(data->size);
    if (bytes != NULL)
        harness_data_write(pattern, false, bytes);
    const bool same = bytes != NULL && memcmp(bytes, data->bytes, data->size) == 0;
    free(bytes);
    return same;
}

/* Turns contents that are one value or one ramp into a pattern. */
static void write_patterns(struct harness_case *test_case)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t *address = NULL;
    for (struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;) {
        if ((data->kind != HARNESS_DATA_BYTES && data->kind != HARNESS_DATA_TABLE) || data->size < LEAST_PATTERN)
            continue;
        struct harness_data pattern;
        memset(&pattern, 0, sizeof pattern);
        harness_data_pattern(&pattern, HARNESS_PATTERN_FILL, data->bytes[0] * UINT32_C(0x01010101), data->size);
        if (holds(data, &pattern)) {
            *data = pattern;
            continue;
        }
        const uint8_t step = (uint8_t)(data->bytes[1] - data->bytes[0]);
        const uint8_t row = data->size > 256 ? (uint8_t)(data->bytes[256] - data->bytes[0]) : 0;
        harness_data_pattern(&pattern, HARNESS_PATTERN_RAMP, data->bytes[0] | (uint32_t)step << 8 | (uint32_t)row << 16,
                             data->size);
        if (holds(data, &pattern))
            *data = pattern;
    }
}

/* *digest: the digest of the case as backends see it. */
static enum harness_status see(const struct harness_case *test_case, uint64_t *digest, struct harness_error *error)
{
    struct harness_program *const program = harness_program_create();
    if (program == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = harness_case_setup(test_case, program, error);
    *digest = status == HARNESS_OK ? harness_reduce_digest(program) : 0;
    harness_program_destroy(program);
    return status;
}

/* Takes the replaced bytes over into the case, with typed lists and patterns restored; fails if a backend would see
 * anything else than the flat case. */
static enum harness_status bring_back(struct harness_case *test_case, const struct harness_case *flat,
                                      struct harness_error *error)
{
    uint64_t tried = 0, now = 0;
    if (!scrub_restore(test_case, flat))
        return harness_fail_memory(error);
    write_patterns(test_case);
    enum harness_status status = see(flat, &tried, error);
    if (status == HARNESS_OK)
        status = see(test_case, &now, error);
    if (status == HARNESS_OK && tried != now)
        status = harness_fail(error, HARNESS_HOST, "the scrubbed case is not the one that was tried (a bug here)");
    return status;
}

/* Reduces twice: atoms that could not be replaced are cut into smaller ones for the second time. */
static enum harness_status reduce_twice(struct harness_case *flat, struct scrub_plan *plan,
                                        struct harness_reduce_options *options, struct harness_reduce_result *result,
                                        struct harness_error *error)
{
    bool finer = false;
    enum harness_status status = harness_reduce(flat, options, result, error);
    const struct harness_reduce_progress first = result->progress;
    if (status != HARNESS_OK || !result->complete)
        return status;
    if (!scrub_plan_refine(plan, flat, &finer))
        return harness_fail_memory(error);
    if (!finer)
        return HARNESS_OK;
    if (options->seconds != 0)
        options->seconds = first.elapsed + 1.0 < options->seconds ? options->seconds - (unsigned)first.elapsed : 1;
    status = harness_reduce(flat, options, result, error);
    result->progress.tried += first.tried;
    result->progress.accepted += first.accepted;
    result->progress.elapsed += first.elapsed;
    return status;
}

enum harness_status harness_scrub(struct harness_case *test_case, const struct harness_reduce_options *options,
                                  struct harness_scrub_result *result, struct harness_error *error)
{
    struct scrub_plan *plan = NULL;
    struct harness_reduce_options chosen = *options;
    memset(result, 0, sizeof *result);
    result->texts = take_texts(test_case);
    struct harness_case *const flat = harness_case_clone(test_case);
    enum harness_status status = flat != NULL && scrub_flatten(flat) ? scrub_plan_create(test_case, flat, &plan, error)
                                                                     : harness_fail_memory(error);
    const struct reduce_pass pieces = { "whole arrays, textures", SCRUB_IMAGES, .walk = replace_pieces, .what = plan };
    const struct reduce_pass atoms = { "parts of them", SCRUB_IMAGES, .walk = replace_atoms, .what = plan };
    const struct reduce_pass *const passes[] = { &pieces, &atoms };
    const struct reduce_plan chosen_plan = { passes, 2 };
    chosen.plan = &chosen_plan;
    chosen.verdict_alone = false;
    chosen.without = 0;
    chosen.state_path = NULL;
    if (status == HARNESS_OK)
        status = reduce_twice(flat, plan, &chosen, &result->reduced, error);
    if (status == HARNESS_OK)
        status = account(plan, flat, result, error);
    if (status == HARNESS_OK)
        status = bring_back(test_case, flat, error);
    scrub_plan_destroy(plan);
    harness_case_destroy(flat);
    return status;
}

void harness_scrub_free(struct harness_scrub_result *result)
{
    free(result->rests);
    result->rests = NULL;
    result->rest_count = 0;
}
