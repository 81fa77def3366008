/* Plans what can be replaced: cuts contents into pieces by what reads them, and pieces into atoms. */
#include "harness/reduce/scrub_parts.h"

#include "harness/case/grow.h"

#include <stdlib.h>

enum {
    ATOMS = 1024, /* per piece, approximately */
    LEAST_ATOM = 16
};

/* Are bytes of this kind replaced? Commands and their uploads are not: they make the case what it is. */
static bool is_replaced(enum harness_read_kind kind)
{
    return kind < HARNESS_READ_COMMANDS || kind == HARNESS_READ_SENT;
}

uint8_t *scrub_block_bytes(const struct harness_case *test_case, const struct scrub_block *block)
{
    return block->index < test_case->chunk_count
               ? test_case->chunks[block->index].data.bytes
               : test_case->operations[block->index - test_case->chunk_count].data.bytes;
}

/* ---------------------------------------------------------------------------------------------------------- blocks */

static bool add_block(struct scrub_plan *plan, const struct scrub_block *block, enum harness_data_kind kind)
{
    struct scrub_block *const added = &plan->blocks[plan->block_count++];
    *added = *block;
    added->fixed = kind == HARNESS_DATA_PATTERN;
    const size_t size = block->size != 0 ? block->size : 1;
    added->pieces = calloc(size, sizeof *added->pieces);
    bool good = added->pieces != NULL;
    for (int i = 0; i < SCRUB_IMAGES && !added->fixed; i++) {
        added->images[i] = calloc(size, 1);
        good = good && added->images[i] != NULL;
    }
    return good;
}

static bool add_blocks(struct scrub_plan *plan)
{
    const struct harness_case *const original = plan->original;
    const struct pica_setup *const setup = &plan->program->setup;
    bool good = true;
    for (uint32_t i = 0; i < setup->chunk_count && good; i++) {
        const struct scrub_block block = { .index = i,
                                           .address = setup->chunks[i].address,
                                           .size = setup->chunks[i].size,
                                           .bytes = setup->chunks[i].data };
        good = add_block(plan, &block, original->chunks[i].data.kind);
    }
    for (uint32_t i = 0; i < plan->program->count && good; i++) {
        const struct pica_operation *const operation = &plan->program->operations[i];
        const uint32_t origin = plan->program->origins[i];
        if (operation->kind != PICA_OPERATION_LOAD_MEMORY)
            continue;
        const struct scrub_block block = { .index = original->chunk_count + origin,
                                           .from = i + 1,
                                           .address = operation->address,
                                           .size = operation->size,
                                           .bytes = operation->data };
        good = add_block(plan, &block, original->operations[origin].data.kind);
    }
    return good;
}

/* ---------------------------------------------------------------------------------------------------------- pieces */

/* The blocks that a read may get its bytes from, the last loaded first, and the address range that they span. */
struct candidates {
    uint32_t *blocks;
    uint32_t count;
    uint64_t first, end;
};

static void find_candidates(const struct scrub_plan *plan, const struct harness_read *read, struct candidates *out)
{
    const uint64_t end = (uint64_t)read->address + (read->count - 1) * (uint64_t)read->stride + read->size;
    out->count = 0;
    out->first = UINT64_MAX;
    out->end = 0;
    for (uint32_t b = plan->block_count; b-- != 0;) {
        const struct scrub_block *const block = &plan->blocks[b];
        const uint64_t block_end = (uint64_t)block->address + block->size;
        if (block->from > read->operation || block->address >= end || block_end <= read->address)
            continue;
        out->blocks[out->count++] = b;
        out->first = block->address < out->first ? block->address : out->first;
        out->end = block_end > out->end ? block_end : out->end;
    }
}

/* Assigns the bytes of a range to a piece. A byte belongs to the last block loaded there, and, if read in several ways,
 * to the kind that is hardest to replace. */
static void mark_range(struct scrub_plan *plan, const struct candidates *candidates, uint32_t piece, uint64_t address,
                       uint32_t size)
{
    for (uint64_t at = address; at < address + size; at++)
        for (uint32_t c = 0; c < candidates->count; c++) {
            struct scrub_block *const block = &plan->blocks[candidates->blocks[c]];
            if (at < block->address || at - block->address >= block->size)
                continue;
            uint32_t *const owner = &block->pieces[at - block->address];
            if (plan->pieces[piece].read.kind > plan->pieces[*owner].read.kind)
                *owner = piece;
            break;
        }
}

/* Marks what one read reads. A draw may name more vertices than memory holds, so only those near a block are
 * visited. */
static void mark_read(struct scrub_plan *plan, const struct candidates *candidates, uint32_t piece,
                      const struct harness_read *read)
{
    uint64_t k = 0;
    if (candidates->count != 0 && read->count > 1 && candidates->first > (uint64_t)read->address + read->size)
        k = (candidates->first - read->address - read->size) / read->stride;
    for (; k < read->count && candidates->count != 0; k++) {
        const uint64_t address = read->address + k * read->stride;
        if (address >= candidates->end)
            break;
        mark_range(plan, candidates, piece, address, read->size);
    }
}

/* The piece of a read. All vertices that one list sends are one piece, however many commands send them. */
static uint32_t piece_of(struct scrub_plan *plan, const struct harness_read *read)
{
    for (uint32_t i = plan->unknown + 1; read->kind == HARNESS_READ_SENT && i < plan->piece_count; i++)
        if (plan->pieces[i].read.kind == read->kind && plan->pieces[i].read.operation == read->operation)
            return i;
    plan->pieces[plan->piece_count].read = *read;
    return plan->piece_count++;
}

static bool mark(struct scrub_plan *plan, const struct harness_reads *reads)
{
    struct candidates candidates = { .blocks = malloc((plan->block_count + 1) * sizeof(uint32_t)) };
    plan->pieces = calloc(reads->count + 2, sizeof *plan->pieces);
    if (candidates.blocks == NULL || plan->pieces == NULL) {
        free(candidates.blocks);
        return false;
    }
    plan->unknown = 1;
    plan->pieces[plan->unknown].read.kind = HARNESS_READ_SENT;
    plan->piece_count = 2;
    for (size_t i = 0; i < reads->count; i++) {
        const struct harness_read *const read = &reads->items[i];
        const uint32_t piece = piece_of(plan, read);
        find_candidates(plan, read, &candidates);
        mark_read(plan, &candidates, piece, read);
    }
    free(candidates.blocks);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------ runs */

static bool add_run(struct scrub_plan *plan, const struct scrub_run *run)
{
    struct scrub_run *const runs = harness_grow(plan->runs, plan->run_count, sizeof *runs);
    if (runs == NULL)
        return false;
    plan->runs = runs;
    plan->runs[plan->run_count++] = *run;
    return true;
}

/* Size in bytes of an atom when `bytes` of this piece are to be cut: whole vertices, whole indices. */
static uint32_t atom_size(const struct scrub_piece *piece, uint64_t bytes)
{
    const uint64_t share = bytes / ATOMS;
    const uint32_t wanted = share > LEAST_ATOM ? (uint32_t)share : LEAST_ATOM;
    const uint32_t unit = piece->read.stride != 0 ? piece->read.stride : LEAST_ATOM;
    return (wanted + unit - 1) / unit * unit;
}

/* Adds a run of consecutive bytes, cut where an atom of this size may end. */
static bool add_cut_runs(struct scrub_plan *plan, const struct scrub_run *whole, uint32_t size)
{
    struct scrub_run run = *whole;
    for (uint32_t left = whole->size; left != 0; left -= run.size) {
        const uint32_t offset = plan->blocks[run.block].address + run.from - plan->pieces[run.piece].read.address;
        const uint32_t room = size - offset % size;
        run.size = left < room ? left : room;
        if (!add_run(plan, &run))
            return false;
        run.from += run.size;
    }
    return true;
}

static uint32_t end_of_run(const struct scrub_block *block, uint32_t from)
{
    uint32_t end = from + 1;
    while (end < block->size && block->pieces[end] == block->pieces[from])
        end++;
    return end;
}

static void weigh_pieces(struct scrub_plan *plan)
{
    for (uint32_t b = 0; b < plan->block_count; b++)
        for (uint32_t i = 0; i < plan->blocks[b].size && !plan->blocks[b].fixed; i++)
            plan->pieces[plan->blocks[b].pieces[i]].bytes++;
}

static bool add_runs(struct scrub_plan *plan)
{
    for (uint32_t b = 0; b < plan->block_count; b++) {
        const struct scrub_block *const block = &plan->blocks[b];
        for (uint32_t from = 0, end = 0; from < block->size && !block->fixed; from = end) {
            end = end_of_run(block, from);
            const struct scrub_run run = { block->pieces[from], b, from, end - from, false };
            const struct scrub_piece *const piece = &plan->pieces[run.piece];
            if (run.piece != plan->unknown && is_replaced(piece->read.kind) &&
                !add_cut_runs(plan, &run, atom_size(piece, piece->bytes)))
                return false;
        }
    }
    return true;
}

/* Orders runs by piece, and within a piece by place in the case. */
static int compare_runs(const void *a, const void *b)
{
    const struct scrub_run *const left = a, *const right = b;
    if (left->piece != right->piece)
        return left->piece < right->piece ? -1 : 1;
    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return (left->from > right->from) - (left->from < right->from);
}

/* ----------------------------------------------------------------------------------------------------------- atoms */

/* Groups the runs from `first` to `end` into atoms of about `wanted` bytes. */
static void begin_atoms(struct scrub_plan *plan, uint32_t first, uint32_t end, uint64_t wanted)
{
    uint64_t bytes = wanted;
    for (uint32_t r = first; r < end; r++) {
        plan->runs[r].begins = r == first || bytes >= wanted;
        bytes = (plan->runs[r].begins ? 0 : bytes) + plan->runs[r].size;
    }
}

static void find_runs(struct scrub_plan *plan)
{
    for (uint32_t i = 0, run = 0; i < plan->piece_count; i++) {
        plan->pieces[i].first_run = run;
        while (run < plan->run_count && plan->runs[run].piece == i)
            run++;
        plan->pieces[i].run_count = run - plan->pieces[i].first_run;
    }
}

static bool make_atoms(struct scrub_plan *plan)
{
    plan->atoms = calloc(plan->run_count + 1, sizeof *plan->atoms);
    plan->atom_count = 0;
    if (plan->atoms == NULL)
        return false;
    for (uint32_t i = 0; i < plan->piece_count; i++) {
        struct scrub_piece *const piece = &plan->pieces[i];
        piece->first_atom = plan->atom_count;
        for (uint32_t r = piece->first_run; r < piece->first_run + piece->run_count; r++) {
            if (plan->runs[r].begins)
                plan->atoms[plan->atom_count++] = (struct scrub_atom){ i, r, 0 };
            plan->atoms[plan->atom_count - 1].run_count++;
        }
        piece->atom_count = plan->atom_count - piece->first_atom;
    }
    return true;
}

static bool cut(struct scrub_plan *plan)
{
    weigh_pieces(plan);
    if (!add_runs(plan))
        return false;
    if (plan->run_count != 0)
        qsort(plan->runs, plan->run_count, sizeof *plan->runs, compare_runs);
    find_runs(plan);
    for (uint32_t i = 0; i < plan->piece_count; i++) {
        const struct scrub_piece *const piece = &plan->pieces[i];
        begin_atoms(plan, piece->first_run, piece->first_run + piece->run_count, atom_size(piece, piece->bytes));
    }
    return make_atoms(plan);
}

/* ---------------------------------------------------------------------------------------------------- smaller atoms */

static uint64_t bytes_of_atom(const struct scrub_plan *plan, const struct scrub_atom *atom)
{
    uint64_t bytes = 0;
    for (uint32_t r = atom->first_run; r < atom->first_run + atom->run_count; r++)
        bytes += plan->runs[r].size;
    return bytes;
}

/* Copies the runs of an atom, cut to this size; 0: uncut. */
static bool copy_atom(struct scrub_plan *plan, const struct scrub_run *runs, uint32_t count, uint32_t size)
{
    const uint32_t first = plan->run_count;
    for (uint32_t r = 0; r < count; r++)
        if (size != 0 ? !add_cut_runs(plan, &runs[r], size) : !add_run(plan, &runs[r]))
            return false;
    begin_atoms(plan, first, plan->run_count, size != 0 ? size : UINT64_MAX);
    return true;
}

bool scrub_plan_refine(struct scrub_plan *plan, const struct harness_case *flat, bool *finer)
{
    struct scrub_run *const runs = plan->runs;
    struct scrub_atom *const atoms = plan->atoms;
    const uint32_t count = plan->atom_count;
    uint64_t rest = 0;
    uint32_t *const ranks = calloc((size_t)count + 1, sizeof *ranks);
    bool good = ranks != NULL;
    for (uint32_t a = 0; a < count && good; a++) {
        ranks[a] = scrub_atom_rank(plan, a, flat);
        rest += ranks[a] != 0 ? bytes_of_atom(plan, &atoms[a]) : 0;
    }
    plan->runs = NULL;
    plan->run_count = 0;
    for (uint32_t a = 0; a < count && good; a++) {
        const struct scrub_piece *const piece = &plan->pieces[atoms[a].piece];
        good =
            copy_atom(plan, runs + atoms[a].first_run, atoms[a].run_count, ranks[a] != 0 ? atom_size(piece, rest) : 0);
    }
    find_runs(plan);
    good = good && make_atoms(plan);
    *finer = good && plan->atom_count > count;
    free(ranks);
    free(runs);
    if (plan->atoms != atoms)
        free(atoms);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------ life */

static enum harness_status fill_plan(struct scrub_plan *plan, const struct harness_case *test_case,
                                     const struct harness_case *flat, struct harness_error *error)
{
    struct harness_reads reads = { NULL, 0 };
    plan->original = harness_case_clone(flat);
    plan->program = harness_program_create();
    if (plan->original == NULL || plan->program == NULL)
        return harness_fail_memory(error);
    enum harness_status status = harness_case_setup(plan->original, plan->program, error);
    if (status == HARNESS_OK)
        status = harness_reads_find(plan->program, &reads, error);
    if (status == HARNESS_OK) {
        plan->blocks =
            calloc((size_t)plan->program->count + plan->program->setup.chunk_count + 1, sizeof *plan->blocks);
        if (plan->blocks == NULL || !add_blocks(plan) || !mark(plan, &reads) || !scrub_lists_fill(plan, test_case) ||
            !cut(plan))
            status = harness_fail_memory(error);
        else
            scrub_images_fill(plan);
    }
    harness_reads_free(&reads);
    return status;
}

enum harness_status scrub_plan_create(const struct harness_case *test_case, const struct harness_case *flat,
                                      struct scrub_plan **out, struct harness_error *error)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? fill_plan(*out, test_case, flat, error) : harness_fail_memory(error);
}

void scrub_plan_destroy(struct scrub_plan *plan)
{
    if (plan == NULL)
        return;
    for (uint32_t b = 0; b < plan->block_count; b++) {
        free(plan->blocks[b].pieces);
        for (int i = 0; i < SCRUB_IMAGES; i++)
            free(plan->blocks[b].images[i]);
    }
    free(plan->blocks);
    free(plan->pieces);
    free(plan->runs);
    free(plan->atoms);
    harness_program_destroy(plan->program);
    harness_case_destroy(plan->original);
    free(plan);
}
