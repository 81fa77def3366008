#include "harness/targets/target.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <stdlib.h>

void target_fails(const char *what, const char *why)
{
    fprintf(stderr, "picafuzz: %s%s%s\n", what, why != NULL ? ": " : "", why != NULL ? why : "");
    __builtin_trap();
}

void target_cannot_begin(const char *why)
{
    fprintf(stderr, "picafuzz: %s\n", why[0] != '\0' ? why : "out of memory");
    exit(1);
}

int harness_replay_files(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct harness_error error = { "" };
        uint8_t *bytes = NULL;
        size_t size = 0;
        if (harness_file_read(argv[i], &bytes, &size, &error) != HARNESS_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 2;
        }
        (void)LLVMFuzzerTestOneInput(bytes, size);
        free(bytes);
    }
    printf("%d file(s) replayed\n", argc - 1);
    return 0;
}
