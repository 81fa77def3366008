/* Before anything runs: no output of a program may be one of its inputs, by what the option tables say of files. */
#include "harness/cli/options.h"

#include "harness/cli/print.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A path that a command was given. */
struct named {
    const char *path;
    const char *option; /* NULL: a word behind the options */
};

struct guard {
    const struct cli_options *options;
    const unsigned char *request;
    cli_reads reads; /* NULL: of directories nothing is */
};

/* What a path leads to. */
struct place {
    bool exists;
    struct stat status;
    char resolved[PATH_MAX]; /* where it would be made */
};

/* Resolves as much of the path as there is; what follows is taken as it stands, but for "." and doubled slashes. */
static void resolve(const char *path, char *out)
{
    char begin[PATH_MAX], rest[PATH_MAX] = "", longer[PATH_MAX];
    (void)snprintf(begin, sizeof begin, "%s%s", path[0] == '/' ? "" : "./", path);
    while (realpath(begin, out) == NULL) {
        char *const slash = strrchr(begin, '/');
        out[0] = '\0';
        if (slash == NULL)
            break;
        if (slash[1] != '\0' && strcmp(slash + 1, ".") != 0) {
            (void)snprintf(longer, sizeof longer, "/%.*s%.*s", PATH_MAX / 2 - 2, slash + 1, PATH_MAX / 2 - 2, rest);
            memcpy(rest, longer, sizeof rest);
        }
        *slash = '\0';
    }
    if (strcmp(out, "/") == 0)
        out[0] = '\0';
    strncat(out, rest, PATH_MAX - strlen(out) - 1);
}

static void find_place(const char *path, struct place *out)
{
    out->exists = stat(path, &out->status) == 0;
    out->resolved[0] = '\0';
    if (!out->exists)
        resolve(path, out->resolved);
}

static bool is_same(const struct place *a, const struct place *b)
{
    if (a->exists != b->exists)
        return false;
    return a->exists ? a->status.st_dev == b->status.st_dev && a->status.st_ino == b->status.st_ino
                     : strcmp(a->resolved, b->resolved) == 0;
}

/* Pipes and devices, /dev/null say, may be named as often as one likes. */
static bool can_be_spoilt(const struct place *place)
{
    return !place->exists || S_ISREG(place->status.st_mode) || S_ISDIR(place->status.st_mode);
}

static int refuse(const struct guard *guard, const struct named *output, const struct named *other, const char *how)
{
    const bool is_option = other->option != NULL;
    struct place place;
    find_place(other->path, &place);
    const bool within = !is_option && place.exists && S_ISDIR(place.status.st_mode);
    cli_print(stderr, "%s: --%s %s would overwrite %s%s%s%s%s, which is %s; nothing was run; see `%s --help`\n",
              guard->options->program, output->option, output->path, within ? "a file of " : "", is_option ? "--" : "",
              is_option ? other->option : "", is_option ? " " : "", other->path, how, guard->options->program);
    return CLI_PARSE_BAD;
}

/* A directory may be read and written: of the files in it only those that are read are in danger. */
static bool is_read(const struct guard *guard, const struct named *output, const struct place *place, const char *input)
{
    struct place other;
    find_place(input, &other);
    if (!other.exists || (place->exists && S_ISDIR(place->status.st_mode)))
        return false;
    if (S_ISDIR(other.status.st_mode))
        return guard->reads != NULL && guard->reads(input, output->path);
    return is_same(place, &other);
}

/* Is the output among what the input names? A file may stand there behind "inline:", "reference+" or "0x18000000=", or
 * be the first word of a shell command. */
static bool names_it(const struct guard *guard, const struct named *output, const struct place *place,
                     const char *input)
{
    static const char signs[] = ":+=";
    char word[PATH_MAX];
    for (const char *at = input;; at = strpbrk(at, signs) + 1) {
        (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
        if (is_read(guard, output, place, at) || is_read(guard, output, place, word))
            return true;
        if (strpbrk(at, signs) == NULL)
            return false;
    }
}

static int check_input(const struct guard *guard, const struct named *output, const struct named *input)
{
    struct place place;
    find_place(output->path, &place);
    if (!can_be_spoilt(&place) || !names_it(guard, output, &place, input->path))
        return 0;
    return refuse(guard, output, input, "read");
}

static int check_outputs(const struct guard *guard, const struct named *one, const struct named *other)
{
    struct place place, second;
    find_place(one->path, &place);
    find_place(other->path, &second);
    return can_be_spoilt(&place) && is_same(&place, &second) ? refuse(guard, one, other, "written, too") : 0;
}

/* The paths of a row. */
static size_t paths_of(const struct cli_option *option, const unsigned char *target, struct cli_list *out)
{
    out->count = 0;
    if (option->kind == CLI_BACKENDS || option->kind == CLI_EACH_READ) {
        memcpy(out, target, sizeof *out);
    } else if (option->kind == CLI_READ || option->kind == CLI_WRITE || option->kind == CLI_BACKEND) {
        memcpy(&out->items[0], target, sizeof out->items[0]);
        out->count = out->items[0] != NULL;
    }
    return out->count;
}

/* A row whose value is called FILE, DIR or PATH must be of a kind that is looked at here. */
static bool is_sound(const struct cli_option *option)
{
    const bool hides = option->kind == CLI_TEXT || option->kind == CLI_LIST || option->kind == CLI_EACH;
    return !hides || option->value == NULL ||
           (strstr(option->value, "FILE") == NULL && strstr(option->value, "DIR") == NULL &&
            strstr(option->value, "PATH") == NULL);
}

/* Compares an output with the inputs of a row, and with its outputs if `outputs`. */
static int check_row(const struct guard *guard, const struct named *output, const struct cli_option *option,
                     const unsigned char *part, bool outputs)
{
    struct cli_list paths;
    int code = 0;
    if (option->kind == CLI_WRITE && !outputs)
        return 0;
    const size_t count = paths_of(option, part + option->target, &paths);
    for (size_t i = 0; i < count && code == 0; i++) {
        const struct named other = { paths.items[i], option->name };
        code = option->kind == CLI_WRITE ? check_outputs(guard, output, &other) : check_input(guard, output, &other);
    }
    return code;
}

/* Compares an output with all other rows; two outputs once: with those before it. */
static int check_rows(const struct guard *guard, const struct named *output, const struct cli_option *own)
{
    int code = 0;
    bool before = true;
    for (const struct cli_option_set *set = guard->options->sets; set != guard->options->sets + CLI_OPTION_SETS; set++)
        for (size_t i = 0; i < set->count && code == 0; i++) {
            before = before && &set->options[i] != own;
            code = check_row(guard, output, &set->options[i], guard->request + set->base, before);
        }
    return code;
}

int cli_options_guard(const struct cli_options *options, int word_count, char *const *words, const void *request,
                      cli_reads reads)
{
    const struct guard guard = { options, request, NULL }, behind = { options, request, reads };
    int code = 0;
    for (const struct cli_option_set *set = options->sets; set != options->sets + CLI_OPTION_SETS; set++)
        for (size_t i = 0; i < set->count && code == 0; i++) {
            const struct cli_option *const option = &set->options[i];
            struct cli_list paths;
            const bool sound = is_sound(option);
            assert(sound);
            (void)sound;
            if (option->kind != CLI_WRITE || paths_of(option, guard.request + set->base + option->target, &paths) == 0)
                continue;
            const struct named output = { paths.items[0], option->name };
            code = check_rows(&guard, &output, option);
            for (int w = 0; w < word_count && code == 0; w++)
                code = check_input(&behind, &output, &(struct named){ words[w], NULL });
        }
    return code;
}
