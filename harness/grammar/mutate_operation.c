/* Changes of operations: their words by the layouts of the external registers, their order and number. */
#include "harness/case/pcase_names.h"
#include "harness/grammar/mutate_parts.h"
#include "pica/extregs.h"
#include "pica/memory.h"

static uint32_t change_external(const struct mutation *mutation, uint32_t offset, uint32_t old)
{
    const enum pica_layout layout = pica_extreg_info(offset)->layout;
    const bool address = layout == PICA_LAYOUT_FILL_ADDRESS || layout == PICA_LAYOUT_XFER_ADDRESS;
    if (address && harness_random_percent(mutation->random, 70))
        return mutate_any_address(mutation) >> 3;
    if (layout == PICA_LAYOUT_XFER_DIM && harness_random_percent(mutation->random, 70)) { /* small: quick */
        const uint32_t width = harness_random_number(mutation->random, 8);
        return pica_xfer_dim_set_height(pica_xfer_dim_set_width(0, width), harness_random_number(mutation->random, 8));
    }
    return harness_layout_change(mutation->random, layout, old);
}

/* Changes the value of a CPU write by the layout of its register. */
static uint32_t change_written(const struct mutation *mutation, uint32_t address, uint32_t old)
{
    if (address >= PICA_INTERNAL_ADDRESS && address - PICA_INTERNAL_ADDRESS < 4u * PICA_REG_TOTAL)
        return mutate_register_word(mutation, (address - PICA_INTERNAL_ADDRESS) / 4u, old);
    const struct pica_extreg_info *const info =
        address >= PICA_EXTERNAL_ADDRESS ? pica_extreg_info((address - PICA_EXTERNAL_ADDRESS) & ~3u) : NULL;
    return info == NULL ? harness_word_change(mutation->random, old) : change_external(mutation, info->address, old);
}

static void change_write(const struct mutation *mutation, struct harness_operation *operation)
{
    struct harness_random *const random = mutation->random;
    if (harness_random_percent(random, 70))
        operation->words[0] = change_written(mutation, operation->address, operation->words[0]);
    else if (harness_random_percent(random, 50))
        operation->address = PICA_INTERNAL_ADDRESS + 4u * harness_random_below(random, PICA_REG_TOTAL);
    else
        operation->address += 4u * harness_random_below(random, 9) - 16u;
}

static void change_submit(const struct mutation *mutation, struct harness_operation *operation)
{
    struct harness_random *const random = mutation->random;
    if (harness_random_percent(random, 50))
        operation->size = harness_random_percent(random, 50)
                              ? operation->size + 8u * harness_random_below(random, 9) - 32u
                              : harness_random_number(random, 14);
    else
        operation->address = harness_random_percent(random, 50)
                                 ? operation->address + 8u * harness_random_below(random, 9) - 32u
                                 : mutate_any_address(mutation);
}

/* Moves START and END of a fill together, or makes it fill exactly some other place. */
static void change_fill(const struct mutation *mutation, uint32_t *words)
{
    struct harness_random *const random = mutation->random;
    struct mutate_place place;
    const uint32_t length = words[1] - words[0];
    if (!mutate_named_place(mutation, &place))
        return;
    words[0] = (mutate_near(mutation, &place) & ~15u) >> 3;
    words[1] = words[0] + length;
    if (place.size != 0 && harness_random_percent(random, 50)) {
        words[0] = (place.address & ~15u) >> 3;
        words[1] = (place.address + place.size + 15u) >> 4 << 1;
    }
}

/* Exchanges what is read and what is written; or makes a transfer write to some other place, a copy exactly as much. */
static void change_transfer(const struct mutation *mutation, uint32_t *words)
{
    struct harness_random *const random = mutation->random;
    struct mutate_place place;
    const uint32_t in = words[0], line = words[7];
    if (harness_random_percent(random, 40)) {
        words[0] = words[1];
        words[1] = in;
        words[7] = words[8];
        words[8] = line;
    } else if (mutate_named_place(mutation, &place)) {
        words[1] = (mutate_near(mutation, &place) & ~15u) >> 3;
        if (pica_xfer_flags_copy(words[4]) != 0 && place.size != 0)
            words[6] = (place.size + 15u) & ~15u;
    }
}

static bool change_operation(const struct mutation *mutation, struct harness_operation *operation)
{
    struct harness_random *const random = mutation->random;
    uint32_t index;
    switch (operation->kind) {
    case HARNESS_LOAD:
    case HARNESS_RUN: operation->address = mutate_any_address(mutation); return true;
    case HARNESS_SUBMIT: change_submit(mutation, operation); return true;
    case HARNESS_WRITE: change_write(mutation, operation); return true;
    case HARNESS_FILL:
        if (harness_random_percent(random, 40)) {
            change_fill(mutation, operation->words);
            return true;
        }
        index = harness_random_below(random, 5);
        if (index == 4)
            operation->unit ^= 1u;
        else
            operation->words[index] =
                change_external(mutation, harness_fill_registers[0][index], operation->words[index]);
        return true;
    case HARNESS_TRANSFER:
        if (harness_random_percent(random, 30)) {
            change_transfer(mutation, operation->words);
            return true;
        }
        index = harness_random_below(random, 9);
        operation->words[index] = change_external(mutation, harness_transfer_registers[index], operation->words[index]);
        return true;
    case HARNESS_VBLANK: operation->unit ^= 1u; return true;
    case HARNESS_NOTE: return false;
    }
    return false; /* not reached: all kinds are named */
}

static struct harness_operation *pick_operation(const struct mutation *mutation)
{
    struct harness_case *const test_case = mutation->test_case;
    if (test_case->operation_count == 0)
        return NULL;
    return &test_case->operations[harness_random_below(mutation->random, test_case->operation_count)];
}

static bool has_contents(const struct harness_operation *operation)
{
    return operation->kind == HARNESS_RUN || operation->kind == HARNESS_LOAD;
}

/* Lists and contents have mutations of their own; moving them rarely leaves anything to see. */
bool mutate_operation_words(const struct mutation *mutation)
{
    struct harness_operation *operation = pick_operation(mutation);
    for (int tries = 0; tries < 4 && operation != NULL && has_contents(operation); tries++)
        operation = pick_operation(mutation);
    if (operation == NULL || (has_contents(operation) && !harness_random_percent(mutation->random, 10)))
        return false;
    return change_operation(mutation, operation);
}

/* ----------------------------------------------------------------------------------------------------- new and gone */

static void draw_words(const struct mutation *mutation, struct harness_operation *operation)
{
    struct harness_random *const random = mutation->random;
    const bool fill = operation->kind == HARNESS_FILL;
    for (uint32_t i = 0; i < (fill ? 4u : 9u); i++) {
        const uint32_t offset = fill ? harness_fill_registers[0][i] : harness_transfer_registers[i];
        operation->words[i] =
            change_external(mutation, offset, harness_layout_draw(random, pica_extreg_info(offset)->layout, true));
    }
    if (fill) {
        operation->words[1] = operation->words[0] + 2u * harness_random_number(random, 9);
        operation->words[3] |= 1u;
        if (harness_random_percent(random, 60))
            change_fill(mutation, operation->words);
    } else {
        operation->words[6] = harness_random_number(random, 13);
    }
}

bool mutate_insert_operation(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_operation operation = { .kind = HARNESS_WRITE };
    if (mutation->test_case->operation_count >= MUTATE_MOST_OPERATIONS)
        return false;
    switch (harness_random_below(random, 5)) {
    case 0: operation.kind = HARNESS_FILL; break;
    case 1: operation.kind = HARNESS_TRANSFER; break;
    case 2: operation.kind = HARNESS_VBLANK; break;
    case 3: operation.kind = HARNESS_SUBMIT; break;
    default: break;
    }
    if (operation.kind == HARNESS_FILL || operation.kind == HARNESS_TRANSFER)
        draw_words(mutation, &operation);
    if (operation.kind == HARNESS_FILL || operation.kind == HARNESS_VBLANK)
        operation.unit = harness_random_below(random, 2);
    if (operation.kind == HARNESS_SUBMIT) {
        operation.address = mutate_any_address(mutation);
        operation.size = harness_random_number(random, 13);
    }
    if (operation.kind == HARNESS_WRITE) {
        operation.address = PICA_INTERNAL_ADDRESS + 4u * harness_random_below(random, PICA_REG_TOTAL);
        operation.words[0] = mutate_any_value(mutation, (operation.address - PICA_INTERNAL_ADDRESS) / 4u);
    }
    return harness_case_insert(mutation->test_case,
                               harness_random_below(random, mutation->test_case->operation_count + 1u),
                               &operation) != NULL;
}

bool mutate_delete_operations(const struct mutation *mutation)
{
    struct harness_case *const test_case = mutation->test_case;
    if (test_case->operation_count == 0)
        return false;
    const uint32_t count =
        harness_random_percent(mutation->random, 80) ? 1 : harness_random_between(mutation->random, 1, 4);
    harness_case_remove(test_case, harness_random_below(mutation->random, test_case->operation_count), count);
    return true;
}

static bool repeat_operation(const struct mutation *mutation, uint32_t from, uint32_t to)
{
    struct harness_case *const test_case = mutation->test_case;
    struct harness_operation copy = test_case->operations[from];
    if (test_case->operation_count >= MUTATE_MOST_OPERATIONS ||
        !harness_data_copy(test_case, &copy.data, &test_case->operations[from].data))
        return false;
    return harness_case_insert(test_case, to, &copy) != NULL;
}

bool mutate_move_operation(const struct mutation *mutation)
{
    struct harness_case *const test_case = mutation->test_case;
    if (test_case->operation_count == 0)
        return false;
    const uint32_t from = harness_random_below(mutation->random, test_case->operation_count);
    const uint32_t to = harness_random_below(mutation->random, test_case->operation_count);
    if (harness_random_percent(mutation->random, 50))
        return repeat_operation(mutation, from, to);
    const struct harness_operation moved = test_case->operations[from];
    test_case->operations[from] = test_case->operations[to];
    test_case->operations[to] = moved;
    return from != to;
}
