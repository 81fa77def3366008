/*
 * console_machine [--f24] [--hang WORD] [--unsteady WORD] [--weak NAME]... FILE.3dsx CARD [BACKEND]: runs an exported
 * file in the console of tests/console, with a directory as its SD card and a backend as its GPU. --f24: which computes
 * in float24; --hang: which hangs at command lists that hold this word; --unsteady: which spoils memory in every second
 * run of them; --weak: as an emulator with this weakness (mock.h). For ci/console, and for a look at what a run leaves.
 */
#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "tests/console/mock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A `reference` with choices, or one in a process, is made in a way of its own; the mock knows `create` alone. */
static const struct pica_backend *chosen;

static enum pica_status create_chosen(const struct pica_options *options, void **out)
{
    return harness_backend_create(chosen, options, out);
}

/* For --unsteady: the word, and how many lists that hold it have run. */
static uint32_t unsteady_word, unsteady_lists;

static bool holds_word(void *instance, const struct pica_operation *list)
{
    for (uint32_t at = 0; at + 4 <= list->size; at += 4) {
        uint8_t bytes[4];
        if (chosen->read_memory(instance, list->address + at, bytes, sizeof bytes) == PICA_OK &&
            (bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24) == unsteady_word)
            return true;
    }
    return false;
}

/* Spoils a byte of the target's pixel (0, 0). */
static enum pica_status run_unsteadily(void *instance, const struct pica_operation *operation)
{
    static const uint8_t wrong = 0x55;
    const bool is_second =
        operation->kind == PICA_OPERATION_SUBMIT_LIST && holds_word(instance, operation) && unsteady_lists++ % 2 == 1;
    const enum pica_status status = chosen->run(instance, operation);
    const struct pica_operation load = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = 0x180000A8, .data = &wrong, .size = 1
    };
    return status == PICA_OK && is_second ? chosen->run(instance, &load) : status;
}

static int run(struct mock_setup *setup, const struct pica_backend *backend)
{
    struct mock_result result;
    struct pica_backend gpu = *backend;
    chosen = backend;
    gpu.create = create_chosen;
    if (unsteady_word != 0)
        gpu.run = run_unsteadily;
    setup->gpu = &gpu;
    if (mock_run(setup, &result) != PICA_OK) {
        fprintf(stderr, "console_machine: the console cannot be started\n");
        return 4;
    }
    printf("ended: %d (%s); %" PRIu32 " commands, %" PRIu32 " writes to the card, %zu mistakes, first: %s; %" PRIu64
           " ms of a console\n",
           (int)result.ending, result.reason, result.gpu_commands, result.card_writes, result.mistakes,
           mock_first_mistake(&result), result.nanoseconds / 1000000);
    const int code = result.ending == MOCK_EXITED && result.mistakes == 0 ? 0 : 1;
    mock_release(&result);
    return code;
}

/* "--NAME WORD"; the word is taken off. */
static bool take_word(int *argc, char ***argv, const char *name, uint32_t *out)
{
    if (strcmp((*argv)[1], name) != 0 || *argc < 3)
        return false;
    (*argc)--;
    (*argv)++;
    *out = (uint32_t)strtoul((*argv)[1], NULL, 0);
    return true;
}

/* "--weak NAME": as struct mock_weaknesses calls it, with hyphens. */
static bool take_weakness(int *argc, char ***argv, struct mock_weaknesses *weak)
{
    const struct {
        const char *name;
        bool *flag;
    } names[] = { { "only-standard", &weak->only_standard },
                  { "one-block", &weak->one_block },
                  { "one-slot", &weak->one_slot },
                  { "no-write-back", &weak->no_write_back },
                  { "stale", &weak->stale },
                  { "empty-answers", &weak->empty_answers },
                  { "blanks-only", &weak->blanks_only },
                  { "dies-at-dma", &weak->dies_at_dma },
                  { "hides-depth", &weak->hides_depth },
                  { "no-dma", &weak->no_dma },
                  { "no-copies", &weak->no_copies },
                  { "no-transfers", &weak->no_transfers } };
    if (strcmp((*argv)[1], "--weak") != 0 || *argc < 3)
        return false;
    (*argc)--;
    (*argv)++;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, (*argv)[1]) == 0)
            return *names[i].flag = true;
    return false;
}

/* Takes the options off; false: one is wrong. */
static bool take_options(int *argc, char ***argv, struct mock_setup *setup)
{
    for (; *argc > 1 && strncmp((*argv)[1], "--", 2) == 0; (*argc)--, (*argv)++) {
        if (strcmp((*argv)[1], "--f24") == 0)
            setup->profile = PICA_PROFILE_F24;
        else if (!take_word(argc, argv, "--hang", &setup->faults.hang_word) &&
                 !take_word(argc, argv, "--unsteady", &unsteady_word) && !take_weakness(argc, argv, &setup->weak))
            return false;
    }
    return *argc == 3 || *argc == 4;
}

int main(int argc, char **argv)
{
    struct harness_error error = { "" };
    struct harness_backend backend;
    struct mock_setup setup = { .profile = PICA_PROFILE_F32 };
    uint8_t *program = NULL;
    if (!take_options(&argc, &argv, &setup)) {
        fprintf(stderr,
                "usage: console_machine [--f24] [--hang WORD] [--unsteady WORD] [--weak NAME]... FILE.3dsx CARD "
                "[BACKEND]\n");
        return 2;
    }
    enum harness_status status = harness_file_read(argv[1], &program, &setup.program_size, &error);
    if (status == HARNESS_OK)
        status = harness_backend_open_here(argc == 4 ? argv[3] : "reference", &backend, &error);
    if (status != HARNESS_OK) {
        fprintf(stderr, "console_machine: %s\n", error.message);
        free(program);
        return 2;
    }
    setup.program = program;
    setup.card = argv[2];
    const int code = run(&setup, backend.backend);
    harness_backend_close(&backend);
    free(program);
    return code;
}
