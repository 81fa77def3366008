#include "harness/coverage/rereads.h"

#include "pica/regs.h"

#include <stddef.h>

void harness_rereads_begin(struct harness_rereads *rereads, harness_reread_observer observer, void *user)
{
    rereads->read_count = rereads->write_count = 0;
    rereads->now = rereads->operation = 1;
    rereads->observer = observer;
    rereads->user = user;
}

/* --------------------------------------------------------------------------------------------------------- records */

static bool is_same(const struct harness_range *a, const struct harness_range *b)
{
    return a->address == b->address && a->bytes == b->bytes && a->kind == b->kind;
}

/* So that the reads of one draw do not replace each other. */
_Static_assert((int)HARNESS_REREAD_READS > (int)HARNESS_MOST_RANGES, "room for all that a draw names");

/* The record of that range, or a new one, which replaces the oldest if there is no room. */
static struct record *find_record(struct record *records, uint32_t *count, uint32_t most,
                                  const struct harness_range *range, enum harness_writer writer)
{
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (is_same(&records[i].range, range) && records[i].writer == writer)
            return &records[i];
        oldest = records[i].last < records[oldest].last ? i : oldest;
    }
    struct record *const record = &records[*count < most ? (*count)++ : oldest];
    *record = (struct record){ .range = *range, .writer = writer };
    return record;
}

static void note_write(struct harness_rereads *rereads, const struct harness_range *range, enum harness_writer writer)
{
    struct record *const record =
        find_record(rereads->writes, &rereads->write_count, HARNESS_REREAD_WRITES, range, writer);
    record->last = ++rereads->now;
}

/* ----------------------------------------------------------------------------------------------------------- reads */

static const struct record *last_write(const struct harness_rereads *rereads, const struct harness_range *range,
                                       uint32_t until)
{
    const struct record *found = NULL;
    for (uint32_t i = 0; i < rereads->write_count; i++) {
        const struct record *const write = &rereads->writes[i];
        if (write->last < until && (found == NULL || write->last > found->last) &&
            harness_ranges_meet(write->range.address, write->range.bytes, range->address, range->bytes))
            found = write;
    }
    return found;
}

static enum harness_reread_part part_of(const struct harness_range *write, const struct harness_range *range)
{
    const bool first = write->address <= range->address;
    const bool last = (uint64_t)write->address + write->bytes >= (uint64_t)range->address + range->bytes;
    return first ? (last ? HARNESS_PART_ALL : HARNESS_PART_FIRST) : last ? HARNESS_PART_LAST : HARNESS_PART_INSIDE;
}

/* Writes from `until` on are ignored: the reader made them itself. */
static void note_read(struct harness_rereads *rereads, const struct harness_range *range, uint32_t until, bool effect)
{
    struct record *const read =
        find_record(rereads->reads, &rereads->read_count, HARNESS_REREAD_READS, range, (enum harness_writer)0);
    const struct record *const write = last_write(rereads, range, until);
    if (write != NULL) {
        const bool before = read->first != 0 && read->first < write->last;
        const struct harness_reread reread = { .reader = range->kind,
                                               .writer = write->writer,
                                               .before = before,
                                               .first = before && read->last < write->last,
                                               .part = part_of(&write->range, range) };
        rereads->observer(rereads->user, &reread, effect);
    }
    read->last = ++rereads->now;
    if (read->first == 0)
        read->first = read->last;
}

/* ------------------------------------------------------------------------------------------------------------ draws */

static enum harness_draw_kind kind_of(uint32_t trigger)
{
    return trigger == PICA_REG_DRAWARRAYS     ? HARNESS_DRAW_ARRAYS
           : trigger == PICA_REG_DRAWELEMENTS ? HARNESS_DRAW_ELEMENTS
                                              : HARNESS_DRAW_IMMEDIATE;
}

/* FBF-26, FBF-28: is the buffer on for reading, or for writing? */
static bool is_on(const uint32_t *registers, const struct harness_range *range, uint32_t color, uint32_t depth)
{
    if (range->kind == HARNESS_RANGE_COLOR)
        return pica_colorbuffer_access_enable(registers[color]) != 0;
    return range->kind != HARNESS_RANGE_DEPTH || pica_depthbuffer_access_enable(registers[depth]) != 0;
}

void harness_rereads_draw(struct harness_rereads *rereads, const struct pica_draw *draw, bool effect)
{
    struct harness_ranges ranges;
    harness_ranges_of_draw(draw->registers, kind_of(draw->trigger), &ranges);
    for (uint32_t i = 0; i < ranges.count; i++)
        if (is_on(draw->registers, &ranges.items[i], PICA_REG_COLORBUFFER_READ, PICA_REG_DEPTHBUFFER_READ))
            note_read(rereads, &ranges.items[i], UINT32_MAX, effect);
    for (uint32_t i = 0; i < ranges.count && effect; i++)
        if ((ranges.items[i].kind == HARNESS_RANGE_COLOR || ranges.items[i].kind == HARNESS_RANGE_DEPTH) &&
            is_on(draw->registers, &ranges.items[i], PICA_REG_COLORBUFFER_WRITE, PICA_REG_DEPTHBUFFER_WRITE))
            note_write(rereads, &ranges.items[i], HARNESS_WRITER_DRAW);
}

/* ------------------------------------------------------------------------------------------------------- operations */

static void note_transfer(struct harness_rereads *rereads, const struct pica_operation *operation)
{
    struct harness_range in, out;
    if (!harness_ranges_of_transfer(operation->words, &in, &out))
        return;
    note_read(rereads, &in, UINT32_MAX, true);
    note_write(rereads, &out,
               pica_xfer_flags_copy(operation->words[4]) != 0 ? HARNESS_WRITER_COPY : HARNESS_WRITER_TRANSFER);
}

void harness_rereads_operation(struct harness_rereads *rereads, const struct pica_operation *operation)
{
    struct harness_range range = { .address = operation->address, .bytes = operation->size, .unit = 1 };
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
        if (operation->size != 0)
            note_write(rereads, &range, HARNESS_WRITER_LOAD);
        break;
    case PICA_OPERATION_SUBMIT_LIST:
        range.kind = HARNESS_RANGE_LIST;
        if (operation->size != 0)
            note_read(rereads, &range, rereads->operation, true);
        break;
    case PICA_OPERATION_MEMORY_FILL:
        if (harness_range_of_fill(operation->words, &range))
            note_write(rereads, &range, HARNESS_WRITER_FILL);
        break;
    case PICA_OPERATION_DISPLAY_TRANSFER: note_transfer(rereads, operation); break;
    case PICA_OPERATION_WRITE_REGISTER:
    case PICA_OPERATION_VERTICAL_BLANK: break;
    }
    rereads->operation = ++rereads->now;
}
