/* The pass that removes instructions from shader code and adjusts jumps over them, so that these keep their targets
 * (SHD-40). */
#include "harness/reduce/reduce_pass.h"

#include "harness/case/list_scan.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <stdlib.h>

/* By unit: the code addresses whose instructions are removed. */
struct removed {
    bool gone[2][HARNESS_MAX_CODE];
    uint32_t before[2][HARNESS_MAX_CODE + 1]; /* how many instructions below an address are removed */
};

typedef void (*code_visitor)(void *user, struct harness_command *command, uint32_t parameter, uint32_t unit,
                             uint32_t address);

/* Visits all instructions that lists upload, with the code address of each as far as the list shows it. */
static void visit_code(struct harness_case *test_case, code_visitor visitor, void *user)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;) {
        struct harness_scan scan;
        harness_scan_init(&scan);
        for (uint32_t i = 0; i < list->count; i++) {
            struct harness_command *const command = harness_list_edit(list, i);
            uint32_t unit = 0;
            const bool stream = !command->consecutive || command->count == 1;
            if (stream && oracle_port_of(command->id, &unit) == ORACLE_PORT_CODE)
                for (uint32_t k = 0; k < command->count; k++)
                    visitor(user, command, k, unit, scan.registers.next[ORACLE_PORT_CODE][unit] + k);
            harness_scan_command(&scan, command);
        }
    }
}

struct removal {
    struct removed *removed;
    struct reduce_walk *walk;
};

static void mark(void *user, struct harness_command *command, uint32_t parameter, uint32_t unit, uint32_t address)
{
    struct removal *const removal = user;
    (void)command;
    (void)parameter;
    if (!harness_reduce_takes(removal->walk))
        return;
    removal->walk->changed = true;
    if (address < HARNESS_MAX_CODE)
        removal->removed->gone[unit][address] = true;
}

static void count_marks(struct removed *removed)
{
    for (uint32_t unit = 0; unit < 2; unit++)
        for (uint32_t address = 0; address < HARNESS_MAX_CODE; address++)
            removed->before[unit][address + 1] =
                removed->before[unit][address] + (removed->gone[unit][address] ? 1 : 0);
}

static uint32_t moved(const struct removed *removed, uint32_t unit, uint32_t address)
{
    return address <= HARNESS_MAX_CODE ? address - removed->before[unit][address] : address;
}

/* Adjusts a jump. Formats 2 and 3 have target and count in the same bits. */
static void fix_jump(void *user, struct harness_command *command, uint32_t parameter, uint32_t unit, uint32_t address)
{
    const struct removed *const removed = user;
    uint32_t *const word = &harness_command_edit(command)[parameter];
    const enum pica_opcode_format format = pica_opcode_info(pica_opcode_of(*word))->format;
    (void)address;
    if (format != PICA_OPCODE_FORMAT_2 && format != PICA_OPCODE_FORMAT_3)
        return;
    const uint32_t target = pica_shader_format_2_dst(*word);
    const uint32_t end = target + pica_shader_format_2_num(*word);
    const uint32_t new_target = moved(removed, unit, target);
    bool counts = false;
    for (uint32_t source = 0; source < 3; source++)
        counts = counts || pica_opcode_info(pica_opcode_of(*word))->sources[source] == PICA_OPERAND_COUNT;
    *word = pica_shader_format_2_set_dst(*word, new_target);
    if (counts)
        *word = pica_shader_format_2_set_num(*word, moved(removed, unit, end) - new_target);
}

/* SHD-12: adjusts an entry point. */
static void fix_entry(void *user, const struct reduce_word *word)
{
    const struct removed *const removed = user;
    for (uint32_t unit = 0; unit < 2; unit++)
        if (word->id == pica_reg_shader(unit, PICA_REG_VSH_ENTRYPOINT))
            *word->word = pica_shader_entrypoint_set_entry(
                *word->word, moved(removed, unit, pica_shader_entrypoint_entry(*word->word)));
}

/* Walks as visit_code does, and removes the marked words. */
static bool cut(struct harness_case *test_case, struct reduce_range range)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t unit = 0;
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            struct harness_command *const command = harness_list_edit(list, i);
            uint32_t words[HARNESS_MAX_PARAMETERS];
            uint32_t shader = 0, kept = 0;
            if ((command->consecutive && command->count != 1) ||
                oracle_port_of(command->id, &shader) != ORACLE_PORT_CODE)
                continue;
            for (uint32_t k = 0; k < command->count; k++)
                if (!harness_reduce_within(range, unit++))
                    words[kept++] = command->parameters[k];
            if (kept == command->count)
                continue;
            if (kept == 0)
                harness_list_remove(list, i--, 1);
            else if (!harness_command_set(test_case, command, words, kept))
                return false;
        }
    return true;
}

static bool remove_instructions(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct removed *const removed = calloc(1, sizeof *removed);
    struct removal removal = { .removed = removed, .walk = walk };
    bool done = removed != NULL;
    if (done)
        visit_code(test_case, mark, &removal);
    if (done && walk->changed) {
        count_marks(removed);
        visit_code(test_case, fix_jump, removed);
        harness_reduce_visit_words(test_case, fix_entry, removed);
        done = cut(test_case, walk->range);
    }
    free(removed);
    return done;
}

const struct reduce_pass harness_reduce_instructions = { "shader instructions", 1, .walk = remove_instructions };
