#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/case/hash.h"
#include "harness/run/load.h"
#include "harness/shader/shader_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A file that is not there is the user's mistake. */
static enum harness_status check_file(const char *path, const char *expected, struct harness_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: expected %s, found a directory", path, expected);
    return HARNESS_OK;
}

const char *cli_marked_kind(const uint8_t *bytes, size_t size)
{
    static const struct {
        const char *magic, *kind;
    } marks[] = { { "\x7f"
                    "ELF",
                    "a program or library (ELF; a plug-in goes behind -b)" },
                  { "\x89PNG", "a picture (PNG)" },
                  { "DVLB", "a compiled shader (DVLB), which `picafuzz shader` takes" },
                  { "DVLP", "the code of a compiled shader (DVLP) without its DVLB" },
                  { "DVLE", "a part of a compiled shader (DVLE) without its DVLB" } };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (begins_with(bytes, size, marks[i].magic))
            return marks[i].kind;
    return NULL;
}

/* What the file is instead of a case, for every byte string is a .pcb, and a picture would silently pass for one. NULL:
 * it may be a case. Fuzzing engines write files without any extension: these are refused only by their first bytes. */
static const char *foreign_kind(const char *path, const uint8_t *bytes, size_t size)
{
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash != NULL ? slash : path, '.');
    if (harness_has_extension(path, ".pcb"))
        return NULL;
    const char *const kind = cli_marked_kind(bytes, size);
    if (kind != NULL || cli_has_case_extension(path) || harness_has_extension(path, ".bin"))
        return kind;
    if (dot == NULL || harness_format_detect(path, bytes, size) != HARNESS_FORMAT_PCB)
        return NULL;
    if (is_text(bytes, size))
        return strcmp(dot, ".json") == 0 ? "JSON" : "text";
    cli_print(stderr, "picafuzz: %s: unknown extension; it is read as .pcb\n", path);
    return NULL;
}

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

int cli_paths_check(const struct cli_paths *paths)
{
    int code = CLI_OK;
    for (size_t i = 0; i < paths->count; i++) {
        struct harness_error error = { "" };
        const enum harness_status status = refuse_foreign(paths->items[i], &error);
        if (status != HARNESS_OK)
            code = cli_fail(status, &error);
    }
    return code;
}

/* What the file is instead of a shader. NULL: it may be one. */
static const char *case_kind(const char *path, const uint8_t *bytes, size_t size)
{
    if (harness_format_detect(path, bytes, size) == HARNESS_FORMAT_PCB && !cli_has_case_extension(path))
        return NULL;
    return harness_has_extension(path, ".bin") ? "a command list (.bin) or raw words: say which by --raw"
                                               : "a case or capture";
}

static enum harness_status read_input(const char *path, uint8_t **bytes, size_t *size, struct harness_error *error)
{
    const enum harness_status status = check_file(path, "a shader", error);
    return status == HARNESS_OK ? harness_file_read(path, bytes, size, error) : status;
}

enum harness_status cli_shader_load(const char *path, const char *descriptors, bool is_raw,
                                    struct harness_shader_file *out, struct harness_error *error)
{
    uint8_t *bytes = NULL, *words = NULL;
    size_t size = 0, word_size = 0;
    enum harness_status status = read_input(path, &bytes, &size, error);
    const char *kind =
        status == HARNESS_OK && !is_raw && !begins_with(bytes, size, "DVLB") ? cli_marked_kind(bytes, size) : NULL;
    if (status == HARNESS_OK && !is_raw && kind == NULL)
        kind = case_kind(path, bytes, size);
    if (status == HARNESS_OK && kind != NULL)
        status = harness_fail(error, HARNESS_BAD_INPUT, "%s: this is %s, no shader", path, kind);
    else if (status == HARNESS_OK && is_raw)
        status = harness_shader_read_raw(out, bytes, size, path, error);
    else if (status == HARNESS_OK && begins_with(bytes, size, "DVLB"))
        status = harness_shader_read_dvlb(out, bytes, size, path, error);
    else if (status == HARNESS_OK && is_text(bytes, size))
        status = harness_shader_read_text(out, (const char *)bytes, size, path, error);
    else if (status == HARNESS_OK)
        status = harness_fail(error, HARNESS_BAD_INPUT,
                              "%s: this is neither a compiled shader (DVLB) nor assembly; words of code go with --raw",
                              path);
    if (status == HARNESS_OK)
        out->digest = harness_hash(harness_hash_start, (const char *)bytes, size);
    if (status == HARNESS_OK && descriptors != NULL)
        status = read_input(descriptors, &words, &word_size, error);
    if (status == HARNESS_OK && descriptors != NULL)
        status = harness_shader_read_descriptors(out, words, word_size, descriptors, error);
    free(bytes);
    free(words);
    return status;
}

void cli_shader_warn(const char *path, const struct harness_shader_file *file)
{
    uint32_t descriptor = 0;
    const uint32_t address = harness_shader_undescribed(file, &descriptor);
    if (address != file->code_count)
        cli_print(stderr,
                  "picafuzz: %s: code word %u names operand descriptor @%u, and the file has %u: it is run as 0, which "
                  "writes nothing\n",
                  path, (unsigned)address, (unsigned)descriptor, (unsigned)file->descriptor_count);
}

enum harness_status cli_load(const char *path, struct harness_case *out, struct harness_error *error)
{
    struct harness_text warnings = { 0 };
    if (out == NULL)
        return harness_fail_memory(error);
    enum harness_status status = check_file(path, "a case file", error);
    if (status == HARNESS_OK)
        status = refuse_foreign(path, error);
    if (status != HARNESS_OK)
        return status;
    status = harness_load(out, path, &warnings, error);
    (void)cli_print(stderr, "%s", harness_text_string(&warnings));
    harness_text_free(&warnings);
    return status;
}

enum harness_status cli_case_create(struct cli_case *out, struct harness_error *error)
{
    out->test_case = out->test_case != NULL ? out->test_case : harness_case_create();
    out->program = out->program != NULL ? out->program : harness_program_create();
    return out->test_case != NULL && out->program != NULL ? HARNESS_OK : harness_fail_memory(error);
}

void cli_case_destroy(struct cli_case *test_case)
{
    harness_program_destroy(test_case->program);
    harness_case_destroy(test_case->test_case);
}

enum harness_status cli_case_load(struct cli_case *out, const char *path, struct harness_error *error)
{
    enum harness_status status = cli_case_create(out, error);
    if (status == HARNESS_OK)
        status = cli_load(path, out->test_case, error);
    if (status != HARNESS_OK)
        return status;
    status = harness_case_setup(out->test_case, out->program, error);
    if (status != HARNESS_OK)
        harness_error_prefix(error, path);
    return status;
}
