/* Changes of things that belong together in a list: draws with their state, fields with those elsewhere, table
 * words. */
#include "harness/grammar/gen_parts.h"
#include "harness/grammar/mutate_parts.h"

#include <string.h>

enum {
    LONG_STREAM = 4 /* words of the shortest stream that is changed as a whole */
};

/* ----------------------------------------------------------------------------------------------------------- draws */

/* The commands after the previous draw, up to and including a draw. */
struct draw_range {
    uint32_t first;
    uint32_t count;
};

/* One of the draws of the list, each equally likely; count 0 if there is none. */
static struct draw_range pick_draw(const struct mutation *mutation, const struct harness_list *list)
{
    struct draw_range picked = { 0, 0 };
    uint32_t first = 0;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!harness_command_writes_to(&list->commands[i], PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS))
            continue;
        if (harness_random_below(mutation->random, ++seen) == 0)
            picked = (struct draw_range){ first, i + 1u - first };
        first = i + 1u;
    }
    return picked;
}

static void swap_neighbours(const struct mutation *mutation, struct harness_list *list, struct draw_range a,
                            struct draw_range b)
{
    const struct draw_range low = a.first < b.first ? a : b;
    const struct draw_range high = a.first < b.first ? b : a;
    struct harness_list moved = { 0 };
    if (harness_list_insert_copies(mutation->test_case, &moved, 0, list->commands + high.first, high.count) !=
        high.count)
        return;
    harness_list_remove(list, high.first, high.count);
    (void)harness_list_insert_copies(mutation->test_case, list, low.first, moved.commands, moved.count);
}

bool mutate_draws(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_list *const list = mutate_pick_list(mutation);
    if (list == NULL)
        return false;
    const struct draw_range range = pick_draw(mutation, list);
    const struct draw_range other = pick_draw(mutation, list);
    if (range.count == 0)
        return false;
    if (range.first != other.first && harness_random_percent(random, 50)) {
        swap_neighbours(mutation, list, range, other);
        return true;
    }
    struct harness_list *const to = mutate_pick_list(mutation);
    if (harness_random_percent(random, 50) || to->count >= MUTATE_MOST_COMMANDS) {
        const bool state_stays = harness_random_percent(random, 60); /* only the trigger is removed */
        harness_list_remove(list, state_stays ? range.first + range.count - 1u : range.first,
                            state_stays ? 1 : range.count);
        return true;
    }
    struct harness_list copy = { 0 };
    (void)harness_list_insert_copies(mutation->test_case, &copy, 0, list->commands + range.first, range.count);
    const uint32_t at = harness_random_below(random, to->count + 1u);
    return harness_list_insert_copies(mutation->test_case, to, at, copy.commands, copy.count) != 0;
}

/* ---------------------------------------------------------------------------------------------------- other places */

/* The layout of a parameter; PICA_LAYOUT_NONE past the last register. */
static enum pica_layout layout_at(const struct harness_command *command, uint32_t parameter)
{
    const struct pica_reg_info *const info = pica_reg_info(harness_command_register(command, parameter));
    return info == NULL ? PICA_LAYOUT_NONE : info->layout;
}

/* A parameter of that layout, found from a random command on; NULL if there is no other. */
static const uint32_t *same_layout(const struct mutation *mutation, const struct harness_list *list,
                                   enum pica_layout layout, const uint32_t *but)
{
    const uint32_t start = harness_random_below(mutation->random, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[(start + i) % list->count];
        const uint32_t most = command->consecutive ? command->count : 1;
        for (uint32_t k = 0; k < most; k++)
            if (layout_at(command, k) == layout && &command->parameters[k] != but)
                return &command
                            ->parameters[command->consecutive ? k
                                                              : harness_random_below(mutation->random, command->count)];
    }
    return NULL;
}

/* Gives a word, or one field of it, the value of another word of the same layout, now and then with one bit changed; or
 * any other word if there is none. */
bool mutate_copy_field(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_list *const list = mutate_pick_list(mutation);
    const struct harness_list *const from = mutate_pick_list(mutation);
    if (list == NULL || from == NULL)
        return false;
    struct harness_command *const command = harness_list_edit(list, harness_random_below(random, list->count));
    const uint32_t k = harness_random_below(random, command->count);
    uint32_t *const word = &harness_command_edit(command)[k];
    const enum pica_layout layout = layout_at(command, k);
    const uint32_t *const other = same_layout(mutation, from, layout, word);
    const uint32_t old = *word;
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    if (other == NULL || count == 0) {
        const struct harness_command *const any = &from->commands[harness_random_below(random, from->count)];
        *word = any->parameters[harness_random_below(random, any->count)];
        return *word != old;
    }
    if (harness_random_percent(random, 15)) {
        *word = harness_layout_alias(random, layout, old, *other);
        return *word != old;
    }
    const struct pica_field_info *const field = &fields[harness_random_below(random, (uint32_t)count)];
    *word = harness_random_percent(random, 30) ? *other : pica_field_set(field, old, pica_field_get(field, *other));
    return *word != old;
}

/* --------------------------------------------------------------------------------------------------------- streams */

/* A command with several words for one port: of a table, uniforms, fixed attributes. Code has mutations of its own. */
static struct harness_command *pick_stream(const struct mutation *mutation, struct harness_list *list)
{
    const uint32_t start = harness_random_below(mutation->random, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t index = (start + i) % list->count;
        const struct harness_command *const command = &list->commands[index];
        const struct pica_reg_info *const info = pica_reg_info(command->id);
        if (command->count >= LONG_STREAM && !command->consecutive && info != NULL &&
            info->reg_class == PICA_REG_CLASS_PORT && harness_code_port(command->id) == 2)
            return harness_list_edit(list, index);
    }
    return NULL;
}

static void reverse(uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t kept = words[i];
        words[i] = words[count - 1u - i];
        words[count - 1u - i] = kept;
    }
}

static void add_ramp(uint32_t *words, uint32_t count, const struct pica_field_info *field, uint32_t step)
{
    const uint32_t start = pica_field_get(field, words[0]);
    for (uint32_t i = 0; i < count; i++)
        words[i] = pica_field_set(field, words[i], start + i * step);
}

static void change_all(struct harness_random *random, uint32_t *words, uint32_t count,
                       const struct pica_field_info *field)
{
    const uint32_t bit = 1u << harness_random_below(random, field->width);
    const uint32_t number = harness_random_number(random, field->width);
    const uint32_t kind = harness_random_below(random, 3);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t old = pica_field_get(field, words[i]);
        words[i] = pica_field_set(field, words[i], kind == 0 ? old ^ bit : kind == 1 ? old + number : number);
    }
}

/* Changes a run of words as a whole, since tables are smooth: reverses it, makes a field a ramp, shifts it by one, or
 * changes one field of all words. */
bool mutate_stream(const struct mutation *mutation)
{
    static const struct pica_field_info whole = { .type = PICA_FIELD_UNSIGNED, .width = 32 };
    struct harness_random *const random = mutation->random;
    struct harness_list *const list = mutate_pick_list(mutation);
    struct harness_command *const command = list == NULL ? NULL : pick_stream(mutation, list);
    if (command == NULL)
        return false;
    const uint32_t first = harness_random_below(random, command->count - 1u);
    const uint32_t count = harness_random_between(random, 2, command->count - first);
    uint32_t *const words = harness_command_edit(command) + first;
    size_t fields = 0;
    const struct pica_field_info *const all = pica_layout_fields(layout_at(command, 0), &fields);
    const struct pica_field_info *const field =
        fields == 0 ? &whole : &all[harness_random_below(random, (uint32_t)fields)];
    switch (harness_random_below(random, 5)) {
    case 0: reverse(words, count); return true;
    case 1: add_ramp(words, count, field, harness_random_number(random, field->width)); return true;
    case 2: memmove(words + 1, words, (count - 1u) * sizeof *words); return true;
    default: change_all(random, words, count, field); return true;
    }
}
