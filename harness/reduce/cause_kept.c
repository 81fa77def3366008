/*
 * What does a side keep from an earlier draw? The answer is what must change between the two draws for the difference
 * to show: each function here removes the changes of one kind that come after the first draw.
 */
#include "harness/case/list_scan.h"
#include "harness/reduce/cause_parts.h"
#include "harness/reduce/reduce_pass.h"
#include "pica/regs.h"

#include <string.h>

bool cause_may_draw(const struct harness_command *command)
{
    uint32_t unit = 0;
    return oracle_port_of(command->id, &unit) == ORACLE_PORT_FIXED || command->id == PICA_REG_DRAWARRAYS ||
           command->id == PICA_REG_DRAWELEMENTS;
}

typedef bool (*register_kind)(uint32_t id);

/* How many parameters of a command come before the first one that goes to a register of the kind. */
static uint32_t count_before(const struct harness_command *command, register_kind is_kind)
{
    uint32_t count = 0;
    while (count < command->count && !is_kind(harness_command_register(command, count)))
        count++;
    return count;
}

/* Removes what is written to registers of a kind after the first draw. A command is cut before its first such register,
 * so its later parameters go as well. False if nothing changed or memory ran out. */
static bool take_writes(struct harness_case *test_case, register_kind is_kind)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    bool drawn = false, changed = false;
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            const struct harness_command *const command = &list->commands[i];
            const uint32_t before = count_before(command, is_kind);
            drawn = drawn || cause_may_draw(command);
            if (!drawn || before == command->count)
                continue;
            if (before == 0)
                harness_list_remove(list, i--, 1);
            else if (!harness_command_set(test_case, harness_list_edit(list, i), command->parameters, before))
                return false;
            changed = true;
        }
    return changed;
}

static bool is_port(uint32_t id, enum oracle_port port)
{
    uint32_t unit = 0;
    return oracle_port_of(id, &unit) == port;
}

/* Does the register's name in pica/regs.def contain `part`? */
static bool is_named(uint32_t id, const char *part)
{
    return id < PICA_REGISTERS && strstr(pica_reg_info(id)->name, part) != NULL;
}

static bool is_code(uint32_t id)
{
    return is_port(id, ORACLE_PORT_CODE);
}

static bool is_descriptor(uint32_t id)
{
    return is_port(id, ORACLE_PORT_OPDESCS);
}

static bool is_uniform(uint32_t id)
{
    return is_port(id, ORACLE_PORT_UNIFORMS) || is_named(id, "UNIFORM");
}

static bool is_array(uint32_t id)
{
    return is_named(id, "ATTRIBBUFFER") || is_named(id, "INDEXBUFFER") || id == PICA_REG_VERTEX_OFFSET;
}

static bool is_table(uint32_t id)
{
    return is_named(id, "_LUT");
}

static bool is_texture(uint32_t id)
{
    return is_named(id, "TEXUNIT") && !is_table(id);
}

bool cause_take_code(struct harness_case *test_case)
{
    return take_writes(test_case, is_code);
}

bool cause_take_descriptors(struct harness_case *test_case)
{
    return take_writes(test_case, is_descriptor);
}

bool cause_take_uniforms(struct harness_case *test_case)
{
    return take_writes(test_case, is_uniform);
}

bool cause_take_arrays(struct harness_case *test_case)
{
    return take_writes(test_case, is_array);
}

bool cause_take_textures(struct harness_case *test_case)
{
    return take_writes(test_case, is_texture);
}

bool cause_take_tables(struct harness_case *test_case)
{
    return take_writes(test_case, is_table);
}

static void count_vertices(void *user, struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->commands[i].id != PICA_REG_DRAWELEMENTS || list->commands[i].count != 1)
            continue;
        harness_list_edit(list, i)->id = PICA_REG_DRAWARRAYS;
        *(bool *)user = true;
    }
}

/* VTX-24: a cache of shaded vertices is looked up by vertex index, so without indices it has no effect. */
bool cause_take_indices(struct harness_case *test_case)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    bool changed = false;
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        count_vertices(&changed, list);
    return changed;
}

/* Removes the operations after the first list that change memory without drawing: loads, fills, transfers. */
bool cause_take_memory(struct harness_case *test_case)
{
    bool listed = false, changed = false;
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const enum harness_operation_kind kind = test_case->operations[i].kind;
        listed = listed || kind == HARNESS_RUN || kind == HARNESS_SUBMIT;
        if (!listed || (kind != HARNESS_LOAD && kind != HARNESS_FILL && kind != HARNESS_TRANSFER))
            continue;
        harness_case_remove(test_case, i--, 1);
        changed = true;
    }
    return changed;
}
