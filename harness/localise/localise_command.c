/* From the guilty operation to the guilty command: bisection, and where the command lies in memory. */
#include "harness/localise/localise_parts.h"
#include "harness/localise/walk.h"
#include "oracles/equal.h"
#include "pica/events.h"
#include "pica/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_JUMPS = 64 /* followed to find the list that holds a command */
};

/* ------------------------------------------------------------------------------------------------------- bisection */

/* The smallest n known for which the two are the same after n - 1 commands and differ after n; 0: none. */
static enum harness_status bisect_commands(struct harness_localise *search, uint32_t limit, uint32_t *found,
                                           struct harness_error *error)
{
    uint32_t same = 0, other = 1;
    bool differ = false;
    enum harness_status status = harness_localise_run_commands(search, other, &differ, error);
    while (status == HARNESS_OK && !differ && other < limit) {
        same = other;
        other = other > limit / 2 ? limit : other * 2;
        status = harness_localise_run_commands(search, other, &differ, error);
    }
    *found = differ ? other : 0;
    while (status == HARNESS_OK && differ && *found - same > 1) {
        const uint32_t middle = same + (*found - same) / 2;
        bool half = false;
        status = harness_localise_run_commands(search, middle, &half, error);
        if (half)
            *found = middle;
        else
            same = middle;
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------- jumps and commands */

/* Index in the walk's list of the first command that jumps and comes before command number `number`, or UINT32_MAX. */
static uint32_t jump_before(const struct harness_walk *walk, uint32_t number)
{
    for (uint32_t i = 0; i < walk->list.count && walk->first + i < number; i++)
        if (harness_walk_jump(walk, &walk->list.commands[i]) >= 0)
            return i;
    return UINT32_MAX;
}

/* SUB-05: goes to the list that the command `index` jumps to, as the registers right after it say. */
static enum harness_status follow_jump(struct harness_localise *search, struct harness_walk *walk, uint32_t index,
                                       bool *followed, struct harness_error *error)
{
    const uint32_t channel = (uint32_t)harness_walk_jump(walk, &walk->list.commands[index]);
    const uint32_t number = walk->first + index;
    bool differ = false;
    const enum harness_status status = harness_localise_run_commands(search, number, &differ, error);
    if (status != HARNESS_OK)
        return status;
    uint32_t address = 0, words = 0;
    harness_walk_channel(search, 0, channel, &address, &words);
    *followed = harness_walk_read(&search->runs[0], address, words, walk);
    walk->first = number + 1u;
    return HARNESS_OK;
}

/* The list that the operation submits, in the memory and the registers before it; empty if it submits none. */
static enum harness_status read_first_list(struct harness_localise *search, struct harness_walk *walk,
                                           struct harness_error *error)
{
    const struct pica_operation *const operation = search->operation;
    for (int side = 0; side < 2; side++)
        if (harness_localise_load(search, side, 1) != PICA_OK ||
            (search->replays && harness_localise_run(search, side, 0) != PICA_OK))
            return harness_localise_fail(search, "running to the guilty operation", error);
    const enum harness_status status = harness_localise_collect(search, error);
    if (status != HARNESS_OK)
        return status;
    walk->first = 1;
    uint32_t address = operation->address;
    uint32_t words = operation->kind == PICA_OPERATION_SUBMIT_LIST ? operation->size / 4u : 0u;
    if (harness_walk_started(operation) >= 0)
        harness_walk_channel(search, 0, (uint32_t)harness_walk_started(operation), &address, &words);
    return harness_walk_read(&search->runs[0], address, words, walk) ? HARNESS_OK : harness_fail_memory(error);
}

/* Finds the list that holds the guilty command and copies what stands there. Overwrites both runs. */
static enum harness_status name_command(struct harness_localise *search, struct harness_walk *walk,
                                        struct harness_location *out, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    bool known = true;
    for (int jumps = 0; status == HARNESS_OK && known && jumps < MAX_JUMPS; jumps++) {
        const uint32_t jump = jump_before(walk, out->command);
        if (jump == UINT32_MAX)
            break;
        /* A list that is cut short does not show where it would have jumped. */
        known = !search->replays || search->is_budgeted;
        if (known)
            status = follow_jump(search, walk, jump, &known, error);
    }
    const uint32_t index = out->command - walk->first;
    if (status != HARNESS_OK || !known || index >= walk->list.count || jump_before(walk, out->command) != UINT32_MAX)
        return status;
    if (search->replays && !search->is_budgeted && harness_walk_jump(walk, &walk->list.commands[index]) >= 0)
        return HARNESS_OK; /* it ran, with all that it jumps to */
    out->command_list = walk->address;
    out->command_word = (uint32_t)harness_list_header_word(&walk->list, index);
    out->header = harness_command_header(&walk->list.commands[index]);
    out->parameter = walk->list.commands[index].parameters[0];
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------ replaying */

/* The runs still hold what was before the operation. */
static bool copy_words(struct harness_localise *search, uint32_t address, uint32_t count)
{
    search->words = malloc((size_t)count * sizeof *search->words);
    for (uint32_t i = 0; search->words != NULL && i < count; i++)
        search->words[i] = harness_walk_word(&search->runs[0], address + 4u * i);
    return search->words != NULL;
}

/* Where the list can be cut: after every command up to the first that jumps. */
static bool find_starts(struct harness_localise *search, const struct harness_walk *walk)
{
    uint32_t at = 0;
    free(search->starts);
    free(search->words);
    search->words = NULL;
    search->starts = malloc(((size_t)walk->list.count + 1u) * sizeof *search->starts);
    if (search->starts == NULL)
        return false;
    search->start_count = 0;
    for (uint32_t i = 0; i < walk->list.count; i++) {
        search->starts[search->start_count++] = at;
        at += harness_command_words(&walk->list.commands[i]);
        if (harness_walk_jump(walk, &walk->list.commands[i]) >= 0)
            break;
    }
    search->starts[search->start_count] = at;
    return search->start_count == 0 || copy_words(search, walk->address, at);
}

/* The fault does not show from a copy of the state, so looks for it again, each time from the start of the case. */
static enum harness_status bisect_replays(struct harness_localise *search, const struct harness_walk *walk,
                                          uint32_t *found, struct harness_error *error)
{
    if (!find_starts(search, walk))
        return harness_fail_memory(error);
    search->replays = true;
    return bisect_commands(search, search->start_count == 0 ? 1u : search->start_count, found, error);
}

/* Is a word of the list not in memory any more as it was when the operation began? The runs hold what is there now. */
static bool is_rewritten(const struct harness_localise *search)
{
    const uint32_t count = search->words != NULL ? search->starts[search->start_count] : 0;
    for (uint32_t i = 0; i < count; i++)
        if (search->words[i] != harness_walk_word(&search->runs[0], search->operation->address + 4u * i))
            return true;
    return false;
}

/* -------------------------------------------------------------------------------------------------------- together */

/*
 * Do the traces agree while memory does not? A draw that is traced takes the general way of its backend, one that is
 * not may take a faster one: then the fault is there, and only experiments without a trace show it. They need the list
 * that the operation starts with, from which the draw must come.
 * Where only the traces of the vertices agree, and what the pixel makes of them does not, a vertex may be meant.
 */
static bool agrees_traced(const struct harness_localise *search, const struct harness_walk *walk,
                          const struct harness_location *out)
{
    const bool is_listed = search->words != NULL && walk->first == 1 && out->command <= search->start_count;
    const bool is_written = out->kind == PICA_OPERATION_WRITE_REGISTER && search->words == NULL && out->command == 1;
    const bool is_shared = !search->replays && out->has_draw && (is_listed || is_written);
    const bool is_memory = strcmp(out->stage, pica_stage_word_info(PICA_STAGE_WORD_MEMORY)->text) == 0;
    const bool has_corners = out->whole_part && search->elsewhere >= HARNESS_ELSEWHERE_SCREEN; /* as they should be */
    return is_shared &&
           (out->has_step ? harness_localise_comes_from_vertices(out) && !out->has_vertex && !has_corners : is_memory);
}

/* By experiments; the command may turn out to be an earlier one. */
static enum harness_status infer(struct harness_localise *search, struct harness_walk *walk,
                                 struct harness_location *out, struct harness_error *error)
{
    const uint32_t command = out->command;
    harness_localise_infer(search, out, error);
    return out->command != command ? name_command(search, walk, out, error) : HARNESS_OK;
}

/* The guilty command: where the part begins to differ. */
static enum harness_status bisect(struct harness_localise *search, struct harness_walk *walk, uint32_t *found,
                                  struct harness_error *error)
{
    const bool is_list = search->operation->kind == PICA_OPERATION_SUBMIT_LIST;
    enum harness_status status = HARNESS_OK;
    *found = 0;
    if (is_list && (!search->replays || search->is_budgeted) && !find_starts(search, walk))
        status = harness_fail_memory(error);
    if (status == HARNESS_OK && (!search->replays || search->is_budgeted))
        status = bisect_commands(search, search->program->setup.limits.commands, found, error);
    if (status == HARNESS_OK && *found == 0) {
        search->is_budgeted = false;
        walk->list.count = is_list ? walk->list.count : 0; /* only a submitted list can be cut short */
        status = bisect_replays(search, walk, found, error);
    }
    return status;
}

/* Sets old_parts: what differs after the command before. *any: something does. */
static enum harness_status find_old_parts(struct harness_localise *search, uint32_t command, bool *any,
                                          struct harness_error *error)
{
    bool differ = false;
    *any = false;
    search->old_parts = 0;
    if (command <= 1)
        return HARNESS_OK;
    const enum harness_status status = harness_localise_run_commands(search, command - 1, &differ, error);
    for (int part = HARNESS_LOCALISE_MEMORY; status == HARNESS_OK && part <= HARNESS_LOCALISE_STATE; part++)
        if (harness_localise_differs(search, (enum harness_localise_part)part)) {
            search->old_parts |= 1u << part;
            *any = true;
        }
    return status;
}

/*
 * Before the command something else differs already. If the command is right when both begin in the same state, that is
 * the cause, and the first command after which anything differs is the guilty one.
 */
static enum harness_status go_to_cause(struct harness_localise *search, struct harness_walk *walk,
                                       struct harness_location *out, struct harness_error *error)
{
    bool any = false, ran = false;
    enum harness_status status = find_old_parts(search, out->command, &any, error);
    const uint32_t index = out->command - walk->first;
    if (status != HARNESS_OK || !any || out->command_word == UINT32_MAX || index >= walk->list.count)
        return status;
    const bool shows = harness_localise_shows_alone(search, &walk->list.commands[index], out->command, &ran);
    search->old_parts &= ~harness_localise_own_parts(search);
    if (shows || !ran)
        return status;
    search->part = HARNESS_LOCALISE_ALL;
    search->old_parts = 0;
    out->command_word = UINT32_MAX;
    status = read_first_list(search, walk, error);
    if (status == HARNESS_OK)
        status = bisect(search, walk, &out->command, error);
    return status == HARNESS_OK ? name_command(search, walk, out, error) : status;
}

static bool records_events(const struct harness_localise *search)
{
    for (int side = 0; side < 2; side++) {
        const struct pica_models *const models = harness_runner_backend(search->runners[side])->models;
        if (models == NULL || (models->parts & (uint32_t)PICA_PART_EVENTS) == 0)
            return false;
    }
    return true;
}

/* CMD-22: after so many commands, has one side ended its list, so that only the other one stops at the budget? */
static enum harness_status one_ends(struct harness_localise *search, uint32_t commands, bool *out,
                                    struct harness_error *error)
{
    bool differ = false;
    const enum harness_status status = harness_localise_run_commands(search, commands, &differ, error);
    *out = pica_events_has(&search->runs[0].events, PICA_EVENT_BUDGET_CMDS) !=
           pica_events_has(&search->runs[1].events, PICA_EVENT_BUDGET_CMDS);
    return status;
}

/* If one side ends its list before command `found`, which only the other one runs: the last command that both run. It
 * ends the list, or jumps to one that ends. 0: both are that long. */
static enum harness_status find_end(struct harness_localise *search, uint32_t found, uint32_t *last,
                                    struct harness_error *error)
{
    uint32_t going = 0, ended = found;
    bool ends = false;
    *last = 0;
    if ((search->replays && !search->is_budgeted) || !records_events(search))
        return HARNESS_OK;
    enum harness_status status = one_ends(search, found, &ends, error);
    if (status != HARNESS_OK || !ends)
        return status;
    while (status == HARNESS_OK && ended - going > 1) {
        const uint32_t middle = going + (ended - going) / 2;
        status = one_ends(search, middle, &ends, error);
        if (ends)
            ended = middle;
        else
            going = middle;
    }
    *last = ended < found ? ended : 0;
    return status;
}

/* Of lists that end in different places: the last command of both, and what the two do after it. */
static enum harness_status name_end(struct harness_localise *search, struct harness_walk *walk, uint32_t found,
                                    struct harness_location *out, struct harness_error *error)
{
    bool differ = false;
    enum harness_status status = name_command(search, walk, out, error);
    if (status == HARNESS_OK)
        status = harness_localise_run_commands(search, found, &differ, error);
    if (status != HARNESS_OK)
        return status;
    const int longer = pica_events_has(&search->runs[0].events, PICA_EVENT_BUDGET_CMDS) ? 0 : 1;
    oracle_all_equal(&search->runs[0], &search->runs[1], false, &out->report);
    out->stage = pica_stage_word_info(PICA_STAGE_WORD_LIST)->text;
    out->rule = "CMD-10";
    harness_localise_note(out, "the list of %s ends there, and that of %s goes on: the two differ after command %u",
                          harness_runner_backend(search->runners[1 - longer])->name,
                          harness_runner_backend(search->runners[longer])->name, (unsigned)found);
    return HARNESS_OK;
}

/* Does the guilty draw show the fault alone? A CPU write that draws does as a command what it does by itself, or else
 * nobody knows. */
static void try_alone(struct harness_localise *search, const struct harness_walk *walk, struct harness_location *out)
{
    const struct harness_command written = { .id = (uint16_t)((out->write_address - PICA_INTERNAL_ADDRESS) / 4u),
                                             .count = 1,
                                             .mask = 0xF,
                                             .parameters = &out->write_value };
    const uint32_t index = out->command - walk->first;
    bool ran = false;
    if (out->command_word != UINT32_MAX && index < walk->list.count)
        out->keeps_more = !harness_localise_shows_alone(search, &walk->list.commands[index], out->command, &ran) && ran;
    else if (out->kind == PICA_OPERATION_WRITE_REGISTER && search->words == NULL && out->command == 1 &&
             out->write_address >= PICA_INTERNAL_ADDRESS)
        (void)harness_localise_shows_alone(search, &written, out->command, &ran);
}

static enum harness_status find_command(struct harness_localise *search, struct harness_walk *walk,
                                        struct harness_location *out, struct harness_error *error)
{
    const bool is_list = search->operation->kind == PICA_OPERATION_SUBMIT_LIST;
    uint32_t found = 0, last = 0;
    bool differ = false;
    enum harness_status status = read_first_list(search, walk, error);
    if (status == HARNESS_OK)
        status = bisect(search, walk, &found, error);
    if (status == HARNESS_OK && found > 1)
        status = find_end(search, found, &last, error);
    if (status != HARNESS_OK)
        return status;
    if (found == 0) {
        harness_localise_note(out, "the two differ, but do not when the case is run again: one of them keeps something "
                                   "from the case before");
        out->keeps_more = true;
        return HARNESS_OK;
    }
    out->has_command = is_list || !search->replays;
    out->command = last != 0 ? last : found;
    if (last != 0)
        return name_end(search, walk, found, out, error);
    status = name_command(search, walk, out, error);
    if (status == HARNESS_OK)
        status = go_to_cause(search, walk, out, error);
    if (status == HARNESS_OK)
        status = harness_localise_run_commands(search, out->command, &differ, error);
    if (status != HARNESS_OK)
        return status;
    oracle_all_equal(&search->runs[0], &search->runs[1], false, &out->report);
    harness_localise_name(search, out);
    status = harness_localise_draw(search, out, error);
    search->list_rewritten = status == HARNESS_OK && !out->has_draw && is_rewritten(search);
    if (status == HARNESS_OK && out->has_draw)
        try_alone(search, walk, out);
    out->keeps_more = out->keeps_more || (search->replays && !search->stateless);
    if (status == HARNESS_OK && ((search->stateless && !out->has_step) || agrees_traced(search, walk, out)))
        status = infer(search, walk, out, error);
    if (status == HARNESS_OK && out->has_draw)
        harness_localise_needs(search, out);
    if (status == HARNESS_OK && out->has_draw && out->keeps_more)
        harness_localise_kept(search, out);
    if (search->replays && !search->stateless && out->note[0] == '\0')
        harness_localise_note(out,
                              "the fault shows only in a run from the start of the case: one of the two keeps more "
                              "than the state, a cache for example");
    return status;
}

enum harness_status harness_localise_command(struct harness_localise *search, struct harness_location *out,
                                             struct harness_error *error)
{
    struct harness_walk walk = { .scratch = harness_case_create(),
                                 .any_jumps = pica_takes(&search->choices, PICA_SIDE_JUMP_VALUE_ANY) };
    out->command_word = UINT32_MAX;
    const enum harness_status status =
        walk.scratch == NULL ? harness_fail_memory(error) : find_command(search, &walk, out, error);
    harness_case_destroy(walk.scratch);
    return status;
}
