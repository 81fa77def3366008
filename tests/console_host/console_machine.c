/*
 * console_machine [--f24] [--hang WORD] FILE.3dsx CARD [BACKEND]: runs an exported file in the console of
 * tests/console, with a directory as its SD card and a backend as its GPU. --f24: which computes in float24; --hang:
 * which hangs at command lists that hold this word. For ci/console, and for a look at what a run leaves.
 */
#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "tests/console/mock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A `reference` with choices is made in a way of its own; the mock knows `create` alone. */
static const struct pica_backend *chosen;

static enum pica_status create_chosen(const struct pica_options *options, void **out)
{
    return harness_chosen_create(chosen, options, out);
}

static int run(struct mock_setup *setup, const struct pica_backend *backend)
{
    struct mock_result result;
    struct pica_backend gpu = *backend;
    chosen = backend;
    if (harness_chosen_is(backend))
        gpu.create = create_chosen;
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

/* Takes the options off; false: one is wrong. */
static bool take_options(int *argc, char ***argv, struct mock_setup *setup)
{
    for (; *argc > 1 && strncmp((*argv)[1], "--", 2) == 0; (*argc)--, (*argv)++) {
        if (strcmp((*argv)[1], "--f24") == 0) {
            setup->profile = PICA_PROFILE_F24;
        } else if (strcmp((*argv)[1], "--hang") == 0 && *argc > 2) {
            (*argc)--;
            (*argv)++;
            setup->faults.hang_word = (uint32_t)strtoul((*argv)[1], NULL, 0);
        } else {
            return false;
        }
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
        fprintf(stderr, "usage: console_machine [--f24] [--hang WORD] FILE.3dsx CARD [BACKEND]\n");
        return 2;
    }
    enum harness_status status = harness_file_read(argv[1], &program, &setup.program_size, &error);
    if (status == HARNESS_OK)
        status = harness_backend_open(argc == 4 ? argv[3] : "reference", &backend, &error);
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
