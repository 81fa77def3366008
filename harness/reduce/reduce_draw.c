/*
 * The pass that replaces a draw by the plainest one: a few vertices, sent in the list itself, through a shader that
 * passes them on. A fault after the rasteriser survives this, and then all that fed the draw can be removed. The pass
 * makes a case larger at first, so it runs in the first round only.
 */
#include "harness/case/formats.h"
#include "harness/reduce/reduce.h"
#include "harness/reduce/reduce_stream.h"
#include "pica/regs.h"

#include <string.h>

/* Commands that replace the draw. VTX-41: vertices are sent through the fixed attribute port; each vector serves as
 * position, colour and texture coordinates. REG-43: configuration first, then drawing. LOP-01: colours are copied. */
static const char plain_draw[] =
    "pcase 1\n"
    "window 0x18000000 size 0x1000\n"
    "run 0x18000000 {\n"
    "    START_DRAW_FUNC0 = 1\n"
    "    SCISSORTEST_MODE = 0\n"
    "    VIEWPORT_WIDTH { half_size = 4.0 }\n"
    "    VIEWPORT_HEIGHT { half_size = 4.0 }\n"
    "    VIEWPORT_XY = 0\n"
    "    SH_OUTMAP_TOTAL { total = 3 }\n"
    "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
    "    SH_OUTMAP_O1 { x = color.r, y = color.g, z = color.b, w = color.a }\n"
    "    SH_OUTMAP_O2 { x = texcoord0.u, y = texcoord0.v, z = texcoord1.u, w = texcoord1.v }\n"
    "    VSH_OUTMAP_MASK { outputs = 0x7 }\n"
    "    VSH_NUM_ATTR = 0\n"
    "    VSH_INPUTBUFFER_CONFIG { unit_use = 0xA0 }\n"
    "    VSH_ATTRIBUTES_PERMUTATION_LOW = 0\n"
    "    VSH_ENTRYPOINT = 0\n"
    "    GEOSTAGE_CONFIG = 0\n"
    "    VSH_CODETRANSFER_INDEX = 0\n"
    "    VSH_CODETRANSFER_DATA0 repeat code at 0 {\n"
    "        mov o0, v0 @0\n"
    "        mov o1, v0 @0\n"
    "        mov o2, v0 @0\n"
    "        end\n"
    "    }\n"
    "    VSH_CODETRANSFER_END = 1\n"
    "    VSH_OPDESCS_INDEX = 0\n"
    "    VSH_OPDESCS_DATA0 repeat descriptors { xyzw, xyzw, xyzw, xyzw }\n"
    "    STENCIL_TEST = 0\n"
    "    FRAGOP_ALPHA_TEST = 0\n"
    "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
    "    COLOR_OPERATION = 0\n"
    "    LOGIC_OP { operation = copy }\n"
    "    TEXENV5_SOURCE = 0\n"
    "    TEXENV5_OPERAND = 0\n"
    "    TEXENV5_COMBINER = 0\n"
    "    TEXENV5_SCALE = 0\n"
    "    START_DRAW_FUNC0 = 0\n"
    "    FIXEDATTRIB_INDEX { index = 15 }\n"
    "    FIXEDATTRIB_DATA0 repeat f24 { 0.0 0.0 0.0 0.0 }\n"
    "}\n";

enum {
    VECTOR_WORDS = 3, /* of a vector in float24, FLT-10 */
    GROUPS = 4,
    FEW_WRITES = 14,
    WAYS = 2 << GROUPS, /* both windings, with any of the groups left out */
    SETS = 3,
    MOST_VERTICES = 6
};

/* The vertices to draw. Position, colour and texture coordinates are the same vector, so each set can show other
 * faults; sets of more than three vertices are for strips and fans. */
static const struct {
    uint32_t count;
    double vertices[MOST_VERTICES][4];
} sets[SETS] = {
    /* The whole target at one depth. */
    { 3, { { -1.0, -1.0, -0.5, 1.0 }, { 3.0, -1.0, -0.5, 1.0 }, { -1.0, 3.0, -0.5, 1.0 } } },
    /* A quarter of the target, with varying depths and all values between 0 and 1. */
    { 4, { { 0.0, 0.0, 0.0, 1.0 }, { 1.0, 0.0, -1.0, 1.0 }, { 0.0, 1.0, -0.5, 1.0 }, { 1.0, 1.0, -1.0, 1.0 } } },
    /* In perspective, and crossing the planes z = 0 and z = -w. */
    { 6,
      { { -1.0, -1.0, -0.25, 1.0 },
        { 6.0, -2.0, -1.5, 2.0 },
        { -0.5, 1.5, -0.125, 0.5 },
        { -1.0, -1.0, 0.5, 1.0 },
        { 1.0, -1.0, -0.75, 1.0 },
        { -1.0, 4.0, -3.0, 2.0 } } },
};

/* Groups of commands in plain_draw that may be left out, so that the case's own settings stay, by the bits of a variant
 * above the lowest. Later commands come first, so that removing one group does not move the others. */
static const struct {
    uint32_t from_end;
    uint32_t count;
} groups[GROUPS] = {
    { 7, 4 },  /* the last combiner stage, which passes the vertex colour on (TEV-09) */
    { 9, 2 },  /* what happens to a colour that reaches the buffer */
    { 12, 3 }, /* stencil, alpha and depth test */
    { 31, 4 }, /* scissor and viewport */
};

static const char plain_mark[] = "plain vertices"; /* comment that marks the commands of a plain draw */

static bool is_plain(const struct harness_command *command)
{
    return command->comment != NULL && strcmp(command->comment, plain_mark) == 0;
}

/* REG-25: is command `index` the last of a group that sends vertices? Settings between the group's first word and this
 * command apply. */
static bool ends_vertices(const struct oracle_follower *registers, const struct harness_list *list, uint32_t index)
{
    uint32_t unit = 0;
    return registers->next[ORACLE_PORT_FIXED][0] == 15 &&
           oracle_port_of(list->commands[index].id, &unit) == ORACLE_PORT_FIXED &&
           (index + 1 == list->count || oracle_port_of(list->commands[index + 1].id, &unit) != ORACLE_PORT_FIXED);
}

/* Does the command draw (VTX-20, VTX-41)? `registers`: as left by the commands before it. */
static bool is_draw(const struct oracle_follower *registers, const struct harness_list *list, uint32_t index)
{
    const struct harness_command *const command = &list->commands[index];
    return !is_plain(command) && (harness_command_draws(command) || ends_vertices(registers, list, index));
}

/* The vertices of a set; reversed: the second and the third are exchanged. */
static bool set_vertices(struct harness_case *plain, struct harness_command *command, uint32_t set, bool reversed)
{
    uint32_t words[MOST_VERTICES * VECTOR_WORDS];
    for (uint32_t i = 0; i < sets[set].count; i++) {
        const uint32_t from = reversed && (i == 1 || i == 2) ? 3 - i : i;
        harness_reduce_pack(sets[set].vertices[from], false, words + i * VECTOR_WORDS);
    }
    return harness_command_set(plain, command, words, sets[set].count * VECTOR_WORDS);
}

/* Puts the plain draw in the place of command `index`. */
static bool replace_draw(struct harness_case *test_case, struct harness_list *list, uint32_t index,
                         const struct harness_list *plain)
{
    harness_list_remove(list, index, 1);
    for (uint32_t i = 0; i < plain->count; i++) {
        const struct harness_writes writes = harness_command_writes(&plain->commands[i]);
        struct harness_command *const copy = harness_list_insert(test_case, list, index + i, &writes);
        if (copy == NULL)
            return false;
        if (copy->id == PICA_REG_FIXEDATTRIB_INDEX || copy->id == PICA_REG_FIXEDATTRIB_DATA0)
            copy->comment = harness_case_text(test_case, plain_mark, true);
    }
    return true;
}

static bool replace_taken(struct harness_case *test_case, struct reduce_walk *walk, const struct harness_list *plain)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    struct oracle_follower registers;
    oracle_follow_start(&registers, NULL);
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            const bool replaced = is_draw(&registers, list, i) && harness_reduce_takes(walk);
            harness_reduce_follow(&registers, &list->commands[i]);
            if (!replaced)
                continue;
            if (!replace_draw(test_case, list, i, plain))
                return false;
            i += plain->count - 1;
            walk->changed = true;
        }
    return true;
}

static bool replace_draws(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct harness_error error = { "" };
    bool done = false;
    if (harness_case_writes(test_case) <= FEW_WRITES)
        return true; /* the draw is plain already */
    if (walk->range.count == 0)
        return replace_taken(test_case, walk, NULL);
    struct harness_case *const plain = harness_case_create();
    if (plain != NULL &&
        harness_pcase_read(plain, plain_draw, strlen(plain_draw), "plain draw", &error) == HARNESS_OK) {
        struct harness_list *const commands = &plain->operations[0].data.list;
        const uint32_t count = commands->count;
        const bool set = set_vertices(plain, harness_list_edit(commands, count - 1), walk->variant / WAYS,
                                      (walk->variant & 1u) != 0);
        for (uint32_t i = 0; i < GROUPS; i++)
            if ((walk->variant >> (i + 1) & 1u) != 0)
                harness_list_remove(commands, count - groups[i].from_end, groups[i].count);
        done = set && replace_taken(test_case, walk, commands);
    }
    harness_case_destroy(plain);
    return done;
}

const struct reduce_pass harness_reduce_draws = { "draws", SETS *WAYS, .walk = replace_draws, .once = true };
