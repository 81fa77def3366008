/* Changes of runs of shader instructions. Branch targets behind a change mostly move along. */
#include "harness/grammar/mutate_parts.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <string.h>

enum {
    MOST_RUN = 12,
    FOLLOW_PERCENT = 80
};

/* An upload of code, and the code address of its first word as far as the list shows it. */
struct upload {
    struct harness_command *command;
    uint32_t base;
};

/* One of the uploads of the list, each equally likely; no command if there is none. */
static struct upload pick_upload(const struct mutation *mutation, struct harness_list *list)
{
    struct upload picked = { NULL, 0 };
    uint32_t place = 0;
    uint32_t index[2] = { 0, 0 };
    uint32_t seen = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        for (uint32_t unit = 0; unit < 2; unit++)
            if (command->id == pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX) && command->count != 0)
                index[unit] = command->parameters[0];
        const uint32_t unit = harness_code_port(command->id);
        if (unit < 2 && !command->consecutive && command->count > 1 &&
            harness_random_below(mutation->random, ++seen) == 0) {
            picked.base = index[unit];
            place = i;
        }
    }
    if (seen != 0)
        picked.command = harness_list_edit(list, place);
    return picked;
}

static bool is_flow(uint32_t word)
{
    const enum pica_opcode_format format = pica_opcode_info(pica_opcode_of(word))->format;
    return format == PICA_OPCODE_FORMAT_2 || format == PICA_OPCODE_FORMAT_3;
}

/* Targets at or after `place` move by `distance` (SHD-43: dst of format 3 lies where that of format 2 does). */
static void follow(struct upload upload, uint32_t place, uint32_t distance)
{
    for (uint32_t i = 0; i < upload.command->count; i++) {
        uint32_t *const word = &harness_command_edit(upload.command)[i];
        if (!is_flow(*word))
            continue;
        const uint32_t target = pica_shader_format_2_dst(*word);
        if (target >= upload.base + place && target <= upload.base + upload.command->count)
            *word = pica_shader_format_2_set_dst(*word, target + distance);
    }
}

/* Inserts instructions before instruction `at`. */
static bool insert_run(const struct mutation *mutation, struct upload to, uint32_t at, const uint32_t *run,
                       uint32_t count)
{
    uint32_t words[HARNESS_MAX_PARAMETERS];
    if (to.command->count + count > HARNESS_MAX_PARAMETERS)
        return false;
    if (harness_random_percent(mutation->random, FOLLOW_PERCENT))
        follow(to, at, count);
    memcpy(words, to.command->parameters, at * sizeof words[0]);
    memcpy(words + at, run, count * sizeof words[0]);
    memcpy(words + at + count, to.command->parameters + at, (to.command->count - at) * sizeof words[0]);
    return harness_command_set(mutation->test_case, to.command, words, to.command->count + count);
}

static void remove_run(const struct mutation *mutation, struct upload upload, uint32_t first, uint32_t count)
{
    if (harness_random_percent(mutation->random, FOLLOW_PERCENT))
        follow(upload, first + count, 0u - count);
    mutate_remove_words(upload.command, first, count);
}

/* Overwrites instructions from `at` on, but not beyond the last. */
static void overwrite(struct upload upload, uint32_t at, const uint32_t *run, uint32_t count)
{
    const uint32_t room = upload.command->count - at;
    memcpy(harness_command_edit(upload.command) + at, run, (count < room ? count : room) * sizeof run[0]);
}

static void draw_run(struct harness_random *random, uint32_t *run, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        run[i] = mutate_any_instruction(random);
}

bool mutate_shader_block(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_list *const list = mutate_pick_list(mutation);
    const struct upload to = list == NULL ? (struct upload){ NULL, 0 } : pick_upload(mutation, list);
    if (to.command == NULL)
        return false;
    const struct upload from = pick_upload(mutation, list);
    const uint32_t first = harness_random_below(random, from.command->count);
    const uint32_t left = from.command->count - first;
    const uint32_t count = harness_random_between(random, 1, left < MOST_RUN ? left : MOST_RUN);
    const uint32_t at = harness_random_below(random, to.command->count + 1u);
    uint32_t run[MOST_RUN];
    memcpy(run, from.command->parameters + first, count * sizeof run[0]);
    switch (harness_random_below(random, 4)) {
    case 0: return insert_run(mutation, to, at, run, count);
    case 1: draw_run(random, run, count); return insert_run(mutation, to, at, run, count);
    case 2:
        if (from.command->count <= count)
            return false;
        remove_run(mutation, from, first, count);
        return true;
    default: overwrite(to, at, run, count); return true;
    }
}
