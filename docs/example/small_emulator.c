/*
 * A small emulator that stands for yours in docs/test-an-emulator-without-source.md: a program that is started with the
 * path of a .3dsx, has a directory as its SD card, and ends when the homebrew program does.
 *
 *     small_emulator --sd DIRECTORY [--shots DIRECTORY] FILE.3dsx
 *
 * Its processor and system are those of tests/console, set up to behave like an emulator: they know what standard
 * programs do, refuse the rest, and do not claim to be a console. Its GPU is `reference` with two faults that emulators
 * have: fills of 24 bits write 32, and a texture copy with gaps ends the process. With --shots it is an emulator of
 * another kind: what it draws is never written back to memory, and each new picture of its window, which shows both
 * screens at twice their size, becomes a PNG file. Its fault is then that the blend equations min and max ignore the
 * factors.
 */
#include "reference/reference.h"
#include "tests/console/mock.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pica_backend machine;
static enum pica_status (*correct_run)(void *instance, const struct pica_operation *operation);

/* The faults. Fills: bits 8 and 9 of the control word are the width. Copies: bit 3 of the transfer engine's flags is
 * set; the upper halves of the two line words are the gaps. */
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

/* ----------------------------------------------------------------------------------------------- with --shots */

enum {
    COLUMNS = 400,
    LINES = 240,
    SCALE = 2,
    WIDTH = SCALE * COLUMNS + 60, /* of its window, with a border */
    HEIGHT = 2 * SCALE * LINES + 60
};

static const char *shots; /* the directory; NULL without --shots */
static uint8_t last[3 * COLUMNS * LINES], window[3 * WIDTH * HEIGHT];
static unsigned shot_count;

static enum pica_status create_wrong(const struct pica_options *options, void **out)
{
    struct pica_choices choices = { { 0 } };
    choices.sides[PICA_CHOICE_MIN_MAX_FACTORS] = 1;
    const enum pica_status status = ref_backend()->create(options, out);
    return status == PICA_OK ? ref_set_choices(*out, &choices) : status;
}

static void write_shot(void *user, const uint8_t *rgb)
{
    char path[4096];
    png_image image = { .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGB };
    (void)user;
    if (memcmp(last, rgb, sizeof last) == 0)
        return;
    memcpy(last, rgb, sizeof last);
    memset(window, 0x30, sizeof window);
    for (size_t y = 0; y < SCALE * LINES; y++)
        for (size_t x = 0; x < SCALE * COLUMNS; x++)
            memcpy(window + 3 * ((y + 20) * WIDTH + x + 30), rgb + 3 * (y / SCALE * COLUMNS + x / SCALE), 3);
    (void)snprintf(path, sizeof path, "%s/%05u.png", shots, shot_count++);
    if (png_image_write_to_file(&image, path, 0, window, 0, NULL) == 0)
        fprintf(stderr, "small_emulator: %s: %s\n", path, image.message);
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
    if (argc == 6 && strcmp(argv[3], "--shots") == 0)
        shots = argv[4];
    if ((argc != 4 && shots == NULL) || strcmp(argv[1], "--sd") != 0) {
        fprintf(stderr, "usage: small_emulator --sd DIRECTORY [--shots DIRECTORY] FILE.3dsx\n");
        return 2;
    }
    machine = *ref_backend();
    correct_run = machine.run;
    machine.run = faulty_run;
    struct mock_setup setup = { .gpu = &machine, .card = argv[2], .program_path = "sdmc:/3ds/program.3dsx" };
    setup.weak.only_standard = setup.weak.one_block = setup.weak.empty_answers = true;
    if (shots != NULL) {
        machine = *ref_backend();
        machine.create = create_wrong;
        setup.weak.no_write_back = true;
        setup.frame = write_shot;
    }
    uint8_t *const program = read_file(argv[argc - 1], &setup.program_size);
    struct mock_result result;
    setup.program = program;
    if (program == NULL || mock_run(&setup, &result) != PICA_OK) {
        fprintf(stderr, "small_emulator: %s: cannot be started\n", argv[argc - 1]);
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
