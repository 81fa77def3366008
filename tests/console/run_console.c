/*
 * Runs a .3dsx of `picafuzz export` in our own console (mock.h), with a directory as its SD card.
 * Usage: run_console FILE.3dsx CARD [BACKEND]      BACKEND as picafuzz names it; default: reference
 * Exit code: 0 it left by itself and made no mistake, 1 not so, 2 usage or bad input, 4 host trouble.
 */
#include "tests/console/mock.h"

#include "harness/run/backends.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    *size = 0;
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0) {
        *size = (size_t)ftell(file);
        bytes = malloc(*size);
        rewind(file);
        if (bytes != NULL)
            *size = fread(bytes, 1, *size, file);
    }
    fclose(file);
    return bytes;
}

static int play(const struct pica_backend *backend, const uint8_t *program, size_t size, const char *card)
{
    const struct mock_setup setup = { .gpu = backend, .program = program, .program_size = size, .card = card };
    struct mock_result result;
    if (mock_run(&setup, &result) != PICA_OK)
        return 4;
    printf("%s after %.3f s of the console's time: %u GPU commands, %u interrupts, %u writes to the card\n",
           result.reason, (double)result.nanoseconds / 1e9, result.gpu_commands, result.gpu_interrupts,
           result.card_writes);
    if (result.mistakes != 0)
        printf("%zu mistakes, the first: %s\n", result.mistakes, mock_first_mistake(&result));
    const bool good = result.ending == MOCK_EXITED && result.mistakes == 0;
    mock_release(&result);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct harness_error error;
    struct harness_backend backend;
    size_t size;
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: run_console FILE.3dsx CARD [BACKEND]\n");
        return 2;
    }
    uint8_t *program = read_file(argv[1], &size);
    if (program == NULL) {
        fprintf(stderr, "run_console: %s cannot be read\n", argv[1]);
        return 2;
    }
    int code = 2;
    if (harness_backend_open(argc == 4 ? argv[3] : "reference", &backend, &error) == HARNESS_OK) {
        code = play(backend.backend, program, size, argv[2]);
        harness_backend_close(&backend);
    } else {
        fprintf(stderr, "run_console: %s\n", error.message);
    }
    free(program);
    return code;
}
