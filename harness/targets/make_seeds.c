/*
 * Turns case files of any kind into a flat directory of inputs for engines: bounded .pcb files, named after file and
 * directory. Usage: make_seeds DIRECTORY FILE...
 * Files that are too large for an input are reported and left out.
 */
#include "harness/run/load.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    static uint8_t bytes[HARNESS_MAX_INPUT];
    if (argc < 3) {
        fprintf(stderr, "usage: make_seeds DIRECTORY FILE...\n");
        return 2;
    }
    int made = 0;
    for (int i = 2; i < argc; i++) {
        char name[256], path[4096];
        struct harness_error error = { "" };
        size_t size = 0;
        harness_input_name(argv[i], name, sizeof name);
        (void)snprintf(path, sizeof path, "%s/%s", argv[1], name);
        enum harness_status status = harness_load_input(argv[i], bytes, &size, &error);
        if (status == HARNESS_OK)
            status = harness_file_write(path, bytes, size, &error);
        made += status == HARNESS_OK;
        if (status != HARNESS_OK)
            fprintf(stderr, "make_seeds: %s: %s\n", argv[i], error.message);
        if (status != HARNESS_OK && status != HARNESS_TOO_LARGE)
            return status == HARNESS_BAD_INPUT ? 2 : 4;
    }
    printf("%d of %d seeds in %s\n", made, argc - 2, argv[1]);
    return made != 0 ? 0 : 2;
}
