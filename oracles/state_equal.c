#include "oracles/equal.h"

#include <string.h>

/* How an array of 32-bit words inside struct pica_state is called in messages. */
enum naming {
    NAME_INDEX,  /* name[i] */
    NAME_TABLE,  /* name t, entry i: rows of `row` words */
    NAME_VECTOR, /* name[i].x: rows of four words */
    NAME_BYTES   /* name, byte by byte */
};

struct member {
    const char *name;
    const char *rule;
    size_t offset; /* bytes */
    size_t size;   /* bytes */
    enum naming naming;
    uint32_t row;
};

/* One row of the table below; sizes and offsets come from the struct itself. */
#define MEMBER(field, naming, row, label, rule)                                                                  \
    {                                                                                                            \
        label, rule, offsetof(struct pica_state, field), sizeof(((struct pica_state *)NULL)->field), naming, row \
    }

/* REG-04, in its order. */
static const struct member members[] = {
    MEMBER(interrupts, NAME_INDEX, 1, "interrupt counter", "EXT-CMD-10"),
    MEMBER(tables.lighting, NAME_TABLE, 256, "lighting table", "REG-30"),
    MEMBER(tables.fog, NAME_INDEX, 1, "fog table", "REG-30"),
    MEMBER(tables.gas, NAME_INDEX, 1, "gas table", "REG-30"),
    MEMBER(tables.proctex_noise, NAME_INDEX, 1, "procedural noise table", "REG-31"),
    MEMBER(tables.proctex_color_map, NAME_INDEX, 1, "procedural colour map", "REG-31"),
    MEMBER(tables.proctex_alpha_map, NAME_INDEX, 1, "procedural alpha map", "REG-31"),
    MEMBER(tables.proctex_color, NAME_INDEX, 1, "procedural colour table", "REG-31"),
    MEMBER(tables.proctex_difference, NAME_INDEX, 1, "procedural colour difference table", "REG-31"),
    MEMBER(units[0].code, NAME_INDEX, 1, "vertex shader code", "REG-21"),
    MEMBER(units[0].opdesc, NAME_INDEX, 1, "vertex shader operand descriptor", "REG-21"),
    MEMBER(units[0].uniforms, NAME_VECTOR, 4, "vertex shader c", "REG-22"),
    MEMBER(units[0].integers, NAME_BYTES, 4, "vertex shader i", "REG-26"),
    MEMBER(units[0].booleans, NAME_BYTES, 1, "vertex shader b", "REG-26"),
    MEMBER(units[0].queue_length, NAME_BYTES, 1, "vertex shader uniform queue length", "REG-22"),
    MEMBER(units[0].queue, NAME_INDEX, 1, "vertex shader uniform queue", "REG-22"),
    MEMBER(units[1].code, NAME_INDEX, 1, "geometry shader code", "REG-21"),
    MEMBER(units[1].opdesc, NAME_INDEX, 1, "geometry shader operand descriptor", "REG-21"),
    MEMBER(units[1].uniforms, NAME_VECTOR, 4, "geometry shader c", "REG-22"),
    MEMBER(units[1].integers, NAME_BYTES, 4, "geometry shader i", "REG-26"),
    MEMBER(units[1].booleans, NAME_BYTES, 1, "geometry shader b", "REG-26"),
    MEMBER(units[1].queue_length, NAME_BYTES, 1, "geometry shader uniform queue length", "REG-22"),
    MEMBER(units[1].queue, NAME_INDEX, 1, "geometry shader uniform queue", "REG-22"),
    MEMBER(fixed, NAME_VECTOR, 4, "fixed attribute", "REG-25"),
    MEMBER(fixed_queue, NAME_INDEX, 1, "fixed attribute queue", "REG-25"),
    MEMBER(fixed_queue_length, NAME_BYTES, 1, "fixed attribute queue length", "REG-25"),
    MEMBER(immediate_count, NAME_BYTES, 1, "immediate attribute counter", "VTX-41"),
    MEMBER(reset_armed, NAME_BYTES, 1, "armed geometry reset", "VTX-40"),
    MEMBER(immediate, NAME_VECTOR, 4, "immediate attribute", "VTX-41"),
    MEMBER(geometry.temporaries, NAME_VECTOR, 4, "geometry shader r", "SHD-11"),
    MEMBER(geometry.inputs, NAME_VECTOR, 4, "geometry shader v", "SHD-11"),
    MEMBER(geometry.outputs, NAME_VECTOR, 4, "geometry shader o (bank 0 = 0-15, bank 1 = 16-31)", "GSH-31"),
    MEMBER(geometry.slots, NAME_VECTOR, 4, "emission slot vector (16 a slot)", "GSH-30"),
    MEMBER(geometry.address, NAME_INDEX, 1, "geometry shader a0", "SHD-11"),
    MEMBER(geometry.loop_counter, NAME_INDEX, 1, "geometry shader aL", "SHD-11"),
    MEMBER(geometry.compare, NAME_BYTES, 1, "geometry shader cmp", "SHD-11"),
    MEMBER(geometry.bank, NAME_BYTES, 1, "geometry shader output bank", "GSH-31"),
    MEMBER(geometry.emit_vertex, NAME_BYTES, 1, "SETEMIT vertex id", "GSH-30"),
    MEMBER(geometry.emit_primitive, NAME_BYTES, 1, "SETEMIT primitive flag", "GSH-30"),
    MEMBER(geometry.emit_winding, NAME_BYTES, 1, "SETEMIT winding flag", "GSH-30"),
    MEMBER(geometry.in_use, NAME_BYTES, 1, "geometry stage in use", "GSH-05"),
    MEMBER(geometry.mode, NAME_BYTES, 1, "geometry stage mode", "GSH-05"),
    MEMBER(geometry.vectors_per_vertex, NAME_BYTES, 1, "geometry stage vectors per vertex", "GSH-05"),
    MEMBER(geometry.input_vectors, NAME_BYTES, 1, "geometry stage input vectors", "GSH-05"),
    MEMBER(geometry.fixed_vertices, NAME_BYTES, 1, "geometry stage vertices per primitive", "GSH-05"),
    MEMBER(geometry.fixed_first, NAME_BYTES, 1, "geometry stage first uniform", "GSH-05"),
    MEMBER(geometry.output_mask, NAME_BYTES, 1, "geometry stage output mask", "GSH-05"),
    MEMBER(geometry.want_count, NAME_BYTES, 1, "geometry stage wants a count", "GSH-20"),
    MEMBER(geometry.buffer_length, NAME_BYTES, 1, "geometry input buffer length", "GSH-10"),
    MEMBER(geometry.main_left, NAME_INDEX, 1, "geometry stage main vertices left", "GSH-20"),
    MEMBER(geometry.left, NAME_INDEX, 1, "geometry stage vertices left", "GSH-20"),
    MEMBER(geometry.pointer, NAME_INDEX, 1, "geometry stage write pointer", "GSH-23"),
    MEMBER(geometry.vertex_count, NAME_INDEX, 1, "geometry stage vertex count", "GSH-23"),
    MEMBER(geometry.buffer, NAME_VECTOR, 4, "geometry input buffer", "GSH-10"),
    MEMBER(assembler.buffer, NAME_TABLE, 24, "assembler vertex", "PRM-01"),
    MEMBER(assembler.topology, NAME_BYTES, 1, "assembler topology", "PRM-02"),
    MEMBER(assembler.count, NAME_BYTES, 1, "assembler vertex count", "PRM-01"),
    MEMBER(assembler.ready, NAME_BYTES, 1, "assembler ready flag", "PRM-01"),
    MEMBER(assembler.winding, NAME_BYTES, 1, "assembler winding flag", "PRM-01"),
};

static uint32_t word_at(const uint8_t *bytes, size_t offset)
{
    uint32_t word = 0;
    memcpy(&word, bytes + offset, sizeof word);
    return word;
}

static void say_place(struct oracle_report *report, const struct member *member, uint32_t unit)
{
    switch (member->naming) {
    case NAME_INDEX: oracle_say(report, "%s[%u]", member->name, (unsigned)unit); break;
    case NAME_TABLE:
        oracle_say(report, "%s %u, entry %u", member->name, (unsigned)(unit / member->row),
                   (unsigned)(unit % member->row));
        break;
    case NAME_VECTOR: oracle_say(report, "%s%u.%c", member->name, (unsigned)(unit / 4), "xyzw"[unit % 4]); break;
    case NAME_BYTES: oracle_say(report, "%s, byte %u", member->name, (unsigned)unit); break;
    }
}

static void compare_member(const struct oracle_run *a, const struct oracle_run *b, const struct member *member,
                           struct oracle_report *report)
{
    const uint8_t *bytes_a = (const uint8_t *)a->state + member->offset;
    const uint8_t *bytes_b = (const uint8_t *)b->state + member->offset;
    const size_t step = member->naming == NAME_BYTES ? 1 : 4;
    report->compared += member->size / step;
    if (memcmp(bytes_a, bytes_b, member->size) == 0)
        return;
    uint64_t differences = 0;
    for (size_t at = 0; at < member->size; at += step) {
        const uint32_t value_a = step == 1 ? bytes_a[at] : word_at(bytes_a, at);
        const uint32_t value_b = step == 1 ? bytes_b[at] : word_at(bytes_b, at);
        if (value_a == value_b)
            continue;
        if (differences++ != 0)
            continue;
        oracle_say(report, "state: ");
        say_place(report, member, (uint32_t)(at / step));
        oracle_say(report, " (%s): %s 0x%0*X, %s 0x%0*X", member->rule, a->backend, step == 1 ? 2 : 8,
                   (unsigned)value_a, b->backend, step == 1 ? 2 : 8, (unsigned)value_b);
    }
    if (differences > 1)
        oracle_say(report, "; %llu more in this member", (unsigned long long)(differences - 1));
    oracle_say(report, "\n");
    report->differences += differences;
    report->verdict = ORACLE_DIVERGE;
}

void oracle_state_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    report->oracle = "state_equal";
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        compare_member(a, b, &members[i], report);
}

const char *oracle_state_rule(const struct oracle_run *a, const struct oracle_run *b)
{
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (memcmp((const uint8_t *)a->state + members[i].offset, (const uint8_t *)b->state + members[i].offset,
                   members[i].size) != 0)
            return members[i].rule;
    return "";
}
