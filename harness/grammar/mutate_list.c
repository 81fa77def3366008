/* Changes of command lists. */
#include "harness/case/little.h"
#include "harness/grammar/gen_parts.h"
#include "harness/grammar/mutate_parts.h"

/* ------------------------------------------------------------------------------------------------------------ pick */

static struct harness_list *list_of(struct harness_data *data)
{
    return data->kind == HARNESS_DATA_LIST && data->list.count != 0 ? &data->list : NULL;
}

/* The n-th list found replaces the choice with the chance 1/n, which makes all equally likely. */
struct harness_list *mutate_pick_list(const struct mutation *mutation)
{
    struct harness_case *const test_case = mutation->test_case;
    struct harness_list *picked = NULL;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < test_case->operation_count + test_case->chunk_count; i++) {
        const bool is_operation = i < test_case->operation_count;
        struct harness_data *const data =
            is_operation ? &test_case->operations[i].data : &test_case->chunks[i - test_case->operation_count].data;
        struct harness_list *const list = list_of(data);
        if (list != NULL && harness_random_below(mutation->random, ++seen) == 0)
            picked = list;
    }
    return picked;
}

uint32_t mutate_any_address(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    const struct harness_case *const test_case = mutation->test_case;
    struct mutate_place place;
    if (test_case->window_count == 0)
        return PICA_VRAM_ADDRESS;
    if (harness_random_percent(random, 65) && mutate_named_place(mutation, &place))
        return mutate_near(mutation, &place);
    const struct pica_window *const window = &test_case->windows[harness_random_below(random, test_case->window_count)];
    const uint32_t offset = harness_random_below(random, window->size);
    switch (harness_random_below(random, 8)) {
    case 0: return window->address;
    case 1: return window->address + window->size - 16u * harness_random_below(random, 64);
    case 2: return window->address - 16u * harness_random_below(random, 64);
    case 3: return window->address + offset;
    default: return window->address + (offset & ~63u);
    }
}

/* Thousands of vertices take long and show little more than ten. */
static uint32_t any_vertex_count(struct harness_random *random)
{
    return harness_random_number(random, harness_random_percent(random, 95) ? 5 : 32);
}

uint32_t mutate_any_value(const struct mutation *mutation, uint32_t id)
{
    struct harness_random *const random = mutation->random;
    if (id == PICA_REG_NUMVERTICES)
        return any_vertex_count(random);
    const struct pica_reg_info *const info = pica_reg_info(id);
    size_t count = 0;
    const struct pica_field_info *const fields = info == NULL ? NULL : pica_layout_fields(info->layout, &count);
    if (count == 0)
        return harness_random_number(random, 32);
    uint32_t word = harness_layout_draw(random, info->layout, harness_random_percent(random, 70));
    for (size_t f = 0; f < count; f++)
        if (fields[f].type == PICA_FIELD_ADDRESS && harness_random_percent(random, 80))
            word = pica_field_set(&fields[f], word, mutate_any_address(mutation) >> fields[f].unit);
    return word;
}

uint32_t mutate_register_word(const struct mutation *mutation, uint32_t id, uint32_t old)
{
    struct harness_random *const random = mutation->random;
    const struct pica_reg_info *const info = pica_reg_info(id);
    if (id == PICA_REG_NUMVERTICES)
        return any_vertex_count(random);
    if (info == NULL || harness_random_percent(random, 4))
        return harness_word_change(random, old);
    if (harness_code_port(id) < 2u)
        return mutate_instruction(random, old);
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
    const bool has_address = count != 0 && fields[count - 1u].type == PICA_FIELD_ADDRESS;
    if (has_address && harness_random_percent(random, 50))
        return pica_field_set(&fields[count - 1u], old, mutate_any_address(mutation) >> fields[count - 1u].unit);
    if (harness_random_percent(random, 5))
        return mutate_any_value(mutation, id);
    return harness_layout_change(random, info->layout, old);
}

static struct harness_command *pick_command(const struct mutation *mutation, struct harness_list **list)
{
    *list = mutate_pick_list(mutation);
    return *list == NULL ? NULL : harness_list_edit(*list, harness_random_below(mutation->random, (*list)->count));
}

/* ----------------------------------------------------------------------------------------------------------- words */

/* Lets the engine's own mutator change up to 16 parameters, as bytes in the order of memory. */
static bool call_leaf(const struct mutation *mutation, struct harness_command *command, uint32_t first)
{
    uint8_t bytes[64];
    const uint32_t left = command->count - first;
    const uint32_t count = left < 16 ? left : 16;
    for (uint32_t i = 0; i < count; i++)
        (void)harness_store32(bytes + 4 * i, command->parameters[first + i]);
    if (mutation->leaf(bytes, 4 * (size_t)count, 4 * (size_t)count) == 0)
        return false;
    uint32_t *const words = harness_command_edit(command) + first;
    for (uint32_t i = 0; i < count; i++)
        words[i] = harness_load32(bytes + 4 * i);
    return true;
}

bool mutate_word(const struct mutation *mutation)
{
    struct harness_list *list;
    struct harness_command *const command = pick_command(mutation, &list);
    if (command == NULL)
        return false;
    const uint32_t k = harness_random_below(mutation->random, command->count);
    if (mutation->leaf != NULL && harness_random_percent(mutation->random, 8))
        return call_leaf(mutation, command, k);
    uint32_t *const word = &harness_command_edit(command)[k];
    *word = mutate_register_word(mutation, harness_command_register(command, k), *word);
    return true;
}

bool mutate_words(const struct mutation *mutation)
{
    bool changed = false;
    for (uint32_t i = harness_random_between(mutation->random, 2, 8); i > 0; i--)
        changed = mutate_word(mutation) || changed;
    return changed;
}

/* --------------------------------------------------------------------------------------------------------- headers */

static uint16_t other_id(struct harness_random *random, uint32_t id)
{
    static const uint32_t steps[] = { 1, 8, 0x10, 3, 0x30, 5 };
    const uint32_t step = harness_random_percent(random, 70) ? steps[harness_random_below(random, 6)]
                                                             : 1u << harness_random_below(random, 10);
    const struct pica_reg_info *const info = pica_reg_info(id);
    switch (harness_random_below(random, 5)) {
    case 0: return (uint16_t)(id + step);
    case 1: return (uint16_t)(id - step);
    case 2: return (uint16_t)(info == NULL ? id : harness_register_of(random, info->reg_class));
    case 3: return (uint16_t)harness_random_number(random, 16);
    default: return (uint16_t)harness_random_below(random, PICA_REGISTERS);
    }
}

bool mutate_header(const struct mutation *mutation)
{
    struct harness_list *list;
    struct harness_random *const random = mutation->random;
    struct harness_command *const command = pick_command(mutation, &list);
    if (command == NULL)
        return false;
    switch (harness_random_below(random, 6)) {
    case 0:
    case 1: command->id = other_id(random, command->id); break;
    case 2: command->mask = (uint8_t)(command->mask ^ 1u << harness_random_below(random, 4)); break;
    case 3: command->mask = (uint8_t)harness_random_below(random, 16); break;
    case 4: command->consecutive = !command->consecutive; break;
    default:
        command->ignored = (uint8_t)harness_random_below(random, 8);
        if ((command->count & 1u) == 0)
            command->padding = harness_random_number(random, 32);
        break;
    }
    return true;
}

/* One or two more or fewer; now and then any. May be 0 or too many. */
static uint32_t draw_count_near(struct harness_random *random, uint32_t old)
{
    if (harness_random_percent(random, 20))
        return harness_random_between(random, 1, 40);
    const uint32_t step = harness_random_between(random, 1, 2);
    return harness_random_percent(random, 50) ? old + step : old - step;
}

bool mutate_count(const struct mutation *mutation)
{
    struct harness_list *list;
    uint32_t parameters[HARNESS_MAX_PARAMETERS];
    struct harness_random *const random = mutation->random;
    struct harness_command *const command = pick_command(mutation, &list);
    if (command == NULL)
        return false;
    uint32_t count = draw_count_near(random, command->count);
    if (count == command->count || count < 1 || count > HARNESS_MAX_PARAMETERS)
        count = command->count == 1 ? 2 : 1;
    for (uint32_t k = 0; k < count; k++)
        parameters[k] = k < command->count ? command->parameters[k]
                                           : mutate_any_value(mutation, harness_command_register(command, k));
    return harness_command_set(mutation->test_case, command, parameters, count);
}

/* -------------------------------------------------------------------------------------------------------- commands */

bool mutate_insert_command(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_list *const list = mutate_pick_list(mutation);
    if (list == NULL || list->count >= MUTATE_MOST_COMMANDS)
        return false;
    uint32_t parameters[8];
    const uint32_t id = harness_random_percent(random, 75) ? harness_register_of(random, PICA_REG_CLASS_CONFIG)
                                                           : harness_random_below(random, PICA_REGISTERS);
    const bool consecutive = harness_random_percent(random, 30);
    const uint32_t count = consecutive ? harness_random_between(random, 1, 8) : 1;
    for (uint32_t k = 0; k < count; k++)
        parameters[k] = mutate_any_value(mutation, consecutive ? id + k : id);
    const uint8_t mask = harness_random_percent(random, 85) ? 15 : (uint8_t)harness_random_below(random, 16);
    const uint32_t index = harness_random_below(random, list->count + 1u);
    const struct harness_writes writes = {
        .id = (uint16_t)id, .mask = mask, .consecutive = consecutive, .parameters = parameters, .count = count
    };
    return harness_list_insert(mutation->test_case, list, index, &writes) != NULL;
}

/* Mostly short, at most `left`. */
static uint32_t run_length(struct harness_random *random, uint32_t left)
{
    const uint32_t length = harness_random_percent(random, 85) ? harness_random_between(random, 1, 3)
                                                               : harness_random_between(random, 1, 32);
    return length < left ? length : left;
}

bool mutate_delete_commands(const struct mutation *mutation)
{
    struct harness_list *const list = mutate_pick_list(mutation);
    if (list == NULL)
        return false;
    const uint32_t first = harness_random_below(mutation->random, list->count);
    harness_list_remove(list, first, run_length(mutation->random, list->count - first));
    return true;
}

void mutate_insert_copies(struct harness_case *test_case, struct harness_list *to, uint32_t index,
                          const struct harness_list *from, uint32_t first, uint32_t count)
{
    const uint32_t room = to->count < MUTATE_MOST_COMMANDS ? MUTATE_MOST_COMMANDS - to->count : 0;
    const uint32_t inserted = count < room ? count : room;
    if (inserted != 0)
        (void)harness_list_insert_copies(test_case, to, index, from->commands + first, inserted);
}

bool mutate_repeat_commands(const struct mutation *mutation)
{
    struct harness_list *const from = mutate_pick_list(mutation);
    struct harness_list *const to = mutate_pick_list(mutation);
    struct harness_list run = { 0 };
    if (from == NULL || to == NULL)
        return false;
    const uint32_t first = harness_random_below(mutation->random, from->count);
    const uint32_t count = run_length(mutation->random, from->count - first);
    mutate_insert_copies(mutation->test_case, &run, 0, from, first, count); /* `from` may be `to` */
    mutate_insert_copies(mutation->test_case, to, harness_random_below(mutation->random, to->count + 1u), &run, 0,
                         run.count);
    return run.count != 0;
}

bool mutate_move_commands(const struct mutation *mutation)
{
    struct harness_list *const list = mutate_pick_list(mutation);
    if (list == NULL || list->count < 2)
        return false;
    const uint32_t from = harness_random_below(mutation->random, list->count);
    const uint32_t to = harness_random_percent(mutation->random, 50)
                            ? (from + 1u) % list->count
                            : harness_random_below(mutation->random, list->count);
    if (harness_random_percent(mutation->random, 50))
        harness_list_swap(list, from, to);
    else
        harness_list_move(list, from, to);
    return from != to;
}

/* Inserts another draw, with the state of some place of the list. */
bool mutate_draw_again(const struct mutation *mutation)
{
    static const uint16_t ids[] = { PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS, PICA_REG_RESTART_PRIMITIVE,
                                    PICA_REG_PRIMITIVE_CONFIG };
    struct harness_random *const random = mutation->random;
    struct harness_list *const list = mutate_pick_list(mutation);
    if (list == NULL || list->count >= MUTATE_MOST_COMMANDS)
        return false;
    const uint16_t id = ids[harness_random_below(random, harness_random_percent(random, 70) ? 2 : 4)];
    const uint32_t value = id == PICA_REG_PRIMITIVE_CONFIG ? mutate_any_value(mutation, id) : 1u;
    const uint32_t index = harness_random_between(random, list->count / 2u, list->count);
    const struct harness_writes writes = { .id = id, .mask = 15, .parameters = &value, .count = 1 };
    return harness_list_insert(mutation->test_case, list, index, &writes) != NULL;
}

/* Inserts newly generated state of one area. */
bool mutate_splice_block(const struct mutation *mutation)
{
    struct gen gen;
    struct harness_list *const list = mutate_pick_list(mutation);
    if (list == NULL || list->count >= MUTATE_MOST_COMMANDS)
        return false;
    const bool defined = harness_random_percent(mutation->random, 60);
    gen_begin(&gen, mutation->test_case, harness_random_next(mutation->random), defined);
    gen.masked_percent = 0; /* the old words are not known */
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        gen.known[id] = ~gen.known[id];
    gen_block(&gen);
    mutate_insert_copies(mutation->test_case, list, harness_random_below(mutation->random, list->count + 1u), &gen.list,
                         0, gen.list.count);
    return gen.list.count != 0;
}

/* Replaces the words after the last whole command: none, one, or the start of a command that is cut off. */
bool mutate_tail(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_list *const list = mutate_pick_list(mutation);
    uint32_t words[8];
    if (list == NULL)
        return false;
    const uint32_t count = harness_random_percent(random, 30) ? 0 : harness_random_percent(random, 50) ? 1 : 6;
    for (uint32_t i = 0; i < count; i++)
        words[i] = harness_random_number(random, 32);
    if (count > 1)
        words[1] = pica_command_header_set_extra_parameters(words[1], 255);
    uint32_t *const tail = harness_arena_copy(&mutation->test_case->arena, words, count * sizeof words[0]);
    if (tail == NULL)
        return false;
    const bool changed = count != list->tail_count || count != 0;
    list->tail = tail;
    list->tail_count = count;
    return changed;
}
