/* Walks through the contents and the words of a case, and runs a pass on them. */
#include "harness/reduce/reduce_pass.h"

#include "harness/case/list_scan.h"
#include "harness/case/pcase_names.h"
#include "pica/extregs.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

struct reduce_range harness_reduce_takes_of(struct reduce_walk *walk, uint32_t count)
{
    const uint64_t stop = (uint64_t)walk->range.first + walk->range.count;
    const uint32_t first = walk->range.first > walk->seen ? walk->range.first - walk->seen : 0;
    const uint32_t end = stop <= walk->seen ? 0 : stop - walk->seen < count ? (uint32_t)(stop - walk->seen) : count;
    walk->seen += count;
    return (struct reduce_range){ first, first < end ? end - first : 0 };
}

static bool walk_through(const struct reduce_pass *pass, struct harness_case *test_case, struct reduce_walk *walk)
{
    if (pass->walk != NULL)
        return pass->walk(test_case, walk);
    harness_reduce_visit_words(test_case, pass->visit, walk);
    return true;
}

uint32_t harness_reduce_count(const struct reduce_pass *pass, const struct harness_case *test_case)
{
    struct harness_case view = *test_case; /* safe: an empty range writes nothing */
    struct reduce_walk walk = { .what = pass->what };
    (void)walk_through(pass, &view, &walk);
    return walk.seen;
}

bool harness_reduce_apply(const struct reduce_pass *pass, struct harness_case *test_case, struct reduce_range range,
                          uint32_t variant)
{
    struct reduce_walk walk = { .what = pass->what, .range = range, .variant = variant };
    return walk_through(pass, test_case, &walk) && walk.changed;
}

struct harness_data *harness_reduce_next_block(struct reduce_blocks *blocks, uint32_t **address)
{
    struct harness_case *const test_case = blocks->test_case;
    for (; blocks->next < test_case->chunk_count + test_case->operation_count; blocks->next++) {
        if (blocks->next < test_case->chunk_count) {
            struct harness_chunk *const chunk = &test_case->chunks[blocks->next++];
            *address = &chunk->address;
            return &chunk->data;
        }
        struct harness_operation *const operation = &test_case->operations[blocks->next - test_case->chunk_count];
        if (operation->kind != HARNESS_LOAD && operation->kind != HARNESS_RUN)
            continue;
        blocks->next++;
        *address = &operation->address;
        return &operation->data;
    }
    return NULL;
}

const uint8_t *harness_reduce_written(struct harness_case *test_case, const struct harness_data *data, bool padded)
{
    if (data->kind == HARNESS_DATA_BYTES || data->kind == HARNESS_DATA_TABLE)
        return data->bytes;
    uint8_t *const bytes = harness_arena_raw(&test_case->arena, (size_t)harness_data_size(data, padded));
    if (bytes != NULL)
        harness_data_write(data, padded, bytes);
    return bytes;
}

struct harness_list *harness_reduce_next_list(struct reduce_blocks *blocks)
{
    uint32_t *address = NULL;
    for (struct harness_data *data; (data = harness_reduce_next_block(blocks, &address)) != NULL;)
        if (data->kind == HARNESS_DATA_LIST)
            return &data->list;
    return NULL;
}

static void visit_parameter(struct harness_command *command, uint32_t parameter, reduce_word_visitor visitor,
                            void *user)
{
    const uint32_t id = harness_command_register(command, parameter);
    const struct pica_reg_info *const info = pica_reg_info(id);
    struct reduce_word word = { .word = &harness_command_edit(command)[parameter],
                                .layout = PICA_LAYOUT_WORD,
                                .id = id };
    uint32_t unit = 0;
    const enum oracle_port port = oracle_port_of(id, &unit);
    if (info != NULL && info->layout != PICA_LAYOUT_NONE)
        word.layout = info->layout;
    if (info != NULL && info->reg_class != PICA_REG_CLASS_PORT)
        word.reset = info->reset;
    if (port == ORACLE_PORT_CODE) {
        word.is_code = true;
        word.layout = pica_opcode_format_info(pica_opcode_info(pica_opcode_of(*word.word))->format)->layout;
    } else if (port == ORACLE_PORT_OPDESCS) {
        word.is_descriptor = true;
        word.layout = PICA_LAYOUT_SHADER_OPDESC;
    }
    word.is_packed = port == ORACLE_PORT_FIXED || port == ORACLE_PORT_UNIFORMS;
    visitor(user, &word);
}

static void visit_external(struct harness_operation *operation, uint32_t index, uint32_t address,
                           reduce_word_visitor visitor, void *user)
{
    const struct pica_extreg_info *info = pica_lcdreg_info(address);
    if (info == NULL && address - PICA_EXTERNAL_ADDRESS < 4u * PICA_EXTERNAL_WORDS)
        info = pica_extreg_info(address - PICA_EXTERNAL_ADDRESS);
    struct reduce_word word = { .word = &operation->words[index], .layout = PICA_LAYOUT_WORD, .id = PICA_REGISTERS };
    if (info != NULL && info->layout != PICA_LAYOUT_NONE)
        word.layout = info->layout;
    if (info != NULL)
        word.reset = info->reset;
    visitor(user, &word);
}

static void visit_operation(struct harness_operation *operation, reduce_word_visitor visitor, void *user)
{
    const struct reduce_word size = { .word = &operation->size, .layout = PICA_LAYOUT_WORD, .id = PICA_REGISTERS };
    switch (operation->kind) {
    case HARNESS_WRITE: visit_external(operation, 0, operation->address, visitor, user); return;
    case HARNESS_FILL:
        for (uint32_t i = 0; i < 4; i++)
            visit_external(operation, i, PICA_EXTERNAL_ADDRESS + harness_fill_registers[0][i], visitor, user);
        return;
    case HARNESS_TRANSFER:
        for (uint32_t i = 0; i < 9; i++)
            visit_external(operation, i, PICA_EXTERNAL_ADDRESS + harness_transfer_registers[i], visitor, user);
        return;
    case HARNESS_SUBMIT: visitor(user, &size); return;
    case HARNESS_LOAD:
    case HARNESS_RUN:
    case HARNESS_VBLANK:
    case HARNESS_NOTE: return;
    }
}

void harness_reduce_visit_words(struct harness_case *test_case, reduce_word_visitor visitor, void *user)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            for (uint32_t k = 0; k < list->commands[i].count; k++)
                visit_parameter(harness_list_edit(list, i), k, visitor, user);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        visit_operation(&test_case->operations[i], visitor, user);
}
