#include "oracles/relate.h"

#include <string.h>

/* --------------------------------------------------------------------------------------------------------- memory */

void *oracle_take(struct oracle_workspace *space, size_t size)
{
    const size_t rounded = (size + 7) / 8 * 8;
    if (rounded < size || rounded > space->size - space->used)
        return NULL;
    void *const bytes = space->bytes + space->used;
    space->used += rounded;
    return bytes;
}

static void *take_zeros(struct oracle_workspace *space, size_t size)
{
    void *const bytes = oracle_take(space, size);
    if (bytes != NULL)
        memset(bytes, 0, size);
    return bytes;
}

uint8_t *oracle_take_data(struct oracle_job *job, uint32_t size, uint32_t alignment, uint32_t skew, uint32_t *address)
{
    const uint32_t start = (job->data_used + alignment - 1) / alignment * alignment + skew % alignment;
    if (start > ORACLE_DATA_SIZE || size > ORACLE_DATA_SIZE - start) {
        job->failed = true;
        return NULL;
    }
    job->data_used = start + size;
    *address = job->fresh + ORACLE_FRESH_DATA + start;
    return job->data + start;
}

/* --------------------------------------------------------------------------------------------------------- chance */

/* splitmix64 */
uint32_t oracle_random_word(struct oracle_job *job)
{
    job->random += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = job->random;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

uint32_t oracle_below(struct oracle_job *job, uint32_t bound)
{
    return oracle_random_word(job) % bound;
}

/* -------------------------------------------------------------------------------------------------------- streams */

void oracle_emit(struct oracle_job *job, struct oracle_stream *stream, const struct oracle_command *command,
                 uint32_t noise)
{
    const uint32_t padding = command->count % 2 == 0 ? 1 : 0;
    if (stream->count + 1 + command->count + padding > ORACLE_STREAM_WORDS - 8) {
        job->failed = true;
        return;
    }
    uint32_t header = pica_command_header_set_id(0, command->id);
    header = pica_command_header_set_mask(header, command->mask);
    header = pica_command_header_set_extra_parameters(header, command->count - 1);
    header = pica_command_header_set_consecutive(header, command->consecutive);
    header = pica_command_header_set_ignored(header, noise);
    uint32_t *const words = &stream->words[stream->count];
    words[0] = command->parameters[0];
    words[1] = header;
    memcpy(words + 2, command->parameters + 1, (command->count - 1) * sizeof *words);
    if (padding != 0)
        words[1 + command->count] = noise;
    stream->count += 1 + command->count + padding;
    stream->commands++;
}

void oracle_emit_masked(struct oracle_job *job, struct oracle_stream *stream, uint32_t id, uint32_t mask,
                        uint32_t value)
{
    const struct oracle_command command = { .id = id, .mask = mask, .count = 1, .parameters = &value };
    oracle_emit(job, stream, &command, 0);
}

void oracle_emit_write(struct oracle_job *job, struct oracle_stream *stream, uint32_t id, uint32_t value)
{
    oracle_emit_masked(job, stream, id, 15, value);
}

void oracle_copy_base(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_emit(job, job->base, command, 0);
}

void oracle_copy(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_emit(job, job->base, command, 0);
    oracle_emit(job, job->variant, command, 0);
}

/* Mask 0 stores nothing (CMD-05); id 0x236 is storage without event even while drawing (REG-06, REG-44). */
void oracle_pad(struct oracle_job *job, struct oracle_stream *stream)
{
    while (stream->count % 4 != 0 && !job->failed)
        oracle_emit_masked(job, stream, PICA_REG_UNUSED_236, 0, 0);
}

bool oracle_quiet(const struct oracle_walk *walk, uint32_t id)
{
    const bool geometry = id >= 0x200u && id <= 0x254u;
    const bool shader = id >= 0x280u && id <= 0x2DFu;
    if (!geometry && !shader && id != PICA_REG_RESTART_PRIMITIVE &&
        ((walk->registers.known[PICA_REG_GEOSTAGE_CONFIG2] & 1u) == 0 ||
         pica_geostage_config2_drawing(walk->registers.values[PICA_REG_GEOSTAGE_CONFIG2]) != 0))
        return false;
    if (id < PICA_REG_VSH_BOOLUNIFORM || !shader)
        return true;
    return (walk->registers.known[PICA_REG_START_DRAW_FUNC0] & 1u) != 0 &&
           pica_start_draw_func0_mode(walk->registers.values[PICA_REG_START_DRAW_FUNC0]) ==
               PICA_START_DRAW_MODE_CONFIGURE;
}

/* ----------------------------------------------------------------------------------------------------- operations */

void oracle_append(struct oracle_job *job, int side, const struct pica_operation *operation)
{
    if (job->counts[side] == job->capacity)
        job->failed = true;
    else
        job->operations[side][job->counts[side]++] = *operation;
}

void oracle_append_write(struct oracle_job *job, int side, uint32_t address, uint32_t value)
{
    const struct pica_operation operation = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                              .address = address,
                                              .words = { value } };
    oracle_append(job, side, &operation);
}

static void append_load(struct oracle_job *job, uint32_t offset, const void *bytes, uint32_t size)
{
    const struct pica_operation load = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = job->fresh + offset, .size = size, .data = bytes
    };
    if (size == 0)
        return;
    oracle_append(job, 0, &load);
    oracle_append(job, 1, &load);
}

static void append_submit(struct oracle_job *job, int side, uint32_t offset, uint32_t words)
{
    const struct pica_operation submit = { .kind = PICA_OPERATION_SUBMIT_LIST,
                                           .address = job->fresh + offset,
                                           .size = 4 * words };
    oracle_append(job, side, &submit);
}

/* Restores the values that channel 0's registers have after the original submission (EXT-CMD-14, or written by the
 * list). */
static void append_restore(struct oracle_job *job, int side)
{
    const uint32_t ids[] = { PICA_REG_CMDBUF_SIZE0, PICA_REG_CMDBUF_ADDR0 };
    for (int i = 0; i < 2; i++)
        oracle_append_write(job, side, 0x10401000u + 4 * ids[i], job->walk->registers.values[ids[i]]);
}

/* ----------------------------------------------------------------------------------------------------------- lists */

static void begin_list(struct oracle_job *job)
{
    job->base->count = job->base->commands = 0;
    job->variant->count = job->variant->commands = 0;
    job->data_used = 0;
    job->commands = 0;
    job->changed = 0;
    job->failed = false;
    job->split = ORACLE_NO_SPLIT;
    memset(job->pending, 0, sizeof *job->pending);
}

/* Is the next candidate inside the part? `command` is NULL for an operation. */
static bool is_wanted(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_place place = { .operation = job->walk->operation, .is_command = command != NULL };
    const uint32_t number = job->twins->candidates++;
    job->random = job->seed ^ number * UINT64_C(0xD1342543DE82EF95); /* makes the same choices whatever the part is */
    if (command != NULL) {
        place.command = job->commands;
        place.id = command->id;
        place.mask = command->mask;
        place.count = command->count;
        place.parameter = command->parameters[0];
    }
    if (number == job->part.first)
        job->twins->first = place;
    if (number < job->part.end)
        job->twins->last = place;
    return number >= job->part.first && number < job->part.end;
}

static void visit(void *user, const struct oracle_command *command)
{
    struct oracle_job *const job = user;
    if (is_wanted(job, command)) {
        job->relation->command(job, command);
    } else {
        if (job->pending->count != 0 && job->relation->finish != NULL)
            job->relation->finish(job); /* emits held-back commands first */
        oracle_copy(job, command);
    }
    job->commands++;
}

/* Serialises a stream into the workspace (GEN-04). */
static const uint8_t *stream_bytes(struct oracle_job *job, const struct oracle_stream *stream)
{
    uint8_t *const bytes = oracle_take(job->space, 4 * (size_t)stream->count);
    for (uint32_t i = 0; bytes != NULL && i < 4 * stream->count; i++)
        bytes[i] = (uint8_t)(stream->words[i / 4] >> (8 * (i % 4)));
    return bytes;
}

/* Appends the loads and submissions that replace the original submission. False if there is no room for them. */
static bool append_lists(struct oracle_job *job, const struct pica_operation *original)
{
    const uint8_t *const base = stream_bytes(job, job->base);
    const uint8_t *const variant = stream_bytes(job, job->variant);
    uint8_t *const data = oracle_take(job->space, job->data_used);
    if (base == NULL || variant == NULL || data == NULL || job->counts[0] + 8 > job->capacity ||
        job->counts[1] + 8 > job->capacity)
        return false;
    memcpy(data, job->data, job->data_used);
    append_load(job, ORACLE_FRESH_BASE, base, 4 * job->base->count);
    append_load(job, ORACLE_FRESH_VARIANT, variant, 4 * job->variant->count);
    append_load(job, ORACLE_FRESH_DATA, data, job->data_used);
    if (job->base_in_place)
        oracle_append(job, 0, original);
    else
        append_submit(job, 0, ORACLE_FRESH_BASE, job->base->count);
    if (job->split == ORACLE_NO_SPLIT) {
        append_submit(job, 1, ORACLE_FRESH_VARIANT, job->variant->count);
    } else {
        append_submit(job, 1, ORACLE_FRESH_VARIANT, job->split);
        append_submit(job, 1, ORACLE_FRESH_VARIANT + 4 * job->split, job->variant->count - job->split);
    }
    append_restore(job, 0);
    append_restore(job, 1);
    return true;
}

static void take_list(struct oracle_job *job, const struct pica_operation *operation)
{
    begin_list(job);
    const uint32_t limit = job->walk->script->setup.limits.commands;
    bool good = oracle_walk_operation(job->walk, job->space, visit, job);
    if (good && job->relation->finish != NULL)
        job->relation->finish(job);
    oracle_pad(job, job->base);
    oracle_pad(job, job->variant);
    good = good && !job->failed && job->changed != 0 && job->base->commands <= limit &&
           job->variant->commands <= limit && oracle_known(job->walk, PICA_REG_CMDBUF_SIZE0) &&
           oracle_known(job->walk, PICA_REG_CMDBUF_ADDR0);
    if (good && append_lists(job, operation)) {
        job->twins->places += job->changed;
        return;
    }
    oracle_append(job, 0, operation);
    oracle_append(job, 1, operation);
}

static void take_operation(struct oracle_job *job, const struct pica_operation *operation)
{
    const struct oracle_relation *const relation = job->relation;
    job->failed = false;
    if (operation->kind == PICA_OPERATION_SUBMIT_LIST && relation->command != NULL) {
        take_list(job, operation);
        return;
    }
    (void)oracle_walk_operation(job->walk, job->space, NULL, NULL);
    if (relation->operation != NULL && is_wanted(job, NULL) && relation->operation(job, operation)) {
        job->twins->places++;
        return;
    }
    oracle_append(job, 0, operation);
    oracle_append(job, 1, operation);
}

/* ---------------------------------------------------------------------------------------------------------- scripts */

/* A free address in FCRAM for the fresh window, searched from the top down; 0 if there is none. */
static uint32_t find_fresh(const struct pica_setup *setup)
{
    uint32_t address = 0x28000000u - ORACLE_FRESH_SIZE;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t i = 0; i < setup->window_count; i++) {
            const struct oracle_range window = { setup->windows[i].address, setup->windows[i].size };
            const struct oracle_range place = { address, ORACLE_FRESH_SIZE };
            if (!oracle_ranges_meet(&window, &place))
                continue;
            if (window.first < 0x20000000u + ORACLE_FRESH_SIZE)
                return 0;
            address = window.first - ORACLE_FRESH_SIZE;
            moved = true;
        }
    }
    return address;
}

/* Starts both scripts with the setup of the case and one more window. */
static bool begin_twins(struct oracle_job *job, const struct oracle_script *script)
{
    struct pica_window *const windows = oracle_take(job->space, PICA_MAX_WINDOWS * sizeof *windows);
    if (windows == NULL || script->setup.window_count >= PICA_MAX_WINDOWS)
        return false;
    job->fresh = find_fresh(&script->setup);
    if (job->fresh == 0)
        return false;
    const uint32_t count = script->setup.window_count;
    memcpy(windows, script->setup.windows, count * sizeof *windows);
    windows[count] = (struct pica_window){ job->fresh, ORACLE_FRESH_SIZE };
    struct oracle_script *const both[2] = { &job->twins->base, &job->twins->variant };
    for (int side = 0; side < 2; side++) {
        both[side]->setup = script->setup;
        both[side]->setup.windows = windows;
        both[side]->setup.window_count = count + 1;
        both[side]->operations = job->operations[side];
    }
    return true;
}

/* Allocates all that a job needs in the workspace. */
static bool begin_job(struct oracle_job *job, const struct oracle_script *script)
{
    struct oracle_workspace *const space = job->space;
    job->capacity = 12 * script->count + 16; /* more than any relation needs to replace one operation */
    job->walk = take_zeros(space, sizeof *job->walk);
    job->base = take_zeros(space, sizeof *job->base);
    job->variant = take_zeros(space, sizeof *job->variant);
    job->pending = take_zeros(space, sizeof *job->pending);
    job->data = take_zeros(space, ORACLE_DATA_SIZE);
    for (int side = 0; side < 2; side++)
        job->operations[side] = oracle_take(space, job->capacity * sizeof *job->operations[side]);
    if (job->walk == NULL || job->base == NULL || job->variant == NULL || job->pending == NULL || job->data == NULL ||
        job->operations[0] == NULL || job->operations[1] == NULL)
        return false;
    oracle_walk_init(job->walk, script);
    return true;
}

bool oracle_relation_apply(const struct oracle_attempt *attempt, const struct oracle_script *script,
                           struct oracle_workspace *space, struct oracle_twins *twins)
{
    const struct oracle_relation *const relation = attempt->relation;
    struct oracle_job job = {
        .relation = relation, .space = space, .twins = twins, .seed = attempt->seed, .part = attempt->part
    };
    memset(twins, 0, sizeof *twins);
    if (!begin_job(&job, script) || !begin_twins(&job, script))
        return false;
    job.walk->reserved = (struct oracle_range){ job.fresh, ORACLE_FRESH_SIZE };
    if (relation->prepare != NULL)
        relation->prepare(&job);
    for (uint32_t i = 0; i < script->count; i++) {
        job.walk->operation = i;
        take_operation(&job, &script->operations[i]);
    }
    twins->base.count = job.counts[0];
    twins->variant.count = job.counts[1];
    return twins->places != 0;
}
