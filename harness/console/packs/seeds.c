/* Cases of corpus/seeds that the pack `decide` holds: what they leave is compared with what `reference` leaves. */
#include "harness/case/little.h"
#include "harness/console/packs/splits.h"

#include "harness/case/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t console_seed_by_name(const char *name)
{
    for (uint32_t i = 0; console_seed_texts[i].name != NULL; i++)
        if (strcmp(console_seed_texts[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

struct seed {
    struct harness_case *test_case;
    struct harness_program *program;
};

static void close_seed(struct seed *seed)
{
    harness_program_destroy(seed->program);
    harness_case_destroy(seed->test_case);
}

static enum harness_status open_seed(struct seed *seed, uint32_t index, struct harness_error *error)
{
    const struct console_asked_text *const text = &console_seed_texts[index];
    *seed = (struct seed){ harness_case_create(), harness_program_create() };
    enum harness_status status =
        seed->test_case == NULL || seed->program == NULL ? harness_fail_memory(error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = harness_pcase_read(seed->test_case, text->text, text->size, text->name, error);
    return status == HARNESS_OK ? harness_case_setup(seed->test_case, seed->program, error) : status;
}

enum harness_status console_seed_ask(struct console_export *export, uint32_t index, struct console_answer *answer,
                                     struct harness_error *error)
{
    struct seed seed;
    *answer = (struct console_answer){ .taken = false };
    enum harness_status status = open_seed(&seed, index, error);
    if (status == HARNESS_OK)
        status = console_export_ask(export, console_seed_texts[index].name, seed.test_case, answer, error);
    close_seed(&seed);
    return status;
}

/* ------------------------------------------------------------------------------------------------ by what was left */

static enum pica_status run(const struct seed *seed, const struct harness_backend *machine,
                            struct harness_runner **runner, struct oracle_run *out)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    enum pica_status status = harness_runner_create(machine->backend, &options, runner);
    if (status == PICA_OK)
        status =
            harness_runner_run_case(*runner, &seed->program->setup, seed->program->operations, seed->program->count);
    return status == PICA_OK ? harness_runner_collect(*runner, out) : status;
}

/* Windows are whole pages, so they are whole words. */
static void compare(const struct oracle_run *console, const struct oracle_run *reference, struct console_split_row *row)
{
    uint32_t words = 0, wrong = 0;
    (void)snprintf(row->left, sizeof row->left, "all words of memory as `reference` does");
    for (uint32_t w = 0; w < console->window_count; w++)
        for (uint32_t at = 0; at < console->windows[w].size; at += 4, words++) {
            const uint32_t left = harness_load32(console->memory[w] + at);
            const uint32_t right = harness_load32(reference->memory[w] + at);
            if (left != right && wrong++ == 0)
                (void)snprintf(row->left, sizeof row->left, "0x%08" PRIX32 " = 0x%08" PRIX32,
                               console->windows[w].address + at, left);
        }
    row->verdict = wrong == 0 ? CONSOLE_CONFIRMED : CONSOLE_CONTRADICTED;
    (void)snprintf(row->remark, sizeof row->remark, "%" PRIu32 " of %" PRIu32 " words of memory differ%s", wrong, words,
                   row->outcome == CONSOLE_OUTCOME_ONCE ? " (run once only)" : "");
}

static enum harness_status judge_one(uint32_t index, const struct harness_backend *recorded,
                                     const struct harness_backend *machine, struct console_split_row *row,
                                     struct harness_error *error)
{
    struct seed seed;
    struct harness_runner *runners[2] = { NULL, NULL };
    struct oracle_run runs[2];
    enum harness_status status = open_seed(&seed, index, error);
    if (status == HARNESS_OK && (run(&seed, recorded, &runners[0], &runs[0]) != PICA_OK ||
                                 run(&seed, machine, &runners[1], &runs[1]) != PICA_OK))
        status = harness_fail(error, HARNESS_HOST, "cannot run %s", console_seed_texts[index].name);
    if (status == HARNESS_OK)
        compare(&runs[0], &runs[1], row);
    harness_runner_destroy(runners[0]);
    harness_runner_destroy(runners[1]);
    close_seed(&seed);
    return status;
}

enum harness_status console_seeds_judge(struct console_split_row rows[CONSOLE_MOST_SEEDS],
                                        const struct harness_backend *recorded, const struct pica_choices *found,
                                        struct harness_error *error)
{
    struct harness_backend machine;
    enum harness_status status = harness_backend_open_chosen(found, &machine, error);
    if (status != HARNESS_OK)
        return status;
    for (uint32_t i = 0; status == HARNESS_OK && console_seed_texts[i].name != NULL; i++)
        if (rows[i].is_in_file && !console_row_judge_outcome(&rows[i]))
            status = judge_one(i, recorded, &machine, &rows[i], error);
    harness_backend_close(&machine);
    return status;
}
