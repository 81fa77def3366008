#include "harness/cli/recall.h"

#include "harness/hunt/hunt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    LEVELS = 3, /* the directory itself, one of its buckets, a file there */
    MOST_WORDS = 256
};

static bool takes_findings(const struct cli_command *command)
{
    static const struct cli_command *const those[] = { &cli_cmd_diff, &cli_cmd_triage, &cli_cmd_report, &cli_cmd_reduce,
                                                       &cli_cmd_explore };
    for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
        if (command == those[i])
            return true;
    return false;
}

/* Where a hunt was started, unless that is here. */
static char *started_elsewhere(const char *started_in)
{
    char here[PATH_SIZE];
    const bool is_here = getcwd(here, sizeof here) != NULL && strcmp(here, started_in) == 0;
    return started_in[0] == '\0' || is_here ? NULL : strdup(started_in);
}

/* The options of the hunt whose directory is at this path or up to two levels above it, "" if it had none; NULL: there
 * is no hunt. */
static char *find(const char *path, char out[PATH_SIZE], char **started_in)
{
    char at[PATH_SIZE];
    if (realpath(path, at) == NULL || strlen(at) + sizeof "/hunt.json" > sizeof at)
        return NULL;
    for (int level = 0; level < LEVELS; level++) {
        (void)snprintf(out, PATH_SIZE, "%.*s/hunt.json", PATH_SIZE - 16, at);
        struct harness_hunt_recalled hunt;
        if (harness_hunt_recall(out, &hunt)) {
            *started_in = started_elsewhere(hunt.started_in);
            return hunt.options;
        }
        *strrchr(at, '/') = '\0';
        if (at[0] == '\0')
            break;
    }
    return NULL;
}

/* Cuts words as `cli_options_text` wrote them: in single quotes where they need some, a quote itself as \'. */
static int cut_up(char *text, char **words, int most)
{
    int count = 0;
    char *to = text;
    while (*text != '\0' && count < most) {
        text += strspn(text, " ");
        if (*text == '\0')
            break;
        words[count++] = to;
        for (bool quoted = false; *text != '\0' && (quoted || *text != ' '); text++)
            if (*text == '\'')
                quoted = !quoted;
            else if (*text == '\\' && !quoted && text[1] != '\0')
                *to++ = *++text;
            else
                *to++ = *text;
        text += *text != '\0';
        *to++ = '\0';
    }
    return count;
}

/* Looks at the words that follow the options. */
static bool find_first(int count, char *const *files, struct cli_recalled *out)
{
    char path[PATH_SIZE];
    for (int i = 0; i < count; i++) {
        char *started_in = NULL, *const text = find(files[i], path, &started_in);
        if (text == NULL)
            continue;
        if (out->text == NULL) {
            out->text = text;
            out->path = strdup(path);
            out->started_in = started_in;
            continue;
        }
        out->differs = out->differs || strcmp(out->text, text) != 0;
        free(text);
        free(started_in);
    }
    return out->text != NULL && out->path != NULL && (out->text[0] != '\0' || out->differs);
}

bool cli_recall(const struct cli_command *command, int count, char *const *files, struct cli_recalled *out)
{
    *out = (struct cli_recalled){ .text = NULL };
    if (takes_findings(command) && find_first(count, files, out))
        return true;
    cli_recalled_free(out);
    return false;
}

/* A path as it was meant where the hunt was started. One that is not there may be right as it is, as on another
 * machine. */
static void add_path(struct harness_text *out, const char *started_in, const char *path)
{
    char meant[PATH_SIZE];
    const int length = snprintf(meant, sizeof meant, "%s/%s", started_in, path);
    const bool is_there = path[0] != '/' && length < PATH_SIZE && access(meant, F_OK) == 0;
    harness_text_add(out, is_there ? meant : path);
}

/* Appends the list, with the paths of plug-ins, which may stand behind "inline:" and the like, as they were meant. */
static void add_backends(struct harness_text *out, const char *started_in, char *list)
{
    for (char *rest = list; rest != NULL;) {
        char name[PATH_SIZE];
        struct harness_text meant = { 0 };
        const char *const item = cli_backends_next(&rest), *const colon = strchr(item, ':'),
                          *const slash = strchr(item, '/');
        const int prefix = colon != NULL && slash != NULL && colon < slash ? (int)(colon + 1 - item) : 0;
        harness_text_format(&meant, "%.*s", prefix, item);
        if (slash != NULL)
            add_path(&meant, started_in, item + prefix);
        else
            harness_text_add(&meant, item);
        cli_backends_escape(harness_text_string(&meant), name, sizeof name);
        harness_text_format(out, "%s%s", name, rest != NULL ? "," : "");
        harness_text_free(&meant);
    }
}

/* Of the words that cli_options_text writes, these two hold paths. False without memory. */
static bool resolve(struct cli_recalled *recalled, int count)
{
    static const char *const options[] = { "-b", "--quirks" };
    for (int i = 1; i + 1 < count && recalled->started_in != NULL; i++)
        for (size_t k = 0; k < 2; k++) {
            if (strcmp(recalled->words[i], options[k]) != 0 || recalled->meant[k] != NULL)
                continue;
            struct harness_text meant = { 0 };
            if (k == 0)
                add_backends(&meant, recalled->started_in, recalled->words[i + 1]);
            else
                add_path(&meant, recalled->started_in, recalled->words[i + 1]);
            recalled->meant[k] = meant.failed ? NULL : strdup(harness_text_string(&meant));
            harness_text_free(&meant);
            if (recalled->meant[k] == NULL)
                return false;
            recalled->words[i + 1] = recalled->meant[k];
        }
    return true;
}

char **cli_recalled_words(struct cli_recalled *recalled, int argc, char *const *argv, int *count)
{
    recalled->cut = strdup(recalled->text);
    recalled->words = calloc((size_t)argc + MOST_WORDS + 1, sizeof *recalled->words);
    if (recalled->cut == NULL || recalled->words == NULL)
        return NULL;
    recalled->words[0] = argv[0];
    *count = 1 + cut_up(recalled->cut, recalled->words + 1, MOST_WORDS);
    if (!resolve(recalled, *count))
        return NULL;
    for (int i = 1; i < argc; i++)
        recalled->words[(*count)++] = argv[i];
    return recalled->words;
}

void cli_recalled_free(struct cli_recalled *recalled)
{
    free(recalled->path);
    free(recalled->text);
    free(recalled->started_in);
    free(recalled->cut);
    free(recalled->meant[0]);
    free(recalled->meant[1]);
    free(recalled->words);
    *recalled = (struct cli_recalled){ .text = NULL };
}
