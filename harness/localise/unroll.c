/*
 * Lists that jump, as one list. A side that stops at no command budget can only be told less than the case has: a list
 * is cut, and what is left of it is left out. What a list jumps to cannot be cut. So the other side, the teller, runs
 * up to each jump and says where it goes; the commands in between stand one after the other in a list of their own.
 */
#include "harness/case/little.h"
#include "harness/localise/experiment.h"
#include "harness/localise/walk.h"
#include "pica/fields.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_JUMPS = 64,
    MOST_WORDS = 1 << 14,
    MOST_COMMANDS = MOST_WORDS / 2
};

struct harness_unrolled {
    struct harness_program program;
    struct pica_window windows[PICA_MAX_WINDOWS];
    struct pica_chunk chunks[PICA_MAX_WINDOWS];
    struct pica_operation *operations; /* of the program: up to the guilty one */
    uint32_t address, words, commands; /* of the list */
    struct {
        uint32_t number;     /* of the command in the submission, from 1 */
        uint32_t list, word; /* where its header stands */
        uint32_t header;     /* the same in the list that is made */
    } places[MOST_COMMANDS];
    uint8_t bytes[4 * MOST_WORDS + 16];
};

static void put_word(struct harness_unrolled *unrolled, uint32_t word)
{
    (void)harness_store32(unrolled->bytes + (size_t)4 * unrolled->words++, word);
}

/* A command whose words begin `at` words into the walk's list. False: there is no room. */
static bool put_command(struct harness_unrolled *unrolled, const struct oracle_run *run,
                        const struct harness_walk *walk, uint32_t at, uint32_t words, uint32_t number)
{
    if (unrolled->commands == MOST_COMMANDS || unrolled->words + words > MOST_WORDS)
        return false;
    unrolled->places[unrolled->commands].number = number;
    unrolled->places[unrolled->commands].list = walk->address;
    unrolled->places[unrolled->commands].word = at + 1u;
    unrolled->places[unrolled->commands++].header = unrolled->words + 1u;
    for (uint32_t i = 0; i < words; i++)
        put_word(unrolled, harness_walk_word(run, walk->address + 4u * (at + i)));
    return true;
}

/* The commands of one list up to the first that jumps; *channel: through which, or -1. */
static bool put_list(struct harness_unrolled *unrolled, const struct oracle_run *run, const struct harness_walk *walk,
                     uint32_t *number, int *channel)
{
    uint32_t at = 0;
    *channel = -1;
    for (uint32_t i = 0; i < walk->list.count && *channel < 0; i++) {
        const struct harness_command *const command = &walk->list.commands[i];
        const uint32_t words = harness_command_words(command);
        ++*number;
        *channel = harness_walk_jump(walk, command);
        if (*channel < 0 && !put_command(unrolled, run, walk, at, words, *number))
            return false;
        at += words;
    }
    return true;
}

/* The teller after `commands` commands of the guilty operation; 0: before it. */
static bool run_to(struct harness_localise *search, int teller, struct harness_checkpoint *checkpoint,
                   uint32_t commands)
{
    struct harness_runner *const runner = search->runners[teller];
    struct pica_setup *const setup = harness_checkpoint_setup(checkpoint);
    setup->limits.commands = commands != 0 ? commands : 1;
    return harness_runner_load(runner, setup) == PICA_OK &&
           (commands == 0 || harness_runner_step(runner, search->operation) == PICA_OK) &&
           harness_runner_collect(runner, &search->runs[teller]) == PICA_OK;
}

/* Is there a jump, and does the teller say where all go? */
static bool put_lists(struct harness_localise *search, int teller, struct harness_checkpoint *checkpoint,
                      struct harness_walk *walk, struct harness_unrolled *unrolled)
{
    const struct oracle_run *const run = &search->runs[teller];
    const int started = harness_walk_started(search->operation);
    uint32_t address = search->operation->address, words = search->operation->size / 4u, number = 0;
    int channel = -1;
    if (!run_to(search, teller, checkpoint, 0))
        return false;
    if (started >= 0)
        harness_walk_channel(search, teller, (uint32_t)started, &address, &words);
    for (uint32_t jumps = 0; jumps < MOST_JUMPS; jumps++) {
        if (!harness_walk_read(run, address, words, walk) || !put_list(unrolled, run, walk, &number, &channel))
            return false;
        if (channel < 0)
            return jumps > 0 || started >= 0;
        if (!run_to(search, teller, checkpoint, number))
            return false;
        harness_walk_channel(search, teller, (uint32_t)channel, &address, &words);
    }
    return false;
}

/* The program up to the guilty operation, which submits the list. */
static bool make_program(struct harness_unrolled *unrolled, const struct harness_localise *search)
{
    const struct pica_setup *const setup = &search->program->setup;
    unrolled->operations = malloc((search->index + 1u) * sizeof *unrolled->operations);
    unrolled->address = experiment_free_address(setup, PICA_PAGE_SIZE + 4u * MOST_WORDS);
    if (unrolled->operations == NULL || unrolled->address == 0 || setup->window_count + 1u >= PICA_MAX_WINDOWS ||
        setup->chunk_count >= PICA_MAX_WINDOWS)
        return false;
    if (unrolled->words % 4u != 0) { /* SUB-02: a command with an empty mask does nothing (CMD-05) */
        put_word(unrolled, 0);
        put_word(unrolled, PICA_REG_FACECULLING_CONFIG);
    }
    memcpy(unrolled->operations, search->program->operations, search->index * sizeof *unrolled->operations);
    unrolled->operations[search->index] = (struct pica_operation){ .kind = PICA_OPERATION_SUBMIT_LIST,
                                                                   .address = unrolled->address,
                                                                   .size = 4u * unrolled->words };
    memcpy(unrolled->windows, setup->windows, setup->window_count * sizeof *setup->windows);
    memcpy(unrolled->chunks, setup->chunks, setup->chunk_count * sizeof *setup->chunks);
    unrolled->windows[setup->window_count] =
        (struct pica_window){ unrolled->address, PICA_PAGE_SIZE + 4u * MOST_WORDS };
    unrolled->chunks[setup->chunk_count] =
        (struct pica_chunk){ unrolled->address, 4u * unrolled->words, unrolled->bytes };
    unrolled->program = *search->program;
    unrolled->program.operations = unrolled->operations;
    unrolled->program.count = search->index + 1u;
    unrolled->program.setup.windows = unrolled->windows;
    unrolled->program.setup.window_count++;
    unrolled->program.setup.chunks = unrolled->chunks;
    unrolled->program.setup.chunk_count++;
    return true;
}

static bool still_differs(struct harness_localise *search, const struct harness_program *program)
{
    struct harness_error error = { "" };
    for (int side = 0; side < 2; side++) {
        if (harness_runner_load(search->runners[side], &program->setup) != PICA_OK ||
            harness_runner_run(search->runners[side], program->operations, program->count) != PICA_OK)
            return false;
    }
    return harness_localise_collect(search, &error) == HARNESS_OK &&
           harness_localise_differs(search, HARNESS_LOCALISE_MEMORY);
}

static bool unroll_by(struct harness_localise *search, int teller, struct harness_unrolled *unrolled)
{
    struct harness_runner *const runner = search->runners[teller];
    struct harness_checkpoint *const checkpoint = harness_checkpoint_create();
    struct harness_walk walk = { .scratch = harness_case_create(),
                                 .any_jumps = pica_takes(&search->choices, PICA_SIDE_JUMP_VALUE_ANY) };
    const bool made = checkpoint != NULL && walk.scratch != NULL &&
                      harness_runner_load(runner, &search->program->setup) == PICA_OK &&
                      harness_runner_run(runner, search->program->operations, search->index) == PICA_OK &&
                      harness_checkpoint_take(checkpoint, runner, &search->program->setup) == PICA_OK &&
                      put_lists(search, teller, checkpoint, &walk, unrolled) && make_program(unrolled, search);
    const bool differs = made && still_differs(search, &unrolled->program);
    for (int side = 0; side < 2 && !differs; side++) /* runners borrow what is freed now */
        (void)harness_runner_load(search->runners[side], &search->program->setup);
    harness_case_destroy(walk.scratch);
    harness_checkpoint_destroy(checkpoint);
    return differs;
}

void harness_localise_unroll(struct harness_localise *search)
{
    const bool starts =
        search->operation->kind == PICA_OPERATION_SUBMIT_LIST || harness_walk_started(search->operation) >= 0;
    const int teller = harness_localise_shares_state(search->runners[0]) ? 0 : 1;
    if (!starts || !harness_localise_shares_state(search->runners[teller]))
        return;
    search->unrolled = calloc(1, sizeof *search->unrolled);
    if (search->unrolled == NULL || !unroll_by(search, teller, search->unrolled)) {
        harness_localise_unrolled_free(search->unrolled);
        search->unrolled = NULL;
        return;
    }
    search->program = &search->unrolled->program;
    search->operation = &search->unrolled->operations[search->index];
}

void harness_localise_unrolled_place(const struct harness_localise *search, struct harness_location *out)
{
    const struct harness_unrolled *const unrolled = search->unrolled;
    for (uint32_t i = 0; i < unrolled->commands; i++)
        if (out->has_draw && out->list_address == unrolled->address && unrolled->places[i].header == out->list_word) {
            out->list_address = unrolled->places[i].list;
            out->list_word = unrolled->places[i].word;
        }
    if (!out->has_command || out->command == 0 || out->command > unrolled->commands)
        return;
    out->command_list = unrolled->places[out->command - 1u].list;
    out->command_word = unrolled->places[out->command - 1u].word;
    out->command = unrolled->places[out->command - 1u].number;
}

void harness_localise_unrolled_free(struct harness_unrolled *unrolled)
{
    if (unrolled != NULL)
        free(unrolled->operations);
    free(unrolled);
}
