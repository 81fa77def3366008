/* Relations that express the same writes by other commands. */
#include "oracles/relate.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------ one write, one command */

static void single_writes(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_copy_base(job, command);
    for (uint32_t k = 0; k < command->count; k++)
        oracle_emit_masked(job, job->variant, oracle_command_register(command, k), command->mask,
                           command->parameters[k]);
    job->changed += command->count > 1;
}

/* CMD-04: a header has 16 bits of id; larger numbers can be reached only in consecutive mode. */
static void one_by_one(struct oracle_job *job, const struct oracle_command *command)
{
    if (command->id + command->count > 0x10000u)
        oracle_copy(job, command);
    else
        single_writes(job, command);
}

/* -------------------------------------------------------------------------------------------------- joined commands */

static void flush_joined(struct oracle_job *job)
{
    struct oracle_pending *const pending = job->pending;
    if (pending->count == 0)
        return;
    const struct oracle_command command = { .id = pending->id,
                                            .mask = pending->mask,
                                            .consecutive = pending->consecutive,
                                            .count = pending->count,
                                            .parameters = pending->parameters };
    oracle_emit(job, job->variant, &command, 0);
    job->changed += pending->count > 1;
    pending->count = 0;
}

/* Can the write become the next parameter of the pending command? */
static bool fits(const struct oracle_pending *pending, const struct oracle_command *command)
{
    if (pending->count == 0 || pending->count == 256 || pending->mask != command->mask)
        return false;
    if (pending->count == 1)
        return command->id == pending->id || command->id == pending->id + 1;
    return command->id == (pending->consecutive ? pending->id + pending->count : pending->id);
}

static void joined(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_pending *const pending = job->pending;
    oracle_copy_base(job, command);
    if (command->count != 1 || !fits(pending, command))
        flush_joined(job);
    if (command->count != 1) {
        oracle_emit(job, job->variant, command, 0);
        return;
    }
    if (pending->count == 0) {
        pending->id = command->id;
        pending->mask = command->mask;
    } else if (pending->count == 1) {
        pending->consecutive = command->id == pending->id + 1;
    }
    pending->parameters[pending->count++] = command->parameters[0];
}

/* ---------------------------------------------------------------------------------------------------- header noise */

static void header_noise(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_copy_base(job, command);
    oracle_emit(job, job->variant, command, oracle_random_word(job) | 1u);
    job->changed++;
}

/* --------------------------------------------------------------------------------------------- writes, byte by byte */

static bool all_plain(const struct oracle_command *command)
{
    for (uint32_t k = 0; k < command->count; k++)
        if (!oracle_is_plain(oracle_command_register(command, k)))
            return false;
    return true;
}

static void byte_by_byte(struct oracle_job *job, const struct oracle_command *command)
{
    if (!all_plain(command) || command->mask == 0) {
        oracle_copy(job, command);
        return;
    }
    oracle_copy_base(job, command);
    for (uint32_t k = 0; k < command->count; k++) {
        const uint32_t first = oracle_below(job, 4);
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t byte = 1u << ((first + i) % 4);
            if ((command->mask & byte) != 0) /* the masked-out bytes do not matter: they become garbage */
                oracle_emit_masked(job, job->variant, oracle_command_register(command, k), byte,
                                   command->parameters[k] ^
                                       (oracle_random_word(job) & ~(0xFFu << (8 * ((first + i) % 4)))));
        }
    }
    job->changed++;
}

/* ----------------------------------------------------------------------------------------------- writes that vanish */

static void overwritten(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_copy_base(job, command);
    if (command->count <= 16 && all_plain(command) && oracle_below(job, 2) == 0) {
        uint32_t garbage[16];
        struct oracle_command before = *command;
        for (uint32_t k = 0; k < command->count; k++)
            garbage[k] = oracle_random_word(job);
        before.parameters = garbage;
        oracle_emit(job, job->variant, &before, 0);
        job->changed++;
    }
    oracle_emit(job, job->variant, command, 0);
}

/* CMDBUF_*0 hold the address of the list, which differs between base and variant. */
static bool may_repeat(const struct oracle_walk *walk, uint32_t id)
{
    return oracle_is_plain(id) && oracle_known(walk, id) && oracle_quiet(walk, id) && id != PICA_REG_CMDBUF_SIZE0 &&
           id != PICA_REG_CMDBUF_ADDR0;
}

static void redundant(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_copy_base(job, command);
    for (uint32_t i = oracle_below(job, 4); i > 0; i--) {
        const uint32_t id = oracle_below(job, PICA_REGISTERS);
        if (!may_repeat(job->walk, id))
            continue;
        oracle_emit_write(job, job->variant, id, job->walk->registers.values[id]);
        job->changed++;
    }
    oracle_emit(job, job->variant, command, 0);
}

/* ------------------------------------------------------------------------------------------------- reordered writes */

static void flush_reordered(struct oracle_job *job)
{
    struct oracle_pending *const pending = job->pending;
    for (uint32_t left = pending->count; left > 0; left--) {
        const uint32_t pick = oracle_below(job, left);
        oracle_emit_masked(job, job->variant, pending->ids[pick], pending->masks[pick], pending->parameters[pick]);
        pending->ids[pick] = pending->ids[left - 1];
        pending->masks[pick] = pending->masks[left - 1];
        pending->parameters[pick] = pending->parameters[left - 1];
    }
    job->changed += pending->count > 1;
    pending->count = 0;
}

static bool may_wait(const struct oracle_pending *pending, const struct oracle_command *command)
{
    if (command->count != 1 || !oracle_is_plain(command->id) || pending->count == 16)
        return false;
    for (uint32_t i = 0; i < pending->count; i++)
        if (pending->ids[i] == command->id)
            return false;
    /* these two decide which later writes record events (REG-43, REG-44) */
    return command->id != PICA_REG_GEOSTAGE_CONFIG2 && command->id != PICA_REG_START_DRAW_FUNC0;
}

static void reordered(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_pending *const pending = job->pending;
    oracle_copy_base(job, command);
    if (!may_wait(pending, command))
        flush_reordered(job);
    if (!may_wait(pending, command)) {
        oracle_emit(job, job->variant, command, 0);
        return;
    }
    pending->ids[pending->count] = command->id;
    pending->masks[pending->count] = command->mask;
    pending->parameters[pending->count++] = command->parameters[0];
}

/* ---------------------------------------------------------------------------------------------------------- aliases */

static const struct oracle_span ports[] = {
    { PICA_REG_PROCTEX_LUT_DATA0, PICA_REG_PROCTEX_LUT_DATA7 },
    { PICA_REG_FOG_LUT_DATA0, PICA_REG_FOG_LUT_DATA7 },
    { PICA_REG_LIGHTING_LUT_DATA0, PICA_REG_LIGHTING_LUT_DATA7 },
    { PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_FIXEDATTRIB_DATA2 },
    { PICA_REG_GSH_FLOATUNIFORM_DATA0, PICA_REG_GSH_FLOATUNIFORM_DATA7 },
    { PICA_REG_GSH_CODETRANSFER_DATA0, PICA_REG_GSH_CODETRANSFER_DATA7 },
    { PICA_REG_GSH_OPDESCS_DATA0, PICA_REG_GSH_OPDESCS_DATA7 },
    { PICA_REG_VSH_FLOATUNIFORM_DATA0, PICA_REG_VSH_FLOATUNIFORM_DATA7 },
    { PICA_REG_VSH_CODETRANSFER_DATA0, PICA_REG_VSH_CODETRANSFER_DATA7 },
    { PICA_REG_VSH_OPDESCS_DATA0, PICA_REG_VSH_OPDESCS_DATA7 },
};

static uint32_t alias(struct oracle_job *job, uint32_t id)
{
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
        if (id >= ports[i].first && id <= ports[i].last)
            return ports[i].first + oracle_below(job, ports[i].last - ports[i].first + 1u);
    return id;
}

static void port_alias(struct oracle_job *job, const struct oracle_command *command)
{
    struct oracle_command other = *command;
    if (!command->consecutive || command->count == 1) {
        other.id = alias(job, command->id);
        oracle_copy_base(job, command);
        oracle_emit(job, job->variant, &other, 0);
        job->changed += other.id != command->id;
        return;
    }
    if (command->id + command->count > PICA_REGISTERS) {
        oracle_copy(job, command);
        return;
    }
    oracle_copy_base(job, command);
    for (uint32_t k = 0; k < command->count; k++) {
        const uint32_t id = command->id + k, other_id = alias(job, id);
        oracle_emit_masked(job, job->variant, other_id, command->mask, command->parameters[k]);
        job->changed += id != other_id;
    }
}

/* ------------------------------------------------------------------------------------------------- where lists lie */

static void prepare_moved(struct oracle_job *job)
{
    job->base_in_place = true;
}

static void moved(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_copy(job, command);
    job->changed = 1;
}

/* Commands that must never be executed: their effect would show. */
static void emit_dead(struct oracle_job *job)
{
    for (uint32_t i = 0; i < 4; i++)
        oracle_emit_write(job, job->variant, oracle_below(job, PICA_REGISTERS), oracle_random_word(job));
    oracle_emit_write(job, job->variant, PICA_REG_DRAWARRAYS, 1);
    oracle_emit_write(job, job->variant, PICA_REG_FINALIZE, 0x12345678u);
}

/* REG-13: nothing after the stop is executed. */
static void finish_after_stop(struct oracle_job *job)
{
    if (!job->walk->stopped)
        return;
    emit_dead(job);
    job->changed++;
}

static void unchanged(struct oracle_job *job, const struct oracle_command *command)
{
    oracle_copy(job, command);
}

/* Lets a second submission begin here. Budgets start anew then, so the first one must have drawn nothing (CMD-20). */
static void two_lists(struct oracle_job *job, const struct oracle_command *command)
{
    if (job->split == ORACLE_NO_SPLIT && job->walk->draws == 0 && job->variant->count != 0 &&
        oracle_below(job, 4) == 0) {
        oracle_pad(job, job->variant);
        job->split = job->variant->count;
        job->changed++;
    }
    oracle_copy(job, command);
}

/* SUB-04: a jump through channel 1, over commands that are not executed, leads to the rest of the list. */
static void jump(struct oracle_job *job, const struct oracle_command *command)
{
    const struct oracle_walk *const walk = job->walk;
    if (job->changed == 0 && job->variant->count != 0 && oracle_known(walk, PICA_REG_CMDBUF_SIZE1) &&
        oracle_known(walk, PICA_REG_CMDBUF_ADDR1) && oracle_below(job, 4) == 0) {
        oracle_emit_write(job, job->variant, PICA_REG_CMDBUF_SIZE1, 0);
        job->patch = job->variant->count - 2; /* the size is known when the list is complete */
        oracle_emit_write(job, job->variant, PICA_REG_CMDBUF_ADDR1, 0);
        oracle_emit_write(job, job->variant, PICA_REG_CMDBUF_JUMP1, 1);
        emit_dead(job);
        oracle_pad(job, job->variant);
        job->rest = job->variant->count;
        job->variant->words[job->patch + 2] = (job->fresh + ORACLE_FRESH_VARIANT) / 8 + job->rest / 2;
        oracle_emit_write(job, job->variant, PICA_REG_CMDBUF_SIZE1, walk->registers.values[PICA_REG_CMDBUF_SIZE1]);
        oracle_emit_write(job, job->variant, PICA_REG_CMDBUF_ADDR1, walk->registers.values[PICA_REG_CMDBUF_ADDR1]);
        job->changed = 1;
    }
    oracle_copy(job, command);
}

static void finish_jump(struct oracle_job *job)
{
    oracle_pad(job, job->variant);
    if (job->changed != 0)
        job->variant->words[job->patch] = (job->variant->count - job->rest) / 2;
}

const struct oracle_relation oracle_command_relations[] = {
    { .name = "one-by-one",
      .what = "each write has a command of its own",
      .rules = "CMD-01 CMD-02 CMD-03 CMD-05 CMD-12",
      .command = one_by_one },
    { .name = "joined",
      .what = "writes to the same or to following registers are joined into one command",
      .rules = "CMD-01 CMD-02 CMD-03 CMD-05 CMD-12",
      .command = joined,
      .finish = flush_joined },
    { .name = "header-noise",
      .what = "ignored header bits and padding words hold garbage",
      .rules = "CMD-01 CMD-02 CMD-03",
      .command = header_noise },
    { .name = "byte-by-byte",
      .what = "configuration registers are written byte by byte under masks",
      .rules = "CMD-05 CMD-12 REG-01",
      .command = byte_by_byte },
    { .name = "overwritten",
      .what = "configuration registers get garbage before their value",
      .rules = "CMD-05 CMD-12 REG-01",
      .command = overwritten },
    { .name = "redundant",
      .what = "configuration registers are written again with the value that they hold",
      .rules = "CMD-05 CMD-12 REG-01",
      .command = redundant },
    { .name = "reordered",
      .what = "writes to different configuration registers change places",
      .rules = "CMD-12 REG-01",
      .command = reordered,
      .finish = flush_reordered },
    { .name = "port-alias",
      .what = "words for a FIFO port go through its other ids",
      .rules = "REG-20 CMD-06",
      .exclude = { .registers = { { PICA_REG_PROCTEX_LUT_DATA0, PICA_REG_PROCTEX_LUT_DATA7 },
                                  { PICA_REG_FOG_LUT_DATA0, PICA_REG_FOG_LUT_DATA7 },
                                  { PICA_REG_LIGHTING_LUT_DATA0, PICA_REG_LIGHTING_LUT_DATA7 },
                                  { PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_FIXEDATTRIB_DATA2 },
                                  { PICA_REG_GSH_FLOATUNIFORM_DATA0, PICA_REG_GSH_FLOATUNIFORM_DATA7 },
                                  { PICA_REG_GSH_CODETRANSFER_DATA0, PICA_REG_GSH_CODETRANSFER_DATA7 },
                                  { PICA_REG_GSH_OPDESCS_DATA0, PICA_REG_GSH_OPDESCS_DATA7 },
                                  { PICA_REG_VSH_FLOATUNIFORM_DATA0, PICA_REG_VSH_FLOATUNIFORM_DATA7 },
                                  { PICA_REG_VSH_CODETRANSFER_DATA0, PICA_REG_VSH_CODETRANSFER_DATA7 },
                                  { PICA_REG_VSH_OPDESCS_DATA0, PICA_REG_VSH_OPDESCS_DATA7 } },
                   .register_spans = 10 },
      .command = port_alias },
    { .name = "moved-list",
      .what = "the list lies at another address",
      .rules = "SUB-02 EXT-CMD-04 EXT-CMD-14",
      .exclude = { .ignored = { PICA_EVENT_CMDBUF_UNALIGNED, PICA_EVENT_CMDBUF_HIGH_BITS }, .ignored_count = 2 },
      .prepare = prepare_moved,
      .command = moved },
    { .name = "after-the-stop",
      .what = "garbage commands follow the interrupt that stops the list",
      .rules = "CMD-10 REG-12 REG-13",
      .command = unchanged,
      .finish = finish_after_stop },
    { .name = "two-lists",
      .what = "the list is submitted in two parts, the first without a draw",
      .rules = "EXT-CMD-03 EXT-CMD-04 CMD-20",
      .exclude = { .ignored = { PICA_EVENT_NO_FINALIZE }, .ignored_count = 1 },
      .command = two_lists },
    { .name = "jump",
      .what = "the second part of the list is reached by a jump",
      .rules = "SUB-01 SUB-02 SUB-03 SUB-04 SUB-06 CMD-20",
      .exclude = { .registers = { { PICA_REG_CMDBUF_JUMP1, PICA_REG_CMDBUF_JUMP1 } }, .register_spans = 1 },
      .command = jump,
      .finish = finish_jump },
};
const size_t oracle_command_relation_count = sizeof oracle_command_relations / sizeof oracle_command_relations[0];
