/* Makes the frozen pack (ci/vectors): from a list of case files, or anew from the cases of a pack. */
#include "harness/case/formats.h"
#include "harness/cli/options.h"
#include "harness/run/load.h"
#include "harness/vectors/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *output, *again, *before, *list, *extract;
};

static const char about[] =
    "make_vectors - makes the frozen pack of cases (docs/formats/vectors.md)\n"
    "\n"
    "usage: make_vectors [options] -o PACK\n"
    "\n"
    "  make_vectors --list LIST -o new.vectors              from case files\n"
    "  make_vectors --list LIST --before old.vectors -o new.vectors\n"
    "                                                       cases that must leave what they had to keep their version\n"
    "  make_vectors --again corpus/vectors/picafuzz.vectors -o again.vectors\n"
    "                                                       what the same cases leave, computed anew: the same bytes\n"
    "  make_vectors --again corpus/vectors/picafuzz.vectors --extract DIRECTORY\n"
    "                                                       its cases as files, for `picafuzz diff` and `reduce`\n"
    "\n"
    "A line of the list has the name of a case, its area, its rules with spaces between them, their\n"
    "provenance (hw, doc, emu, split, choice, unrecorded), the pieces of evidence behind it with spaces\n"
    "between them or -, and the path of its file, with tabs between these.\n";

static const char exits[] = "exit codes: 0 done, 2 usage or bad input, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct request, output), "PACK", "the pack to write", NULL },
    { "list", 0, CLI_READ, 0, 0, offsetof(struct request, list), "FILE", "cases to take in", NULL },
    { "before", 0, CLI_READ, 0, 0, offsetof(struct request, before), "PACK", "the pack that this one follows", NULL },
    { "again", 0, CLI_READ, 0, 0, offsetof(struct request, again), "PACK", "take the cases of this one", NULL },
    { "extract", 0, CLI_WRITE, 0, 0, offsetof(struct request, extract), "DIRECTORY", "write its cases there", NULL },
};

static const struct request defaults = { .output = NULL };

static const struct cli_program program = {
    .options = { "make_vectors", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
};

/* A list: its text is cut up, items and paths point into it. */
struct list {
    char *text;
    struct vectors_item *items;
    char **paths;
    size_t count;
};

enum {
    FIELDS = 6
};

static bool take_line(struct list *list, char *line)
{
    char *fields[FIELDS] = { NULL }, *rest = NULL;
    for (size_t i = 0; i < FIELDS; i++)
        fields[i] = strtok_r(i == 0 ? line : NULL, "\t", &rest);
    struct vectors_item *const item = &list->items[list->count];
    if (fields[FIELDS - 1] == NULL)
        return false;
    const char *const evidence = strcmp(fields[4], "-") == 0 ? "" : fields[4];
    for (uint32_t i = 0; i < VECTORS_PROVENANCES; i++)
        if (strcmp(fields[3], vectors_provenance_name(i)) == 0) {
            *item = (struct vectors_item){ fields[0], fields[1], fields[2], evidence, (enum vectors_provenance)i };
            list->paths[list->count++] = fields[FIELDS - 1];
            return true;
        }
    return false;
}

static enum harness_status read_list(const char *path, struct list *out, struct harness_error *error)
{
    size_t size = 0, lines = 1;
    const enum harness_status status = harness_file_read(path, (uint8_t **)&out->text, &size, error);
    if (status != HARNESS_OK)
        return status;
    for (size_t i = 0; i < size; i++)
        lines += out->text[i] == '\n';
    out->items = calloc(lines, sizeof *out->items);
    out->paths = calloc(lines, sizeof *out->paths);
    if (out->items == NULL || out->paths == NULL)
        return harness_fail_memory(error);
    char *rest = NULL;
    for (char *line = strtok_r(out->text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        if (!take_line(out, line))
            return harness_fail(error, HARNESS_BAD_INPUT, "%s: case %zu: expected six fields and a provenance", path,
                                out->count + 1);
    return HARNESS_OK;
}

static enum harness_status load_file(const void *what, size_t index, struct harness_case *out,
                                     struct harness_error *error)
{
    const struct list *const list = what;
    struct harness_text warnings = { 0 };
    const enum harness_status status = harness_load(out, list->paths[index], &warnings, error);
    harness_text_free(&warnings);
    return status;
}

static enum harness_status load_again(const void *what, size_t index, struct harness_case *out,
                                      struct harness_error *error)
{
    struct harness_surfaces *const surfaces = malloc(sizeof *surfaces);
    if (surfaces == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = vectors_load(what, index, out, surfaces, error);
    free(surfaces);
    return status;
}

static enum harness_status write_pack(const struct request *request, const struct vectors_source *source,
                                      struct harness_error *error)
{
    struct vectors_written written;
    const enum harness_status status = vectors_write(request->output, source, &written, error);
    if (status == HARNESS_OK)
        printf("%s: %zu cases; left out: %zu that leave the same as another, %zu that change nothing; %zu have a new "
               "version\n",
               request->output, written.cases, written.same, written.silent, written.amended);
    return status;
}

static enum harness_status make_from_list(const struct request *request, struct harness_error *error)
{
    struct list list = { NULL, NULL, NULL, 0 };
    struct vectors *before = NULL;
    enum harness_status status = read_list(request->list, &list, error);
    if (status == HARNESS_OK && request->before != NULL)
        status = vectors_open(request->before, &before, error);
    const struct vectors_source source = { list.items, list.count, load_file, &list, before, "picafuzz", false };
    if (status == HARNESS_OK)
        status = write_pack(request, &source, error);
    vectors_close(before);
    free(list.text);
    free(list.items);
    free(list.paths);
    return status;
}

static enum harness_status make_again(const struct request *request, struct harness_error *error)
{
    struct vectors *before = NULL;
    enum harness_status status = vectors_open(request->again, &before, error);
    if (status != HARNESS_OK)
        return status;
    const size_t count = vectors_count(before);
    struct vectors_item *const items = calloc(count + 1, sizeof *items);
    for (size_t i = 0; items != NULL && i < count; i++) {
        const struct vectors_case *const item = vectors_about(before, i);
        items[i] = (struct vectors_item){ item->name, item->area, item->rules, item->evidence, item->provenance };
    }
    const struct vectors_source source = { items, count, load_again, before, before, "picafuzz", true };
    status = items != NULL ? write_pack(request, &source, error) : harness_fail_memory(error);
    free(items);
    vectors_close(before);
    return status;
}

/* "blend/x-3" becomes DIRECTORY/blend-x-3.pcase. */
static enum harness_status extract_case(const char *directory, const char *name, const struct harness_case *test_case,
                                        struct harness_error *error)
{
    char path[4096];
    const size_t length = strlen(directory);
    (void)snprintf(path, sizeof path, "%s/%s.pcase", directory, name);
    for (char *at = strchr(path + length + 1, '/'); at != NULL; at = strchr(at, '/'))
        *at = '-';
    return harness_case_save_file(test_case, path, error);
}

static enum harness_status extract(const struct request *request, struct harness_error *error)
{
    struct vectors *pack = NULL;
    enum harness_status status = vectors_open(request->again, &pack, error);
    struct harness_case *const test_case = harness_case_create();
    if (test_case == NULL)
        status = harness_fail_memory(error);
    for (size_t i = 0; status == HARNESS_OK && i < vectors_count(pack); i++) {
        status = load_again(pack, i, test_case, error);
        if (status == HARNESS_OK)
            status = extract_case(request->extract, vectors_about(pack, i)->name, test_case, error);
    }
    harness_case_destroy(test_case);
    vectors_close(pack);
    return status;
}

int main(int argc, char **argv)
{
    struct request request;
    struct harness_error error = { "" };
    int code = 0;
    if (cli_program_parse(&program, argc, argv, &request, &code) < 0)
        return code;
    if ((request.output == NULL) == (request.extract == NULL) || (request.list == NULL) == (request.again == NULL) ||
        (request.extract != NULL && request.again == NULL)) {
        fprintf(stderr, "make_vectors: one of --list and --again, and -o PACK; see `make_vectors --help`\n");
        return CLI_PROGRAM_USAGE;
    }
    const enum harness_status status = request.extract != NULL ? extract(&request, &error)
                                       : request.list != NULL  ? make_from_list(&request, &error)
                                                               : make_again(&request, &error);
    if (status == HARNESS_OK)
        return 0;
    fprintf(stderr, "make_vectors: %s\n", error.message);
    return status == HARNESS_BAD_INPUT || status == HARNESS_TOO_LARGE ? CLI_PROGRAM_USAGE : 4;
}
