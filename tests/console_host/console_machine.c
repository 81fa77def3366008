/*
 * console_machine [--f24] FILE.3dsx CARD [BACKEND]: runs an exported file in the console of tests/console, with a
 * directory as its SD card and a backend as its GPU; --f24: which computes in float24. For ci/console, and for a look
 * at what a run leaves.
 */
#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "tests/console/mock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run(const uint8_t *program, size_t size, const char *card, const struct pica_backend *gpu,
               enum pica_profile profile)
{
    struct mock_result result;
    const struct mock_setup setup = {
        .gpu = gpu, .profile = profile, .program = program, .program_size = size, .card = card
    };
    if (mock_run(&setup, &result) != PICA_OK) {
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

int main(int argc, char **argv)
{
    struct harness_error error = { "" };
    struct harness_backend backend;
    uint8_t *program = NULL;
    size_t size = 0;
    const bool is_f24 = argc > 1 && strcmp(argv[1], "--f24") == 0;
    argc -= is_f24;
    argv += is_f24;
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: console_machine [--f24] FILE.3dsx CARD [BACKEND]\n");
        return 2;
    }
    enum harness_status status = harness_file_read(argv[1], &program, &size, &error);
    if (status == HARNESS_OK)
        status = harness_backend_open(argc == 4 ? argv[3] : "reference", &backend, &error);
    if (status != HARNESS_OK) {
        fprintf(stderr, "console_machine: %s\n", error.message);
        free(program);
        return 2;
    }
    const int code = run(program, size, argv[2], backend.backend, is_f24 ? PICA_PROFILE_F24 : PICA_PROFILE_F32);
    harness_backend_close(&backend);
    free(program);
    return code;
}
