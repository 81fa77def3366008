#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/run/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool begins_with(const uint8_t *bytes, size_t size, const char *magic)
{
    return size >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0;
}

static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] < ' ' && strchr("\t\n\r\f", bytes[i]) == NULL)
            return false;
    return size != 0;
}

/* Every byte string is a .pcb, so a picture or a typing error would silently pass for a case. NULL: it may be one.
 * Files without any extension are written by fuzzing engines: of these only what has a mark of its own is known. */
static const char *foreign_kind(const char *path, const uint8_t *bytes, size_t size)
{
    static const char *const known[] = { ".pcase", ".pcb", ".picacap", ".ctf", ".bin" };
    static const struct {
        const char *magic, *kind;
    } marks[] = { { "\x7f"
                    "ELF",
                    "a program or library (ELF)" },
                  { "\x89PNG", "a picture (PNG)" },
                  { "DVLB", "a compiled shader (DVLB)" } };
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash != NULL ? slash : path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(dot, known[i]) == 0)
            return NULL;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (begins_with(bytes, size, marks[i].magic))
            return marks[i].kind;
    if (dot == NULL || harness_format_detect(path, bytes, size) != HARNESS_FORMAT_PCB)
        return NULL;
    if (is_text(bytes, size))
        return strcmp(dot, ".json") == 0 ? "JSON" : "text";
    cli_print(stderr, "picafuzz: %s: unknown extension; it is read as .pcb\n", path);
    return NULL;
}

/* A file that a command was given by name is no case. */
static enum harness_status refuse_foreign(const char *path, struct harness_error *error)
{
    uint8_t begin[512];
    FILE *const file = fopen(path, "rb");
    if (file == NULL)
        return HARNESS_OK; /* loading says why */
    const size_t size = fread(begin, 1, sizeof begin, file);
    (void)fclose(file);
    const char *const kind = foreign_kind(path, begin, size);
    return kind == NULL ? HARNESS_OK : harness_fail(error, HARNESS_BAD_INPUT, "%s: this is %s, no case", path, kind);
}

enum harness_status cli_load(const char *path, struct harness_case *out, struct harness_error *error)
{
    struct stat status_of_file;
    if (stat(path, &status_of_file) != 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (S_ISDIR(status_of_file.st_mode))
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: expected a case file, found a directory", path);
    struct harness_text warnings;
    enum harness_status status = refuse_foreign(path, error);
    if (status != HARNESS_OK)
        return status;
    harness_text_init(&warnings);
    status = harness_load(out, path, &warnings, error);
    (void)cli_print(stderr, "%s", harness_text_string(&warnings));
    harness_text_free(&warnings);
    return status;
}

enum harness_status cli_case_create(struct cli_case *out, struct harness_error *error)
{
    out->test_case = harness_case_create();
    out->program = harness_program_create();
    return out->test_case != NULL && out->program != NULL ? HARNESS_OK : harness_fail_memory(error);
}

void cli_case_destroy(struct cli_case *test_case)
{
    harness_program_destroy(test_case->program);
    harness_case_destroy(test_case->test_case);
}

enum harness_status cli_case_load(struct cli_case *out, const char *path, struct harness_error *error)
{
    enum harness_status status = cli_load(path, out->test_case, error);
    if (status != HARNESS_OK)
        return status;
    status = harness_case_setup(out->test_case, out->program, error);
    if (status != HARNESS_OK)
        harness_error_prefix(error, path);
    return status;
}
