/*
 * The smallest engine that LIB_FUZZING_ENGINE can name: a main that gives the target the files of its command line, and
 * no byte first. It has none of what libFuzzer offers beside that, so what links with it and runs needs nothing more.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory of exactly its size, so that a read past the end is seen. */
static int run_file(const char *path)
{
    FILE *const file = fopen(path, "rb");
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    uint8_t *const bytes = size >= 0 ? malloc((size_t)size + (size == 0)) : NULL;
    const int good =
        bytes != NULL && fseek(file, 0, SEEK_SET) == 0 && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    if (good)
        (void)LLVMFuzzerTestOneInput(bytes, (size_t)size);
    else
        fprintf(stderr, "stub engine: %s cannot be read\n", path);
    free(bytes);
    if (file != NULL)
        (void)fclose(file);
    return good;
}

int main(int argc, char **argv)
{
    int good = 1;
    if (LLVMFuzzerInitialize != NULL)
        (void)LLVMFuzzerInitialize(&argc, &argv);
    (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        good = run_file(argv[i]) && good;
    printf("Done %d runs\n", argc);
    return good ? 0 : 1;
}
