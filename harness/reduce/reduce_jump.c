/*
 * The pass that inlines jumps: a jump is replaced by the list that it leads to (SUB-02). Lists then need no other
 * lists, and each removed jump saves two writes.
 */
#include "harness/reduce/reduce_pass.h"

#include "pica/regs.h"

/* The channel that the command jumps to, or 2: none. */
static uint32_t jump_channel(const struct harness_command *command)
{
    for (uint32_t channel = 0; channel < 2; channel++)
        if (command->count == 1 && command->id == pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_JUMP0))
            return channel;
    return 2;
}

/* The target address of the jump at `index`, if its own list sets it; else 0. */
static uint32_t jump_target(const struct harness_list *list, uint32_t index, uint32_t channel)
{
    const struct pica_field_info *const field = pica_field_by_name(PICA_LAYOUT_CMDBUF_ADDR, "address");
    for (uint32_t i = index; i-- > 0;) {
        const struct harness_command *const command = &list->commands[i];
        for (uint32_t k = command->count; k-- > 0;)
            if (harness_command_register(command, k) == pica_reg_cmdbuf(channel, PICA_REG_CMDBUF_ADDR0))
                return pica_field_get(field, command->parameters[k]) << field->unit;
    }
    return 0;
}

static const struct harness_list *list_at(struct harness_case *test_case, uint32_t target)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t *address = NULL;
    const struct harness_list *found = NULL; /* the list loaded there last */
    for (const struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;)
        if (data->kind == HARNESS_DATA_LIST && *address == target)
            found = &data->list;
    return found;
}

/* Commands after a jump are never reached, so they are removed together with the jump. */
static bool inline_jump(struct harness_case *test_case, struct harness_list *list, uint32_t index)
{
    const uint32_t target = jump_target(list, index, jump_channel(&list->commands[index]));
    const struct harness_list *const from = target != 0 ? list_at(test_case, target) : NULL;
    if (from == NULL || from == list)
        return false;
    harness_list_remove(list, index, list->count - index);
    list->tail_count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const struct harness_writes writes = harness_command_writes(&from->commands[i]);
        if (harness_list_insert(test_case, list, list->count, &writes) == NULL)
            return false;
    }
    return true;
}

/* One at a time, since an inlined list may itself jump. */
static bool inline_jumps(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            if (jump_channel(&list->commands[i]) < 2 && harness_reduce_takes(walk)) {
                walk->changed = walk->range.count == 1 && inline_jump(test_case, list, i);
                return true;
            }
    return true;
}

const struct reduce_pass harness_reduce_jumps = { "jumps", 1, .walk = inline_jumps, .once = true };
