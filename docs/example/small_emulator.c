/*
 * A small emulator that stands for yours in docs/test-an-emulator-without-source.md: a program that is started with the
 * path of a .3dsx, has a directory as its SD card, and ends when the homebrew program does.
 *
 *     small_emulator --sd DIRECTORY FILE.3dsx
 *
 * Its processor and its system are those of tests/console, as an emulator's are: it knows what standard programs do and
 * refuses the rest, and nobody answers for a console. Its GPU is `reference` with two faults, as emulators have them:
 * fills of 24 bits write 32, and a texture copy with gaps ends the process.
 */
#include "reference/reference.h"
#include "tests/console/mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pica_backend machine;
static enum pica_status (*correct_run)(void *instance, const struct pica_operation *operation);

/* The faults. Fills: bits 8 and 9 of the control are the width. Copies: the words of the transfer engine, whose flags
 * have bit 3 set; the upper half of the two line words is the gap. */
static enum pica_status faulty_run(void *instance, const struct pica_operation *operation)
{
    struct pica_operation changed = *operation;
    if (operation->kind == PICA_OPERATION_MEMORY_FILL && (operation->words[3] >> 8 & 3u) == 1)
        changed.words[3] = (operation->words[3] & ~0x300u) | 0x200u;
    if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER && (operation->words[4] & 8u) != 0 &&
        ((operation->words[7] | operation->words[8]) >> 16) != 0) {
        fprintf(stderr, "small_emulator: TODO: copies with gaps\n");
        abort();
    }
    return correct_run(instance, &changed);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        const long end = ftell(file);
        bytes = end > 0 ? malloc((size_t)end) : NULL;
        *size = end > 0 ? (size_t)end : 0;
        rewind(file);
        if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file != NULL)
        (void)fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    if (argc != 4 || strcmp(argv[1], "--sd") != 0) {
        fprintf(stderr, "usage: small_emulator --sd DIRECTORY FILE.3dsx\n");
        return 2;
    }
    machine = *ref_backend();
    correct_run = machine.run;
    machine.run = faulty_run;
    struct mock_setup setup = { .gpu = &machine, .card = argv[2], .program_path = "sdmc:/3ds/program.3dsx" };
    setup.weak.only_standard = setup.weak.one_block = setup.weak.empty_answers = true;
    uint8_t *const program = read_file(argv[3], &setup.program_size);
    struct mock_result result;
    setup.program = program;
    if (program == NULL || mock_run(&setup, &result) != PICA_OK) {
        fprintf(stderr, "small_emulator: %s: cannot be started\n", argv[3]);
        free(program);
        return 1;
    }
    const int code = result.ending == MOCK_EXITED ? 0 : 1;
    if (code != 0)
        fprintf(stderr, "small_emulator: %s\n", result.reason);
    mock_release(&result);
    free(program);
    return code;
}
